"""Lower bounds whose proofs the checker accepts, and spoilt ones that it refuses.

The models are written out here, on purpose apart from those of the package: what is proven is then easy to
compare with the papers.
"""

from __future__ import annotations

import hashlib
import json
from fractions import Fraction
from pathlib import Path

import pytest

from roundworks.errors import ProofRefused
from roundworks.prove.measures import bounds_of
from roundworks.prove.pipeline import Query
from roundworks.prove.solvers import proofs
from roundworks.prove.solvers.problem import Clause, Parity, Problem, ValueTable, Var, Weights
from roundworks.prove.solvers.proofs import check, formula, prove
from roundworks.reference import get_analysed

MIX_COLUMNS = frozenset({0, 5, 6, 7, 8})
XOR = frozenset({0, 2, 3})


def instruction(problem: Problem, state: list[Var], last: bool = False) -> list[Var]:
    """One AES instruction: S-boxes counted, rows shifted, and columns mixed unless it is the last."""
    for cell in state:
        problem.weigh(cell, 1)
    state = [state[4 * ((c + i) % 4) + i] for c in range(4) for i in range(4)]
    if last:
        return state
    mixed = problem.variables("mixed", 16)
    for c in range(0, 16, 4):
        problem.add(Weights((*state[c : c + 4], *mixed[c : c + 4]), MIX_COLUMNS))
    return mixed


def aes(rounds: int) -> Problem:
    problem = Problem()
    state = problem.variables("input", 16)
    problem.any_of(state)
    for r in range(rounds):
        state = instruction(problem, state, last=r == rounds - 1)
    return problem


def two_words(rounds: int) -> Problem:
    """(2-0,2-2): x0, x1 become F1(x0) ^ x1, F2(x0); two instructions each, F2's second the last kind."""
    problem = Problem()
    x0, x1 = problem.variables("x0", 16), problem.variables("x1", 16)
    problem.any_of([*x0, *x1])
    for _ in range(rounds):
        f1 = instruction(problem, instruction(problem, x0))
        f2 = instruction(problem, instruction(problem, x0), last=True)
        sums = problem.variables("sum", 16)
        for three in zip(f1, x1, sums, strict=True):
            problem.add(Weights(three, XOR))
        x0, x1 = sums, f2
    return problem


def aether_matrix() -> Problem:
    """M of AETHER's F bit-wise: nibble i is the sum of those j with i//4 + j//4 == 3 or i%4 == j%4.

    Active nibbles weigh 2, as the S-box's best difference has probability 2^-2 [AETHER, section 3].
    """
    problem = Problem()
    ways: list[list[Var]] = []
    for _ in range(4):
        before, after = problem.variables("before", 16), problem.variables("after", 16)
        for i in range(16):
            row = [before[j] for j in range(16) if i // 4 + j // 4 == 3 or i % 4 == j % 4]
            problem.add(Parity((*row, after[i]), False))
        ways.append(before + after)
    problem.any_of(v for bits in ways for v in bits[:16])
    for nibble in zip(*ways, strict=True):
        active = problem.variable("active")
        problem.weigh(active, 2)
        for bit in nibble:
            problem.add(Clause((-(bit + 1), active + 1)))
    return problem


@pytest.mark.parametrize(
    ("problem", "bound"),
    [
        pytest.param(aes(4), 25, id="AES, 4 rounds"),
        pytest.param(aether_matrix(), 16, id="AETHER's F, 2^-16 for its trails"),
        pytest.param(two_words(3), 20, id="(2-0,2-2), 3 rounds"),
        pytest.param(two_words(4), 43, id="(2-0,2-2), 4 rounds", marks=pytest.mark.long),
    ],
)
def test_the_bound_is_proven_and_the_proof_checked(problem: Problem, bound: int, tmp_path: Path) -> None:
    file = tmp_path / "bound.json"
    certificate = prove(problem, bound, file)
    assert certificate is not None
    assert certificate.claim == f"no assignment weighs less than {bound}"
    checked = check(file, problem)
    assert checked.lower == bound and checked.steps > 1000
    assert check(file).lower == bound  # and without the problem


def test_what_is_not_so_is_not_proven(tmp_path: Path) -> None:
    with pytest.raises(ProofRefused, match=r"^x.json: the weight can be below 10: nothing to prove$"):
        prove(aes(3), 10, tmp_path / "x.json")
    assert not (tmp_path / "x.json").exists()
    assert prove(aes(4), 25, tmp_path / "late.json", limit=0.0) is None


def test_that_nothing_exists_is_proven_or_refused(tmp_path: Path) -> None:
    problem, file = aes(2), tmp_path / "none.json"
    with pytest.raises(ProofRefused, match=r"^none.json: there is an assignment: nothing to prove$"):
        prove(problem, None, file)
    problem.add(Weights(tuple(problem.weights), frozenset({0})))
    certificate = prove(problem, None, file)
    assert certificate is not None and certificate.claim == "no assignment"
    assert check(file, problem).lower is None
    file.write_text(file.read_text().replace('"none"', '"3"'))
    with pytest.raises(ProofRefused, match="not the clauses of the problem and the bound"):
        check(file, problem)


@pytest.mark.parametrize("bound", [Fraction(0), Fraction(-1, 2), Fraction(1, 3), Fraction(5, 2)])
def test_small_and_fractional_bounds(bound: Fraction, tmp_path: Path) -> None:
    problem = Problem()
    a, b = problem.variables("x", 2)
    problem.weigh(a, Fraction(5, 2))
    problem.weigh(b, Fraction(7, 2))
    problem.any_of((a, b))
    file = tmp_path / "small.json"
    assert prove(problem, bound, file) is not None
    assert check(file, problem).lower == bound
    with pytest.raises(ProofRefused, match="the weight can be below 3"):
        prove(problem, 3, file)


def test_no_half_certificate_is_left(tmp_path: Path) -> None:
    """Where nothing is proven there is no file, and an older certificate stays as it was."""
    path = tmp_path / "aes.json"
    with pytest.raises(ProofRefused):
        prove(aes(2), 6, path)
    assert prove(aes(4), 25, path, limit=0.0) is None
    assert not list(tmp_path.iterdir())
    assert prove(aes(2), 5, path) is not None
    assert prove(aes(4), 25, path, limit=0.0) is None
    assert check(path, aes(2)).lower == 5
    assert len(list(tmp_path.iterdir())) == 3


def test_an_infeasible_problem_has_every_bound(tmp_path: Path) -> None:
    problem = Problem()
    x = problem.variables("x", 3)
    problem.weigh(x[0], 1)
    problem.add(Parity((x[0], x[1]), True))
    problem.add(ValueTable((x[0], x[1]), frozenset({0, 3})))
    assert prove(problem, 1000, tmp_path / "none.json") is not None
    assert check(tmp_path / "none.json", problem).lower == 1000


@pytest.fixture
def certified(tmp_path: Path) -> Path:
    file = tmp_path / "aes3.json"
    assert prove(aes(3), 9, file) is not None
    return file


def spoil(file: Path, offset: int, value: int | None = None) -> None:
    data = bytearray(file.read_bytes())
    data[offset] = data[offset] ^ 0x02 if value is None else value
    file.write_bytes(data)


def resign(file: Path) -> None:
    """Give the certificate the sums of its files as they are: only the checker is left to object."""
    fields = json.loads(file.read_text())
    for kind in ("cnf", "lrat"):
        data = file.with_suffix(f".{kind}").read_bytes()
        fields[f"{kind}_sha256"] = hashlib.sha256(data).hexdigest()
    file.write_text(json.dumps(fields))


def test_a_changed_file_is_refused(certified: Path) -> None:
    spoil(certified.with_suffix(".lrat"), 100)
    with pytest.raises(ProofRefused, match=r"^aes3.lrat: not the file that aes3.json names"):
        check(certified)
    certified.with_suffix(".lrat").unlink()
    with pytest.raises(ProofRefused, match=r"^aes3.lrat: missing"):
        check(certified)


def test_a_spoilt_proof_is_refused_by_the_checker(certified: Path) -> None:
    lrat = certified.with_suffix(".lrat")
    whole = lrat.read_bytes()
    refused = 0
    offsets = range(3, len(whole), max(1, len(whole) // 60))
    for offset in offsets:
        spoil(lrat, offset)
        resign(certified)
        try:
            check(certified)
        except ProofRefused:
            refused += 1
        lrat.write_bytes(whole)
    # A flipped bit can leave a proof right: a deletion of another clause, a hint that is not needed.
    assert refused > len(offsets) // 2
    lrat.write_bytes(whole[:-1])
    resign(certified)
    with pytest.raises(ProofRefused, match="want more, got the end"):
        check(certified)


def test_a_proof_of_another_formula_is_refused(certified: Path) -> None:
    cnf, lines = (certified.with_suffix(".cnf"), certified.with_suffix(".cnf").read_text().split("\n"))
    refused = 0
    for number in range(1, len(lines) - 1, 40):
        # Without this clause's first literal negated the formula is another one.
        first, *rest = lines[number].split()
        changed = [*lines]
        changed[number] = " ".join([str(-int(first)), *rest])
        cnf.write_text("\n".join(changed))
        resign(certified)
        try:
            check(certified)
        except ProofRefused:
            refused += 1
        with pytest.raises(ProofRefused, match="not the clauses of the problem and the bound"):
            check(certified, aes(3))
    assert refused > 0


def test_a_certificate_is_of_one_problem_and_one_bound(certified: Path) -> None:
    with pytest.raises(ProofRefused, match=r"^aes3.json: about problem [0-9a-f]{16}, not"):
        check(certified, aes(2))
    fields = json.loads(certified.read_text())
    certified.write_text(json.dumps({**fields, "lower": "10"}))
    with pytest.raises(ProofRefused, match="not the clauses of the problem and the bound"):
        check(certified, aes(3))
    certified.write_text(json.dumps({**fields, "format": "other"}))
    with pytest.raises(ProofRefused, match="want format 'roundworks certificate 1', got 'other'"):
        check(certified)
    certified.write_text("{}")
    with pytest.raises(
        ProofRefused, match=r"^aes3.json: not a certificate: want format, .*; it lacks format, "
    ):
        check(certified)


@pytest.mark.parametrize("measure", ["trail", "active-sboxes"])
def test_ctrl_c_in_a_proof_keeps_the_bound(
    measure: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stopped(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(proofs, "prove", stopped)
    bounds = bounds_of(get_analysed("present"), measure, Query(2, proof=tmp_path))
    result = next(bounds).bound
    assert result.side == "exact" and result.certainty == "one-solver"
    assert result.method.endswith("; no proof: stopped")
    with pytest.raises(KeyboardInterrupt):
        next(bounds)


def test_no_clause_is_a_unit() -> None:
    """The solver would shorten others by it and number them twice."""
    _, clauses = formula(aes(3), Fraction(9))
    assert min(map(len, clauses)) > 1
