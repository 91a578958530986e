"""Forms against truth tables: an S-box as a table, as look-ups and as a circuit is one form."""

from __future__ import annotations

import itertools
import random

from roundworks.binary.forms import Mixed, Symbols
from roundworks.binary.words import BitWord
from roundworks.reference.aes import INV_SUB_BYTES, SUB_BYTES
from roundworks.reference.minalpher import SB


def anf(table: tuple[int, ...], j: int) -> list[int]:
    """The monomials of bit j."""
    rows = [value >> j & 1 for value in table]
    for i in range((len(table) - 1).bit_length()):
        for r in range(len(table)):
            if r >> i & 1:
                rows[r] ^= rows[r ^ 1 << i]
    return [r for r, one in enumerate(rows) if one]


def test_a_circuit_of_an_sbox_is_its_form() -> None:
    symbols = Symbols()
    inputs = [a ^ b for a, b in itertools.pairwise(symbols.fresh(5))]  # sums, as behind a linear layer
    inputs[2] ^= 1
    want = symbols.substituted(inputs, SB.table)
    for j in range(4):
        total = 0
        for monomial in anf(SB.table, j):
            product: int | Mixed = 1
            for i in range(4):
                if monomial >> i & 1:
                    product = symbols.times(product, inputs[i])
            total = total ^ product
        assert symbols.settled(total) == want[j]


def test_a_wrong_circuit_is_not() -> None:
    symbols = Symbols()
    x = symbols.fresh(4)
    want = symbols.substituted(x, SB.table)
    wrong = want[0] ^ symbols.times(x[0], x[1])
    assert symbols.settled(wrong) != want[0]


def test_look_ups_by_both_nibbles_are_the_table_of_a_byte() -> None:
    symbols = Symbols()
    byte = symbols.fresh(8)
    want = symbols.substituted(byte, SUB_BYTES.table)
    assert [symbols.settled(bit) for bit in symbols.looked_up(byte, SUB_BYTES.table, 8)] == want


def test_an_inverse_gives_the_input_again() -> None:
    symbols = Symbols()
    byte = symbols.fresh(8)
    assert symbols.substituted(symbols.substituted(byte, SUB_BYTES.table), INV_SUB_BYTES.table) == byte
    nibble = symbols.fresh(4)
    assert symbols.substituted(symbols.substituted(nibble, SB.table), SB.table) == nibble


def test_words_of_known_bits_compute_the_description() -> None:
    rng = random.Random(5)
    from roundworks.reference.aes import aes, aes_back
    from roundworks.reference.word import IntWord

    for _ in range(3):
        value, symbols = rng.getrandbits(128), Symbols()
        word = BitWord([value >> i & 1 for i in range(128)], symbols)
        for step in (aes, aes_back):
            out = step(word)
            assert sum(bit << i for i, bit in enumerate(out.forms)) == step(IntWord(value, 128)).value
