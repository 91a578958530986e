"""The worked examples of CONTRIBUTING.md, applied to a copy of the checkout as a reader would."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from places import ROOT
from roundworks import _native

TEXT = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
STEP = re.compile(
    r"Create `(?P<new>[^`]+)`[^`\n]*(?:\n[^`\n]+)*:\n\n```\w*\n(?P<file>.*?)```"
    r"|In `(?P<old>[^`]+)`, (?P<how>after|before|instead of) the line\s`(?P<line>[^`]+)`,[^`]*(?:`[^`]+`[^`]*)*?:\n\n"
    r"```\w*\n(?P<lines>.*?)```"
    r"|```sh\n(?P<commands>.*?)```",
    re.S,
)

# In place of `make setup`, which would build the module of this checkout and not of the copy; not optimised, which
# takes a fifth of the time.
BUILD = f"""cargo build --quiet --locked -p roundworks-py --config profile.dev.package.roundworks.opt-level=0
cp $CARGO_TARGET_DIR/debug/libroundworks_py.so {Path("python/roundworks", Path(_native.__file__).name)}
"""


def steps(title: str) -> Iterator[re.Match[str]]:
    """What a reader does in one example, in order."""
    part = TEXT.split(f"### Worked example: {title}\n")[1].split("\n### ")[0].split("\n## ")[0]
    return STEP.finditer(part)


def edit(path: Path, how: str, line: str, lines: str) -> None:
    before, found, after = path.read_text(encoding="utf-8").partition(f"{line}\n")
    assert found, f"{path.name}: no line {line}"
    # The indentation of the line that is named belongs to it.
    indent = before.rpartition("\n")[2]
    assert not indent.strip(), f"{path.name}: {line} is not a whole line"
    before = before[: len(before) - len(indent)]
    middle = {"after": indent + found + lines, "before": lines + indent + found, "instead of": lines}[how]
    path.write_text(before + middle + after, encoding="utf-8")


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, check=True, capture_output=True, text=True).stdout
    for name in listed.splitlines():
        if (ROOT / name).exists() and not name.startswith("results/"):
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, tmp_path / name, follow_symlinks=False)
    shutil.copy(_native.__file__, tmp_path / "python" / "roundworks")
    (tmp_path / "results").symlink_to(ROOT / "results")
    (tmp_path / ".venv").symlink_to(ROOT / ".venv")
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    subprocess.run(["git", "add", "-A"], cwd=tmp_path, check=True)
    return tmp_path


def follow(title: str, checkout: Path) -> None:
    env = {**os.environ, "PYTHONPATH": str(checkout / "python"), "ROUNDWORKS_RESULTS": str(checkout / "rows")}
    # A package of the registry is compiled once; what is in the copy, again.
    env.setdefault("CARGO_TARGET_DIR", str(ROOT / "target"))
    done = 0
    for step in steps(title):
        if step["new"]:
            path = checkout / step["new"]
            path.parent.mkdir(exist_ok=True)
            path.write_text(step["file"], encoding="utf-8")
        elif step["old"]:
            edit(checkout / step["old"], step["how"], step["line"], step["lines"])
        else:
            ran = subprocess.run(
                ["bash", "-euc", step["commands"].replace("make setup\n", BUILD)],
                cwd=checkout,
                env=env,
                capture_output=True,
                text=True,
                check=False,
            )
            assert ran.returncode == 0, f"{step['commands']}\n{ran.stdout[-3000:]}\n{ran.stderr[-3000:]}"
        done += 1
    assert done >= 5


@pytest.mark.long  # half a minute; what each step makes is tested with the ciphers that are here
def test_a_toy_analysis(checkout: Path) -> None:
    follow("a toy analysis", checkout)


@pytest.mark.long  # minutes: it compiles the core with one feature
@pytest.mark.timeout(1200)
def test_a_toy_cipher(checkout: Path) -> None:
    try:
        follow("a toy cipher", checkout)
    finally:
        # Cargo takes it for that of this checkout, and in it is the path of the copy's vectors.
        clean = ["cargo", "clean", "--quiet", "--profile", "dev", "--package", "roundworks-vectors"]
        subprocess.run(clean, cwd=ROOT, check=True)
    assert "| `tiny` |" in (checkout / "README.md").read_text(encoding="utf-8")
