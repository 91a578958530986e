"""What the tag depends on, and collisions of that part of the state."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from roundworks.analysis import bounds
from roundworks.analysis.audit import coverage
from roundworks.analysis.audit.subject import AuditSubject
from roundworks.analysis.observed import dependencies, observed_words
from roundworks.errors import DescriptionError
from roundworks.prove.cellwise.instance import cell_instance
from roundworks.prove.measures import bounds_of
from roundworks.prove.pipeline import Query
from roundworks.reference import IntWord, StreamAead, get
from roundworks.reference.aes import aes_round
from roundworks.reference.record import record_end


class Blind(StreamAead[Any]):
    """The tag is read from S0 and S1, into which S2 and S3 never go; the keystream is an AND."""

    name = "blind"
    key_bytes, nonce_bytes, tag_bytes = 16, 16, 16
    words, rate_words = 4, 1

    def load(self, K: Sequence[Any], N: Sequence[Any]) -> list[Any]:
        return [K[0], N[0], 1, K[0] ^ N[0]]

    def update(self, S: Sequence[Any], X: Sequence[Any]) -> list[Any]:
        return [aes_round(S[1], X[0]), aes_round(S[0], X[0]), aes_round(S[2], S[0]), aes_round(S[3], 0)]

    def init(self, S: Sequence[Any], K: Sequence[Any], N: Sequence[Any]) -> Sequence[Any]:
        for _ in range(10):
            S = self.update(S, [K[0]])
        return S

    def keystream(self, S: Sequence[Any]) -> list[Any]:
        return [S[0] & S[1]]

    def finalise(self, S: Sequence[Any], K: Sequence[Any], ad_bits: int, msg_bits: int) -> Sequence[Any]:
        S = self.update(S, [ad_bits << 64 ^ msg_bits])
        for _ in range(10):
            S = self.update(S, [K[0]])
        return S

    def tag(self, S: Sequence[Any]) -> list[Any]:
        return [S[0] ^ S[1]]


def test_what_the_tag_does_not_depend_on_may_differ() -> None:
    assert observed_words(Blind()) == (0, 1)
    bound = bounds.collision(Blind())
    assert (bound.value, bound.certainty) == (2, "proven")
    assert "differences in S2, S3 are left open" in bound.method
    assert bound.witness is not None and bound.witness["trail"][-1]["state"] == "**??"
    (result,) = bounds_of(Blind(), "collision-sboxes", Query(2))
    assert (result.bound.value, result.bound.side) == (2, "exact")
    assert "differences in S2, S3 are left open" in result.bound.method


def test_two_active_s_boxes_collide_on_the_tag() -> None:
    """The trail of the bound on the description: one byte of a block differs, and the next block undoes it."""
    cipher, rest = Blind(), IntWord(0x0123456789ABCDEF, 128)
    one = [IntWord(0x1111 * i, 128) for i in range(4)]
    for i in range(2):  # both words that the tag sees take the difference through one S-box each, alike
        one[i] = rest
    two = [IntWord(word.value, 128) for word in one]
    first, second = (cipher.update(S, [IntWord(x, 128)]) for S, x in ((one, 0), (two, 1)))
    undo = aes_round(first[0], 0).value ^ aes_round(second[0], 0).value
    first, second = cipher.update(first, [IntWord(0, 128)]), cipher.update(second, [IntWord(undo, 128)])
    assert [w.value for w in first[:2]] == [w.value for w in second[:2]]
    assert first[2].value != second[2].value
    tags = [cipher.tag(cipher.finalise(S, [rest], 256, 256)) for S in (first, second)]
    assert tags[0][0].value == tags[1][0].value


@pytest.mark.parametrize("name", ["aegis-128", "aegis-128l", "aether", "rocca-s"])
def test_published_ciphers_are_seen_whole(name: str) -> None:
    cipher = get(name)
    assert isinstance(cipher, StreamAead)
    assert observed_words(cipher) == tuple(range(cipher.words))
    assert "left open" not in bounds.collision(cipher).method
    assert "left open" not in cell_instance(cipher, "collision", 2).method


def test_equal_words_cancel() -> None:
    class Cancelled(Blind):
        name = "cancelled"

        def tag(self, S: Sequence[Any]) -> list[Any]:
            return [S[0] ^ S[1] ^ S[3] ^ S[2] ^ (S[2] ^ S[3])]

    assert dependencies(record_end(Cancelled()))["T0"] >= {"S0", "S1"}
    assert observed_words(Cancelled()) == (0, 1)


def test_a_tag_of_nothing_is_refused() -> None:
    class Keyed(Blind):
        name = "keyed"

        def tag(self, S: Sequence[Any]) -> list[Any]:
            return [S[0] ^ S[0]]

    with pytest.raises(DescriptionError, match="the tag depends on no word of the state"):
        bounds.collision(Keyed())


def test_no_active_f_is_said_to_keep_nothing_off() -> None:
    bound = bounds.bias(Blind())
    assert bound.value == 0
    assert "no active F: a sum of keystream words may be biased, or constant, at no cost" in bound.method
    assert "no active" not in bounds.bias(get("aegis-128")).method


def test_the_audit_says_of_no_word_that_it_is_mixed_in_which_is_not() -> None:
    findings = coverage.check(AuditSubject(Blind()))
    assert not any("mixes them in" in finding.detail for finding in findings)
    assert any("never sees word S2, word S3" in finding.title for finding in findings)

    class Chained(Blind):
        """S3 goes into S0 before the tag is read."""

        name = "chained"

        def finalise(self, S: Sequence[Any], K: Sequence[Any], ad_bits: int, msg_bits: int) -> Sequence[Any]:
            return super().finalise([S[0] ^ S[3], *S[1:]], K, ad_bits, msg_bits)

    findings = coverage.check(AuditSubject(Chained()))
    assert [f.title for f in findings if "mixes them in" in f.detail] == [
        "reading the tag leaves out word S3"
    ]
    assert any(f.title.startswith("the tag never sees word S2 ") for f in findings)
