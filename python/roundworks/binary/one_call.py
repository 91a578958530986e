"""Functions of the C interface that take the key with the message, and the tag apart."""

from __future__ import annotations

import re
from typing import Any

from .call import Call, Opened, Sealed, Shown, no_back_end
from .described import Message
from .words import SymbolicBytes

PADS = "minalpher"
"""Its ciphertext is longer than its data, and the size of its output an argument."""


def prefix_of(name: str) -> str:
    """What the names of a cipher's functions begin with: ``roundworks_aegis128l``."""
    return "roundworks_" + re.sub(r"-(?=\d)", "", name).replace("-", "_")


class OneCall(Call):
    """The same calls, each with its key. They choose the back end, as the fastest that the processor has."""

    def start(self) -> int:
        """The address of the key."""
        m, t = self.machine, self.target
        key = self.place(self.described.key)
        handle = m.call("roundworks_cipher_new", self.place(t.name.encode() + b"\0"), key, *self._sizes(), 0)
        if not handle or m.text(m.call("roundworks_cipher_backend", handle)) != t.backend:
            raise no_back_end(t)
        m.call("roundworks_cipher_free", handle)
        return key

    def _sizes(self) -> tuple[int, int]:
        return len(self.described.key), self.described.cipher.tag_bytes

    def _call(self, what: str, *arguments: int) -> Any:
        return self.machine.known(self.machine.call(f"{prefix_of(self.target.name)}_{what}", *arguments))

    def seal(self, handle: int, message: Message) -> Sealed:
        """As by a handle."""
        size, tag_bytes = len(message.ciphertext), len(message.tag)
        data, out = self.buffers(message.data, size)
        nonce, tag = self.place(message.nonce), self.place(bytes(tag_bytes))
        given = handle, nonce, *self.given(message.ad), data, len(message.data), out
        sized = (size,) if self.target.name == PADS else ()
        return Sealed(self._call("encrypt_detached", *given, *sized, tag, tag_bytes), out, tag)

    def open(self, handle: int, message: Message, received: SymbolicBytes) -> Opened:
        """As by a handle. What does not pad says no size: it is that of the ciphertext, or none."""
        size, pads = len(message.ciphertext), self.target.name == PADS
        data, out = self.buffers(received[:size], size)
        tag, written = self.given(received[size:]), self.place(bytes(8))
        given = handle, self.place(message.nonce), *self.given(message.ad), data, size
        result = self._call("decrypt_detached", *given, *tag, out, *((written,) if pads else ()))
        said = self.machine.known(self.machine.read(written, 8)) if pads else size if result == 0 else 0
        return Opened(result, said, out, size)

    def finish(self, handle: int) -> Shown:
        """What is left; nothing is to be freed."""
        return self.shown()
