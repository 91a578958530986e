"""The encoding of lengths, learned by running ``finalise`` on chosen lengths, and checked on others."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..errors import DescriptionError, TooWide
from ..reference import Node, StreamAead
from .recorder import Recorder
from .signatures import constant_of, constants, signature, with_inputs
from .steps import LENGTH_BITS, LengthWord, Segment, Step, looped

FEWEST = 8
"""The fewest bits of a length."""


@dataclass(frozen=True, slots=True)
class Learned:
    """Segments of ``finalise`` with the words that lengths make as inputs L0.., and what these are."""

    finalise: Step
    words: tuple[LengthWord, ...]
    bits: tuple[int, int]
    """Of the longest associated data and message whose lengths in bits ``finalise`` takes: their words are as
    wide."""


def finalise_steps(recorder: Recorder) -> Learned:
    """Learn them; `DescriptionError` of a ``finalise`` that does more with lengths than make words of them."""
    cipher = recorder.cipher

    def run(ad_bits: int, msg_bits: int) -> list[Segment]:
        return recorder.segments("finalise", lambda it, w: it.finalise(list(w.S), w.K, ad_bits, msg_bits))

    bits = _longest(cipher, lambda position, length: run(*((length, 8) if not position else (8, length))))
    # Of no special form, so that no word is by chance equal to another and recorded once with it.
    rng = random.Random(1)
    usual = [8 * rng.randrange(1 << wide - 3) for wide in bits]
    base = run(*usual)
    start = list(_constants(base))
    images: list[list[list[int]]] = []
    for position in range(2):
        rows = []
        for bit in range(3, bits[position]):
            lengths = list(usual)
            lengths[position] ^= 1 << bit
            rows.append([c.detail for c in _same(cipher, base, run(*lengths))])
        images.append(rows)
    result: dict[int, LengthWord] = {}
    for k, node in enumerate(start):
        ad, message = (
            (0, 0, 0, *(row[k] ^ constant_of(node) for row in rows), *(0,) * (LENGTH_BITS - wide))
            for rows, wide in zip(images, bits, strict=True)
        )
        if any(ad) or any(message):
            shift = LengthWord(node.bits, 0, ad, message).value(*usual)
            result[k] = LengthWord(node.bits, constant_of(node) ^ shift, ad, message)
    _check_lengths(cipher, base, result, run, bits)
    words: dict[LengthWord, str] = {}
    for word in result.values():
        words.setdefault(word, f"L{len(words)}")
    chosen = {start[k].id: words[word] for k, word in result.items()}
    segments = [Segment(with_inputs(s.recording, chosen), s.calls) for s in base]
    return Learned(looped(segments), tuple(words), bits)


def _longest(cipher: StreamAead[Any], run: Callable[[int, int], object]) -> tuple[int, int]:
    """For both lengths, how many bits of one ``finalise`` takes before its words are too narrow."""

    def fits(position: int, wide: int) -> bool:
        try:
            run(position, (1 << wide) - 8)
        except (TooWide, OverflowError) as error:  # the second is of int.to_bytes
            if wide == FEWEST:
                raise DescriptionError(
                    f"{error}; finalise: want words for lengths of at least {FEWEST} bits"
                ) from error
            return False
        return True

    bits = []
    for position in range(2):
        wide = next(wide for wide in (LENGTH_BITS, *range(FEWEST, LENGTH_BITS)) if fits(position, wide))
        while wide < LENGTH_BITS and fits(position, wide + 1):
            wide += 1
        bits.append(wide)
    return bits[0], bits[1]


def _constants(segments: Sequence[Segment]) -> Iterator[Node]:
    seen: set[int] = set()
    for segment in segments:
        for node in constants(segment.recording):
            if node.id not in seen:
                seen.add(node.id)
                yield node


def _same(cipher: StreamAead[Any], base: Sequence[Segment], other: Sequence[Segment]) -> list[Any]:
    shapes = [[(s.calls, signature(s.recording, values=False)) for s in each] for each in (base, other)]
    result = list(_constants(other))
    if shapes[0] != shapes[1] or len(result) != len(list(_constants(base))):
        raise _steps_depend(cipher)
    return result


def _steps_depend(cipher: StreamAead[Any]) -> DescriptionError:
    return DescriptionError(
        f"{cipher.name}: finalise: its steps depend on the lengths; a program is made where only"
        " words do, as in S[0] ^ ad_bits"
    )


def _check_lengths(
    cipher: StreamAead[Any],
    base: Sequence[Segment],
    found: Mapping[int, LengthWord],
    run: Callable[[int, int], list[Segment]],
    bits: tuple[int, int],
) -> None:
    # A branch may part empty from not, or short from long. Their words may be equal to others by chance, so
    # that only the rounds are compared.
    rng = random.Random(2)
    ad, message = (1 << min(40, wide - 1) for wide in bits)
    short = [(0, 0), (0, message), (ad, 0)]
    short += [
        (8 * rng.randrange(1 << min(few, bits[0] - 3)), 8 * rng.randrange(1 << min(few, bits[1] - 3)))
        for few in (1, 4, 6, 8, 10)
    ]
    rounds = [segment.calls for segment in base]
    if any([segment.calls for segment in run(*lengths)] != rounds for lengths in short):
        raise _steps_depend(cipher)
    start = [constant_of(c) for c in _constants(base)]
    rng = random.Random(0)
    for _ in range(8):
        lengths = (
            8 * rng.randrange(1, 1 << bits[0] - 3),
            8 * rng.randrange(1, 1 << rng.randrange(min(8, bits[1] - 4), bits[1] - 3)),
        )
        actual = [c.detail for c in _same(cipher, base, run(*lengths))]
        want = [found[k].value(*lengths) if k in found else value for k, value in enumerate(start)]
        if actual != want:
            raise DescriptionError(
                f"{cipher.name}: finalise: a word that is no affine map over GF(2) of the bits of the"
                " lengths; a program is made of words such as LE64(ad_bits) || LE64(msg_bits)"
            )
