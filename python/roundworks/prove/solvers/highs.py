"""HiGHS: branch and cut. Its floats are rounded, and every assignment is checked by the run."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

import highspy
import numpy as np

from ...errors import SolverFailed
from .inequalities import lower
from .interface import Solver, SolverRun
from .interrupts import kept_signal


class Highs(Solver):
    """HiGHS by highspy, one model for each run."""

    @property
    def version(self) -> str:
        return f"HiGHS {highspy.Highs().version()}"

    def run(self, run: SolverRun) -> None:
        run.check()
        within = run.goal
        model = _model(run)
        model.setOptionValue("output_flag", False)
        model.setOptionValue("mip_rel_gap", 0.0)
        # The weight is an integer in these units: less than one between the bounds is none.
        model.setOptionValue("mip_abs_gap", 0.99)
        model.setOptionValue("mip_feasibility_tolerance", 1e-7)
        interrupted: list[BaseException] = []

        def heard(event: highspy.highs.HighsCallbackEvent) -> None:
            # A Python error must not cross the solver's frames: keep it, stop, raise it after.
            try:
                kind = event.callback_type
                if kind == highspy.cb.HighsCallbackType.kCallbackMipSolution:
                    run.found(_rounded(event.data_out.mip_solution))
                elif kind == highspy.cb.HighsCallbackType.kCallbackMipLogging:
                    run.proven_float(event.data_out.mip_dual_bound, within)
                    run.tell()
            except BaseException as error:
                interrupted.append(error)
            if event.data_in is not None and (interrupted or run.over):
                event.data_in.user_interrupt = True

        for callback in (model.cbMipSolution, model.cbMipLogging, model.cbMipInterrupt):
            callback.subscribe(heard)
        if run.seconds_left is not None:
            model.setOptionValue("time_limit", run.seconds_left)
        try:
            with kept_signal(interrupted):
                model.run()
        finally:
            model.clearCallbacks()
        if interrupted:
            raise interrupted[0]
        self._conclude(run, model, within)

    def _conclude(self, run: SolverRun, model: highspy.Highs, within: Fraction | None) -> None:
        status = model.getModelStatus()
        kinds = highspy.HighsModelStatus
        if status in (kinds.kInfeasible, kinds.kUnboundedOrInfeasible):
            run.exhausted(within)
        elif status == kinds.kOptimal:
            if not run.found(_rounded(model.getSolution().col_value)):
                raise SolverFailed("highs: its solution breaks a constraint when rounded")
            run.proven_float(model.getInfo().mip_dual_bound, within)
        elif status in (kinds.kTimeLimit, kinds.kInterrupt, kinds.kObjectiveBound):
            run.proven_float(model.getInfo().mip_dual_bound, within)
        else:
            raise SolverFailed(f"highs: stopped with {model.modelStatusToString(status)}")


def _model(run: SolverRun) -> highspy.Highs:
    linear = lower(run.problem)
    n, rows = len(linear.upper), linear.rows
    lp = highspy.HighsLp()
    cost = np.zeros(n)
    for v, weight in run.units.items():
        cost[v] = weight
    bounds = [
        (-highspy.kHighsInf if r.low is None else r.low, highspy.kHighsInf if r.high is None else r.high)
        for r in rows
    ]
    terms = [r.terms for r in rows]
    if run.goal is not None or run.lower:  # what is known shortens the search, and steers it
        terms.append(tuple((w, v) for v, w in run.units.items()))
        most = highspy.kHighsInf if run.goal is None else int(run.goal / run.step)
        bounds.append((int(run.lower / run.step), most))
    lp.num_col_, lp.num_row_ = n, len(terms)
    lp.col_cost_, lp.col_lower_, lp.col_upper_ = cost, np.zeros(n), np.array(linear.upper, float)
    lp.row_lower_ = np.array([low for low, _ in bounds], float)
    lp.row_upper_ = np.array([high for _, high in bounds], float)
    lp.integrality_ = [highspy.HighsVarType.kInteger] * n
    lp.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
    lp.a_matrix_.start_ = np.cumsum([0, *(len(t) for t in terms)])
    lp.a_matrix_.index_ = np.array([v for t in terms for _, v in t], np.int32)
    lp.a_matrix_.value_ = np.array([c for t in terms for c, _ in t], float)
    model = highspy.Highs()
    model.setOptionValue("output_flag", False)
    if model.passModel(lp) == highspy.HighsStatus.kError:
        raise SolverFailed("highs: the model was refused")
    return model


def _rounded(values: Iterable[float]) -> list[bool]:
    return [value > 0.5 for value in values]


SOLVER = Highs()
