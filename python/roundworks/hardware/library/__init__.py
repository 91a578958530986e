"""The cell library: liberty files read once, for synthesis, timing and power alike."""

from .cells import FALL, RISE, Arc, Cell, Conditions, Energy, Leak, Library, Pair, Pin
from .reader import DEFAULT, load

__all__ = [
    "DEFAULT",
    "FALL",
    "RISE",
    "Arc",
    "Cell",
    "Conditions",
    "Energy",
    "Leak",
    "Library",
    "Pair",
    "Pin",
    "load",
]
