"""Every case of every source is in spec/, or counted there as not taken, with the reason."""

from __future__ import annotations

from collections import Counter

import pytest

from roundworks import spec

# (cipher, source) -> cases that are valid, cases that must be refused, cases not taken. The sources
# hold: Wycheproof 475, 479, 472 (AEGIS), 192, 252 (Ascon), 316 (AES-GCM), 414 (AES-GMAC); NIST's
# subset 625; the known answers of Ascon 1089; the CFRG's AEGIS 9 of each or 2, in both tag sizes.
AEAD = {
    ("aegis-128", "wycheproof"): (367, 108, 0),
    ("aegis-128l", "wycheproof"): (367, 112, 0),
    ("aegis-256", "wycheproof"): (360, 112, 0),
    ("aegis-128l", "ietf"): (10, 8, 0),
    ("aegis-128x2", "ietf"): (4, 0, 0),
    ("aegis-128x4", "ietf"): (4, 0, 0),
    ("aegis-256", "ietf"): (10, 8, 0),
    ("aegis-256x2", "ietf"): (4, 0, 0),
    ("aegis-256x4", "ietf"): (4, 0, 0),
    ("rocca-s", "draft"): (7, 0, 0),
    ("rocca-s", "zig"): (2, 0, 0),
    ("rocca-s", "edge"): (7, 0, 0),
    ("rocca", "tosc2021"): (12, 0, 0),
    ("minalpher", "kat"): (59, 0, 0),
    ("minalpher", "invalid"): (0, 10, 0),
    ("areion-256-opp", "kat"): (2, 0, 0),
    ("areion-256-opp", "edge"): (60, 13, 0),
    ("areion-512-opp", "kat"): (2, 0, 0),
    ("areion-512-opp", "edge"): (60, 13, 0),
    ("aes-128-gcm", "wycheproof"): (40, 27, 316 - 67),
    ("aes-256-gcm", "wycheproof"): (39, 27, 316 - 66),
    ("aes-128-gcm", "wycheproof-gmac"): (15, 54, 414 - 69),
    ("aes-256-gcm", "wycheproof-gmac"): (15, 54, 414 - 69),
    ("aes-128-gcm", "nist"): (75, 25, 625 - 100),
    ("aes-256-gcm", "nist"): (75, 25, 625 - 100),
    ("ascon-128a", "wycheproof"): (84, 108, 0),
    ("ascon-aead128", "wycheproof"): (128, 124, 0),
    ("ascon-aead128", "kat"): (1089, 0, 0),
    ("aether", "kat"): (3, 0, 0),
    ("aether", "edge"): (125, 13, 0),
    ("aether-lb", "kat"): (3, 0, 0),
    ("aether-lb", "edge"): (123, 15, 0),
}
# (cipher, function) -> cases.
FUNCTIONS = {
    ("aether", "F"): 4,
    **{(f"aegis-{n}", "AEGISMAC"): 2 for n in ("128l", "128x2", "128x4", "256", "256x2", "256x4")},
    **{(f"aegis-{n}x{lanes}", "ctx"): lanes for n in (128, 256) for lanes in (2, 4)},
    **{(f"aegis-{n}x{lanes}", "Init"): 1 for n in (128, 256) for lanes in (2, 4)},
    **{(f"aegis-{n}", "Update"): 1 for n in ("128l", "256")},
    ("aegis-128l", "AESRound"): 1,
    ("aes-128-gcm", "AES"): 2,
    ("aes-256-gcm", "AES"): 1,
    ("minalpher", "MAC"): 18,
    ("minalpher", "P"): 5,
    ("minalpher", "first rounds of P"): 17,
    ("minalpher", "RC"): 17,
    ("minalpher", "L"): 3,
    ("minalpher", "y^k times"): 24,
    ("minalpher", "y + 1 times"): 4,
    ("minalpher", "AEAD of generated data"): 4,
}


def test_every_source_is_whole() -> None:
    results = {
        (facts.name, file.file.split(".")[1]): (
            sum(v.valid for v in file.vectors),
            sum(not v.valid for v in file.vectors),
            sum(file.not_taken.values()),
        )
        for facts in spec.ciphers()
        for file in spec.vector_files(facts.name)
    }
    assert results == AEAD


def test_every_inner_function_is_whole() -> None:
    result = Counter(
        (facts.name, v.function) for facts in spec.ciphers() for v in spec.function_vectors(facts.name)
    )
    assert result == FUNCTIONS


@pytest.mark.parametrize(
    ("what", "reasons"),
    [
        ("wycheproof", {"192-bit key": 103, "nonce of another size than 12 bytes": (41, 39)}),
        ("wycheproof-gmac", {"192-bit key": 138, "nonce of another size than 12 bytes": (69, 69)}),
        (
            "nist",
            {
                "192-bit key": 175,
                "nonce of another size than 12 bytes": (100, 100),
                "tag of another size than 16 bytes": (25, 25),
            },
        ),
    ],
)
def test_what_was_not_taken_of_gcm_says_why(what: str, reasons: dict[str, int | tuple[int, int]]) -> None:
    """Both key sizes come from one file, so what one leaves the other takes or leaves too."""
    files = {
        bits: next(f for f in spec.vector_files(f"aes-{bits}-gcm") if f.file.split(".")[1] == what)
        for bits in (128, 256)
    }
    for at, (bits, other) in enumerate(((128, 256), (256, 128))):
        left = dict(files[bits].not_taken)
        whole = len(files[other].vectors) + sum(
            n for reason, n in files[other].not_taken.items() if reason.startswith(("nonce", "tag"))
        )
        assert left.pop(f"{other}-bit key, see aes-{other}-gcm") == whole
        assert left == {k: v[at] if isinstance(v, tuple) else v for k, v in reasons.items()}
