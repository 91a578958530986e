"""Every link of the built site leads to a page and an anchor that exist, and no page loads anything from a network.

python tools/site/check.py build/docs
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

# Attributes that a browser follows by itself. A link that a reader follows may lead to the network.
LOADED = {"script": "src", "img": "src", "link": "href", "iframe": "src", "source": "src", "use": "href"}
UNLOADED_RELATIONS = {"canonical", "prev", "next", "alternate", "author"}
CSS_ADDRESS = re.compile(r"url\(\s*['\"]?([^'\")]+)|@import\s+['\"]([^'\"]+)")


class Links(HTMLParser):
    """Anchors of a page, the links in it, and the addresses that it loads."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.anchors: set[str] = set()
        self.links: list[str] = []
        self.loads: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Notes the anchor, the link and the loaded address of a tag."""
        values = {key: value for key, value in attrs if value is not None}
        self.anchors.update(values[key] for key in ("id", "name") if key in values)
        if tag == "a" and "href" in values:
            self.links.append(values["href"])
        elif tag in LOADED and LOADED[tag] in values and values.get("rel") not in UNLOADED_RELATIONS:
            self.loads.append(values[LOADED[tag]])


def problems(site: Path) -> Iterator[str]:
    """Broken links and anchors of a site, and addresses from which its pages load."""
    pages = {path: Links(path.read_text(encoding="utf-8")) for path in sorted(site.rglob("*.html"))}
    for path, page in pages.items():
        name = path.relative_to(site)
        for address in page.loads:
            if remote(address):
                yield f"{name}: loads {address}"
        # rustdoc checks the links of its own pages.
        for address in page.loads if name.parts[0] == "rust" else [*page.links, *page.loads]:
            if remote(address) or address.startswith(("javascript:", "data:")):
                continue
            parts = urlsplit(address)
            target = path if not parts.path else Path(os.path.normpath(path.parent / unquote(parts.path)))
            if target.is_dir():
                target /= "index.html"
            if not target.is_file():
                yield f"{name}: {address}: no such file"
            elif parts.fragment and target in pages and unquote(parts.fragment) not in pages[target].anchors:
                yield f"{name}: {address}: no such anchor"
    for path in site.rglob("*.css"):
        for match in CSS_ADDRESS.finditer(path.read_text(encoding="utf-8")):
            if remote(match[1] or match[2]):
                yield f"{path.relative_to(site)}: loads {match[1] or match[2]}"


def remote(address: str) -> bool:
    """Whether an address is on another machine, or of mail."""
    return bool(re.match(r"(?:https?:)?//|mailto:", address))


def main() -> int:
    """Prints the broken links of the site in the folder given; 1 if there are any, or no pages."""
    site = Path(sys.argv[1]).resolve()
    count = len(list(site.rglob("*.html")))
    broken = list(problems(site))
    for problem in broken:
        print(f"site: {problem}", file=sys.stderr)
    print(f"site: {count} pages in {sys.argv[1]}, {len(broken)} broken links")
    return 1 if broken or not count else 0


if __name__ == "__main__":
    sys.exit(main())
