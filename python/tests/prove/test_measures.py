"""One registry: every measure, the options it takes, and what is refused."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from roundworks.errors import DescriptionError, UnknownName
from roundworks.prove.measures import BY_ROUNDS, MEASURES, bounds_of, check_options
from roundworks.prove.pipeline import Query
from roundworks.reference import StreamAead, get, get_analysed, join
from roundworks.reference.present import SBOX as PRESENT_SBOX


def test_wrong_use() -> None:
    with pytest.raises(UnknownName, match="measure 'speed': not known; `roundworks list measures`"):
        bounds_of(get("aether"), "speed", Query())
    with pytest.raises(DescriptionError, match="rounds: want at least 1, got 0"):
        bounds_of(get("aether"), "active-f", Query(0))
    with pytest.raises(UnknownName, match="view 'both': not known; one of differential, linear"):
        bounds_of(get_analysed("aes"), "trail", Query(view="both"))  # type: ignore[arg-type]


def test_every_option_is_taken_or_refused() -> None:
    taken = {(name, option) for name, measure in MEASURES.items() for option in measure.options}
    assert {option for _, option in taken} == BY_ROUNDS
    for name in MEASURES:
        for option in BY_ROUNDS:
            if (name, option) in taken:
                check_options(name, [option])
            else:
                with pytest.raises(
                    DescriptionError, match=f"^{option}: does nothing for {name}, which .*; measures "
                ):
                    check_options(name, [option])


@pytest.mark.parametrize("measure", [name for name, m in MEASURES.items() if m.word_wise])
def test_word_wise_measures_are_of_ciphers(measure: str) -> None:
    with pytest.raises(
        DescriptionError, match=r"want a cipher that absorbs, got the permutation aes; .* active-sboxes"
    ):
        bounds_of(get_analysed("aes"), measure, Query())
    bounds = [result.bound for result in bounds_of(get("aether"), measure, Query(2))]
    assert {b.measure for b in bounds} == {measure}
    # That no few words give the state says nothing of parts of words.
    assert bounds[0].certainty == ("heuristic" if bounds[0].value is None else "proven")
    assert [b.rounds for b in bounds] == [1, 2] if "rounds" in MEASURES[measure].options else len(bounds) == 1


def test_a_row_has_no_fields_of_other_measures() -> None:
    (result,) = bounds_of(get_analysed("aes"), "active-sboxes", Query(1, limit=1e-9))
    assert {"upper", "view", "count", "solver", "fingerprint"} <= result.bound.fields.keys()
    assert "as_over" not in result.bound.fields
    (bound,) = (r.bound.fields for r in bounds_of(get("aether"), "collision", Query()))
    assert not {"upper", "view", "count", "solver", "fingerprint", "as_over"} & bound.keys()


class Added(StreamAead[Any]):
    """A toy of additions, an S-box and words cut and joined."""

    name, key_bytes, nonce_bytes, tag_bytes = "added", 4, 4, 4
    words, rate_words, word_bits = 2, 1, 16

    def load(self, K: Sequence[Any], N: Sequence[Any]) -> list[Any]:
        return [K[0], N[0]]

    def init(self, S: list[Any], K: Sequence[Any], N: Sequence[Any]) -> list[Any]:
        for _ in range(3):
            S = self.update(S, [K[1] ^ N[1]])
        return S

    def update(self, S: list[Any], X: Sequence[Any]) -> list[Any]:
        x = (S[0] + S[1]) ^ X[0]
        high, low = S[1].split(2)
        return [x, join([low, high]).sub(PRESENT_SBOX) ^ x]

    def keystream(self, S: list[Any]) -> list[Any]:
        return [S[1]]

    def finalise(self, S: list[Any], K: Sequence[Any], ad_bits: int, msg_bits: int) -> list[Any]:
        return self.init(S, K, K)

    def tag(self, S: list[Any]) -> list[Any]:
        return S


# They run the description, compare its rounds, or have a model of additions, bit-wise.
TAKEN = ("avalanche", "invariant-subspace", "slide", "cluster", "impossible-bits", "recovery")
# By the operation, or by the shape of the cipher.
REFUSED = {
    "degree": r"test_measures.py:\d+: add: no bound on its degree; want",
    "nonlinear-invariant": "no layer of S-boxes that all of the state passes",
    "boomerang": "want a permutation or rounds of a block, got a streaming cipher",
    "differential-linear": "want a permutation or rounds of a block, got a streaming cipher",
}


@pytest.mark.parametrize("measure", MEASURES)
def test_new_operations_are_taken_or_refused_with_their_line(measure: str) -> None:
    """Never silently wrong: what has no rule says which operation it means, where, and what can be done."""
    if measure in ("trail", "trail-sboxes"):
        # A summand is also the input of S-boxes, so that their weights are not of independent inputs.
        (result,) = bounds_of(Added(), measure, Query(1))
        assert result.bound.certainty == "heuristic" and "summands that depend" in result.bound.method
        return
    if measure == "dieharder":  # runs the description, and a program of minutes: see test_dieharder.py
        return
    if measure in TAKEN:
        assert list(bounds_of(Added(), measure, Query(1)))
        return
    related = "want a block cipher, which has a key schedule"
    line = r"test_measures.py:\d+: (add|cut|join): .* for which .* has no rule; want|no unit to analyse; mark"
    with pytest.raises(
        DescriptionError, match=REFUSED.get(measure, related if measure.startswith("related") else line)
    ):
        list(bounds_of(Added(), measure, Query(2)))


def test_an_option_that_does_nothing_names_what_is_near() -> None:
    """Not every measure that takes it."""
    with pytest.raises(DescriptionError) as error:
        check_options("collision", ["rounds"])
    assert str(error.value) == (
        "rounds: does nothing for collision, which takes as many as it needs; measures with it: collision-sboxes"
    )
    with pytest.raises(
        DescriptionError, match=r"which takes none; measures with it: .* and \d+ more$"
    ) as error:
        check_options("slide", ["rounds"])
    assert len(str(error.value)) < 150
