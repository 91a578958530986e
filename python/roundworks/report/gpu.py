"""The section of GPUs: the paper's block counts and parts, messages up to a gibibyte, the goals.

A GPU's rows are of one call of bench/gpu/run.sh, those of its ceilings with them. Until there are
some, their places say so.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median

from markupsafe import Markup

from roundworks import spec
from roundworks.report.frame import MAKERS, Figure, made_by, on_machine
from roundworks.report.gpu_figures import figure_blocks, figure_parts, figure_sizes, part_points, size_points
from roundworks.report.values import data_size, number
from roundworks.rows import Row, latest

PAPER = "minalpher-gpu"
CIPHERS = {"Minalpher": ("minalpher", 32), "AES-GCM": ("aes-128-gcm", 16)}
_BLOCKS = 40_000  # of the parts [MINALPHER-GPU, table 4]
PARTS = ("encryption", "authentication", "memory copy", "memory set", "variables")
CPU, MAKER = "cpu", "roundworks reproduce minalpher-gpu"
# Stages of our rows -> parts of the paper.
STAGES = {
    "encryption": "encryption",
    "authentication": "authentication",
    "copy": "memory copy",
    "set": "memory set",
    "tweaks": "variables",
}
_KEY = ["machine", "device", "subject", "stage", "place", "messages", "data_bytes"]


def gbits(row: Row) -> float:
    """Gbit of message per second, from the median of a row's samples."""
    return 8 * float(row["work"]) / float(median(row["samples_ns"]))


@dataclass(frozen=True, slots=True)
class GpuLine:
    """Megabits a second at one number of blocks: printed, on a CPU, on a GPU over the bus, and on one
    that has the message in its memory."""

    blocks: int
    printed: Mapping[str, float]
    cpu: Mapping[str, float]
    device: Mapping[str, float]
    resident: Mapping[str, float]

    def ratio(self, name: str) -> float | None:
        """Ours over the printed throughput on a CPU; None if it was not measured."""
        return self.cpu[name] / self.printed[name] if name in self.cpu else None


@dataclass(frozen=True, slots=True)
class GpuGoalVerdict:
    """The fastest row, and its share of the ceiling that the same call measured."""

    goal: spec.GpuGoal
    row: Row | None
    share: float | None

    @property
    def tbits(self) -> float | None:
        """Tbit of message per second; None without a row."""
        return gbits(self.row) / 1e3 if self.row else None

    @property
    def workload(self) -> str:
        """Of which entry and which messages the speed is."""
        if self.row is None:
            return ""
        count = f"{self.row['messages']:,} x " if self.row["messages"] > 1 else ""
        return f"{self.row['backend']}, {count}{data_size(self.row['data_bytes'])}"

    @property
    def state(self) -> str:
        """``met``, ``missed`` or ``open``."""
        if self.goal.tbits is not None:
            ours, minimum = self.tbits, self.goal.tbits
        else:
            ours, minimum = self.share, self.goal.share or 0.0
        if ours is None:
            return "open"
        return "met" if ours >= minimum else "missed"


@dataclass(frozen=True, slots=True)
class GpuSection:
    """What the page says of one GPU."""

    machine: str
    device: str
    lines: tuple[GpuLine, ...]
    rows: tuple[Row, ...]
    sentence: str
    blocks: Figure
    parts: Figure
    sizes: Figure
    goals: tuple[GpuGoalVerdict, ...]

    @property
    def measured(self) -> bool:
        """Whether a GPU was measured here."""
        return any(line.device for line in self.lines) or any(g.tbits for g in self.goals)


def gpu(rows: Sequence[Row]) -> GpuSection:
    """One run for each figure, on the machine that has most of a CPU; and the newest run of a GPU."""
    machines = [r["machine"] for r in latest(rows, _KEY) if r["device"] == CPU]
    machine = max(dict.fromkeys(machines), key=machines.count, default="")
    on_cpu = [r for r in rows if r["device"] == CPU and r["machine"] == machine]
    on_device = [r for r in rows if r["device"] != CPU]
    if on_device:
        last = max(on_device, key=lambda r: str(r["time"]))
        on_device = [r for r in on_device if r["run"] == last["run"]]
    blocks = {int(row.name) for row in spec.paper(PAPER).table("3").rows}
    whole = [r for r in on_cpu if r["stage"] == "whole" and r["messages"] == 1]
    by_blocks = _one_run(r for r in whole if (r["subject"], r["data_bytes"]) in _bytes_of(blocks))
    by_parts = _one_run(r for r in on_cpu if (r["subject"], r["data_bytes"]) in _bytes_of({_BLOCKS}))
    printed = {size for _, size in _bytes_of(blocks)}
    by_size = _one_run(r for r in whole if r["data_bytes"] not in printed)
    lines = tuple(_lines(by_blocks, on_device))
    sentence = _sentence(lines, machine)
    return GpuSection(
        machine=machine,
        lines=lines,
        rows=(*by_blocks, *by_parts, *by_size, *on_device),
        device=str(on_device[0]["device"]) if on_device else "",
        sentence=sentence,
        blocks=_blocks(lines, by_blocks + on_device, sentence),
        parts=_parts(by_parts, on_device),
        sizes=_sizes([*by_size, *(r for r in on_device if r["data_bytes"] not in printed)]),
        goals=tuple(_goals(on_device)),
    )


def _bytes_of(blocks: Iterable[int]) -> set[tuple[str, int]]:
    """Of each cipher the lengths that these numbers of its blocks have."""
    return {(cipher, size * count) for count in blocks for cipher, size in CIPHERS.values()}


def _one_run(rows: Iterable[Row]) -> list[Row]:
    """Those of the run that has the most of them, of such the newest: a ratio is of one run."""
    runs: dict[str, dict[tuple[object, ...], Row]] = {}
    for row in rows:
        runs.setdefault(row["run"], {})[tuple(row[what] for what in _KEY)] = row
    return list(max(reversed(runs.values()), key=len, default={}).values())


def _lines(on_cpu: Iterable[Row], on_device: Iterable[Row]) -> Iterable[GpuLine]:
    table = spec.paper(PAPER).table("3")
    speeds: list[dict[tuple[str, int], float]] = [
        {
            (r["subject"], r["data_bytes"]): 1e3 * gbits(r)
            for r in rows
            if r["stage"] == "whole" and r["place"] == place and r["messages"] == 1
        }
        for rows, place in ((on_cpu, "host"), (on_device, "host"), (on_device, "device"))
    ]
    for row in table.rows:
        blocks = int(row.name)
        printed = {name: number(table.value(row.name, f"{name} throughput")) or 0.0 for name in CIPHERS}
        ours = [
            {
                name: speed[cipher, size * blocks]
                for name, (cipher, size) in CIPHERS.items()
                if (cipher, size * blocks) in speed
            }
            for speed in speeds
        ]
        yield GpuLine(blocks, printed, *ours)


def _sentence(lines: Sequence[GpuLine], machine: str) -> str:
    """By how much one core is faster than the paper's GPU, and what is left of its claim."""
    timed = [line for line in lines if len(line.cpu) == len(CIPHERS)]
    if not timed:
        return ""
    faster = [line.ratio("Minalpher") or 0.0 for line in timed]
    left = [line.cpu["Minalpher"] / line.cpu["AES-GCM"] for line in timed]
    claimed = max(line.printed["Minalpher"] / line.printed["AES-GCM"] for line in lines)
    over_the_bus, in_memory = (
        [speeds["Minalpher"] / line.printed["Minalpher"] for line, speeds in here if "Minalpher" in speeds]
        for here in ([(line, line.device) for line in lines], [(line, line.resident) for line in lines])
    )
    newer = ""
    if over_the_bus and in_memory:
        newer = (
            f" A GPU of today does it up to {max(over_the_bus):.0f} times as fast with bytes of Python in and"
            f" out, and up to {max(in_memory):.0f} times in its memory; 40,000 blocks do not fill it with work."
        )
    return (
        f"One core of {machine} does Minalpher {min(faster):.0f} to {max(faster):.0f} times as fast as"
        f" the paper's GPU. The paper has Minalpher up to {claimed:.1f} times as fast as AES-GCM,"
        " whose GHASH it computes bit-wise on a CPU; with GHASH by carry-less multiplication Minalpher"
        f" has {min(left):.2f} to {max(left):.2f} of AES-GCM's throughput.{newer}"
    )


def _places(rows: Sequence[Row]) -> Markup:
    """Which machine has the CPU and which the GPU of these rows."""
    devices: dict[str, list[Row]] = {}
    for row in rows:
        devices.setdefault("CPU" if row["device"] == CPU else str(row["device"]), []).append(row)
    return Markup("; ").join(Markup("{}: {}").format(name, on_machine(own)) for name, own in devices.items())


def _blocks(lines: Sequence[GpuLine], used: Sequence[Row], sentence: str) -> Figure:
    title, made = "Throughput by number of blocks", [r for r in used if r["stage"] == "whole"]
    if not made:
        return Figure("gpu-blocks", title, "", Markup(""), None, MAKER)
    points = [
        {"blocks": line.blocks, "mbits": value, "cipher": name, "where": where}
        for line in lines
        for where, values in (
            ("printed", line.printed),
            ("a CPU", line.cpu),
            ("a GPU, over the bus", line.device),
            ("a GPU, in its memory", line.resident),
        )
        for name, value in values.items()
    ]
    caption = Markup(
        "Figure 2 of [MINALPHER-GPU, section 5], with ours; 128 bits a block for AES-GCM, 256 for Minalpher. "
    )
    caption += Markup("Medians; a CPU is one core with the message in memory; {}. ").format(_places(made))
    caption += made_by(made)
    return Figure("gpu-blocks", title, sentence, caption, figure_blocks(points), MAKER)


def _parts(on_cpu: Sequence[Row], on_device: Sequence[Row]) -> Figure:
    table = spec.paper(PAPER).table("4")
    shown: list[tuple[str, str, dict[str, float]]] = []
    for name in CIPHERS:
        cells = {part: number(table.value(name, f"{part} time")) for part in PARTS}
        shown.append((name, "printed", {p: v for p, v in cells.items() if v is not None}))
    for where, rows in (("a CPU", on_cpu), ("a GPU", on_device)):
        for name, (cipher, block) in CIPHERS.items():
            here = {
                r["stage"]: median(r["samples_ns"]) / 1e6
                for r in rows
                if (r["subject"], r["data_bytes"], r["messages"]) == (cipher, _BLOCKS * block, 1)
                and r["place"] == "host"
            }
            if "whole" in here and "authentication" in here:
                here.setdefault("encryption", here["whole"] - here["authentication"])
                shown.append(
                    (
                        name,
                        where,
                        {
                            part: here[stage]
                            for stage, part in STAGES.items()
                            if stage in here and (where != "a CPU" or part in PARTS[:2])
                        },
                    )
                )
    name, title = "gpu-parts", "Where the time goes"
    if all(where == "printed" for _, where, _ in shown):
        return Figure(name, title, "", Markup(""), None, MAKER)
    points = part_points(shown)
    caption = Markup(
        "Figure 3 of [MINALPHER-GPU, section 6], from its Table 4, with ours: shares of"
        " the parts of 40,000 blocks. On a CPU ours copies nothing, and makes tweaks along with"
        " P; AES-GCM from AWS-LC is one pass and has no parts. "
    )
    sentence = "The paper makes tweaks and GHASH on the CPU, one after another; that is most of its time."
    return Figure(name, title, sentence, caption, figure_parts(points), MAKER)


def _sizes(rows: Iterable[Row]) -> Figure:
    used = [r for r in rows if r["stage"] == "whole" and r["messages"] == 1]
    used = _fastest(used)
    name, title = "gpu-sizes", "Throughput by bytes of message"
    if not used:
        return Figure(name, title, "", Markup(""), None, MAKERS["gpu"])
    best = max(used, key=gbits)
    sentence = (
        f"The highest is {best['subject']} with {gbits(best):.0f} Gbit/s, {best['backend']} on"
        f" {'one core' if best['device'] == CPU else best['device']}."
    )
    caption = Markup("Medians of one message; a CPU is one core; {}. ").format(_places(used))
    caption += made_by(used)
    return Figure(name, title, sentence, caption, figure_sizes(size_points(used, gbits)), MAKERS["gpu"])


def _fastest(rows: Iterable[Row]) -> list[Row]:
    """Of rows that differ in nothing but their entry."""
    fastest: dict[tuple[object, ...], Row] = {}
    for r in sorted(rows, key=gbits):
        fastest[tuple(r[what] for what in _KEY)] = r
    return list(fastest.values())


def _goals(on_device: Sequence[Row]) -> Iterable[GpuGoalVerdict]:
    """A goal counts for the size that does best; its ceiling is of the same call, the lowest of those that bound it."""
    ceilings = {
        r["subject"]: float(r["work"]) / median(r["samples_ns"]) for r in on_device if r["stage"] == "ceiling"
    }
    for goal in spec.gpu_goals():
        here = [
            r
            for r in on_device
            if r["stage"] == "whole" and (r["subject"], r["place"]) == (goal.cipher, goal.place)
        ]
        best, costs = max(here, key=gbits, default=None), {goal.resource: goal.per_byte}
        if goal.place == "device":
            costs["memory"] = 1.0  # a byte is read there, and written
        shares = [each / ceilings[resource] for resource, each in costs.items() if resource in ceilings]
        share = gbits(best) / 8 * max(shares) if best and goal.resource in ceilings else None
        yield GpuGoalVerdict(goal, best, share)
