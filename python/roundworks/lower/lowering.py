"""The program of a recorded function on a machine.

None of its operations looks up memory by a secret or branches on one.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..reference import Recording, Sbox
from .columns import with_columns
from .cost import count, recurrence
from .in_place import in_place
from .machines import Machine
from .pack import packed
from .program import Program
from .three_operands import three_operands
from .walk_limbs import Limbs
from .walk_planes import Planes
from .walk_vectors import Vectors


def lower(recording: Recording, machine: Machine, order: str = "little") -> Program:
    """The program of a recording.

    Parameters
    ----------
    order
        Of the bytes of a word in a 64-bit value, see `byte_order`; registers of 128 bits have that of memory.

    Raises
    ------
    DescriptionError
        ``my.py:12: sub S: cells of 5 bits; aesni has cells of 4 and 8 bits, ...``
    """
    program = single(recording, machine, order)
    if machine.bits < 128 or machine.cell:
        return program
    program = packed(program, machine.lanes) if machine.lanes > 1 else program
    return in_place(three_operands(program) if machine.ternary else program)


def byte_order(machine: Machine, often: Sequence[Recording], others: Sequence[Recording] = ()) -> str:
    """The order of the bytes of a word in which the functions that run often take fewest operations.

    Where a function has cells of an S-box that are no part of a byte it is that of numbers, "big": in the
    other one the bits of such a cell do not follow one another.
    """
    if machine.bits != 64:
        return "little"
    boxes = {node.detail for r in (*often, *others) for node in r.graph.nodes if node.op == "sub"}
    if any(isinstance(box, Sbox) and 8 % box.bits for box in boxes):
        return "big"
    return min(("little", "big"), key=lambda order: sum(len(lower(r, machine, order).ops) for r in often))


def single(recording: Recording, machine: Machine, order: str = "little", alone: bool = False) -> Program:
    """The same with one word a value, whatever lanes the machine has.

    Parameters
    ----------
    alone
        Where nothing else is under way, an AES round whose result a sum takes, and something else too, is
        computed twice, with the other terms as its key: the sum is there without an XOR behind the round.
    """
    if machine.cell:
        return Planes(recording, machine, order).program()
    if machine.bits == 64:
        return Limbs(recording, machine, order).program()
    folded, apart = (
        with_columns(Vectors(recording, machine, order, alone, apart).program())
        for apart in (False, machine.aes)
    )
    # Equal work: then the round that waits for itself less.
    better = count(apart) <= count(folded) and recurrence(apart) < recurrence(folded)
    return apart if better else folded
