"""[AESNI-PERM], tables 1 and 2: the permutations that reach 43 and 86 active S-boxes.

Every query has a time limit; what it has not decided by then is open, with the seconds spent.
"""

from __future__ import annotations

from collections.abc import Callable

from .. import spec
from ..bounds import OF_SHAPES, is_of_shapes
from ..prove.structures import feistel
from ..prove.structures.scan import scan, structures
from ..report.known import best_known
from ..rows import BoundRow, ReproductionRow, Store, latest, ledger
from .minima import NEED, MinimaTable, Minimum, MinimumQuery, weakest
from .permutation_claims import claims
from .run import Ours, Run, clock

_PAPER = "aesni-permutations"
# Seconds for one query to a solver, and for all queries of one table.
_EACH = {("1", False): 90.0, ("1", True): 600.0, ("2", False): 150.0, ("2", True): 900.0}
_TOTAL = {("1", False): 300.0, ("1", True): 1800.0, ("2", False): 400.0, ("2", True): 3600.0}
# The scan of 512 bits goes on from its ledger: so long in one run, so long for one structure.
_SCAN_SECONDS, _SCAN_EACH = 3600.0, 60.0
# Where S-boxes are counted once: queries at these rounds and the one before, at 14 only that.
_ONCE = {
    "1-0,2-0": (9, 8),
    "2-0,1-0": (8, 8),
    "2-0,2-0": (7, 5),
    "1-0,1-1": (14, 14),
    "2-0,1-1": (8, 8),
    "2-0,2-2": (5, 5),
}


_CHOSEN = "by the wiring that was chosen to give this table, for the figure is lost"


def _table(run: Run, number: str) -> MinimaTable:
    return MinimaTable(run, number, _EACH[number, run.full], _TOTAL[number, run.full])


def _printed(number: str, exact: bool) -> list[tuple[str, MinimumQuery, MinimumQuery]]:
    """Rows of the paper with the queries of the round before and of the round itself."""
    table, queries = spec.paper(_PAPER).table(number), []
    for row in table.rows:
        rounds = table.value(row.name, "rounds")
        assert isinstance(rounds, int)
        name = row.name.strip("()").replace(" ", "")
        before, there = (MinimumQuery(name, r, exact=exact) for r in (rounds - 1, rounds))
        queries.append((row.name, before, there))
    return queries


def _rows(table: MinimaTable, printed: list[tuple[str, MinimumQuery, MinimumQuery]]) -> list[Ours]:
    ours = []
    for row, *queries in printed:
        before, there = (table.minimum(query) for query in queries)
        rounds, need = there.query.rounds, there.query.need
        seconds = before.seconds + there.seconds
        why = (
            f"{_CHOSEN}, in the paper's model of patterns: {before.text} active S-boxes in {rounds - 1} rounds"
            f" ({before.how}), {there.text} in {rounds} ({there.how}); {need} wanted{_closer(before)}"
        )
        value: int | str | None = None
        status: str | None = "open"
        if before.lower >= need:
            value, status = f"at most {rounds - 1}", "refuted"
        elif there.upper is not None and there.upper < need:
            value, status = f"more than {rounds}", "refuted"
        elif there.lower >= need and before.upper is not None and before.upper < need:
            value, status = rounds, None
        certainty = weakest([before, there])
        follows = value if status is None else None
        ours.append(Ours(row, "rounds", value, certainty, why, seconds, status, follows=follows))
        if value == rounds:
            each = there.query.structure.instructions
            text = f"{rounds} rounds of {each} instructions"
            ours.append(Ours(row, "instructions", rounds * each, certainty, text, follows=rounds * each))
    return ours


def _closer(before: Minimum) -> str:
    """What stored bounds on the description show that patterns do not: they relate what both functions of a pair
    make of one word."""
    q = before.query
    shown = [
        row
        for row in best_known(Store().read(BoundRow), ())
        if (row.cipher, row.measure, row.view, row.count) == (q.cipher, "active-sboxes", q.view, q.count)
        if row.side != "upper" and not is_of_shapes(row)
    ]
    enough = [row for row in shown if (row.value or 0) >= q.need and (row.rounds or 0) <= q.rounds]
    if not enough:
        return ""
    first = min(enough, key=lambda row: row.rounds or 0)
    return (
        f". The description itself has at least {first.value:g} in {first.rounds} rounds: a model that relates"
        " what both functions of a pair make of one word takes fewer rounds than the paper's"
    )


def _counted_once(full: bool) -> list[MinimumQuery]:
    """Where two functions of a pair apply one S-layer to one word: the rounds that it takes."""
    queries = []
    for name, needed in _ONCE.items():
        for view, rounds in zip(feistel.VIEWS, needed, strict=True):
            # Fewer S-boxes are active in fewer rounds, so the last that do not do say it of all.
            short = MinimumQuery(name, rounds - 1, view, "distinct")
            queries += [short] if rounds > 13 else [MinimumQuery(name, rounds, view, "distinct"), short]
    return queries


def table_1(run: Run) -> list[Ours]:
    """Minimum active S-boxes over 256 bits, by rounds. [AESNI-PERM, table 1]"""
    with _table(run, "1") as table:
        printed = _printed("1", exact=run.full)
        # The roles of the two functions exchanged: were that the paper's wiring, 5 rounds would
        # not do.
        more = [MinimumQuery("1-1,2-0", 5), *_counted_once(run.full)]
        for view in feistel.VIEWS:
            exact = run.full or view == "differential"
            more += [MinimumQuery("simpira-2", rounds, view, exact=exact) for rounds in (7, 8)]
        if run.full:
            more += [MinimumQuery(name, rounds, exact=True) for name, rounds in _good_256(16)]
        table.begin(*(q for _, *pair in printed for q in pair), *more)
        ours = _rows(table, printed)
        for query in more:
            table.minimum(query)
    return ours


def _good_256(instructions: int) -> list[tuple[str, int]]:
    """Those of the ledger that reach 43."""
    file = ledger("feistel-256.sqlite")
    verdicts = scan(2, NEED[2], instructions, file, _SCAN_EACH)
    return [(",".join(v.codes), v.rounds) for v in verdicts if v.reaches]


def table_2(run: Run) -> list[Ours]:
    """Minimum active S-boxes over 512 bits, by rounds. [AESNI-PERM, table 2]"""
    with _table(run, "2") as table:
        # The table wants a number of rounds; exact minima of 512 bits take longer than any run here.
        printed = _printed("2", exact=False)
        # Seven rounds of seven instructions are the 49 that the paper prints for rows of six. With
        # this shuffle, to exchange the halves changes nothing, so there are queries for two of the four.
        seven = [MinimumQuery(name, 7) for name in ("1-0,2-0,2-0,2-0", "2-0,1-0,2-0,2-0")]
        # Over patterns the minima of Simpira-4 are 65, 70 and 90 here.
        simpira = [MinimumQuery("simpira-4", r, most=m) for r, m in ((8, 64), (8, 65), (9, 69))]
        simpira += [MinimumQuery("simpira-4", r, most=m) for r, m in ((9, 70), (10, 85), (10, 90))]
        table.begin(*(q for _, *pair in printed for q in reversed(pair)), *seven, *simpira)
        ours = _rows(table, printed)
        for query in seven:
            minimum = table.minimum(query)
            codes = query.name.split(",")
            if minimum.lower:
                method = f"{OF_SHAPES}, as {query.name}, halves exchanged"
                table.leave(minimum, ",".join(codes[2:] + codes[:2]), method)
        for query in simpira:
            table.minimum(query)
    return ours


def table_text(run: Run) -> list[Ours]:
    """The searches of section 4.1; all of it takes hours, so the quick profile reads the ledger."""
    ours = []
    for bits, words, most, renamed in ((256, 2, 16, 36), (512, 4, 40, 29808)):
        need = NEED[words]
        file = ledger(f"feistel-{bits}.sqlite")
        if not run.full and not file.exists():
            continue

        def say(done: int, total: int, good: int, bits: int = bits) -> None:
            run.say(f"feistel{bits}: {done:,} of {total:,} structures, {good} good")

        with clock() as seconds:

            def over(spent: Callable[[], float] = seconds) -> bool:
                return not run.full or spent() > _SCAN_SECONDS

            verdicts = scan(words, need, most, file, _SCAN_EACH, say, over)
        total = sum(1 for _ in structures(words))
        decided = [v for v in verdicts if v.reaches is not None]
        good = [v for v in decided if v.reaches]
        listed = "; ".join(f"({','.join(v.codes)}) at {v.rounds}" for v in good)
        # The paper counts shuffles of one configuration as one.
        configurations = len({v.codes for v in good})
        row = f"found with at most {most} instructions, {bits} bits"
        shown = configurations
        if printed := _reached(most, bits) - {",".join(v.codes) for v in good}:
            shown += len(printed)
            listed = (
                f"{listed or 'none'}; Table 2's own shuffle of ({'), ('.join(sorted(printed))}) reaches them"
            )
        done = (
            f"{len(decided):,} of {total:,} structures decided, {len(verdicts) - len(decided):,}"
            f" out of time, {total - len(verdicts):,} not begun ({renamed:,} with renamed ones)"
        )
        # What a light pattern rules out may still reach it, and a search may be unfinished: a lower bound, which
        # the print keeps or not.
        finished = len(decided) == total and not printed
        exhaustive = all(v.solver == "columns" for v in decided)
        ours.append(
            Ours(
                row,
                "value",
                f"at least {shown}",
                "proven" if exhaustive else "one-solver",
                f"{done}: {listed or 'none'}; "
                + (
                    "no others by patterns, and closer models may add some"
                    if finished
                    else "a lower bound, the number is not decided"
                ),
                seconds(),
            )
        )
    return [*ours, *_aesenc_alone(), *claims(run)]


def _reached(most: int, bits: int) -> set[str]:
    """Rows of Table 2 within the limit of instructions of which stored queries of their own have the printed rounds."""
    if bits != 512:
        return set()
    rows = latest(
        (r for r in Store().read(ReproductionRow) if (r.paper, r.table) == (_PAPER, "2")), ["row", "column"]
    )
    cheap = {
        r.row
        for r in rows
        if r.column == "instructions" and isinstance(r.value, int | float) and r.value <= most
    }
    there = {r.row for r in rows if r.column == "rounds" and r.status in ("reproduced", "consistent")}
    return {row.strip("()").replace(" ", "") for row in cheap & there}


def _aesenc_alone() -> list[Ours]:
    """Of the permutations of `aesenc` alone Tables 1 and 2 print those that reach the S-boxes wanted; of 256
    bits one is left, and a trail over the printed limit of rounds decides it."""
    left = MinimumQuery("1-0,1-0", 10)
    with MinimaTable(Run(), "text", 60.0, 60.0) as table:
        table.begin(left)
        minimum = table.minimum(left)
    three = sum("-1" not in row.name and "-2" not in row.name for row in spec.paper(_PAPER).table("1").rows)
    why = f"those of Table 1; of (1-0,1-0) {minimum.text} active S-boxes in 10 rounds ({minimum.how})"
    short = minimum.upper is not None and minimum.upper < NEED[2]
    ours = Ours(
        row="found with aesenc alone, 256 bits",
        column="value",
        value=three,
        certainty="one-solver",
        reason=why,
        seconds=minimum.seconds,
        status=None if short else "open",
        follows=three,
    )
    four = sum("-1" not in row.name and "-2" not in row.name for row in spec.paper(_PAPER).table("2").rows)
    why = "those of Table 2, each verified there; that there are no others is not decided here"
    return [ours, Ours("found with aesenc alone, 512 bits", "value", four, "proven", why, follows=four)]
