"""A table of a paper at a glance: ours over the printed value, a mark for each cell, on a log axis."""

import math
from collections.abc import Iterable, Sequence

from markupsafe import Markup, escape

from roundworks.report.tables import TableCell
from roundworks.report.values import number

_WIDTH, _EDGE, _RADIUS, _STEP, _MOST = 640, 24, 3.6, 7.6, 12
_TIMES = (1 / 8, 1 / 4, 1 / 2, 1, 2, 4, 8)
_SAME = 1.1  # the factor within which two values are said to be the same


def glance(cells: Iterable[TableCell]) -> Markup:
    """A strip of marks as SVG; empty where fewer than three cells have two numbers, or all are equal.

    The ratio is that of the cell's verdict; what others are divided by has none of the kind, and no mark.
    Farther out than a factor of eight a mark stands at the edge. Marks at one place are stacked, and a number
    says how many there are where they are too many.
    """
    shown = list(cells)
    bases = {(cell.row.against, cell.column) for cell in shown if cell.row}
    ratios = [
        (cell, ratio)
        for cell in shown
        if (cell.row_name, cell.column) not in bases and (ratio := _ratio(cell)) is not None
    ]
    if len(ratios) < 3 or all(abs(ratio - 1) < 0.01 for _, ratio in ratios):
        return Markup("")
    stacks: dict[int, list[tuple[TableCell, float]]] = {}
    for cell, ratio in sorted(ratios, key=lambda each: each[1]):
        stacks.setdefault(round(_x(ratio) / (2 * _RADIUS)), []).append((cell, ratio))
    base = 12 + _STEP * min(_MOST, max(map(len, stacks.values())))
    marks = Markup("").join(_stack(place, stack, base) for place, stack in stacks.items())
    axis = Markup("").join(
        Markup('<path d="M{0} {1}v4"/><text x="{0}" y="{2}">{3}</text>').format(
            round(_x(times)), base, base + 18, _name(times)
        )
        for times in _TIMES
    )
    left, right = _x(1 / _SAME), _x(_SAME)
    label = escape(f"ours over the printed value, {len(ratios)} cells")
    return Markup(
        f'<svg class="glance" viewBox="0 0 {_WIDTH} {base + 46:.0f}" role="img" aria-label="{label}">'
        f'<rect class="same" x="{left:.1f}" y="4" width="{right - left:.1f}" height="{base - 4:.0f}"/>'
        f'<path d="M{_EDGE} {base}H{_WIDTH - _EDGE}"/>{axis}'
        f'<text x="{_WIDTH // 2}" y="{base + 39:.0f}">ours over the printed value, log scale; shaded: within'
        f" 10 %</text>{marks}</svg>"
    )


def _stack(place: int, stack: Sequence[tuple[TableCell, float]], base: float) -> Markup:
    x = 2 * _RADIUS * place
    marks = Markup("")
    for level, (cell, ratio) in enumerate(stack):
        y = base - 5 - _STEP * min(level, _MOST - 1)
        name = f"{cell.row_name}, {cell.column}: {ratio:.3g} times"
        marks += Markup(
            '<circle class="{}" cx="{:.1f}" cy="{:.1f}" r="{}"><title>{}</title></circle>'
        ).format(cell.status, x, y, _RADIUS, name)
    if len(stack) > _MOST:
        marks += Markup('<text x="{:.1f}" y="9">{}</text>').format(x, len(stack))
    return marks


def _name(times: float) -> str:
    end = {_TIMES[0]: "≤ ", _TIMES[-1]: "≥ "}.get(times, "")
    return end + (f"{times:g}×" if times >= 1 else f"1/{1 / times:g}")


def _ratio(cell: TableCell) -> float | None:
    """Ours over theirs, by the verdict's own rule where that has one; of powers of two, that of their
    exponents; None without two positive numbers."""
    if cell.row is None:
        return None
    if cell.row.ratio and cell.status in ("agrees", "differs"):
        return float(cell.row.ratio)
    ours, printed = number(cell.value if cell.follows is None else cell.follows), number(cell.paper_value)
    if ours is None or printed is None:
        return None
    if cell.unit == "log2":
        ours, printed = -ours, -printed
    return ours / printed if min(ours, printed) > 0 and math.isfinite(ours / printed) else None


def _x(ratio: float) -> float:
    share = (math.log2(ratio) + 3) / 6
    return _EDGE + min(1.0, max(0.0, share)) * (_WIDTH - 2 * _EDGE)
