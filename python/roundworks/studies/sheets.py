"""Everything known of one cipher or permutation: a page that shows itself, and one row."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import jinja2
from markupsafe import Markup, escape

from ..errors import RoundworksError, unknown
from ..reference import Roundwise, record_round
from ..report.export import latex_text
from ..rows import BenchRow, BoundRow, DrawingRow, PermutationRow, Row, Store
from . import sheet_code, sheet_security
from .ciphers import describe
from .described import described
from .result import Table, text_of

FORMATS = {"markdown": "md", "html": "html", "latex": "tex", "json": "json"}
_COMMAND = re.compile(r"`([^`]+)`")
_TEMPLATES = {"markdown": "sheet.md", "html": "sheet.html", "latex": "sheet.tex"}


@dataclass(frozen=True, slots=True)
class Section:
    """A heading with lines of text, preformatted lines, and tables under it."""

    title: str
    tables: tuple[Table, ...] = ()
    notes: tuple[str, ...] = ()
    code: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Sheet:
    """The page. ``line`` is the cipher in one row, ``rows`` what was computed, for ``Store().append``."""

    name: str
    line: dict[str, Any]
    sections: tuple[Section, ...]
    drawings: tuple[DrawingRow, ...]
    rows: tuple[Row, ...]

    def text(self, form: str = "markdown") -> str:
        """The page in one of `FORMATS`.

        Raises
        ------
        UnknownName
            ``format 'pdf': not known; one of markdown, html, latex, json``
        RoundworksError
            Graphviz is missing, of HTML.
        """
        if form == "json":
            return _json(self)
        if form not in _TEMPLATES:
            raise unknown("format", form, FORMATS)
        template = _environment(form == "html").get_template(_TEMPLATES[form])
        if form != "html":
            return template.render(sheet=self)
        from ..report.drawings import drawing

        drawn = [(row, drawing(row.dot, row.title)) for row in self.drawings]
        return template.render(sheet=self, drawn=drawn, css=_css())

    def _repr_html_(self) -> str:
        return self.text("html")


def sheet(
    cipher: str | Path | Roundwise,
    *,
    full: bool = False,
    store: Store | None = None,
    report: Callable[[str], None] = lambda stage: None,
) -> Sheet:
    """Everything known of a cipher or permutation.

    Stored rows of the catalogue are shown where there are any. What has none, and a file, is computed:
    the audit, word-wise bounds, bounds by a solver for a few seconds, and the speed of a file's generated code.

    Parameters
    ----------
    full : bool
        Compute everything again, with minutes for each bound by a solver.
    store : Store, optional
        Where the stored rows are.
    report
        Called with each stage as it begins.

    Raises
    ------
    UnknownName, DescriptionError
    """
    it, words = described(cipher)
    file = Path(str(cipher)) if words[0] == "--file" else None
    report("description")
    about = describe(cipher)
    known = (store or Store()).read()
    # A file may have changed since its rows were stored: of it everything is computed.
    own = known if file is None else []
    recording = record_round(it)
    parts = [Section("Description", code=about.notes)]
    report("components")
    parts.append(Section("S-boxes and matrices", *sheet_security.components(recording)))
    computed: list[Row] = [*about.rows]
    report("audit")
    audited = sheet_security.audited(cipher, it, own, full=full)
    parts.append(Section("Audit", audited.tables, audited.notes))
    computed += audited.rows
    report("bounds")
    bounded = sheet_security.bounded(
        cipher,
        it,
        own,
        units=bool(recording.graph.units),
        sboxes=any(node.op == "sub" for node in recording.graph.nodes),
        full=full,
        report=report,
    )
    parts.append(Section("Bounds", bounded.tables, bounded.notes))
    computed += bounded.rows
    report("generated code")
    parts.append(Section("Generated code", *_or_why(lambda: sheet_code.generated(it))))
    report("machine code")
    proven, proofs = sheet_code.proven(it, file, known)
    parts.append(Section("Machine code", *proven))
    computed += proofs if file else ()
    report("cycle model")
    modelled, rows = sheet_code.modelled(cipher)
    parts.append(Section("Cycle model", *modelled))
    computed += rows
    new: tuple[BenchRow | PermutationRow, ...] = ()
    if file is None:
        measured = sheet_code.measured(it.name, known)
    else:
        report("speed")
        measured, new = sheet_code.timed(it, file)
        computed += new
    parts.append(Section("Measured speed", *measured))
    parts.append(Section("Hardware", *sheet_code.hardware(it, known)))
    report("catalogue")
    bounds = [row for row in (*known, *computed) if isinstance(row, BoundRow)]
    lines, note = sheet_code.compared(it, bounds, known, new)
    parts.append(
        Section(
            "Next to the catalogue", (Table("", tuple(lines[0]), _values(lines)),), (note,) if note else ()
        )
    )
    return Sheet(it.name, lines[0], tuple(parts), about.rows, tuple(computed))


def _or_why(
    make: Callable[[], tuple[tuple[Table, ...], tuple[str, ...]]],
) -> tuple[tuple[Table, ...], tuple[str, ...]]:
    """What does not apply to a description says why in one line."""
    try:
        return make()
    except (RoundworksError, ImportError) as error:
        return (), (f"not available: {error}",)


def _values(lines: Sequence[dict[str, Any]]) -> tuple[tuple[object, ...], ...]:
    return tuple(tuple(line.values()) for line in lines)


def _json(page: Sheet) -> str:
    sections = [
        {
            "title": one.title,
            "notes": one.notes,
            "code": one.code,
            "tables": [{"title": t.title, "columns": t.columns, "lines": t.lines} for t in one.tables],
        }
        for one in page.sections
    ]
    drawings = [{"title": row.title, "dot": row.dot} for row in page.drawings]
    whole = {"name": page.name, "row": page.line, "sections": sections, "drawings": drawings}
    return json.dumps(whole, ensure_ascii=False, indent=1, allow_nan=False) + "\n"


def latex(value: object) -> str:
    """Text with every special character of LaTeX escaped, spaces at its beginning kept, and commands in their type."""
    text = latex_text(text_of(value))
    spaces = len(text) - len(text.lstrip(" "))
    return "\\ " * spaces + _COMMAND.sub(r"\\texttt{\1}", text[spaces:])


def _html(note: Any) -> Markup:
    return Markup(_COMMAND.sub(r"<code>\1</code>", str(escape(note))))


def _css() -> Markup:
    loader = jinja2.PackageLoader("roundworks.report", "templates")
    return Markup(loader.get_source(_environment(True), "style.css")[0])


@cache
def _environment(escaped: bool) -> jinja2.Environment:
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("roundworks.report", "templates"),
        autoescape=escaped,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {
        "show": text_of,
        "tex": latex,
        "md": lambda value: text_of(value).replace("|", r"\|").replace("\n", " "),
        "html": _html,
        "table_html": lambda table: Markup(table._repr_html_()),
    }
    return environment
