"""Where things are that a test reads as files."""

from __future__ import annotations

from pathlib import Path

TESTS = Path(__file__).parents[1]
ROOT = TESTS.parents[1]
TOY = ROOT / "examples" / "toy.py"
TINY_CORES = TESTS / "hardware" / "rtl" / "cores.toml"
TINY_LIBRARY = TESTS / "hardware" / "power" / "tiny.lib"
