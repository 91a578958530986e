"""An x86-64 processor whose registers and memory hold numbers or forms.

Addresses and branches must be numbers: one that depends on a form is a leak, and ends the run. So a run
that ends has shown, for all values of the symbols, that none of its branches and addresses depends on them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from iced_x86 import Decoder, Instruction, MemorySizeExt, Mnemonic, OpKind, Register, RegisterExt

from ..errors import NotFollowed, RoundworksError
from .alignment import alignment, checked
from .forms import Bits, Symbols
from .library import BASE, CompiledLibrary

STACK = 0x7FFF_0000_0000
HEAP = 0x6000_0000_0000
THREAD = 0x7E00_0000_0000
_RETURN = 0x7ABC_0000_0000
NAMES = {value: name.lower() for name, value in vars(Mnemonic).items() if isinstance(value, int)}
_HIGH = {Register.AH: 0, Register.CH: 1, Register.DH: 2, Register.BH: 3}
_MASK = [(1 << n) - 1 for n in range(65)]
RAX, RCX, RDX, RBX, RSP, RBP, RSI, RDI = range(8)
ARGUMENTS = (RDI, RSI, RDX, RCX, 8, 9)


class SecretBranch(RoundworksError):
    """A branch depends on a symbol."""


class SecretAddress(RoundworksError):
    """An address depends on a symbol."""


@dataclass(frozen=True, slots=True)
class Operand:
    """Where a value is: ``kind`` is one of r (general), v (vector), k (mask), i (immediate), m (memory)."""

    kind: str
    bits: int
    number: int = 0
    low: int = 0
    value: int = 0
    base: int = -1
    index: int = -1
    indices: int = -1
    """The vector register whose elements are indices."""
    scale: int = 1
    segment: bool = False
    repeated: int = 0
    """Bits of the element that is read once and repeated."""


@dataclass(slots=True)
class DecodedInstruction:
    """An instruction decoded."""

    name: str
    run: Callable[[Any, Any], None]
    operands: tuple[Operand, ...]
    next: int
    target: int
    mask: int
    zeroing: bool
    text: Instruction


Made = dict[tuple[Any, ...], Bits]
_MOST_MADE = 1 << 17


class Processor:
    """Registers, flags and memory of one thread that runs functions of a library.

    ``features``: the names of what CPUID reports. ``decide``: called with a branch that depends on a form
    and the form of its condition; True takes it.
    """

    def __init__(self, library: CompiledLibrary, symbols: Symbols, features: frozenset[str]) -> None:
        from . import imports
        from .instructions import HANDLERS

        self.library, self.symbols, self.features = library, symbols, features
        self.handlers = HANDLERS
        self.imported = imports.FUNCTIONS
        self.r: list[Any] = [0] * 16
        self.v: list[Bits] = [[0] * 512 for _ in range(32)]
        self.k: list[Bits] = [[0] * 64 for _ in range(8)]
        self.zero: Any = 0
        """Bits of which all must be 0 for the zero flag, or the flag's negation."""
        self.carry: Any = 0
        self.sign: Any = 0
        self.overflow: Any = 0
        self.parity: Any = 0
        self.memory: dict[int, Any] = {}
        self.steps: dict[int, DecodedInstruction] = library.decoded
        self.heap = HEAP
        self.blocks: dict[int, int] = {}
        self.freed: list[tuple[int, int]] = []
        self.lowest = STACK
        self.count = 0
        self.decide: Callable[[Processor, int, Any], bool] = _decide
        self.assumed: set[int] = set()
        self.made: Made | None = None
        """Results of `once`, of several processors that have the symbols; not kept without a place for them."""
        for i in range(4096):
            self.memory[THREAD + i] = 0
        self.write_number(THREAD, THREAD, 8)

    # -- memory ---------------------------------------------------------------------------------
    def byte(self, address: int) -> Any:
        """The byte at an address: a number, or eight bits of which some are forms."""
        value = self.memory.get(address)
        if value is not None:
            return value
        if self.library.holds(address):
            return self.library.image[address - BASE]
        if STACK - (1 << 24) < address < STACK + (1 << 16) or HEAP <= address < self.heap:
            # Nobody wrote it: anything may be there.
            self.memory[address] = made = self.symbols.left_behind(8)
            return made
        raise RoundworksError(f"address {address:#x}: nothing is there")

    def read_bits(self, address: int, count: int) -> Bits:
        """The bits of ``count`` bytes, the least significant bit of each first."""
        result: Bits = []
        for at in range(address, address + count):
            byte = self.byte(at)
            result += _BITS[byte] if isinstance(byte, int) else byte
        return result

    def read(self, address: int, count: int) -> Any:
        """``count`` bytes as a number, or as bits if one of them is not known."""
        data = [self.byte(at) for at in range(address, address + count)]
        if all(isinstance(byte, int) for byte in data):
            return int.from_bytes(bytes(data), "little")
        result: Bits = []
        for byte in data:
            result += _BITS[byte] if isinstance(byte, int) else byte
        return result

    def write_bits(self, address: int, bits: Bits) -> None:
        """Bits, as many as fill bytes."""
        memory = self.memory
        for i in range(0, len(bits), 8):
            part = bits[i : i + 8]
            memory[address + (i >> 3)] = part if max(part) > 1 else _BYTES[tuple(part)]

    def write_number(self, address: int, value: int, count: int) -> None:
        """A number of ``count`` bytes."""
        for i, byte in enumerate(value.to_bytes(count, "little")):
            self.memory[address + i] = byte

    def write(self, address: int, value: Any, count: int) -> None:
        """Write ``count`` bytes: a number, little endian, or bits."""
        if isinstance(value, int):
            self.write_number(address, value & _MASK[8 * count] if count <= 8 else value, count)
        else:
            self.write_bits(address, value)

    def allocate(self, count: int, alignment: int = 64) -> int:
        """Memory of the heap; a gap follows, so that a neighbour is not read by accident."""
        address = -(-self.heap // alignment) * alignment
        self.heap = address + count + 64
        self.blocks[address] = count
        return address

    def place(self, data: bytes) -> int:
        """Known bytes in memory of their own."""
        address = self.allocate(max(len(data), 1))
        for i, byte in enumerate(data):
            self.memory[address + i] = byte
        return address

    def text(self, address: int) -> str:
        """The text at an address, which ends with a zero."""
        data = bytearray()
        while byte := self.byte(address + len(data)):
            data.append(byte)
        return data.decode()

    def once(self, key: tuple[Any, ...], make: Callable[[], Bits]) -> Bits:
        """What an operation makes of the operands in ``key``. Every back end and processor computes much of the same of
        what one description is compared with, and to open is nearly to seal."""
        if self.made is None:
            return make()
        made = self.made.get(key)
        if made is None:
            made = make()
            if len(self.made) < _MOST_MADE:
                self.made[key] = made
        return list(made)

    # -- operands -------------------------------------------------------------------------------
    def address(self, op: Operand, index: Any = 0) -> int:
        """The address of an operand in memory; an index in a vector is the caller's."""
        if not isinstance(index, int):
            raise SecretAddress(f"{self.where()}: an address depends on a secret")
        address = op.value + index * op.scale
        for register, scale in ((op.base, 1), (op.index, op.scale)):
            if register >= 0:
                address += self.number(register, "an address") * scale
        if op.segment:
            address += THREAD
        return address & _MASK[64]

    def get(self, op: Operand) -> Any:
        """A general operand: a number, or bits."""
        if op.kind == "r":
            value = self.r[op.number]
            if op.bits == 64:
                return value
            if isinstance(value, int):
                return value >> op.low & _MASK[op.bits]
            return settled(value[op.low : op.low + op.bits])
        if op.kind == "i":
            return op.value & _MASK[op.bits]
        if op.kind == "m":
            return self.read(self.address(op), op.bits // 8)
        if op.kind == "k":
            return settled(self.k[op.number][: op.bits])
        return settled(self.v[op.number][: op.bits])

    def put(self, op: Operand, value: Any) -> None:
        """Into a general register or memory."""
        if op.kind == "r":
            if op.bits == 64:
                self.r[op.number] = value
            elif op.bits == 32:
                # The upper half becomes zero.
                self.r[op.number] = value if isinstance(value, int) else [*value, *[0] * 32]
            else:
                old = self.r[op.number]
                if isinstance(old, int) and isinstance(value, int):
                    keep = ~(_MASK[op.bits] << op.low) & _MASK[64]
                    self.r[op.number] = old & keep | value << op.low
                else:
                    bits = as_bits(old, 64)
                    bits[op.low : op.low + op.bits] = as_bits(value, op.bits)
                    self.r[op.number] = settled(bits)
        elif op.kind == "m":
            self.write(self.address(op), value, op.bits // 8)
        elif op.kind == "k":
            self.k[op.number] = [*as_bits(value, op.bits), *[0] * (64 - op.bits)]
        else:
            raise NotFollowed(f"{self.where()}: a general result in a vector register")

    # -- running --------------------------------------------------------------------------------
    def where(self) -> str:
        """The instruction that runs, with the function that it is in."""
        step = self.steps.get(self.ip)
        return f"{self.library.nearest(self.ip)}: {step.text if step else ''}"

    def call(self, name: str, *arguments: int) -> Any:
        """Call an exported function; its result in RAX.

        Raises
        ------
        SecretBranch, SecretAddress, NotFollowed
            ``roundworks_seal+0x1c: jne: a branch depends on a secret``
        """
        if name not in self.library.symbols:
            raise RoundworksError(f"{self.library.path.name}: no function {name}")
        return self.call_at(self.library.symbols[name], *arguments)

    def load(self) -> None:
        """Run what runs when the library is loaded: in C of GCC, what reads CPUID."""
        for address in self.library.constructors:
            self.call_at(address)

    def call_at(self, address: int, *arguments: int) -> Any:
        """Call the function at an address."""
        for register, value in zip(ARGUMENTS, arguments, strict=False):
            self.r[register] = value
        sp = STACK - 64
        more = arguments[len(ARGUMENTS) :]
        sp = (sp - 8 * len(more)) & ~15
        for i, value in enumerate(more):
            self.write_number(sp + 8 * i, value, 8)
        sp -= 8
        self.write_number(sp, _RETURN, 8)
        self.r[RSP] = sp
        self.ip = address
        self._run()
        return self.r[RAX]

    def _run(self) -> None:
        steps, imports = self.steps, self.library.imports
        while self.ip != _RETURN:
            step = steps.get(self.ip)
            if step is None:
                if self.ip in imports:
                    self._imported(imports[self.ip])
                    continue
                step = steps[self.ip] = self._decode(self.ip)
            self.count += 1
            at = self.ip
            try:
                step.run(self, step)
            except NotFollowed as error:
                raise NotFollowed(f"{self.where()}: {error}") from None
            if self.ip == at:
                self.ip = step.next

    def _imported(self, name: str) -> None:
        if name not in self.imported:
            raise RoundworksError(f"{name}: called, and not known here")
        self.r[RAX] = self.imported[name](self)
        sp = self.r[RSP]
        self.ip = self.read(sp, 8)
        self.r[RSP] = sp + 8

    def number(self, register: int, what: str) -> int:
        """An argument that must be a number."""
        value = self.known(self.r[register])
        if not isinstance(value, int):
            raise SecretAddress(f"{self.where()}: {what} depends on a secret")
        return value

    def known(self, value: Any) -> Any:
        """A number, or bits of which one is unknown though what is assumed holds."""
        if isinstance(value, int):
            return value
        return settled([int(not bit & 1) if bit & ~1 in self.assumed else bit for bit in value])

    def _decode(self, address: int) -> DecodedInstruction:
        insn = Decoder(64, self.library.bytes_at(address, 16), ip=address).decode()
        # `movsd` is two instructions.
        name = NAMES[insn.mnemonic] + " of strings" * insn.is_string_instruction
        if name not in self.handlers:
            raise NotFollowed(f"{self.library.nearest(address)}: {insn}: no such instruction here")
        operands = tuple(_operand(insn, i) for i in range(insn.op_count))
        mask = RegisterExt.number(insn.op_mask) if insn.op_mask != Register.NONE else 0
        target = insn.near_branch_target if operands and operands[0].kind == "b" else 0
        run, multiple = self.handlers[name], alignment(insn, name)
        return DecodedInstruction(
            name=name,
            run=run if multiple == 1 else checked(run, multiple),
            operands=operands,
            next=insn.next_ip,
            target=target,
            mask=mask,
            zeroing=insn.zeroing_masking,
            text=insn,
        )


def _decide(machine: Processor, at: int, condition: int) -> bool:
    """What holds under what is assumed."""
    known = machine.known([condition])
    if not isinstance(known, int):
        more = "more than whether a tag is right" if machine.assumed else "a secret"
        raise SecretBranch(f"{machine.where()}: a branch depends on {more}")
    return bool(known)


def _operand(insn: Instruction, i: int) -> Operand:
    kind = insn.op_kind(i)
    if kind == OpKind.REGISTER:
        register = insn.op_register(i)
        bits = 8 * RegisterExt.size(register)
        if register in _HIGH:
            return Operand("r", 8, _HIGH[register], 8)
        if RegisterExt.is_vector_register(register):
            return Operand("v", bits, RegisterExt.number(register))
        if RegisterExt.is_k(register):
            return Operand("k", 64, RegisterExt.number(register))
        return Operand("r", bits, RegisterExt.number(RegisterExt.full_register(register)))
    if kind == OpKind.MEMORY:
        size = insn.memory_size
        bits = 8 * MemorySizeExt.size(size)
        if insn.is_ip_rel_memory_operand:
            place: dict[str, Any] = {"value": insn.ip_rel_memory_address}
        else:
            place = {"value": insn.memory_displacement}
            if insn.memory_base != Register.NONE:
                place["base"] = RegisterExt.number(insn.memory_base)
            if insn.memory_index != Register.NONE:
                is_vector = RegisterExt.is_vector_register(insn.memory_index)
                place["indices" if is_vector else "index"] = RegisterExt.number(insn.memory_index)
                place["scale"] = insn.memory_index_scale
        place["segment"] = insn.memory_segment in (Register.FS, Register.GS)
        repeated = 8 * MemorySizeExt.element_size(size) if insn.is_broadcast else 0
        return Operand("m", bits, repeated=repeated, **place)
    if kind in (OpKind.NEAR_BRANCH16, OpKind.NEAR_BRANCH32, OpKind.NEAR_BRANCH64):
        return Operand("b", 64)
    if kind in (
        OpKind.IMMEDIATE8,
        OpKind.IMMEDIATE8_2ND,
        OpKind.IMMEDIATE16,
        OpKind.IMMEDIATE32,
        OpKind.IMMEDIATE64,
        OpKind.IMMEDIATE8TO16,
        OpKind.IMMEDIATE8TO32,
        OpKind.IMMEDIATE8TO64,
        OpKind.IMMEDIATE32TO64,
    ):
        return Operand("i", 64, value=insn.immediate(i) & _MASK[64])
    return Operand("?", 0)


_BITS = [[byte >> i & 1 for i in range(8)] for byte in range(256)]
_BYTES = {tuple(bits): byte for byte, bits in enumerate(_BITS)}


def as_bits(value: Any, bits: int) -> Bits:
    """A number or bits as bits, in a list of its own."""
    if isinstance(value, int):
        return [value >> i & 1 for i in range(bits)]
    return list(value)


def settled(bits: Sequence[Any]) -> Any:
    """A number where all bits are known."""
    if bits and max(bits) > 1:
        return list(bits)
    value = 0
    for i, bit in enumerate(bits):
        value |= bit << i
    return value
