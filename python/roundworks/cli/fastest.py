"""roundworks fastest"""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import product
from pathlib import Path
from statistics import median
from typing import Any, cast

import click

from .. import spec
from ..bench.permutations import BATCHES, PAPER, Subject, core_name, measure
from ..permutations import Permutation
from ..prove import goals
from ..prove.feistel import VIEWS
from ..prove.feistel_rounds import Needed, name_in_the_core
from ..prove.feistel_rounds import table as rounds_table
from ..reference import get_permutation
from ..reference.feistel import CODES
from ..reproduce.least import NEED, Least, Question, bound
from .common import deliver, err, make_rows, out, row_options, table

MOST = {256: 13, 512: 10}
_SPN = {256: ("haraka-256", "pholkos-256"), 512: ("haraka-512", "pholkos-512")}
_BATCH = 64


@dataclass(frozen=True, slots=True)
class Design:
    """A permutation, and the fewest rounds that reach the need in both views; None: not decided, or
    more than `MOST`."""

    name: str
    rounds: int | None


@click.command(
    "fastest",
    help="Rank the permutations by their speed on this CPU at equal security: the rounds at which"
    " 43 (of 256 bits) or 86 (of 512) S-boxes are active, differential and linear, an S-layer on one"
    " input counted once. All 36 configurations of 256 bits and Simpira, Haraka, Pholkos; of 512 bits"
    " those of the paper. Rounds go to a ledger, and a later run asks what is missing.",
    epilog="Example: roundworks fastest --bits 256 --time-limit 60",
)
@click.option("--bits", type=click.Choice(["256", "512"]), default="256", show_default=True)
@click.option("--time-limit", type=click.FloatRange(min=0, min_open=True), default=120.0,
              show_default=True, metavar="SECONDS", help="For one question to a solver.")  # fmt: skip
@click.option("--samples", type=click.IntRange(1, 10_000), default=30, show_default=True,
              help="Windows of each.")  # fmt: skip
@click.option("--ledger", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE",
              help="Of rounds. [results/ledgers/feistel-BITS-rounds.jsonl]")  # fmt: skip
@row_options
def command(
    bits: str, time_limit: float, samples: int, ledger: Path | None, as_json: bool, no_store: bool
) -> None:
    size = int(bits)
    if ledger is None:
        ledger = spec.root() / "results" / "ledgers" / f"feistel-{bits}-rounds.jsonl"
        ledger.parent.mkdir(parents=True, exist_ok=True)
    label = f"roundworks fastest --bits {size} --time-limit {time_limit:g}"
    designs, bounds = [], []
    for design, found in candidates(size, time_limit, ledger):
        designs.append(design)
        bounds += [asdict(one) for one in found]
        err.print(f"{design.name}: {design.rounds or 'not within ' + str(MOST[size])} rounds")
    named = [f"{design.name}:{design.rounds}" for design in designs if design.rounds is not None]
    # The paper's rounds beside them: a factor is of one run.
    table_ = spec.paper(PAPER).table("6" if size == 256 else "8")
    printed = [core_name(row.name, size // 8) for row in table_.rows]
    here = Permutation.backends()
    narrow = "aesni" if "aesni" in here else here[-1]
    ways = [
        (narrow, "chain", 1),
        *((narrow, "many", n) for n in BATCHES),
        (here[-1], "many", _BATCH),
    ]
    asked = [
        Subject(name, backend, "permute", way, blocks)
        for name in dict.fromkeys([*named, *printed])
        for backend, way, blocks in ways
    ]
    once = secrets.token_hex(6)
    speeds = [{"run": once, **fields} for fields in measure(asked, samples=samples)]
    rows = make_rows("bound", bounds, label) + make_rows("permutation", speeds, label)
    deliver(rows, as_json=as_json, no_store=no_store)
    if not as_json:
        ranked = [s for s in speeds if s["permutation"] in named]
        _print(designs, ranked, here[-1], size)


def candidates(bits: int, limit: float, ledger: Path) -> Iterator[tuple[Design, list[goals.Bound]]]:
    words, most = bits // 128, MOST[bits]
    need = NEED[words]
    if words == 2:
        names = [",".join(codes) for codes in product(CODES, repeat=2)]
    else:
        listed = spec.paper(PAPER).table("2").rows
        names = [row.name.strip("()").replace(" ", "") for row in listed]
    names.append(f"simpira-{words}")
    views: dict[str, list[Needed]] = {}
    # With `stop` the solver has a process of its own: hundreds of questions, and one may crash it.
    for found in rounds_table(names, need, "distinct", most, ledger, limit, stop=lambda: False):
        both = views.setdefault(found.name, [])
        both.append(found)
        if len(both) == len(VIEWS):
            rounds = [it.rounds for it in both]
            least = None if None in rounds else max(cast(list[int], rounds))
            answers = [answer for it in both for answer in _answers(it, need)]
            yield Design(name_in_the_core(found.name), least), answers
    for name in _SPN[bits]:
        yield _by_cells(name, need, most, limit)


def _answers(it: Needed, need: int) -> list[goals.Bound]:
    """Reached at the rounds, and not at those before."""
    found = []
    if it.rounds is not None:
        asked = Question(it.name, it.rounds, it.view, "distinct")
        found.append(bound(Least(asked, need, None, "one-solver", it.solver, it.seconds)))
    if it.below:
        asked = Question(it.name, it.below, it.view, "distinct")
        found.append(bound(Least(asked, 0, need - 1, "one-solver", it.solver, 0.0)))
    return found


def _by_cells(name: str, need: int, most: int, limit: float) -> tuple[Design, list[goals.Bound]]:
    """Of what is no Feistel permutation, by the model of its description."""
    found, it = [], get_permutation(name)
    for rounds in range(1, min(most, int(it.rounds)) + 1):
        both = [goals.bound(it, "active", rounds, view, "distinct", limit=limit) for view in VIEWS]
        found += both
        if all((one.value or 0) >= need for one in both):
            return Design(name, rounds), found
    return Design(name, None), found


def _print(
    designs: Sequence[Design], speeds: Sequence[dict[str, Any]], best: str, bits: int
) -> None:
    unit = "cycles" if all(r["samples_cycles"] for r in speeds) else "ns"
    lines: dict[str, dict[str, float]] = {}
    for r in speeds:
        if r["way"] == "many" and (r["backend"], r["blocks"]) != (best, _BATCH):
            continue
        value = median(r[f"samples_{unit}"]) / r["block_bytes"]
        lines.setdefault(r["permutation"], {})[r["way"]] = value
    ranked = sorted(lines.items(), key=lambda line: line[1]["chain"])
    many = sorted(lines, key=lambda name: lines[name]["many"])
    table(
        f"{NEED[bits // 128]} active S-boxes, both views, counted once: {unit} for a byte",
        ("", "permutation:rounds", "one block", f"{_BATCH} blocks", "rank"),
        [
            (n, name, f"{line['chain']:.3f}", f"{line['many']:.3f}", many.index(name) + 1)
            for n, (name, line) in enumerate(ranked, 1)
        ],
        right=(0, 2, 3, 4),
    )  # fmt: skip
    open_ = [d.name for d in designs if d.rounds is None]
    out.print(f"\nnot within {MOST[bits]} rounds, or not decided: {', '.join(open_) or 'none'}")
