"""The same queries put to another tool and to ours, one after the other, each in a fresh process.

`python -m roundworks.bench.other_tools ocp|cryptosmt CHECKOUT [--python FILE] [--limit SECONDS]` stores a row for
each query and prints how many times as fast ours is. docs/reference/bounds.md says what each side does.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import resource
import signal
import subprocess
import sys
import tempfile
import time
import uuid
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from roundworks.bench.files import COMMAND
from roundworks.bench.other_tool_queries import Query, cryptosmt, ocp
from roundworks.bench.scaling import limited
from roundworks.errors import RoundworksError
from roundworks.ratios import TOOLS_WANTED, ToolRatio
from roundworks.rows import ComparisonRow, Store

LIMIT_S = 300.0
# A solver of inequalities says 24.999999 where 25 is meant.
DIGITS = 4


@dataclass(frozen=True, slots=True)
class Tool:
    """Another tool: its queries, and the command that solves one in a checkout of it, given a Python.

    The first group of ``printed`` is the value in what the command prints.
    """

    name: str
    queries: tuple[Query, ...]
    command: Callable[[Query, str], Sequence[str]]
    printed: re.Pattern[str]


@dataclass(frozen=True, slots=True)
class Ended:
    """A process that ended, or that the limit stopped: then ``said`` is None."""

    said: str | None
    seconds: float
    cpu_seconds: float


def ran(
    argv: Sequence[str], folder: Path, limit: float, who: str, more: dict[str, str] | None = None
) -> Ended:
    """What a process prints; at the limit, it and all that it started are killed.

    Raises
    ------
    RoundworksError
        ``other_tools: OCP: aes, ...: ended with 1: ModuleNotFoundError: No module named 'pysat'``
    """
    before, started = _children_cpu(), time.perf_counter()
    said: str | None
    try:
        with subprocess.Popen(
            argv,
            cwd=folder,
            env=_environment() | (more or {}),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        ) as process:
            try:
                said, wrong = process.communicate(timeout=limit)
            except subprocess.TimeoutExpired:
                said, wrong = None, ""
            finally:
                if process.poll() is None:
                    os.killpg(process.pid, signal.SIGKILL)
    except OSError as error:
        raise RoundworksError(f"other_tools: {who}: {argv[0]}: {error.strerror}") from None
    seconds, used = time.perf_counter() - started, _children_cpu() - before
    if said is not None and process.returncode:
        last = (wrong.strip() or said.strip() or "no word of why").splitlines()[-1]
        raise RoundworksError(f"other_tools: {who}: ended with {process.returncode}: {last}")
    return Ended(said, seconds, used)


def _environment() -> dict[str, str]:
    # With PYTHONDONTWRITEBYTECODE each process would compile the modules of its tool again.
    return {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


def _children_cpu() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def version(checkout: Path) -> str:
    """The commit of a checkout, with ``-dirty`` where a file of it was changed.

    Raises
    ------
    RoundworksError
        ``other_tools: DIR: want a checkout of the tool by git``
    """
    git = ["git", "-C", str(checkout), "describe", "--always", "--dirty", "--abbrev=12", "--exclude=*"]
    done = subprocess.run(git, capture_output=True, text=True)
    if done.returncode:
        raise RoundworksError(f"other_tools: {checkout}: want a checkout of the tool by git")
    return done.stdout.strip()


def theirs(tool: Tool, query: Query, checkout: Path, python: str, limit: float) -> tuple[float | None, Ended]:
    """Their value, and the process; None where the limit came first."""
    ended = ran(tool.command(query, python), checkout, limit, f"{tool.name}: {query}")
    if ended.said is None:
        return None, ended
    values = tool.printed.findall(ended.said)
    if not values:
        last = (ended.said.strip() or "nothing").splitlines()[-1]
        raise RoundworksError(f"other_tools: {tool.name}: {query}: no value in what it printed: {last}")
    return round(float(values[-1]) * query.scale, DIGITS), ended


def ours(query: Query, limit: float) -> tuple[dict[str, Any] | None, Ended]:
    """The row of our bound over the rounds of the query alone; no ledger of an earlier run is there."""
    with tempfile.TemporaryDirectory() as name:
        argv = [
            *(*COMMAND, "--results", name, "bound", query.cipher, "--measure", query.measure),
            *("--view", query.view, "--rounds", str(query.rounds), "--alone", "--no-store", "--json"),
        ]
        ended = ran(argv, Path(name), limit, f"ours: {query}", {"XDG_CACHE_HOME": name})
    if ended.said is None:
        return None, ended
    bounds = [json.loads(line) for line in ended.said.splitlines()]
    return next(row for row in bounds if row["rounds"] == query.rounds), ended


def agreement(their_value: float | None, our_value: float | None, side: str | None) -> str:
    """Whether the values are the same; a lower bound of ours differs only from a smaller value."""
    if their_value is None or our_value is None:
        return "open"
    ours = round(our_value, DIGITS)
    if ours == their_value:
        return "same"
    open_ = (side == "lower" and ours < their_value) or (side == "upper" and ours > their_value)
    return "open" if open_ else "differ"


def compared(
    tool: Tool, query: Query, checkout: Path, python: str, limit: float, **more: Any
) -> ComparisonRow:
    """The row of one query: theirs, then ours."""
    their_value, their_run = theirs(tool, query, checkout, python, limit)
    bound, our_run = ours(query, limit)
    given = bound or {}
    return ComparisonRow.make(
        seconds=their_run.seconds + our_run.seconds,
        tool=tool.name,
        their_solver=query.solver,
        cipher=query.cipher,
        measure=query.measure,
        view=query.view,
        rounds=query.rounds,
        limit=limit,
        their_value=their_value,
        their_seconds=their_run.seconds,
        their_cpu_seconds=their_run.cpu_seconds,
        our_value=given.get("value"),
        our_seconds=our_run.seconds,
        our_cpu_seconds=our_run.cpu_seconds,
        side=given.get("side"),
        certainty=given.get("certainty"),
        our_solver=given.get("solver"),
        agreement=agreement(their_value, given.get("value"), given.get("side")),
        **more,
    )


def measured(
    tool: Tool, queries: Iterable[Query], checkout: Path, python: str, limit: float, command: str
) -> tuple[list[ComparisonRow], list[str]]:
    """A row for each query that both sides took, and what went wrong."""
    facts = {"run": uuid.uuid4().hex, "version": version(checkout), "command": command}
    rows: list[ComparisonRow] = []
    wrong: list[str] = []
    for query in queries:
        try:
            row = compared(tool, query, checkout, python, limit, **facts)
        except RoundworksError as error:
            wrong.append(str(error))
            continue
        rows.append(row)
        print(shown(row), flush=True)
        if row.agreement == "differ":
            wrong.append(
                f"other_tools: {tool.name}: {query}: {row.their_value:g}, where ours is {row.our_value:g}; "
                "one of the two is wrong, or they are not the same query"
            )
    return rows, wrong


def shown(row: ComparisonRow) -> str:
    """A row as a line."""
    ratio = ToolRatio(row)
    values = ["stopped" if v is None else f"{v:g}" for v in (row.their_value, row.our_value)]
    query = f"{row.cipher} {row.measure} {row.view} {row.rounds}"
    return (
        f"{query:<44} {row.tool} {values[0]:>7} {row.their_seconds:>8.2f} s  "
        f"ours {values[1]:>7} {row.our_seconds:>8.2f} s  {ratio.said:>7}  {ratio.verdict}"
    )


TOOLS = {
    "ocp": Tool("OCP", ocp.QUERIES, ocp.command, ocp.PRINTED),
    "cryptosmt": Tool("CryptoSMT", cryptosmt.QUERIES, cryptosmt.command, cryptosmt.PRINTED),
}


def main(argv: Sequence[str]) -> int:
    """0 if both have the same value for every query, and ours in a third of the time."""
    parser = argparse.ArgumentParser(prog="python -m roundworks.bench.other_tools", description=__doc__)
    parser.add_argument("tool", choices=TOOLS)
    parser.add_argument("checkout", type=Path, help="a checkout of the tool by git")
    parser.add_argument("--python", default=sys.executable, help="the Python that has what the tool wants")
    parser.add_argument("--limit", type=float, default=LIMIT_S, help="seconds for each side of a query")
    parser.add_argument("--cipher", action="append", help="only queries of this cipher; may be repeated")
    parser.add_argument("--results", type=Path, help="write the rows to this folder")
    given = parser.parse_args(argv)
    tool = TOOLS[given.tool]
    queries = [query for query in tool.queries if not given.cipher or query.cipher in given.cipher]
    command = f"python -m roundworks.bench.other_tools {given.tool} CHECKOUT --limit {given.limit:g}"
    try:
        with limited(1):
            rows, wrong = measured(tool, queries, given.checkout, given.python, given.limit, command)
    except RoundworksError as error:
        print(error, file=sys.stderr)
        return 2
    Store(given.results).append(rows)
    print(
        f"wanted: {TOOLS_WANTED:g} times as fast; met in {sum(ToolRatio(row).met for row in rows)} of {len(rows)}"
    )
    for line in wrong:
        print(line, file=sys.stderr)
    return 0 if not wrong and all(ToolRatio(row).met for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
