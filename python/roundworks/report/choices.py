"""The page where a reader compares ciphers: every cipher by speed, by size in hardware, and by its bounds."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from roundworks import spec
from roundworks.ratios import OURS
from roundworks.report import choice_figures as drawn
from roundworks.report.figures import Point
from roundworks.report.frame import MAKERS, Figure, made_by, on_machine
from roundworks.report.hardware_ciphers import LONG, CipherEntry, is_core_of, leaders
from roundworks.report.speed import is_plotted, speed_points
from roundworks.report.values import data_size
from roundworks.rows import BenchRow, BoundRow, latest

_LENGTH = 16384
_DEFAULT = "osu018_stdcells"  # the library that the project can install by itself


@dataclass(frozen=True, slots=True)
class CipherChoice:
    """One cipher in one line: cycles per byte short and long, hardware of each library, its collision bound."""

    cipher: str
    backend: str
    short: float | None
    long: float | None
    unit: str
    collision: BoundRow | None
    entries: dict[str, CipherEntry]


@dataclass(frozen=True, slots=True)
class Choices:
    """What the page shows of one machine; `library` is the one that it shows first."""

    machine: str
    library: str
    libraries: tuple[str, ...]
    lines: tuple[CipherChoice, ...]
    figures: tuple[Figure, ...]


def library_shown(entries: Sequence[CipherEntry]) -> str:
    """The cell library that pages show first: the default one, or else the one that has the most ciphers."""
    count = Counter(library for library, _ in leaders(entries))
    return _DEFAULT if _DEFAULT in count else max(count, key=lambda name: count[name], default="")


def choices_of(
    benches: Sequence[BenchRow], machine: str, bounds: Sequence[BoundRow], entries: Sequence[CipherEntry]
) -> Choices:
    """Each cipher with its fastest back end on `machine`, and the netlist of minimum energy in each cell
    library."""
    leading, library = leaders(entries), library_shown(entries)
    here = [r for r in benches if r.machine == machine and is_plotted(r, "rust")]
    points = _fastest(speed_points([r for r in here if r.library == OURS], "rust"))
    peers = _fastest(speed_points([r for r in here if r.library != OURS], "rust"))
    best: dict[str, dict[str, CipherEntry]] = {}
    for entry in leading.values():
        for facts in spec.ciphers():
            if is_core_of(entry.core, facts.name):
                best.setdefault(facts.name, {})[entry.library] = entry
    collisions = {
        row.cipher: row for row in latest([b for b in bounds if b.measure == "collision"], ["cipher"])
    }
    lines = []
    for name in dict.fromkeys([*(p["cipher"] for p in points), *collisions, *best]):
        own = {p["bytes"]: p for p in points if p["cipher"] == name}
        long = own.get(_LENGTH)
        lines.append(
            CipherChoice(
                cipher=name,
                backend=long["backend"] if long else "",
                short=own[64]["median"] if 64 in own else None,
                long=long["median"] if long else None,
                unit=points[0]["unit"] if points else "",
                collision=collisions.get(name),
                entries=best.get(name, {}),
            )
        )
    figures = (_speeds(points, peers, here), _areas(lines, library), _costs(lines, machine))
    return Choices(machine, library, tuple(sorted({name for name, _ in leading})), tuple(lines), figures)


def _fastest(points: Sequence[Point]) -> list[Point]:
    """Of each cipher the points of the back end, or of the library, that is fastest on long messages."""
    kept = []
    for cipher in dict.fromkeys(p["cipher"] for p in points):
        own = [p for p in points if p["cipher"] == cipher]
        longest = max(p["bytes"] for p in own)
        best = min((p for p in own if p["bytes"] == longest), key=lambda p: p["median"])
        kept += [p for p in own if p["series"] == best["series"]]
    return kept


def _speeds(points: Sequence[Point], peers: Sequence[Point], rows: Sequence[BenchRow]) -> Figure:
    name, title = "all-speeds", "Speed by length of message"
    if not points:
        return Figure(name, title, "", Markup(""), None, MAKERS["bench"])
    unit = points[0]["unit"]
    peers = [p for p in peers if p["unit"] == unit]
    long = sorted((p for p in points if p["bytes"] == _LENGTH), key=lambda p: p["median"])
    said = ""
    if long:
        first, last = long[0], long[-1]
        said = (
            f"{first['cipher']} is the fastest at {data_size(_LENGTH)}: {first['median']:.3g} {unit} per byte,"
            f" {last['median'] / first['median']:.0f} times as fast as {last['cipher']}."
        )
    shown = {(p["cipher"], p["backend"]) for p in points}
    used = [r for r in rows if r.library == OURS and (r.cipher, r.backend) in shown]
    caption = Markup(
        "Medians of encryption without associated data, called from Rust, {}; bars from the first to the"
        " third quartile. Dashed, where chosen: the fastest other library. "
    ).format(on_machine(used))
    chart = drawn.figure_speeds(points, peers)
    return Figure(name, title, said, caption + made_by(used), chart, MAKERS["bench"])


def _areas(lines: Sequence[CipherChoice], library: str) -> Figure:
    name, title = "all-areas", "Throughput against area in hardware"
    entries = [
        (line.cipher, entry) for line in lines for entry in line.entries.values() if entry.tbits is not None
    ]
    points: list[Point] = [
        {
            "cipher": cipher,
            "library": entry.library,
            "kge": entry.row["kge"],
            "tbits": entry.tbits,
            "nj": entry.nj(LONG),
        }
        for cipher, entry in entries
    ]
    if not points:
        return Figure(name, title, "", Markup(""), None, MAKERS["power"])
    leading = {
        chosen: max((p for p in points if p["library"] == chosen), key=lambda p: p["tbits"] / p["kge"])
        for chosen in dict.fromkeys(p["library"] for p in points)
    }
    first = leading[library]["cipher"]
    same = sum(p["cipher"] == first for p in leading.values())
    said = (
        f"{first} has the most throughput for its area in {same} of {len(leading)} cell libraries."
        " Of each cipher the netlist of minimum energy."
    )
    caption = Markup("Before layout, in the cell library chosen above. ")
    rows = [entry.row for _, entry in entries]
    chart = drawn.figure_areas(points, library)
    return Figure(name, title, said, caption + made_by(rows), chart, MAKERS["power"])


def _costs(lines: Sequence[CipherChoice], machine: str) -> Figure:
    name, title = "all-costs", "Security against cost"
    points: list[Point] = [
        {
            "cipher": line.cipher,
            "active": line.collision.value,
            "cost": line.long,
            "certainty": line.collision.certainty,
        }
        for line in lines
        if line.collision and line.long
    ]
    if not points:
        return Figure(name, title, "", Markup(""), None, MAKERS["bound"])
    unit = next(line.unit for line in lines)
    most = max(points, key=lambda p: (p["active"], -p["cost"]))
    said = (
        f"{most['cipher']} has the highest bound, {most['active']:g} active functions, at"
        f" {most['cost']:.3g} {unit} per byte."
    )
    caption = Markup(
        "The functions are the ciphers' own: an AES round, or AETHER's F. Speeds on machine <code>{}</code>. "
    ).format(machine)
    rows = [line.collision for line in lines if line.collision]
    chart = drawn.figure_costs(points, f"{unit} per byte at {data_size(_LENGTH)}")
    return Figure(name, title, said, caption + made_by(rows), chart, MAKERS["bound"])
