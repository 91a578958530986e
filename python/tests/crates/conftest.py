"""What the C tests share: libraries installed once in each process."""

from __future__ import annotations

from pathlib import Path

import pytest

from c_programs import run


@pytest.fixture(scope="session")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What `make install-c` puts in place."""
    prefix = tmp_path_factory.mktemp("prefix")
    # Those of `make test`, which has built the core with their features; no programs.
    built = "C_PACKAGES=--workspace --exclude roundworks-py --lib"
    run("make", "--no-print-directory", "install-c", f"PREFIX={prefix}", built)
    return prefix
