"""The rules by which a printed value and ours get a verdict. Nothing here measures, and nothing reads a file.

reproduced     ours was computed or measured without the paper and is the print at its precision
refuted        ours was, and is not; or the paper's own numbers give another value than it prints
consistent     the print only follows from other printed values, or from a rule or reading of the paper, and does
agrees         ours is of another machine or cell library: a ratio within ten per cent of the printed one,
               the same name, or a bound that holds
differs        the same comparison with another outcome
bounded        ours is a bound that the print keeps, and the number itself is not decided
not-comparable no number of ours stands for the print; the reason says why
open           nobody has computed it yet
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from operator import ge, le

from ..report.values import number

Value = float | int | str | None

# Two ratios that are this near are the same.
WITHIN = 0.10
_BOUNDS: dict[str, Callable[[float, float], bool]] = {"at least": ge, "at most": le}


@dataclass(frozen=True, slots=True)
class Verdict:
    """A status, and how many times the printed ratio ours is, where there are two ratios."""

    status: str
    ratio: float | None = None


def same(printed: Value, value: Value) -> bool:
    """Equal at the precision that was printed: 2.62 says the same as 2.62625."""
    if isinstance(printed, str) or isinstance(value, str) or printed is None or value is None:
        return printed == value
    text = repr(printed)
    digits = len(text.partition(".")[2]) if "." in text and "e" not in text else 0
    # Printed numbers are rounded or cut; either counts as the same number.
    return abs(printed - value) < 10.0**-digits if digits else printed == value


def computed(printed: Value, ours: Value, relation: str = "") -> Verdict:
    """Of a value that was computed or measured without the paper, by its own rules.

    Ours may be a bound, ``at least 3``: a print that keeps it is neither reproduced nor refuted.
    """
    for bound, keeps in _BOUNDS.items():
        if isinstance(ours, str) and ours.startswith(bound + " "):
            theirs = number(printed)
            kept = theirs is not None and keeps(theirs, float(ours.removeprefix(bound)))
            return Verdict("bounded" if kept else "refuted")
    return Verdict("reproduced" if _holds(printed, ours, relation) else "refuted")


def derived(printed: Value, follows: Value, relation: str = "") -> Verdict:
    """Of a value that other printed ones give, or a reading that was chosen for it."""
    return Verdict("consistent" if _holds(printed, follows, relation) else "refuted")


def elsewhere(
    printed: Value, ours: Value, base: tuple[Value, Value] | None = None, relation: str = ""
) -> Verdict:
    """Of a value measured on another machine or cell library than the paper's.

    Parameters
    ----------
    base : (printed, ours)
        Values of the row that both are divided by; absolute values are compared without one.
    relation : {"", "at least", "at most", "about"}
        What the paper says of its number. Of a bound the verdict is whether ours keeps it.
    """
    if ours is None or printed is None:
        return Verdict("not-comparable")
    theirs, mine = number(printed), number(ours)
    if theirs is None or mine is None:
        return Verdict("agrees" if printed == ours else "differs")
    if relation in _BOUNDS:
        return Verdict("agrees" if _BOUNDS[relation](mine, theirs) else "differs")
    if base is not None:
        unit, own = number(base[0]), number(base[1])
        if unit is None or own is None or unit <= 0 or own <= 0:
            return Verdict("not-comparable")
        theirs, mine = theirs / unit, mine / own
    if theirs <= 0 or mine <= 0:
        return Verdict("agrees" if theirs == mine else "differs")
    return Verdict("agrees" if _near(mine, theirs) else "differs", mine / theirs)


def _holds(printed: Value, value: Value, relation: str) -> bool:
    theirs, ours = number(printed), number(value)
    if theirs is None or ours is None:
        return same(printed, value)
    if relation in _BOUNDS:
        return _BOUNDS[relation](ours, theirs)
    return same(printed, value) or (relation == "about" and _near(ours, theirs))


def _near(mine: float, theirs: float) -> bool:
    """Within ten per cent, either way."""
    return theirs != 0 and 1 / (1 + WITHIN) <= mine / theirs <= 1 + WITHIN
