"""Kissat: clauses again, a fresh process a query. Only its solutions are used, not its proofs."""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Sequence
from fractions import Fraction
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path

from ...errors import SolverFailed, SolverUnavailable
from .clauses import Clauses, dimacs, lower, weight_bound
from .interface import Solver, SolverRun

# Seconds for a query at first; patience doubles, so that no side is stuck behind the other.
PATIENCE = 4.0
# Its own settings for formulas that it expects to have a solution, or none.
_OPTIONS: dict[bool | None, tuple[str, ...]] = {None: (), True: ("--sat",), False: ("--unsat",)}
SATISFIABLE, UNSATISFIABLE, UNKNOWN = 10, 20, 0


class Kissat(Solver):
    """Kissat as a program, a process for each query."""

    @cached_property
    def _program(self) -> Path:
        # Next to its package, which need not be in the first of the environment's folders.
        package = find_spec("passagemath_kissat")
        places = [] if package is None else package.submodule_search_locations or []
        program = Path(*places[:1]).parent / "sage_wheels" / "bin" / "kissat"
        if not program.is_file():
            raise SolverUnavailable(
                f"solver 'kissat': no program at {program}; pip install 'roundworks[prove]'"
            )
        return program

    @cached_property
    def version(self) -> str:
        done = subprocess.run([self._program, "--version"], capture_output=True, check=True)
        return f"Kissat {done.stdout.decode().strip()}"

    def run(self, run: SolverRun) -> None:
        formula = lower(run.problem)
        patience = PATIENCE
        while not run.over:
            # Below what is found first, then at what is proven; a decision has one side.
            targets = [run.goal] if run.goal is None else [run.goal, run.lower]
            for target in targets:
                self._try(run, formula, target, patience if run.units else None)
                if run.over:
                    return
            patience *= 2

    def _try(self, run: SolverRun, formula: Clauses, target: Fraction | None, patience: float | None) -> None:
        run.check()
        query = Clauses(formula.count, list(formula.clauses))
        units = {v + 1: w for v, w in run.units.items()}
        if target is not None and units:
            most = int(target / run.step)
            bounded, clauses = weight_bound(units, most, query.variable, run.check)
            query.clauses += clauses
            query.clauses += [(lit,) for lit in bounded.below(most + 1)]
        left = run.seconds_left
        seconds = min((s for s in (patience, left) if s is not None), default=None)
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "query.cnf"
            file.write_bytes(dimacs(query.count, query.clauses))
            outcome, model = self._query(file, seconds, _OPTIONS[run.expected])
        if outcome == SATISFIABLE:
            values = [v + 1 in model for v in range(len(run.problem.names))]
            if not run.found(values):
                raise SolverFailed("kissat: its model breaks a constraint")
        elif outcome == UNSATISFIABLE:
            run.exhausted(target)
        run.tell()

    def _query(self, file: Path, seconds: float | None, options: Sequence[str]) -> tuple[int, set[int]]:
        # --time is in whole seconds: the process is stopped from here.
        argv: list[str | Path] = [self._program, "-q", *options, file]
        with subprocess.Popen(argv, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
            try:
                output, _ = process.communicate(timeout=seconds)
            except subprocess.TimeoutExpired:
                return UNKNOWN, set()
            finally:
                process.kill()
        if process.returncode not in (SATISFIABLE, UNSATISFIABLE, UNKNOWN):
            raise SolverFailed(f"kissat: stopped with exit status {process.returncode}")
        model = {
            int(field)
            for line in output.decode("ascii").splitlines()
            if line.startswith("v")
            for field in line.split()[1:]
        }
        return process.returncode, model


SOLVER = Kissat()
