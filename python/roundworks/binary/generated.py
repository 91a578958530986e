"""A call of C that was generated from a description, as a compiler made machine code of it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from ..errors import RoundworksError
from .call import Call, Opened, Sealed, Shown, Target, no_back_end, parts_of
from .described import Message
from .features import CPUS
from .forms import Symbols
from .library import CompiledLibrary
from .machine import Processor
from .words import SymbolicBytes

_CHOOSE, _NAME, _NEW = "_choose_backend", "_backend_name", "_new"
_MOST_STATE_BYTES = 1 << 14
"""Of a message in increments, whose size the library does not say."""


def prefix_of(library: CompiledLibrary) -> str:
    """What the names of the generated functions begin with.

    Raises
    ------
    RoundworksError
        ``libtoy.so: want a library of generated C``
    """
    for name in library.symbols:
        if name.endswith(_CHOOSE):
            return name.removesuffix(_CHOOSE)
    raise RoundworksError(f"{library.path.name}: want a library of generated C")


def backends_of(path: Path) -> dict[str, str]:
    """The back ends of a library, each with the simplest of our processors that has it."""
    library = CompiledLibrary(path)
    prefix, m = prefix_of(library), _loaded(library, "plain")
    made: dict[str, str] = {}
    while address := m.call(prefix + _NAME, len(made)):
        name = m.text(address)
        made[name] = next((cpu for cpu in CPUS if _has(library, prefix, name, cpu)), "")
    return made


def _loaded(library: CompiledLibrary, cpu: str) -> Processor:
    m = Processor(library, Symbols(), CPUS[cpu])
    m.load()
    return m


def _has(library: CompiledLibrary, prefix: str, backend: str, cpu: str) -> bool:
    m = _loaded(library, cpu)
    return bool(m.call(prefix + _CHOOSE, m.place(backend.encode() + b"\0")) == 0)


def chosen(m: Processor, target: Target) -> str:
    """What names begin with, once the library was loaded and the back end chosen."""
    prefix = prefix_of(m.library)
    m.load()
    if m.call(prefix + _CHOOSE, m.place(target.backend.encode() + b"\0")) != 0:
        raise no_back_end(target)
    return prefix


class GeneratedCall(Call):
    """The same calls, of generated C: the key is given with every message, and the tag has a place of its own."""

    def start(self) -> int:
        """The address of the key; the back end is chosen."""
        m = self.machine
        self.prefix = chosen(m, self.target)
        key = self.place(self.described.key)
        return int(m.call(self.prefix + _NEW, key)) if self.is_of_handles else key

    @property
    def is_of_handles(self) -> bool:
        """Whether a key is set once, as by a generated crate."""
        return prefix_of(self.machine.library) + _NEW in self.machine.library.symbols

    def seal(self, handle: int, message: Message) -> Sealed:
        """As of the core; the function returns nothing."""
        size = len(message.data)
        data, out = self.buffers(message.data, size)
        nonce, tag = self.place(message.nonce), self.place(bytes(len(message.tag)))
        given = handle, nonce, *self.given(message.ad), data, size, out, tag
        self.machine.call(f"{self.prefix}_encrypt_detached", *given)
        return Sealed(0, out, tag)

    def seal_many(self, handle: int, messages: Sequence[Message]) -> list[Sealed]:
        """Of messages of one size, whose parts follow one another."""
        first, total = messages[0], len(messages)
        size, tag = len(first.data), len(first.tag)
        rows = [
            self.place(_joined([getattr(one, part) for one in messages])) for part in ("nonce", "ad", "data")
        ]
        outs, tags = self.place(bytes(max(size * total, 1))), self.place(bytes(tag * total))
        nonces, ads, data = rows
        given = (handle, total, nonces, ads, len(first.ad), data, size)
        self.machine.call(f"{self.prefix}_encrypt_many", *given, outs, tags)
        return [Sealed(0, outs + size * i, tags + tag * i) for i in range(total)]

    def open(self, handle: int, message: Message, received: SymbolicBytes) -> Opened:
        """As of the core; a message has the size of its ciphertext."""
        size = len(message.ciphertext)
        data, out = self.buffers(received[:size], size)
        nonce, tag = self.place(message.nonce), self.place(received[size:])
        given = handle, nonce, *self.given(message.ad), data, size, tag, out
        result = self.machine.known(self.machine.call(f"{self.prefix}_decrypt_detached", *given))
        return Opened(result, size if result == 0 else 0, out, size)

    def _incrementally(
        self, key: int, message: Message, data: SymbolicBytes, block: int, verb: str
    ) -> tuple[int, int]:
        """The addresses of the message and of the output, with all data given and the tag to come."""
        m, out = self.machine, self.place(bytes(max(len(data), 1)))
        # Not the caller's, so that what is left there counts.
        state = m.place(bytes(_MOST_STATE_BYTES))
        m.call(f"{self.prefix}_init", state, key, self.place(message.nonce))
        for part in parts_of(message.ad, block):
            m.call(f"{self.prefix}_ad_update", state, *self.given(part))
        at = out
        for part in parts_of(data, block):
            m.call(f"{self.prefix}_{verb}_update", state, *self.given(part), at)
            at += len(part)
        return state, out

    def seal_incrementally(self, handle: int, message: Message, block: int) -> Sealed:
        """As of the core."""
        state, out = self._incrementally(handle, message, message.data, block, "seal")
        tag = self.place(bytes(len(message.tag)))
        self.machine.call(f"{self.prefix}_seal_final", state, tag)
        return Sealed(0, out, tag)

    def open_incrementally(
        self, handle: int, message: Message, received: SymbolicBytes, block: int
    ) -> Opened:
        """As of the core; what was opened before the tag came stays where it is."""
        size = len(message.ciphertext)
        state, out = self._incrementally(handle, message, received[:size], block, "open")
        result = self.machine.known(
            self.machine.call(f"{self.prefix}_open_final", state, self.place(received[size:]))
        )
        return Opened(result, size if result == 0 else 0, out, 0)

    def finish(self, handle: int) -> Shown:
        """What is left; C has nothing to free."""
        if self.is_of_handles:
            self.machine.call(f"{self.prefix}_free", handle)
        return self.shown()


def _joined(parts: Sequence[SymbolicBytes]) -> SymbolicBytes:
    return SymbolicBytes([byte for part in parts for byte in part], parts[0].symbols)
