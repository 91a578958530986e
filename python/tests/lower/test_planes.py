"""Words in bit planes: proven on random layers and on ciphers; a word goes there and back in the right places; an
operation that is wrong is caught."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from layered import Spn, one_round, random_layers, shuffled
from roundworks import reference
from roundworks.errors import DescriptionError
from roundworks.generate.functions import sliced_words
from roundworks.lower.lowering import lower
from roundworks.lower.machines import PLANES
from roundworks.lower.maps import layout, linear_map
from roundworks.lower.plan import plan
from roundworks.lower.planes import WORD, planar, transposed
from roundworks.lower.program import Builder, Op, Program, finished
from roundworks.lower.proof import NotEqual, prove
from roundworks.lower.rounds import copies, runs
from roundworks.lower.walk_planes import Planes
from roundworks.reference import CellPermutation, Recording, Sbox, recordings
from roundworks.reference.aes import SHIFT_ROWS
from roundworks.reference.word import IntWord

CELLS = sorted(PLANES)


def proven(recording: Recording, cell: int) -> Program:
    program = lower(recording, PLANES[cell])
    prove(program, recording, planar(cell))
    return program


@pytest.mark.parametrize("cell", CELLS)
def test_random_layers(cell: int) -> None:
    rng = random.Random(f"planes {cell}")
    proven(one_round(Spn(WORD, random_layers(rng, WORD, cell))), cell)


# A round of AETHER is followed in the last test too.
@pytest.mark.parametrize(
    ("name", "cell"), [("aegis-128", 8), pytest.param("aether", 4, marks=pytest.mark.long)]
)
def test_every_step_of_a_cipher(name: str, cell: int) -> None:
    learned = plan(reference.get_stream(name))
    steps = [s.recording for step in (learned.init, learned.finalise) for loop in step for s in loop.segments]
    for recording in (learned.load, learned.update, learned.seal, learned.open, learned.tag, *steps):
        proven(recording, cell)


@pytest.mark.parametrize("cell", CELLS)
def test_units_of_words_are_transposed(cell: int) -> None:
    builder = Builder(WORD, tuple((f"S{i}", 0) for i in range(cell)))
    values = transposed(builder, range(cell), cell)
    program = finished(builder, "test", {f"Z{i}": (v,) for i, v in enumerate(values)}, ())
    words = [random.Random(i).getrandbits(WORD) for i in range(cell)]
    made = program.run({(f"S{i}", 0): word for i, word in enumerate(words)})
    unit = WORD // cell
    for i in range(cell):
        for j in range(cell):
            assert made[f"Z{j}"][0] >> unit * i & (1 << unit) - 1 == words[i] >> unit * j & (1 << unit) - 1


@pytest.mark.parametrize("cell", CELLS)
def test_a_word_is_sliced_and_back(cell: int) -> None:
    """By the definition: bit j of the cell at place p is bit p of unit j."""
    there, back = sliced_words(PLANES[cell])
    for f, given, made in (
        (there, layout(WORD, WORD), planar(cell)),
        (back, planar(cell), layout(WORD, WORD)),
    ):
        assert f.places == (given, made)
        prove(f.program, f.recording, made, given)
        with pytest.raises(NotEqual):
            prove(f.program, f.recording, given, made)
    word = random.Random(cell).getrandbits(WORD)
    (planes,) = there.program.run({("X0", 0): word})["X'0"]
    for p in range(WORD // cell):
        for j in range(cell):
            assert planes >> WORD // cell * j + p & 1 == word >> cell * p + j & 1
    assert back.program.run({("X0", 0): planes})["X'0"] == (word,)


def test_several_passes_are_calls_of_one_routine(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its operations stand in the program at every call, so that what is proven is what a call executes."""
    monkeypatch.setattr(Planes, "in_line", 1)
    program = lower(plan(reference.get_stream("aegis-128x2")).update, PLANES[8])
    first, second = program.calls
    assert first.routine == second.routine
    for call in program.calls:
        values = [*call.args, *range(program.first + call.at, len(program.ops))]
        for op, same in zip(call.routine.ops, program.ops[call.at :], strict=False):
            assert replace(op, args=tuple(values[a] for a in op.args)) == same
    prove(first.routine, first.recording, planar(8))
    # Nothing around a call takes what is inside it.
    results = {program.first + at for call in program.calls for at in call.results}
    for i, op in enumerate(program.ops):
        if i not in program.called:
            assert all(a - program.first not in program.called or a in results for a in op.args)
    assert not lower(plan(reference.get_stream("aegis-128l")).update, PLANES[8]).calls


def test_cells_are_moved_by_rotations_of_units() -> None:
    """ShiftRows takes two rotations and two selections a plane, not seven masked shifts."""
    program = proven(one_round(Spn(WORD, [SHIFT_ROWS])), 8)
    moves = [op for op in program.ops if op.kind not in ("low", "high", "const")]
    assert len(moves) == 8 * 12
    assert linear_map((SHIFT_ROWS,), WORD, planar(8)).bits == WORD


def test_copies_of_a_round_are_rounds_of_several_blocks() -> None:
    """Against the round of one block, on numbers; the program of all is proven."""
    rng = random.Random("copies")
    recording = runs(reference.get_permutation("simpira-2"))[0].recording
    words = [name for name in recording.inputs if name.startswith("S")]
    several = copies(recording, 3)
    given = {name: IntWord(rng.getrandbits(WORD), WORD) for name in several.inputs}
    made = recordings.run(several, given)
    for block in range(3):
        own = {
            name: given[f"S{block * len(words) + int(name[1:])}" if name in words else name]
            for name in recording.inputs
        }
        alone = recordings.run(recording, own)
        for name, node in recording.outputs.items():
            other = several.outputs[f"S'{block * len(words) + int(name[2:])}"]
            assert made[other].value == alone[node].value
    proven(several, 8)


def changed(op: Op) -> Op | None:
    """The operation with one thing wrong."""
    match op.kind:
        case "low" | "high":
            return replace(op, kind="low" if op.kind == "high" else "high")
        case "shl" | "shr":
            assert isinstance(op.imm, tuple)
            return replace(op, imm=(op.imm[0], op.imm[1] + 1))
        case "xor" | "or":
            return replace(op, kind="and")
        case "and" | "andnot":
            return replace(op, kind="or")
        case "const":
            assert isinstance(op.imm, int)
            return replace(op, imm=op.imm ^ 1 << 77) if op.imm else None
    return None


@pytest.mark.parametrize(("name", "cell"), [("aegis-256", 8), ("aether", 4)])
def test_one_wrong_operation_is_caught(name: str, cell: int) -> None:
    """Of each kind that there is, one in the middle."""
    recording = plan(reference.get_stream(name)).update
    program = lower(recording, PLANES[cell])
    kinds = {op.kind for op in program.ops}
    assert {"low", "high", "shl", "shr", "xor", "and", "const"} <= kinds
    for kind in sorted(kinds):
        places = [i for i, op in enumerate(program.ops) if op.kind == kind and changed(op) is not None]
        if not places:
            continue
        i = places[len(places) // 2]
        wrong = changed(program.ops[i])
        assert wrong is not None
        with pytest.raises(NotEqual):
            prove(
                replace(program, ops=(*program.ops[:i], wrong, *program.ops[i + 1 :])),
                recording,
                planar(cell),
            )


def test_what_has_no_planes_is_one_line() -> None:
    with pytest.raises(DescriptionError, match=r"sub S: cells of 4 bits, in planes of cells of 8$"):
        lower(one_round(Spn(WORD, [Sbox("S", shuffled(16))])), PLANES[8])
    moved = CellPermutation("R", shuffled(64), 1)
    with pytest.raises(DescriptionError, match=r"words of 64 bits; portable has words of 128$"):
        lower(one_round(Spn(64, [moved])), PLANES[8])
