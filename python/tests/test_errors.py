"""What an error on a name says."""

from __future__ import annotations

import pytest

from roundworks.errors import similar, unknown
from roundworks.reference import analysed


@pytest.mark.parametrize(
    ("given", "meant"),
    [
        (
            "aegis",
            [
                "aegis-128",
                "aegis-128l",
                "aegis-128x2",
                "aegis-128x4",
                "aegis-256",
                "aegis-256x2",
                "aegis-256x4",
            ],
        ),
        ("AEGIS_128L", ["aegis-128l"]),  # a name of another spelling is meant alone
        ("aegis-128", ["aegis-128"]),
        ("areion", ["areion-256", "areion-256-opp", "areion-512", "areion-512-opp"]),
        ("gcm", ["aes-128-gcm", "aes-256-gcm"]),  # the family's name, which stands behind
        ("minalfer", ["minalpher"]),
        ("aethre", ["aether", "aether-lb", "aether-f-8"]),
        ("rocas", ["rocca-s", "rocca"]),
        ("zzz", []),
        ("-", []),
        ("", []),
    ],
)
def test_names_that_are_meant(given: str, meant: list[str]) -> None:
    assert similar(given, sorted(analysed())) == meant


MANY = [f"aegis-{n}" for n in range(12)]


@pytest.mark.parametrize(
    ("error", "text"),
    [
        (unknown("style", "x", ["b", "a"]), "style 'x': not known; one of b, a"),
        (unknown("style", "x", ["b", "a"], hint="or a file"), "style 'x': not known; one of b, a, or a file"),
        (unknown("style", "x", []), "style 'x': not known; one of none: there are none"),
        (
            unknown("style", "agis-11", MANY),
            "style 'agis-11': not known; did you mean aegis-11, aegis-1, aegis-10?",
        ),
        (unknown("style", "x", MANY, what="not here"), "style 'x': not here; one of " + ", ".join(MANY)),
        (unknown("cipher", "x", MANY), "cipher 'x': not known; `roundworks list ciphers` shows all 12"),
        (
            unknown("cipher", "aegis-1x", [*MANY, "aegis-1x2"]),
            "cipher 'aegis-1x': not known; did you mean aegis-1x2? (`roundworks list ciphers` shows all 13)",
        ),
        (
            unknown("cipher", "egis-11", MANY, hint="or a file"),
            "cipher 'egis-11': not known; did you mean aegis-11? (`roundworks list ciphers` shows all 12; or a file)",
        ),
    ],
)
def test_the_line(error: Exception, text: str) -> None:
    assert str(error) == text


def test_no_more_than_eight_are_suggested() -> None:
    assert len(similar("aegis", MANY)) == 8
