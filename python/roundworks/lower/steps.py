"""Steps of a message as data: segments in loops, words of lengths, and padding."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import cached_property

from ..reference import Recording
from .signatures import signature

LENGTH_BITS = 64
"""Bits of a length: no message is longer than 2^61 bytes."""


@dataclass(frozen=True, slots=True)
class LengthWord:
    """A constant of ``finalise`` that depends on the lengths: an affine map of their bits.

    ``start`` is the word for two empty inputs; ``ad[i]`` and ``message[i]`` are what bit i of the
    length in bits adds to it.
    """

    bits: int
    start: int
    ad: tuple[int, ...]
    message: tuple[int, ...]

    def value(self, ad_bits: int, msg_bits: int) -> int:
        """The word for these lengths in bits."""
        word = self.start
        for images, length in ((self.ad, ad_bits), (self.message, msg_bits)):
            for i in range(length.bit_length()):
                if length >> i & 1:
                    word ^= images[i]
        return word


@dataclass(frozen=True)
class Segment:
    """Words S'0.. made of S0.., K0.., N0.., X0.. and L0..; then, if ``calls``, the round on S' with
    the block X'0.. ."""

    recording: Recording
    calls: bool

    @cached_property
    def signature(self) -> Hashable:
        """Equal for segments that compute the same."""
        return (self.calls, signature(self.recording))


@dataclass(frozen=True, slots=True)
class Loop:
    """Segments one after another, ``times`` times."""

    times: int
    segments: tuple[Segment, ...]


Step = tuple[Loop, ...]


@dataclass(frozen=True, slots=True)
class Padding:
    """Bytes behind the last block: ``partial[r]`` for r bytes in it, ``full`` behind a last block
    that is full, ``empty`` for no input at all; ``b""`` where no block is added."""

    partial: tuple[bytes, ...]
    full: bytes
    empty: bytes


def is_round(step: Step) -> bool:
    """Whether a step is the round and nothing else."""
    segments = [s for loop in step for _ in range(loop.times) for s in loop.segments]
    if [s.calls for s in segments] != [True, False]:
        return False
    return all(
        s.recording.inputs.get(name.replace("'", "")) == node
        for s in segments
        for name, node in s.recording.outputs.items()
    )


def looped(segments: Sequence[Segment]) -> Step:
    """Runs of equal segments, of any period, as loops; the shortest period first."""
    keys = [segment.signature for segment in segments]
    loops: list[Loop] = []
    at = 0
    while at < len(segments):
        best = (1, 1)
        for period in range(1, min(16, (len(segments) - at) // 2) + 1):
            times = 1
            while keys[at : at + period] == keys[at + times * period : at + (times + 1) * period]:
                times += 1
            if times > 1 and (times * period > best[0] * best[1] or best == (1, 1)):
                best = (period, times)
        period, times = best
        loops.append(Loop(times, tuple(segments[at : at + period])))
        at += period * times
    return tuple(loops)
