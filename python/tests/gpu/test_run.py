"""bench/gpu/run.sh on a machine that has next to nothing: one line for each thing that is missing."""

from __future__ import annotations

import functools
import importlib
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from gpu_steps import few_vectors, tiny
from gpu_tools import driver
from places import ROOT
from roundworks.gpu import build, checks, device, measure
from roundworks.report.gpu import gpu
from roundworks.studies.messages import merged

RUN = ROOT / "bench" / "gpu" / "run.sh"


def test_rows_where_numpy_alone_is_installed() -> None:
    code = """
import json, sys
from roundworks import extras
sys.modules |= dict.fromkeys(extras.OF_MODULE.keys() - {"numpy"})
sys.path.insert(0, "bench/gpu")
import run
run.without_extras()
from roundworks import machine, rows
from roundworks.gpu import build, checks, device, measure
values = {field: "" for field in ("run", "device", "subject", "stage", "backend", "place", "unit", "digest")}
values |= {field: 1 for field in ("messages", "data_bytes", "work", "samples_ns")}
row = rows.row("gpu", command="x", seconds=1.0, commit=run.commit(machine, run.ROOT), **values)
print(json.dumps(row.as_json()))
"""
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    made = json.loads(done.stdout)
    assert made["kind"] == "gpu" and made["machine"] and made["commit"]


def ran(tmp_path: Path, **environment: str) -> tuple[int, str]:
    done = subprocess.run(
        [RUN, tmp_path / "rows"], env=os.environ | environment, capture_output=True, text=True, check=False
    )
    return done.returncode, done.stderr


def test_what_is_missing_is_one_line(tmp_path: Path) -> None:
    programs = tmp_path / "programs"
    programs.mkdir()
    for name in ("bash", "dirname", "mkdir"):
        folder = next(p for p in os.environ["PATH"].split(":") if (Path(p) / name).exists())
        (programs / name).symlink_to(Path(folder) / name)
    bare = {"PATH": str(programs)}
    assert ran(tmp_path, **bare, PYTHON="no-python") == (
        2,
        "run.sh: python: want 3.11 or newer with numpy; name one as PYTHON=\n",
    )
    line = "run.sh: g++: not found; it compiles the thread code that kernels are compared with\n"
    assert ran(tmp_path, **bare, PYTHON=sys.executable) == (2, line)


def test_without_the_native_module_is_one_line(tmp_path: Path) -> None:
    """From a checkout of which only the sources are there."""
    for part in ("bench/gpu/run.sh", "python/roundworks/__init__.py"):
        (tmp_path / part).parent.mkdir(parents=True)
        shutil.copy(ROOT / part, tmp_path / part)
    # Of a package that is installed as well, the sources come first.
    done = subprocess.run(
        [tmp_path / "bench" / "gpu" / "run.sh", tmp_path / "rows"],
        env=os.environ | {"PYTHON": sys.executable},
        capture_output=True,
        text=True,
        check=False,
    )
    line = "run.sh: roundworks._native: cannot be loaded; make setup, or unpack what pack.sh made"
    assert done.returncode == 2 and done.stderr.splitlines()[-1] == line


@pytest.mark.long
def test_from_the_build_to_merged_rows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The whole of it on the tests' driver: every family, check and step, with tiny sizes."""
    device.host()
    here = functools.partial(device.Device, library=driver(), image=build.host_image)
    monkeypatch.syspath_prepend(str(RUN.parent))
    run = importlib.import_module("run")
    few_vectors(monkeypatch)
    monkeypatch.setattr(measure, "STEPS", tiny())
    # nvcc's part has tests of its own.
    monkeypatch.setattr(build, "fat_binary", build.host_file)
    nobody = functools.partial(device.Device, library="no-such-library.so")
    monkeypatch.setattr(device, "Device", nobody)
    assert run.main(tmp_path) == 2
    assert capsys.readouterr().err.startswith("run.sh: no-such-library.so: not found; install NVIDIA's")
    monkeypatch.setattr(device, "Device", here)
    assert run.main(tmp_path) == 0
    said = capsys.readouterr().out
    for name in checks.CHECKS:
        assert f"on the host {name}: " in said and f"on the device {name}: " in said
    assert all(f"{name}: " in said for name in measure.STEPS)
    monkeypatch.setenv("ROUNDWORKS_RESULTS", str(tmp_path / "results"))
    rows = merged(tmp_path).rows
    assert {r["device"] for r in rows} == {"this CPU"} and len({r["run"] for r in rows}) == 1
    assert json.loads((tmp_path / "machine.json").read_text())["cores"] >= 1
    goals = {(g.goal.cipher, g.goal.place): g for g in gpu(rows).goals}
    for name in ("minalpher", "aes-128-ctr", "aes-128-gcm"):
        assert goals[name, "device"].share is not None, name
    for name in ("minalpher", "aes-128-gcm"):
        assert goals[name, "host"].share is not None, name
