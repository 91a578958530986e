"""Programs of recorded functions: proven equal for all inputs, and caught where one operation is wrong."""

from __future__ import annotations

import functools
import random
from collections import Counter
from dataclasses import dataclass, replace
from typing import Any

import pytest

from calls import cases
from layered import Spn, one_round, random_layers, shuffled
from places import TOY
from roundworks import reference
from roundworks.errors import DescriptionError
from roundworks.generate.functions import lowered_stream, worthwhile
from roundworks.lower.limbs import on_limbs
from roundworks.lower.lowering import byte_order, lower, single
from roundworks.lower.machines import (
    AARCH64,
    AESNI,
    AVX2,
    AVX512,
    GFNI,
    MACHINES,
    PORTABLE,
    VAES256,
    VAES512,
    Machine,
)
from roundworks.lower.maps import LinearMap, layout, linear_map
from roundworks.lower.plan import Plan, plan
from roundworks.lower.program import Builder, Op, Program, evaluate
from roundworks.lower.proof import NotEqual, prove
from roundworks.lower.structured import of_index_bits, transposed
from roundworks.reference import CellPermutation, Matrix, Permutation, Recording, Sbox, load_file
from roundworks.reference.aes import MIX_COLUMNS, SUB_BYTES
from roundworks.reference.aether import M_B, PERMUTATION


def proven(recording: Recording, word_bits: int, machine: Machine, order: str = "little") -> Program:
    program = lower(recording, machine, order)
    prove(program, recording, layout(word_bits, machine.bits, order))
    return program


@functools.cache
def planned(name: str) -> Plan:
    """Of the catalogue, or the toy."""
    return plan(load_file(TOY) if name == "toy" else reference.get_stream(name))


# The toy has words of 64 bits; machines with several words a register have AEGIS-256 instead. AES rounds
# by shuffles are made and proven on one machine.
EVERY = [
    (name, machine)
    for name in ("toy", "aegis-128", "aether")
    for machine in MACHINES.values()
    if machine not in (AVX2, AVX512) or name == "aether"
]


@pytest.mark.parametrize(("name", "machine"), EVERY, ids=[f"{name}-{m.name}" for name, m in EVERY])
def test_every_step_of_a_cipher(name: str, machine: Machine) -> None:
    learned = planned("aegis-256" if name == "toy" and machine.lanes > 1 else name)
    recordings = [learned.load, learned.keystream, learned.tag]
    if name != "aegis-128" or machine is not PORTABLE:
        recordings.append(learned.update)
    for step in (learned.init, learned.finalise):
        recordings += [segment.recording for loop in step for segment in loop.segments]
    for recording in recordings:
        proven(recording, learned.cipher.word_bits, machine)


@pytest.mark.parametrize("machine", [PORTABLE, AESNI, GFNI], ids=["portable", "aesni", "gfni"])
@pytest.mark.parametrize("cell", [4, 8])
@pytest.mark.parametrize("word_bits", cases([32, 64, 128], short=[32]))
def test_random_layers(word_bits: int, cell: int, machine: Machine) -> None:
    rng = random.Random(f"{word_bits} {cell}")
    for _ in range(3 if cell == 4 else 1):
        cipher = Spn(word_bits, random_layers(rng, word_bits, cell))
        proven(one_round(cipher), word_bits, machine)


WORDS = [(64, 2), (40, 5), (60, 3), (63, 7), (48, 6), (16, 4), (8, 8)]


@pytest.mark.parametrize(("word_bits", "cell"), cases(WORDS, short=[*WORDS[:3], (16, 4)]))
def test_cells_that_fill_no_byte(word_bits: int, cell: int) -> None:
    sbox = Sbox("S", shuffled(1 << cell))
    moved = CellPermutation("P", shuffled(word_bits), 1)
    cipher = Spn(word_bits, [sbox, moved, sbox])
    proven(one_round(cipher), word_bits, PORTABLE, "big")


@pytest.mark.long
def test_cells_across_bytes_take_the_order_of_numbers() -> None:
    """Although bits that move by whole bytes take fewer operations in that of memory."""
    sbox = Sbox("S", shuffled(64))
    moved = CellPermutation("R", tuple((i - 8) % 24 for i in range(24)), 1)
    recording = one_round(Spn(24, [sbox, moved]))
    assert byte_order(PORTABLE, [recording]) == "big"
    proven(recording, 24, PORTABLE, "big")
    with pytest.raises(NotEqual):
        proven(recording, 24, PORTABLE, "little")
    alone = one_round(Spn(24, [moved]))
    assert byte_order(PORTABLE, [alone]) == "little" and byte_order(PORTABLE, [alone], [recording]) == "big"


class Repeated(Permutation[Any]):
    """Two ANDs that the description has twice, in both orders of their words, and an AND of one word."""

    name, words, rounds, word_bits = "repeated", 2, 1, 32

    def round(self, S: Any, i: int) -> list[Any]:
        a, b = S
        first, again = a & b, b & a
        return [(first ^ a) & b, (again ^ a) & (a & a)]


@pytest.mark.parametrize("name", [name for name, machine in MACHINES.items() if machine.lanes == 1])
def test_what_a_description_has_twice(name: str) -> None:
    proven(one_round(Repeated()), 32, MACHINES[name])


def mutants(program: Program, rng: random.Random) -> list[Program]:
    """Programs with one operation changed so that it computes something else on whole words."""
    made = []
    for i, op in enumerate(program.ops):
        changed: Op | None = None
        imm: Any = op.imm
        if op.kind == "xor":
            changed = replace(op, kind="and")
        elif op.kind == "ternary":
            changed = replace(op, imm=imm ^ 0x81)  # of equal operands, which every gate has
        elif op.kind == "lookup":
            k = rng.randrange(16)
            changed = replace(op, imm=tuple(x ^ 4 if j == k else x for j, x in enumerate(imm)))
        elif op.kind == "shuffle":
            k = rng.choice([j for j, x in enumerate(imm) if x is not None])
            changed = replace(op, imm=tuple((x + 1) % 16 if j == k else x for j, x in enumerate(imm)))
        elif op.kind in ("shl", "shr"):
            changed = replace(op, imm=(imm[0], imm[1] % 3 + 1))
            changed = None if changed == op else changed
        elif op.kind == "rotl":
            changed = replace(op, imm=imm + 1)
        elif op.kind == "flip":
            changed = replace(op, imm=(imm[0] ^ 1, *imm[1:]))
        elif op.kind == "pack":
            changed = replace(op, args=op.args[::-1])
        elif op.kind == "lanes":
            changed = replace(op, imm=(*imm[1:], imm[0]))
        elif op.kind == "aesenc":
            changed = replace(op, kind="aesenclast")
        if changed is not None:
            made.append(replace(program, ops=(*program.ops[:i], changed, *program.ops[i + 1 :])))
    return rng.sample(made, min(12, len(made)))


@pytest.mark.parametrize("machine", MACHINES.values(), ids=MACHINES)
@pytest.mark.parametrize("name", ["toy", "aegis-128l"])
def test_one_wrong_operation_is_caught(name: str, machine: Machine) -> None:
    if not machine.aes and (name == "aegis-128l" or machine.lanes > 1):
        name = "aether"
    elif machine.lanes > 1:
        name = "aegis-128l"
    recording = planned(name).update
    program, place = lower(recording, machine), layout(planned(name).cipher.word_bits, machine.bits)
    for wrong in mutants(program, random.Random(name)):
        with pytest.raises(NotEqual):
            prove(wrong, recording, place)


@pytest.mark.parametrize(
    ("name", "machine", "most"),
    [("aegis-128x4", VAES512, 0), ("aegis-256x2", VAES256, 0), ("aether", AVX512, 20)],
)
def test_words_of_a_message_share_a_register(name: str, machine: Machine, most: int) -> None:
    """As few operations as words fill registers, and few moves of words; each move counts in the proof,
    and a program computes what it did with one word a register."""
    recording, place = planned(name).seal, layout(128, 128)
    one, several = single(recording, machine), lower(recording, machine)
    moves = [i for i, op in enumerate(several.ops) if op.kind == "lanes"]
    count = sum(op.kind != "const" for op in one.ops)
    assert len(moves) <= most and sum(op.kind != "const" for op in several.ops) <= count / machine.lanes + 25
    rng = random.Random(name)
    words = {name: rng.getrandbits(128) for name in one.inputs}
    assert one.run(words) == several.run(words)
    for i in moves:
        imm: Any = several.ops[i].imm
        wrong = replace(several.ops[i], imm=(*imm[1:], imm[0]))
        with pytest.raises(NotEqual):
            prove(replace(several, ops=(*several.ops[:i], wrong, *several.ops[i + 1 :])), recording, place)


def test_a_sum_of_all_words_adds_up_registers_first() -> None:
    """The tag of AEGIS-128X4: seven registers by three sums of three, then their lanes by two moves."""
    learned = planned("aegis-128x4")
    program = proven(learned.tag, 128, VAES512)
    kinds = [op.kind for op in program.ops]
    assert [kinds.count(kind) for kind in ("ternary", "lanes", "xor")] == [3, 2, 2] and len(kinds) == 7
    rng = random.Random("sum")
    words = {name: rng.getrandbits(128) for name in single(learned.tag, VAES512).inputs}
    assert program.run(words) == single(learned.tag, VAES512).run(words)


def test_what_a_cpu_has_as_well() -> None:
    every = {name for name in MACHINES if name != "aarch64"}
    want = {
        "portable": {"portable"},
        "aesni": {"portable", "aesni"},
        "gfni": {"portable", "aesni", "gfni"},
        "avx2": {"portable", "aesni", "avx2"},
        "vaes256": {"portable", "aesni", "avx2", "vaes256"},
        **dict.fromkeys(("evex128", "evex256", "avx512", "vaes512"), every),
        "aarch64": {"portable", "aarch64"},
    }
    for name, machine in MACHINES.items():
        assert {other for other in MACHINES if machine.has(MACHINES[other])} == want[name]


@dataclass(frozen=True)
class Costing:
    machine: Machine
    cost: int


def test_the_cheapest_is_chosen_on_every_cpu() -> None:
    """A file chooses the last back end that the CPU has."""
    rng = random.Random("machines")
    for _ in range(200):
        made = [Costing(machine, rng.randrange(9)) for machine in MACHINES.values()]
        kept = worthwhile(made)
        for cpu in MACHINES.values():
            there = [f for f in made if cpu.has(f.machine)]
            chosen = [f for f in kept if cpu.has(f.machine)][-1]
            assert chosen.cost == min(f.cost for f in there)


@pytest.mark.long
def test_several_words_a_register_only_where_it_pays() -> None:
    for name, want in (
        ("aegis-128l", ["aesni", "evex128"]),
        ("aegis-128x2", ["aesni", "vaes256", "evex256"]),
        ("aegis-128x4", ["aesni", "vaes256", "vaes512"]),
    ):
        _, made = lowered_stream(reference.get_stream(name), ())
        assert [f.machine.name for f in made] == ["portable", *want, "aarch64"]
    # A machine that is named is used whether it pays or not.
    program = proven(planned("aegis-128l").update, 128, VAES256)
    assert any(op.kind == "lanes" for op in program.ops)
    with pytest.raises(
        DescriptionError, match=r"words of 64 bits; vaes256 has words of 128, back ends of one"
    ):
        lower(one_round(Spn(64, [Sbox("S", shuffled(16))])), VAES256)


def test_aes_rounds_are_instructions() -> None:
    """The key and every sum folded: no operation but the rounds and what the message adds."""
    for name, rounds, sums in (("aegis-128l", 8, 2), ("rocca-s", 6, 1)):
        program = lower(planned(name).update, AESNI)
        kinds = [op.kind for op in program.ops]
        assert (kinds.count("aesenc"), kinds.count("xor"), len(kinds)) == (rounds, sums, rounds + sums)


def test_an_s_box_of_eight_bits_by_gfni_and_by_sixteenths() -> None:
    """One that is inversion between affine maps, and one that is not; both on every machine."""
    table = tuple(SUB_BYTES.table[x ^ 0x5A] ^ 0x33 for x in range(256))
    for sbox, operations in ((Sbox("T", table), 2), (Sbox("R", shuffled(256)), 47)):
        program = proven(one_round(Spn(128, [sbox])), 128, GFNI)
        kinds = [op.kind for op in program.ops if op.kind != "const"]
        assert len(kinds) <= 2 if operations == 2 else len(kinds) > 40
        proven(one_round(Spn(128, [sbox])), 128, AESNI)
        proven(one_round(Spn(128, [sbox])), 128, AARCH64)


def test_half_bytes_are_joined_in_pairs() -> None:
    """The last layers of AETHER's F, and a shuffle more where the half bytes of a half come in another order.
    A pair of bytes whose high halves may not be clear, which a sum of numbers mixes, is not proven."""
    order = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 15, 14]
    other = tuple(16 * (i % 2) + order[i // 2] for i in range(32))
    for moved, shuffles in ((PERMUTATION, 0), (CellPermutation("Q", other, 4), 2)):
        recording = one_round(Spn(128, [Sbox("S", shuffled(16)), moved]))
        program = proven(recording, 128, AESNI)
        kinds = Counter(op.kind for op in program.ops)
        assert (kinds["lookup"], kinds["shuffle"], kinds["pair"], kinds["pack"]) == (2, shuffles, 2, 1)
        dirty = [replace(op, args=(0,)) if op.kind == "pair" else op for op in program.ops]
        with pytest.raises(NotEqual):
            prove(replace(program, ops=tuple(dirty)), recording, layout(128, 128))
        assert not Counter(op.kind for op in proven(recording, 128, AARCH64).ops)["pair"]


@pytest.mark.parametrize("bits", [32, 64, 128])
def test_permutations_of_bits_by_exchanges(bits: int) -> None:
    rng = random.Random(bits)
    place = layout(bits, 64)
    for _ in range(5):
        moved = CellPermutation("P", shuffled(bits, rng), 1)
        linear = linear_map((moved,), bits, place)
        builder = Builder(64, tuple(("S0", k) for k in range(place.parts)))
        made = on_limbs(builder, linear, range(place.parts))
        values = [rng.getrandbits(min(64, bits)) for _ in range(place.parts)]
        want = sum(v << 64 * i for i, v in enumerate(values))
        for op in builder.ops:
            values.append(evaluate(op, [values[a] for a in op.args], 64))
        actual = sum(values[v] << 64 * i for i, v in enumerate(made))
        assert all(
            (actual >> i & 1) == (want >> row.bit_length() - 1 & 1)
            for i, row in enumerate(linear.rows)
            if row
        )


def test_what_a_machine_lacks_is_one_line() -> None:
    cipher = Spn(40, [Sbox("S5", shuffled(32))])
    with pytest.raises(
        DescriptionError,
        match=r"^layered.py:\d+: sub S5: cells of 5 bits; aesni has cells of 4 and 8 bits, SystemVerilog has",
    ):
        lower(one_round(cipher), AESNI)
    wide = Spn(256, [Sbox("S", shuffled(16))])
    with pytest.raises(
        DescriptionError, match=r"words of 256 bits; aesni has words of up to 128, portable has"
    ):
        lower(one_round(wide), AESNI)


def on_value(linear: LinearMap, value: int) -> int:
    return sum(((row & value).bit_count() & 1) << i for i, row in enumerate(linear.rows))


@pytest.mark.parametrize("order", ["little", "big"])
def test_circulant_matrices_and_permutations_of_index_bits_take_few_operations(order: str) -> None:
    """MixColumns, another circulant matrix, the matrix and the cells' permutation of AETHER, as their rows say."""
    other = Matrix("C", ((1, 2, 6, 4), (4, 1, 2, 6), (6, 4, 1, 2), (2, 6, 4, 1)), 8, 0x11B)
    rng = random.Random(order)
    place = layout(128, 64, order)
    for layer, most in ((MIX_COLUMNS, 54), (other, 200), (M_B, 52), (PERMUTATION, 42)):
        linear = linear_map((layer,), 128, place)
        builder = Builder(64, (("S0", 0), ("S0", 1)))
        made = on_limbs(builder, linear, (0, 1))
        assert sum(op.kind != "const" for op in builder.ops) <= most
        for _ in range(20):
            values = [rng.getrandbits(64), rng.getrandbits(64)]
            want = on_value(linear, values[0] | values[1] << 64)
            for op in builder.ops:
                values.append(evaluate(op, [values[a] for a in op.args], 64))
            assert values[made[0]] | values[made[1]] << 64 == want


def test_every_permutation_of_index_bits() -> None:
    """Of 128 bits in two values, and with complements where these are made of transpositions."""
    rng = random.Random(1)
    for _ in range(200):
        images, added = rng.sample([1, 2, 4, 8, 16, 32, 64], 7), rng.choice([0, 0, rng.getrandbits(7)])
        source = [added ^ sum(images[k] for k in range(7) if i >> k & 1) for i in range(128)]
        linear = LinearMap(tuple(1 << j for j in source))
        pairs = of_index_bits(linear)
        if pairs is None:
            assert added
            continue
        builder = Builder(64, (("S0", 0), ("S0", 1)))
        made = transposed(builder, pairs, (0, 1))
        values = [rng.getrandbits(64), rng.getrandbits(64)]
        want = on_value(linear, values[0] | values[1] << 64)
        for op in builder.ops:
            values.append(evaluate(op, [values[a] for a in op.args], 64))
        assert values[made[0]] | values[made[1]] << 64 == want
