"""What a circuit is fed with, clock by clock, and what it must put out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Traffic:
    """Values of the ports at each rise of the clock; None where nobody looks.

    ``inputs[port][k]`` is what the circuit's flops see at rise k, ``outputs[port][k]`` what it must
    have responded until then. Power is measured over the cycles of ``window``.
    """

    clock: str | None
    cycles: int
    inputs: Mapping[str, Sequence[int | None]]
    outputs: Mapping[str, Sequence[int | None]]
    window: range
