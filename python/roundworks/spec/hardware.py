"""Printed hardware designs that our cores are compared with, and the goals of ours."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any

from ..errors import UnknownName
from .documents import Document, per_root, value_of
from .library import paper
from .types import PrintedRow, Value

# Columns of a table of designs, as the papers head them.
_COLUMNS = ("clock", "area", "throughput", "efficiency", "power", "energy")
# Whose ciphers are compared: its figure 6 and its numbers in the prose.
_COMPARED, _CIPHERS, _PROSE = "aether", "figure-6", "text"


@dataclass(frozen=True, slots=True)
class ComparedCipher:
    """A cipher's core, and its S-boxes that are compared -> the paper's row of each or nothing.

    Cores of one ``unrolling`` are one cipher with different ``rounds`` per cycle; ``point_of``: the core that is
    this cipher as it is printed. A netlist with other choices than ``defaults`` is another design.
    """

    core: str
    title: str
    rows: Mapping[str, str]
    unrolling: str = ""
    rounds: float = 0.0
    point_of: str = ""
    defaults: Mapping[str, str] = field(default_factory=lambda: {"Mix": "plain"})

    def parameters(self, style: str) -> dict[str, str]:
        """The core's parameters that choose an S-box style; none for the core's own."""
        return {"Sbox": style} if style else {}


@dataclass(frozen=True, slots=True)
class Headline:
    """``printed`` is the paper's ratio of a figure of two cores; None where it has none."""

    core: str
    over: str
    figure: str
    row: str
    printed: Fraction | None


@dataclass(frozen=True, slots=True)
class PrintedPoint:
    """One row of a paper's table; ``best_for`` is what its synthesis was for."""

    row: str
    best_for: str
    values: Mapping[str, float]

    @property
    def mhz(self) -> float:
        """Printed clock frequency in MHz."""
        return self.values["clock"]

    @property
    def kge(self) -> float:
        """Printed area in thousands of gate equivalents."""
        return self.values["area"]


@dataclass(frozen=True, slots=True)
class Design:
    """``bits`` of a long message every ``cycles`` cycles."""

    name: str
    core: str
    paper: str
    cite: str
    bits: int
    cycles: int
    points: tuple[PrintedPoint, ...]
    times_as_dense: float | None

    @property
    def bits_per_cycle(self) -> float:
        """Bits of message per cycle."""
        return self.bits / self.cycles


@dataclass(frozen=True, slots=True)
class DensityGoal:
    """A core of ours that is to give more throughput per area than every design of a paper."""

    core: str
    paper: str


@dataclass(frozen=True, slots=True)
class PrintedClock:
    """A clock frequency that a paper prints of these cores on an FPGA."""

    cores: tuple[str, ...]
    paper: str
    cite: str
    row: str
    mhz: float


def compared_ciphers() -> tuple[ComparedCipher, ...]:
    """The ciphers that are compared, in their order."""
    return _compared_ciphers()


def headlines() -> tuple[Headline, ...]:
    """The ratios of two of them that the paper prints, and some that it does not."""
    document = _document()
    return tuple(_headline(document, i, h) for i, h in enumerate(document.data["headlines"]))


def designs() -> tuple[Design, ...]:
    """Every design of ``spec/hardware.toml``, in its order."""
    return _designs()


def density_goals() -> tuple[DensityGoal, ...]:
    """The cores that are to beat all designs of a paper."""
    return tuple(value_of(DensityGoal, goal) for goal in _document().data["density_goals"])


def printed_clocks() -> tuple[PrintedClock, ...]:
    """The clocks that papers print of FPGAs."""
    document = _document()
    return tuple(_clock(document, i, c) for i, c in enumerate(document.data["fpga_clocks"]))


@per_root
def _document(home: Path) -> Document:
    document = Document(home / "spec" / "hardware.toml", "hardware")
    document.unique(("designs",), "name")
    document.unique(("designs",), "core")
    document.unique(("compared",), "core")
    return document


@per_root
def _compared_ciphers(home: Path) -> tuple[ComparedCipher, ...]:
    document = _document()
    printed = [row.name for row in paper(_COMPARED).table(_CIPHERS).rows]
    cores = [c["core"] for c in document.data["compared"] if "point_of" not in c]
    ciphers = []
    for index, data in enumerate(document.data["compared"]):
        place = ("compared", index, "rows")
        document.known(place, filter(None, data["rows"].values()), printed, "row of figure 6")
        if "point_of" in data:
            place = ("compared", index, "point_of")
            document.known(place, [data["point_of"]], cores, "compared")
        ciphers.append(value_of(ComparedCipher, data))
    return tuple(ciphers)


def _headline(document: Document, index: int, data: Mapping[str, Any]) -> Headline:
    table, printed = paper(_COMPARED).table(_PROSE), None
    if data["row"]:
        place = ("headlines", index, "row")
        document.known(place, [data["row"]], [row.name for row in table.rows], "row of the prose")
        printed = Fraction(str(table.value(data["row"], "value")))
    return value_of(Headline, data, printed=printed)


@per_root
def _designs(home: Path) -> tuple[Design, ...]:
    document = _document()
    return tuple(_design(document, i, d) for i, d in enumerate(document.data["designs"]))


def _design(document: Document, index: int, data: Mapping[str, Any]) -> Design:
    place = ("designs", index)
    points = tuple(
        PrintedPoint(name, best_for, _numbers(document, (*place, "rows", best_for), data, name))
        for best_for, name in data["rows"].items()
    )
    more = {"times_as_dense": data.get("times_as_dense"), "points": points}
    return value_of(Design, data, cite=paper(data["paper"]).cite, **more)


def _numbers(
    document: Document, place: tuple[str | int, ...], data: Mapping[str, Any], name: str
) -> dict[str, float]:
    row = _row(document, place, data, name)
    columns = [column.name for column in paper(data["paper"]).table(data["table"]).columns]
    values = dict(zip(columns, row.values, strict=True))
    return {c: _number(document, place, values.get(c), f"{name}, {c}") for c in _COLUMNS}


def _clock(document: Document, index: int, data: Mapping[str, Any]) -> PrintedClock:
    place = ("fpga_clocks", index, "row")
    value = _row(document, place, data, data["row"]).values[0]
    mhz = _number(document, place, value, data["row"])
    return value_of(PrintedClock, data, cite=paper(data["paper"]).cite, mhz=mhz)


def _row(document: Document, place: tuple[str | int, ...], data: Mapping[str, Any], name: str) -> PrintedRow:
    try:
        rows = paper(data["paper"]).table(data["table"]).rows
    except UnknownName as error:
        document.fail(place[:2], str(error))
    document.known(place, [name], [row.name for row in rows], "row of the table")
    return next(row for row in rows if row.name == name)


def _number(document: Document, place: tuple[str | int, ...], value: Value | None, what: str) -> float:
    if not isinstance(value, int | float):
        document.fail(place, f"{what}: want a printed number, got {value!r}")
    return float(value)
