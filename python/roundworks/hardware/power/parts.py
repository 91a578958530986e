"""The three parts of power, and whose they are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Power:
    """Watts. ``leakage`` flows at any clock; the other two are dynamic.

    ``internal`` is drawn inside cells at transitions of their pins; ``switching`` charges nets that
    cells drive. What the outside spends on the circuit's inputs, its clock among them, is
    ``inputs`` and not in the total: whoever drives them pays.
    """

    leakage: float
    internal: float
    switching: float
    inputs: float = 0.0

    @property
    def dynamic(self) -> float:
        """Watts that toggles take."""
        return self.internal + self.switching

    @property
    def total(self) -> float:
        """Watts, leakage included."""
        return self.leakage + self.dynamic

    @property
    def fields(self) -> dict[str, Any]:
        """For a row of kind power."""
        return {
            "leakage_w": self.leakage,
            "internal_w": self.internal,
            "switching_w": self.switching,
            "dynamic_w": self.dynamic,
            "inputs_w": self.inputs,
        }
