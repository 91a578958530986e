"""What verbs that run a study share: where it runs, its ledger, its progress."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from .common import check_file, err

if TYPE_CHECKING:
    from ..studies.runner import Conducted
    from ..studies.study import Study

T = TypeVar("T")


def place_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options --cluster and --ledger to a verb."""
    return click.option(
        "--cluster", metavar="WHERE", help="Run units on tcp://HOST:PORT (Dask), local:N, slurm:N or pbs:N."
    )(
        click.option(
            "--ledger",
            type=click.Path(dir_okay=False, path_type=Path),
            metavar="FILE",
            help="Keep finished units in FILE, not next to the rows.",
        )(command)
    )


def study_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """--cluster, --ledger and --again, which `conducted` takes."""
    again = click.option("--again", is_flag=True, help="Compute again what the ledger has, too.")
    return place_options(again(command))


def conducted(
    study: Study[T],
    kept: Path,
    cluster: str | None,
    ledger: Path | None,
    again: bool = False,
    profile: str = "quick",
) -> Conducted[T]:
    """Run a study with progress over all workers; on Ctrl-C what it has so far, and a line that says so."""
    from ..reproduce.run import Run
    from ..studies.runner import distribute
    from .progress import Board, say
    from .signals import stop_on_signals

    file = ledger or kept
    check_file(file)
    stop_on_signals()
    with Board().shown() as board:
        run = Run(profile, say=say, progress=board.show)
        result = distribute(study, file, cluster, run=run, again=again, hear=board.hear)
    if result.units > 1:
        err.print(_summary(result), markup=False, style="dim", soft_wrap=True)
    if result.stopped:
        err.print(f"roundworks: stopped; the same command goes on from {file.name}", markup=False)
    return result


def ledger_file(name: str) -> Path:
    """The ledger of that name next to the rows."""
    from .. import rows

    return rows.ledger(name)


def _summary(it: Conducted[Any]) -> str:
    """``64 units in 6.3 s on 2 processes``."""
    here = it.done - it.known
    before = f"; {it.known:,} of {it.units:,} were in the ledger" if it.known else ""
    where = f" on {it.pool}" if it.pool else ""
    return f"{here:,} unit{'s' * (here != 1)} in {it.seconds:,.1f} s{where}{before}"
