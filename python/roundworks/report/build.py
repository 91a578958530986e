"""Write the site: every page of rows and spec, and next to them what pages load when a reader wants it."""

import contextlib
import functools
import gc
import json
import os
import shutil
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from importlib import metadata
from pathlib import Path
from typing import Any

import altair as alt
import itables
import jinja2
import vl_convert
from altair.utils.schemapi import debug_mode
from markupsafe import Markup

from roundworks import cache
from roundworks.bounds import CERTAINTY
from roundworks.report import values
from roundworks.report.context import context
from roundworks.report.counts import at_least
from roundworks.report.frame import SINCE, is_new, made_by, origin
from roundworks.report.glance import glance
from roundworks.report.overview import moved
from roundworks.report.race import outcome
from roundworks.report.site import GROUPS, Page, Rendered, finish, linked, pages, places, tooled
from roundworks.rows import Store

_TEMPLATES = Path(__file__).parent / "templates"
_BUNDLE = Path(itables.__file__).parent / "html" / "dt_bundle.js"
_OWN = ("style.css", "page.js", "charts.js", "tables.js")
_LIST = "files.json"


def build(store: Store, out: Path, since: datetime | None = None) -> Path:
    """Write the report.

    Parameters
    ----------
    store : Store
        Where the rows are; all are validated on reading.
    out : Path
        The folder to write the pages into. Earlier pages stay whole until all new ones are
        complete; what an earlier report wrote and this one did not is then removed, and nothing else.
    since : datetime, optional
        Rows from then on are said to be computed now, on this machine; all others are stored.

    Returns
    -------
    Path
        The first page, ``index.html``.

    Raises
    ------
    RowError
        A line under the store's folder is not a valid row.
    RoundworksError
        ``dot: program not found on PATH; install Graphviz, for example apt install graphviz``
    """
    before = SINCE.set(since)
    try:
        # Altair checks every chart many times over; a test does so once, for each.
        with debug_mode(False), _keeping_all():
            files = dict(_files(store))
    finally:
        SINCE.reset(before)
    out.mkdir(parents=True, exist_ok=True)
    listed = out / "data" / _LIST
    earlier = json.loads(listed.read_text(encoding="utf-8")) if listed.is_file() else []
    new = out / f".new.{os.getpid()}"
    try:
        for name, text in files.items():
            (new / name).parent.mkdir(parents=True, exist_ok=True)
            (new / name).write_text(text, encoding="utf-8")
        for name in sorted(files, key=lambda name: name == "index.html"):  # the way in comes last
            (out / name).parent.mkdir(parents=True, exist_ok=True)
            (new / name).replace(out / name)
    finally:
        shutil.rmtree(new, ignore_errors=True)
    for name in earlier:
        if name not in files and ".." not in Path(name).parts:
            (out / name).unlink(missing_ok=True)
    return out / "index.html"


@contextlib.contextmanager
def _keeping_all() -> Iterator[None]:
    """Without the collector of cycles, which would walk over all rows again and again and find nothing."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()


def _files(store: Store) -> Iterator[tuple[str, str]]:
    """Name and content of each file of the site."""
    environment, found = _environment(), context(store)
    found["m"] = environment.get_template("macros.html").module
    listed = list(pages(found))
    found["titles"] = {page.file: page.title for page in listed}
    rendered = []
    for page in listed:
        here = found | {"page": page, "machine": page.machine, **page.more}
        rendered.append(finish(page, environment.get_template(page.template).render(here)))
    where = places(rendered)
    layout = environment.get_template("layout.html")
    names = []
    for each in rendered:
        names.append(each.page.file)
        title, end, body = linked(each, where).partition("</h1>")
        yield (
            each.page.file,
            layout.render(
                found,
                page=each.page,
                title=Markup(title + end),
                body=Markup(body),
                toc=[heading for heading in each.headings if heading.level == 2],
                groups=_navigation(listed),
            ),
        )
    deferred = dict(found["deferred"])
    for machine, rows in found["benches"].items():
        table = environment.get_template("workloads.html").render(found, own=rows)
        deferred[f"workloads-{values.slug(machine)}"] = tooled(table)
    data = {f"data/{name}.js": _deferred(name, text) for name, text in deferred.items()}
    data["data/site.js"] = f"roundworks.site({_json(_index(rendered, where))});\n"
    data["data/vega.js"] = _vega()
    data["data/datatables.js"] = f"roundworks.tables({_json(_BUNDLE.read_text(encoding='utf-8'))});\n"
    for name in _OWN:
        data[f"data/{name}"] = (_TEMPLATES / name).read_text(encoding="utf-8")
    names += [*data, f"data/{_LIST}"]
    yield from data.items()
    yield f"data/{_LIST}", json.dumps(sorted(names), indent=0) + "\n"


def _navigation(listed: Sequence[Page]) -> list[tuple[str, list[Page]]]:
    return [(group, [p for p in listed if p.group == group and p.is_listed]) for group in GROUPS]


def _deferred(name: str, text: str) -> str:
    return f"roundworks.place({_json(name)}, {_json(text)});\n"


def _index(rendered: Sequence[Rendered], where: Mapping[str, str]) -> dict[str, Any]:
    """For the search and for links to the one page that the report once was."""
    entries = [
        (heading.text, f"{each.page.file}#{heading.anchor}", each.page.title, heading.words)
        for each in rendered
        if not each.page.base
        for heading in each.headings
    ]
    return {"anchors": where, "entries": entries}


def _json(data: Any) -> str:
    return json.dumps(data, ensure_ascii=False)


@functools.cache
def _vega() -> str:
    version = ".".join(alt.SCHEMA_VERSION.removeprefix("v").split(".")[:2])
    made = {"vega-lite": version, "vl-convert": metadata.version("vl-convert-python")}
    kept = cache.home("report") / f"vega-{cache.key((), made)}.js"
    if not kept.is_file():  # seconds
        cache.write_text(kept, vl_convert.javascript_bundle(vl_version=version))  # type: ignore[call-arg]
    return kept.read_text(encoding="utf-8")


@functools.cache
def _environment() -> jinja2.Environment:
    compiled = cache.home("report") / "templates"
    compiled.mkdir(parents=True, exist_ok=True)
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(_TEMPLATES),
        bytecode_cache=jinja2.FileSystemBytecodeCache(str(compiled)),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {
        "show": values.show,
        "number": values.number,
        "seconds": values.seconds,
        "data_size": values.data_size,
        "brief": values.brief,
        "short": values.short,
        "natural": values.natural,
        "slug": values.slug,
        "unit": values.unit,
        "pivot": values.pivot,
        "moved": moved,
        "marked": values.marked,
        "glance": glance,
        "outcome": outcome,
        "at_least": at_least,
        "certain": CERTAINTY.__getitem__,
        "commands": made_by,
        "origin": origin,
        "every_new": lambda rows: all(map(is_new, rows)),
        "day": lambda text: datetime.fromisoformat(text).strftime("%-d %B %Y"),
        "raw": lambda value: json.dumps(value, ensure_ascii=False),
    }
    return environment
