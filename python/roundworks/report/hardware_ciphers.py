"""Figure 6 and Table 1 of [AETHER]: every cipher by its S-boxes, and energy by message length.

A netlist's power was estimated over the short run at the paper's clock, some over one of more blocks too.
The energy of any other message is that and its clocks: as in the paper, whose energy is power by time.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from roundworks import spec
from roundworks.report.hardware_rows import (
    CycleCounts,
    choice_of,
    counts,
    current,
    netlist_of,
    newest_conditions,
    of_netlists,
    words,
)
from roundworks.report.hardware_sources import of_newest
from roundworks.rows import Row

PAPER, FIGURE = "aether", "figure-6"
SHORT = (128, 128)  # bytes of associated data and of message
LONG = (0, 160_000)
RATE = (65_536, 160_000)  # bytes of message between which bits per cycle are counted
_MODELS = ("glitch", "zero-delay")
Run = tuple[int, int]


@dataclass(frozen=True, slots=True)
class CipherPower:
    """What a netlist took in the runs that were estimated, by one model; ``clocks`` of any run."""

    runs: Mapping[Run, Row]
    clocks: Mapping[Run, int]

    @property
    def model(self) -> str:
        """Toggle model of the runs."""
        return str(next(iter(self.runs.values()))["model"])

    @property
    def driver(self) -> str:
        """Of the boundary conditions; empty where they are the older ones."""
        return str(next(iter(self.runs.values())).get("driver", ""))

    @property
    def mhz(self) -> float:
        """Clock frequency of the runs in MHz."""
        return float(next(iter(self.runs.values()))["clock_mhz"])

    @property
    def mw(self) -> float:
        """Of the short run, or of the run that there is."""
        return float(self.runs.get(SHORT, next(iter(self.runs.values())))["total_mw"])

    @property
    def bits_per_cycle(self) -> float:
        """Bits of message per cycle between two long messages."""
        low, high = RATE
        return 8 * (high - low) / (self.clocks[0, high] - self.clocks[0, low])

    def nj(self, run: Run) -> float:
        """At the clock of the rows: of a run that was estimated, and the clocks that it takes more; of
        a shorter one its clocks at the mean of the longest."""
        return self._of(run, "energy_pj")

    def dynamic_nj(self, run: Run) -> float:
        """Without leakage: what no clock changes."""
        return self.nj(run) - self._of(run, "leakage")

    def outside_nj(self, run: Run) -> float | None:
        """What charges the inputs, the clock above all, and is in no total; of older rows unknown."""
        if any("inputs_mw" not in row for row in self.runs.values()):
            return None
        return self._of(run, "inputs")

    def nj_at(self, run: Run, period_ps: float) -> float:
        """At another clock, whose leakage has another time."""
        share = period_ps * self.mhz / 1e6
        return self.dynamic_nj(run) + share * self._of(run, "leakage")

    def _of(self, run: Run, what: str) -> float:
        # A request may be taken after the initialisation, and is estimated from then on: a cycle of
        # that is a round as well.
        base = self.runs.get(run) or max(self.runs.values(), key=_clocks)
        more = self.clocks[run] - _clocks(base)
        # Backwards the blocks alone would be taken off, and what is left could be less than nothing.
        each = self._steady(what) if more > 0 else _pj(base, what) / _clocks(base)
        return (_pj(base, what) + more * each) / 1e3

    def _steady(self, what: str) -> float:
        """pJ of a cycle in which blocks pass: between two runs, or the mean of the only one."""
        few, many = (f(self.runs.values(), key=_clocks) for f in (min, max))
        clocks = _clocks(many) - _clocks(few)
        if not clocks:
            return _pj(many, what) / _clocks(many)
        return (_pj(many, what) - _pj(few, what)) / clocks


def _clocks(row: Row) -> int:
    return int(row["cycles"])


def _pj(row: Row, what: str) -> float:
    """Of a run as it was estimated."""
    if what in ("leakage", "inputs"):
        return 1e3 * float(row[f"{what}_mw"]) * _clocks(row) / float(row["clock_mhz"])
    return float(row[what])


@dataclass(frozen=True, slots=True)
class CipherEntry:
    """A cipher with an S-box in a library, its netlist that is best for the goal."""

    title: str
    core: str
    style: str
    library: str
    goal: str
    row: Row
    power: CipherPower | None
    printed_row: str
    simulated: float | None  # bits per cycle, of its bench

    @property
    def model(self) -> str:
        """Toggle model of the energy; empty without one."""
        return self.power.model if self.power else ""

    @property
    def bits_per_cycle(self) -> float | None:
        """Of long messages: by the formula of its clocks, which comes with a power, or counted."""
        return self.power.bits_per_cycle if self.power else self.simulated

    @property
    def name(self) -> str:
        """Cipher and S-box style."""
        return f"{self.title}, {self.style}" if self.style else self.title

    @property
    def made(self) -> str:
        """The synthesis script and the parameters."""
        return f"{self.row['script']}, {words(self.row['parameters'])}"

    @property
    def tbits(self) -> float | None:
        """Tbit/s of long messages."""
        bits = self.bits_per_cycle
        return None if bits is None else bits / float(self.row["period_ps"])

    def nj(self, run: Run) -> float | None:
        """Energy of a run in nJ; None without a power."""
        return self.power.nj(run) if self.power else None

    def clocks(self, run: Run) -> int | None:
        """Cycles of a run; None without a power."""
        return self.power.clocks[run] if self.power else None

    def figure(self, name: str) -> float | None:
        """Throughput in Tbit/s, or the energy of the short or the long run in nJ."""
        return {"throughput": self.tbits, "energy, short": self.nj(SHORT), "energy, long": self.nj(LONG)}[
            name
        ]

    @property
    def values(self) -> dict[str, Any]:
        """By the paper's columns."""
        return {
            "area": self.row["area_um2"],
            "gate count": 1000 * self.row["kge"],
            "latency": self.row["period_ps"] / 1000,
            "throughput": self.tbits,
            "cycles, short": self.clocks(SHORT),
            "energy, short": self.nj(SHORT),
            "cycles, long": self.clocks(LONG),
            "energy, long": self.nj(LONG),
            "power": self.power.mw if self.power else None,
        }


def entries_of(
    synthesis: Iterable[Row],
    powers: Sequence[Row],
    simulations: Iterable[Row],
    own: Sequence[spec.ComparedCipher] = (),
) -> Iterator[CipherEntry]:
    """The compared ciphers and the user's `own`. Energies of a library are by the model that most of its ciphers
    were estimated with; where a cipher has another alone it is that."""
    synthesis = list(synthesis)
    counted = counts(of_newest(list(simulations), synthesis))
    by_netlist = of_netlists(p for p in powers if "message_cycles" in p)
    for library, found in _groups(synthesis, own).items():
        estimated = [
            (compared, style, [(row, _powers(row, by_netlist.get(netlist_of(row), ()))) for row in rows])
            for compared, style, rows in found
        ]
        have = [m for _, _, rows in estimated for m in {m for _, by in rows for m in by}]
        order = sorted(set(have), key=lambda m: (-have.count(m), _MODELS.index(m)))
        for compared, style, rows in estimated:
            model = next((m for m in order if any(m in by for _, by in rows)), "")
            rate = counted.get(choice_of(rows[0][0]), CycleCounts({})).bits_per_cycle
            best = _best([(row, by.get(model)) for row, by in rows])
            for goal, (row, power) in best.items():
                yield CipherEntry(
                    title=compared.title,
                    core=compared.core,
                    style=style,
                    library=library,
                    goal=goal,
                    row=row,
                    power=power,
                    printed_row=compared.rows[style],
                    simulated=rate,
                )


def _groups(
    synthesis: Iterable[Row], own: Sequence[spec.ComparedCipher]
) -> dict[str, list[tuple[spec.ComparedCipher, str, Sequence[Row]]]]:
    """Of each library: a compared, an S-box of it, its netlists."""
    there: dict[str, dict[str, list[tuple[Sequence[tuple[str, str]], Sequence[Row]]]]] = {}
    for (library, (core, chosen)), rows in current(synthesis).items():
        there.setdefault(library, {}).setdefault(core, []).append((chosen, rows))
    return {
        library: [
            (compared, style, rows)
            for compared in (*spec.compared_ciphers(), *own)
            for style in compared.rows
            for chosen, rows in by_core.get(compared.core, ())
            if _is(chosen, compared, style)
        ]
        for library, by_core in there.items()
    }


def _is(chosen: Sequence[tuple[str, str]], compared: spec.ComparedCipher, style: str) -> bool:
    """Whether these are the defaults but for the S-box: another choice is another design point."""
    given = dict(chosen)
    wanted = compared.parameters(style)
    return all(given.get(k) == v for k, v in wanted.items()) and all(
        given.get(k, v) == v for k, v in compared.defaults.items()
    )


def _best(estimated: Sequence[tuple[Row, CipherPower | None]]) -> dict[str, tuple[Row, CipherPower | None]]:
    best = {"latency": min(estimated, key=lambda p: (p[0]["period_ps"], p[0]["area_um2"]))}
    with_power = [(row, p) for row, p in estimated if p]
    if with_power:
        best["energy"] = min(with_power, key=lambda pair: pair[1].nj(LONG))
    return best


def _powers(row: Row, powers: Iterable[Row]) -> dict[str, CipherPower]:
    """By model the runs of a netlist that carry the clocks of other messages; `powers` are of that netlist."""
    of = [p for p in powers if choice_of(p) == choice_of(row)]
    if not of:
        return {}
    clocks = {(c["ad_bytes"], c["msg_bytes"]): c["cycles"] for c in of[-1]["message_cycles"]}
    runs: dict[str, dict[Run, Row]] = {}
    for model in dict.fromkeys(p["model"] for p in of):
        same = newest_conditions([p for p in of if p["model"] == model])
        runs[model] = {(p.get("ad_bytes", 0), p["message_bytes"]): p for p in same}
    return {model: CipherPower(found, clocks) for model, found in runs.items()}


def nj_by_size(power: CipherPower) -> list[tuple[int, float]]:
    """Bytes of a message without associated data whose clocks are known -> nJ."""
    return sorted((n, power.nj((0, n))) for ad, n in power.clocks if not ad and n)


def curve(entry: CipherEntry, between: int = 1) -> list[tuple[float, float, bool]]:
    """Bytes of a message -> pJ a bit of it, and whether the clocks of that size are known; between two
    such sizes `between` steps, by a straight line of energy over bytes."""
    points: list[tuple[float, float, bool]] = []
    known = nj_by_size(entry.power) if entry.power else []
    for (low, nj), (high, more) in pairwise(known):
        for step in range(between):
            size = low * (high / low) ** (step / between)
            there = nj + (more - nj) * (size - low) / (high - low)
            points.append((size, 1e3 * there / (8 * size), not step))
    return points + [(n, 1e3 * nj / (8 * n), True) for n, nj in known[-1:]]


def is_core_of(core: str, name: str) -> bool:
    """Whether a core, or the core of which it is a design point, has the cipher's name but for dashes."""
    base = next((c.point_of or c.core for c in spec.compared_ciphers() if c.core == core), core)
    return base.replace("-", "") == name.replace("-", "")


def leaders(entries: Iterable[CipherEntry]) -> dict[tuple[str, str], CipherEntry]:
    """(library, core) -> its entry with the lowest energy of long messages, design points left out:
    they would double the lines."""
    points = {c.core for c in spec.compared_ciphers() if c.point_of}
    leading: dict[tuple[str, str], CipherEntry] = {}
    for entry in entries:
        key, mine = (entry.library, entry.core), entry.nj(LONG)
        best = leading[key].nj(LONG) if key in leading else None
        if entry.core not in points and mine is not None and (best is None or mine < best):
            leading[key] = entry
    return leading
