"""Gurobi, for who has it and a licence; nothing of ours needs it, and no test runs it."""

from __future__ import annotations

import gurobipy

from ...errors import SolverFailed, SolverUnavailable
from .inequalities import lower
from .interface import Solver, SolverRun


class Gurobi(Solver):
    """Gurobi by its own Python package."""

    @property
    def version(self) -> str:
        return "Gurobi " + ".".join(map(str, gurobipy.gurobi.version()))

    def run(self, run: SolverRun) -> None:
        run.check()
        try:
            environment = gurobipy.Env(params={"OutputFlag": 0})
        except gurobipy.GurobiError as error:
            raise SolverUnavailable(f"solver 'gurobi': no licence: {error}") from error
        with environment, gurobipy.Model(env=environment) as model:
            self._solve(run, model)

    def _solve(self, run: SolverRun, model: gurobipy.Model) -> None:
        linear, units, kinds = lower(run.problem), run.units, gurobipy.GRB
        within = run.goal
        x = [
            model.addVar(vtype=kinds.INTEGER, ub=upper, obj=units.get(v, 0))
            for v, upper in enumerate(linear.upper)
        ]
        for row in linear.rows:
            total = gurobipy.LinExpr([(c, x[v]) for c, v in row.terms])
            if row.low is not None:
                model.addConstr(total >= row.low)
            if row.high is not None:
                model.addConstr(total <= row.high)
        if run.goal is not None and units:
            weight = gurobipy.LinExpr([(w, x[v]) for v, w in units.items()])
            model.addConstr(weight <= int(run.goal / run.step))
        model.Params.MIPGap = 0
        model.Params.MIPGapAbs = 0.99
        if run.seconds_left is not None:
            model.Params.TimeLimit = run.seconds_left

        def heard(_: gurobipy.Model, where: int) -> None:
            if where == kinds.Callback.MIPSOL:
                run.found([value > 0.5 for value in model.cbGetSolution(x)])
            elif where == kinds.Callback.MIP:
                run.proven_float(model.cbGet(kinds.Callback.MIP_OBJBND), within)
            if run.over:
                model.terminate()

        model.optimize(heard)
        if model.Status in (kinds.INFEASIBLE, kinds.INF_OR_UNBD):
            run.exhausted(within)
        elif model.Status in (kinds.OPTIMAL, kinds.TIME_LIMIT, kinds.INTERRUPTED):
            if model.SolCount and not run.found([v.X > 0.5 for v in x]):
                raise SolverFailed("gurobi: its solution breaks a constraint when rounded")
            run.proven_float(model.ObjBound, within)
        else:
            raise SolverFailed(f"gurobi: stopped with status {model.Status}")


SOLVER = Gurobi()
