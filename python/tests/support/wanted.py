"""What a test wants of the machine: a program, or a skip that is counted.

With ROUNDWORKS_REQUIRE_TOOLS=1, as in CI, what is missing is a failure.
"""

from __future__ import annotations

import os
import shutil
from typing import NoReturn

import pytest


def without(why: str) -> NoReturn:
    """End the test: a skip, or a failure where every tool is required."""
    if os.environ.get("ROUNDWORKS_REQUIRE_TOOLS") == "1":
        pytest.fail(why)
    pytest.skip(why)


def require(name: str) -> str:
    """The path of a program."""
    return shutil.which(name) or without(f"{name} is not installed; run: make setup")
