"""The folder that `generate` leaves: its mode, nothing that a build made, and a crate that stands in a workspace."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from hardware_tools import need
from places import ROOT, TOY
from roundworks.generate import generate, rust
from roundworks.generate.write import BuildFailed, write
from roundworks.reference import load_description
from wanted import require

PORTABLE = ("portable",)


@pytest.fixture
def permutation() -> Any:
    """Whose crate depends on no other."""
    return load_description(TOY.with_name("feistel_aes.py"))


def there(folder: Path) -> set[str]:
    """The files in a folder by path."""
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}


@pytest.fixture(params=[0o022, 0o027, 0o077])
def umask(request: pytest.FixtureRequest) -> Iterator[int]:
    before = os.umask(request.param)
    yield request.param
    os.umask(before)


def test_modes_are_those_of_the_umask(umask: int, tmp_path: Path) -> None:
    for _ in ("new", "again"):
        write({"a.c": "1", "deep/b.c": "2"}, tmp_path / "above" / "made")
        for path in ("above", "above/made", "above/made/deep"):
            assert (tmp_path / path).stat().st_mode & 0o777 == 0o777 & ~umask
        for path in ("above/made/a.c", "above/made/deep/b.c"):
            assert (tmp_path / path).stat().st_mode & 0o777 == 0o666 & ~umask


def test_the_current_folder_is_written_to(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for text in ("1", "2"):
        write({"a.c": text, "deep/b.c": text}, Path())
        assert there(tmp_path) == {"a.c", "deep/b.c", ".roundworks-generated"}
        assert (tmp_path / "a.c").read_text() == text


def test_nothing_that_the_check_of_c_builds_stays(permutation: Any, tmp_path: Path) -> None:
    require("make")
    made = generate(permutation, "c", tmp_path / "made", backends=PORTABLE)
    assert made.tests is not None and "portable: 40 vectors" in made.tests
    assert there(tmp_path) == {f"made/{name}" for name in (*made.files, ".roundworks-generated")}


@pytest.mark.long  # a minute of proofs; what simulators make is in the cache
def test_nothing_that_the_check_of_a_core_makes_stays(
    permutation: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    need("pyosys")
    monkeypatch.setattr("roundworks.generate.verilog.SIMULATORS", ())
    made = generate(permutation, "verilog", tmp_path / "made")
    assert made.tests is not None and "proof: proven" in made.tests
    assert there(tmp_path) == {f"made/{name}" for name in (*made.files, ".roundworks-generated")}


def test_nothing_is_written_of_what_fails_its_check(
    permutation: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    require("make")
    monkeypatch.setenv("CFLAGS", "-include nowhere.h")
    with pytest.raises(BuildFailed):
        generate(permutation, "c", tmp_path / "above" / "made", backends=PORTABLE)
    assert list(tmp_path.iterdir()) == []


def workspace(folder: Path, members: str) -> None:
    (folder / "Cargo.toml").write_text(f'[workspace]\nresolver = "3"\nmembers = [{members}]\n')


@pytest.mark.long  # five seconds of cargo
def test_a_crate_is_checked_below_a_workspace_that_does_not_name_it(permutation: Any, tmp_path: Path) -> None:
    require("cargo")
    workspace(tmp_path, "")
    made = generate(permutation, "rust", tmp_path / "made", backends=PORTABLE)
    assert made.tests is not None and "test result: ok." in made.tests
    names = {f"made/{name}" for name in (*made.files, ".roundworks-generated")}
    assert there(tmp_path) == names | {"Cargo.toml"}


def test_two_crates_are_members_of_one_workspace(permutation: Any, tmp_path: Path) -> None:
    cargo = require("cargo")
    workspace(tmp_path, '"first", "second"')
    for name in ("first", "second"):
        permutation.name = name
        write(rust.files(permutation, PORTABLE), tmp_path / name)
    command = [cargo, "check", "--workspace", "--offline", "--quiet"]
    target = ["--target-dir", str(ROOT / "target" / "generated")]
    done = subprocess.run([*command, *target], cwd=tmp_path, check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
