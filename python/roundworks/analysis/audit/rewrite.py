"""Other inputs that are absorbed as the same blocks, and the attack that hands them in.

Boundary, truncation and extension are three readings of one problem: which (A', M') is absorbed
like (A, M)? Candidates come from the transcript; whether one is a forgery is decided by the game.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Protocol

from .findings import Finding
from .game import Forgery, Oracle, Sealed
from .subject import AuditSubject
from .transcript import Transcript, xor

KINDS = (
    "message into associated data",
    "associated data into message",
    "shorter message",
    "shorter associated data",
    "longer message",
    "longer associated data",
)
_PER_QUERY_AND_KIND = 2


@dataclass(frozen=True, slots=True)
class Rewrite:
    """Other inputs for one query; ``unknown`` counts keystream bytes the attacker lacks."""

    kind: str
    ad: bytes
    data: bytes
    first_block: int  # where the new message starts, counted in the query's message blocks
    unknown: int


@dataclass
class Rewrites:
    """All rewrites of a set of queries, attacked once and shared by the checks."""

    subject: AuditSubject
    tried: dict[str, int] = field(default_factory=lambda: dict.fromkeys(KINDS, 0))
    skipped_guesses: int = 0

    @cached_property
    def transcript(self) -> Transcript:
        """What the description absorbs for any input."""
        return Transcript(self.subject)

    @cached_property
    def forgeries(self) -> dict[str, tuple[Forgery, bytes]]:
        """The first forgery of each kind, with the key it was made against."""
        results: dict[str, tuple[Forgery, bytes]] = {}
        if not self.transcript.readable:
            return results
        rng = self.subject.rng("rewrite")
        oracle = self.subject.oracle(rng)
        for ad, data in self.queries():
            rewrites = [r for r in self._of(ad, data) if r.kind not in results]
            if not rewrites:
                continue
            query = oracle.encrypt(ad, data)
            for rewrite in rewrites:
                if rewrite.kind in results:
                    continue
                if rewrite.unknown and not self.subject.bulk.can_guess:
                    self.skipped_guesses += 1
                    continue
                oracle.attempts = 0
                self.tried[rewrite.kind] += 1
                forgery = self._attack(oracle, query, rewrite)
                if forgery is not None:
                    results[rewrite.kind] = forgery, oracle.key
        return results

    @property
    def readable(self) -> bool:
        """Whether other inputs with the same blocks can be listed."""
        return self.transcript.readable

    def queries(self) -> Iterator[tuple[bytes, bytes]]:
        """Inputs on which an ambiguity would show: full blocks that end like padded ones."""
        rng, rate, log = self.subject.rng("queries"), self.subject.rate, self.transcript
        rnd = rng.randbytes
        yield rnd(rate), rnd(2 * rate)
        yield b"", rnd(2 * rate)
        for n in sorted({1, rate // 2, rate - 1} - {0, rate}):
            yield rnd(n), rnd(rate + n)
            yield log.of_ad(rnd(n)), rnd(n)
            yield rnd(rate), log.of_data(rnd(n))
            yield rnd(rate), rnd(n)
            yield b"", rnd(n)
            yield rnd(n), b""
            if log.shift is not None:
                yield rnd(rate), log.shifted(log.of_ad(rnd(n))) + rnd(n)
        if log.shift is not None:
            yield log.shifted(log.of_data(rnd(1))), b""
        yield rnd(rate + 1), b""

    def _of(self, ad: bytes, data: bytes) -> Iterator[Rewrite]:
        log, rate = self.transcript, self.subject.rate
        of_ad, of_data = log.of_ad(ad), log.of_data(data)
        split = len(of_ad) // rate
        if log.shift is None:
            ends = [(split, of_ad, of_data)]
        else:
            stream = log.shifted(of_ad) + of_data
            ends = [
                (i, log.shifted(stream[: i * rate]), stream[i * rate :])
                for i in range(len(stream) // rate + 1)
            ]
        for i, ad_blocks, data_blocks in ends:
            count = dict.fromkeys(KINDS, 0)
            for other_ad in log.ads_of(ad_blocks):
                for other in log.datas_of(data_blocks):
                    kind = _kind(i - split, ad, data, other_ad, other)
                    lacks = sum(not 0 <= at < len(data) for at in _places(i - split, other, rate))
                    if kind and lacks <= 1 and count[kind] < _PER_QUERY_AND_KIND:
                        count[kind] += 1
                        yield Rewrite(kind, other_ad, other, i - split, lacks)

    def _attack(self, oracle: Oracle, query: Sealed, rewrite: Rewrite) -> Forgery | None:
        """Ciphertext from the keystream the query showed; one missing byte is guessed."""
        stream = xor(query.data, query.ciphertext)
        places = _places(rewrite.first_block, rewrite.data, self.subject.rate)
        known = [stream[at] if 0 <= at < len(stream) else None for at in places]
        guesses = [
            bytes(m ^ (guess if z is None else z) for m, z in zip(rewrite.data, known, strict=True))
            for guess in range(256 if rewrite.unknown else 1)
        ]
        if len(guesses) == 1:
            return oracle.win(query, query.nonce, rewrite.ad, guesses[0], query.tag)
        return oracle.win_any(query, rewrite.ad, guesses)


def _places(first_block: int, data: bytes, rate: int) -> range:
    """Where the keystream of ``data`` stood in the query's message."""
    return range(first_block * rate, first_block * rate + len(data))


def _kind(moved: int, ad: bytes, data: bytes, other_ad: bytes, other: bytes) -> str | None:
    if moved:
        return KINDS[0] if moved > 0 else KINDS[1]
    if (ad == other_ad) == (data == other):
        return None
    if ad == other_ad:
        return KINDS[2] if len(other) < len(data) else KINDS[4]
    return KINDS[3] if len(other_ad) < len(ad) else KINDS[5]


class Attempts(Protocol):
    """What a report needs of a set of rewrites that were handed in."""

    tried: dict[str, int]
    skipped_guesses: int

    @property
    def forgeries(self) -> dict[str, tuple[Forgery, bytes]]:
        """Kind -> the forgery and the key it was made against."""

    @property
    def readable(self) -> bool:
        """Whether other inputs with the same blocks can be listed."""

    def queries(self) -> Iterator[tuple[bytes, bytes]]:
        """(associated data, message) of each query."""


def report(check: str, rewrites: Attempts, texts: dict[str, tuple[str, str]]) -> list[Finding]:
    """One finding per kind that was forged, or one that says what was tried in vain."""
    results = [
        Finding.forged(check, title, f"{detail} {_effort(forgery)}", forgery.proof(key))
        for kind, (title, detail) in texts.items()
        if kind in rewrites.forgeries
        for forgery, key in [rewrites.forgeries[kind]]
    ]
    if results:
        return results
    if not rewrites.readable:
        return [
            Finding.note(
                check,
                f"{check}: not tried, the absorbed blocks do not begin with the input",
                "The blocks seen by absorb and update are not the input followed by padding, so"
                " other inputs with the same blocks could not be listed; look at them by hand.",
            )
        ]
    tried = ", ".join(f"{rewrites.tried[kind]} with {kind}" for kind in texts)
    if not any(rewrites.tried[kind] for kind in texts):
        return [
            Finding.passed(
                check,
                "no two inputs are absorbed alike",
                f"None of {len(list(rewrites.queries()))} inputs built to be ambiguous has another"
                " one of this kind that is absorbed as the same blocks.",
            )
        ]
    skipped = rewrites.skipped_guesses
    more = f" {skipped} that need 256 guesses were left out as too slow." if skipped else ""
    return [
        Finding.passed(
            check,
            "no forgery",
            f"Other inputs that are absorbed as the same blocks, each handed to the decryption"
            f" oracle: {tried}; all were refused.{more}",
        )
    ]


def _effort(forgery: Forgery) -> str:
    tries = "one attempt" if forgery.attempts == 1 else f"{forgery.attempts} attempts"
    return f"Accepted after one query and {tries}; the key in the proof was not used by the attack."
