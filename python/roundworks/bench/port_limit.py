"""The port limit of a lowered program, measured: its operations in its order, none of which waits for another.

What starts where, and what shares a port, is then that of the CPU that runs; and a window next to one of the
program itself has the same load of other processes in it. On x86-64.
"""

from __future__ import annotations

import ctypes
import subprocess
from dataclasses import dataclass
from pathlib import Path

from ..errors import RoundworksError, ToolMissing
from ..lower.machines import Machine
from ..lower.program import Op, Program

_SOURCE = """
#include <stddef.h>
#include <time.h>

static double now(void)
{{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}}

/* Nanoseconds of `calls` times the operations. */
double roundworks_limit(size_t calls)
{{
    double start = now();
    for (size_t i = 0; i < calls; i++)
        __asm__ volatile({code}
            : : : {clobbered});
    {after}
    return now() - start;
}}
"""
_SCALARS = ("rax", "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11", "r12", "r13")
_SCALAR = {"xor": "xor", "and": "and", "or": "or", "andnot": "and"}
_VECTOR = {
    "xor": "vpxor",
    "and": "vpand",
    "or": "vpor",
    "andnot": "vpandn",
    "not": "vpxor",
    "shuffle": "vpshufb",
    "lookup": "vpshufb",
    "subtract": "vpsubsb",
    "flip": "vgf2p8affineqb $0,",
    "affine": "vgf2p8affineqb $0,",
    "inverse": "vgf2p8affineinvqb $0,",
    "aesenc": "vaesenc",
    "aesenclast": "vaesenclast",
    "columns": "vpunpckldq",
    "pair": "vpmaddubsw",
    "pack": "vpackuswb",
    "ternary": "vpternlogd $150,",
}


def _scalar(op: Op, place: int) -> str:
    to = f"%%{_SCALARS[place % len(_SCALARS)]}"
    if op.kind == "not":
        return f"not {to}"
    if op.kind in ("shl", "shr", "rotl"):
        assert isinstance(op.imm, tuple | int)
        by = op.imm if isinstance(op.imm, int) else op.imm[1]
        return f"{'rol' if op.kind == 'rotl' else op.kind} ${by}, {to}"
    return f"{_SCALAR[op.kind]} %%r15, {to}"


def _vector(op: Op, place: int, bits: int) -> str:
    letter = {128: "x", 256: "y", 512: "z"}[bits]
    to, a, b = (f"%%{letter}mm{k}" for k in (place % 12, 14, 15))
    if op.kind in ("shl", "shr"):
        assert isinstance(op.imm, tuple)
        name = {16: "w", 32: "d", 64: "q"}[op.imm[0]]
        return f"vps{'ll' if op.kind == 'shl' else 'rl'}{name} ${op.imm[1]}, {a}, {to}"
    if op.kind == "lanes":
        if bits == 512:
            return f"vshufi64x2 $78, {a}, {b}, {to}"
        assert isinstance(op.imm, tuple)
        kept = tuple(op.imm) in ((0, 3), (2, 1))  # each word stays in its lane
        return f"{'vpblendd $15' if kept else 'vperm2i128 $33'}, {a}, {b}, {to}"
    wide = "q" if bits == 512 and op.kind in ("xor", "and", "or", "andnot", "not") else ""
    name = _VECTOR[op.kind]
    return f"{name}{wide} {a}, {b}, {to}"


@dataclass(frozen=True, slots=True)
class PortLimit:
    """A library with the operations of one program."""

    library: Path

    def nanoseconds(self, calls: int) -> float:
        """Of that many times the program."""
        run = ctypes.CDLL(str(self.library)).roundworks_limit
        run.restype, run.argtypes = ctypes.c_double, [ctypes.c_size_t]
        return float(run(calls))


def built(program: Program, machine: Machine, folder: Path, compiler: str = "cc") -> PortLimit:
    """Compile the operations of a program to ``libports.so`` of a folder.

    Raises
    ------
    ToolMissing
        ``cc: not found; ...``
    """
    ops = [op for op in program.ops if op.kind != "const"]
    if machine.bits == 64:
        lines = [_scalar(op, i) for i, op in enumerate(ops)]
        clobbered, after = [*_SCALARS, "cc"], ""
    else:
        lines = [_vector(op, i, machine.bits * machine.lanes) for i, op in enumerate(ops)]
        clobbered = [f"xmm{k}" for k in range(12)]
        after = '__asm__ volatile("vzeroupper");'
    code = "\n            ".join(f'"{line}\\n\\t"' for line in lines)
    source = folder / "ports.c"
    quoted = ", ".join(f'"{name}"' for name in clobbered)
    source.write_text(_SOURCE.format(code=code, clobbered=quoted, after=after), encoding="utf-8")
    command = [compiler, "-O2", "-shared", "-fPIC", "-o", "libports.so", source.name]
    try:
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    except FileNotFoundError:
        raise ToolMissing(f"{compiler}: not found; the port limit is measured with it") from None
    if done.returncode:
        raise RoundworksError(f"{' '.join(command)}: exit {done.returncode}\n{done.stderr[-2000:]}")
    return PortLimit(folder / "libports.so")
