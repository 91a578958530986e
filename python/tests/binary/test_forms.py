"""Forms of S-boxes: as a table, as look-ups and as a circuit one S-box is one form."""

from __future__ import annotations

import itertools
import random

import pytest

from roundworks.binary.forms import LinearMap, PublicBits, Symbols
from roundworks.binary.scalar.operands import added
from roundworks.binary.words import BitWord
from roundworks.errors import NotFollowed
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


def some_lost(symbols: Symbols) -> int:
    """A product that the description does not have."""
    a, b = symbols.fresh(2)
    symbols.is_complete = True
    return symbols.times(a, b)


def test_a_circuit_of_an_sbox_is_its_form() -> None:
    symbols = Symbols()
    inputs = [symbols.xor(a, b) for a, b in itertools.pairwise(symbols.fresh(5))]  # as behind a linear layer
    inputs[2] ^= 1
    want = symbols.substituted(inputs, bytes(SB.table))
    for j in range(4):
        total = 0
        for monomial in anf(SB.table, j):
            product = 1
            for i in range(4):
                if monomial >> i & 1:
                    product = symbols.times(product, inputs[i])
            total = symbols.xor(total, product)
        assert symbols.settled([total]) == [want[j]]


def test_a_wrong_circuit_is_not() -> None:
    symbols = Symbols()
    x = symbols.fresh(4)
    want = symbols.substituted(x, bytes(SB.table))
    wrong = symbols.xor(want[0], symbols.times(x[0], x[1]))
    assert symbols.settled([wrong]) != [want[0]]


def test_a_product_of_outputs_is_found_in_their_cell() -> None:
    symbols = Symbols()
    x = symbols.fresh(4)
    y = symbols.substituted(x, bytes(SB.table))
    symbols.is_complete = True
    count = symbols.count
    product = symbols.times(symbols.xor(y[0], y[2]), y[1] ^ 1)
    assert not symbols.is_lost(product) and not symbols.is_sum(product)
    values = [(v ^ v >> 2) & ~(v >> 1) & 1 for v in SB.table]
    assert symbols.looked_up(x, values, 1) == symbols.settled([product])
    assert symbols.count == count + 1  # of the look-up by a nibble


def test_a_known_bit_rules_out_what_is_lost() -> None:
    symbols = Symbols()
    a, b = symbols.fresh(2)
    lost = some_lost(symbols)

    def of_three(x: int, y: int, z: int, table: int) -> int:
        (bit,) = symbols.of_three_each([x], [y], [z], table)
        return bit

    for known in (0, 1):
        for table in range(256):
            rows = [table >> 2 * row + known & 1 for row in range(4)]  # of (lost, b)
            made = of_three(lost, b, known, table)
            if rows[:2] == rows[2:]:
                assert made == (b ^ rows[0] if rows[0] != rows[1] else rows[0])
            else:
                assert symbols.is_lost(made)
    assert of_three(a, lost, 1, 0x14) == 0 == of_three(0, lost, lost, 0xF0)


def test_what_no_cell_holds_is_lost_and_equals_nothing_else() -> None:
    symbols = Symbols()
    a, b, c = symbols.fresh(3)
    known = symbols.times(a, b)
    symbols.is_complete = True
    count = symbols.count
    assert symbols.times(b, a) == known  # the description's own
    lost = symbols.times(b, c)
    others = [symbols.xor(lost, a), symbols.times(lost, a), symbols.times(b, c)]
    assert all(map(symbols.is_lost, [lost, *others]))
    assert lost not in (*others, *(bit ^ 1 for bit in others), 0)
    assert symbols.is_lost(symbols.xor(lost, symbols.times(b, c)))
    assert symbols.xor(symbols.xor(lost, a), symbols.xor(lost, b)) == symbols.xor(a, b)
    assert symbols.times(lost, 0) == 0
    assert symbols.times(lost, 1) == lost
    assert symbols.settled([lost]) == [lost]
    assert all(map(symbols.is_lost, symbols.substituted([lost, a, b, c], bytes(SB.table))))
    assert all(map(symbols.is_lost, symbols.looked_up([lost, a, b, c], SB.table, 4)))
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
    want = symbols.substituted(byte, bytes(SUB_BYTES.table))
    assert symbols.settled(symbols.looked_up(byte, SUB_BYTES.table, 8)) == want


def test_an_inverse_gives_the_input_again() -> None:
    symbols = Symbols()
    byte, sbox = symbols.fresh(8), bytes(SUB_BYTES.table)
    assert symbols.substituted(symbols.substituted(byte, sbox), bytes(INV_SUB_BYTES.table)) == byte
    nibble, sbox = symbols.fresh(4), bytes(SB.table)
    assert symbols.substituted(symbols.substituted(nibble, sbox), sbox) == nibble


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
    sealed = symbols.xor(message, stream)
    tag = symbols.xor(symbols.xor(nonce, stream), other) ^ 1
    (garbage,) = symbols.left_behind(1)
    of_public, of_both = ([symbols.times(x, y)] for x, y in ((nonce, sealed), (nonce, message)))
    # Functions of cells, as products of what S-boxes take.
    for x, y in ((nonce, sealed), (nonce, message)):
        symbols.substituted([x, y, *symbols.fresh(2)], bytes(SB.table))
    public = PublicBits(symbols, [sealed, nonce, tag])
    for bits in ([0, 1, sealed], [symbols.xor(sealed, nonce) ^ 1, symbols.xor(message, other)]):
        assert public.holds([*bits, symbols.xor(garbage, nonce)])
    for bit in (message, stream, symbols.xor(stream, nonce), other, some_lost(symbols)):
        assert not public.holds([nonce, bit])
    assert not public.holds(of_both) and not public.holds(of_public)  # symbols of their own


def test_functions_of_public_inputs_are_public() -> None:
    symbols = Symbols()
    x = symbols.fresh(8)
    y = [*symbols.substituted(x[:4], bytes(SB.table)), *symbols.substituted(x[4:], bytes(SB.table))]
    public = PublicBits(symbols, x[:4])
    inside, outside = symbols.times(y[0], y[1]), symbols.times(y[4], y[5])
    assert not symbols.is_sum(inside) and not symbols.is_sum(outside)
    assert public.holds([inside, inside ^ 1])
    assert not public.holds([outside]) and not public.holds([symbols.xor(inside, outside)])


def test_what_does_not_fit_is_an_error() -> None:
    symbols = Symbols()
    bits = symbols.fresh(6)
    for call, message in (
        (lambda: symbols.xor_each(bits, bits[:4]), "lists of one length, got 6 and 4"),
        (lambda: symbols.substituted(bits, bytes(SB.table)), "groups of 4 bits, got 6"),
        (lambda: symbols.substituted(bits, bytes(6)), "an S-box of 6 values"),
        (lambda: symbols.looked_up(bits, [0, 1], 1), "a look-up by 6 bits: got 2 values"),
        (lambda: symbols.linear(bits, LinearMap([[1], [0], [2], [3]])), "groups of 4 bits, got 6"),
        (lambda: LinearMap([[0, 2], [1]]), "places below 2"),
        (lambda: symbols.xor(bits[0], 4096), "bit 4096: want one of these symbols"),
    ):
        with pytest.raises(ValueError, match=message):
            call()
    unfinished = symbols.times(symbols.substituted(bits[:4], bytes(SB.table))[0], bits[1])
    with pytest.raises(NotFollowed, match="an S-box of what is no S-box's output yet"):
        symbols.substituted([unfinished, *bits[3:]], bytes(SB.table))
