"""[AESNI-PERM], what its abstract, sections 1, 4 and 5 say in prose of search and speed.

A claim about speed follows from the printed tables or does not; ours is the same claim on the newest run of
tables 6 to 9 that is stored. Per cents are cut to whole ones, as the paper does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from math import ceil, factorial, floor

from .. import spec
from ..analysis.cycles import cycles
from ..analysis.sboxes import sbox_facts
from ..bench.permutations import PAPER
from ..errors import RoundworksError
from ..reference import Sbox
from ..report.known import of_all_trails
from ..rows import BoundRow, Store
from .minima import NEED
from .permutation_cycles import described
from .permutation_speed import blocks_of, measured
from .run import Ours, Run

EXISTING = ("Simpira-2", "Simpira-4", "Haraka v2", "Pholkos")
_LATEST = "Ice Lake"
# Functions of one or two AES instructions, each with MixColumns or without.
_FUNCTIONS = 2 + 4
# Column -> row -> cycles per byte.
Speeds = Mapping[str, Mapping[str, float]]


def claims(run: Run) -> Iterator[Ours]:
    """The cells of the prose, but for the counts of the scans."""
    yield from _sizes()
    yield from _rounds(Store().read(BoundRow))
    yield from _speed(run)


def printed(number: str) -> Speeds:
    """A table of speeds as printed."""
    table = spec.paper(PAPER).table(number)
    speeds: dict[str, dict[str, float]] = {}
    for column in table.columns:
        for row in table.rows:
            value = table.value(row.name, column.name)
            assert isinstance(value, int | float)
            speeds.setdefault(column.name, {})[row.name] = float(value)
    return speeds


def ours(number: str) -> tuple[str, Speeds] | None:
    """The machine of the newest stored run, and its speeds by the blocks of each column."""
    try:
        now = measured(Run(stored=True), number)
    except RoundworksError:
        return None
    assert now is not None
    by_title, speeds = {cpu.title: cpu for cpu in spec.cpus()}, dict[str, dict[str, float]]()
    for column, rows in printed(number).items():
        for name in rows:
            times = now.cycles_per_byte(number, name, blocks_of(number, by_title[column]))
            if times is None:
                return None
            speeds.setdefault(column, {})[name] = times[1]
    return now.slug, speeds


def ahead(speeds: Speeds, columns: Iterable[str]) -> list[float]:
    """Per cent of the time of the best existing design that the best proposed one saves, by column;
    below zero where an existing one leads."""
    saved = []
    for column in columns:
        old = min(v for name, v in speeds[column].items() if name in EXISTING)
        new = min(v for name, v in speeds[column].items() if name not in EXISTING)
        saved.append(100 * (1 - new / old))
    return saved


def behind(speeds: Speeds, columns: Iterable[str]) -> list[float]:
    """Per cent of the time of the best proposed design that the best existing one saves, by column."""
    return [-100 * s / (100 - s) if s < 0 else -s for s in ahead(speeds, columns)]


def most(speeds: Speeds, columns: Iterable[str]) -> float:
    """Per cent that the best proposed design saves of the slowest existing one, of all columns."""
    saved = []
    for column in columns:
        old = max(v for name, v in speeds[column].items() if name in EXISTING)
        new = min(v for name, v in speeds[column].items() if name not in EXISTING)
        saved.append(100 * (1 - new / old))
    return max(saved)


def first(speeds: Speeds, columns: Iterable[str]) -> str:
    """Who is fastest in most of the columns."""
    leaders = [min(speeds[c], key=lambda name: speeds[c][name]) for c in columns]
    return max(dict.fromkeys(leaders), key=leaders.count)


def _speed(run: Run) -> Iterator[Ours]:
    old = [c for c in printed("6") if c != _LATEST]
    every = [*old, _LATEST]

    def minimum(
        of: Callable[[Speeds, Iterable[str]], list[float]], columns: Sequence[str]
    ) -> Callable[[Speeds], int]:
        return lambda s: floor(min(of(s, columns)))

    for row, number, columns, of in (
        ("faster, one block, 256 bits, not Ice Lake", "6", old, ahead),
        ("faster, one block, 256 bits, Ice Lake", "6", [_LATEST], ahead),
        ("faster, one block, 512 bits", "8", every, ahead),
        ("slower, parallel, 256 bits, not Ice Lake", "7", old, behind),
        ("faster, parallel, 256 bits, Ice Lake", "7", [_LATEST], ahead),
        ("faster, parallel, 512 bits, Ice Lake", "9", [_LATEST], ahead),
    ):
        yield _claim(row, number, minimum(of, columns))
    yield _claim("faster, one block, 512 bits, at most", "8", lambda s: floor(most(s, every)))
    yield _claim("faster, one block, Ice Lake, abstract", "6", lambda s: round(ahead(s, [_LATEST])[0], -1))
    both = {number: ours(number) for number in ("7", "9")}
    together = _claim("faster, parallel, Ice Lake, abstract", "7", lambda s: floor(ahead(s, [_LATEST])[0]))
    smaller = min(floor(ahead(printed(n), [_LATEST])[0]) for n in both)
    if all(both.values()):
        mine = min(floor(ahead(b[1], [_LATEST])[0]) for b in both.values() if b)
        together = replace(together, value=mine)
    yield replace(together, follows=smaller, reason=f"{together.reason}; of tables 7 and 9 the smaller")

    def tens(s: Speeds) -> str:
        return f"{round(min(ahead(s, every)), -1):.0f}-{round(most(s, every), -1):.0f}"

    yield _claim("faster, one block, 512 bits, English abstract", "8", tens)
    yield _by_theory()
    yield _one_block()
    for row, number, columns in (
        ("fastest, one block, 256 bits, not Ice Lake", "6", old),
        ("fastest, one block, 256 bits, Ice Lake", "6", [_LATEST]),
        ("fastest, one block, 512 bits", "8", every),
        ("fastest, parallel, 256 bits, not Ice Lake", "7", old),
        ("fastest, parallel, 256 bits, Ice Lake", "7", [_LATEST]),
        ("fastest, parallel, 512 bits", "9", every),
    ):
        yield _leader(row, number, columns)


def faster(speeds: Speeds) -> str:
    """How many proposed designs take less than Simpira in every column: ``all``, or ``5 of 6``."""
    (simpira,) = {name for rows in speeds.values() for name in rows if name.startswith("Simpira")}
    proposed = [name for name in next(iter(speeds.values())) if name not in EXISTING]
    ahead_of_it = [n for n in proposed if all(rows[n] < rows[simpira] for rows in speeds.values())]
    return "all" if len(ahead_of_it) == len(proposed) else f"{len(ahead_of_it)} of {len(proposed)}"


def _by_theory() -> Ours:
    """By the printed cycles of tables 4 and 5, and by the critical paths of the recorded graphs."""
    said, mine = [], []
    for number, words in (("4", 2), ("5", 4)):
        speeds = {c: v for c, v in printed(number).items() if c.startswith("latency")}
        said.append(faster(speeds))
        paths: dict[str, dict[str, float]] = {}
        for column, rows in speeds.items():
            latency = int(column.split()[1])
            cpu = next(c for c in spec.cpus() if c.timing("aesenc").latency == latency)
            for name in rows:
                it, rounds = described(name, words)
                paths.setdefault(column, {})[name] = cycles(it, cpu, rounds).path
        mine.append(faster(paths))
    row, why = (
        "proposed ones faster than Simpira, by theory",
        "by the printed tables 4 and 5; ours: by critical paths",
    )
    value, follows = ("all" if set(each) == {"all"} else " and ".join(each) for each in (mine, said))
    return Ours(row, "value", value, "proven", why, follows=follows)


def _one_block() -> Ours:
    """By the printed tables 6 and 8, and by ours."""
    measured_ones = [ours(number) for number in ("6", "8")]
    follows = [faster(printed(number)) for number in ("6", "8")]
    row, why = "proposed ones faster than Simpira, one block", "by the printed tables 6 and 8"
    made = Ours(
        row, "value", None, "proven", why, follows="all" if set(follows) == {"all"} else " and ".join(follows)
    )
    there = [one for one in measured_ones if one is not None]
    if len(there) < len(measured_ones):
        return made
    mine = [faster(speeds) for _, speeds in there]
    value, slug = "all" if set(mine) == {"all"} else " and ".join(mine), there[0][0]
    return replace(
        made, value=value, certainty="measured", platform=slug, reason=f"{why}; ours: the same on {slug}"
    )


def _claim(row: str, number: str, of: Callable[[Speeds], float | str]) -> Ours:
    """A claim by the printed table, and the same by ours."""
    mine, follows = ours(number), of(printed(number))
    why = f"by the printed Table {number}"
    if mine is None:
        return Ours(row, "value", None, "proven", why, follows=follows)
    why += f"; ours: the same by our Table {number} on {mine[0]}"
    return Ours(row, "value", of(mine[1]), "measured", why, platform=mine[0], follows=follows)


def _leader(row: str, number: str, columns: Sequence[str]) -> Ours:
    """Who is fastest. Where the paper names two, ours agrees if it is one of them."""
    mine = ours(number)
    if mine is None:
        why = f"`roundworks reproduce {PAPER} --table {number}` measures it"
        return Ours(row, "value", None, None, why, status="open")
    winner, said = first(mine[1], columns), spec.paper(PAPER).table("text").value(row, "value")
    value = said if isinstance(said, str) and winner in said.split(" and ") else winner
    why = (
        f"by our Table {number} on {mine[0]}: {winner}; by the printed one {first(printed(number), columns)}"
    )
    return Ours(row, "value", value, "measured", why, platform=mine[0])


def _sizes() -> Iterator[Ours]:
    """What is wanted, and how much there is to search."""
    aes_sbox = spec.sboxes()["aes"]
    dp = round(sbox_facts(Sbox(aes_sbox.name, aes_sbox.table)).dp_log2)
    why = "computed from the S-box of AES"
    yield Ours("differential probability of the AES S-box", "value", dp, "proven", why)
    for bits, words in ((256, 2), (512, 4)):
        why = f"{bits} bits over {-dp} for each active S-box"
        yield Ours(f"active S-boxes wanted, {bits} bits", "value", ceil(bits / -dp), "proven", why)
        shuffles = factorial(words) - 1
        count = _FUNCTIONS**words * shuffles
        why = f"{_FUNCTIONS} functions at each of {words} places, {shuffles} shuffles but the one that moves nothing"
        yield Ours(f"permutations searched, {bits} bits", "value", count, "proven", why)
        cpu = spec.cpus()[0]
        for row, name in ((f"Simpira-{words}", f"Simpira-{words}"), ("Haraka v2 and Pholkos", "Haraka v2")):
            it, rounds = described(name, words)
            aes = cycles(it, cpu, rounds).aes
            cell = f"instructions of {row}" + ("" if row.startswith("Simpira") else f", {bits} bits")
            yield Ours(cell, "value", aes, "proven", "AES instructions counted in the recorded graph")


def _rounds(bounds: Iterable[BoundRow]) -> Iterator[Ours]:
    """The rounds that reach the active S-boxes wanted, by the stored bounds on differences."""
    lower, upper = dict[tuple[str, float], float](), dict[tuple[str, float], float]()
    for row in bounds:
        counts = row.measure == "active-sboxes" and row.view == "differential" and of_all_trails(row)
        if counts and row.rounds is not None:
            key = (row.cipher, row.rounds)
            if row.side != "upper" and row.value is not None:
                lower[key] = max(lower.get(key, 0), row.value)
            ends = [v for v in (row.upper, row.value if row.side != "lower" else None) if v is not None]
            upper[key] = min([upper.get(key, float("inf")), *ends])
    for words, bits in ((2, 256), (4, 512)):
        need, name = NEED[words], f"simpira-{words}"
        reach = min((r for (c, r), v in lower.items() if c == name and v >= need), default=None)
        short = upper.get((name, (reach or 0) - 1), float("inf"))
        row_name = f"rounds of Simpira-{words} that reach it"
        why = f"stored bounds on differences: every pattern has at least {need} in {reach} rounds"
        if reach and short < need:
            why += f", and one has {short:g} in {reach - 1:g}"
            yield Ours(row_name, "value", int(reach), "one-solver", why)
        else:
            why += "; that a round less does not reach it is not decided"
            yield Ours(
                row_name, "value", None if reach is None else int(reach), "one-solver", why, status="open"
            )
        base = f"haraka-{bits}"
        whole = sorted((r, v) for (c, r), v in lower.items() if c == base)
        below = [(r, v) for r, v in whole if v < need][-1:]
        above = [(r, v) for r, v in whole if v >= need][:1]
        said = "; ".join(f"{v:g} in {r:g}" for r, v in [*below, *above])
        why = f"our bounds are over whole rounds, Haraka v2 has at least {said}, and {need} are wanted"
        row_name = f"rounds of Haraka v2 and Pholkos, {bits} bits"
        yield Ours(row_name, "value", None, "one-solver", why, status="not-comparable")
