"""SCIP: branch and cut by other people than HiGHS's, to agree or disagree with it."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from pyscipopt import Eventhdlr, Expr, Model, Variable, quicksum
from pyscipopt.scip import PY_SCIP_EVENTTYPE as EVENT
from pyscipopt.scip import Event

from ...errors import SolverFailed
from .inequalities import lower
from .interface import Solver, SolverRun
from .interrupts import kept_signal


class Scip(Solver):
    """SCIP by pyscipopt, one model for each run."""

    @property
    def version(self) -> str:
        model = Model()
        return f"SCIP {model.getMajorVersion()}.{model.getMinorVersion()}.{model.getTechVersion()}"

    def run(self, run: SolverRun) -> None:
        run.check()
        within = run.goal
        model, columns = _model(run)
        watch = _Watch(run, columns, within)
        model.includeEventhdlr(watch, "watch", "bounds and assignments as they come")
        if run.seconds_left is not None:
            model.setParam("limits/time", run.seconds_left)
        with kept_signal(watch.raised):
            model.optimizeNogil()
            status = model.getStatus()
            if status in ("timelimit", "userinterrupt"):
                run.proven_float(model.getDualbound(), within)
        if watch.raised:
            raise watch.raised[0]
        if status in ("infeasible", "inforunbd"):
            run.exhausted(within)
        elif status == "optimal":
            if not run.found(watch.values(model)):
                raise SolverFailed("scip: its solution breaks a constraint when rounded")
            run.proven_float(model.getDualbound(), within)
        elif status not in ("timelimit", "userinterrupt"):
            raise SolverFailed(f"scip: stopped with {status}")


# At these the bounds are looked at; the others come often enough to stop soon: a node can take a minute.
_NEWS = (EVENT.BESTSOLFOUND, EVENT.NODESOLVED)
_OFTEN = (EVENT.PRESOLVEROUND, EVENT.FIRSTLPSOLVED, EVENT.LPSOLVED, EVENT.ROWADDEDSEPA)


class _Watch(Eventhdlr):
    def __init__(self, run: SolverRun, columns: list[Variable], within: Fraction | None) -> None:
        self.run, self.columns, self.within = run, columns, within
        self.raised: list[BaseException] = []

    def values(self, model: Model) -> list[bool]:
        solution = model.getBestSol()
        return [model.getSolVal(solution, column) > 0.5 for column in self.columns]

    def eventinit(self) -> None:
        for kind in (*_NEWS, *_OFTEN):
            self.model.catchEvent(kind, self)

    def eventexit(self) -> None:
        for kind in (*_NEWS, *_OFTEN):
            self.model.dropEvent(kind, self)

    def eventexec(self, event: Event) -> None:
        # An error must not cross SCIP's frames: keep it, stop, raise it after.
        try:
            if event.getType() in _NEWS:
                if self.model.getNSols():
                    self.run.found(self.values(self.model))
                self.run.proven_float(self.model.getDualbound(), self.within)
        except BaseException as error:
            self.raised.append(error)
        if self.raised or self.run.over:
            self.model.interruptSolve()


def _model(run: SolverRun) -> tuple[Model, list[Variable]]:
    linear = lower(run.problem)
    model = Model()
    model.hideOutput()
    model.setParam("misc/catchctrlc", False)  # it would keep the signal for itself
    units = run.units
    columns = [
        model.addVar(vtype="B" if upper == 1 else "I", lb=0, ub=upper, obj=units.get(v, 0))
        for v, upper in enumerate(linear.upper)
    ]
    for row in linear.rows:
        total = _total(columns, row.terms)
        if not row.terms:
            if (row.low or 0) > 0 or (row.high or 0) < 0:
                # A row without variables that cannot hold.
                model.addCons(columns[0] >= 2)
        elif row.low is not None and row.high is not None:
            model.addCons((row.low <= total) <= row.high)
        elif row.low is not None:
            model.addCons(total >= row.low)
        elif row.high is not None:
            model.addCons(total <= row.high)
    if run.goal is not None and units:
        model.addCons(_total(columns, [(w, v) for v, w in units.items()]) <= int(run.goal / run.step))
    model.setObjIntegral()
    return model, columns


def _total(columns: list[Variable], terms: Iterable[tuple[int, int]]) -> Expr:
    total: Expr = quicksum(c * columns[v] for c, v in terms)
    return total


SOLVER = Scip()
