"""roundworks bound"""

from __future__ import annotations

import signal
from collections.abc import Iterator
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import click

from ..analysis.bounds import BY_ROUNDS, Bound
from ..analysis.bounds import MEASURES as BY_WORDS
from ..analysis.bounds import bound as compute
from ..errors import RoundworksError
from ..prove.asked import Asked, Found
from ..prove.goals import COUNTS, VIEWS
from ..prove.measures import MEASURES as BY_CELLS
from ..prove.measures import measured
from ..prove.solve import CHOICES
from ..reference import Permutation, Roundwise
from .common import (
    NO,
    SECONDS,
    YES,
    Count,
    check_file,
    check_folder,
    chosen_label,
    chosen_rounds,
    cipher_options,
    deliver,
    err,
    make_rows,
    out,
    progress_line,
    row_options,
    show,
    table,
    write_whole,
)
from .names import Choice

_WORDS = {
    "active-f": "fewest active F over the first rounds of the initialisation, difference in the nonce",
    "diffusion": "share of word pairs (word, first-state word) with a dependence, by rounds",
    "collision": "fewest active F in an internal collision",
    "bias": "fewest active F in a biased sum of keystream words",
    "differential": "largest differential probability of one F over its lightest patterns, as log2",
    "correlation": "largest squared correlation of one F over its lightest patterns, as log2",
    "active-sboxes": "fewest active S-boxes over 1 to --rounds rounds",
    "collision-sboxes": "fewest active S-boxes in an internal collision of at most --rounds rounds",
    "bias-sboxes": "fewest active S-boxes in a biased sum of keystream of at most --rounds rounds",
    "trail": "minimum weight of a bit-wise trail over 1 to --rounds rounds",
    "integral": "bits that sum to 0 after 1 to --rounds rounds, where --where takes all values",
    "integral-words": "the same by degrees of whole words: fewer bits, in less time",
}
# Masks run backwards: those of a round's result are given, as the model has them.
_TRAIL = {
    "collision": "trail (* differs; state before the round, block, active F):",
    "bias": "trail (* masked; state after the round, keystream, active F):",
}
_INTEGRALS = ("integral", "integral-words")
# As the report says it.
_SAID = {
    "proven": "proven",
    "two-solvers": "agreed by two solvers",
    "one-solver": "by one solver",
    "heuristic": "heuristic",
}
_WORD_ROUNDS, _CELL_ROUNDS = 16, 4  # word by word is fast


@click.command(
    "bound",
    help="Compute a bound from the recorded description. Every bound has its certainty: proven,"
    " agreed by two solvers, found by one, or heuristic.\n\n\b\nWord-wise measures, exhaustive:\n"
    + "\n".join(f"  {name:<16} {_WORDS[name]}" for name in BY_WORDS)
    + "\nCell-wise and bit-wise measures, by a solver; every trail is checked on the description:\n"
    + "\n".join(f"  {name:<16} {_WORDS[name]}" for name in BY_CELLS),
    epilog="Example: roundworks bound aes --measure active-sboxes --rounds 4",
)
@cipher_options()
@click.option(
    "--measure",
    type=Choice([*BY_WORDS, *BY_CELLS], "measure"),
    metavar="NAME",
    help="What to bound: active-f unless set, active-sboxes for a permutation.",
)
@click.option(
    "--rounds",
    type=Count(1, 1000),
    metavar="N",
    help=f"Rounds; {_WORD_ROUNDS} unless set, {_CELL_ROUNDS} for a solver.",
)
@click.option(
    "--view", type=click.Choice(VIEWS),
    metavar="VIEW",
    help="Kind of trail: differential unless set, or linear.",
)  # fmt: skip
@click.option(
    "--count", type=click.Choice(list(COUNTS)),
    metavar="COUNT",
    help="Shared S-boxes count once (distinct) or each time (executed).",
)  # fmt: skip
@click.option(
    "--solver", "solvers", type=Choice(CHOICES), multiple=True, metavar="NAME",
    help="From `roundworks list solvers`, or auto, portfolio; two must agree.",
)  # fmt: skip
@click.option("--time-limit", type=SECONDS, metavar="SECONDS",
              help="Time limit for each query.")  # fmt: skip
@click.option("--where", "where", multiple=True, metavar="WORD=CELLS",
              help="Cells of a word, as S0=*..?: * is active, . inactive, ? either.")  # fmt: skip
@click.option("--proof", type=click.Path(file_okay=False, path_type=Path), metavar="DIR",
              help="Write a certificate to DIR and check it.")  # fmt: skip
@click.option("--dot", type=click.Path(dir_okay=False, path_type=Path), metavar="PATH",
              help="Write the last trail, drawn on the graph, as dot.")  # fmt: skip
@click.option(
    "--at-least", type=float, metavar="N", help="Exit with 1 unless the last value is at least N."
)
@row_options
def command(
    cipher: str | None, file: Path | None, measure: str | None, rounds: int | None,
    view: str | None, count: str | None, solvers: tuple[str, ...], time_limit: float | None,
    where: tuple[str, ...], proof: Path | None, dot: Path | None, at_least: float | None,
    as_json: bool, no_store: bool,
) -> int:  # fmt: skip
    it = chosen_rounds(cipher, file)
    check_file(dot)
    check_folder(proof)
    failure: Exception | None = None
    drawings: list[dict[str, Any]] = []
    measure = measure or ("active-sboxes" if isinstance(it, Permutation) else "active-f")
    label = f"roundworks bound {chosen_label(cipher, file)} --measure {measure}"
    if measure in BY_WORDS:
        _only_by_cells({
            "--view": view, "--count": count, "--solver": solvers, "--time-limit": time_limit,
            "--where": where, "--proof": proof, "--dot": dot,
        })  # fmt: skip
        if isinstance(it, Permutation):
            raise click.UsageError(
                f"--measure {measure}: want a cipher, got the permutation {it.name}; measures of"
                f" permutations: active-sboxes, trail, integral, integral-words"
            )
        if rounds is not None and measure not in BY_ROUNDS:
            raise click.UsageError(
                f"--rounds: does nothing for {measure}; measures by rounds: {', '.join(BY_ROUNDS)}"
            )
        count_to = rounds or _WORD_ROUNDS
        label += f" --rounds {count_to}" if measure in BY_ROUNDS else ""
        bounds: list[Bound] = compute(it, measure, count_to)  # type: ignore[arg-type]
    else:
        if dot is not None and measure in _INTEGRALS:
            raise click.UsageError(f"--dot: want a measure with a trail, got {measure}")
        asked = Asked(
            rounds or _CELL_ROUNDS, view, count or "distinct", solvers or ("auto",), time_limit,  # type: ignore[arg-type]
            _patterns(where), proof,
        )  # fmt: skip
        label += _spelled(asked)
        found, failure = _run(it, measure, asked)
        bounds = [f.bound for f in found]
        last = next((f for f in reversed(found) if f.drawing), None)
        if dot is not None and last is not None and last.drawing is not None:
            drawings = [{**drawn(last.bound, last.drawing), "seconds": last.bound.seconds}]
            try:
                write_whole(dot, last.drawing.encode())
            except (OSError, click.ClickException) as error:
                failure = failure or error
    rows = make_rows("bound", [asdict(b) for b in bounds], label)
    rows += make_rows("drawing", drawings, f"{label} --dot trail.dot")
    deliver(rows, as_json=as_json, no_store=no_store)
    if not as_json:
        _print(it, measure, bounds)
    if failure is not None:
        raise failure
    value = bounds[-1].value
    # No such path at all (None) is more than any number; nan is less than none.
    return NO if at_least is not None and value is not None and not value >= at_least else YES


def _only_by_cells(options: dict[str, Any]) -> None:
    if given := [name for name, value in options.items() if value]:
        raise click.UsageError(f"{given[0]}: want a measure by cells: {', '.join(BY_CELLS)}")


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


def _spelled(asked: Asked) -> str:
    text = f" --rounds {asked.rounds}"
    if asked.view is not None and asked.view != "differential":
        text += f" --view {asked.view}"
    if asked.count != "distinct":
        text += f" --count {asked.count}"
    text += "".join(f" --solver {solver}" for solver in asked.solvers if solver != "auto")
    if asked.limit is not None:
        text += f" --time-limit {asked.limit:g}"
    text += "".join(f" --where '{word}={cells}'" for word, cells in asked.where.items())
    # Where the folder lies is not for a row, but that there is a proof is.
    return text if asked.proof is None else f"{text} --proof certificates"


def _run(it: Roundwise, measure: str, asked: Asked) -> tuple[list[Found], Exception | None]:
    """All that is found; on Ctrl-C, or an error after a first answer, what is there is kept."""
    found: list[Found] = []
    with progress_line() as show:
        try:
            for one in _kept(measured(it, measure, replace(asked, progress=show))):
                found.append(one)
        except (RoundworksError, OSError) as error:
            if not found:
                raise
            return found, error
    return found, None


def _kept(found: Iterator[Found]) -> Iterator[Found]:
    """On Ctrl-C the question at hand is answered by its bounds so far, and no other is asked."""
    rang = []

    def ring(*_: object) -> None:
        rang.append(1)
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGINT, ring)
    some = False
    try:
        for one in found:
            yield one
            some = True
            if rang:
                break
    except KeyboardInterrupt:
        if not some:
            raise
    finally:
        signal.signal(signal.SIGINT, before)
    if rang:
        err.print("stopped; what was found is kept")


def _print(it: Roundwise, measure: str, bounds: list[Bound]) -> None:
    head: tuple[str, ...] = ("rounds", "value", "unit", "side", "certainty", "seconds")
    lines = [(b.rounds, b.value, b.unit, b.side, b.certainty, f"{b.seconds:,.3f}") for b in bounds]
    if measure in _INTEGRALS:
        head = ("rounds", "value", "unit", "side", "certainty", "seconds", "solver")
        lines = [
            (b.rounds, b.value, b.unit, b.side, b.certainty, f"{b.seconds:,.3f}", b.solver)  # type: ignore
            for b in bounds
        ]
    elif measure in BY_CELLS:
        head = ("rounds", "value", "best trail", "unit", "side", "certainty", "seconds", "solver")
        lines = [
            (b.rounds, b.value, b.upper, b.unit, b.side, b.certainty, f"{b.seconds:,.3f}", b.solver)  # type: ignore
            for b in bounds
        ]
    right = [
        head.index(name) for name in ("rounds", "value", "best trail", "seconds") if name in head
    ]
    last = bounds[-1]
    words = _WORDS[measure].replace("--rounds", str(last.rounds or "--rounds"))
    table(f"{it.name}: {words}", head, lines, right=right)
    out.print(f"\nmethod: {last.method}", markup=False)
    if not last.witness:
        return
    if measure in _TRAIL and "trail" in last.witness:
        out.print(_TRAIL[measure])
        for step in last.witness["trail"]:
            out.print(f"  {step['state']}  {step['block']}  {step['active']}", markup=False)
    elif "trail" in last.witness:
        out.print("trail (S-box layers in order; cell 0 first, * active):")
        for step in last.witness["trail"]:
            if "*" in step["cells"]:
                out.print(f"  {step['cells']}  {step['line']}", markup=False)
    else:
        out.print(
            "witness: " + ", ".join(f"{k} {show(v)}" for k, v in last.witness.items()), markup=False
        )


def drawn(found: Any, dot: str) -> dict[str, str]:
    """The fields of the drawing row of a bound's trail."""
    what = {"collision-sboxes": "collision", "bias-sboxes": "biased keystream"}.get(
        found.measure, f"{found.view} trail"
    )
    size = f"weight {found.upper:g}" if found.unit == "log2" else f"{found.upper:g} {found.unit}"
    least = "the least there are" if found.side == "exact" else f"at least {found.value:g} needed"
    return {
        "cipher": found.cipher,
        "title": f"{found.cipher}: {what} over {found.rounds} rounds",
        "caption": f"{size[0].upper()}{size[1:]}, {least}, {_SAID[found.certainty]}; checked on the"
        " description. A black cell is active, a pale word is left alone; matrices and permutations"
        " are on the arrows.",
        "dot": dot,
        "shows": "trail",
    }
