"""The portfolio: ways in which abc makes gates of logic. None is best on every library.

Each finds a structure and maps it; buffers and sizes follow, the same way for all. ``{D}`` is the
target delay, in ps, as abc counts it. To abc a flip-flop is an output and an input, with the
load and the driver of the constraints: so what hangs on one is buffered like any other net.
"""

from __future__ import annotations

from dataclasses import dataclass

from ...errors import unknown

_CLEAN = "strash; ifraig; scorr; dc2; strash"
_SOP = "; ".join(["st; if -g -K 6 -C 8"] * 6)
_SPEED = "; ".join(["&st; &syn2; &synch2; &nf"] * 5)

_SIZING = "topo; buffer -c; topo; upsize -D {D}; dnsize -D {D}"


@dataclass(frozen=True, slots=True)
class Script:
    """``goal`` is what it was written for: delay, area or energy. All are measured for all."""

    name: str
    goal: str
    title: str
    commands: str


_ALL = (
    Script("dch", "delay", "structural choices, mapped for delay", "strash; dch -f; map -B 0.9 -D {D}"),
    Script(
        "nf",
        "area",
        "Yosys: structural choices, area flow",
        f"{_CLEAN}; &get -n; &dch -f; &nf -D {{D}}; &put",
    ),
    Script(
        "speed",
        "delay",
        "OpenROAD's for speed: two-level synthesis between five mappings",
        f"&get -n; {_SPEED}; &put",
    ),
    Script(
        "sop",
        "delay",
        "sum-of-products balancing, six times",
        f"{_CLEAN}; {_SOP}; dch -f; map -B 0.9 -D {{D}}",
    ),
    Script(
        "mfs-sop",
        "delay",
        "six-input tables without don't-cares, then sum-of-products balancing",
        f"{_CLEAN}; if -K 6; mfs2; strash; {_SOP}; dch -f; map -B 0.9 -D {{D}}",
    ),
    Script(
        "deepsyn",
        "area",
        "and-inverter graph made small for twenty seconds",
        "strash; &get -n; &deepsyn -T 20; &put; dch -f; map -B 0.9 -D {D}",
    ),
    Script(
        "amap", "area", "area recovery over cuts, XOR and MUX cells matched", f"{_CLEAN}; dch -f; amap -m"
    ),
    Script(
        "nf-area",
        "area",
        "area flow ten times, structural choices of the graph",
        f"{_CLEAN}; &get -n; &dch -x; &nf -p -R 10 -F 10; &put",
    ),
    Script(
        "plain",
        "energy",
        "the source's own structure, mapped as it stands: few glitches",
        "strash; &get -n; &nf; &put",
    ),
    Script(
        "switching",
        "energy",
        "structural choices, mapped for the fewest expected toggles",
        "strash; dch -p; map -p -D {D}",
    ),
    Script(
        "sop-switching",
        "energy",
        "sum-of-products balancing, then mapped for the fewest toggles",
        f"{_CLEAN}; {_SOP}; dch -p; map -p -D {{D}}",
    ),
)
PROFILES = ("quick", "energy", "full")
NAMES = tuple(script.name for script in _ALL)
# A delay that everything meets: all that is left to want is area.
LOOSE_PS = 1e6


def script(name: str) -> Script:
    """The script of that name."""
    for found in _ALL:
        if found.name == name:
            return found
    raise unknown("script", name, NAMES)


def portfolio(profile: str) -> list[tuple[str, float | None]]:
    """Scripts and their target delays: two for a first look; these and what is written
    for energy, which wants small gates more than fast ones; or every script twice."""
    if profile in ("quick", "energy"):
        frugal = [s.name for s in _ALL if s.goal == "energy" and profile == "energy"]
        return [("dch", None), ("nf", LOOSE_PS), *((name, LOOSE_PS) for name in frugal)]
    return [(one.name, target) for target in (None, LOOSE_PS) for one in _ALL]


def commands(which: Script, target_ps: float | None) -> str:
    """All of it for abc; no target means the minimum delay."""
    text = f"{which.commands}; {_SIZING}".replace("{D}", f"{target_ps or 1:g}")
    return "\n".join(part.strip() for part in text.split(";")) + "\n"
