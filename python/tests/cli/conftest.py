"""A folder with a key."""

from __future__ import annotations

from pathlib import Path

import pytest

from sealed_files import KEY


@pytest.fixture
def place(tmp_path: Path) -> Path:
    (tmp_path / "key").write_text(KEY)
    (tmp_path / "key").chmod(0o600)
    return tmp_path
