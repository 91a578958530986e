"""Every citation in code and data names an entry of spec/bibliography.toml."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# `[KEY, table 7]`, or `[AETHER-TCHES]` alone: a key that could be nothing else.
PLACES = "section|sections|equation|table|tables|figure|appendix|algorithm|abstract|page|chapter"
CITATION = re.compile(
    rf"\[([A-Z][A-Z0-9-]{{2,}}), (?:{PLACES})\b[^\]\n]*\]|\[([A-Z]{{2,}}[0-9]*-[A-Z0-9]{{2,}}[A-Z0-9-]*)\]"
)
SUFFIXES = {".py", ".pyi", ".rs", ".md", ".toml", ".json", ".hpp", ".cpp", ".cu"}


def main() -> int:
    """Prints citations of unknown keys; 1 if there are any."""
    with (ROOT / "spec" / "bibliography.toml").open("rb") as file:
        known = set(tomllib.load(file))
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    ).stdout.splitlines()
    used: set[str] = set()
    problems = 0
    for name in listed:
        path = ROOT / name
        if path.suffix not in SUFFIXES or name.startswith(("results/", "requirements/")):
            continue
        if not path.is_file():
            continue
        for number, line in enumerate(path.read_text(errors="replace").splitlines(), 1):
            for match in CITATION.finditer(line):
                key = match[1] or match[2]
                if key == "KEY":  # the form itself, as this line has it
                    continue
                used.add(key)
                if key not in known:
                    print(
                        f"citations: {name}:{number}: [{key}]: not in spec/bibliography.toml", file=sys.stderr
                    )
                    problems += 1
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
