"""Toggles of a circuit's gates and registers, for thousands of traces at once, glitches included.

Every gate takes one unit of time, so a gate whose inputs do not change together toggles more than once. That is
a model, of the source's own gates before any library: real delays differ, and wires have none here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from ..formal.netlist import BitNetlist

if TYPE_CHECKING:  # numpy takes a tenth of a second, which `--help` need not wait for
    import numpy as np

LANES = 64
# The steps after which a circuit without loops has settled, and more.
_STEPS = 10_000
_GATES: Mapping[str, Callable[..., Any]] = {
    "$_XOR_": lambda a, b: a ^ b,
    "$_XNOR_": lambda a, b: ~(a ^ b),
    "$_NOT_": lambda a: ~a,
    "$_BUF_": lambda a: a,
    "$_AND_": lambda a, b: a & b,
    "$_NAND_": lambda a, b: ~(a & b),
    "$_OR_": lambda a, b: a | b,
    "$_NOR_": lambda a, b: ~(a | b),
    "$_MUX_": lambda a, b, s: a ^ ((a ^ b) & s),
}


class Toggles:
    """A circuit in ``64 * words`` traces. Bits are words of 64 traces; registers start at random values."""

    def __init__(self, circuit: BitNetlist, words: int, rng: np.random.Generator) -> None:
        import numpy as np

        self._circuit = circuit
        self._values = np.zeros((circuit.size, words), dtype=np.uint64)
        self._values[1] = ~np.uint64(0)
        self._q = np.array([q for q, _ in circuit.flops])
        self._d = np.array([d for _, d in circuit.flops])
        self._values[self._q] = random_words(rng, len(self._q), words)
        self._begun = False
        kinds: dict[str, list[tuple[int, ...]]] = {}
        for cell in circuit.cells:
            kinds.setdefault(cell.kind, []).append((*cell.inputs, *cell.outputs))
        self._kinds = [(kind, np.array(rows).T) for kind, rows in sorted(kinds.items())]

    def cycle(self, given: Mapping[str, np.ndarray]) -> np.ndarray:
        """Clock the registers, apply inputs of shape (bits, words), and settle.

        Returns
        -------
        numpy.ndarray
            Toggles of each trace in this cycle, of shape (64 * words,).
        """
        import numpy as np

        values = self._values
        captured = values[self._d]
        change = captured ^ values[self._q]
        toggles = column_counts(change)
        # Before the first cycle no gate has been evaluated.
        changed = np.full(len(values), not self._begun)
        self._begun = True
        changed[self._q] |= change.any(axis=1)
        values[self._q] = captured
        for port, bits in given.items():
            places = list(self._circuit.inputs[port])
            changed[places] = True
            values[places] = bits
        for _ in range(_STEPS):
            if not changed.any():
                return toggles
            # All gates of a step read what the step before left.
            active = [(kind, pins[:, changed[pins[:-1]].any(axis=0)]) for kind, pins in self._kinds]
            made = [(pins[-1], self._made(kind, pins)) for kind, pins in active if pins.size]
            changed[:] = False
            for outputs, new in made:
                change = new ^ values[outputs]
                toggles += column_counts(change)
                values[outputs] = new
                changed[outputs] = change.any(axis=1)
        raise ValueError("want logic that settles, got a loop")

    def output(self, port: str) -> np.ndarray:
        """What a port shows, of shape (bits, words)."""
        return self._values[list(self._circuit.outputs[port])]

    def _made(self, kind: str, pins: np.ndarray) -> np.ndarray:
        if kind not in _GATES:
            raise ValueError(f"want gates alone, got {kind}")
        made: np.ndarray = _GATES[kind](*(self._values[pin] for pin in pins[:-1]))
        return made


def random_words(rng: np.random.Generator, bits: int, words: int) -> np.ndarray:
    """Uniform bits, of shape (bits, words)."""
    import numpy as np

    return rng.integers(0, 1 << 64, (bits, words), dtype=np.uint64)


def column_counts(rows: np.ndarray) -> np.ndarray:
    """How many of the rows have each bit: (n, words) -> (64 * words,). By full adders on whole words."""
    import numpy as np

    total = np.zeros(LANES * rows.shape[1], dtype=np.int64)
    weight = 1
    while len(rows):
        carries = []
        while len(rows) > 1:
            third = max(1, len(rows) // 3)
            a, b = rows[:third], rows[third : 2 * third]
            c = rows[2 * third : 3 * third] if len(rows) >= 3 * third else np.zeros_like(a)
            carries.append((a & b) | (c & (a ^ b)))
            rows = np.concatenate([a ^ b ^ c, rows[3 * third :]])
        bits = np.unpackbits(rows[0].astype("<u8").view(np.uint8), bitorder="little")
        total += weight * bits.astype(np.int64)
        rows, weight = np.concatenate(carries) if carries else rows[:0], 2 * weight
    return total
