"""Functions of the compiled library proven equal to the description, for all inputs of given lengths.

Key, nonce, associated data and message are symbols. The description is computed on them, then the machine
code is executed on them; both must leave the same forms. Nothing is sampled, and no solver is needed.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from ..errors import RoundworksError
from ..reference import get
from ..reference.aead import WordAead
from ..reference.permutation import Permutation
from .cells import Bits, Lost, NotFollowed
from .features import CPUS
from .forms import Public, Symbols
from .library import CompiledLibrary
from .machine import STACK, Processor
from .words import BitWord, SymbolicBytes, SymbolicNumber


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


def symbolic(cipher: WordAead[Any], symbols: Symbols) -> WordAead[Any]:
    """The same description on symbols."""
    made = type(cipher)(cipher.tag_bytes) if cipher.other_tag_bytes else type(cipher)()

    def split(data: Any) -> list[BitWord]:
        known = data if isinstance(data, SymbolicBytes) else SymbolicBytes.of(bytes(data), symbols)
        size = made.word_bytes
        return [known[i : i + size].word(made.word_bits) for i in range(0, len(known), size)]

    def join(words: list[BitWord]) -> SymbolicBytes:
        parts: list[Bits] = []
        for word in words:
            parts += SymbolicNumber(word.forms, symbols).to_bytes(made.word_bytes, "big").parts
        return SymbolicBytes(parts, symbols)

    for name, body in (("split", split), ("join", join)):
        setattr(made, name, body)
    return made


@dataclass(frozen=True, slots=True)
class Target:
    """A cipher or permutation, the back end that is to compute it, and the processor that it runs on."""

    name: str
    backend: str
    cpu: str


def _unequal(target: Target, place: str, *bits: Any) -> RoundworksError:
    start = f"{target.name}, {target.backend}: {place}"
    if any(isinstance(bit, Lost) for bit in bits):
        return NotFollowed(f"{start}: no function of one S-box's input, nor a sum of such")
    return NotProven(f"{start}: not what the description has")


class _Call:
    """A machine with a cipher set up on unknown bytes of a key."""

    def __init__(self, library: CompiledLibrary, target: Target, tag_bytes: int) -> None:
        self.library, self.target = library, target
        self.symbols = Symbols()
        cipher = get(target.name)
        self.cipher = symbolic(type(cipher)(tag_bytes) if cipher.other_tag_bytes else cipher, self.symbols)
        self.machine = Processor(library, self.symbols, CPUS[target.cpu])
        self.key = SymbolicBytes.unknown(self.cipher.key_bytes, self.symbols)
        self.nonce = SymbolicBytes.unknown(self.cipher.nonce_bytes, self.symbols)
        self.public: set[tuple[Any, ...]] = {tuple(part) for part in self.nonce.parts}
        self.own: set[int] = set()

    def place(self, data: SymbolicBytes | bytes) -> int:
        """Copy bytes of the caller to fresh memory, and return their address."""
        address = self.machine.place(bytes(len(data)))
        known = data if isinstance(data, SymbolicBytes) else SymbolicBytes.of(data, self.symbols)
        for i, part in enumerate(known):
            self.machine.write_bits(address + i, part)
            self.own.add(address + i)
        return address

    def start(self) -> int:
        """The handle of the cipher, with its key set."""
        m, t = self.machine, self.target
        handle = m.call(
            "roundworks_cipher_new",
            self.place(t.name.encode() + b"\0"),
            self.place(self.key),
            len(self.key),
            self.cipher.tag_bytes,
            self.place(t.backend.encode() + b"\0"),
        )
        if not handle:
            raise RoundworksError(f"{t.name}: no back end {t.backend} on a processor with {t.cpu}")
        return int(handle)

    def bytes_at(self, address: int, count: int) -> list[Bits]:
        """Bytes as forms, where rests that are none any more are gone."""
        settle = self.symbols.settled
        return [[settle(bit) for bit in self.machine.read_bits(address + i, 1)] for i in range(count)]

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
                if not isinstance(a, int) or a != b:
                    raise _unequal(self.target, f"{what}, byte {i}, bit {j}", a)

    def message(self, ad_bytes: int, data_bytes: int) -> tuple[SymbolicBytes, ...]:
        """Associated data, a message, and what the description makes of them: ciphertext and tag."""
        ad = SymbolicBytes.unknown(ad_bytes, self.symbols)
        data = SymbolicBytes.unknown(data_bytes, self.symbols)
        ciphertext, tag = self.cipher.seal(self.key, self.nonce, data, ad)  # type: ignore[arg-type]
        self.symbols.is_complete = True
        self.public |= {tuple(part) for part in (*ad, *(ciphertext + tag))}
        return ad, data, ciphertext, tag  # type: ignore[return-value]

    def shown(self) -> Shown:
        """Counts bytes that depend on the key or on derived secrets, in memory that nobody owns any more and in
        registers."""
        places = {"stack": 0, "heap": 0, "static": 0}
        public = Public(self.symbols, [form for part in self.public for form in part])

        def secret(bits: Bits) -> bool:
            return not all(public.holds(bit) for bit in bits)

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


def prove_seal(
    library: CompiledLibrary, target: Target, ad_bytes: int, data_bytes: int, tag_bytes: int = 0
) -> Shown:
    """Sealing a message of these lengths, for every key, nonce, associated data and message.

    Raises
    ------
    NotProven, NotFollowed, SecretBranch, SecretAddress
        what was not shown, and where
    """
    call = _Call(library, target, tag_bytes or get(target.name).tag_bytes)
    m, (ad, data, ciphertext, tag) = call.machine, call.message(ad_bytes, data_bytes)
    sealed, handle = ciphertext + tag, call.start()
    out = call.place(bytes(len(sealed)))
    result = m.call(
        "roundworks_seal",
        handle,
        call.place(call.nonce),
        len(call.nonce),
        call.place(ad),
        ad_bytes,
        call.place(data),
        data_bytes,
        out,
        len(sealed),
    )
    if result != 0:
        raise NotProven(f"{target.name}, {target.backend}: seal returned {result}")
    call.compare("ciphertext", out, sealed[: len(ciphertext)])
    call.compare("tag", out + len(ciphertext), tag)
    m.call("roundworks_cipher_free", handle)
    return call.shown()


def prove_open(
    library: CompiledLibrary, target: Target, ad_bytes: int, data_bytes: int, tag_bytes: int = 0
) -> Shown:
    """Opening what the description sealed gives the message, for every key, nonce, data and message."""
    call = _Call(library, target, tag_bytes or get(target.name).tag_bytes)
    m, (ad, data, ciphertext, tag) = call.machine, call.message(ad_bytes, data_bytes)
    sealed, handle = ciphertext + tag, call.start()
    # A cipher that pads has a longer output than message.
    space = m.call("roundworks_opened_bytes", handle, len(sealed))
    out, size = call.place(bytes(max(space, 1))), call.place(bytes(8))
    result = m.call(
        "roundworks_open",
        handle,
        call.place(call.nonce),
        len(call.nonce),
        call.place(ad),
        ad_bytes,
        call.place(sealed),
        len(sealed),
        out,
        space,
        size,
    )
    if result != 0 or m.read(size, 8) != data_bytes:
        raise NotProven(f"{target.name}, {target.backend}: open returned {result}, {m.read(size, 8)} bytes")
    call.compare("message", out, data)
    m.call("roundworks_cipher_free", handle)
    return call.shown()


def prove_permutation(
    library: CompiledLibrary, target: Target, description: Permutation[Any], blocks: int
) -> Shown:
    """That many blocks permuted in one call, for all blocks."""
    symbols = Symbols()
    m = Processor(library, symbols, CPUS[target.cpu])
    size = description.word_bits // 8
    data = SymbolicBytes.unknown(size * description.words * blocks, symbols)
    want: list[Bits] = []
    for first in range(0, len(data), size * description.words):
        words = [
            data[first + size * i : first + size * (i + 1)].word(8 * size) for i in range(description.words)
        ]
        for word in description.run(words):
            want += SymbolicNumber(word.forms, symbols).to_bytes(size, "big").parts
    symbols.is_complete = True
    handle = m.call(
        "roundworks_permutation_new",
        m.place(target.name.encode() + b"\0"),
        m.place(target.backend.encode() + b"\0"),
    )
    if not handle:
        raise RoundworksError(f"{target.name}: no back end {target.backend} on a processor with {target.cpu}")
    address = m.place(bytes(len(data)))
    for i, part in enumerate(data):
        m.write_bits(address + i, part)
    result = m.call("roundworks_permute", handle, address, len(data))
    if result != 0:
        raise NotProven(f"{target.name}, {target.backend}: permute returned {result}")
    for i, right in enumerate(want):
        actual = [symbols.settled(bit) for bit in m.read_bits(address + i, 1)]
        if actual != right:
            raise _unequal(target, f"byte {i}", *actual)
    return Shown(m.count, symbols.count)
