#!/usr/bin/env python3
"""Counts the instructions in the loops of kernels, in a program as it was built.

Why a batch of blocks is slower than the AES unit allows shows here: a CPU starts six instructions a
cycle, and those next to AES (sums, moves between registers, words that wait on the stack) want their
share. Names of kernels do not say of which permutation they are; what they count does.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
from collections import Counter
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
_LINE = re.compile(r"\s*([0-9a-f]+):\s+(\S+)\s*(.*)")
BATCHES, MESSAGES = r"permut\w+::forward_many", r"arch::Kernels>::kernel::many"
_LANES = re.compile(r"v(shuf[fi][36]|perm|insert|extract|punpck[lh]qdq)")
KINDS = {
    "aes": re.compile(r"v?aes(enc|dec)"),
    "xor": re.compile(r"v?(pxor|xorp)"),
    "columns": re.compile(r"v?p?(unpck|shuf|blend|alignr)"),
    "move": re.compile(r"v?mov(dq|ap|up|sh)"),
}


class CountedLoop(NamedTuple):
    """An innermost loop with AES instructions; ``stack`` are loads and stores there, ``calls`` leave it."""

    all: int
    aes: int
    xor: int
    columns: int
    moves: int
    stack: int
    calls: int


class Kernel(NamedTuple):
    """Its loops, and the shuffles that put blocks into lanes and take them out; on the way from memory
    or to it is no shuffle."""

    loops: list[CountedLoop]
    lanes: int


def kernels(library: Path, function: str = BATCHES) -> dict[str, list[Kernel]]:
    """Every kernel that takes many blocks, or with `MESSAGES` many messages, by back end's token."""
    named = re.compile(rf"x86_64::\w+::(\w+) as .*{function}")
    listed = _run("nm", "--demangle", "--print-size", str(library))
    kernels: dict[str, list[Kernel]] = {}
    for line in listed.splitlines():
        if match := named.search(line):
            start, size = (int(field, 16) for field in line.split()[:2])
            kernels.setdefault(match[1], []).append(_kernel(library, start, size))
    return kernels


def _kernel(library: Path, start: int, size: int) -> Kernel:
    text = _run(
        "objdump",
        "--disassemble",
        "--no-show-raw-insn",
        "--disassembler-options=intel",
        f"--start-address={start}",
        f"--stop-address={start + size}",
        str(library),
    )
    code = [match.groups() for line in text.splitlines() if (match := _LINE.match(line))]
    place = {int(address, 16): i for i, (address, _, _) in enumerate(code)}
    follows = [_followers(i, place, *line[1:]) for i, line in enumerate(code)]
    spans = [(begin, end) for end, next_ in enumerate(follows) for begin in next_ if begin <= end]
    spans = [span for span in spans if _goes_round(follows, *span)]
    inner = [s for s in spans if not any(s != t and s[0] <= t[0] <= t[1] <= s[1] for t in spans)]
    loops = [_count([(name, rest) for _, name, rest in code[a : b + 1]]) for a, b in inner]
    lanes = sum(bool(_LANES.match(name)) and "[" not in rest for _, name, rest in code)
    return Kernel([loop for loop in loops if loop.aes], lanes)


def _followers(i: int, place: dict[int, int], name: str, operands: str) -> list[int]:
    """Where instruction ``i`` goes on in its function."""
    target = re.match(r"[0-9a-f]+", operands) if name.startswith("j") else None
    ahead = [] if name in ("jmp", "ret") else [i + 1]
    jump = place.get(int(target[0], 16)) if target else None
    return ahead if jump is None else [*ahead, jump]


def _goes_round(follows: list[list[int]], begin: int, end: int) -> bool:
    """Whether the way from ``begin`` to the jump at ``end`` stays between them: what was only laid before the
    code that it follows is jumped back to as well."""
    reached, waiting = {begin}, [begin]
    while waiting:
        ahead = {i for i in follows[waiting.pop()] if begin <= i <= end} - reached
        reached |= ahead
        waiting += ahead
    return end in reached


def _count(code: list[tuple[str, str]]) -> CountedLoop:
    seen = Counter[str]()
    for name, operands in code:
        kind = next((kind for kind, spelled in KINDS.items() if spelled.match(name)), "other")
        seen["stack"] += "rsp" in operands
        seen["calls"] += name == "call"
        if kind != "move" or "[" not in operands:
            seen[kind] += 1
    return CountedLoop(len(code), *(seen[k] for k in ("aes", "xor", "columns", "move", "stack", "calls")))


def built() -> Path | None:
    """The newest test program of the core: unlike the native module, it keeps its symbols."""
    target = Path(os.environ.get("CARGO_TARGET_DIR") or ROOT / "target")
    programs = [p for p in (target / "release" / "deps").glob("suite-*") if not p.suffix]
    return max(programs, key=lambda p: p.stat().st_mtime, default=None)


def _run(*command: str) -> str:
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def main() -> None:
    """Prints the loops of every kernel of a program, by token."""
    parser = argparse.ArgumentParser(description="Loops of the permutations' kernels.")
    parser.add_argument("program", type=Path, nargs="?", default=built())
    program = parser.parse_args().program
    if program is None:
        parser.error("want a program or library with symbols; run cargo test --release --no-run")
    for token, each in kernels(program).items():
        print(
            f"{token}: instructions of the longest loop, of these AES, XOR, columns, moves, stack, calls;"
            " lanes in all of the kernel"
        )
        longest = [(max(k.loops, key=lambda loop: loop.aes), k.lanes) for k in each if k.loops]
        counted = sorted(Counter(longest).items(), key=lambda item: (item[0][0].aes, item[0]))
        for (loop, lanes), count in counted:
            print(" ", *(f"{n:3}" for n in (*loop, lanes)), f" in {count}")


if __name__ == "__main__":
    main()
