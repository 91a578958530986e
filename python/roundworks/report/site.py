"""The pages of the site: which there are, what each shows, and the links between them."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from markupsafe import Markup, escape

from roundworks import spec
from roundworks.report.hardware_ciphers import is_core_of
from roundworks.report.values import slug

GROUPS = ("Findings", "Papers", "Ciphers", "Speed", "Security", "Hardware", "Method")
# Which figures go with which paper, by the name in the context or of the figure.
PAPER_FIGURES = {
    "aether": ("growth", "search"),
    "aesni-permutations": ("cycles",),
    "minalpher-gpu": ("blocks", "parts", "sizes"),
    "aegis128-accelerator": ("area-aegis",),
    "aes-hardware": ("area-aes",),
}
# Pages that go further than a paper's own cells.
PAPER_PAGES = {
    "aether": ("cipher-aether.html", "search.html", "hardware-aether.html", "bounds.html"),
    "aesni-permutations": ("permutations.html", "cycles.html", "sboxes.html"),
    "minalpher-gpu": ("gpu.html", "cipher-minalpher.html"),
    "aegis128-accelerator": ("hardware.html", "cores.html", "cipher-aegis-128.html"),
    "aes-hardware": ("hardware.html", "cores.html"),
}
_HEADING = re.compile(r"<h([1-4])((?: [^>]*)?)>(.*?)</h\1>", re.S)
_TOPIC = re.compile(r'<span class="topic">(.*?)</span>', re.S)
_HEADING_END = re.compile(r"</h[1-4]>")
_TAG = re.compile(r"<[^>]*>")
_UNSEEN = re.compile(r"<(script|svg|button)\b.*?</\1>", re.S)
_WORD = re.compile(r"[a-zµ][\w.+-]*\w")
_DATA = re.compile(r"[0-9a-f]{12,}")
_ID = re.compile(r' id="([^"]+)"')
_LINK = re.compile(r' href="#([^"]*)"')
_TABLE = re.compile(r'<table class="sortable" data-table="([^"]*)">.*?</table>', re.S)
_LONG = 12  # rows from which on a table has a filter


@dataclass(frozen=True, slots=True)
class Page:
    """One file of the site. `machine` is the one it shows, `base` the page of the default machine.

    `others` are all machines that have such a page, that one first: name, core of its CPU, file.
    """

    file: str
    title: str
    group: str
    template: str
    more: Mapping[str, Any] = field(default_factory=dict)
    machine: str = ""
    base: str = ""
    short: str = ""
    others: tuple[tuple[str, str, str], ...] = ()

    @property
    def name(self) -> str:
        """As the navigation has it."""
        return self.short or self.title

    @property
    def is_listed(self) -> bool:
        """Whether the navigation names it: not for each cipher and each machine."""
        return not self.base and not self.file.startswith("cipher-")


@dataclass(frozen=True, slots=True)
class Heading:
    """A place on a page that links and the search may lead to."""

    level: int
    anchor: str
    text: str
    words: str = ""  # of the text below it, each once, for the search


@dataclass(frozen=True, slots=True)
class Rendered:
    """The inside of a page, with its headings and everything that a link may name."""

    page: Page
    body: str
    headings: tuple[Heading, ...]
    anchors: frozenset[str]


def pages(found: Mapping[str, Any]) -> Iterator[Page]:
    """All pages, in the order of the navigation; `found` is the context of all of them."""
    yield Page("index.html", "What was found", "Findings", "index.html")
    for paper in found["papers"]:
        figures = [f for f in _figures(found) if f.name in PAPER_FIGURES.get(paper.key, ())]
        more = {"paper": paper, "figures": figures, "further": PAPER_PAGES.get(paper.key, ())}
        yield Page(
            f"paper-{paper.key}.html",
            paper.title,
            "Papers",
            "paper.html",
            more,
            short=paper.cite or paper.key,
        )
    yield from _by_machine("ciphers", "All ciphers", "Ciphers", found, "matrices")
    yield from _by_machine("compare", "Compare", "Ciphers", found, "choices")
    for name in cipher_names(found):
        yield Page(f"cipher-{name}.html", name, "Ciphers", "cipher.html", _cipher(name, found))
    yield from _by_machine("speed", "Software speed", "Speed", found, "benches")
    yield from _by_machine("generated", "Generated code", "Speed", found, "generated")
    yield from _by_machine("permutations", "Permutations", "Speed", found, "permutations")
    yield Page("cycles.html", "Cycle model", "Speed", "cycles.html")
    yield Page("gpu.html", "GPU", "Speed", "gpu.html")
    yield Page("bounds.html", "Word-wise bounds", "Security", "bounds.html")
    yield Page("sboxes.html", "Active S-boxes", "Security", "sboxes.html")
    yield Page("trails.html", "Trails", "Security", "trails.html")
    yield Page("published.html", "Published figures", "Security", "published.html")
    yield from _by_machine("solvers", "Solver race", "Security", found, "races")
    yield Page("search.html", "Design-space search", "Security", "search.html")
    yield Page("designs.html", "Designs", "Security", "designs.html")
    yield Page("hardware.html", "Goals and areas", "Hardware", "hardware.html")
    for library in found["hardware"].libraries:
        more = {"l": library, "figures": [f for f in _figures(found) if f.name.endswith(f"-{library.name}")]}
        yield Page(f"library-{slug(library.name)}.html", library.name, "Hardware", "library.html", more)
    yield Page("hardware-aether.html", "Ciphers in hardware", "Hardware", "hardware_tables.html")
    yield Page("cores.html", "Cores", "Hardware", "cores.html")
    yield Page("trust.html", "How far can you trust this", "Method", "trust.html", short="Trust")
    yield Page("method.html", "How this was made", "Method", "method.html")


def _by_machine(stem: str, title: str, group: str, found: Mapping[str, Any], key: str) -> Iterator[Page]:
    """A page for each machine that has something to show; the default's has the short name."""
    machines = sorted(found[key], key=lambda name: name != found["default"])
    first = machines[0] if machines else ""
    files = {m: f"{stem}.html" if m == first else f"{stem}-{slug(m)}.html" for m in machines}
    others = tuple((m, spec.profile_of(found["machines"].get(m, {})).title, files[m]) for m in machines)
    yield Page(f"{stem}.html", title, group, f"{stem}.html", machine=first, others=others)
    for machine in machines:
        if machine != first:
            here = f"{title}, {machine}"
            base, template = f"{stem}.html", f"{stem}.html"
            yield Page(files[machine], here, group, template, machine=machine, base=base, others=others)


def _figures(found: Mapping[str, Any]) -> list[Any]:
    hardware, gpu = found["hardware"], found["gpu"]
    return [
        found["growth"],
        found["search_space"],
        found["cycles"].figure,
        *(gpu.blocks, gpu.parts, gpu.sizes),
        *hardware.areas,
        *hardware.energies,
        *found["compared_figures"],
    ]


def cipher_names(found: Mapping[str, Any]) -> list[str]:
    """The ciphers of the specification, then those that only a drawing or an audit has."""
    known = [facts.name for facts in spec.ciphers()]
    drawn = [each.row.cipher for each in found["drawings"]]
    return list(dict.fromkeys([*known, *found["audits"], *drawn]))


def _cipher(name: str, found: Mapping[str, Any]) -> dict[str, Any]:
    facts = next((facts for facts in spec.ciphers() if facts.name == name), None)
    machine, proving = found["default"], found["proving"]
    ends = f"-rust-{name}"
    return {
        "name": name,
        "facts": facts,
        "drawn": [each for each in found["drawings"] if each.row.cipher == name],
        "findings": found["audits"].get(name, []),
        "own_bounds": by_rounds([r for r in (*found["bounds"], *proving.count_rows) if r["cipher"] == name]),
        "own_closed": [line for line in proving.closed if line.cipher == name],
        "own_speeds": [f for f in found["speeds"].get(machine, ()) if f.name.endswith(ends)],
        "own_ratios": [r for r in found["ratios"].get(machine, ()) if r.cipher == name],
        "own_netlists": [e for e in found["compared"].entries if is_core_of(e.core, name)],
        "machine": machine,
    }


def by_rounds(rows: Sequence[Any]) -> list[list[Any]]:
    """Bounds that differ in their rounds and value alone, together: a line of a table each."""
    lines: dict[tuple[Any, ...], list[Any]] = {}
    for row in rows:
        alike = ("measure", "view", "count", "side", "unit", "certainty")
        lines.setdefault(tuple(row.get(name) for name in alike), []).append(row)
    return [sorted(line, key=lambda row: row["rounds"] or 0) for line in lines.values()]


def finish(page: Page, body: str) -> Rendered:
    """Give every heading a place to link to, and every table of data its tools."""
    used: dict[str, int] = {}
    headings: list[Heading] = []

    def heading(match: re.Match[str]) -> str:
        attributes, inside = match[2], match[3]
        # A figure is below a section on one page and below the title on another: no level is left out.
        level = min(int(match[1]), headings[-1].level + 1 if headings else 1)
        topic = _TOPIC.search(inside)
        # What a figure shows changes with the rows: a link to it goes by its topic.
        name = " ".join(Markup(topic[1] if topic else inside).striptags().split())
        rest = " ".join(Markup(_TOPIC.sub("", inside)).striptags().split()) if topic else ""
        own = _ID.search(attributes)
        anchor = own[1] if own else _unused(slug(name) or "section", used, body)
        headings.append(Heading(level, anchor, name, words(rest)))
        given = attributes if own else f'{attributes} id="{anchor}"'
        return f"<h{level}{given}>{inside}</h{level}>"

    done = tooled(_HEADING.sub(heading, body))
    below = _HEADING_END.split(done)[1:]
    described = [
        replace(each, words=f"{each.words} {words(text)}".strip())
        for each, text in zip(headings, below, strict=True)
    ]
    return Rendered(page, done, tuple(described), frozenset(_ID.findall(done)))


def words(html: str) -> str:
    """The words of a text in lower case, each once; numbers, hex strings and what no one sees are left out."""
    plain = _TAG.sub(" ", _UNSEEN.sub(" ", html)).lower()
    return " ".join(dict.fromkeys(word for word in _WORD.findall(plain) if not _DATA.fullmatch(word)))


def _unused(name: str, used: dict[str, int], body: str) -> str:
    while True:
        used[name] = used.get(name, 0) + 1
        anchor = name if used[name] == 1 else f"{name}-{used[name]}"
        if f' id="{anchor}"' not in body:
            return anchor


def tooled(text: str) -> str:
    """Every table of data with a filter and buttons above it; they have their space from the start, or
    the text below would move."""
    return _TABLE.sub(_tooled, text)


def _tooled(match: re.Match[str]) -> str:
    search = '<label>Filter <input type="search"></label>' if match[0].count("<tr") > _LONG + 1 else ""
    formats = "".join(f'<button type="button">{name}</button>' for name in ("CSV", "Markdown", "LaTeX"))
    return f'<div class="table-tools">{search}<span>Copy as</span>{formats}</div>{match[0]}'


def places(rendered: Sequence[Rendered]) -> dict[str, str]:
    """Anchor -> the first page that has it: of pages for each machine, that of the default."""
    first: dict[str, str] = {}
    for each in sorted(rendered, key=lambda each: bool(each.page.base)):
        for anchor in sorted(each.anchors):
            first.setdefault(anchor, each.page.file)
    return first


def linked(each: Rendered, where: Mapping[str, str]) -> str:
    """The inside of a page, its links to anchors of other pages led there.

    Raises
    ------
    KeyError
        A template names an anchor that no page has.
    """

    def link(match: re.Match[str]) -> str:
        anchor = match[1]
        if not anchor or anchor in each.anchors:
            return match[0]
        return f' href="{where[anchor]}#{escape(anchor)}"'

    return _LINK.sub(link, each.body)
