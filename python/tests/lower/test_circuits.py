"""Every circuit is evaluated outside of the code that made it, for all values of the cell."""

import random

import numpy as np
import pytest

from calls import cases
from roundworks import spec
from roundworks.errors import DescriptionError
from roundworks.lower import circuits
from roundworks.lower.affine import apply, inversion
from roundworks.lower.circuits import LogicCircuit, affine_to_inversion, circuit
from roundworks.reference.aes import MIX_COLUMNS

CATALOGUE = {s.name: s.table for s in spec.sboxes().values()}
OPS = {
    "xor": lambda a, b: a ^ b,
    "and": lambda a, b: a & b,
    "or": lambda a, b: a | b,
    "andnot": lambda a, b: a & (1 - b),
    "not": lambda a, b: 1 - a,
}


def value(made: LogicCircuit, x: int) -> int:
    """The circuit on one cell, bit-wise."""
    signals = [x >> i & 1 for i in range(made.inputs)]
    for gate in made.gates:
        assert max(gate.a, gate.b) < len(signals)
        signals.append(OPS[gate.op](signals[gate.a], signals[gate.b]))
    return sum(signals[s] << i for i, s in enumerate(made.outputs))


def is_of(made: LogicCircuit, table: tuple[int, ...]) -> bool:
    return [value(made, x) for x in range(len(table))] == list(table)


# Of four bits, whose smallest circuit is searched for the longest, two stand for the others.
SEARCHED = [name for name, table in CATALOGUE.items() if len(table) == 16][:2]


@pytest.mark.parametrize(
    "name", cases(CATALOGUE, short=[n for n, table in CATALOGUE.items() if len(table) != 16 or n in SEARCHED])
)
def test_circuit_computes_its_sbox(name: str) -> None:
    assert is_of(circuit(CATALOGUE[name]), CATALOGUE[name])


# Gates with NOTs: nothing that becomes larger goes unseen.
@pytest.mark.parametrize(
    ("name", "gates"), [("aes", 115), ("gleeok-chi5", 10), ("midori-sb0", 14), ("qarma-sigma0", 13)]
)
def test_circuits_are_no_larger_than_they_were(name: str, gates: int) -> None:
    assert len(circuit(CATALOGUE[name]).gates) <= gates


def test_a_circuit_does_not_depend_on_what_was_made_before() -> None:
    table = CATALOGUE["gleeok-chi5"]
    again = circuits._candidates.__wrapped__(table)
    assert [s.gates for s in again] == [s.gates for s in circuits._candidates(table)]


def test_two_sboxes_on_two_cells_are_two_circuits() -> None:
    one, other = CATALOGUE["gleeok-chi5"], CATALOGUE["gleeok-chi3"]
    both = tuple(one[x >> 3] << 3 | other[x & 7] for x in range(256))
    made = circuit(both)
    assert is_of(made, both)
    assert len(made.gates) == len(circuit(one).gates) + len(circuit(other).gates)


@pytest.mark.parametrize(
    "table",
    [
        (0, 1, 2, 3),
        (3, 2, 1, 0),
        (0, 0, 0, 0),
        (3, 3, 3, 3),
        (0, 3, 0, 3),
        (2, 0, 2, 2),
        tuple(range(16)),
        (15,) * 16,
        tuple(7 - x for x in range(8)),
    ],
)
def test_tables_that_are_hardly_sboxes(table: tuple[int, ...]) -> None:
    assert is_of(circuit(table), table)


@pytest.mark.parametrize(
    "bits", [2, 3, 4, 5, pytest.param(6, marks=pytest.mark.long), pytest.param(8, marks=pytest.mark.long)]
)
def test_random_permutations(bits: int) -> None:
    rng = random.Random(bits)
    table = tuple(rng.sample(range(1 << bits), 1 << bits))
    assert is_of(circuit(table), table)


def test_evaluates_arrays_and_integers_alike() -> None:
    table = CATALOGUE["prince"]
    cells = np.random.default_rng(1).integers(0, 16, (64, 8), dtype=np.uint64)
    planes = [cells >> np.uint64(i) for i in range(4)]
    made = circuit(table).evaluate(planes)
    bits = sum((plane & np.uint64(1)) << np.uint64(i) for i, plane in enumerate(made))
    assert np.array_equal(bits, np.array(table, dtype=np.uint64)[cells])


@pytest.mark.parametrize("size", [2, 3, 512])
def test_says_which_sizes_there_are(size: int) -> None:
    with pytest.raises(DescriptionError, match=rf"want a table of 4, 8, ..., 256 entries, got {size}"):
        circuit(tuple(range(size)))


def test_says_which_entry_is_too_large() -> None:
    with pytest.raises(DescriptionError, match=r"entries are 0\.\.3, got 4"):
        circuit((0, 1, 2, 4))


def test_wants_a_plane_for_every_bit() -> None:
    with pytest.raises(DescriptionError, match=r"want 4 planes, got 3"):
        circuit(CATALOGUE["prince"]).evaluate([0, 0, 0])


def test_inversion_is_the_inverse_of_multiplication() -> None:
    assert inversion()[0] == 0
    assert all(MIX_COLUMNS.times(x, y) == 1 for x, y in enumerate(inversion()) if x)


def composed(maps: tuple[tuple[int, ...], int, tuple[int, ...], int]) -> tuple[int, ...]:
    first, a, second, b = maps
    return tuple(apply(second, inversion()[apply(first, x) ^ a]) ^ b for x in range(256))


def random_matrix(rng: random.Random) -> tuple[int, ...]:
    while True:
        rows = tuple(rng.randrange(256) for _ in range(8))
        if len({apply(rows, x) for x in range(256)}) == 256:
            return rows


@pytest.mark.parametrize("seed", range(5))
def test_finds_the_affine_maps_around_inversion(seed: int) -> None:
    rng = random.Random(seed)
    table = composed((random_matrix(rng), rng.randrange(256), random_matrix(rng), rng.randrange(256)))
    result = affine_to_inversion(table)
    assert result is not None
    assert composed(result) == table


def test_aes_and_its_inverse_are_inversion() -> None:
    aes = CATALOGUE["aes"]
    for table in (aes, tuple(aes.index(x) for x in range(256))):
        result = affine_to_inversion(table)
        assert result is not None
        assert composed(result) == table
        assert is_of(circuit(table), table)
        assert len(circuit(table).gates) <= 117


def test_other_sboxes_are_not_inversion() -> None:
    rng = random.Random(1)
    aes = list(CATALOGUE["aes"])
    aes[3], aes[200] = aes[200], aes[3]
    cube = [MIX_COLUMNS.times(x, MIX_COLUMNS.times(x, x)) for x in range(256)]
    for table in (rng.sample(range(256), 256), aes, cube, list(range(256)), CATALOGUE["prince"]):
        assert affine_to_inversion(tuple(table)) is None
