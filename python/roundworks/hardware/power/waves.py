"""Reading value change dumps: of a circuit's nets, by numpy, millions of changes at a time; and of
a core's ports, one sample for each rise of its clock."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

import numpy as np
from numpy.typing import NDArray

from ...errors import HardwareError

_CHUNK = 1 << 25
_VARIABLE = re.compile(r"\$var\s+\S+\s+(\d+)\s+(\S+)\s+(\\?[^\s\[]+)\s*(\[[^\]]*\])?\s*\$end")
_SECONDS = {"s": 1.0, "ms": 1e-3, "us": 1e-6, "ns": 1e-9, "ps": 1e-12, "fs": 1e-15}
_HASH, _ZERO, _ONE, _NEWLINE = b"#01\n"


@dataclass(frozen=True, slots=True)
class Trace:
    """When each net toggled, in units of ``second``; ``first`` is its value at ``start``.

    The toggles of net i are ``times[edges[i]:edges[i + 1]]``, rising and falling alternately.
    """

    second: float
    start: int
    stop: int
    first: NDArray[np.int64]
    edges: NDArray[np.int64]
    times: NDArray[np.int64]

    def of(self, net: int) -> NDArray[np.int64]:
        """Times of the toggles of a net, in order."""
        return self.times[self.edges[net] : self.edges[net + 1]]

    def at(self, net: int, when: NDArray[np.int64], *, after: bool = True) -> NDArray[np.int64]:
        """Values at these times, after what happens then or before it. Constants are -1 and -2."""
        if net < 0:
            return np.full(len(when), -net - 1, dtype=np.int64)
        count = np.searchsorted(self.of(net), when, "right" if after else "left")
        values: NDArray[np.int64] = self.first[net] ^ (count & 1)
        return values

    @property
    def toggles(self) -> int:
        """Toggles of all nets."""
        return len(self.times)


def read(file: Path, names: Sequence[str], start: float, stop: float) -> Trace:
    """The toggles of the one-bit nets of these names from `start` on and before `stop`, in seconds.

    Raises
    ------
    HardwareError
        ``dump.vcd: n17 is unknown within the window; ...``
    """
    with file.open("rb") as source:
        second, variables = _header(source, file)
        places = {name: i for i, name in enumerate(names)}
        codes = {
            _packed(code): places[name] for code, name, width in variables if width == 1 and name in places
        }
        if len(codes) != len(names):
            missing = set(names) - {name for _, name, _ in variables}
            raise HardwareError(
                f"{file.name}: want {len(names)} nets, got {len(codes)}; "
                f"{next(iter(missing), 'one')} is not in it"
            )
        keys = np.array(sorted(codes), dtype=np.uint64)
        nets = np.array([codes[int(k)] for k in keys], dtype=np.int64)
        parts = list(_changes(source, keys, nets))
    empty = np.zeros(0, dtype=np.int64)
    net, when, value = (np.concatenate([p[i] for p in parts]) if parts else empty for i in range(3))
    low, high = round(start / second), round(stop / second)
    order = np.argsort(net, kind="stable")
    net, when, value = net[order], when[order], value[order]
    # The last value before the window; then the changes within it.
    first = np.full(len(names), -1, dtype=np.int64)
    early = when < low
    first[net[early]] = value[early]  # the last assignment stays
    inside = ~early & (when < high)
    net, when, value = net[inside], when[inside], value[inside]
    unknown = (first < 0) | (first > 1)
    if unknown.any() or (value > 1).any():
        which = int(np.flatnonzero(unknown)[0]) if unknown.any() else int(net[value > 1][0])
        raise HardwareError(
            f"{file.name}: {names[which]} is unknown within the window; start it later, or reset the circuit"
        )
    # What is written again without a change is no toggle.
    before = np.empty_like(value)
    if len(value):
        before[1:] = value[:-1]
        heads = np.r_[True, net[1:] != net[:-1]]
        before[heads] = first[net[heads]]
    real = before != value
    net, when = net[real], when[real]
    edges = np.searchsorted(net, np.arange(len(names) + 1))
    return Trace(second, low, high, first, edges, when)


def _header(source: BinaryIO, file: Path) -> tuple[float, list[tuple[str, str, int]]]:
    """Seconds of its unit, and the variables' codes, names and widths."""
    lines = []
    for raw in source:
        lines.append(raw.decode("utf-8", errors="replace"))
        if "$enddefinitions" in lines[-1]:
            break
    else:
        raise HardwareError(f"{file.name}: no value change dump, or one that was cut; make it again")
    text = "".join(lines)
    scale = re.search(r"\$timescale\s+(\d+)\s*([munpf]?s)\s+\$end", text)
    if scale is None:
        raise HardwareError(f"{file.name}: no timescale; make it again")
    signals = [(m[2], m[3].lstrip("\\"), int(m[1])) for m in _VARIABLE.finditer(text)]
    return int(scale[1]) * _SECONDS[scale[2]], signals


def _packed(code: str) -> int:
    return sum(byte << 8 * i for i, byte in enumerate(code.encode()))


def _changes(
    source: BinaryIO, keys: NDArray[np.uint64], nets: NDArray[np.int64]
) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]]:
    """Net, time and value (0, 1, or 2 for unknown) of each change, a chunk at a time."""
    now, rest = 0, b""
    while block := source.read(_CHUNK):
        block = rest + block
        end = block.rfind(b"\n") + 1
        block, rest = block[:end], block[end:]
        data = np.frombuffer(block + bytes(16), dtype=np.uint8)
        ends = np.flatnonzero(data[:-16] == _NEWLINE)
        if not len(ends):
            continue
        starts = np.r_[0, ends[:-1] + 1]
        kind, sizes = data[starts], ends - starts
        is_time = kind == _HASH
        stamps = np.zeros(int(is_time.sum()), dtype=np.int64)
        at, size = starts[is_time], sizes[is_time]
        for k in range(1, int(size.max(initial=0))):
            live = size > k
            stamps[live] = stamps[live] * 10 + (data[at[live] + k] - _ZERO)
        stamps = np.r_[now, stamps]
        now = int(stamps[-1])
        scalar = (sizes >= 2) & np.isin(kind, np.frombuffer(b"01xXzZ", dtype=np.uint8))
        at, size = starts[scalar], sizes[scalar]
        code = np.zeros(len(at), dtype=np.uint64)
        for k in range(1, int(size.max(initial=0))):
            live = size > k
            code[live] |= data[at[live] + k].astype(np.uint64) << np.uint64(8 * (k - 1))
        place = np.searchsorted(keys, code)
        place[place == len(keys)] = 0
        ours = keys[place] == code
        letters = kind[scalar][ours]
        value = np.where(letters == _ZERO, 0, np.where(letters == _ONE, 1, 2)).astype(np.int64)
        yield nets[place[ours]], stamps[np.cumsum(is_time)[scalar][ours]], value


def samples(file: Path, clock: str, ports: Iterable[str]) -> dict[str, list[int | None]]:
    """Each port's value just before every rise of the clock; None where a bit of it is unknown.

    The first variable of a name counts, which is the one of the outermost scope.
    """
    with file.open("rb") as source:
        _, variables = _header(source, file)
        wanted = [clock, *ports]
        codes: dict[str, list[str]] = {}
        seen: set[str] = set()
        for code, name, _ in variables:
            if name in wanted and name not in seen:
                seen.add(name)
                codes.setdefault(code, []).append(name)
        missing = [name for name in wanted if name not in seen]
        if missing:
            raise HardwareError(f"{file.name}: no signal {missing[0]}; record the core's ports")
        values: dict[str, int | None] = dict.fromkeys(wanted)
        samples: dict[str, list[int | None]] = {name: [] for name in ports}
        pending: dict[str, int | None] = {}
        for raw in source:
            letter = raw[:1]
            if letter == b"#":
                _step(values, pending, clock, samples)
            elif letter in b"01xXzZ" and letter:
                text, code = letter.decode(), raw[1:].strip().decode()
                for name in codes.get(code, ()):
                    pending[name] = int(text) if text in "01" else None
            elif letter in (b"b", b"B"):
                text, code = raw[1:].decode().split()
                for name in codes.get(code, ()):
                    pending[name] = int(text, 2) if set(text) <= {"0", "1"} else None
        _step(values, pending, clock, samples)
    return samples


def _step(
    values: dict[str, int | None],
    pending: dict[str, int | None],
    clock: str,
    found: Mapping[str, list[int | None]],
) -> None:
    if pending.get(clock) == 1 and values[clock] == 0:
        for name, column in found.items():
            column.append(values[name])
    values.update(pending)
    pending.clear()
