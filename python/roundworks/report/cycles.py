"""The cycle model compared with [AESNI-PERM]: theory, model and measurement, and what explains a gap.

The words of an explanation are chosen by the numbers of the row: which limit binds, and which of the
things that the model leaves out would bring it to what was measured.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

import altair as alt
from markupsafe import Markup

from roundworks import spec
from roundworks.report.figures import SIZE, Chart, Point, chart
from roundworks.report.frame import MAKERS, Figure, made_by
from roundworks.rows import CyclesRow, latest

_PAPER = "aesni-permutations"
# Words -> tables of one block, of many in one call, and of theory.
_TABLES = {2: ("6", "7", "4"), 4: ("8", "9", "5")}
MARGIN = 0.10


@dataclass(frozen=True, slots=True)
class CycleLine:
    """One measurement, in cycles of one block, next to the row of the model.

    ``registers`` are those that the measured program can name; ``longer`` is a call of more blocks and
    the cycles of one there, if that was measured as well.
    """

    permutation: str
    words: int
    cpu: spec.Cpu
    theory: float | None
    row: CyclesRow
    measured: float
    registers: int
    longer: tuple[int, float] | None = None

    @property
    def expected(self) -> float:
        """Cycles of one block by the model."""
        return float(self.row.expected)

    @property
    def more(self) -> float:
        """Cycles that the measurement is above the model; below zero it is faster."""
        return self.measured - self.expected

    @property
    def gap(self) -> float:
        """The same as a share of the model."""
        return self.more / self.expected

    @property
    def column(self) -> tuple[str, int, bool]:
        """What was measured in one go."""
        return self.cpu.name, self.words, self.row.blocks > 1


@dataclass(frozen=True, slots=True)
class Explained:
    """A line with the words for its gap; none where it is within the margin."""

    line: CycleLine
    words: tuple[str, ...]

    @property
    def name(self) -> str:
        """Permutation, size, CPU and batch, in words."""
        blocks = self.line.row.blocks
        many = "one block" if blocks == 1 else f"{blocks} batched"
        size = f"{128 * self.line.words} bits"
        return f"{self.line.permutation}, {size}, {self.line.cpu.title}, {many}"

    @property
    def text(self) -> str:
        """The reasons as one sentence."""
        text = "; ".join(self.words)
        return text[:1].upper() + text[1:]


@dataclass(frozen=True, slots=True)
class Model:
    """The section of the cycle model: lines with a measurement, and the other rows."""

    figure: Figure
    lines: tuple[Explained, ...]
    others: tuple[CyclesRow, ...]
    """Rows of the model for which the paper has no measurement."""

    @property
    def gaps(self) -> tuple[Explained, ...]:
        """Lines whose measurement is outside the margin."""
        return tuple(e for e in self.lines if e.words)

    @property
    def margin(self) -> int:
        """The margin in per cent."""
        return round(100 * MARGIN)


def model(rows: Sequence[CyclesRow]) -> Model:
    """The newest row of each description, next to what the paper measured."""
    plain = [row for row in rows if not row.shared]
    newest = latest(plain, ["cipher", "cpu", "rounds", "bits", "blocks"])
    lines = _lines(newest)
    used = {id(line.row) for line in lines}
    explained = tuple(Explained(line, tuple(explain(line, lines))) for line in lines)
    others = [
        row
        for row in latest(rows, ["cipher", "cpu", "rounds", "bits", "blocks", "shared"])
        if id(row) not in used
    ]
    return Model(_figure(lines), explained, tuple(others))


def _lines(rows: Sequence[CyclesRow]) -> list[CycleLine]:
    by_title = {cpu.title: cpu for cpu in spec.cpus()}
    paper = spec.paper(_PAPER)
    lines = []
    for words, (one, many, theory) in _TABLES.items():
        for number in (one, many):
            for cell in paper.table(number).cells():
                cpu = by_title[cell.column]
                blocks = 1 if number == one else cpu.registers // 4
                row = _row_of(rows, cell.row, words, cpu.name, blocks)
                if row is not None and isinstance(cell.value, int | float):
                    printed = _theory(paper.table(theory), cell.row, cpu) if blocks == 1 else None
                    cycles = cell.value * row.block_bytes
                    lines.append(
                        CycleLine(
                            permutation=cell.row,
                            words=words,
                            cpu=cpu,
                            theory=printed,
                            row=row,
                            measured=cycles,
                            registers=cpu.registers_avx2,
                        )
                    )
    return lines


def _row_of(rows: Sequence[CyclesRow], name: str, words: int, cpu: str, blocks: int) -> CyclesRow | None:
    """The row of a permutation as the paper writes it; the names end alike."""
    plain = name.strip("()").replace(" ", "").lower().removesuffix("v2")
    known = {facts.name: facts for facts in spec.permutations()}
    for row in rows:
        base, _, rest = row.cipher.partition(":")
        same = rest == plain if base.startswith("feistel") else base.startswith(plain)
        facts = known.get(base)
        timed = facts is None or facts.timed_rounds == row.rounds
        here = (row.cpu, row.blocks, row.bits, row.block_bytes)
        if same and timed and here == (cpu, blocks, 128, 16 * words):
            return row
    return None


def _theory(table: spec.PrintedTable, name: str, cpu: spec.Cpu) -> float | None:
    if name not in [row.name for row in table.rows]:
        return None
    value = table.value(name, f"latency {cpu.timing('aesenc').latency}")
    return float(value) if isinstance(value, int | float) else None


def explain(line: CycleLine, lines: Sequence[CycleLine]) -> list[str]:
    """Why the measurement is not what the model expects, as far as its numbers tell."""
    if abs(line.gap) <= MARGIN:
        return []
    row, cpu = line.row, line.cpu
    verb = "bind" if row.binds.endswith("s") else "binds"
    said = [f"{row.binds} {verb} in the model"]
    if line.more < 0:
        return [*said, _faster(line)]
    if row.blocks == 1 and row.bypass_delays:
        each = line.more / row.bypass_delays
        said.append(
            f"the critical path leaves the AES instructions {row.bypass_delays} times, and"
            f" {each:.1f} cycles more at each would close the gap{_printed_elsewhere(cpu)}"
        )
    if 1.02 * row.expected < row.crowded <= (1 + MARGIN) * line.measured:
        said.append(
            f"if all {row.mixing + row.logic} other instructions took the ports of AES the"
            f" limit would be {row.crowded:.1f} cycles"
        )
    wanted, limit = row.live * row.blocks, row.registers_avx2
    # What all registers hold is a limit of the model already.
    if row.blocks > 1 and wanted > line.registers == cpu.registers_avx2:
        fewer = f", or fewer blocks are under way: {limit:.1f} cycles"
        said.append(
            f"{wanted} words are live, and AES-NI without AVX-512 names {line.registers}"
            " registers: the rest goes to memory and back, which the model does not count"
            + (fewer if limit > row.expected else "")
        )
    said += _batch(line)
    alike = [other.more for other in lines if other.column == line.column and not other.row.bypass_delays]
    if (
        not row.bypass_delays
        and not line.longer
        and len(alike) > 2
        and median(alike) > 0
        and abs(line.more - median(alike)) <= (MARGIN * line.expected)
    ):
        said.append(
            f"{median(alike):.1f} cycles more is the median of the permutations of AES instructions"
            " alone in this column: it goes with the call, not with the instructions"
        )
    said += _same_core(line, lines)
    if len(said) == 1:
        said.append("nothing the model knows explains the rest")
    return said


def _faster(line: CycleLine) -> str:
    if line.measured < line.row.minimum:
        return (
            f"no program of its {line.row.aes} AES instructions takes less than"
            f" {line.row.minimum:.1f}: the one measured has fewer, or the profile of the CPU is wrong"
        )
    return "the model's schedule is not the best order"


def _batch(line: CycleLine) -> list[str]:
    """What a call of few blocks costs, whose ends nothing overlaps."""
    row, said = line.row, []
    by_itself = row.scheduled
    near = abs(line.measured - by_itself) <= MARGIN * line.measured
    if row.blocks > 1 and by_itself > 1.02 * row.expected and near:
        said.append(
            f"{row.blocks} by themselves take {by_itself:.1f} cycles each in the model, from the"
            " first start to the last result"
        )
    if line.longer and line.longer[1] < (1 - MARGIN / 2) * line.measured:
        blocks, cycles = line.longer
        said.append(
            f"in calls of {blocks} blocks it is {cycles:.2f} cycles: {line.measured - cycles:.2f} go"
            " with the call, not with the instructions"
        )
    return said


def _printed_elsewhere(cpu: spec.Cpu) -> str:
    """What is known of it here, or on a CPU with the same latency from AES to AES."""
    latency = cpu.timing("aesenc").latency
    if own := cpu.timing("aesenc").latency_to_others - latency:
        return f" next to the {own} that the model has"
    for other in spec.cpus():
        more = other.timing("aesenc").latency_to_others - other.timing("aesenc").latency
        if more and other.timing("aesenc").latency == latency:
            return f" (on {other.title} it is {more} by [LLVM-SCHED])"
    return ""


def _same_core(line: CycleLine, lines: Sequence[CycleLine]) -> list[str]:
    """CPUs that the model cannot tell apart: what their figures differ by is not of the core."""
    twins = [
        other.measured
        for other in lines
        if (other.permutation, other.words) == (line.permutation, line.words)
        and (other.row.blocks > 1) == (line.row.blocks > 1)
        and other.cpu.same_core == line.cpu.same_core
    ]
    if len(twins) < 2 or max(twins) <= (1 + MARGIN / 2) * min(twins):
        return []
    return [f"on CPUs of this core the paper has {min(twins):.1f} to {max(twins):.1f} cycles"]


def _figure(lines: Sequence[CycleLine]) -> Figure:
    title = "Cycles of one block: model and measurement"
    if not lines:
        return Figure("cycles", title, "", Markup(""), None, MAKERS["cycles"])
    points: list[Point] = [
        {
            "expected": line.expected,
            "measured": line.measured,
            "cpu": line.cpu.title,
            "permutation": line.permutation,
            "bits": f"{128 * line.words} bits",
            "blocks": "one block" if line.row.blocks == 1 else "batched",
            "binds": line.row.binds,
            "gap": line.gap,
        }
        for line in lines
    ]
    near = sum(abs(line.gap) <= MARGIN for line in lines)
    sentence = (
        f"Of {len(lines)} printed measurements {near} are within {MARGIN:.0%} of the model. A point"
        " on the line took what the model says; a point above it took more."
    )
    caption = Markup("Printed: [AESNI-PERM, tables 6 to 9]; CPUs as in spec/cpus.toml. ")
    return Figure(
        "cycles",
        title,
        sentence,
        caption + made_by([line.row for line in lines]),
        figure_cycles(points),
        MAKERS["cycles"],
    )


def figure_cycles(points: Sequence[Point]) -> Chart:
    """Measured against expected on equal log axes, with the line where both agree."""
    values = [p[key] for p in points for key in ("expected", "measured")]
    low, high = min(values) / 1.2, max(values) * 1.2
    scale = alt.Scale(type="log", domain=[low, high], nice=False)
    ticks = [step for step in (2, 5, 10, 20, 50, 100, 200) if low <= step <= high]
    axis = alt.Axis(format="~g", values=ticks)
    base = chart(points)
    marks = base.mark_point(filled=False, size=60).encode(
        x=alt.X("expected:Q", title="cycles by the model (log scale)", scale=scale, axis=axis),
        y=alt.Y("measured:Q", title="cycles measured", scale=scale, axis=axis),
        color=alt.Color("cpu:N", title=None, scale=alt.Scale(range="category")),
        shape=alt.Shape("blocks:N", title=None),
        tooltip=[
            alt.Tooltip("permutation:N"),
            alt.Tooltip("bits:N", title="size"),
            alt.Tooltip("cpu:N"),
            alt.Tooltip("blocks:N"),
            alt.Tooltip("binds:N"),
            alt.Tooltip("expected:Q", format=".1f"),
            alt.Tooltip("measured:Q", format=".1f"),
            alt.Tooltip("gap:Q", format="+.0%"),
        ],
    )
    line = (
        chart([{"at": low}, {"at": high}])
        .mark_line(strokeDash=[4, 3], strokeWidth=1)
        .encode(x=alt.X("at:Q", scale=scale), y=alt.Y("at:Q", scale=scale))
    )
    return alt.layer(line, marks).properties(**SIZE)
