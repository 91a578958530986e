"""Small libraries of machine code, compiled once in each process."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from roundworks.binary.library import CompiledLibrary


@pytest.fixture(scope="session")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., CompiledLibrary]:
    """A shared library of C, compiled with these flags."""
    pytest.importorskip("iced_x86")
    if shutil.which("gcc") is None:
        pytest.skip("gcc: not here")

    def compile_c(text: str, *flags: str) -> CompiledLibrary:
        folder: Path = tmp_path_factory.mktemp("binary")
        (folder / "code.c").write_text(text)
        out = folder / "libcode.so"
        subprocess.run(
            [
                "gcc",
                "-O2",
                "-shared",
                "-fPIC",
                "-nostdlib",
                "-fcf-protection=none",
                *flags,
                "-o",
                out,
                folder / "code.c",
            ],
            check=True,
        )
        return CompiledLibrary(out)

    return compile_c
