"""What the tests of kernels share: a tool, or a skip that says so."""

from __future__ import annotations

import os

import pytest

from roundworks.errors import ToolMissing
from roundworks.gpu import build


def need(*names: str) -> None:
    """Skip without these tools; with ROUNDWORKS_REQUIRE_TOOLS=1 fail."""
    for name in names:
        try:
            build.find(name)
        except ToolMissing as error:
            if os.environ.get("ROUNDWORKS_REQUIRE_TOOLS") == "1":
                raise
            pytest.skip(str(error))
