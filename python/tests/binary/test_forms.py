"""Forms against truth tables: an S-box as a table, as look-ups and as a circuit is one form."""

from __future__ import annotations

import itertools
import random

from roundworks.binary.cells import Lost, Mixed
from roundworks.binary.forms import Public, Symbols
from roundworks.binary.scalar.operands import added
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


def test_a_product_of_outputs_is_found_in_their_cell() -> None:
    symbols = Symbols()
    x = symbols.fresh(4)
    y = symbols.substituted(x, SB.table)
    symbols.is_complete = True
    count = symbols.count
    product = symbols.times(y[0] ^ y[2], y[1] ^ 1)
    assert isinstance(product, Mixed)
    ((cell, _),) = product.rest.items()
    truth = symbols._table(cell, product)
    assert truth == sum(((v ^ v >> 2) & ~(v >> 1) & 1) << row for row, v in enumerate(SB.table))
    assert symbols.count == count


def test_a_function_of_three_bits_is_that_of_its_table() -> None:
    rng = random.Random(8)
    for _ in range(60):
        symbols = Symbols()
        x = symbols.fresh(4)
        y = symbols.substituted(x, SB.table)
        choices = [0, 1, x[0], x[1] ^ 1, y[2] ^ x[3], y[0] ^ y[1] ^ 1, symbols.times(x[0], x[2])]
        three = (rng.choice(choices), rng.choice(choices), rng.choice(choices))
        imm = rng.randrange(256)
        cell = symbols.cell(x)
        assert cell is not None
        made = symbols._table(cell, symbols.of_three(three, imm))
        p, q, r = (symbols._table(cell, bit) for bit in three)
        assert p is not None and q is not None and r is not None
        rows = ((p >> i & 1) << 2 | (q >> i & 1) << 1 | (r >> i & 1) for i in range(16))
        assert made == sum((imm >> row & 1) << i for i, row in enumerate(rows))


def test_a_known_bit_rules_out_what_is_lost() -> None:
    symbols = Symbols()
    a, b = symbols.fresh(2)
    for known in (0, 1):
        for table in range(256):
            rows = [table >> 2 * row + known & 1 for row in range(4)]  # of (lost, b)
            three = (Lost(), b, known)
            made = symbols.of_three(three, table)
            if rows[:2] == rows[2:]:
                assert made == (rows[0] ^ (rows[0] ^ rows[1]) * b)
            else:
                assert isinstance(made, Lost)
    assert symbols.of_three((a, Lost(), 1), 0x14) == 0 == symbols.of_three((0, Lost(), Lost()), 0xF0)


def test_what_no_cell_holds_is_lost_and_equals_nothing_else() -> None:
    symbols = Symbols()
    a, b, c = symbols.fresh(3)
    known = symbols.times(a, b)
    symbols.is_complete = True
    count = symbols.count
    assert symbols.times(b, a) == known  # the description's own
    lost = symbols.times(b, c)
    assert isinstance(lost, Lost)
    for other in (lost ^ a, a ^ lost, symbols.times(lost, a), symbols.times(b, c), 0):
        assert other != lost
    assert isinstance(lost ^ symbols.times(b, c), Lost)
    assert lost ^ lost == 0
    assert symbols.times(lost, 0) == 0
    assert symbols.times(lost, 1) is lost
    assert symbols.settled(lost) is lost
    assert all(isinstance(bit, Lost) for bit in symbols.substituted([lost, a, b, c], SB.table))
    assert all(isinstance(bit, Lost) for bit in symbols.looked_up([lost, a, b, c], SB.table, 4))
    assert symbols.count == count


def test_sums_of_what_is_equal_or_opposite_are_linear() -> None:
    symbols = Symbols()
    x, symbols.is_complete = symbols.fresh(8), True
    assert added(symbols, x, x) == ([0, *x[:-1]], x[-1])
    assert added(symbols, x, [bit ^ 1 for bit in x], 1) == ([0] * 8, 1)
    # The parities at every fourth bit, times 15, as the difference that has the borrows of each in the next.
    p, q = x[:2]
    low, high = [p, 0, 0, 0, q, 0, 0, 0], [0, 0, 0, 0, p, 0, 0, 0]
    assert added(symbols, high, [bit ^ 1 for bit in low], 1)[0] == [p] * 4 + [q] * 4


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


def test_a_message_does_not_follow_from_its_ciphertext() -> None:
    symbols = Symbols()
    message, stream, nonce, other = symbols.fresh(4)
    garbage = symbols.lost(1)[0]
    public = Public(symbols, [message ^ stream, nonce, nonce ^ stream ^ other ^ 1])
    assert all(map(public.holds, (0, 1, message ^ stream ^ nonce ^ 1, message ^ other, garbage ^ nonce)))
    assert not any(map(public.holds, (message, stream, stream ^ nonce, other, Lost())))
    for inputs, known in (((nonce, message ^ stream), True), ((nonce, message), False)):
        cell = symbols.cell(inputs)
        assert cell is not None and public.holds(Mixed(nonce, {cell: 0b0110})) == known
