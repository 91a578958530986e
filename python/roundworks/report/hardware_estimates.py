"""What searched structures cost by the figures of their parts, and how far off that is."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from roundworks.rows import Row, latest

_WORD_BITS = 128
FIGURES = ("area_um2", "delay_ps", "energy_pj")


@dataclass(frozen=True, slots=True)
class Class:
    """Structures of a number of words and of inputs with one inner function: all of them cost alike."""

    row: Row

    @property
    def bits(self) -> int:
        """Of message in a round."""
        return _WORD_BITS * int(self.row["inputs"])

    @property
    def tbits(self) -> float:
        """Tbit/s, were there no registers."""
        return self.bits / float(self.row["delay_ps"])

    @property
    def pj_per_bit(self) -> float:
        """Energy per bit of message in pJ."""
        return float(self.row["energy_pj"]) / self.bits

    @property
    def um2_per_tbits(self) -> float:
        """Area for a throughput of 1 Tbit/s, in square micrometres."""
        return float(self.row["area_um2"]) / self.tbits


@dataclass(frozen=True, slots=True)
class Check:
    """A structure that was synthesised in full, and its estimate."""

    row: Row

    @property
    def structure(self) -> str:
        """Where blocks go, and which word is added at each other position."""
        positions, pi = self.row["structure"]
        return f"X at {', '.join(map(str, positions))}; S at {', '.join(map(str, pi))}"

    def error(self, figure: str) -> float:
        """Percent by which the estimate is too large."""
        made = float(self.row[f"made_{figure}"])
        return 100 * (float(self.row[figure]) - made) / made


@dataclass(frozen=True, slots=True)
class EstimateTable:
    """Classes by the energy of a bit; ``rows`` are all rows behind them."""

    classes: tuple[Class, ...]
    checks: tuple[Check, ...]

    @property
    def rows(self) -> list[Row]:
        """The rows behind the section."""
        return [*(c.row for c in self.classes), *(c.row for c in self.checks)]

    def errors(self, figure: str) -> tuple[float, float]:
        """Mean and maximum error, both without their sign, in percent."""
        errors = [abs(check.error(figure)) for check in self.checks]
        return sum(errors) / len(errors), max(errors)

    @property
    def said(self) -> str:
        """The errors in a sentence."""
        if not self.checks:
            return "None was synthesised in full yet."
        parts = [
            f"{name} {mean:.2g} % (at most {most:.2g} %)"
            for name, figure in zip(("area", "delay", "energy"), FIGURES, strict=True)
            for mean, most in [self.errors(figure)]
        ]
        return f"Mean error over {len(self.checks)} that were: {', '.join(parts)}."


def estimates(rows: Iterable[Row]) -> EstimateTable:
    """The newest estimate of each class, by energy per bit, and each check in full."""
    newest = latest(rows, ["words", "inputs", "active", "inner", "library", "model", "structure"])
    classes = [Class(row) for row in newest if row["structure"] is None]
    checks = [Check(row) for row in newest if "made_area_um2" in row]
    classes.sort(key=lambda each: (each.row["library"], each.pj_per_bit))
    checks.sort(key=lambda each: (each.row["library"], each.row["words"], each.row["structure"]))
    return EstimateTable(tuple(classes), tuple(checks))
