"""The bench in C++ on Verilator, and what of the source it reached.

``rtl/tb/aead_bench.cpp`` drives any core with the AEAD interface and shares nothing with the bench in
Python. Messages, and what is wanted of them, come to it in a file.
"""

from __future__ import annotations

import contextlib
import re
import shutil
import subprocess
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatch
from itertools import chain
from pathlib import Path

from ... import cache, spec
from ...errors import HardwareError
from ..cores import Core
from ..cycles.aead import of
from . import tools
from .constants import constant_bits
from .simulate import VERILATOR

_POINT = re.compile(r"^C '(.*)' (\d+)$")
_Point = tuple[str, str, str, str]  # kind, file, line, and what of it
# Nothing is as wide as this: toggles of wide words count too.
_WIDEST = "4096"
# Functions of data without a state, by file: they are compared over all inputs on their own, and counters of
# each bit of each instance take a compiler minutes.
FUNCTIONS = ("aes_*", "aether_sbox", "aether_matrix", "aether_f", "ascon_rounds", "ghash_*")
# What Verilator links into every simulation, compiled once.
_RUNTIME = "verilated*.o"
_MAKE = ("OPT_FAST=-O1", "OPT_SLOW=-O0", "OPT_GLOBAL=-O1")


@dataclass(frozen=True, slots=True)
class BenchMessage:
    """``want`` and ``want_tag``: what comes out. ``right``: whether its tag is; ``refused``: whether a
    buffer of the core is too small for it."""

    name: str
    decrypt: bool
    key: bytes
    nonce: bytes
    ad: bytes
    data: bytes
    tag: bytes
    want: bytes
    want_tag: bytes
    right: bool = True
    refused: bool = False

    @property
    def line(self) -> str:
        """The message as a line that the bench reads."""
        texts = [self.key, self.nonce, self.ad, self.data, self.tag, self.want, self.want_tag]
        words = [self.name.replace(" ", "_"), str(int(self.decrypt)), *(t.hex() or "-" for t in texts)]
        return " ".join([*words, str(int(self.right)), str(int(self.refused))])


@dataclass(frozen=True, slots=True)
class Coverage:
    """Points of the source, each once however often its module is there, and those that were reached.

    ``missed``: file, line and signal of the others, such as ``aead_length.sv:40 length_q (16)``; of blocks of
    statements alone ``lines_missed`` and ``lines_reached``. ``constant``: bits that no input can move, which are
    no points.
    """

    lines: int
    lines_hit: int
    toggles: int
    toggles_hit: int
    missed: tuple[str, ...]
    lines_missed: tuple[str, ...]
    lines_reached: tuple[str, ...]
    constant: int


@dataclass(frozen=True, slots=True)
class CppRun:
    """``failure``: what went wrong first, or nothing."""

    served: int
    cycles: int
    resets: int
    failure: str
    coverage: Coverage | None


def run(
    core: Core, parameters: Mapping[str, str], messages: Sequence[BenchMessage], *, seed: int = 1
) -> CppRun:
    """All messages four times: without stalls, with stalls, with resets in the middle, without."""
    chosen = core.chosen(parameters)
    program = build(core, chosen)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "messages").write_text("\n".join(m.line for m in messages) + "\n", encoding="utf-8")
        done = subprocess.run(
            [program, "messages", str(seed), "coverage.dat"], cwd=folder, capture_output=True, text=True
        )
        if done.returncode == 1:
            failure = done.stdout.strip().splitlines()[-1].removeprefix("wrong: ")
            return CppRun(0, 0, 0, failure.replace("_", " "), None)
        if done.returncode:
            raise HardwareError(f"{core.name}: C++ bench: {tools.complaint(done.stderr, done.returncode)}")
        served, cycles, resets = map(int, done.stdout.split())
        text = (folder / "coverage.dat").read_text("latin-1")
        return CppRun(served, cycles, resets, "", coverage(text, core.top, constant_bits(core, chosen)))


def build(core: Core, parameters: Mapping[str, str]) -> Path:
    """The bench with the core in it, from the cache where it was built before."""
    bench = spec.root() / "rtl/tb/aead_bench.cpp"
    files = [file.resolve() for file in (*core.files, bench)]
    numbers, formula = core.numbers(parameters), of(core)
    tools.find("verilator")
    sizes = _sizes(core, formula.cipher)
    facts = {
        "top": core.top,
        "numbers": numbers,
        "sizes": sizes,
        "tools": tools.version("verilator"),
        "functions": FUNCTIONS,
        "form": 3,
    }
    name = f"{core.name}-cpp-{cache.key(files, facts)}"
    folder = cache.home() / "sim" / name
    if not folder.is_dir():
        log = cache.home() / "logs" / f"{name}.log"
        log.parent.mkdir(parents=True, exist_ok=True)
        defined = " ".join(f"-D{k}={v}" for k, v in {**sizes, "RATE": formula.rate_bytes}.items())
        with cache.making(folder) as part:
            command: list[str | Path] = [
                tools.find("verilator"),
                "--cc",
                "--exe",
                "--coverage-line",
                "--coverage-toggle",
            ]
            command += ["--coverage-max-width", _WIDEST, *VERILATOR, "-CFLAGS", f"-std=c++20 {defined}"]
            command += ["--top-module", core.top, *(f"-G{k}={v}" for k, v in numbers.items())]
            left_out = [f for f in files if any(fnmatch(f.stem, name) for name in FUNCTIONS)]
            lines = ["`verilator_config", *(f'coverage_off -file "{file}"' for file in left_out)]
            (part / "coverage.vlt").write_text("\n".join([*lines, ""]), encoding="utf-8")
            tools.run([*command, "coverage.vlt", *files], part, log=log, what=f"{core.name}: verilator")
            make: list[str | Path] = [tools.find("make"), "-j2", "-C", "work", "-f", "Vtop.mk", *_MAKE]
            with _runtime(part / "work"):
                tools.run(make, part, log=log, what=f"{core.name}: building the C++ bench")
            shutil.rmtree(part / "work")
    return folder / "simulation"


@contextlib.contextmanager
def _runtime(work: Path) -> Iterator[None]:
    """Verilator's own objects in a folder where make runs: from the cache, or kept there afterwards."""
    facts = {"tools": tools.version("verilator"), "make": _MAKE}
    folder = cache.home() / "sim" / f"verilator-{cache.key((), facts)}"
    for file in folder.glob(_RUNTIME):
        shutil.copy2(file, work)
    yield
    if not folder.is_dir():
        with cache.making(folder) as part:
            for file in work.glob(_RUNTIME):
                shutil.copy2(file, part)


def _sizes(core: Core, cipher: str) -> dict[str, int]:
    from ...reference import get
    from ..cores import described

    description = described(core) if core.description else get(cipher)
    return {"KEY": description.key_bytes, "NONCE": description.nonce_bytes, "TAG": description.tag_bytes}  # type: ignore[union-attr]


def coverage(text: str, top: str, constant: frozenset[tuple[str, int]] = frozenset()) -> Coverage:
    """What ``coverage.dat`` of Verilator says, over all instances of a module below ``top``.

    A point of a toggle is a bit that rises or falls, and is none where it is ``constant`` in every instance; of a
    line, a block of statements.
    """
    hits: defaultdict[_Point, int] = defaultdict(int)
    still: dict[_Point, bool] = {}
    for line in text.splitlines():
        if point := _POINT.match(line):
            fields = dict(part.split("\x02", 1) for part in point[1].split("\x01") if "\x02" in part)
            kind, what = fields.get("page", "").partition("/")[0], fields.get("o", "")
            key = (kind, Path(fields["f"]).name, fields["l"], what)
            hits[key] += int(point[2])
            if kind == "v_toggle":
                still[key] = still.get(key, True) and _bit(top, fields["h"], what) in constant
    toggles = {key: n for key, n in hits.items() if key[0] == "v_toggle" and not still[key]}
    lines = {key: n for key, n in hits.items() if key[0] != "v_toggle"}
    return Coverage(
        lines=len(lines),
        lines_hit=sum(n > 0 for n in lines.values()),
        toggles=len(toggles),
        toggles_hit=sum(n > 0 for n in toggles.values()),
        missed=tuple(f"{place} ({n})" for place, n in _places(lines, toggles, hit=False)),
        lines_missed=tuple(place for place, _ in _places(lines, hit=False)),
        lines_reached=tuple(place for place, _ in _places(lines, hit=True)),
        constant=sum(still.values()),
    )


def _bit(top: str, where: str, what: str) -> tuple[str, int]:
    """Of ``TOP.core.u_state`` and ``start_i[5]`` the name below the top, and the place."""
    signal, _, place = what.removesuffix("]").partition("[")
    below = where.removeprefix(f"TOP.{top}").removeprefix(".")
    # Of several dimensions a bit has no single place, and counts as one that may move.
    return (f"{below}.{signal}" if below else signal, int(place) if place.isdigit() else -1 if place else 0)


def _places(*points: Mapping[_Point, int], hit: bool) -> list[tuple[str, int]]:
    """File, line and signal of the points that were reached or not, and how many: the most first."""
    places: defaultdict[str, int] = defaultdict(int)
    for (kind, file, number, what), count in chain.from_iterable(one.items() for one in points):
        if (count > 0) == hit:
            signal = what.partition("[")[0] if kind == "v_toggle" else what
            places[f"{file}:{number} {signal}".strip()] += 1
    return sorted(places.items(), key=lambda item: (-item[1], item[0]))
