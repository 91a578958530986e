"""How many rounds per cycle take the minimum energy per bit, library by library, and what decides it.

More rounds per cycle share registers, their clock and the leakage of a cycle among more bits; less of
them share gates among more clocks. Which wins is a matter of the library and of the clock.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from roundworks import spec
from roundworks.report.hardware_cipher_ratios import Ciphers
from roundworks.report.hardware_ciphers import LONG, SHORT, CipherEntry, CipherPower, Run

_SHARE = 1e3 / 8  # nJ over bytes to pJ over bits


@dataclass(frozen=True, slots=True)
class UnrollingStep:
    """A core of a number of rounds per cycle, its netlist of the lowest energy; pJ a bit of message.

    ``leakage`` and ``dynamic`` are of the long run at the rows' clock; ``outside`` charges the clock
    and other inputs, on top. ``fast``: the long run, each netlist at its own highest clock.
    """

    rounds: float
    entry: CipherEntry
    leakage: float
    dynamic: float
    short: float
    outside: float | None
    fast: float

    @property
    def long(self) -> float:
        """Energy per bit of the long run in pJ."""
        return self.leakage + self.dynamic

    @property
    def words(self) -> str:
        """Rounds per cycle in words."""
        return {0.5: "half a round"}.get(self.rounds) or (
            "1 round" if self.rounds == 1 else f"{self.rounds:g} rounds"
        )


@dataclass(frozen=True, slots=True)
class Unrolling:
    """One cipher in one library, all its steps estimated by one model."""

    title: str
    library: str
    model: str
    mhz: float
    steps: tuple[UnrollingStep, ...]

    @property
    def best(self) -> UnrollingStep:
        """The step with the minimum energy of the long run."""
        return min(self.steps, key=lambda s: s.long)

    def lowest(self, step: UnrollingStep) -> str:
        """In which of the figures the step takes the minimum."""
        figures = {
            f"long, {self.mhz:g} MHz": lambda s: s.long,
            f"short, {self.mhz:g} MHz": lambda s: s.short,
            "long, highest clock": lambda s: s.fast,
        }
        won = [name for name, of in figures.items() if step is min(self.steps, key=of)]
        return "; ".join(won)

    @property
    def said(self) -> str:
        """What decides it, from the numbers: what the others leak and toggle compared with the best."""
        best = self.best
        others = "; ".join(
            f"{s.words}: leakage {_change(s.leakage, best.leakage)}, "
            f"the rest {_change(s.dynamic, best.dynamic)}"
            for s in self.steps
            if s is not best
        )
        share = 100 * best.leakage / best.long
        glitches = "" if self.model == "glitch" else ", without glitches"
        return (
            f"{self.title} in {self.library} at {self.mhz:g} MHz{glitches}: {best.words} per cycle, "
            f"{best.long:.3g} pJ a bit, {share:.0f} % of it leakage. Compared with it {others}."
        )


def _change(one: float, other: float) -> str:
    return f"{100 * (one / other - 1):+.0f} %".replace("-", "−") if other else "not to be compared"


def unrollings(found: Ciphers) -> tuple[Unrolling, ...]:
    """By library, cipher and activity, where at least two cores of the cipher have an energy: the more
    rounds per cycle the more glitches, so the activities need not agree."""
    titles = dict.fromkeys(c.unrolling for c in spec.compared_ciphers() if c.unrolling)
    made = (
        _of(title, [e for e in entries if e.library == library])
        for library in found.libraries
        for title in titles
        for entries in found.by_model.values()
    )
    return tuple(one for one in made if one is not None)


def _of(title: str, entries: Sequence[CipherEntry]) -> Unrolling | None:
    """Entries of one activity, by the runs that all of them have: a cycle in which blocks pass is not
    compared with a mean one."""
    cores = [c for c in spec.compared_ciphers() if c.unrolling == title]
    alike = [(c, estimated) for c in cores if (estimated := list(_estimated(c, entries)))]
    if len(alike) < 2:
        return None
    runs = set[Run].intersection(*(set(power.runs) for _, same in alike for _, power in same))
    if not runs:
        return None
    steps = [_step(c.rounds, [(e, _only(power, runs)) for e, power in same]) for c, same in alike]
    steps.sort(key=lambda s: s.rounds)
    first = steps[0].entry
    assert first.power is not None
    return Unrolling(title, first.library, first.model, first.power.mhz, tuple(steps))


def _estimated(
    compared: spec.ComparedCipher, entries: Iterable[CipherEntry]
) -> Iterator[tuple[CipherEntry, CipherPower]]:
    """Of the S-box that is named first: steps differ in their rounds alone."""
    style = next(iter(compared.rows))
    for e in entries:
        if (e.core, e.style) == (compared.core, style) and e.power is not None:
            yield e, e.power


def _step(rounds: float, estimated: Sequence[tuple[CipherEntry, CipherPower]]) -> UnrollingStep:
    entry, power = min(estimated, key=lambda pair: pair[1].nj(LONG))
    fast = min(p.nj_at(LONG, e.row["period_ps"]) for e, p in estimated)
    dynamic, outside = power.dynamic_nj(LONG), power.outside_nj(LONG)
    return UnrollingStep(
        rounds,
        entry,
        _per_bit(power.nj(LONG) - dynamic, LONG),
        _per_bit(dynamic, LONG),
        _per_bit(power.nj(SHORT), SHORT),
        None if outside is None else _per_bit(outside, LONG),
        _per_bit(fast, LONG),
    )


def _only(power: CipherPower, runs: set[Run]) -> CipherPower:
    return replace(power, runs={run: row for run, row in power.runs.items() if run in runs})


def _per_bit(nj: float, run: Run) -> float:
    return _SHARE * nj / run[1]
