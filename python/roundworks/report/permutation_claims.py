"""What [AESNI-PERM, section 5.3] says of its measurements, checked on ours.

To be n per cent faster is to take n per cent less time: of the readings that is the one with which
the paper's own tables agree.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from roundworks import spec
from roundworks.report.permutation_speed import PAPER, MeasuredSpeed, SpeedLine, SpeedTable
from roundworks.report.values import number

_ICE = "Ice Lake"


@dataclass(frozen=True, slots=True)
class SpeedClaim:
    """`winners` take at least `margin` less time than `beaten`, and no more than `over`.

    The three are row names; `proposed`, `existing` and `all` stand for many. `only` and `but` are
    the CPUs of which the paper says it.
    """

    text: str
    table: str
    winners: tuple[str, ...]
    beaten: tuple[str, ...]
    margin: float = 0.0
    over: tuple[str, ...] = ()
    only: str = ""
    but: str = ""


# [AESNI-PERM, section 5.3], in its order.
CLAIMS = (
    SpeedClaim(
        "(2-0,2-2) is the fastest for one block of 256 bits, except on Ice Lake, by 2 % and more"
        " over Simpira, Haraka and Pholkos",
        "6",
        ("(2-0,2-2)",),
        ("existing",),
        0.02,
        ("all",),
        but=_ICE,
    ),
    SpeedClaim(
        "(1-0,1-1) is the fastest for one block of 256 bits on Ice Lake, by 27 % and more"
        " over Simpira, Haraka and Pholkos",
        "6",
        ("(1-0,1-1)",),
        ("existing",),
        0.27,
        ("all",),
        only=_ICE,
    ),
    SpeedClaim(
        "(2-0,2-2,2-0,2-2) is the fastest for one block of 512 bits, by 17 % and more"
        " over Simpira, Haraka and Pholkos",
        "8",
        ("(2-0,2-2,2-0,2-2)",),
        ("existing",),
        0.17,
        ("all",),
    ),
    SpeedClaim(
        "Haraka v2 and Pholkos are the fastest for many blocks of 256 bits, except on Ice Lake, by"
        " 6 % and more over those proposed",
        "7",
        ("Haraka v2", "Pholkos"),
        ("proposed",),
        0.06,
        ("all",),
        but=_ICE,
    ),
    SpeedClaim(
        "(2-0,1-1) is the fastest for many blocks of 256 bits on Ice Lake, by 13 % and more"
        " over Simpira, Haraka and Pholkos",
        "7",
        ("(2-0,1-1)",),
        ("existing",),
        0.13,
        ("all",),
        only=_ICE,
    ),
    SpeedClaim(
        "(2-0,2-2,2-0,2-2) is the fastest for many blocks of 512 bits", "9", ("(2-0,2-2,2-0,2-2)",), ("all",)
    ),
    SpeedClaim(
        "(2-0,2-2,2-0,2-2) is faster than Simpira, Haraka and Pholkos for many blocks of 512 bits on"
        " Ice Lake, by 10 % and more",
        "9",
        ("(2-0,2-2,2-0,2-2)",),
        ("existing",),
        0.10,
        only=_ICE,
    ),
    SpeedClaim(
        "All proposed permutations of 256 bits are faster than Simpira v2 for one block",
        "6",
        ("proposed",),
        ("Simpira-2",),
    ),
    SpeedClaim(
        "All proposed permutations of 512 bits are faster than Simpira v2 for one block",
        "8",
        ("proposed",),
        ("Simpira-4",),
    ),
    SpeedClaim(
        "(2-0,1-1) is faster than Haraka v2 and Pholkos for many blocks on Ice Lake: latency 3 lets"
        " more AES instructions be under way, and those two must mix words as well",
        "7",
        ("(2-0,1-1)",),
        ("Haraka v2", "Pholkos"),
        only=_ICE,
    ),
)


_STATES = ("does not hold", "level", "holds")


@dataclass(frozen=True, slots=True)
class Pair:
    """A winner next to one that it should beat, and how much less time it takes."""

    winner: SpeedLine
    baseline: SpeedLine
    saving: float
    margin: float
    level: bool

    @property
    def state(self) -> str:
        """Level is as fast, not faster; of a margin it is a miss."""
        if self.level and not self.margin:
            return "level"
        return "holds" if self.saving >= self.margin else "does not hold"


@dataclass(frozen=True, slots=True)
class ClaimVerdict:
    """Whether our measurements bear a claim out, with the numbers and the reason."""

    claim: SpeedClaim
    state: str
    numbers: str
    reason: str

    @property
    def in_print(self) -> str:
        """On how many CPUs the paper's own table keeps the claim."""
        kept = printed(self.claim)
        return f"on {sum(by >= 0 for by in kept.values())} of {len(kept)} CPUs"

    @property
    def shown(self) -> str:
        """The state as the goals of the page name it."""
        return {"holds": "met", "does not hold": "missed"}.get(self.state, "open")


def _names(which: Sequence[str], names: Sequence[str]) -> list[str]:
    chosen: list[str] = []
    for one in which:
        group = {
            "all": names,
            "proposed": [n for n in names if n.startswith("(")],
            "existing": [n for n in names if not n.startswith("(")],
        }
        chosen += group.get(one, [one])
    return chosen


def compared(claim: SpeedClaim, names: Sequence[str]) -> Iterator[tuple[str, str, float]]:
    """Winner, baseline, and how much less time the winner should take."""
    winners = _names(claim.winners, names)
    for winner in winners:
        for group, margin in ((claim.beaten, claim.margin), (claim.over, 0.0)):
            for baseline in _names(group, names):
                if baseline not in winners:
                    yield winner, baseline, margin


def printed(claim: SpeedClaim) -> dict[str, float]:
    """CPU -> by how much the claim is kept or, below zero, missed in the paper's own table."""
    table = spec.paper(PAPER).table(claim.table)
    names, kept = [row.name for row in table.rows], {}
    for column in table.columns:
        if claim.only not in ("", column.name) or claim.but == column.name:
            continue
        value = {name: number(table.value(name, column.name)) or math.nan for name in names}
        kept[column.name] = min(1 - value[w] / value[r] - margin for w, r, margin in compared(claim, names))
    return kept


def verdicts(tables: Sequence[SpeedTable], cpu: spec.Cpu) -> list[ClaimVerdict]:
    """Every claim of the paper, by the tables measured on one CPU."""
    by_number = {table.number: table for table in tables}
    return [_verdict(claim, by_number.get(claim.table), cpu) for claim in CLAIMS]


def _verdict(claim: SpeedClaim, table: SpeedTable | None, cpu: spec.Cpu) -> ClaimVerdict:
    names = [row.name for row in spec.paper(PAPER).table(claim.table).rows]
    needed = {name for w, r, _ in compared(claim, names) for name in (w, r)}
    missing = [n for n in names if n in needed and (not table or table.line(n).ours is None)]
    if table is None or missing:
        one = missing[0] + (f" and {len(missing) - 1} more" if len(missing) > 1 else "")
        wanted = f"roundworks reproduce {PAPER} --table {claim.table}"
        return ClaimVerdict(claim, "not decided", f"no row of {one}", f"{wanted} makes them")
    pairs = []
    for winner, baseline, margin in compared(claim, names):
        a, b = table.line(winner), table.line(baseline)
        assert a.ours and b.ours
        saving = 1 - a.ours.median / b.ours.median
        pairs.append(Pair(a, b, saving, margin, a.ours.level(b.ours)))
    # Those that fail stand before those that are level or hold, the worst first: one of each margin.
    pairs.sort(key=lambda p: (_STATES.index(p.state), p.saving - p.margin))
    worst = {pair.margin: pair for pair in reversed(pairs)}
    # One pair may decide both: then the margin says it all.
    shown = {(pair.winner.name, pair.baseline.name): pair for _, pair in sorted(worst.items())}
    numbers = "; ".join(map(_numbers, sorted(shown.values(), key=lambda p: -p.margin)))
    return ClaimVerdict(claim, pairs[0].state, numbers, _reason(pairs[0], table, cpu))


def _numbers(pair: Pair) -> str:
    a, b = pair.winner.ours, pair.baseline.ours
    assert a and b
    text = f"{pair.winner.name} {_quartiles(a)}, {pair.baseline.name} {_quartiles(b)}: "
    text += _less(pair.saving)
    if pair.margin:
        text += f", {pair.margin:.0%} wanted"
    return text + (", quartiles overlap" if pair.level else "")


def _less(saving: float) -> str:
    if abs(saving) < 0.005:
        return "the same time"
    return f"{abs(saving):.0%} {'less' if saving >= 0 else 'more'} time"


def _quartiles(speed: MeasuredSpeed) -> str:
    return f"{speed.median:.3f} ({speed.q1:.3f} to {speed.q3:.3f})"


def _reason(pair: Pair, table: SpeedTable, cpu: spec.Cpu) -> str:
    a, b = pair.winner.modelled, pair.baseline.modelled
    if a is None or b is None:
        return "no row of the model for this CPU"
    timing = cpu.timing("aesenc")
    field = "ports" if table.many else "path"
    what = "ports allow" if table.many else "critical paths are"
    ports = "1 port" if len(timing.ports) == 1 else f"{len(timing.ports)} ports"
    said = [
        f"{what} {a[field]:.3g} and {b[field]:.3g} cycles a block of {pair.winner.name} and"
        f" {pair.baseline.name}, with aesenc of latency {timing.latency} on {ports}"
    ]
    for line, row in ((pair.winner, a), (pair.baseline, b)):
        more = timing.latency_to_others - timing.latency
        if not table.many and row.bypass_delays and more:
            said.append(
                f"{line.name} leaves the AES instructions {row.bypass_delays} times, at {more} cycles more each"
            )
        if table.many and row.mixing:
            said.append(f"{line.name} has {row.mixing} instructions that mix words")
        if row.shared:
            said.append(f"{line.name} has {row.aes} AES instructions, those of one input once")
    by_model = 1 - a.expected / b.expected
    agrees = (by_model >= pair.margin) == (pair.state != "does not hold")
    says = "the same" if agrees else "otherwise"
    said.append(f"by the model {_less(by_model)}, which says {says}")
    if not agrees:
        for line, row in ((pair.winner, a), (pair.baseline, b)):
            times = line.ours.median / row.cycles_per_byte if line.ours else 1
            if abs(times - 1) > 0.1:
                said.append(f"{line.name} takes {times:.2f} times its model")
    wide = [(line.best_wide, line) for line in table.lines]
    known = [(speed, line) for speed, line in wide if speed]
    if known:
        speed, line = min(known, key=lambda pair: pair[0].median)
        said.append(f"with VAES the fastest is {line.name}, {speed.median:.3f} on {speed.row.backend}")
    return "; ".join(said)
