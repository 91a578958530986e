"""Graphviz drawings as inline SVG that takes its colours from the page."""

import contextlib
import functools
import re
import xml.etree.ElementTree as ET
from dataclasses import dataclass

import graphviz  # type: ignore[import-untyped]
from markupsafe import Markup

from roundworks import cache
from roundworks.errors import RoundworksError
from roundworks.report.values import slug
from roundworks.rows import DrawingRow

_SVG = "http://www.w3.org/2000/svg"
_XLINK = "http://www.w3.org/1999/xlink"

_HEAVY = 16_000  # characters from which on a drawing is a file of its own, loaded when it comes into view


@dataclass(frozen=True, slots=True)
class Drawn:
    """A row with its drawing."""

    row: DrawingRow
    svg: Markup

    @property
    def name(self) -> str:
        """The name of its file and of its place."""
        return f"drawing-{slug(self.row.cipher)}-{slug(self.row.title)}"

    @property
    def is_heavy(self) -> bool:
        """Whether the page leaves it out until a reader comes to it."""
        return len(self.svg) > _HEAVY

    @property
    def size(self) -> str:
        """Its natural width and its proportions, as CSS, to keep its space free."""
        return ET.fromstring(self.svg).get("style", "")


def drawing(dot: str, title: str) -> Markup:
    """Render dot to SVG. Black becomes currentColor and white the page's own background.

    Raises
    ------
    RoundworksError
        ``dot: program not found on PATH; install Graphviz, for example apt install graphviz``
    """
    kept = cache.home("report") / f"dot-{cache.key((), {'dot': dot, 'version': _version()})}.svg"
    if not kept.is_file():
        cache.write_text(kept, _svg(dot, title))
    root = ET.fromstring(kept.read_text(encoding="utf-8"))
    for element in root.iter():
        _theme(element)
    width, height = (float(re.sub("[a-z]+$", "", root.attrib.pop(k))) for k in ("width", "height"))
    # Points become CSS pixels at 4/3; the page's zoom buttons scale this natural width.
    root.set("style", f"--natural:{width * 4 / 3:.0f}px;aspect-ratio:{width}/{height}")
    root.set("role", "img")
    root.set("aria-label", title)
    ET.register_namespace("", _SVG)
    return Markup(ET.tostring(root, encoding="unicode"))


@functools.cache
def _version() -> str:
    """Of dot, whose drawings are kept; there may be none any more that drew them."""
    with contextlib.suppress(graphviz.ExecutableNotFound, graphviz.CalledProcessError):
        return ".".join(map(str, graphviz.version()))
    return "none"


def _svg(dot: str, title: str) -> str:
    try:
        return graphviz.pipe("dot", "svg", dot.encode(), quiet=True).decode()  # type: ignore[no-any-return]
    except graphviz.ExecutableNotFound:
        raise RoundworksError(
            "dot: program not found on PATH; install Graphviz, for example apt install graphviz"
        ) from None
    except graphviz.CalledProcessError as error:
        said = (error.stderr or b"").decode(errors="replace").strip().replace("\n", "; ")
        raise RoundworksError(f"drawing {title!r}: dot refused it: {said}") from None


def _theme(element: ET.Element) -> None:
    # Two drawings on one page would share ids such as node1; nothing here refers to them.
    element.attrib.pop("id", None)
    for paint in ("fill", "stroke"):
        colour = element.get(paint)
        if colour == "black":
            element.set(paint, "currentColor")
        elif colour in ("white", "transparent"):
            element.set(paint, "var(--bg)" if colour == "white" else "none")
    if element.tag == f"{{{_SVG}}}text":
        element.attrib.setdefault("fill", "currentColor")
        element.attrib.pop("font-family", None)
    # A title is what a mouse shows on hover: dot writes node names there, of no use to a reader.
    for child in list(element):
        if child.tag == f"{{{_SVG}}}title":
            element.remove(child)
    target = element.attrib.pop(f"{{{_XLINK}}}href", None)
    if target and target.startswith("#"):
        element.set("href", target)
