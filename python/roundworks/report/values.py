"""How one value is shown, and by which number it is sorted."""

import math
import re
from collections.abc import Iterable
from statistics import median, quantiles
from typing import Any

from markupsafe import Markup, escape

_NUMBER = r"[-+−]?\d[\d,]*(?:\.\d+)?(?:[eE][-+]?\d+)?"
_POWER = re.compile(r"2\^\{?([-−]?\d+(?:\.\d+)?)\}?")
_SHARE = re.compile(r"(\d+)/([1-9]\d*)")
# One value and at most a sign of comparison before it and a unit after it. "AES-256" is none.
_WHOLE = re.compile(
    rf"^(?:<=|>=|[<>~≈≤≥])?\s*(?:(?P<power>{_POWER.pattern})|(?P<plain>{_NUMBER}))"
    r"\s*(?:%|[×x]|[a-zA-Zµμ/²^]{1,12})?$"
)


def number(value: Any) -> float | None:
    """The number a value is sorted and plotted by; None for what is not a number.

    ``"2^-208"`` is 2**-208, so powers of two sort by what they mean and not by their spelling; ``"1/32"`` is a
    share, as the papers print one.
    """
    if isinstance(value, bool) or value is None:
        return None
    if isinstance(value, int | float):
        return float(value)
    if share := _SHARE.fullmatch(str(value)):
        return int(share[1]) / int(share[2])
    match = _WHOLE.match(str(value).strip())
    if not match:
        return None
    if match["power"]:
        exponent = float(_POWER.sub(r"\1", match["power"]).replace("−", "-"))
        return math.inf if exponent > 1023 else 2.0**exponent
    return float(match["plain"].replace(",", "").replace("−", "-"))


def show(value: Any, unit: str = "") -> Markup:
    """A value as HTML: thousands grouped from five digits on, powers of two raised.

    A number in the unit ``log2``, or a bound on one, is shown as the power of two it stands for.
    """
    if unit == "log2" and isinstance(value, int | float):
        return show(f"2^{value:.6g}")
    if unit == "log2" and isinstance(value, str) and value.startswith(("at least ", "at most ")):
        words, _, exponent = value.rpartition(" ")
        return show(f"{words} 2^{exponent}")
    if value is None:
        return Markup('<span class="none">none</span>')
    if isinstance(value, bool):
        return Markup("yes" if value else "no")
    if isinstance(value, int):
        return Markup(_signed(f"{value:,}" if abs(value) >= 10_000 else str(value)))
    if isinstance(value, float):
        if value.is_integer() and abs(value) < 2**53:
            return show(int(value))
        return Markup(_signed(f"{value:.6g}"))
    text = str(escape(value))
    return Markup(_POWER.sub(lambda m: f"2<sup>{_signed(m[1])}</sup>", text))


def rounds(count: int) -> str:
    """``1 round``, ``4 rounds``."""
    return "1 round" if count == 1 else f"{count} rounds"


def seconds(value: float) -> str:
    """Wall-clock time in the unit a reader would choose."""
    if value < 0.001:
        return f"{value * 1e6:.0f} µs"
    if value < 1:
        return f"{value * 1e3:.0f} ms"
    if value < 120:
        return f"{value:.3g} s"
    if value < 2 * 3600:
        return f"{value / 60:.3g} min"
    hours = value / 3600
    return f"{hours:.3g} h" if hours < 48 else f"{brief(hours / 24)} days"


def brief(value: float) -> str:
    """Three digits, or all digits before the point where there are more."""
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.3g}"


def short(value: float | None) -> Markup:
    """The cell of a measurement, which is sorted by all of its digits; a missing one sorts below all.

    Not a macro of a template, which takes longer: tables have tens of thousands of them.
    """
    if value is None:
        return Markup('<td class="num" data-order=""></td>')
    return Markup(f'<td class="num" data-order="{value}">{brief(value)}</td>')


def natural(text: str) -> str:
    """A key that sorts ``(10,4)`` after ``(9,3)``: every number in it padded to one length."""
    return re.sub(r"\d+", lambda match: match[0].zfill(8), text)


def data_size(count: int) -> str:
    """``16 B``, ``4 KiB``, ``1 MiB``: binary units, because the workloads are powers of two."""
    for step, unit in ((2**30, "GiB"), (2**20, "MiB"), (2**10, "KiB")):
        if count >= step and count % step == 0:
            return f"{count // step} {unit}"
    return f"{count:,} B"


def spread(samples: list[float]) -> dict[str, float]:
    """Median, quartiles and extremes of raw samples."""
    low, _, high = quantiles(samples, n=4, method="inclusive") if len(samples) > 1 else samples * 3
    return {"median": median(samples), "q1": low, "q3": high, "min": min(samples), "max": max(samples)}


def marked(text: str, part: str) -> Markup:
    """The text as HTML, with every occurrence of a part marked."""
    shown = escape(text)
    return shown.replace(escape(part), Markup("<mark>{}</mark>").format(part)) if part else shown


def pivot(
    entries: Iterable[Any], line: str, column: str
) -> tuple[list[Any], list[tuple[Any, dict[Any, Any]]]]:
    """Entries as a table, by two of their fields: its columns, and each line with its entry by column."""
    lines: dict[Any, dict[Any, Any]] = {}
    columns: dict[Any, None] = {}
    for entry in entries:
        columns.setdefault(getattr(entry, column))
        lines.setdefault(getattr(entry, line), {})[getattr(entry, column)] = entry
    return list(columns), list(lines.items())


def unit(name: str) -> str:
    """A unit as it is printed: ``um2`` is µm²."""
    return {"um2": "µm²"}.get(name, name)


def _signed(text: str) -> str:
    return text.replace("-", "−")


def slug(text: str) -> str:
    """A text as the name of a file or the target of a link: ``1.28 Mbit, AES`` is ``1-28-mbit-aes``."""
    return re.sub(r"[^\w]+", "-", text.lower()).strip("-")
