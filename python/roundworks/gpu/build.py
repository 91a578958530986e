"""From ``kernels/`` to a library for the host and machine code for each architecture."""

from __future__ import annotations

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
# -O1 compiles the lanes in a second or two, and the tests need no more.
_HOST = ("-std=c++17", "-O1", "-Wall", "-Wextra", "-Werror", "-Wno-psabi", "-shared", "-fPIC")
# What a thread keeps in local memory goes to the device's: an error, and there is no leave for it.
_NO_SPILLS = ("-Xptxas", "-warn-spills,-warn-lmem-usage", "-Werror", "all-warnings")
_DEVICE = ("-std=c++17", "-O3", "-cubin", "-Xptxas", "-v", *_NO_SPILLS)
_NUMBERS = [name.removeprefix("sm_") for name in ARCHITECTURES]
_FAT = (
    "-std=c++17",
    "-O3",
    "-fatbin",
    "--threads=0",
    *_NO_SPILLS,
    *(f"-gencode=arch=compute_{n},code=sm_{n}" for n in _NUMBERS),
    f"-gencode=arch=compute_{_NUMBERS[-1]},code=compute_{_NUMBERS[-1]}",
)
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
    """The folder of the kernels."""
    return spec.root() / "kernels"


def families() -> list[str]:
    """The folders that hold kernels."""
    return sorted(file.parent.name for file in home().glob("*/*.cu"))


@functools.cache
def find(name: str) -> Path:
    """Where a tool is: in NVIDIA's packages for this interpreter, on the PATH, in CUDA's place.

    Raises
    ------
    ToolMissing
        ``nvcc: not found; pip install 'roundworks[gpu]'``
    """
    package = importlib.util.find_spec("nvidia")
    places = (package and package.submodule_search_locations) or ()
    for folder in (*(Path(place) / "cu13" / "bin" for place in places), None, "/usr/local/cuda/bin"):
        path = shutil.which(name, path=folder and str(folder))
        if path:
            return Path(path)
    raise ToolMissing(f"{name}: not found; {_PROGRAMS[name]}")


@functools.cache
def version(name: str) -> str:
    """The number that a tool gives as its version."""
    done = subprocess.run([find(name), "--version"], capture_output=True, text=True, check=True)
    number = re.search(r"\d+\.\d+\.\d+", done.stdout)
    return number[0] if number else done.stdout


def sources(file: Path) -> list[Path]:
    """A file and all of ours that it includes, each once."""
    files: dict[Path, None] = {}

    def follow(one: Path) -> None:
        one = one.resolve()
        if one not in files:
            files[one] = None
            for name in re.findall(r'^#include "(.*)"', one.read_text(encoding="utf-8"), re.M):
                follow(one.parent / name)

    follow(file)
    return list(files)


@functools.cache
def host_file(family: str, *flags: str) -> Path:
    """The library with the thread code of a family over a batch of lanes, behind the names of the
    device's entries.

    Raises
    ------
    KernelError
        ``none: no host.cpp in kernels/none; one of aegis, aes, ...``
    """
    return _shared(_of(family, "host.cpp"), f"{family}-host", *flags)


def host_image(family: str) -> bytes:
    """What `host_driver` takes for machine code: the path of `host_file`."""
    return str(host_file(family)).encode()


@functools.cache
def host_driver() -> Path:
    """The library of CUDA's driver whose device is this CPU, ``kernels/host/driver.cpp``."""
    return _shared(home() / "host" / "driver.cpp", "host-driver", "-ldl")


def _shared(source: Path, name: str, *flags: str) -> Path:
    facts = {"tool": version("g++"), "flags": (*_HOST, *flags)}
    folder = cache.home("gpu") / f"{name}-{cache.key(sources(source), facts)}"
    if not folder.is_dir():
        with cache.making(folder) as part:
            what = f"{source.parent.name}/{source.name}"
            _run(["g++", *_HOST, "-o", part / "host.so", source, *flags], what)
    return folder / "host.so"


def machine_code(family: str, architecture: str) -> MachineCode:
    """A family for one architecture, with the compiler's report and the disassembly. Raises as
    `fat_binary`."""
    source = _of(family, f"{family}.cu")
    flags = (*_DEVICE, _seeded(family))
    facts = {"tools": [version("nvcc"), version("nvdisasm")], "flags": flags}
    name = f"{family}-{architecture}-{cache.key(sources(source), facts)}"
    folder = cache.home("gpu") / name
    if not folder.is_dir():
        what = f"{family}.cu for {architecture}"
        with cache.making(folder) as part:
            cubin = part / f"{family}.cubin"
            said = _run(["nvcc", *flags, f"-arch={architecture}", "-o", cubin, source], what)
            (part / "ptxas.txt").write_text(said, encoding="utf-8")
            text = _run(["nvdisasm", "-c", cubin], what)
            (part / "code.txt").write_text(text, encoding="utf-8")
    read = (folder / "ptxas.txt").read_text(encoding="utf-8")
    code = (folder / "code.txt").read_text(encoding="utf-8")
    return MachineCode(family, architecture, folder / f"{family}.cubin", read, code)


def fat_binary(family: str) -> Path:
    """Machine code of a family for every architecture, and PTX for newer ones.

    One that was made of the same sources is taken without nvcc: a machine with a GPU
    need not have it.

    Raises
    ------
    ToolMissing
        ``nvcc: not found; pip install 'roundworks[gpu]'``
    KernelError
        ``aes.cu: ptxas error : Local memory used ...``
    """
    source = _of(family, f"{family}.cu")
    flags = (*_FAT, _seeded(family))
    folder = cache.home("gpu") / f"{family}-fat-{cache.key(sources(source), {'flags': flags})}"
    if not folder.is_dir():
        with cache.making(folder) as part:
            _run(["nvcc", *flags, "-o", part / "code.fatbin", source], f"{family}.cu")
    return folder / "code.fatbin"


def _seeded(family: str) -> str:
    """Names within nvcc are random otherwise; an instruction of thousands still comes and goes."""
    return f"--frandom-seed={family}"


def install(folder: Path) -> None:
    """`fat_binary` of every family as ``<family>.fatbin`` of a folder, where Rust and C look for them."""
    folder.mkdir(parents=True, exist_ok=True)
    for family in families():
        shutil.copyfile(fat_binary(family), folder / f"{family}.fatbin")


def _of(family: str, name: str) -> Path:
    file = home() / family / name
    if not file.is_file():
        raise KernelError(f"{family}: no {name} in kernels/{family}; one of {', '.join(families())}")
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
