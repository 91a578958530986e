"""A fixed against a random secret: Welch's t-test on the toggles of each cycle, without noise. [TVLA]"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..cores import Core
from ..cycles.aead import formula
from ..formal.netlist import BitNetlist, netlist
from .probing import CLOCK, RANDOM
from .toggles import LANES, Toggles, random_words

if TYPE_CHECKING:
    import numpy as np

THRESHOLD = 4.5
"""Above this the two classes differ: a chance of 7 in a million for each sample of circuits that do not leak."""
# Of the inputs of a cycle: whether it is a sample, and the bits.
_Cycle = tuple[bool, dict[str, "np.ndarray"]]
_Stimulus = Callable[["Traces", BitNetlist], Iterator[_Cycle]]


@dataclass(frozen=True, slots=True)
class TTest:
    """``t`` is of largest absolute value among the cycles that were looked at; ``randomised`` is whether the
    masked products had random bits, and not zeros."""

    core: str
    randomised: bool
    traces: int
    cycles: int
    t: float
    seed: int
    certainty: str = "measured"

    @property
    def leaks(self) -> bool:
        """Whether the classes can be told apart."""
        return abs(self.t) > THRESHOLD


class Traces:
    """Two classes of traces: secrets are zero in one, random in the other; their shares are uniform in both."""

    def __init__(self, words: int, rng: np.random.Generator) -> None:
        self.words, self._rng = words, rng
        self.random_class = random_words(rng, 1, words)[0]

    def uniform(self, bits: int) -> np.ndarray:
        """New random bits for every trace, as an array of words."""
        return random_words(self._rng, bits, self.words)

    def constant(self, bits: int, value: int = 0) -> np.ndarray:
        """The same bits in every trace."""
        import numpy as np

        column = [~np.uint64(0) if value >> i & 1 else np.uint64(0) for i in range(bits)]
        return np.repeat(np.array(column, dtype=np.uint64)[:, None], self.words, axis=1)

    def shares(self, bits: int) -> np.ndarray:
        """Two shares of a secret of the class, with `bits` bits together."""
        import numpy as np

        mask = self.uniform(bits // 2)
        return np.concatenate([mask, mask ^ (self.uniform(bits // 2) & self.random_class)])


def t_test(
    core: Core,
    parameters: Mapping[str, str],
    *,
    traces: int,
    seed: int = 1,
    randomised: bool = True,
    cycles: int | None = None,
) -> TTest:
    """Simulate both classes, interleaved at random, and compare the toggles of each cycle, or of the first
    `cycles` of them."""
    import numpy as np

    circuit = netlist(core, parameters)
    digest = hashlib.sha256(f"{core.name}/{seed}/{randomised}".encode()).digest()
    rng = np.random.default_rng(int.from_bytes(digest, "big"))
    given = Traces(-(-traces // LANES), rng)
    simulated = Toggles(circuit, given.words, rng)
    classes = np.unpackbits(given.random_class.astype("<u8").view(np.uint8), bitorder="little").astype(bool)
    scores = []
    for sampled, inputs in _STIMULI[core.bench](given, circuit):
        bits = len(circuit.inputs[RANDOM])
        inputs[RANDOM] = given.uniform(bits) if randomised else given.constant(bits)
        toggles = simulated.cycle(inputs).astype(float)
        if sampled:
            scores.append(_welch(toggles[classes], toggles[~classes]))
        if len(scores) == cycles:
            break
    return TTest(core.name, randomised, LANES * given.words, len(scores), max(scores, key=abs), seed)


def _welch(one: np.ndarray, other: np.ndarray) -> float:
    spread = one.var(ddof=1) / len(one) + other.var(ddof=1) / len(other)
    return float((one.mean() - other.mean()) / spread**0.5) if spread else 0.0


def _pipeline(given: Traces, circuit: BitNetlist) -> Iterator[_Cycle]:
    """One value of the class among random ones, from its cycle until it has left."""
    ports = {name: len(bits) for name, bits in circuit.inputs.items() if name not in (CLOCK, RANDOM)}
    for cycle in range(-10, 10):
        yield (
            cycle >= 0,
            {name: given.shares(bits) if cycle == 0 else given.uniform(bits) for name, bits in ports.items()},
        )


def _message(given: Traces, circuit: BitNetlist) -> Iterator[_Cycle]:
    """A reset, then the decryption of a block, with a block of associated data, by a key of the class; the
    tag is compared, and is wrong."""
    ports = {name: len(bits) for name, bits in circuit.inputs.items() if name not in (CLOCK, RANDOM)}
    still = {name: given.constant(bits) for name, bits in ports.items()}
    ones = (
        "req_valid_i",
        "req_decrypt_i",
        "req_ad_i",
        "req_msg_i",
        "blk_valid_i",
        "blk_last_i",
        "out_ready_i",
    )
    on = {name: given.constant(1, 1) for name in ones}
    message = {**on, "blk_bytes_i": given.constant(5, 16), "req_key_i": given.shares(ports["req_key_i"])}
    for cycle in range(-2, formula("aegis.masked").cycles(16, 16)):
        reset = {"rst_ni": given.constant(1, int(cycle >= -1))}
        yield cycle >= 0, {**still, **reset, **(message if cycle >= 0 else {})}


# By the bench of a core.
_STIMULI: Mapping[str, _Stimulus] = {"masked_cells": _pipeline, "masked_aead": _message}
