"""Instructions that end the program where an operand in memory is not at a multiple of its size.

[INTEL-SDM, volume 1, section 4.1.1]
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from iced_x86 import EncodingKind, Instruction, MemorySizeExt, OpKind

from ..errors import RoundworksError

_FREE = ("movups", "movupd", "movdqu", "lddqu")
_BOUND = ("movaps", "movapd", "movdqa", "movntdq", "movntps")


class Unaligned(RoundworksError):
    """The program would end at an instruction whose operand is not aligned."""


def alignment(insn: Instruction, name: str) -> int:
    """Of what multiple of bytes the address of its operand must be; 1 if of any.

    Vectors of SSE have to be aligned unless the instruction says that they need not be; of AVX those alone for which it
    says that they are.
    """
    size = int(MemorySizeExt.size(insn.memory_size))
    if size < 16 or all(insn.op_kind(i) != OpKind.MEMORY for i in range(insn.op_count)):
        return 1
    if name.removeprefix("v").startswith(_BOUND):
        return size
    return 16 if insn.encoding == EncodingKind.LEGACY and name not in _FREE else 1


def checked(run: Callable[[Any, Any], None], size: int) -> Callable[[Any, Any], None]:
    """The same instruction, which refuses an operand that is no multiple of that many bytes."""

    def aligned(machine: Any, step: Any) -> None:
        address = machine.address(next(op for op in step.operands if op.kind == "m"))
        if address % size:
            raise Unaligned(f"{machine.where()}: address {address:#x} is no multiple of {size}")
        run(machine, step)

    return aligned
