"""Exact probabilities of a unit: against brute force on a small one, and Monte Carlo on F."""

from __future__ import annotations

from itertools import combinations_with_replacement, product
from math import log2

import numpy as np
import pytest

from roundworks.analysis import exact, sms
from roundworks.errors import DescriptionError
from roundworks.reference import CellPermutation, Matrix, Sbox, StreamAead, get, record_round, unit
from roundworks.reference.aether import f
from roundworks.reference.batch import ArrayWord

PRESENT = (12, 5, 6, 11, 9, 0, 10, 13, 3, 14, 15, 8, 4, 7, 1, 2)
ORTHROS = (1, 0, 2, 4, 3, 8, 6, 13, 9, 10, 11, 14, 15, 12, 7, 5)
MIDORI = ((0, 1, 1, 1), (1, 0, 1, 1), (1, 1, 0, 1), (1, 1, 1, 0))


def small_unit(table: tuple[int, ...]) -> sms.SmsUnit:
    """S, M, S on 16 bits: small enough to try every input."""
    return sms.SmsUnit("small", Sbox("s", table), MIDORI, (0, 1, 2, 3))


def outputs(it: sms.SmsUnit) -> np.ndarray:
    """The unit on all 2^16 inputs; cell 0 is the most significant nibble."""
    table = np.array(it.sbox.table, np.uint8)
    x = np.arange(1 << 16)
    y = table[np.array([x >> 12 & 15, x >> 8 & 15, x >> 4 & 15, x & 15])]
    z = table[np.array([np.bitwise_xor.reduce(y[[j for j in range(4) if row[j]]]) for row in MIDORI])]
    return z[0].astype(int) << 12 | z[1].astype(int) << 8 | z[2].astype(int) << 4 | z[3]


def word(cells: dict[int, int]) -> int:
    return sum(v << 12 - 4 * cell for cell, v in cells.items())


@pytest.mark.parametrize("table", [PRESENT, ORTHROS])
def test_the_named_pair_has_the_value_exactly(table: tuple[int, ...]) -> None:
    small = small_unit(table)
    y, x = outputs(small), np.arange(1 << 16)
    result = exact.differential_maximum(small)
    a, b = result.word("before"), result.word("after")
    assert log2(np.count_nonzero((y ^ y[x ^ a]) == b) / 65536) == pytest.approx(result.log2)

    result = exact.correlation_maximum(small)
    a, b = result.word("before"), result.word("after")
    parity = np.array([v.bit_count() & 1 for v in range(1 << 16)])
    correlation = 1 - 2 * np.mean(parity[x & a] ^ parity[y & b])
    assert 2 * log2(abs(correlation)) == pytest.approx(result.log2)


@pytest.mark.long
def test_no_differential_on_a_lightest_pattern_is_larger() -> None:
    """By brute force: every pattern with one or two cells before, and one with three."""
    small = small_unit(PRESENT)
    y, x = outputs(small), np.arange(1 << 16)
    few = [p for p in small.lightest if len(p[0]) <= 2]
    many = [p for p in small.lightest if len(p[0]) == 3]
    assert few and many
    best = 0
    for before, after in [*few, many[0]]:
        for a in product(range(1, 16), repeat=len(before)):
            delta = y ^ y[x ^ word(dict(zip(before, a, strict=True)))]
            on = np.ones(1 << 16, bool)
            for cell in range(4):
                on &= (delta >> 12 - 4 * cell & 15 != 0) == (cell in after)
            if on.any():
                best = max(best, int(np.bincount(delta[on]).max()))
    assert log2(best / 65536) == pytest.approx(exact.differential_maximum(small).log2)


@pytest.fixture(scope="module")
def aether() -> sms.SmsUnit:
    return sms.sms_unit(record_round(get("aether")))


def test_aether_has_620_lightest_patterns_in_each_half(aether: sms.SmsUnit) -> None:
    assert len(aether.lightest) == len(aether.lightest_masks) == 2 * 620
    assert {len(a) + len(b) for a, b in aether.lightest} == {8}


def test_aether_has_differential_and_correlation_of_their_values(aether: sms.SmsUnit) -> None:
    best = exact.differential_maximum(aether)
    assert round(best.log2, 4) == -13.6513 and best.best_trail_log2 == -14
    assert round(exact.correlation_maximum(aether).log2, 4) == -12.8301


def test_branch_and_bound_finds_the_maximum_over_every_multiset() -> None:
    """Random factors, with signs as no unit has them, against all multisets."""
    rng = np.random.default_rng(2028)
    forward, backward = rng.normal(size=(2, 6, 40))
    for left, right in ((1, 3), (2, 2), (3, 1), (3, 3)):
        search = exact._BranchAndBound(forward, backward)
        assert search.improve(left, right)
        every = max(
            abs((forward[list(a)].prod(axis=0) * backward[list(b)].prod(axis=0)).sum())
            for a in combinations_with_replacement(range(6), left)
            for b in combinations_with_replacement(range(6), right)
        )
        assert search.best == pytest.approx(every)
        chosen = forward[np.array(search.left) - 1].prod(axis=0)
        chosen = chosen * backward[np.array(search.right) - 1].prod(axis=0)
        assert abs(chosen.sum()) == pytest.approx(every)


@pytest.mark.long  # the value is in the test before; here 2^22 pairs of words are encrypted
def test_aether_differential_is_measured(aether: sms.SmsUnit) -> None:
    """2^22 random pairs agree with the exact value within four standard deviations."""
    best = exact.differential_maximum(aether)
    rng, samples, hits = np.random.default_rng(2026), 1 << 22, 0
    before, after = (np.array(c, np.uint8)[:, None] for c in (best.before, best.after))
    for _ in range(4):
        x = rng.integers(0, 16, (32, samples // 4), np.uint8)
        difference = f(ArrayWord(x, 4)).in_cells(4) ^ f(ArrayWord(x ^ before, 4)).in_cells(4)
        hits += int((difference == after).all(axis=0).sum())
    expected = samples * 2**best.log2
    assert abs(hits - expected) < 4 * expected**0.5
    # The paper's 2^-16 would be 64 hits.
    assert hits > samples * 2**-16 + 8 * (samples * 2**-16) ** 0.5


@pytest.mark.long  # as the differential
def test_aether_correlation_is_measured(aether: sms.SmsUnit) -> None:
    """2^22 random words agree with the exact value within four standard deviations."""
    best = exact.correlation_maximum(aether)
    rng, samples, total = np.random.default_rng(2027), 1 << 22, 0
    before, after = (np.array(c, np.uint8)[:, None] for c in (best.before, best.after))
    parity = np.array([v.bit_count() & 1 for v in range(16)], np.uint8)
    for _ in range(4):
        x = rng.integers(0, 16, (32, samples // 4), np.uint8)
        masked = np.bitwise_xor.reduce(x & before) ^ np.bitwise_xor.reduce(
            f(ArrayWord(x, 4)).in_cells(4) & after
        )
        total += samples // 4 - 2 * int(parity[masked].sum(dtype=np.int64))
    assert abs(abs(total / samples) - 2 ** (best.log2 / 2)) < 4 * samples**-0.5


def test_what_is_not_s_m_s_is_refused_with_its_line() -> None:
    with pytest.raises(DescriptionError, match=r"want S-box layer, binary matrix, S-box layer; got"):
        sms.sms_unit(record_round(get("aegis-128")))

    class NoUnit(StreamAead):
        name, words, rate_words, word_bits = "no-unit", 2, 1, 16

        def update(self, S, X):
            return [S[1] ^ X[0], S[0]]

        def keystream(self, S):
            return [S[0]]

    with pytest.raises(DescriptionError, match="no unit to analyse"):
        sms.sms_unit(record_round(NoUnit()))


def test_a_permutation_before_the_second_layer_is_part_of_the_matrix() -> None:
    swap = CellPermutation("swap", (1, 0, 3, 2), 4)
    sbox, matrix = Sbox("s", PRESENT), Matrix("m", MIDORI, 4)

    @unit("G")
    def g(x):
        return x.sub(sbox).mix(matrix).permute(swap).sub(sbox)

    class Swapped(StreamAead):
        name, words, rate_words, word_bits = "swapped", 2, 1, 16

        def update(self, S, X):
            return [g(S[1]) ^ X[0], g(S[0])]

        def keystream(self, S):
            return [S[0]]

    swapped = sms.sms_unit(record_round(Swapped()))
    assert swapped.matrix == tuple(MIDORI[i] for i in (1, 0, 3, 2))


def sms_of(first, matrix: Matrix, second, bits: int) -> sms.SmsUnit:
    @unit("G")
    def g(x):
        return x.sub(first).mix(matrix).sub(second)

    class OfG(StreamAead):
        name, words, rate_words, word_bits = "of-g", 2, 1, bits

        def update(self, S, X):
            return [g(S[1]) ^ X[0], S[0]]

        def keystream(self, S):
            return [S[0]]

    return sms.sms_unit(record_round(OfG()))


def test_what_cannot_be_computed_is_refused_at_once() -> None:
    small, flat = Sbox("s", PRESENT), Matrix("flat", ((1, 1), (1, 1)), 4)
    with pytest.raises(DescriptionError, match="of-g: G: the matrix .* is not invertible"):
        sms_of(small, flat, small, 16)
    with pytest.raises(DescriptionError, match="want the same bijective S-box in both layers"):
        sms_of(small, Matrix("m", MIDORI, 4), Sbox("o", ORTHROS), 16)
    wide = Sbox("wide", tuple(range(256)))
    unit8 = sms_of(wide, Matrix("m", MIDORI, 8), wide, 32)
    for maximum in (exact.differential_maximum, exact.correlation_maximum):
        with pytest.raises(DescriptionError, match="G: wide: want an S-box of at most 6 bits .* got 8"):
            maximum(unit8)


def test_two_functions_of_one_name_are_refused() -> None:
    sbox, matrix = Sbox("s", PRESENT), Matrix("m", MIDORI, 4)

    def named(body):
        return unit("G")(body)

    one = named(lambda x: x.sub(sbox).mix(matrix).sub(sbox))
    other = named(lambda x: x.sub(sbox).sub(sbox))

    class Two(StreamAead):
        name, words, rate_words, word_bits = "two", 2, 1, 16

        def update(self, S, X):
            return [one(S[1]) ^ X[0], other(S[0])]

        def keystream(self, S):
            return [S[0]]

    with pytest.raises(DescriptionError, match="two functions bear this name"):
        sms.sms_unit(record_round(Two()))
