"""Lock files hold no download addresses, and no tracked file names a path of one machine.

Cargo.lock names the public registry, which is part of a crate's identity to cargo, and no other.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# A home or scratch directory in a committed file is somebody's machine.
LOCAL_PATH = re.compile(r"(?<![\w./-])/(?:home|root|work|Users|tmp)/[\w.-]+")
ADDRESS = re.compile(r"https?://|--index-url|--find-links|--extra-index-url")
REGISTRY = 'source = "registry+https://github.com/rust-lang/crates.io-index"'


def main() -> int:
    listed = subprocess.run(
        ["git", "ls-files"], cwd=ROOT, check=True, capture_output=True, text=True
    ).stdout.splitlines()
    problems = []
    for name in listed:
        path = ROOT / name
        if not path.is_file():
            continue
        try:
            lines = path.read_text().splitlines()
        except UnicodeDecodeError:
            problems.append(f"{name}: a binary file; keep sources and data only")
            continue
        for number, line in enumerate(lines, 1):
            if name.startswith("requirements/") and ADDRESS.search(line):
                problems.append(f"{name}:{number}: a download address")
            if name.endswith("Cargo.lock") and "://" in line and line != REGISTRY:
                problems.append(f"{name}:{number}: a source other than the public registry")
            if LOCAL_PATH.search(line):
                problems.append(f"{name}:{number}: a path of one machine")
    for problem in problems:
        print(f"words: {problem}", file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
