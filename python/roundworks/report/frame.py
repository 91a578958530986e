"""What every figure has: its place, the words of its caption, and the commands behind it."""

import json
import re
from collections.abc import Sequence
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import date, datetime
from functools import cached_property
from typing import Any

from markupsafe import Markup

from roundworks.bounds import CERTAINTY
from roundworks.rows import Row

# What makes the rows of each section; shown in the place of a figure that has none.
MAKERS = {
    "reproduction": "roundworks reproduce",
    "search": "roundworks reproduce aether --table 6",
    "existence": "roundworks decide --words 17 --inputs 6",
    "design": "roundworks designs examples/candidates/ten_words.py aether-lb",
    "inner": "roundworks inner aether",
    "trail": "roundworks fastest --bits 512",
    "bound": "roundworks bound aether --measure active-f --rounds 16",
    "audit": "roundworks audit aether",
    "bench": "roundworks bench --peers",
    "instruction": "roundworks bench --peers",
    "limit": "roundworks bench --peers",
    "files": "make files-speed",
    "scaling": "make scaling",
    "comparison": "python -m roundworks.bench.other_tools ocp CHECKOUT",
    "selftest": "roundworks list --selftest",
    "drawing": "roundworks describe aether",
    "solve": "roundworks race",
    "cycles": "roundworks reproduce aesni-permutations --table 4",
    "permutation": "roundworks bench --permutations",
    "simulation": "roundworks sim aegis128-to2",
    "synthesis": "roundworks synth aegis128-to2",
    "power": "roundworks power aegis128-to2 --netlist to2.v",
    "estimate": "roundworks hw-estimate --words 9 --inputs 3",
    "fpga": "roundworks fpga aes-iterative",
    "gpu": "roundworks gpu",
    "random": "tools/random_ciphers.py --results results",
    "generation": "roundworks generate aether",
    "trial": "roundworks trials",
    "fuzz": "make fuzz",
}

_ENDS = re.compile(r"(?<=[^.]\.) +(?=[A-Z0-9(])")  # where a sentence ends and another begins
_SHOWN = 8  # commands that are listed
_AXES = 60  # pixels of an axis with its title, and of one line of a legend


@dataclass(frozen=True)
class Figure:
    """A chart in its place: without rows, `chart` is None and `maker` states how to get some.

    It may stand on several pages, and becomes JSON once.
    """

    name: str
    title: str
    sentence: str
    caption: Markup
    chart: Any
    maker: str

    @property
    def finding(self) -> str:
        """What the chart shows: the first sentence, for its heading."""
        return _ENDS.split(self.sentence, maxsplit=1)[0].removesuffix(".")

    @property
    def further(self) -> str:
        """The other sentences."""
        return " ".join(_ENDS.split(self.sentence, maxsplit=1)[1:])

    @property
    def height(self) -> int:
        """Pixels that the page keeps free for it, so that nothing moves when it is drawn."""
        return (self.chart.height if isinstance(getattr(self.chart, "height", None), int) else 300) + _AXES

    @cached_property
    def json(self) -> Markup:
        """The chart for a script element."""
        return script_json(self.chart.to_dict(validate=False))


def script_json(data: Any) -> Markup:
    """JSON for a script element: no `<`, so nothing in the data can end the element."""
    return Markup(json.dumps(data, ensure_ascii=False, allow_nan=False).replace("<", "\\u003c"))


def on_machine(rows: Sequence[Row]) -> Markup:
    """``machine NAME``, or all of them."""
    names = sorted({row.machine for row in rows})
    shown = Markup(", ").join(Markup("<code>{}</code>").format(name) for name in names)
    return Markup("machine ") + shown


# Rows from then on were made by the process that builds the page.
SINCE: ContextVar[datetime | None] = ContextVar("since", default=None)


def is_new(row: Row) -> bool:
    """Whether the row was made by the process that builds the page."""
    since = SINCE.get()
    return since is not None and row.when >= since


def origin(rows: Sequence[Row]) -> str:
    """``computed now on this machine``, or ``stored: MACHINE, 20 November 2026, commit 3e0860c``."""
    old = [row for row in rows if not is_new(row)]
    if not old:
        return "computed now on this machine"
    days = sorted({row.time[:10] for row in old})
    ends = (date.fromisoformat(day) for day in dict.fromkeys((days[0], days[-1])))
    dates = " to ".join(f"{end:%-d %B %Y}" for end in ends)
    names = ", ".join(sorted({row.machine for row in old}))
    commits = list(dict.fromkeys(row.commit for row in old))
    made = f"commit {commits[0]}" if len(commits) == 1 else f"{len(commits)} commits"
    stored = f"stored: {names}, {dates}, {made}"
    if new := len(rows) - len(old):
        return f"{new} of {len(rows)} rows computed now on this machine, the others {stored}"
    return stored


def made_by(rows: Sequence[Row]) -> Markup:
    """Where the rows are from, and the commands that made them, folded: some are longer than the text."""
    distinct = list(dict.fromkeys(row.command for row in rows))
    shown = Markup("").join(Markup("<li><code>{}</code></li>").format(c) for c in distinct[:_SHOWN])
    more = Markup("<li>{} more of the kind</li>").format(len(distinct) - _SHOWN) if distinct[_SHOWN:] else ""
    words = "the command" if len(distinct) == 1 else f"the {len(distinct)} commands"
    said = origin(rows)
    return Markup('{}. <details class="made"><summary>Made by {}</summary><ul>{}{}</ul></details>').format(
        said[:1].upper() + said[1:], words, shown, more
    )


def in_words(rows: Sequence[Row]) -> str:
    """The certainties of the rows, in words."""
    return ", ".join(sorted({CERTAINTY[row["certainty"]] for row in rows}))
