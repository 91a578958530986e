"""The audit of modes of blocks: sound ones are not accused, and broken ones are forged."""

from __future__ import annotations

import itertools
import json
from functools import reduce
from operator import xor
from typing import Any

import pytest

from audited import ALL_REWRITES, forged, of
from calls import cases
from roundworks import reference
from roundworks.analysis.audit import CHECKS, Finding, audit
from roundworks.reference import minalpher
from roundworks.reference.areion_opp import Areion256Opp
from roundworks.reference.gcm import Aes128Gcm, _blocks, _bytes, times
from roundworks.reference.minalpher import Minalpher


class Short(Minalpher[Any]):
    """Four rounds: what a mode does right or wrong has nothing to do with their number."""

    rounds = 4


SOUND = ("minalpher", "areion-256-opp", "aes-128-gcm")
FORGED_ENDS = {check: ALL_REWRITES[check][1:] for check in ("truncation", "extension")}


def sound(name: str) -> Any:
    return Short() if name == "minalpher" else reference.get(name)


class FindingsOf(dict[str, list[Finding]]):
    """Each cipher audited once, when a test needs it."""

    def __missing__(self, name: str) -> list[Finding]:
        return self.setdefault(name, audit(sound(name)))


@pytest.fixture(scope="module")
def findings() -> dict[str, list[Finding]]:
    return FindingsOf()


@pytest.mark.parametrize("name", cases(SOUND, short=["aes-128-gcm"]))
def test_a_sound_mode_is_not_forged(name: str, findings: dict[str, list[Finding]]) -> None:
    is_not_forged(sound(name), findings[name])


@pytest.mark.long
def test_minalpher_with_all_its_rounds_is_not_forged() -> None:
    cipher = reference.get("minalpher")
    result = audit(cipher)
    is_not_forged(cipher, result)
    assert [f.title for f in result] == [f.title for f in audit(Short())]


def is_not_forged(cipher: Any, result: list[Finding]) -> None:
    assert forged(cipher, result) == {}
    assert {f.check for f in result} == set(CHECKS)
    json.dumps([f.proof for f in result])
    for check in ("boundary", "truncation", "extension"):
        (finding,) = of(result, check, "pass")
        tried = [int(word) for word in finding.detail.split() if word.isdigit()]
        assert len(tried) == 2 and min(tried) > 100, finding.detail
    for check in ("key-and-nonce", "integrity"):
        assert of(result, check, "pass")
    for check in ("lengths", "tag-coverage", "first-block"):
        assert [f.verdict for f in result if f.check == check] == ["note"]


@pytest.mark.long
def test_a_repeated_nonce(findings: dict[str, list[Finding]]) -> None:
    """GCM gives its keystream away, the others only that blocks at equal places are equal."""
    (leak,) = of(findings["aes-128-gcm"], "nonce-reuse", "leak")
    assert leak.title.endswith("the keystream of the whole message") and leak.proof
    assert leak.proof["recovered_block"] == leak.proof["second"]["data"][2 * 32 : 3 * 32]
    assert "the key of GHASH" in leak.title
    key, nonce, ad = (bytes.fromhex(leak.proof[name]) for name in ("key", "nonce", "ad"))
    gcm = reference.get("aes-128-gcm")
    forged = {name: bytes.fromhex(text) for name, text in leak.proof["forgery under the nonce"].items()}
    assert int.from_bytes(forged["hash_key"], "big") == gcm.tag_and_stream(key, nonce, 0)[0]
    assert forged["accepted_as"] not in (bytes.fromhex(leak.proof[n]["data"]) for n in ("first", "second"))
    opened = gcm.open(key, nonce, forged["forged_ciphertext"], forged["forged_tag"], ad)
    assert opened == forged["accepted_as"]
    for name in ("minalpher", "areion-256-opp"):
        (leak,) = of(findings[name], "nonce-reuse", "leak")
        assert leak.title.endswith("which blocks are equal at equal places") and leak.proof
        assert leak.proof["equal_blocks"] == [0, 1, 3, 4, 5]


@pytest.mark.long
def test_the_symmetry_of_minalpher_is_found(findings: dict[str, list[Finding]]) -> None:
    """Rows r + 2 and columns c ^ 2 of both matrices, and no other."""
    (note,) = of(findings["minalpher"], "symmetry", "note")
    assert "every round commutes with a permutation of its 64 nibbles" in note.title
    assert note.proof is not None
    assert note.proof["cell_moves_to"] == [
        32 * matrix + 8 * (r ^ 2) + (c ^ 2) for matrix in (0, 1) for r in range(4) for c in range(8)
    ]


@pytest.mark.parametrize(
    ("name", "notes"),
    [
        ("aegis-128x2", {"tag-coverage", "symmetry", "fixed-words"}),
        pytest.param("ascon-128a", {"lengths", "tag-coverage"}, marks=pytest.mark.long),
    ],
)
def test_lanes_and_sponges_are_not_forged(name: str, notes: set[str]) -> None:
    """Lanes may change places in the round, as the contexts of init are what makes them differ;
    Ascon binds no lengths, and its padding does without."""
    result = audit(reference.get(name))
    assert forged(reference.get(name), result) == {}
    assert {f.check for f in result if f.verdict == "note"} == notes
    assert [f.check for f in result if f.verdict == "leak"] == ["nonce-reuse"]


class NoLengths(Aes128Gcm[Any]):
    """GHASH without the block of lengths."""

    def tag_of(self, H: int, mask: int, associated_data: bytes, ciphertext: bytes) -> bytes:
        blocks = (*_blocks(associated_data), *_blocks(ciphertext))
        return _bytes(reduce(lambda total, block: times(total ^ block, H), blocks, 0) ^ mask)


class ZerosPad(Areion256Opp[Any]):
    """An incomplete block of associated data is filled with zeros alone."""

    def absorbed(self, La: int, associated_data: bytes) -> int:
        masks, _ = self.masks(La, len(associated_data))
        blocks = self.blocks(associated_data + bytes(-len(associated_data) % 32))
        return reduce(xor, self.masked(masks, blocks), 0)


class HalfTag(Aes128Gcm[Any]):
    """Only half of the tag is compared."""

    def open(self, key: bytes, nonce: bytes, ciphertext: bytes, tag: bytes, ad: bytes) -> Any:
        H, mask, stream = self.tag_and_stream(key, nonce, -(-len(ciphertext) // 16))
        right = self.tag_of(H, mask, ad, ciphertext)[:8] == tag[:8]
        return bytes(map(xor, ciphertext, stream)) if right else None


class OneEnding(Short):
    """A padded last block of associated data gets the tweak of a full one."""

    def hash(self, L: int, data: bytes) -> int:
        full = bool(data) and len(data) % 32 == 0
        return super().hash(L, data if full else minalpher._padded(data))


class AdIgnored(Short):
    def tag_of(self, key: bytes, L: int, ciphertext: bytes, associated_data: bytes) -> bytes:
        return super().tag_of(key, L, ciphertext, b"")


class LastBlockOnly(Short):
    """The tag takes in the last block of ciphertext and how many there are, and no other."""

    def tag_of(self, key: bytes, L: int, ciphertext: bytes, associated_data: bytes) -> bytes:
        zeros = bytes(len(ciphertext) - 32) + ciphertext[-32:]
        return super().tag_of(key, L, zeros, associated_data)


class NonceIgnored(Short):
    def mask(self, key: bytes, flag: int, nonce: bytes = bytes(13)) -> int:
        return super().mask(key, flag)


BROKEN: dict[type[Any], dict[str, list[str]]] = {
    NoLengths: {
        "boundary": ALL_REWRITES["boundary"],
        # A message is cut where its ciphertext happens to end in zeros, which is not chosen.
        "truncation": ALL_REWRITES["truncation"][1:],
        "extension": ALL_REWRITES["extension"],
    },
    HalfTag: {"integrity": ["a change of the tag is accepted"]},
    OneEnding: FORGED_ENDS,
    ZerosPad: FORGED_ENDS,
    LastBlockOnly: {"integrity": ["a change of ciphertext is accepted"]},
    NonceIgnored: {"key-and-nonce": ["104 of 104 nonce bits are not authenticated"]},
}


@pytest.mark.parametrize("kind", cases(BROKEN, short=[HalfTag]))
def test_a_broken_mode_is_forged(kind: type[Any]) -> None:
    cipher = kind()
    assert forged(cipher, audit(cipher)) == BROKEN[kind]


def test_ignored_associated_data_is_forged_everywhere() -> None:
    cipher = AdIgnored()
    result = forged(cipher, audit(cipher))
    assert result["integrity"] == ["a change of associated data is accepted"]
    assert result["truncation"] and result["extension"]


@pytest.mark.long
def test_equal_seeds_give_equal_findings() -> None:
    cipher = reference.get("aes-128-gcm")
    for one, two in itertools.pairwise([audit(cipher, seed=3), audit(cipher, seed=3)]):
        assert one == two
