"""Bounds on the degree, against the algebraic normal form of small permutations."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from calls import cases
from roundworks.analysis.degree import degree_bound, degrees, growth, product_degrees
from roundworks.analysis.sboxes import anf
from roundworks.prove.bitwise.layers import rows
from roundworks.reference import IntWord, Permutation, Sbox, get_analysed, record_rounds
from roundworks.reference.aes import SUB_BYTES
from roundworks.reference.present import SBOX
from small_ciphers import Shape
from transitions import permutation, random_spn


def true_degree(values: np.ndarray) -> int:
    bits = len(values).bit_length() - 1
    forms = (anf((values >> i & 1).astype(np.bool_)) for i in range(bits))
    return max(int(u).bit_count() for form in forms for u in np.flatnonzero(form))


@pytest.mark.parametrize("seed", cases(range(12), short=range(4)))
def test_never_below_the_truth(seed: int) -> None:
    shape = [Shape(2, 4), Shape(3, 3), Shape(4, 3), Shape(3, 4)][seed % 4]
    spn = random_spn(seed, 3, shape)
    for rounds in (1, 2, 3):
        truth = true_degree(permutation(spn, rounds))
        bound, _ = degree_bound(record_rounds(spn, rounds), spn.word_bits)
        assert truth <= bound < spn.word_bits
        if rounds == 1:
            assert bound == truth
    if shape.word == 8:
        for one in degrees(spn, 2):
            truth = true_degree(permutation(spn, one.rounds))  # type: ignore[arg-type]
            assert one.witness is None or one.witness["degree at least"] <= truth
            assert one.side == "upper" or one.value == truth


def test_products_and_growth() -> None:
    """A bijection of four bits: 3, 3, 3 and 4, so a factor of 3 [BOURA]; the AES has degree 7 at once."""
    assert product_degrees(SBOX) == (3, 3, 3, 4) and growth(SBOX) == 3
    assert product_degrees(SUB_BYTES)[0] == 7 and growth(SUB_BYTES) == 7


@pytest.mark.parametrize("table", [(0, 1, 2, 2), (0,) * 16, (5,) * 16])
def test_an_sbox_that_is_no_bijection(table: tuple[int, ...]) -> None:
    """Products of its coordinates, or all of them, may be zero."""

    class Network(Permutation):
        name, words, word_bits, rounds, box = "network", 2, 4, 3, Sbox("f", table)

        def round(self, S: Sequence[Any], i: int) -> list[Any]:
            return [S[1] ^ S[0].sub(self.box) ^ i, S[0]]

    net = Network()
    for bound in degrees(net, 3):
        assert bound.rounds is not None and bound.value is not None
        runs = (net.run([IntWord(x >> 4, 4), IntWord(x & 15, 4)], bound.rounds) for x in range(256))
        truth = true_degree(np.array([a.value << 4 | b.value for a, b in runs]))
        assert truth == bound.value if bound.side == "exact" else truth <= bound.value


def test_present_grows_as_the_bound_says() -> None:
    values = [bound.value for bound in degrees(get_analysed("present"), 5)]
    assert values == [3, 9, 27, 51, 59]
    first = next(degrees(get_analysed("present"), 1))
    assert first.side == "exact" and first.witness is not None and first.witness["degree at least"] == 3


def test_a_feistel_network_goes_node_by_node() -> None:
    recording = record_rounds(get_analysed("simpira-2"), 1)
    assert degree_bound(recording, 256)[0] == 49


@pytest.mark.parametrize(("name", "rounds"), [("ascon-p", 12), ("keccak-f-200", 12), ("simon-32-64", 6)])
def test_a_bijection_has_less_than_the_full_degree(name: str, rounds: int) -> None:
    """Whose gates make up S-boxes, or which is a Feistel network."""
    description = get_analysed(name)
    *_, last = degrees(description, rounds, rows)
    bits = description.words * description.word_bits
    assert last.value == bits - 1
    assert f"every subspace of dimension {bits} vanish" in last.method


def test_what_is_not_seen_to_be_a_bijection_may_have_the_full_degree() -> None:
    class Lost(Permutation):
        """Both words of the next state are one."""

        name, words, word_bits, rounds = "lost", 2, 4, 4

        def round(self, S: Sequence[Any], i: int) -> list[Any]:
            once = (S[0] ^ i).sub(SBOX) & S[1].sub(SBOX)
            return [once, once ^ 1]

    *_, last = degrees(Lost(), 4, rows)
    assert last.value == 8 and "not seen to be a bijection" in last.method
