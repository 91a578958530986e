"""Building the wheel for tests of it, and installing it somewhere."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from places import ROOT


def run(*command: str | Path, cwd: Path = ROOT, env: dict[str, str] | None = None) -> str:
    done = subprocess.run(command, cwd=cwd, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def build(out: Path) -> Path:
    """From the crates that are compiled already where `make test` runs."""
    maturin = Path(sys.executable).with_name("maturin")
    if not maturin.exists():
        pytest.skip(f"{maturin} is not there, so no wheel can be built")
    run(maturin, "build", "--release", "--locked", "--out", out)
    (built,) = out.iterdir()
    return built


def install(wheel: Path, folder: Path) -> Path:
    """The Python of a new environment that holds the wheel and nothing else."""
    run(sys.executable, "-m", "venv", "--without-pip", folder)
    python = folder / "bin" / "python"
    pip = (sys.executable, "-m", "pip", "--python", python, "--disable-pip-version-check")
    run(*pip, "install", "--quiet", "--no-index", "--no-deps", wheel)
    return python
