"""A cell library as our calculators need it: areas, pins, functions, delays, energies; all in SI.

`load` merges files and finds each parsed one again by its content: a large library takes
liberty-parser minutes. Energies are in joules: liberty's unit of energy is that of capacitance
times that of voltage squared, whatever the leakage is given in.
"""

from __future__ import annotations

import gzip
import hashlib
import pickle
import zlib
from array import array
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from .. import cache
from ..errors import LibraryError
from . import tools
from .logic import Function

_FORM = 6  # of the dataclasses below: another one is parsed anew
RISE, FALL = 0, 1


@dataclass(frozen=True, slots=True)
class Table:
    """Values at slews (s) and loads (F), row by row. An axis of one point does not matter."""

    slews: tuple[float, ...]
    loads: tuple[float, ...]
    values: array[float]

    def at(self, slew: float, load: float) -> float:
        """Linear between the points, and beyond them, in either direction."""
        row, across = _place(self.slews, slew)
        column, along = _place(self.loads, load)
        width, values = len(self.loads), self.values
        first = row * width + column
        found = values[first]
        if width > 1:
            found += along * (values[first + 1] - found)
        if len(self.slews) > 1:
            below = values[first + width]
            if width > 1:
                below += along * (values[first + width + 1] - below)
            found += across * (below - found)
        return found


def _place(axis: tuple[float, ...], value: float) -> tuple[int, float]:
    if len(axis) == 1:
        return 0, 0.0
    i = min(max(bisect_right(axis, value) - 1, 0), len(axis) - 2)
    return i, (value - axis[i]) / (axis[i + 1] - axis[i])


Pair = tuple[Table | None, Table | None]  # rise, fall


@dataclass(frozen=True, slots=True)
class Arc:
    """Delay and output slew from one pin. ``sense`` is positive, negative or non."""

    related: str
    sense: str
    kind: str
    when: Function | None
    delay: Pair
    slew: Pair


@dataclass(frozen=True, slots=True)
class Energy:
    """Joules of one transition of a pin; ``related`` is the input that caused it, if it is told."""

    related: str | None
    when: Function | None
    rail: str | None
    tables: Pair
    one: bool  # the library has one table for both edges


@dataclass(frozen=True, slots=True)
class Pin:
    name: str
    direction: str
    farad: tuple[float, float]  # as a load: while it rises, while it falls
    clock: bool
    function: Function | None
    three_state: bool
    arcs: tuple[Arc, ...]
    energies: tuple[Energy, ...]


@dataclass(frozen=True, slots=True)
class Leak:
    watt: float
    when: Function | None
    rail: str | None


@dataclass(frozen=True, slots=True)
class State:
    """A flop (``clock`` takes ``data`` at its rise) or a latch (``clock`` lets it through).

    A clock gate is a latch whose output is its clock, where it holds a one.
    """

    kind: str
    names: tuple[str, str]
    clock: Function
    data: Function
    clear: Function | None
    preset: Function | None
    both: tuple[str, str]  # the two variables where clear and preset are both on: L H N T X


@dataclass(frozen=True, slots=True)
class Cell:
    name: str
    area: float
    pins: dict[str, Pin]
    rails: dict[str, float]  # the supplies alone: name -> volt
    leaks: tuple[Leak, ...]
    leakage: float | None  # without regard to the state
    state: State | None
    unsupported: str | None  # why it cannot be modelled

    @property
    def inputs(self) -> list[Pin]:
        return [pin for pin in self.pins.values() if pin.direction == "input"]

    @property
    def outputs(self) -> list[Pin]:
        return [pin for pin in self.pins.values() if pin.direction == "output"]

    @property
    def passing(self) -> frozenset[str]:
        """Inputs that an output follows at once: all of a gate's, of a clock gate its clock."""
        if self.state is None:
            return frozenset(pin.name for pin in self.inputs)
        named = frozenset[str]().union(*(p.function.names for p in self.outputs if p.function))
        return named & {pin.name for pin in self.inputs}


@dataclass(frozen=True, slots=True)
class WireLoad:
    """Capacitance by fanout, before there is a layout."""

    name: str
    points: tuple[tuple[int, float], ...]  # fanout and farad, rising; between them it is linear
    slope: float  # beyond them, farad for each more

    def at(self, fanout: int) -> float:
        before = (0, 0.0)
        for point in self.points:
            if fanout <= point[0]:
                share = (fanout - before[0]) / (point[0] - before[0])
                return before[1] + share * (point[1] - before[1])
            before = point
        return before[1] + self.slope * (fanout - before[0])


@dataclass(frozen=True, slots=True)
class Library:
    """Cells of one or several files at one voltage."""

    name: str
    files: tuple[Path, ...]
    volt: float
    second: float  # its own unit of time
    cells: dict[str, Cell]
    wires: WireLoad | None = None
    digest: str = field(default="", compare=False)

    def cell(self, name: str) -> Cell:
        """
        Raises
        ------
        LibraryError
            ``osu018_stdcells.lib: no cell NAND9X1``
        """
        if name not in self.cells:
            raise LibraryError(f"{', '.join(f.name for f in self.files)}: no cell {name}; "
                               "want the library that the netlist was made with")  # fmt: skip
        return self.cells[name]


def load(files: Sequence[Path]) -> Library:
    """The cells of all files together; of two with one name the first file's is taken.

    Raises
    ------
    LibraryError
        ``my.lib: line 1254: ends within a group; get the file again``
    """
    if not files:
        raise LibraryError("library: want a file, got none; name one with --library")
    found = [_load_one(file) for file in files]
    first = found[0]
    cells: dict[str, Cell] = {}
    for one in found:
        if abs(one.volt - first.volt) > 1e-9:
            raise LibraryError(f"{one.files[0].name}: want {first.volt:g} V as in "
                               f"{first.files[0].name}, got {one.volt:g} V; "
                               "take files of one corner")  # fmt: skip
        cells = one.cells | cells
    digest = hashlib.sha256("".join(one.digest for one in found).encode()).hexdigest()
    return replace(first, files=tuple(files), cells=cells, digest=digest)


def text_of(file: Path) -> str:
    """The text of a liberty file, plain or compressed by gzip."""
    return _data(file).decode("utf-8", errors="replace")


def _data(file: Path) -> bytes:
    """What is hashed: a comment in another encoding must not make another library of it."""
    try:
        data = file.read_bytes()
        return gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data
    except FileNotFoundError:
        raise LibraryError(f"{file}: no such file; name a liberty file") from None
    except (OSError, EOFError, zlib.error) as error:
        raise LibraryError(f"{file}: cannot be read: {error}; get the file again") from None


def _load_one(file: Path) -> Library:
    from .liberty_reader import read

    digest = hashlib.sha256(_data(file)).hexdigest()
    kept = cache.home() / "liberty" / f"{digest[:24]}-{_FORM}.pickle"
    try:
        found = pickle.loads(kept.read_bytes())
        assert isinstance(found, Library)
    except Exception:  # none, or one that an interrupted or older program left
        tools.need_python("liberty")
        found = read(text_of(file), file)
        kept.parent.mkdir(parents=True, exist_ok=True)
        with cache.making(kept.with_suffix(".made")) as part:
            (part / "library").write_bytes(pickle.dumps(found, protocol=5))
            (part / "library").replace(kept)
        kept.with_suffix(".made").rmdir()
    return replace(found, files=(file,), digest=digest)
