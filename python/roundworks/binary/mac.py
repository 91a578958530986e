"""The MACs of the compiled library proven equal to the description, for all inputs of given lengths."""

from __future__ import annotations

from .call import Call, NotProven, Shown, Target, parts_of
from .library import CompiledLibrary
from .proof import said, with_other_tags
from .words import SymbolicBytes


class _MacCall(Call):
    """Data given in increments. What the caller gives is nothing that must not be left; key and state are."""

    def __init__(self, library: CompiledLibrary, target: Target, data_bytes: int, tag_bytes: int) -> None:
        super().__init__(library, target, [(0, data_bytes)], tag_bytes, mac=True)
        (self.message,) = self.messages

    def begun(self, block: int) -> int:
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
        for part in parts_of(given.data, block):
            if result := m.call("roundworks_mac_update", handle, *self.given(part)):
                raise NotProven(f"{t.name}, {t.backend}: mac_update returned {said(result)}")
        return int(handle)

    def verify(self, handle: int, tag: SymbolicBytes) -> object:
        """The result for this tag."""
        return self.machine.known(self.machine.call("roundworks_mac_verify", handle, *self.given(tag)))


def prove_mac(
    library: CompiledLibrary, target: Target, data_bytes: int, tag_bytes: int = 0, block: int = 32
) -> Shown:
    """The tag of data that come in increments of about a block, for every key, nonce and data.

    Raises
    ------
    NotProven, NotFollowed, SecretBranch, SecretAddress
        what was not shown, and where
    """
    call = _MacCall(library, target, data_bytes, tag_bytes)
    handle, tag = call.begun(block), call.message.tag
    out = call.place(bytes(len(tag)))
    if result := call.machine.call("roundworks_mac_finish", handle, out, len(tag)):
        raise NotProven(f"{target.name}, {target.backend}: mac_finish returned {said(result)}")
    call.compare("tag", out, tag)
    return call.shown()


def prove_mac_verified(
    library: CompiledLibrary, target: Target, data_bytes: int, tag_bytes: int = 0, block: int = 32
) -> Shown:
    """The right tag is accepted."""
    call = _MacCall(library, target, data_bytes, tag_bytes)
    result = call.verify(call.begun(block), call.message.tag)
    if result != 0:
        raise NotProven(f"{target.name}, {target.backend}: mac_verify returned {said(result)}")
    return call.shown()


def prove_mac_refusal(
    library: CompiledLibrary, target: Target, data_bytes: int, tag_bytes: int = 0, block: int = 32
) -> Shown:
    """Any other tag is refused; see `prove_refusal` for what the code may branch on, and what may be left."""
    call = _MacCall(library, target, data_bytes, tag_bytes)
    handle = call.begun(block)
    (received,) = with_other_tags(call, call.messages)
    result = call.verify(handle, received[data_bytes:])
    if not isinstance(result, int) or result == 0:
        raise NotProven(
            f"{target.name}, {target.backend}: mac_verify returned {said(result)} for another tag"
        )
    return call.shown()
