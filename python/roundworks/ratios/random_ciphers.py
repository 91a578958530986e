"""Random ciphers compared with what the ports of the CPU allow."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import median

from roundworks import spec
from roundworks.rows import RandomRow

from .newest import newest_run


@dataclass(frozen=True, slots=True)
class RandomCost:
    """A random cipher on its fastest back end: median nanoseconds of a block, and of its operations where
    none waits for another; ``ratio`` is the median over pairs of windows."""

    cipher: str
    backend: str
    ns: float
    limit: float
    ratio: float
    run: str


@dataclass(frozen=True, slots=True)
class RandomVerdict:
    """Ratios over `of` random ciphers of one run."""

    median: float
    largest: float
    of: int
    goal: spec.RandomGoal

    @property
    def state(self) -> str:
        """``met``, ``missed``, or ``open`` where the goal wants more ciphers than kept to it."""
        if self.median > self.goal.median:
            return "missed"
        return "met" if self.of >= self.goal.ciphers else "open"


def random_costs(rows: Iterable[RandomRow]) -> list[RandomCost]:
    """The ciphers of the newest run."""
    return [
        RandomCost(
            row.cipher,
            row.backend,
            median(row.samples_ns),
            median(row.limit_samples_ns),
            median(ns / limit for ns, limit in zip(row.samples_ns, row.limit_samples_ns, strict=True)),
            row.run,
        )
        for row in newest_run(rows)
    ]


def random_verdict(costs: Sequence[RandomCost]) -> RandomVerdict | None:
    """Their median and largest ratio with the goal of spec/speed.toml; None without any."""
    if not costs:
        return None
    ratios = [cost.ratio for cost in costs]
    return RandomVerdict(median(ratios), max(ratios), len(ratios), spec.random_goal())
