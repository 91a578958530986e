"""[AETHER], what its prose claims and no table holds: sizes, security, limits of use, quoted numbers."""

from __future__ import annotations

from collections.abc import Iterator
from math import log2

from .. import spec
from ..analysis.audit import audit
from ..reference import get_stream
from ..rows import SearchRow, Store
from .run import Ours, clock

_PAPER = "aether"
# Row of the prose -> why no number of ours stands for it.
_STATED = {
    "key recovery security": "a claim of the designers; our audit and bounds attack the tag and the keystream,"
    " and say nothing of the key",
    "distinguishing security": "a claim of the designers; our bounds on the bias are below it, and no bound of"
    " ours is on every distinguisher",
    "message limit": "a limit of use that the designers set",
    "associated data limit": "a limit of use that the designers set",
    "structures best in diffusion": "the paper does not say by which measure; Figure 1 counts those that give"
    " Table 7",
    "clock": "a setting of the estimate; our powers are of the same 10 MHz",
    "electricity of data centres, 2022": "quoted from the International Energy Agency",
    "electricity of data centres, 2026": "quoted from the International Energy Agency",
}


def claims() -> Iterator[Ours]:
    """Sizes and rounds of the description, the forgery of the audit, and what only the authors can say."""
    cipher, facts, described = get_stream(_PAPER), spec.cipher(_PAPER), "from the description"
    for row, value in (
        ("finalisation rounds", facts.final_rounds),
        ("key", 8 * cipher.key_bytes),
        ("nonce", 8 * cipher.nonce_bytes),
        ("tag", 8 * facts.tag_bytes),
        ("message of a round", 8 * cipher.rate_bytes),
        ("messages limit", 8 * cipher.nonce_bytes),
    ):
        why = "no nonce twice: as many messages as nonces" if row == "messages limit" else described
        yield Ours(row, "value", value, "proven", why)
    yield forgery()
    yield _structures()
    table = spec.paper(_PAPER)
    two = table.table("5").value("F_AES", "DCP max, two")
    why = "what Table 5 prints for two AES rounds; our trail of them has the same weight"
    yield Ours("differential probability wanted of two F", "value", two, "proven", why, follows=two)
    one = table.table("text").value("differential probability of one F", "value")
    assert isinstance(one, int)
    wanted = -8 * cipher.key_bytes // one
    why = f"a key of {8 * cipher.key_bytes} bits over the printed 2^{one} of one F"
    yield Ours("active F wanted against key recovery", "value", wanted, "proven", why, follows=wanted)
    for row, why in _STATED.items():
        yield Ours(row, "value", None, None, why, status="not-comparable")


def forgery() -> Ours:
    """The cheapest forgery that the audit runs; the security is the logarithm of its attempts."""
    with clock() as seconds:
        forged = [f for f in audit(get_stream(_PAPER)) if f.verdict == "forgery" and f.proof]
    if not forged:
        return Ours(
            "forgery security", "value", None, "heuristic", "the audit found no forgery", status="open"
        )
    best = min(forged, key=lambda f: f.proof["attempts"] if f.proof else 0)
    assert best.proof is not None
    why = f"{best.title}: {best.detail} The bound on internal collisions does not meet this"
    bits = int(log2(best.proof["attempts"]))
    return Ours("forgery security", "value", bits, "proven", why, seconds())


def _structures() -> Ours:
    """Table 6 prints the same; ours is the newest complete search that is stored."""
    printed = spec.paper(_PAPER).table("6").value("(9,3)", "found")
    counts = [
        row.found
        for row in Store().read(SearchRow)
        if (row.words, row.inputs, row.active, row.complete) == (9, 3, 8, True)
    ]
    why = "Table 6 prints it as well; ours by `roundworks reproduce aether --table 6`"
    value = counts[-1] if counts else None
    return Ours("structures of 9 words and 3 inputs", "value", value, "proven", why, follows=printed)
