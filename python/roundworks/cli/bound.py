"""roundworks bound"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..bounds import COUNTS, VIEWS, Bound, Bounding, Count, View, is_at_least
from ..errors import DescriptionError, RoundworksError
from ..prove.measures import BY_SOLVER, MEASURES, bounds_of, check_options
from ..prove.solvers.solve import CHOICES
from .common import (
    NO,
    SECONDS,
    YES,
    check_file,
    check_folder,
    cipher_options,
    deliver,
    err,
    give,
    make_rows,
    naming,
    out,
    progress_line,
    row_options,
    show,
    table,
    write_whole,
)
from .common import Count as CountRange
from .names import Choice
from .studying import conducted, ledger_file, study_options

if TYPE_CHECKING:
    from ..prove.pipeline import BoundResult, Query
    from ..reference import Roundwise

# Masks run backwards: those of a round's result are given, as the model has them.
_TRAIL = {
    "collision": "trail (* differs; state before the round, block, active F):",
    "bias": "trail (* masked; state after the round, keystream, active F):",
}


def _listed(word_wise: bool) -> str:
    return ", ".join(name for name, m in MEASURES.items() if m.word_wise == word_wise)


@click.command("bound", epilog="Example: roundworks bound aes --measure active-sboxes --rounds 4")
@cipher_options()
@click.option(
    "--measure",
    "measures",
    type=Choice(MEASURES, "measure"),
    multiple=True,
    metavar="NAME",
    help="Bound this measure; may be repeated. Unless set, active-f, or active-sboxes where no round absorbs data.",
)
@click.option(
    "--rounds",
    type=CountRange(1, 1000),
    metavar="N",
    help=f"Analyse N rounds; {MEASURES['active-f'].rounds} unless set,"
    f" {MEASURES['active-sboxes'].rounds} with a solver.",
)
@click.option("--alone", is_flag=True, help="Bound N rounds alone, not every number up to N.")
@click.option(
    "--view",
    "views",
    type=click.Choice(VIEWS),
    multiple=True,
    metavar="VIEW",
    help="Choose the kind of trail; may be repeated. differential unless set.",
)
@click.option(
    "--count",
    type=click.Choice(list(COUNTS)),
    metavar="COUNT",
    help="Count shared S-boxes once (distinct, the default) or as executed.",
)
@click.option(
    "--solver",
    "solvers",
    type=Choice(CHOICES),
    multiple=True,
    metavar="NAME",
    help="Use a solver of `list solvers`, auto (default) or portfolio; two must agree.",
)
@click.option(
    "--time-limit",
    type=SECONDS,
    metavar="SECONDS",
    help="Stop each query after this time; no limit unless set.",
)
@click.option(
    "--where",
    "where",
    multiple=True,
    metavar="WORD=CELLS",
    help="Fix cells of a word, as S0=*..?: * is active, . inactive, ? either. For cluster,"
    " impossible-bits, boomerang and differential-linear, give the value of a word in hexadecimal.",
)
@click.option(
    "--proof",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="Write a certificate of the bound to DIR and check it.",
)
@click.option(
    "--dot",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="PATH",
    help="Plot the last trail on the recorded graph, as Graphviz dot.",
)
@click.option(
    "--at-least",
    type=float,
    metavar="N",
    help="Exit with 1 unless the last bound shows at least N; a heuristic one shows nothing.",
)
@study_options
@row_options
@naming(word_wise=_listed(word_wise=True), by_solver=_listed(word_wise=False))
def command(
    subject: str | Path,
    measures: tuple[str, ...],
    rounds: int | None,
    alone: bool,
    views: tuple[View, ...],
    count: Count | None,
    solvers: tuple[str, ...],
    time_limit: float | None,
    where: tuple[str, ...],
    proof: Path | None,
    dot: Path | None,
    at_least: float | None,
    **how: Any,
) -> int:
    """Compute a bound from the recorded description. Every bound has its certainty: proven, agreed by two
    solvers, one solver (unconfirmed), measured, or heuristic. docs/reference/bounds.md says what each
    measure bounds.

    Word-wise, exhaustive: {word_wise}.

    Cell-wise and bit-wise, most by a solver; every trail is checked on the description: {by_solver}.
    """
    from ..prove.pipeline import Query
    from ..studies.bound_queries import bound_command, usual_measure
    from ..studies.described import described

    description, words = described(subject)
    check_file(dot)
    check_folder(proof)
    measures, views = tuple(dict.fromkeys(measures)), tuple(dict.fromkeys(views))
    measures = measures or (usual_measure(description),)
    measure, view = measures[0], views[0] if views else None
    chosen = MEASURES[measure]
    given = {
        "rounds": rounds,
        "alone": alone,
        "view": view,
        "count": count,
        "solver": solvers,
        "time-limit": time_limit,
        "where": where,
        "proof": proof,
        "dot": dot,
    }
    try:
        for one in measures:
            check_options(one, [name for name, value in given.items() if value])
    except DescriptionError as error:
        raise click.UsageError(f"--{error}") from None
    query = Query(
        rounds=rounds or chosen.rounds,
        view=view,
        count=count or "distinct",
        where=_patterns(where),
        solvers=solvers or ("auto",),
        limit=time_limit,
        proof=proof,
        alone=alone,
    )
    if len(measures) * len(views) > 1 or len(measures) > 1 or any(how.values()):
        if proof or dot:
            raise click.UsageError("--proof, --dot: of one bound in this process; leave out the others")
        return _study(subject, measures, views, rounds, query, at_least, how)
    label = bound_command(words, measure, query)
    results, failure = _run(description, measure, query)
    bounds = [result.bound for result in results]
    drawings: list[dict[str, Any]] = []
    last = next((r for r in reversed(results) if r.attained), None)
    if dot is not None and last is not None and last.drawing is not None:
        from ..studies.proofs import drawn

        drawings = [drawn(last) | {"seconds": last.bound.seconds}]
        try:
            write_whole(dot, last.drawing.encode())
        except (OSError, click.ClickException) as error:
            failure = failure or error
    rows = make_rows("bound", [b.fields for b in bounds], label)
    rows += make_rows("drawing", drawings, f"{label} --dot trail.dot")
    if deliver(rows):
        _print(description.name, measure, bounds)
    if failure is not None:
        raise failure
    return _enough(bounds[-1:], at_least)


def _study(
    subject: str | Path,
    measures: tuple[str, ...],
    views: tuple[View, ...],
    rounds: int | None,
    query: Query,
    at_least: float | None,
    how: dict[str, Any],
) -> int:
    """Every measure in every view, as units of a study; all must be enough."""
    from ..studies.bounding import Bounds, PlainQuery

    subject = Path(subject).absolute() if str(subject).endswith(".py") else subject
    study = Bounds(
        subject,
        tuple(
            PlainQuery(
                measure,
                rounds or MEASURES[measure].rounds,
                view,
                query.count,
                tuple(query.where.items()),
                tuple(query.solvers),
                query.limit,
                query.alone,
            )
            for measure in measures
            for view in views or (None,)
        ),
    )
    name = Path(subject).stem if isinstance(subject, Path) else subject
    result = conducted(study, ledger_file(f"bound-{name}.sqlite"), **how)
    give(result.value)
    if result.stopped:
        return 130
    last = {(row.measure, row.view): row for row in result.value.rows}
    return _enough(last.values(), at_least)


def _enough(bounds: Collection[Bounding], at_least: float | None) -> int:
    """The exit code: whether each bound shows at least that number."""
    if at_least is None or all(is_at_least(bound, at_least) for bound in bounds):
        return YES
    if any(bound.certainty == "heuristic" for bound in bounds):
        err.print("--at-least: a heuristic bound shows nothing, since the true value may be less")
    return NO


def _patterns(where: tuple[str, ...]) -> dict[str, str]:
    patterns = {}
    for text in where:
        word, equals, cells = text.partition("=")
        if word in patterns:
            raise click.UsageError(f"--where {word}: want one pattern for a word, got two")
        if not equals:
            raise click.UsageError(f"--where {text}: want WORD=CELLS, such as S0=*...????????????")
        patterns[word] = cells
    return patterns


def _run(description: Roundwise, measure: str, query: Query) -> tuple[list[BoundResult], Exception | None]:
    """All results; on Ctrl-C, or an error after the first one, what is there is kept."""
    results: list[BoundResult] = []
    with progress_line() as progress:
        try:
            for result in _kept(bounds_of(description, measure, replace(query, progress=progress))):
                results.append(result)
        except (RoundworksError, OSError) as error:
            if not results:
                raise
            return results, error
    return results, None


def _kept(results: Iterator[BoundResult]) -> Iterator[BoundResult]:
    """On Ctrl-C the query at hand ends with its bounds so far, and no other is begun."""
    from ..studies.worker import noted_interrupt

    some = False
    with noted_interrupt() as rang:
        try:
            for result in results:
                yield result
                some = True
                if rang:
                    break
        except KeyboardInterrupt:
            if not some:
                raise
    if rang:
        err.print("stopped; what was found is kept")


def _summary(measure: str, bounds: Sequence[Bound]) -> str:
    """What the measure is of, over the numbers of rounds that were bounded."""
    text, first, last = MEASURES[measure].summary, bounds[0].rounds, bounds[-1].rounds
    if not last:
        return text
    most = f"{last} round{'s' * (last > 1)}"
    text = text.replace("1 to --rounds rounds", most if first == last else f"{first} to {most}")
    return text.replace("--rounds rounds", most)


def _print(name: str, measure: str, bounds: Sequence[Bound]) -> None:
    options, last = MEASURES[measure].options, bounds[-1]
    columns: dict[str, list[object]] = {
        column: [getattr(b, column) for b in bounds]
        for column in ("rounds", "value", "unit", "side", "certainty", "seconds")
    }
    columns["seconds"] = [f"{b.seconds:,.3f}" for b in bounds]
    if options >= BY_SOLVER - {"where"}:
        columns["best trail"] = [b.upper for b in bounds]
    if MEASURES[measure].by_solver:
        columns["solver"] = [b.solver for b in bounds]
    right = [i for i, column in enumerate(columns) if column in ("rounds", "value", "best trail", "seconds")]
    title = f"{name}: {_summary(measure, bounds)}"
    table(title, list(columns), list(zip(*columns.values(), strict=True)), right=right)
    out.print(f"\nmethod: {last.method}", markup=False)
    shown = next((b for b in reversed(bounds) if b.witness), None)
    witness = shown.witness if shown else None
    if shown is None or not witness:
        return
    if shown is not last:  # such as the most rounds that have an impossible differential
        out.print(f"over {shown.rounds} rounds:", markup=False)
    if measure in _TRAIL and "trail" in witness:
        out.print(_TRAIL[measure])
        for step in witness["trail"]:
            out.print(f"  {step['state']}  {step['block']}  {step['active']}", markup=False)
    elif "trail" in witness:
        out.print("trail (S-box layers in order; cell 0 first, * active):")
        for step in witness["trail"]:
            if "*" in step["cells"]:
                out.print(f"  {step['cells']}  {step['line']}", markup=False)
    else:
        out.print("witness: " + ", ".join(f"{k} {show(v)}" for k, v in witness.items()), markup=False)
