"""Layers of AND gates as S-boxes: the same function, and the same trails."""

from __future__ import annotations

import random
from typing import Any

import pytest

from roundworks.analysis.cuts import cuts
from roundworks.analysis.gate_layers import with_sboxes
from roundworks.prove.bitwise.layers import rows
from roundworks.prove.bitwise.switches import switched_over
from roundworks.prove.pipeline import Query
from roundworks.reference import (
    CellPermutation,
    IntWord,
    Permutation,
    Recording,
    Sbox,
    get_analysed,
    record_rounds,
)
from roundworks.reference.recordings import merged, run
from roundworks.reference.word import join


class Sliced(Permutation[Any]):
    """Chi on columns of three bits, words rotated, and a constant: words of four bits."""

    name, words, word_bits, rounds = "sliced", 3, 4, 3

    def round(self, S: Any, i: int) -> list[Any]:
        a, b, c = S
        b = b ^ i
        a, b, c = a ^ (~b & c), b ^ (~c & a), c ^ (~a & b)
        return [a, b.rotl(1), c.rotl(2) ^ a]


class Whole(Permutation[Any]):
    """The same on one word, with an S-box."""

    name, words, word_bits, rounds = "whole", 1, 12, 3
    columns = CellPermutation("columns", tuple(3 * (i % 4) + i // 4 for i in range(12)), 1)
    back = CellPermutation("words", tuple(4 * (i % 3) + i // 3 for i in range(12)), 1)
    chi = Sbox(
        "chi",
        tuple(
            sum(
                (x >> 2 - r & 1 ^ (~x >> 2 - (r + 1) % 3 & x >> 2 - (r + 2) % 3 & 1)) << 2 - r
                for r in range(3)
            )
            for x in range(8)
        ),
    )

    def round(self, S: Any, i: int) -> list[Any]:
        x = (S[0] ^ i << 4).permute(self.columns).sub(self.chi).permute(self.back)
        a, b, c = x.cut(0, 4), x.cut(4, 4), x.cut(8, 4)
        return [join([a, b.rotl(1), c.rotl(2) ^ a])]


def recordings(cipher: Any, rounds: int) -> list[Recording]:
    return [merged(record_rounds(cipher, count)) for count in range(1, rounds + 1)]


@pytest.mark.parametrize(
    "cipher", [Sliced(), *map(get_analysed, ("ascon-p", "keccak-f-200", "xoodoo", "gaston"))]
)
def test_the_function_is_the_same(cipher: Any) -> None:
    before = recordings(cipher, 2)
    after = with_sboxes(before, rows)
    assert after is not None
    assert not [node for node in after.graph.nodes if node.op == "and"] and len(cuts(after)) == 2
    source = random.Random(1)
    given = {name: IntWord(source.getrandbits(cipher.word_bits), cipher.word_bits) for name in after.inputs}
    one, other = run(before[-1], given), run(after, given)
    assert all(one[before[-1].outputs[n]].value == other[id_].value for n, id_ in after.outputs.items())


@pytest.mark.parametrize("name", ["gimli", "simon-32-64", "speck-32-64", "aes"])
def test_gates_of_another_shape_stay(name: str) -> None:
    """Those of which a part of the state reads nothing, and additions; and what has no gates."""
    assert with_sboxes(recordings(get_analysed(name), 1), rows) is None


@pytest.mark.parametrize("kind", ["boomerang", "differential-linear"])
@pytest.mark.parametrize("rounds", [1, 2, 3])
def test_trails_meet_in_gates_as_in_sboxes(kind: str, rounds: int) -> None:
    values = [switched_over(one, kind, rounds, Query(rounds)).value for one in (Sliced(), Whole())]  # type: ignore[arg-type]
    assert values[0] == pytest.approx(values[1])
