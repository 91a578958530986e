"""A call of the compiled library on symbols: its arguments, and what it must leave."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from ..errors import NotFollowed, RoundworksError
from ..reference import Permutation, StreamAead
from .described import KEPT, Message, described
from .features import CPUS
from .forms import Bits, PublicBits, Symbols
from .lengths import increments
from .library import CompiledLibrary
from .machine import STACK, Processor
from .words import SymbolicBytes


class NotProven(RoundworksError):
    """The code computes something else than the description."""


@dataclass(frozen=True, slots=True)
class Shown:
    """What was shown of one call: ``instructions`` executed, ``symbols`` used, bytes of secrets that were
    ``left`` in dead memory, by place, and of those ``in_registers``."""

    instructions: int
    symbols: int
    left: dict[str, int] = field(default_factory=dict)
    in_registers: int = 0


@dataclass(frozen=True, slots=True)
class Target:
    """A cipher or permutation, the back end that is to compute it, and the processor that it runs on.

    ``cipher`` or ``permutation`` is a description of which the code was generated; without one it is the library's.
    """

    name: str
    backend: str
    cpu: str
    cipher: StreamAead[Any] | None = None
    permutation: Permutation[Any] | None = None


def no_back_end(target: Target) -> RoundworksError:
    """What to raise of a back end that was not found."""
    return RoundworksError(f"{target.name}: no back end {target.backend} on a processor with {target.cpu}")


def unequal(target: Target, symbols: Symbols, place: str, *bits: int) -> RoundworksError:
    """What to raise of bits that are not the description's: whether they differ, or no form says."""
    start = f"{target.name}, {target.backend}: {place}"
    if any(symbols.is_lost(bit) for bit in bits):
        return NotFollowed(f"{start}: no function of one S-box's input, nor a sum of such")
    return NotProven(f"{start}: not what the description has")


@dataclass(frozen=True, slots=True)
class Sealed:
    """What a call to seal returned, and where ciphertext and tag are."""

    result: Any
    out: int
    tag: int


@dataclass(frozen=True, slots=True)
class Opened:
    """What a call to open returned, the bytes of message that it said, and where ``space`` bytes of output are."""

    result: Any
    data_bytes: Any
    out: int
    space: int


def parts_of(whole: SymbolicBytes, block: int) -> list[SymbolicBytes]:
    """Bytes as they are given in increments."""
    made, at = [], 0
    for size in increments(len(whole), block):
        made.append(whole[at : at + size])
        at += size
    return made


_FIELDS = 9
"""Of ``roundworks_message``, eight bytes each: nonce, ad and its size, data and its size, out and its size, then the
size and the result of what was opened."""


SHIFT = 3
"""Bytes behind a multiple of 64 where a caller has what is sealed or opened in place."""


class Call:
    """A machine that computes what was described.

    ``in_place``: the output begins where the data do, and nothing that the caller has is at a multiple of anything.
    """

    def __init__(
        self,
        library: CompiledLibrary,
        target: Target,
        sizes: Sequence[tuple[int, int]],
        tag_bytes: int,
        *,
        mac: bool = False,
        in_place: bool = False,
    ) -> None:
        self.target = target
        self.in_place = in_place
        self.described = described(target.name, tag_bytes, tuple(sizes), target.cipher, mac=mac)
        self.symbols, self.messages = self.described.symbols, self.described.messages
        self.machine = Processor(library, self.symbols, CPUS[target.cpu])
        if self.symbols.count <= KEPT:
            self.machine.made = self.described.made
        self.public = {
            tuple(part)
            for one in self.messages
            for part in (*one.nonce, *one.ad, *(one.ciphertext + one.tag))
        }
        self.own: set[int] = set()

    def place(self, data: SymbolicBytes | bytes) -> int:
        """Copy bytes of the caller to fresh memory, and return their address."""
        shift = SHIFT if self.in_place else 0
        address = self.machine.place(bytes(len(data) + shift)) + shift
        known = data if isinstance(data, SymbolicBytes) else SymbolicBytes.of(data, self.symbols)
        self.own.update(range(address, address + len(data)))
        self.write(address, known)
        return address

    def write(self, address: int, data: SymbolicBytes) -> None:
        """Bytes of the caller, to memory of the caller."""
        for i, part in enumerate(data):
            self.machine.write_bits(address + i, part)

    def buffers(self, data: SymbolicBytes, space: int) -> tuple[int, int]:
        """Addresses of data and of that many bytes of output."""
        if not self.in_place:
            out = self.place(bytes(max(space, 1)))
            return self.place(data), out
        both = self.place(bytes(max(space, len(data), 1)))
        self.write(both, data)
        return both, both

    def start(self) -> int:
        """The handle of the cipher, with its key set."""
        m, t, given = self.machine, self.target, self.described
        handle = m.call(
            "roundworks_cipher_new",
            self.place(t.name.encode() + b"\0"),
            self.place(given.key),
            len(given.key),
            given.cipher.tag_bytes,
            self.place(t.backend.encode() + b"\0"),
        )
        if not handle:
            raise no_back_end(t)
        return int(handle)

    def given(self, nonce: SymbolicBytes, *parts: SymbolicBytes) -> list[int]:
        """The arguments for these: address and size of each."""
        return [x for part in (nonce, *parts) for x in (self.place(part), len(part))]

    def table(self, messages: Sequence[tuple[Message, SymbolicBytes, int]]) -> tuple[int, list[int]]:
        """The address of ``roundworks_message`` for each of these (message, its data, size of its output), and those of
        the outputs."""
        table, outs = int(self.machine.place(bytes(8 * _FIELDS * len(messages)))), []
        for i, (message, data, space) in enumerate(messages):
            outs.append(self.place(bytes(max(space, 1))))
            nonce, _, *given = self.given(message.nonce, message.ad, data)
            for place, value in enumerate((nonce, *given, outs[-1], space)):
                self.machine.write_number(table + 8 * (_FIELDS * i + place), value, 8)
        return table, outs

    def opened(self, table: int, i: int) -> tuple[Any, Any]:
        """Size and result that were written for message i."""
        at = table + 8 * (_FIELDS * (i + 1) - 2)
        m = self.machine
        return m.known(m.read(at, 8)), m.known(m.read(at + 8, 4))

    def seal(self, handle: int, message: Message) -> Sealed:
        """A message sealed."""
        space = len(message.ciphertext + message.tag)
        data, out = self.buffers(message.data, space)
        given = *self.given(message.nonce, message.ad), data, len(message.data)
        result = self.machine.call("roundworks_seal", handle, *given, out, space)
        return Sealed(result, out, out + len(message.ciphertext))

    def seal_many(self, handle: int, messages: Sequence[Message]) -> list[Sealed]:
        """Messages sealed in one call."""
        at, outs = self.table([(one, one.data, len(one.ciphertext + one.tag)) for one in messages])
        result = self.machine.call("roundworks_seal_many", handle, at, len(messages))
        return [
            Sealed(result, out, out + len(one.ciphertext)) for one, out in zip(messages, outs, strict=True)
        ]

    def open(self, handle: int, message: Message, received: SymbolicBytes) -> Opened:
        """A message opened, of which this ciphertext and tag were received."""
        # A cipher that pads has a longer output than message.
        m = self.machine
        space = m.call("roundworks_opened_bytes", handle, len(received))
        size = self.place(bytes(8))
        data, out = self.buffers(received, space)
        given = *self.given(message.nonce, message.ad), data, len(received)
        result = m.call("roundworks_open", handle, *given, out, space, size)
        return Opened(m.known(result), m.known(m.read(size, 8)), out, space)

    def seal_incrementally(self, handle: int, message: Message, block: int) -> Sealed:
        """As `seal`, in parts of about a block."""
        m, space = self.machine, len(message.ciphertext + message.tag)
        at = out = self.place(bytes(space))
        sealing = m.call("roundworks_sealing_new", handle, *self.given(message.nonce))
        results = [
            m.call("roundworks_sealing_ad", sealing, *self.given(part))
            for part in parts_of(message.ad, block)
        ]
        for part in parts_of(message.data, block):
            size = m.call("roundworks_sealing_update_bytes", sealing, len(part))
            results.append(m.call("roundworks_sealing_update", sealing, *self.given(part), at, size))
            at += size
        size = m.call("roundworks_sealing_finish_bytes", sealing)
        results.append(m.call("roundworks_sealing_finish", sealing, at, size))
        return Sealed(next(filter(None, results), 0), out, out + len(message.ciphertext))

    def open_incrementally(
        self, handle: int, message: Message, received: SymbolicBytes, block: int
    ) -> Opened:
        """As `open`, in parts of about a block."""
        m, tag_bytes = self.machine, len(message.tag)
        space = m.call("roundworks_opened_bytes", handle, len(received))
        out, size = self.place(bytes(max(space, 1))), self.place(bytes(8))
        opening = m.call("roundworks_opening_new", handle, *self.given(message.nonce), out, space)
        results = [
            m.call(f"roundworks_opening_{what}", opening, *self.given(part))
            for what, whole in (("ad", message.ad), ("update", received[: len(received) - tag_bytes]))
            for part in parts_of(whole, block)
        ]
        tag = self.given(received[len(received) - tag_bytes :])
        results.append(m.known(m.call("roundworks_opening_finish", opening, *tag, size)))
        return Opened(next(filter(None, results), 0), m.known(m.read(size, 8)), out, space)

    def bytes_at(self, address: int, count: int) -> list[Bits]:
        """Bytes as forms, where rests that are none any more are gone."""
        return [self.symbols.settled(self.machine.read_bits(address + i, 1)) for i in range(count)]

    def compare(self, what: str, address: int, want: SymbolicBytes | bytes) -> None:
        """
        Raises
        ------
        NotProven
            ``aegis-128l, vaes512: ciphertext, byte 17, bit 3: not what the description has``
        NotFollowed
            the same, where no form says what it is
        """
        known = want if isinstance(want, SymbolicBytes) else SymbolicBytes.of(want, self.symbols)
        for i, (got, right) in enumerate(zip(self.bytes_at(address, len(known)), known, strict=True)):
            for j, (a, b) in enumerate(zip(got, right, strict=True)):
                if a != b:
                    raise unequal(self.target, self.symbols, f"{what}, byte {i}, bit {j}", a)

    def compare_sealed(self, message: Message, sealed: Sealed, which: str = "") -> None:
        """That the output is ciphertext and tag."""
        if sealed.result != 0:
            t = self.target
            raise NotProven(f"{t.name}, {t.backend}: seal{which} returned {sealed.result}")
        self.compare(f"ciphertext{which}", sealed.out, message.ciphertext)
        self.compare(f"tag{which}", sealed.tag, message.tag)

    def finish(self, handle: int) -> Shown:
        """Free the cipher, and see what is left."""
        self.machine.call("roundworks_cipher_free", handle)
        return self.shown()

    def shown(self) -> Shown:
        """Counts bytes that depend on the key or on derived secrets, in memory that nobody owns any more and in
        registers."""
        places = {"stack": 0, "heap": 0, "static": 0}
        public = PublicBits(self.symbols, [bit for part in self.public for bit in part])

        def secret(bits: Bits) -> bool:
            return not public.holds(bits)

        in_registers = 0
        m = self.machine
        for bits in (*m.v, *m.k, *(bits for bits in m.r if not isinstance(bits, int))):
            parts = (bits[i : i + 8] for i in range(0, len(bits), 8))
            in_registers += sum(secret(part) for part in parts if tuple(part) not in self.public)
        for address, value in self.machine.memory.items():
            if isinstance(value, int) or address in self.own or tuple(value) in self.public:
                continue
            if secret(value):
                kind = (
                    "stack" if address > STACK - (1 << 24) else "heap" if address < STACK >> 1 else "static"
                )
                places[kind] += 1
        left = {kind: count for kind, count in places.items() if count}
        return Shown(self.machine.count, self.symbols.count, left, in_registers)
