"""The MACs of the compiled library proven equal to the description, for all inputs of given lengths."""

from __future__ import annotations

from .call import Call, NotProven, Shown, Target, parts_of
from .library import CompiledLibrary
from .one_call import prefix_of
from .proof import said, with_other_tags
from .words import SymbolicBytes


class _MacCall(Call):
    """Data given in increments of about a ``block``, or in one call with the key if it has no bytes.

    What the caller gives is nothing that must not be left; key and state are.
    """

    def __init__(
        self, library: CompiledLibrary, target: Target, data_bytes: int, tag_bytes: int, block: int
    ) -> None:
        super().__init__(library, target, [(0, data_bytes)], tag_bytes, mac=True, in_place=not block)
        (self.message,) = self.messages
        self.block = block

    def _one_call(self, what: str, *tag: int) -> object:
        given = self.message
        nonce = [self.place(given.nonce)] if len(given.nonce) else []
        arguments = self.place(self.described.key), *nonce, *self.given(given.data), *tag
        return self.machine.call(f"{prefix_of(self.target.name)}_{what}", *arguments)

    def _begun(self) -> int:
        """The handle of the MAC, which took in all data."""
        m, t, given = self.machine, self.target, self.message
        handle = m.call(
            "roundworks_mac_new",
            self.place(t.name.encode() + b"\0"),
            *self.given(self.described.key),
            *self.given(given.nonce),
            len(given.tag),
            self.place(t.backend.encode() + b"\0"),
        )
        if not handle:
            raise NotProven(f"{t.name}, {t.backend}: mac_new returned NULL")
        for part in parts_of(given.data, self.block):
            if result := m.call("roundworks_mac_update", handle, *self.given(part)):
                raise NotProven(f"{t.name}, {t.backend}: mac_update returned {said(result)}")
        return int(handle)

    def tag(self, *tag: int) -> object:
        """The result of writing the tag."""
        if self.block:
            return self.machine.call("roundworks_mac_finish", self._begun(), *tag)
        return self._one_call("mac", *tag)

    def verify(self, tag: SymbolicBytes) -> object:
        """The result for this tag."""
        if self.block:
            result = self.machine.call("roundworks_mac_verify", self._begun(), *self.given(tag))
        else:
            result = self._one_call("mac_verify", *self.given(tag))
        return self.machine.known(result)


def prove_mac(
    library: CompiledLibrary, target: Target, data_bytes: int, tag_bytes: int = 0, block: int = 32
) -> Shown:
    """The tag of data that come in increments of about a block, or in one call if it has no bytes, for every key, nonce
    and data.

    Raises
    ------
    NotProven, NotFollowed, SecretBranch, SecretAddress
        what was not shown, and where
    """
    call = _MacCall(library, target, data_bytes, tag_bytes, block)
    tag = call.message.tag
    out = call.place(bytes(len(tag)))
    if result := call.tag(out, len(tag)):
        raise NotProven(f"{target.name}, {target.backend}: mac returned {said(result)}")
    call.compare("tag", out, tag)
    return call.shown()


def prove_mac_verified(
    library: CompiledLibrary, target: Target, data_bytes: int, tag_bytes: int = 0, block: int = 32
) -> Shown:
    """The right tag is accepted."""
    call = _MacCall(library, target, data_bytes, tag_bytes, block)
    result = call.verify(call.message.tag)
    if result != 0:
        raise NotProven(f"{target.name}, {target.backend}: mac_verify returned {said(result)}")
    return call.shown()


def prove_mac_refusal(
    library: CompiledLibrary, target: Target, data_bytes: int, tag_bytes: int = 0, block: int = 32
) -> Shown:
    """Any other tag is refused; see `prove_refusal` for what the code may branch on, and what may be left."""
    call = _MacCall(library, target, data_bytes, tag_bytes, block)
    (received,) = with_other_tags(call, call.messages)
    result = call.verify(received[data_bytes:])
    if not isinstance(result, int) or result == 0:
        raise NotProven(
            f"{target.name}, {target.backend}: mac_verify returned {said(result)} for another tag"
        )
    return call.shown()
