"""What the first block of keystream gives away, of ciphers that give away a known number of bits."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from roundworks.analysis.audit import first_block
from roundworks.analysis.audit.findings import Finding
from roundworks.analysis.audit.subject import AuditSubject
from roundworks.reference import StreamAead, get
from roundworks.reference.aes import aes_round


class Started(StreamAead[Any]):
    """Three AES words; ``begin`` rounds of initialisation."""

    name = "started"
    key_bytes, nonce_bytes, tag_bytes = 16, 16, 16
    words, rate_words = 3, 1
    begin = 12

    def load(self, K: Sequence[Any], N: Sequence[Any]) -> list[Any]:
        return [K[0], N[0], K[0] ^ N[0]]

    def update(self, S: Sequence[Any], X: Sequence[Any]) -> list[Any]:
        return [aes_round(S[2], S[0]), aes_round(S[0], S[1]), aes_round(S[1], S[2] ^ X[0])]

    def init(self, S: Sequence[Any], K: Sequence[Any], N: Sequence[Any]) -> Sequence[Any]:
        for _ in range(self.begin):
            S = self.update(S, [K[0]])
        return S

    def keystream(self, S: Sequence[Any]) -> list[Any]:
        return [S[0] ^ S[1]]

    def finalise(self, S: Sequence[Any], K: Sequence[Any], ad_bits: int, msg_bits: int) -> Sequence[Any]:
        for _ in range(10):
            S = self.update(S, [K[0]])
        return S

    def tag(self, S: Sequence[Any]) -> list[Any]:
        return [S[0] ^ S[1] ^ S[2]]


class Bare(Started):
    """The first block is K ^ N."""

    name, begin = "bare", 0


class Half(Started):
    """One half of the keystream is a sum with the key, which an AES round hides in the other half."""

    name = "half"

    def init(self, S: Sequence[Any], K: Sequence[Any], N: Sequence[Any]) -> Sequence[Any]:
        S = super().init(S, K, N)
        low = (1 << 64) - 1
        return [K[0] & low ^ S[0] & low << 64, S[1] & low << 64, S[2]]


class Known(Started):
    """The last byte of the keystream is one of the nonce."""

    name = "known"

    def init(self, S: Sequence[Any], K: Sequence[Any], N: Sequence[Any]) -> Sequence[Any]:
        S = super().init(S, K, N)
        high = (1 << 128) - 256
        return [S[0] & high, S[1] & high ^ N[0] & 255, S[2]]


class Gated(Started):
    """An AND of words is 1 in a quarter of the cases."""

    name = "gated"

    def keystream(self, S: Sequence[Any]) -> list[Any]:
        return [S[0] & S[1]]


def findings(cipher: Any) -> list[Finding]:
    return first_block.check(AuditSubject(cipher))


@pytest.mark.parametrize(
    ("cipher", "titles"),
    [
        (Bare, ["the first block of keystream gives 128 sums of key bits"]),
        (Half, ["the first block of keystream gives 64 sums of key bits"]),
        (
            Known,
            [
                "8 sums of bits of the first block of keystream do not depend on the key",
                "8 of 128 bits of the first block of keystream are not balanced",
            ],
        ),
        (Gated, ["128 of 128 bits of the first block of keystream are not balanced"]),
    ],
)
def test_what_shows_is_counted(cipher: type[Started], titles: list[str]) -> None:
    results = findings(cipher())
    assert [f.title for f in results] == titles
    assert {f.verdict for f in results} == {"leak"}


@pytest.mark.parametrize("cipher", [Bare, Half, Known])
def test_a_proof_can_be_checked_with_the_description_alone(cipher: type[Started]) -> None:
    proof = findings(cipher())[0].proof
    assert proof is not None
    of_stream, of_key = (int(proof[f"mask_of_{what}"], 16) for what in ("keystream", "key"))
    known = int(proof["key"], 16)
    for other in (known, 0, known ^ 0xFEDCBA98 << 70, (1 << 128) - 1):
        sealed = cipher().encrypt(other.to_bytes(16, "big"), bytes.fromhex(proof["nonce"]), bytes(16), b"")
        shown = (int.from_bytes(sealed[:16], "big") & of_stream).bit_count() & 1
        assert shown == proof["sum_under_key"] ^ ((other ^ known) & of_key).bit_count() & 1


@pytest.mark.parametrize("name", ["aegis-128l", "rocca-s", "ascon-aead128"])
def test_published_ciphers_show_nothing(name: str) -> None:
    (only,) = findings(get(name))
    assert only.verdict == "pass"


def test_rounds_of_initialisation_hide_the_key() -> None:
    assert [f.verdict for f in findings(Started())] == ["pass"]
