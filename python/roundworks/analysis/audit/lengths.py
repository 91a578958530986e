"""Whether the finalisation depends on the lengths of associated data and message."""

from __future__ import annotations

from itertools import combinations

from ...errors import DescriptionError
from ...reference.batch import U8
from .bulk import row
from .findings import Finding
from .subject import AuditSubject

# Small lengths, lengths with equal sums, and lengths that differ only in their high bits.
_SIZES = (1, 2, 1 << 8, 1 << 16, 1 << 32)  # bytes
_STATES = 2


def check(subject: AuditSubject) -> list[Finding]:
    """Pairs of lengths that give one tag."""
    rng = subject.rng("lengths")
    in_bytes = [(0, 0), (1, 1), (2, 1), (1, 2), *((n, 0) for n in _SIZES), *((0, n) for n in _SIZES)]
    pairs = [(8 * ad, 8 * data) for ad, data in in_bytes]
    key = rng.randbytes(subject.cipher.key_bytes)
    states = subject.random_rows(rng, _STATES, subject.state_bytes)
    tags: dict[tuple[int, int], bytes] = {}
    refused = 0
    for pair in pairs:
        try:
            tags[pair] = _tags(subject, states, key, *pair)
        except (DescriptionError, OverflowError, ValueError):
            refused += 1  # a description may refuse lengths it cannot encode
    same = [(p, q) for p, q in combinations(tags, 2) if tags[p] == tags[q]]
    if not same:
        return [
            Finding.passed(
                "lengths",
                "the tag depends on both lengths",
                f"{_STATES} random states finalised under {len(tags)} pairs of lengths up to 2^32"
                f" bytes gave {len(tags)} different tags each; {refused} pairs were refused by the"
                " description.",
            )
        ]
    what = _what(same)
    p, q = same[0]
    return [
        Finding.note(
            "lengths",
            f"the tag does not depend on {what}",
            "The same state gives the same tag under different lengths. Where padding or the"
            " boundary between the inputs is ambiguous, that is a forgery: see boundary, truncation"
            " and extension. Let the finalisation absorb both lengths.",
            {
                "state": states[0].tobytes().hex(),
                "key": key.hex(),
                "lengths_bits": list(p),
                "other_lengths_bits": list(q),
                "tag": tags[p][: subject.cipher.tag_bytes].hex(),
            },
        )
    ]


def _what(same: list[tuple[tuple[int, int], tuple[int, int]]]) -> str:
    ad = ((0, 0), (8, 0)) in same
    data = ((0, 0), (0, 8)) in same
    if ad and data:
        return "the lengths of associated data and message"
    if ad:
        return "the length of the associated data"
    if data:
        return "the length of the message"
    if ((8, 0), (0, 8)) in same:
        return "how the sum of the two lengths is divided"
    return "the lengths in full: some different lengths do the same"


def _tags(subject: AuditSubject, states: U8, key: bytes, ad_bits: int, msg_bits: int) -> bytes:
    """The tags of all states, one after the other."""
    cipher = subject.cipher

    def step(S: list[object], K: list[object]) -> list[object]:
        return list(cipher.tag(cipher.finalise(S, K, ad_bits, msg_bits)))

    return subject.bulk.run(step, states, row(key))[:, : cipher.tag_bytes].tobytes()
