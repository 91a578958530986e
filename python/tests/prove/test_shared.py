"""S-boxes of one input, by whatever linear means it is made, and what no bound may say of them."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from roundworks.analysis.forms import forms, related_inputs, same_inputs
from roundworks.analysis.words import doubled
from roundworks.bounds import VIEWS
from roundworks.errors import DescriptionError, ProofRefused
from roundworks.prove.bitwise import build as bitwise
from roundworks.prove.bitwise import collisions
from roundworks.prove.cellwise.instance import SHARED, cell_instance
from roundworks.prove.measures import bounds_of
from roundworks.prove.pipeline import Query
from roundworks.reference import (
    CellPermutation,
    IntWord,
    Matrix,
    Permutation,
    Sbox,
    StreamAead,
    analysed,
    get_analysed,
    record_round,
    record_rounds,
)
from roundworks.reference.recordings import merged, run
from solving import cell_bound

P = Sbox("P", (12, 5, 6, 11, 9, 0, 10, 13, 3, 14, 15, 8, 4, 7, 1, 2))
MD = Matrix("MD", ((1, 1, 0), (0, 1, 1), (1, 1, 1)), 4)
BACK = Matrix("back", ((0, 1, 1), (1, 1, 1), (1, 0, 1)), 4)  # BACK(MD(x)) = x
SWAP = CellPermutation("swap", (1, 0), 4)


class Exchanging(Permutation):
    """Both S-layers are one, in another order of cells, and cancel: the round exchanges a and b."""

    name, words, rounds, word_bits = "exchanging", 2, 4, 8

    def round(self, S, i):
        a, b = S
        return [b ^ a.sub(P) ^ a.permute(SWAP).sub(P).permute(SWAP), a]


class Constant(Permutation):
    """S-boxes on x and on x ^ 1: two, and no more independent than one."""

    name, words, rounds, word_bits = "constant", 3, 4, 8

    def round(self, S, i):
        a, b, c = S
        return [b ^ a.sub(P), c ^ (a ^ 0x11).sub(P), a]


class Hidden(Permutation):
    """The S-box three times on one word, which a matrix and its inverse make again."""

    name, words, rounds, word_bits = "hidden", 3, 4, 24

    def round(self, S, i):
        a, b, c = S
        x = a.mix(MD).mix(BACK)
        y = x.mix(MD).mix(BACK)
        return [b ^ a.sub(P) ^ x.sub(P).mix(MD) ^ y.sub(P).mix(BACK), a, c.sub(P)]


class Twice(Permutation):
    """S on a and on a again, with a matrix behind, so that every mask of one can cancel."""

    name, words, rounds, word_bits = "twice", 2, 4, 24

    def round(self, S, i):
        a, b = S
        return [b ^ a.sub(P) ^ a.mix(MD).mix(BACK).sub(P).mix(MD), a]


class Words(StreamAead):
    name = "words"
    key_bytes, nonce_bytes, tag_bytes = 6, 3, 3
    words, rate_words, word_bits = 3, 1, 24

    def load(self, K, N):
        return [N[0], K[0], K[1]]

    def update(self, S, X):
        a = S[0]
        return [S[2] ^ X[0], a.sub(P) ^ a, S[1] ^ a.mix(MD).mix(BACK).sub(P)]

    def init(self, S, K, N):
        for _ in range(12):
            S = self.update(S, [K[0]])
        return S

    def keystream(self, S):
        return [S[0] ^ S[1]]

    def finalise(self, S, K, ad_bits, msg_bits):
        for _ in range(12):
            S = self.update(S, [K[1]])
        return S

    def tag(self, S):
        return [S[0] ^ S[1] ^ S[2]]


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("it", [Exchanging(), Constant(), Hidden()], ids=lambda it: it.name)
def test_a_trail_over_dependent_sboxes_is_no_proof(it, view: str, tmp_path: Path) -> None:
    results = [f.bound for f in bounds_of(it, "trail", Query(2, view))]
    for bound in results:
        assert (bound.side, bound.certainty) == ("lower", "heuristic")
        assert "S-boxes whose inputs follow from each other taken as independent" in bound.method
    with pytest.raises(ProofRefused, match="there is nothing to prove; query without --proof"):
        list(bounds_of(it, "trail", Query(1, view, proof=tmp_path)))
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("it", [Hidden(), Twice()], ids=lambda it: it.name)
def test_sboxes_counted_twice_are_no_proof(it, view: str, tmp_path: Path) -> None:
    query = Query(2, view, solvers=("highs", "cadical"))
    for result in bounds_of(it, "active-sboxes", query):
        bound = result.bound
        assert (bound.side, bound.certainty) == ("lower", "heuristic")
        assert SHARED in bound.method
        assert bound.upper is None or bound.value <= bound.upper
    said = bounds_of(it, "active-sboxes", Query(1, view, proof=tmp_path))
    assert next(said).bound.certainty == "heuristic"
    with pytest.raises(ProofRefused, match="there is nothing to prove"):
        next(said)
    assert not list(tmp_path.iterdir())


def test_what_the_verifier_counts_is_the_bound() -> None:
    """Of a's three S-layers it counts one, and the model three."""
    where = {"S0": "*.....", "S2": "......"}
    result = cell_bound(Hidden(), "active", 1, where=where)
    assert (result.value, result.upper, result.side) == (1, 1, "lower")


def test_words_computed_twice() -> None:
    assert doubled(record_round(Words()))
    for measure in ("collision", "bias", "active-f"):
        for result in (r.bound for r in bounds_of(Words(), measure, Query(3))):
            assert result.certainty == "heuristic" and SHARED in result.method
    result = cell_bound(Words(), "collision", 4)
    assert result.certainty == "heuristic" and result.side == "lower"


def test_a_walk_with_one_input_twice_is_refused() -> None:
    walk = collisions.CollisionWalk(2, (0, 1), (1, 0))
    with pytest.raises(DescriptionError, match="S-box whose input another has, too; want one for"):
        collisions.walk_model(Words(), walk, active_only=True)


def test_refused_after_the_bound_is_printed(run, tmp_path: Path) -> None:
    file = tmp_path / "exchanging.py"
    file.write_text(
        "from roundworks.reference import CellPermutation, Permutation, Sbox\n"
        f"P = Sbox('P', {P.table})\nSWAP = CellPermutation('swap', (1, 0), 4)\n"
        "class It(Permutation):\n"
        "    name, words, rounds, word_bits = 'exchanging', 2, 4, 8\n"
        "    def round(self, S, i):\n"
        "        a, b = S\n"
        "        return [b ^ a.sub(P) ^ a.permute(SWAP).sub(P).permute(SWAP), a]\n"
    )
    arguments = ["--measure", "trail", "--rounds", "2", "--proof", str(tmp_path / "c")]
    done = run("bound", str(file), *arguments, "--json", "--no-store")
    assert done.returncode == 2 and done.stderr.count("\n") == 1
    assert "exchanging: trail: S-boxes whose inputs follow from each other" in done.stderr
    (row,) = [json.loads(line) for line in done.stdout.splitlines()]
    assert (row["side"], row["certainty"]) == ("lower", "heuristic")


@pytest.mark.long
def test_no_description_makes_one_input_in_two_ways() -> None:
    """So nothing of theirs changes; only F1 and F2 that add constants to one word are related."""
    for name in analysed():
        description = get_analysed(name)
        recording = record_rounds(description, 2)
        assert not same_inputs(merged(recording)), name
        if any(node.op == "sub" for node in recording.graph.nodes):
            assert not cell_instance(description, "active", 2).heuristic, name
        related = bool(related_inputs(merged(recording)))
        assert related == name.startswith(("feistel256:2-0,2-", "feistel512:2-0,2-")), name
        if isinstance(description, StreamAead):
            assert not doubled(record_round(description)), name


def test_equal_forms_are_equal_values() -> None:
    """And on random words no others are, of S-boxes' inputs, bit-wise."""
    rng = random.Random(3)
    for item in (Exchanging(), Constant(), Hidden(), Twice()):
        recording = record_rounds(item, 2)
        result = forms(recording)
        values = []
        for _ in range(64):
            words = {n: IntWord(rng.getrandbits(item.word_bits), item.word_bits) for n in recording.inputs}
            values.append(run(recording, words))
        by_form: dict[int, set[tuple[int, ...]]] = {}
        for node in recording.graph.nodes:
            for i, form in enumerate(result[node.id]):
                column = tuple(v[node.id].value >> node.bits - 1 - i & 1 for v in values)
                by_form.setdefault(form, set()).add(column)
        assert all(len(columns) == 1 for columns in by_form.values())
        columns = [column for (column,) in by_form.values()]
        assert len(set(columns)) == len(columns)


def test_and_with_constants_is_seen_through() -> None:
    class Masked(Permutation):
        name, words, rounds, word_bits = "masked", 2, 1, 8

        def round(self, S, i):
            a, b = S
            both = (a & 0xF0) ^ (a & 0x0F)  # a
            return [b ^ both.sub(P) ^ (a & a).sub(P), a]

    recording = record_rounds(Masked(), 1)
    assert len(same_inputs(recording)) == 2
    assert bitwise.model(recording, "differential").dependent
