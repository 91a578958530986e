"""The candidates for AETHER's inner function, and the layers of ours in them."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

from roundworks import spec
from roundworks.analysis.codes import matrix_branch_number as branch_number
from roundworks.prove.bitwise import collisions, trails
from roundworks.reference import IntWord, Matrix, get_stream, record_rounds
from roundworks.reference.aes import aes
from roundworks.reference.aether import f
from roundworks.reference.catalogue import get_analysed
from roundworks.reference.inner import M_8, M_32
from roundworks.reproduce import Run
from roundworks.reproduce.aether_bits import section_4_3, stand_ins
from solving import lightest_trails


def transposed(matrix: Matrix) -> Matrix:
    return Matrix("t", tuple(zip(*matrix.rows, strict=True)), matrix.cell_bits)


@pytest.mark.parametrize("matrix", [M_8, M_32], ids=lambda m: m.name)
def test_matrices_are_involutions(matrix: Matrix) -> None:
    for column in range(matrix.size):
        unit = [int(i == column) for i in range(matrix.size)]
        assert matrix.apply(matrix.apply(unit)) == unit


def test_branch_number_of_8() -> None:
    """All 255 inputs, for differences and for masks; as [AETHER, table 4]."""
    wanted = spec.matrices()["m8"].branch_number
    assert branch_number(M_8) == branch_number(transposed(M_8)) == wanted == 5


@pytest.mark.parametrize("matrix", [M_32, transposed(M_32)], ids=["differences", "masks"])
def test_branch_number_of_32(matrix: Matrix) -> None:
    """All inputs of at most five cells. As the matrix is its own inverse, that is also all outputs
    of at most five, and 6 + 6 is 12."""
    columns = np.array([sum(row[j] << i for i, row in enumerate(matrix.rows)) for j in range(32)], np.uint32)
    minimum = 64
    for weight in range(1, 6):
        chosen = np.array(list(combinations(range(32), weight)))
        images = np.bitwise_xor.reduce(columns[chosen], axis=1)
        counts = np.unpackbits(images.view(np.uint8).reshape(-1, 4), axis=1).sum(axis=1)
        minimum = min(minimum, weight + int(counts.min()))
    assert minimum >= 12
    # Light inputs reach it, or an input of six with six outputs does.
    six = np.bitwise_xor.reduce(columns[np.array(list(combinations(range(32), 6)))], axis=1)
    counts = np.unpackbits(six.view(np.uint8).reshape(-1, 4), axis=1).sum(axis=1)
    assert min(minimum, 6 + int(counts.min())) == 12 == spec.matrices()["m32"].branch_number


def test_table_4_says_they_are_not_the_papers() -> None:
    results = {ours.row: ours for ours in stand_ins()}
    assert [(o.value, o.platform) for o in results.values()] == [(5, "m8, ours"), (12, "m32, ours")]
    assert all("of ours in place of" in o.reason for o in results.values())


def test_functions_are_those_of_the_ciphers() -> None:
    x = IntWord(0x000102030405060708090A0B0C0D0E0F, 128)
    assert get_analysed("aether-f-16").run([x], 1) == [f(x)]  # type: ignore[union-attr, list-item]
    assert get_analysed("aether-f-aes").run([x], 1) == [aes(x)]  # type: ignore[union-attr, list-item]


@pytest.mark.parametrize(
    ("name", "weight"), [("aether-f-8", 10), pytest.param("aether-f-32", 24, marks=pytest.mark.long)]
)
def test_one_function(name: str, weight: int) -> None:
    """[AETHER, table 5], with layers of ours."""
    (result,) = lightest_trails(get_analysed(name), 1)  # type: ignore[arg-type]
    assert result.bound.value == result.bound.upper == weight and result.bound.side == "exact"


@pytest.mark.long
def test_two_f8() -> None:
    """The permutation of ours gives the 2^-32 of [AETHER, table 5]."""
    result = lightest_trails(get_analysed("aether-f-8"), 2)[-1]  # type: ignore[arg-type]
    assert result.bound.value == result.bound.upper == 32
    assert result.bound.witness is not None and result.bound.witness["active"] == 16


@pytest.mark.long
def test_integrals_of_aether() -> None:
    """[AETHER, section 4.3]; S1 ^ S2 ^ S6 is 0 after the load, so key and nonce give less."""
    run = Run()
    results = {ours.row.partition(", ")[2]: ours for ours in section_4_3(run)}
    values = {row: ours.value for row, ours in results.items()}
    assert values == {"": 8, "nonce active": 5, "key and nonce active": 7}
    assert results[""].status is None and "S1 ^ S2 ^ S6 = 0" in results[""].reason
    assert [row["rounds"] for row in run.extra] == [8, 5, 7]
    cipher = get_stream("aether")
    K = [IntWord(0x1234, 128), IntWord(0x5678, 128)]
    loaded = cipher.load(K, [IntWord(0x9ABC, 128)])
    assert (loaded[1] ^ loaded[2] ^ loaded[6]).value == 0


def test_no_collision_has_fewer_units() -> None:
    assert collisions.attained(get_stream("aether"), 63) is None  # nor a walk


@pytest.mark.long
def test_a_collision_is_found() -> None:
    """[AETHER, section 4.4]: 82 S-boxes of probability 1/4 each, found anew."""
    cipher = get_stream("aether")
    result = collisions.attained(cipher, 82, limit=3600)
    assert result is not None
    assert (result.checked.active, result.checked.weight) == (82, 164)
    recording = collisions.record_states(cipher, len(result.walk.states))
    assert trails.check(recording, result.trail) == result.checked
    ends = result.trail.ends
    assert not any(ends[f"S{i}"] or ends[f"S{len(result.walk.states)}.{i}"] for i in range(9))
    assert any(ends[f"X0.{i}"] for i in range(3))


@pytest.mark.long
def test_refutations_leave_proofs(tmp_path: Path) -> None:
    """Both walks of eight active F with fewer than 65 S-boxes; nothing is left of the files."""
    result = collisions.no_lighter(get_stream("aether"), 65, certify=tmp_path)
    assert result.proven and len(result.proofs) == len(result.walks) == 2
    assert all(proof.steps > 1000 for proof in result.proofs)
    assert not list(tmp_path.iterdir())
    late = collisions.no_lighter(get_stream("aether"), 65, certify=tmp_path, limit=1e-9)
    assert not late.proven and len(late.open) == 2 and not late.proofs


def test_names_are_analysed() -> None:
    for name in ("aether-f-aes", "aether-f-8", "aether-f-16", "aether-f-32"):
        description = get_analysed(name)
        assert description.name == name and len(record_rounds(description, 2).inputs) == 1
