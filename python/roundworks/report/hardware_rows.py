"""Rows of hardware compared: what a core does in a cycle, and what that costs in a library.

A rate is of a simulation, a period and an area are of a synthesis, a power is of the netlist that
was timed. They meet by core and parameters; a library by the name of its file.
"""

import re
import shlex
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from roundworks import spec
from roundworks.rows import Row, latest

# What a netlist is best for, and which one is.
_BY: Mapping[str, Callable[[Row], tuple[float, float]]] = {
    "delay": lambda row: (row["period_ps"], row["area_um2"]),
    "area-delay": lambda row: (row["period_ps"] * row["area_um2"], row["area_um2"]),
    "area": lambda row: (row["area_um2"], row["period_ps"]),
}
_TIMER = "opensta"  # whose periods are compared
_MODELS = ("glitch", "zero-delay", "uniform")  # the nearest to what a circuit does comes first
_BLOCK_BYTES = 16
LONG_BYTES = 1024  # as [AEGIS-HW, table 1] has it
_LIBRARY = re.compile(r"--library[ =](\S+)")
Choice = tuple[str, tuple[tuple[str, str], ...]]
Netlist = tuple[str | None, str | None]  # digests of a netlist and of its library


def choice_of(row: Row) -> Choice:
    """A core with its parameters."""
    return row["core"], tuple(sorted(row["parameters"].items()))


def words(parameters: Mapping[str, str]) -> str:
    """``Sbox=lut Depth=4``, empty where there is none."""
    return " ".join(f"{name}={value}" for name, value in parameters.items())


def command(verb: str, core: str, parameters: Mapping[str, str], more: str = "") -> str:
    """The command line that makes a row."""
    given = "".join(f" --parameter {shlex.quote(f'{k}={v}')}" for k, v in parameters.items())
    return f"roundworks {verb} {shlex.quote(core)}{given}{more}"


def library_words(row: Row) -> str:
    """How the command of a synthesised row named its library, to be said again."""
    return "".join(f" --library {name}" for name in _LIBRARY.findall(row["command"]))


def script_words(row: Row) -> str:
    """The script of a synthesised row, which makes that netlist and no other."""
    target = row["target_ps"]
    return f" --script {row['script']}" + ("" if target is None else f" --target {target:g}")


# Cycles -----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class CycleCounts:
    """Bytes of a message, encrypted without associated data -> clocks; ``interleaved`` messages share the core."""

    by_bytes: Mapping[int, int]
    interleaved: int = 1

    @property
    def bits_per_cycle(self) -> float | None:
        """Of long messages: what the longest has more than one of at most half its length."""
        whole = sorted(size for size in self.by_bytes if size % _BLOCK_BYTES == 0)
        short = [size for size in whole if 2 * size <= whole[-1]]
        clocks = self.by_bytes[whole[-1]] - self.by_bytes[short[-1]] if short else 0
        return 8 * self.interleaved * (whole[-1] - short[-1]) / clocks if clocks > 0 else None

    def of_message(self, size: int) -> float:
        """Cycles of a message of `size` bytes, if other messages take all other slots."""
        return self.by_bytes[size] / self.interleaved


def counts(simulations: Iterable[Row]) -> dict[Choice, CycleCounts]:
    """What the benches report of cycles, in runs in which every test passed.

    A bench reports ``cycles`` with ``msg_bytes`` and ``ad_bytes``, or with ``blocks`` of 16 bytes; and
    ``interleaved`` where a core serves other messages meanwhile.
    """
    cycles: dict[Choice, CycleCounts] = {}
    for row in simulations:
        counted = [t for t in row["reports"] if "cycles" in t and _message(t)]
        if not counted or not all(test["passed"] for test in row["tests"]):
            continue
        known = cycles.get(choice_of(row), CycleCounts({})).by_bytes
        sizes = {_message(t): t["cycles"] for t in counted}
        interleaved = max(int(t.get("interleaved", 1)) for t in counted)
        cycles[choice_of(row)] = CycleCounts({**known, **sizes}, interleaved)
    return cycles


def _message(counted: Mapping[str, Any]) -> int:
    if counted.get("ad_bytes") or counted.get("decrypt"):
        return 0
    return int(counted.get("msg_bytes", _BLOCK_BYTES * counted.get("blocks", 0)))


# Synthesis --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class NetlistLine:
    """A netlist that was the best of its run for something; ``design`` is what it is compared with,
    ``older`` whether another row names a newer source."""

    row: Row
    best: tuple[str, ...]
    cycles: CycleCounts
    power: Row | None
    design: spec.Design | None
    older: bool = False

    @property
    def core(self) -> str:
        """Name of the core."""
        return str(self.row["core"])

    @property
    def parameters(self) -> str:
        """Parameters of the core, for a table."""
        return words(self.row["parameters"])

    @property
    def rate(self) -> float | None:
        """Bits per cycle of long messages."""
        return self.cycles.bits_per_cycle

    @property
    def name(self) -> str:
        """The design point: by the paper's name where it has one."""
        return self.design.name if self.design else self.core

    @property
    def kge(self) -> float:
        """Area in thousands of gate equivalents."""
        return float(self.row["kge"])

    @property
    def mhz(self) -> float:
        """Highest clock frequency in MHz."""
        return 1e6 / float(self.row["period_ps"])

    @property
    def gbits(self) -> float | None:
        """Gbit/s of long messages."""
        return None if self.rate is None else self.rate * self.mhz / 1000

    @property
    def gbits_per_kge(self) -> float | None:
        """Throughput for each thousand gate equivalents; None without a rate."""
        return None if self.gbits is None else self.gbits / self.kge

    @property
    def dense(self) -> float | None:
        """Bits per cycle per kGE, which depends neither on the clock nor on the size of a gate."""
        return None if self.rate is None else self.rate / self.kge

    @property
    def dynamic_mw(self) -> float | None:
        """Power of toggles in mW at the power's clock; None without a power."""
        return self.power["internal_mw"] + self.power["switching_mw"] if self.power else None

    @property
    def clock_pj(self) -> float | None:
        """Picojoules per cycle, leakage at the power's clock included."""
        if self.power is None or self.dynamic_mw is None:
            return None
        drawn = float(self.power["leakage_mw"]) + self.dynamic_mw
        return 1000 * drawn / float(self.power["clock_mhz"])

    @property
    def pj_per_bit(self) -> float | None:
        """Of a message of `LONG_BYTES` where its clocks are known, else of what was estimated: a short
        message is mostly initialisation."""
        if self.clock_pj is not None and LONG_BYTES in self.cycles.by_bytes:
            return self.clock_pj * self.cycles.of_message(LONG_BYTES) / (8 * LONG_BYTES)
        estimate: float | None = self.power.get("pj_per_bit") if self.power else None
        return estimate

    @property
    def clock(self) -> spec.PrintedClock | None:
        """The clock frequency that a paper prints of such a core."""
        return next((c for c in spec.printed_clocks() if self.core in c.cores), None)

    @property
    def flop_share(self) -> float | None:
        """Of the area, what flip-flops take; rows of before do not tell."""
        area = self.row.get("flop_um2")
        return None if area is None else float(area) / float(self.row["area_um2"])

    def facts(self) -> dict[str, Any]:
        """The same as one JSON object."""
        kept = ("core", "parameters", "library", "script", "period_ps", "kge", "area_um2")
        power: Mapping[str, Any] = self.power or {}
        return {k: self.row[k] for k in kept} | {
            "best_for": list(self.best),
            "mhz": self.mhz,
            "bits_per_cycle": self.rate,
            "interleaved": self.cycles.interleaved,
            "gbit_per_s": self.gbits,
            "gbit_per_s_per_kge": self.gbits_per_kge,
            "bits_per_cycle_per_kge": self.dense,
            "leakage_mw": power.get("leakage_mw"),
            "dynamic_mw": self.dynamic_mw,
            "clock_mhz": power.get("clock_mhz"),
            "pj_per_bit": self.pj_per_bit,
            "flop_share": self.flop_share,
            "printed_mhz": self.clock.mhz if self.clock else None,
            "older_source": self.older,
        }


@dataclass(frozen=True, slots=True)
class Printed:
    """A printed point of a design; throughput of long messages is clock frequency times bits per cycle."""

    design: spec.Design
    point: spec.PrintedPoint

    @property
    def core(self) -> str:
        """The core of ours that it is compared with."""
        return self.design.core

    @property
    def title(self) -> str:
        """Citation and name of the printed row."""
        return f"[{self.design.cite}] {self.point.row}"

    @property
    def gbits(self) -> float:
        """Throughput in Gbit/s at the printed clock frequency."""
        return self.design.bits_per_cycle * self.point.mhz / 1000

    @property
    def gbits_per_kge(self) -> float:
        """Throughput for each thousand gate equivalents, in Gbit/s."""
        return self.gbits / self.point.kge

    @property
    def dense(self) -> float:
        """Bits per cycle for each thousand gate equivalents."""
        return self.design.bits_per_cycle / self.point.kge


def current(synthesis: Iterable[Row]) -> dict[tuple[str, Choice], list[Row]]:
    """For each library, core and parameters the newest row of every script.

    Of all scripts that were run on the source of the newest row: a later look with one script takes
    nothing back, and no netlist of an older source is shown.
    """
    places: dict[tuple[str, Choice], list[Row]] = {}
    for row in synthesis:
        places.setdefault((row["library"], choice_of(row)), []).append(row)
    for place, rows in places.items():
        newest = max(reversed(rows), key=lambda row: str(row["time"]))
        same = [row for row in rows if _made_alike(row, newest)]
        places[place] = latest(same, ["script", "target_ps"])
    return dict(sorted(places.items(), key=lambda item: item[0]))


def _made_alike(row: Row, newest: Row) -> bool:
    """From one source under one set of constraints, timed alike. An older row names its commit alone,
    and no version."""
    timers = {row["tools"].get(_TIMER), newest["tools"].get(_TIMER)} - {None}
    same = ("library_sha256", "driver", "load_ff")
    source = "source_sha256" if "source_sha256" in row and "source_sha256" in newest else "commit"
    return len(timers) < 2 and all(row[k] == newest[k] for k in (*same, source))


def lines(
    synthesis: Iterable[Row], powers: Sequence[Row], cycles: Mapping[Choice, CycleCounts]
) -> list[NetlistLine]:
    """For each library, core and parameters the netlists that are best for delay, area and both,
    and for energy where it was calculated."""
    made, by_netlist = [], of_netlists(powers)
    for (_, choice), rows in current(synthesis).items():
        best = {goal: min(rows, key=by) for goal, by in _BY.items()}
        if estimated := _estimated(rows):
            best["energy"] = min(estimated, key=lambda row: (row["pj_per_bit"], row["area_um2"]))
        for row in {id(row): row for row in best.values()}.values():
            goals = tuple(goal for goal, winner in best.items() if winner is row)
            made.append(
                NetlistLine(
                    row, goals, cycles.get(choice, CycleCounts({})), power_of(row, by_netlist), design_of(row)
                )
            )
    return made


def _estimated(rows: Sequence[Row]) -> list[Row]:
    """Those whose energy is of the same traffic as that of the newest."""
    ordered = sorted((row for row in rows if "pj_per_bit" in row), key=lambda row: str(row["time"]))
    return [row for row in ordered if row["estimated"] == ordered[-1]["estimated"]]


def design_of(row: Row) -> spec.Design | None:
    """The printed design that the row's core is an implementation of; None if it is of none."""
    return next((d for d in spec.designs() if d.core == row["core"]), None)


def netlist_of(row: Row) -> Netlist:
    """A netlist with its library, which may have one name inside and a file's name outside: what both hold
    decides. An older row of power names none."""
    return row.get("netlist_sha256"), row.get("library_sha256")


def of_netlists(powers: Iterable[Row]) -> Mapping[Netlist, list[Row]]:
    """Rows of power by what they are of."""
    by_netlist: dict[Netlist, list[Row]] = {}
    for p in powers:
        by_netlist.setdefault(netlist_of(p), []).append(p)
    return by_netlist


def powers_of(row: Row, powers: Mapping[Netlist, Sequence[Row]]) -> list[Row]:
    """Rows of power of a synthesised netlist without associated data, by the best model there is."""
    same = [
        p for p in powers.get(netlist_of(row), ()) if not p.get("ad_bytes") and choice_of(p) == choice_of(row)
    ]
    model = min((p["model"] for p in same), key=_MODELS.index, default="")
    return newest_conditions([p for p in same if p["model"] == model])


def newest_conditions(powers: list[Row]) -> list[Row]:
    """Those under the boundary conditions of the period; all, if none is. An older row names no driver:
    its inputs were as steep as a small inverter makes them, its outputs loaded by four inverters."""
    return [p for p in powers if "driver" in p] or powers


def conditions_note(powers: Iterable[Row]) -> str:
    """A sentence on powers that were estimated under other boundary conditions than the period, if any."""
    distinct = {id(p): p for p in powers}.values()
    older = sum("driver" not in p for p in distinct)
    if not older:
        return ""
    return (
        f"{older} of {len(distinct)} powers were estimated under older boundary conditions than the period's: "
        "inputs as steep as a small inverter makes them, outputs loaded by four inverters."
    )


def power_of(row: Row, powers: Mapping[Netlist, Sequence[Row]]) -> Row | None:
    """The power over the longest message, of these the newest."""
    candidates = powers_of(row, powers)
    longest = max((message_bytes(p) or 0 for p in candidates), default=0)
    return next((p for p in reversed(candidates) if (message_bytes(p) or 0) == longest), None)


def message_bytes(power: Row) -> int | None:
    """Of one message of the traffic."""
    size = power.get("message_bytes")
    return int(size) if size else None


def is_part(line: NetlistLine) -> bool:
    """Whether it has no register: a part of a core, whose period is from input to output."""
    return int(line.row["flops"]) == 0


def printed_of(found: Iterable[NetlistLine]) -> list[Printed]:
    """The printed points of the designs that lines are compared with, each once."""
    designs = {line.design.name: line.design for line in found if line.design}
    return [Printed(design, point) for design in designs.values() for point in design.points]


def newest_runs(rows: Iterable[Row], *fields: str) -> list[Row]:
    """The newest row of each core, its parameters and `fields`, some of which a row may lack."""
    return sorted(
        latest(rows, ["core", "parameters"], fields),
        key=lambda r: [choice_of(r), *(str(r.get(f)) for f in fields)],
    )
