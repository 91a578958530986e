"""A table of a paper at a glance: ours over the printed value, a mark for each cell, on a log axis."""

import math
from collections.abc import Iterable

from markupsafe import Markup, escape

from roundworks.report.tables import TableCell
from roundworks.report.values import number

_WIDTH, _HEIGHT, _EDGE, _RADIUS = 640, 46, 12, 4.0
_TIMES = (1 / 8, 1 / 4, 1 / 2, 1, 2, 4, 8)


def glance(cells: Iterable[TableCell]) -> Markup:
    """A strip of marks as SVG; empty where fewer than three cells have two numbers.

    Farther out than a factor of eight a mark stands at the edge. Marks at one place are stacked.
    """
    ratios = [(cell, ratio) for cell in cells if (ratio := _ratio(cell)) is not None]
    if len(ratios) < 3:
        return Markup("")
    stacked: dict[int, int] = {}
    marks = Markup("")
    for cell, ratio in sorted(ratios, key=lambda each: each[1]):
        x = round(_x(ratio))
        level = stacked[x // 5] = stacked.get(x // 5, -1) + 1
        y = 18 - 3.2 * min(level, 4)
        name = f"{cell.row_name}, {cell.column}: {ratio:.3g} times the printed value"
        marks += Markup('<circle class="{}" cx="{}" cy="{:.1f}" r="{}"><title>{}</title></circle>').format(
            cell.status, x, y, _RADIUS, name
        )
    axis = Markup("").join(
        Markup('<path d="M{0} 26v4"/><text x="{0}" y="42">{1}</text>').format(
            round(_x(times)), f"{times:g}×" if times >= 1 else f"1/{1 / times:g}"
        )
        for times in _TIMES
    )
    label = escape(f"ours over the printed value, {len(ratios)} cells")
    return Markup(
        f'<svg class="glance" viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" aria-label="{label}">'
        f'<path d="M{_EDGE} 26H{_WIDTH - _EDGE}"/><path class="same" d="M{_WIDTH // 2} 2V26"/>{axis}{marks}</svg>'
    )


def _ratio(cell: TableCell) -> float | None:
    """Ours over theirs; of powers of two, that of their exponents; None without two positive numbers."""
    if cell.row is None:
        return None
    if cell.unit == "log2":
        ours, printed = (number(value) for value in (cell.value, cell.paper_value))
        pair = (-ours, -printed) if ours is not None and printed is not None else None
    else:
        ours, printed = number(cell.value), number(cell.paper_value)
        pair = (ours, printed) if ours is not None and printed is not None else None
    return pair[0] / pair[1] if pair and min(pair) > 0 and math.isfinite(pair[0] / pair[1]) else None


def _x(ratio: float) -> float:
    share = (math.log2(ratio) + 3) / 6
    return _EDGE + min(1.0, max(0.0, share)) * (_WIDTH - 2 * _EDGE)
