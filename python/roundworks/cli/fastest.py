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

from .. import machine, rows, spec
from ..bench.permutations import BATCHES, PAPER, Subject, core_name, measure
from ..permutations import Permutation
from ..prove import feistel_worth, goals
from ..prove.feistel import VIEWS, View, structure
from ..prove.feistel_bounds import Facts
from ..prove.feistel_climb import climb
from ..prove.feistel_rounds import Needed, name_in_the_core
from ..prove.feistel_rounds import table as rounds_table
from ..prove.spn import spn
from ..reference import get_permutation
from ..reference.feistel import CODES
from ..reproduce.least import NEED, Least, Question, bound
from .common import SECONDS, Count, deliver, err, make_rows, out, row_options, table

MOST = {256: 13, 512: 15}
_SUMS = 32  # so far sums of proven windows are looked at, which cost nothing
_SPN = {256: ("haraka-256", "pholkos-256"), 512: ("haraka-512", "pholkos-512")}
_PEERS = {256: ("simpira-2", "areion-256"), 512: ("simpira-4", "areion-512")}
_BATCH = 64
_EACH = 2.0  # seconds for a question of --all
_LEDGER = {"256": "feistel-256-rounds.jsonl", "512": "feistel-512-bounds.jsonl"}


@dataclass(frozen=True, slots=True)
class Design:
    """A permutation, and the fewest rounds that reach the need in both views; None: not decided, or
    more than `MOST`. Fewer than ``after`` do not."""

    name: str
    rounds: int | None
    after: int = 1

    @property
    def least(self) -> str | None:
        """At the fewest rounds that could do, if it is not known whether they do."""
        return None if self.after == self.rounds else f"{self.name}:{self.after}"

    @property
    def said(self) -> str:
        if self.rounds is None:
            return f"{self.after} rounds or more, not decided"
        return f"{self.rounds} rounds" if self.after == self.rounds else (
            f"{self.after} to {self.rounds} rounds"
        )  # fmt: skip


@click.command(
    "fastest",
    help="Rank the permutations by their speed on this CPU at equal security: the rounds at which"
    " 43 (of 256 bits) or 86 (of 512) S-boxes are active, differential and linear, an S-layer on one"
    " input counted once. All 36 configurations of 256 bits and Simpira, Areion, Haraka, Pholkos; of 512"
    " bits those of the paper and the same peers, and with --all whatever else could be faster."
    " Answers go to a ledger; a later run asks what is missing, or was open with less time.",
    epilog="Example: roundworks fastest --bits 256 --time-limit 60",
)
@click.option("--bits", type=click.Choice(["256", "512"]), default="256", show_default=True,
              help="Block size of the permutations.")  # fmt: skip
@click.option("--time-limit", type=SECONDS, default=120.0,
              show_default=True, metavar="SECONDS",
              help="For one question; of 512 bits, for one number of rounds.")  # fmt: skip
@click.option("--samples", type=Count(1, 10_000), default=30, show_default=True,
              help="Windows of each.")  # fmt: skip
@click.option("--ledger", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE",
              help="Of answers. [ledgers/feistel-256-rounds.jsonl or feistel-512-bounds.jsonl, beside"
                   " the rows; it starts as a copy of the stored one]")  # fmt: skip
@click.option("--all", "everything", is_flag=True,
              help="Of 512 bits, ask of every configuration with the paper's shuffle whether it"
                   " could be faster, in both views.")  # fmt: skip
@click.option(
    "--all-limit",
    type=SECONDS,
    metavar="SECONDS",
    help=f"With --all, for each of these questions. [default: {_EACH}]",
)
@row_options
def command(
    bits: str, time_limit: float, samples: int, ledger: Path | None, everything: bool,
    all_limit: float | None, as_json: bool, no_store: bool,
) -> None:  # fmt: skip
    if everything and bits != "512":
        raise click.UsageError("--all: of 512 bits alone; want --bits 512 with it")
    if all_limit is not None and not everything:
        raise click.UsageError("--all-limit: of the questions of --all; want that with it")
    size = int(bits)
    if ledger is None:
        ledger = rows.ledger(_LEDGER[bits])
    label = f"roundworks fastest --bits {size} --time-limit {time_limit:g}"
    designs, bounds = [], []
    for design, found in candidates(size, time_limit, ledger):
        designs.append(design)
        bounds += [asdict(one) for one in found]
        err.print(f"{design.name}: {design.said}")
    each = (all_limit or _EACH) if everything else None
    sieved = _sieve(designs, Facts(ledger, NEED[4], "distinct"), each) if size == 512 else ""
    named = [f"{d.name}:{d.rounds}" for d in designs if d.rounds is not None]
    # The others' brackets are narrow, or left open to see that they are slow.
    named += [d.least for d in designs
              if d.name in _PEERS[size] and d.least and d.after <= MOST[size]]  # fmt: skip
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
    made = make_rows("bound", bounds, label) + make_rows("permutation", speeds, label)
    deliver(made, as_json=as_json, no_store=no_store)
    if not as_json:
        ranked = [s for s in speeds if s["permutation"] in named]
        _print(designs, ranked, here[-1], size)
        if sieved:
            out.print(sieved)


def candidates(bits: int, limit: float, ledger: Path) -> Iterator[tuple[Design, list[goals.Bound]]]:
    most, need = MOST[bits], NEED[bits // 128]
    if bits == 512:
        yield from _of_four_words(need, most, limit, ledger)
        return
    names = [",".join(codes) for codes in product(CODES, repeat=2)] + [*_PEERS[bits]]
    views: dict[str, list[Needed]] = {}
    # With `stop` the solver has a process of its own: hundreds of questions, and one may crash it.
    for found in rounds_table(names, need, "distinct", most, ledger, limit, stop=lambda: False):
        both = views.setdefault(found.name, [])
        both.append(found)
        if len(both) == len(VIEWS):
            rounds = [it.rounds for it in both]
            least = None if None in rounds else max(cast(list[int], rounds))
            answers = [answer for it in both for answer in _answers(it, need)]
            yield Design(name_in_the_core(found.name), least, _after(both)), answers
    for name in _SPN[bits]:
        yield _by_cells(name, need, most, limit)


def _after(both: Sequence[Needed]) -> int:
    return max(it.below for it in both) + 1


def _of_four_words(
    need: int, most: int, limit: float, ledger: Path
) -> Iterator[tuple[Design, list[goals.Bound]]]:
    """Brackets, from bounds of fewer rounds; each answer is told as it comes."""
    facts = Facts(ledger, need, "distinct")
    listed = [row.name.strip("()").replace(" ", "") for row in spec.paper(PAPER).table("2").rows]
    for name in (*listed, *_PEERS[512], *_SPN[512]):
        # Constants of a design that is no Feistel permutation end with its rounds.
        last = min(most, int(get_permutation(name).rounds)) if name in _SPN[512] else most
        sums = last if name in _SPN[512] else _SUMS
        for view in VIEWS:
            for fact in climb(facts, name, view, last, limit):
                found = {True: f"a trail of {fact.weight}", False: "none", None: "open"}[fact.light]
                err.print(f"{name}, {view}, {fact.rounds} rounds, at most {fact.most}: {found},"
                          f" {fact.seconds:.0f} s")  # fmt: skip
        after, rounds = facts.bracket(name, sums)
        bounds = [one for view in VIEWS for one in _of_facts(facts, name, view, sums)]
        yield Design(name_in_the_core(name), rounds, after), bounds


def _of_facts(facts: Facts, name: str, view: View, most: int) -> Iterator[goals.Bound]:
    """What is known of each number of rounds, as far as something was asked or is enough."""
    lower, own = facts.lower(name, view, most), facts.of(name, view)
    last = facts.reached(name, view, most) or max((f.rounds for f in own), default=0)
    for rounds in range(1, last + 1):
        here = [f for f in own if f.rounds == rounds]
        weights = [f.weight for f in here if f.weight is not None]
        alone = any(f.light is False and f.most + 1 == lower[rounds] for f in here)
        if not weights and not lower[rounds]:
            continue
        solvers = facts.behind(name, view, rounds) or {f.solver for f in here if f.light}
        found = Least(Question(name, rounds, view, facts.count), lower[rounds],
                      min(weights, default=None), "one-solver", ", ".join(sorted(solvers)),
                      sum(f.seconds for f in here))  # fmt: skip
        way = "by degrees of columns" if spn(name) else "along each path of active words"
        words = f"byte-wise truncated trails {way}"
        yield bound(
            found, method=words if alone or not lower[rounds] else f"{words}; sums of fewer rounds"
        )


def _sieve(designs: Sequence[Design], facts: Facts, limit: float | None) -> str:
    """How many configurations could be faster than the fastest that has its rounds; what is open is
    asked for ``limit`` seconds."""
    known = [d for d in designs if d.rounds is not None and d.name.startswith("feistel512:")]
    if not known:
        return "no configuration reaches the need, so none is compared with the others"
    profile = spec.profile_of(machine.describe())
    latency = round(profile.cpu.timing("aesenc").latency)
    each = [(structure(d.name.partition(":")[2]), d.rounds or 0) for d in known]
    cycles = min(feistel_worth.path(it, rounds, latency) for it, rounds in each)
    work = min(feistel_worth.instructions(it, rounds) for it, rounds in each)
    names = list(feistel_worth.names())
    if limit is not None:
        found = feistel_worth.sieve(facts, latency, cycles, work, limit)
        for done, (name, rounds, gone) in enumerate(found, 1):
            what = "cannot be faster" if gone else "could be"
            err.print(f"{done} of {len(names)}: {name}, {rounds} rounds: {what}")
    at = {name: feistel_worth.cheaper(structure(name), latency, cycles, work) for name in names}
    out_of_it = sum(feistel_worth.refuted(facts, name, rounds) for name, rounds in at.items())
    return (
        f"of {len(names)} configurations with the paper's shuffle {out_of_it} have a light trail wherever"
        f" they would take less than {cycles} cycles for a block or {work} AES instructions;"
        f" {len(names) - out_of_it} could still be faster. AES takes {latency} cycles on this CPU:"
        f" {profile.said}"
    )


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
    """Of what is no Feistel permutation, by the model of its description. More rounds never have
    fewer, so a view that had time run out is asked no further."""
    found, it = [], get_permutation(name)
    after, reached, views = 1, dict.fromkeys(VIEWS, 0), list(VIEWS)
    for rounds in range(1, min(most, int(it.rounds)) + 1):
        for view in tuple(views):
            one = goals.bound(it, "active", rounds, view, "distinct", limit=limit)
            if one.side != "exact" and one.seconds < limit:  # Ctrl-C
                raise KeyboardInterrupt
            found.append(one)
            if (one.value or 0) >= need:
                reached[view] = rounds
            if one.upper is not None and one.upper < need:
                after = max(after, rounds + 1)
            if reached[view] or one.side != "exact":
                views.remove(view)
    return Design(name, max(reached.values()) if all(reached.values()) else None, after), found


def _print(
    designs: Sequence[Design], speeds: Sequence[dict[str, Any]], best: str, bits: int
) -> None:
    unit = "cycles" if all(r["samples_cycles"] for r in speeds) else "ns"
    least = {d.least for d in designs}
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
            (n, name + " or more" * (name in least), f"{line['chain']:.3f}",
             f"{line['many']:.3f}", many.index(name) + 1)
            for n, (name, line) in enumerate(ranked, 1)
        ],
        right=(0, 2, 3, 4),
    )  # fmt: skip
    open_ = [d.name for d in designs if d.rounds is None]
    out.print(f"\nnot within {MOST[bits]} rounds, or not decided: {', '.join(open_) or 'none'}")
    fewer = [f"{d.name} {d.said}" for d in designs if d.rounds is not None and d.after < d.rounds]
    if fewer:
        out.print(f"fewer may do: {', '.join(fewer)}")
