"""Other inputs for what a mode of blocks has sealed, without knowing how it absorbs.

The transcript of a streaming mode lists inputs that are absorbed alike. Of a mode of blocks
the oracles alone are used, so every way of cutting, padding and moving blocks is handed in: with the
ciphertext that was returned, and, where the ciphertext is as long as the message, with one made
from the keystream that the query showed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

from .game import Forgery, Sealed
from .rewrite import KINDS
from .subject import AuditSubject
from .transcript import xor

Change = tuple[str, bytes, bytes]  # kind, associated data, ciphertext


@dataclass
class ModeRewrites:
    """All rewrites of a set of queries, attacked once and shared by the checks."""

    subject: AuditSubject
    tried: dict[str, int] = field(default_factory=lambda: dict.fromkeys(KINDS, 0))
    skipped_guesses: int = 0
    readable: bool = True

    @cached_property
    def forgeries(self) -> dict[str, tuple[Forgery, bytes]]:
        """The first forgery of each kind, with the key it was made against."""
        results: dict[str, tuple[Forgery, bytes]] = {}
        oracle = self.subject.oracle(self.subject.rng("rewrite"))
        for ad, data in self.queries():
            query = oracle.encrypt(ad, data)
            for kind, other_ad, ciphertext in dict.fromkeys(self._changes(query)):
                if kind in results:
                    continue
                oracle.attempts = 0
                self.tried[kind] += 1
                forgery = oracle.win(query, query.nonce, other_ad, ciphertext, query.tag)
                if forgery is not None:
                    results[kind] = forgery, oracle.key
        return results

    def queries(self) -> Iterator[tuple[bytes, bytes]]:
        """Inputs on which an ambiguity would show: full blocks, and ends that look padded."""
        rng, r = self.subject.rng("queries"), self.subject.rate
        rnd = rng.randbytes
        for n in (1, r // 2, r - 1):
            yield rnd(n), rnd(n)
            yield rnd(n), rnd(r + n)
            for padded in _paddings(rnd(n), r):
                yield padded, rnd(n)
                yield rnd(n), padded
                yield rnd(r), rnd(r) + padded
        yield rnd(2 * r), rnd(2 * r)
        yield rnd(r), b""
        yield b"", rnd(3 * r)
        yield b"", b""
        yield from ((empty, rnd(5)) for empty in _paddings(b"", r))

    def _changes(self, query: Sealed) -> Iterator[Change]:
        ad, text, r = query.ad, query.ciphertext, self.subject.rate
        into_ad, into_data, shorter, shorter_ad, longer, longer_ad = KINDS
        for n in (*range(r, len(text) + 1, r), 1, len(text)):
            if 0 < n <= len(text):
                yield into_ad, ad + text[:n], text[n:]
                yield into_ad, _filled(ad, r) + text[:n], text[n:]
        for n in (*range(r, len(ad) + 1, r), 1, len(ad)):
            if 0 < n <= len(ad):
                yield into_data, ad[:-n], ad[-n:] + text
                yield into_data, ad[:-n], _filled(ad[-n:], r) + text
        for end in _cuts(text, r):
            yield shorter, ad, text[:end]
        for end in _cuts(ad, r):
            yield shorter_ad, ad[:end], text
        for tail in _tails(ad, r):
            yield longer_ad, ad + tail, text
        for tail in (*_tails(text, r), text[-r:], text[:r]):
            if tail:
                yield longer, ad, text + tail
        if len(query.data) == len(text):
            yield from self._by_keystream(query)

    def _by_keystream(self, query: Sealed) -> Iterator[Change]:
        """The same blocks over the boundary, enciphered anew with the stream that is known."""
        ad, data, r = query.ad, query.data, self.subject.rate
        stream = xor(data, query.ciphertext)
        for n in range(r, len(data) + 1, r):
            rest = data[n:]
            for front in {ad, _filled(ad, r)}:
                yield KINDS[0], front + data[:n], xor(rest, stream[: len(rest)])
        for n in range(r, len(ad) + 1, r):
            moved = (ad[-n:] + data)[: len(stream)]
            if len(moved) == len(ad[-n:] + data):
                yield KINDS[1], ad[:-n], xor(moved, stream)


def _filled(data: bytes, rate: int) -> bytes:
    """With zeros, to whole blocks."""
    return data + bytes(-len(data) % rate)


def _paddings(data: bytes, rate: int) -> list[bytes]:
    """A part of a block, padded in each of the usual ways."""
    left = rate - len(data)
    return [
        data + bytes(left),
        data + b"\x80" + bytes(left - 1),
        data + b"\x01" + bytes(left - 1),
        data + bytes([left]) * left,
    ]


def _tails(data: bytes, rate: int) -> list[bytes]:
    """What padding would have appended, a block of it, and a byte."""
    left = rate - len(data) % rate
    tails = [padded[len(data) % rate :] for padded in _paddings(bytes(len(data) % rate), rate)]
    return [*tails, bytes(rate), b"\0", b"\x80", bytes(left) + bytes(rate)]


def _cuts(data: bytes, rate: int) -> list[int]:
    """Where to cut: at blocks, one byte short, and where something like padding begins."""
    ends = {*range(0, len(data), rate), len(data) - 1, len(data.rstrip(b"\0"))}
    bare = data.rstrip(b"\0")
    ends |= {len(bare) - 1} if bare[-1:] in (b"\x80", b"\x01") else set()
    ends |= {len(data) - data[-1]} if data and data[-1] <= min(rate, len(data)) else set()
    return sorted(end for end in ends if 0 <= end < len(data))
