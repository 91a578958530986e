"""No address in lock files, no path of one machine in a tracked file, and the words of tools/words.toml.

Cargo.lock names the public registry, which is part of a crate's identity to cargo, and no other.
"""

from __future__ import annotations

import gzip
import re
import sqlite3
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
# A home or scratch directory in a committed file is somebody's machine.
LOCAL_PATH = re.compile(r"(?<![\w./-])/(?:home|root|work|Users|tmp)/[\w.-]+")
ADDRESS = re.compile(r"https?://|--index-url|--find-links|--extra-index-url")
REGISTRY = 'source = "registry+https://github.com/rust-lang/crates.io-index"'
CODE = re.compile(r"<!-- generated: .*?<!-- end -->|```.*?```|`[^`\n]*`", re.S)
LIST = Path("tools") / "words.toml"


def place_problems(name: str, lines: list[str]) -> Iterator[str]:
    """Addresses of downloads, sources of packages and paths of one machine, by line."""
    for number, line in enumerate(lines, 1):
        if name.startswith("requirements/") and ADDRESS.search(line):
            yield f"{name}:{number}: a download address"
        if name.endswith("Cargo.lock") and "://" in line and line != REGISTRY:
            yield f"{name}:{number}: a source other than the public registry"
        if LOCAL_PATH.search(line):
            yield f"{name}:{number}: a path of one machine"


class Style:
    """The words of the style list, and the files that it covers."""

    def __init__(self, listed: dict[str, Any]) -> None:
        self.words = [
            (re.compile(word["pattern"]), word["say"], word.get("suffix", "")) for word in listed["words"]
        ]
        self.any = re.compile("|".join(f"(?:{word['pattern']})" for word in listed["words"]))
        self.allowed = re.compile("|".join(f"(?:{each['phrase']})" for each in listed["allowed"]))
        self.exempt = tuple(listed["scope"]["except"])
        self.suffixes = frozenset(listed["scope"]["suffixes"])

    def covers(self, name: str) -> bool:
        """Whether the list holds in the file of that name."""
        return Path(name).suffix in self.suffixes and not name.startswith(self.exempt)

    def problems(self, name: str, lines: list[str]) -> Iterator[str]:
        """Place, word and standard term. Documents quote code, which is covered where it is defined."""
        if name.endswith(".md"):
            text = CODE.sub(lambda code: "\n" * code[0].count("\n"), "\n".join(lines))
            lines = text.splitlines()
        for number, line in enumerate(lines, 1):
            plain = line.lower().replace("_", " ")
            if not self.any.search(plain):
                continue
            plain = self.allowed.sub(" ", plain)
            for pattern, say, suffix in self.words:
                if name.endswith(suffix) and (match := pattern.search(plain)):
                    yield f"{name}:{number}: {match[0].strip()!r}: say {say}"


def lines_of(file: Path) -> list[str]:
    """Of a ledger the statements of SQL that make it again; of compressed rows the rows."""
    if file.suffix == ".sqlite" and file.parent.name == "ledgers":
        with closing(sqlite3.connect(f"{file.as_uri()}?immutable=1", uri=True)) as ledger:
            return list(ledger.iterdump())
    if file.name.endswith(".jsonl.gz"):
        return gzip.decompress(file.read_bytes()).decode().splitlines()
    return file.read_text(encoding="utf-8").splitlines()


def main() -> int:
    """Prints the words and places that must not be in the tree; 1 if there are any."""
    command = ["git", "ls-files"]
    listed = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout.splitlines()
    path = ROOT / LIST
    style = Style(tomllib.loads(path.read_text(encoding="utf-8"))) if path.is_file() else None
    problems: list[str] = []
    for name in listed:
        if not (ROOT / name).is_file():
            continue
        try:
            lines = lines_of(ROOT / name)
        except UnicodeDecodeError:
            problems.append(f"{name}: a binary file; keep sources and data only")
            continue
        problems += place_problems(name, lines)
        if style and style.covers(name):
            problems += style.problems(name, lines)
    for problem in problems:
        print(f"words: {problem}", file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
