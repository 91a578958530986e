"""The audit finds what is wrong without a hint, and nothing where nothing is wrong.

Every forgery is checked again from the hex of its proof alone, by encrypting and decrypting.
"""

from __future__ import annotations

import functools
import itertools
import json
import random
from collections.abc import Sequence
from typing import Any

import pytest

from audited import ALL_REWRITES, confirm, forged, of
from broken_modes import (
    AdIgnored,
    Blind,
    BlindAtTheEnd,
    Filtered,
    Folded,
    HalfKey,
    HalfNonce,
    HalfTag,
    NoKey,
    NonceAfterKeystream,
    OnePadding,
    OnePaddingSeparated,
    OnlyAdLength,
    OnlyMessageLength,
    OrderIgnored,
    PartOfBlock,
    PrefixOfTag,
    Separated,
    SeparatedInBlock,
    ShortLengths,
    SumOfLengths,
    Unbound,
)
from calls import cases
from places import TOY
from roundworks import reference
from roundworks.analysis.audit import CHECKS, Finding, audit, broken
from roundworks.analysis.audit.automorphisms import automorphisms
from roundworks.analysis.audit.rewrite import Rewrites
from roundworks.analysis.audit.subject import AuditSubject
from roundworks.analysis.audit.transcript import Transcript
from roundworks.reference.aegis import C0, C1, Aegis128

# -- the ciphers that come with Roundworks ------------------------------------------------------


@pytest.fixture(scope="module")
def aether() -> list[Finding]:
    return audit(reference.get("aether"))


@pytest.fixture(scope="module")
def aegis() -> list[Finding]:
    return audit(reference.get("aegis-128"))


@pytest.fixture(scope="module")
def aether_lb() -> list[Finding]:
    return audit(reference.get("aether-lb"))


@pytest.fixture(scope="module")
def toy() -> list[Finding]:
    return audit(reference.load_file(TOY))


@pytest.fixture(scope="module")
def aegis_128l() -> list[Finding]:
    return audit(reference.get("aegis-128l"))


@pytest.fixture(scope="module")
def aegis_256() -> list[Finding]:
    return audit(reference.get("aegis-256"))


@pytest.fixture(scope="module")
def rocca_s() -> list[Finding]:
    return audit(reference.get("rocca-s"))


@pytest.mark.long
def test_aether_is_forged_at_the_boundary_and_by_its_padding(aether: list[Finding]) -> None:
    assert forged(reference.get("aether"), aether) == ALL_REWRITES
    (note,) = of(aether, "lengths", "note")
    assert note.title == "the tag does not depend on the lengths of associated data and message"


def test_toy_is_forged_likewise(toy: list[Finding]) -> None:
    assert forged(reference.load_file(TOY), toy) == ALL_REWRITES


SOUND = ["aether_lb", "aegis", "aegis_128l", "aegis_256", "rocca_s"]


@pytest.mark.parametrize("name", cases(SOUND, short=SOUND[1:]))
def test_sound_modes_are_not_forged(name: str, request: pytest.FixtureRequest) -> None:
    findings = request.getfixturevalue(name)
    assert not broken(findings)
    checks = {"boundary", "truncation", "extension", "lengths", "key-and-nonce", "integrity", "first-block"}
    if name == "aegis_128l":  # its 16-byte tag is the sum of S0 to S6
        (note,) = of(findings, "tag-coverage", "note")
        assert note.title == "reading the tag leaves out word S7"
    else:
        checks.add("tag-coverage")
    for check in sorted(checks):
        assert len(of(findings, check, "pass")) == 1, check
    assert of(findings, "nonce-reuse", "leak")
    assert of(findings, "symmetry", "note")
    assert of(findings, "fixed-words", "note")
    assert {f.check for f in findings} == set(CHECKS)


def test_padding_that_is_always_there_leaves_the_boundary_only() -> None:
    cipher = reference.get("aether-always-pad")
    rewrites = Rewrites(AuditSubject(cipher))
    assert set(rewrites.forgeries) == {"message into associated data"}
    forgery, key = rewrites.forgeries["message into associated data"]
    confirm(cipher, forgery.proof(key))


def test_attacks_on_aether_need_one_query_and_at_most_one_byte_of_luck(aether: list[Finding]) -> None:
    attempts = {f.title: f.proof["attempts"] for f in aether if f.verdict == "forgery" and f.proof}
    guessed = {"blocks of the associated data can be moved into the message", "a message can be extended"}
    assert all(n == 1 for title, n in attempts.items() if title not in guessed)
    assert all(1 <= attempts[title] <= 256 for title in guessed)


# -- modes broken on purpose, and the checks that must fire -------------------------------------

MESSAGE_ONLY = {"truncation": ALL_REWRITES["truncation"][:1], "extension": ALL_REWRITES["extension"][:1]}
AD_ONLY = {"truncation": ALL_REWRITES["truncation"][1:], "extension": ALL_REWRITES["extension"][1:]}


@functools.cache
def findings_of(mode: type[Aegis128[Any]]) -> list[Finding]:
    return audit(mode())


@pytest.mark.parametrize(
    ("mode", "want"),
    [
        (Unbound, ALL_REWRITES),
        (OnlyMessageLength, AD_ONLY),
        (OnlyAdLength, MESSAGE_ONLY),
        (SumOfLengths, {"boundary": ALL_REWRITES["boundary"]}),
        (Separated, {k: v for k, v in ALL_REWRITES.items() if k != "boundary"}),
        (SeparatedInBlock, ALL_REWRITES),
        (OnePadding, {"boundary": ALL_REWRITES["boundary"][:1]}),
        (OnePaddingSeparated, {}),
        (BlindAtTheEnd, {}),
        (
            Blind,
            {
                "tag-coverage": ["the tag never sees word S0 of the state before the finalisation"],
                "integrity": [
                    "a change of associated data is accepted",
                    "a change of ciphertext is accepted",
                ],
            },
        ),
        (
            AdIgnored,
            {
                "integrity": [
                    "128 of 128 bits of a block of associated data leave no trace in the state",
                    "a change of associated data is accepted",
                ]
            },
        ),
        (
            PartOfBlock,
            {
                "integrity": [
                    "32 of 128 bits of a block of message leave no trace in the state",
                    "a change of ciphertext is accepted",
                ]
            },
        ),
        (
            Folded,
            {
                "integrity": [
                    "128 of 256 bits of a block of associated data leave no trace in the state",
                    "128 of 256 bits of a block of message leave no trace in the state",
                ]
            },
        ),
        (HalfNonce, {"key-and-nonce": ["64 of 128 nonce bits are not authenticated"]}),
        (NonceAfterKeystream, {}),
        (HalfKey, {}),
        (NoKey, {"key-and-nonce": ["the tag does not depend on the key"]}),
        (Filtered, {}),
        (OrderIgnored, {"integrity": ["a change of associated data is accepted"]}),
        (PrefixOfTag, {"integrity": ["a change of the tag is accepted"]}),
        (HalfTag, {"integrity": ["a change of the tag is accepted"]}),
    ],
    ids=lambda value: value.__name__ if isinstance(value, type) else "",
)
def test_a_broken_mode_is_forged_by_the_right_checks_and_no_other(
    mode: type[Aegis128[Any]], want: dict[str, list[str]]
) -> None:
    assert forged(mode(), findings_of(mode)) == want


@pytest.mark.parametrize(
    ("mode", "check", "verdict", "title"),
    [
        (Unbound, "lengths", "note", "the lengths of associated data and message"),
        (OnlyMessageLength, "lengths", "note", "the length of the associated data"),
        (OnlyAdLength, "lengths", "note", "the length of the message"),
        (ShortLengths, "lengths", "note", "the lengths in full: some different lengths do the same"),
        (SumOfLengths, "lengths", "note", "how the sum of the two lengths is divided"),
        (OnePaddingSeparated, "lengths", "note", "the lengths of associated data and message"),
        (BlindAtTheEnd, "tag-coverage", "note", "reading the tag leaves out word S4"),
        (HalfNonce, "key-and-nonce", "leak", "64 of 128 nonce bits do not change the keystream"),
        (NonceAfterKeystream, "key-and-nonce", "leak", "128 of 128 nonce bits do not change the keystream"),
        (HalfKey, "key-and-nonce", "leak", "64 of 128 key bits do not change anything"),
    ],
)
def test_what_is_no_forgery_is_said(mode: type[Aegis128[Any]], check: str, verdict: str, title: str) -> None:
    assert any(title in f.title for f in of(findings_of(mode), check, verdict))


def test_a_block_that_is_not_absorbed_linearly_is_not_suspected() -> None:
    assert of(findings_of(Filtered), "integrity", "pass")


def test_nonces_that_give_one_keystream_read_each_other() -> None:
    (leak,) = of(findings_of(NonceAfterKeystream), "key-and-nonce", "leak")
    assert leak.proof is not None
    one, two = leak.proof["first"], leak.proof["second"]
    assert one["nonce"] != two["nonce"]
    stream = int(one["data"], 16) ^ int(one["ciphertext"], 16)
    assert int(two["ciphertext"], 16) ^ stream == int(two["data"], 16)


# -- the notes, checked again from their proofs -------------------------------------------------


@pytest.mark.parametrize(("name", "blocks"), [("aether", 1), ("aegis-128", 2)])
def test_a_repeated_nonce_reads_a_block(name: str, blocks: int, request: pytest.FixtureRequest) -> None:
    cipher = reference.get(name)
    findings = request.getfixturevalue({"aether": "aether", "aegis-128": "aegis"}[name])
    (leak,) = of(findings, "nonce-reuse", "leak")
    assert leak.proof is not None
    key, nonce = bytes.fromhex(leak.proof["key"]), bytes.fromhex(leak.proof["nonce"])
    one, two = ({k: bytes.fromhex(v) for k, v in leak.proof[which].items()} for which in ("first", "second"))
    for message in (one, two):
        sealed = cipher.encrypt(key, nonce, message["data"], message["ad"])
        assert sealed == message["ciphertext"] + message["tag"]
    at = leak.proof["first_differing_block"] * cipher.rate_bytes
    part = slice(at, at + cipher.rate_bytes)
    read = bytes(
        a ^ b ^ c
        for a, b, c in zip(one["data"][part], one["ciphertext"][part], two["ciphertext"][part], strict=True)
    )
    assert read == two["data"][part] == bytes.fromhex(leak.proof["recovered_block"])
    assert read != one["data"][part]
    shared = [i for i in leak.proof["blocks_sharing_keystream"] if i * cipher.rate_bytes >= at]
    assert len(shared) == blocks


def test_nibble_reversal_commutes_and_the_constants_break_it(aether: list[Finding]) -> None:
    unit, whole = of(aether, "symmetry", "note")
    assert unit.proof is not None
    assert whole.proof is not None
    assert unit.title == "F commutes with the reversal of all 32 nibbles"
    assert unit.proof["permuted_x"] == unit.proof["x"][::-1]
    assert unit.proof["image_of_permuted_x"] == unit.proof["image"][::-1]
    facts = reference.aether.FACTS.constants
    assert set(whole.proof["constants_against"]) == {f"{facts[z]:032x}" for z in ("Z0", "Z1", "Z2")}
    cipher = reference.get("aether")
    S, X = whole.proof["state"], whole.proof["block"]

    def mirrored(text: str) -> str:
        return "".join(text[i : i + 32][::-1] for i in range(0, len(text), 32))

    def step(S: str, X: str) -> str:
        after = cipher.update(cipher.split(bytes.fromhex(S)), cipher.split(bytes.fromhex(X)))
        return cipher.join(after).hex()

    assert step(S, X) == whole.proof["next_state"]
    assert step(mirrored(S), mirrored(X)) == mirrored(step(S, X))
    assert whole.proof["next_state_of_permuted"] == mirrored(step(S, X))


def test_column_rotations_commute_with_the_aes_round(aegis: list[Finding]) -> None:
    unit, whole, words = of(aegis, "symmetry", "note")
    assert unit.title == "AES commutes with the rotation by 4 of 16 bytes and 2 more"
    assert unit.proof is not None
    assert whole.proof is not None
    assert unit.proof["permuted_x"] == unit.proof["x"][-8:] + unit.proof["x"][:-8]
    assert unit.proof["image_of_permuted_x"] == unit.proof["image"][-8:] + unit.proof["image"][:-8]
    assert set(whole.proof["constants_against"]) == {f"{C0:032x}", f"{C1:032x}"}
    assert words.title == "the round commutes with 4 permutations of its words under a zero block"


def test_fixed_words_are_fixed(aether: list[Finding]) -> None:
    from roundworks.reference.aether import f

    notes = of(aether, "fixed-words", "note")
    assert notes[0].title == "the zero state stays zero under a zero block"
    fixed = next(n for n in notes if n.proof and "fixed" in n.proof)
    assert fixed.proof is not None
    assert fixed.proof["count"] == 6
    for word in fixed.proof["fixed"]:
        assert repr(f(reference.IntWord(int(word, 16), 128))) == word


def test_the_aes_round_has_a_cycle_of_two_equal_byte_words(aegis: list[Finding]) -> None:
    from roundworks.reference.aes import aes

    note = of(aegis, "fixed-words", "note")[0]
    assert note.proof is not None
    one, two = (reference.IntWord(int(w, 16), 128) for w in note.proof["cycle"])
    assert aes(one) == two != one
    assert aes(two) == one


def test_constants_without_a_say_make_weak_keys() -> None:
    class NoConstants(Aegis128[Any]):
        def load(self, K: Sequence[Any], N: Sequence[Any]) -> list[Any]:
            return [K[0] ^ N[0], 0, 0, K[0], K[0]]

    (leak,) = of(audit(NoConstants()), "symmetry", "leak")
    assert leak.proof is not None
    key, nonce, tag = (bytes.fromhex(leak.proof[k]) for k in ("key", "nonce", "tag"))
    assert NoConstants().encrypt(key, nonce, b"") == tag
    assert len({tag[i : i + 4] for i in range(0, 16, 4)}) < 4
    assert len({key[i : i + 4] for i in range(0, 16, 4)}) < 4


def test_a_word_that_never_changes_is_named() -> None:
    class Frozen(Aegis128[Any]):
        def update(self, S: list[Any], X: Sequence[Any]) -> list[Any]:
            return [*super().update(S, X)[:4], S[4]]

    titles = [f.title for f in of(audit(Frozen()), "fixed-words", "note")]
    assert "the round never changes S4" in titles


# -- the machinery ------------------------------------------------------------------------------


def test_equal_seeds_give_equal_findings_and_other_seeds_equal_verdicts(toy: list[Finding]) -> None:
    again, other = (audit(reference.load_file(TOY), seed=seed) for seed in (1, 2))
    assert again == toy
    assert other != toy
    assert [(f.check, f.verdict) for f in other] == [(f.check, f.verdict) for f in toy]


def test_a_description_that_numpy_cannot_carry_is_audited_slowly(toy: list[Finding]) -> None:
    cipher = reference.load_file(TOY)

    class OwnBlocks(type(cipher)):  # type: ignore[misc]
        def blocks(self, data: bytes) -> list[bytes]:
            return list(super().blocks(data))

    assert AuditSubject(cipher).bulk.fast_messages
    assert not AuditSubject(OwnBlocks()).bulk.fast_messages
    assert audit(OwnBlocks()) == toy


def test_blocks_that_do_not_begin_with_the_input_are_said_to_be_unread() -> None:
    class PaddedInFront(Aegis128[Any]):
        def blocks(self, data: bytes) -> list[bytes]:
            return list(super().blocks(self.padding(len(data) % 16) + data))

    findings = audit(PaddedInFront())
    for check in ("boundary", "truncation", "extension"):
        (note,) = [f for f in findings if f.check == check]
        assert note.verdict == "note"
        assert note.title == f"{check}: not tried, the absorbed blocks do not begin with the input"


def test_cells_of_an_odd_width_are_audited() -> None:
    wide = reference.Sbox("chi-like", tuple((x * 5 + (x >> 2 & x)) % 32 for x in range(32)))

    class Wide(reference.StreamAead[Any]):
        name = "wide"
        key_bytes, nonce_bytes, tag_bytes = 5, 5, 5
        words, rate_words, word_bits = 3, 1, 40

        def load(self, K: Sequence[Any], N: Sequence[Any]) -> list[Any]:
            return [K[0], N[0], 0x243F6A8885]

        def update(self, S: list[Any], X: Sequence[Any]) -> list[Any]:
            return [S[2].sub(wide) ^ X[0], S[0].sub(wide) ^ S[1], S[1].sub(wide) ^ S[0]]

        def init(self, S: list[Any], K: Sequence[Any], N: Sequence[Any]) -> list[Any]:
            for _ in range(8):
                S = self.update(S, [K[0]])
            return S

        def keystream(self, S: list[Any]) -> list[Any]:
            return [S[0].sub(wide) ^ S[1]]

        def finalise(self, S: list[Any], K: Sequence[Any], ad: int, msg: int) -> list[Any]:
            for _ in range(8):
                S = self.update(S, [K[0]])
            return S

        def tag(self, S: list[Any]) -> list[Any]:
            return [S[0] ^ S[1] ^ S[2]]

    findings = audit(Wide())
    assert {"boundary", "truncation", "extension"} <= set(forged(Wide(), findings))
    assert {f.check for f in findings} == set(CHECKS)


def test_padding_and_separation_are_learned_by_watching() -> None:
    aether = Transcript(AuditSubject(reference.get("aether")))
    assert aether.of_ad(b"abc") == b"abc\x80" + bytes(44)
    assert aether.of_data(bytes(48)) == bytes(48)
    assert aether.datas_of(b"abc\x80" + bytes(44)) == [b"abc", b"abc\x80" + bytes(44)]
    assert aether.shift == bytes(48)
    aegis = Transcript(AuditSubject(Aegis128()))
    assert len(aegis.ads_of(b"abc" + bytes(13))) == 14
    assert Transcript(AuditSubject(Separated())).shift is None
    assert Transcript(AuditSubject(AdIgnored())).shift is None
    assert Transcript(AuditSubject(SeparatedInBlock())).shift == C1.to_bytes(16, "big")


def test_the_game_refuses_a_repeated_nonce_and_counts_no_replay() -> None:
    subject = AuditSubject(reference.load_file(TOY))
    oracle = subject.oracle(random.Random(1))
    query = oracle.encrypt(b"ad", b"data")
    with pytest.raises(ValueError, match="used before; the game allows each once"):
        oracle.encrypt(b"ad", b"other", query.nonce)
    replay = oracle.win(query, query.nonce, query.ad, query.ciphertext, query.tag)
    assert replay is None
    assert oracle.decrypt(query.nonce, query.ad, query.ciphertext, query.tag) == b"data"
    assert oracle.decrypt(query.nonce, b"da", query.ciphertext, query.tag) is None


def test_automorphisms_are_all_and_only_those_that_exist() -> None:
    rng = random.Random(7)
    for n in (1, 3, 5, 6):
        labels = [[rng.randrange(2) for _ in range(n)] for _ in range(n)]
        want = [
            p
            for p in itertools.permutations(range(n))
            if all(labels[p[i]][p[j]] == labels[i][j] for i in range(n) for j in range(n))
        ]
        actual, complete = automorphisms(labels, [0] * n)
        assert complete
        assert sorted(actual) == want
    cycle = [[int((i + 1) % 8 == j) for j in range(8)] for i in range(8)]
    assert len(automorphisms(cycle, [0] * 8)[0]) == 8
    same = [[0] * 9 for _ in range(9)]
    result, complete = automorphisms(same, [0] * 9, limit=100)
    assert len(result) == 100
    assert not complete


def test_every_finding_can_be_a_row(aether: list[Finding]) -> None:
    for finding in aether:
        assert finding.verdict in ("forgery", "leak", "note", "pass")
        assert "\n" not in finding.title + finding.detail
        assert (finding.proof is None) == (finding.verdict == "pass")
        assert json.loads(json.dumps(finding.proof)) == finding.proof
