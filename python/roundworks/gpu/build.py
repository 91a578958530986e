"""From ``kernels/`` to a library for the host and machine code for each architecture."""

from __future__ import annotations

import ctypes
import functools
import importlib.util
import re
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from .. import cache, spec
from ..errors import KernelError, ToolMissing

ARCHITECTURES = ("sm_80", "sm_90", "sm_100")
# The families that crates/roundworks-gpu calls.
OF_C = ("aegis", "aes", "aether", "gcm", "ghash", "minalpher", "rocca")
# -O1 compiles the lanes in a second or two, and the tests ask for no more.
_HOST = ("-std=c++17", "-O1", "-Wall", "-Wextra", "-Werror", "-Wno-psabi", "-shared", "-fPIC")
# What a thread keeps in local memory goes to the device's: an error, and there is no leave for it.
_NO_SPILLS = ("-Xptxas", "-warn-spills,-warn-lmem-usage", "-Werror", "all-warnings")
_DEVICE = ("-std=c++17", "-O3", "-cubin", "-Xptxas", "-v", *_NO_SPILLS)
_NUMBERS = [name.removeprefix("sm_") for name in ARCHITECTURES]
_FAT = (
    "-std=c++17", "-O3", "-fatbin", "--threads=0", *_NO_SPILLS,
    *(f"-gencode=arch=compute_{n},code=sm_{n}" for n in _NUMBERS),
    f"-gencode=arch=compute_{_NUMBERS[-1]},code=compute_{_NUMBERS[-1]}",
)  # fmt: skip
_WHEELS = "pip install 'roundworks[gpu]'"
_PROGRAMS = {"g++": "install Debian's package g++", "nvcc": _WHEELS, "nvdisasm": _WHEELS}


@dataclass(frozen=True, slots=True)
class MachineCode:
    """What nvcc made of a family for one architecture."""

    family: str
    architecture: str
    cubin: Path
    ptxas: str  # its report on registers and spills
    text: str  # nvdisasm's


def home() -> Path:
    return spec.root() / "kernels"


def families() -> list[str]:
    """The folders that hold kernels."""
    return sorted(file.parent.name for file in home().glob("*/*.cu"))


@functools.cache
def find(name: str) -> Path:
    """Where a tool is: in NVIDIA's packages beside this interpreter, on the PATH, in CUDA's place.

    Raises
    ------
    ToolMissing
        ``nvcc: not found; pip install 'roundworks[gpu]'``
    """
    package = importlib.util.find_spec("nvidia")
    places = (package and package.submodule_search_locations) or ()
    for folder in (
        *(Path(place) / "cu13" / "bin" for place in places),
        None,
        "/usr/local/cuda/bin",
    ):
        found = shutil.which(name, path=folder and str(folder))
        if found:
            return Path(found)
    raise ToolMissing(f"{name}: not found; {_PROGRAMS[name]}")


@functools.cache
def version(name: str) -> str:
    """The number that a tool gives as its version."""
    done = subprocess.run([find(name), "--version"], capture_output=True, text=True, check=True)
    number = re.search(r"\d+\.\d+\.\d+", done.stdout)
    return number[0] if number else done.stdout


def sources(file: Path) -> list[Path]:
    """A file and all of ours that it includes, each once."""
    found: dict[Path, None] = {}

    def follow(one: Path) -> None:
        one = one.resolve()
        if one not in found:
            found[one] = None
            for name in re.findall(r'^#include "(.*)"', one.read_text(encoding="utf-8"), re.M):
                follow(one.parent / name)

    follow(file)
    return list(found)


@functools.cache
def host_library(family: str) -> ctypes.CDLL:
    """The thread code of a family over lanes in lock step, behind its ``extern "C"`` functions."""
    source = _of(family, "host.cpp")
    facts = {"tool": version("g++"), "flags": _HOST}
    folder = cache.home("gpu") / f"{family}-host-{cache.key(sources(source), facts)}"
    if not folder.is_dir():
        with cache.making(folder) as part:
            _run(["g++", *_HOST, "-o", part / "host.so", source], f"{family}/host.cpp")
    return ctypes.CDLL(str(folder / "host.so"))


def machine_code(family: str, architecture: str) -> MachineCode:
    source = _of(family, f"{family}.cu")
    facts = {"tools": [version("nvcc"), version("nvdisasm")], "flags": _DEVICE}
    name = f"{family}-{architecture}-{cache.key(sources(source), facts)}"
    folder = cache.home("gpu") / name
    if not folder.is_dir():
        what = f"{family}.cu for {architecture}"
        with cache.making(folder) as part:
            cubin = part / f"{family}.cubin"
            said = _run(["nvcc", *_DEVICE, f"-arch={architecture}", "-o", cubin, source], what)
            (part / "ptxas.txt").write_text(said, encoding="utf-8")
            text = _run(["nvdisasm", "-c", cubin], what)
            (part / "code.txt").write_text(text, encoding="utf-8")
    read = (folder / "ptxas.txt").read_text(encoding="utf-8")
    code = (folder / "code.txt").read_text(encoding="utf-8")
    return MachineCode(family, architecture, folder / f"{family}.cubin", read, code)


def fat_binary(family: str) -> Path:
    """Machine code of a family for every architecture, and PTX for newer ones.

    One that was made of the same sources is taken without asking for nvcc: a machine with a GPU
    need not have it.
    """
    source = _of(family, f"{family}.cu")
    folder = cache.home("gpu") / f"{family}-fat-{cache.key(sources(source), {'flags': _FAT})}"
    if not folder.is_dir():
        with cache.making(folder) as part:
            _run(["nvcc", *_FAT, "-o", part / "code.fatbin", source], f"{family}.cu")
    return folder / "code.fatbin"


def install(folder: Path) -> None:
    """`fat_binary` of what C has, as ``<family>.fatbin``: where it looks for machine code."""
    folder.mkdir(parents=True, exist_ok=True)
    for family in OF_C:
        shutil.copyfile(fat_binary(family), folder / f"{family}.fatbin")


def _of(family: str, name: str) -> Path:
    file = home() / family / name
    if not file.is_file():
        raise KernelError(
            f"{family}: no {name} in kernels/{family}; one of {', '.join(families())}"
        )
    return file


def _run(argv: Sequence[str | Path], what: str) -> str:
    """All that a tool said."""
    command = [find(str(argv[0])), *argv[1:]]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise KernelError(f"{what}: {next(_complaints(done.stderr + done.stdout))}")
    return done.stdout + done.stderr


def _complaints(text: str) -> Iterator[str]:
    """The lines that name an error, then the last line."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    yield from (line for line in lines if re.search(r"\b(error|fatal)\b", line))
    yield lines[-1] if lines else "failed without a word"
