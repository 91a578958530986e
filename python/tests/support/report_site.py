"""The text of a report, whatever page it is on."""

from pathlib import Path


def pages_of(index: Path) -> list[Path]:
    """Its pages, the first one first."""
    return [index, *sorted(page for page in index.parent.glob("*.html") if page != index)]


def distinct(index: Path) -> list[Path]:
    """Its pages, with one of all those that show a cipher."""
    return [p for p in pages_of(index) if not p.name.startswith("cipher-") or p.name == "cipher-aether.html"]


def text_of(index: Path) -> str:
    """All pages, and what they load when a reader comes to it."""
    deferred = sorted(
        path
        for pattern in ("drawing-*.js", "workloads-*.js")
        for path in (index.parent / "data").glob(pattern)
    )
    return "\n".join(path.read_text(encoding="utf-8") for path in (*pages_of(index), *deferred))
