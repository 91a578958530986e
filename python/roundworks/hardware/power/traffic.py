"""What a circuit is fed with, clock by clock, and what it must answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ...errors import HardwareError
from . import waves
from .gates import Circuit


@dataclass(frozen=True, slots=True)
class Traffic:
    """Values of the ports at each rise of the clock; None where nobody looks.

    ``inputs[port][k]`` is what the circuit's flops see at rise k, ``outputs[port][k]`` what it must
    have answered until then. Power is measured over the clocks of ``window``.
    """

    clock: str | None
    clocks: int
    inputs: Mapping[str, Sequence[int | None]]
    outputs: Mapping[str, Sequence[int | None]]
    window: range


def replay(
    circuit: Circuit, recorded: Path, clock: str, first: int = 0, last: int | None = None
) -> Traffic:
    """The traffic of a bench that ran on the core's source, from what it left of the ports.

    The bench need not run again on the gates, and their answers are compared with the source's.
    """
    inputs = [p.name for p in circuit.inputs if p.name != clock]
    outputs = [p.name for p in circuit.outputs]
    found = waves.samples(recorded, clock, [*inputs, *outputs])
    clocks = min(map(len, found.values()))
    stop = clocks - 1 if last is None else last
    if not 0 < first + 1 < stop < clocks:
        raise HardwareError(f"{recorded.name}: want a window within {clocks} clocks, got "
                            f"{first}..{stop}; record more")  # fmt: skip
    return Traffic(clock, clocks, {n: found[n] for n in inputs}, {n: found[n] for n in outputs},
                   range(first, stop))  # fmt: skip
