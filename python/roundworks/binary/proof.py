"""Functions of the compiled library proven equal to the description, for all inputs of given lengths.

Key, nonce, associated data and message are symbols. The description is computed on them, then the machine
code is executed on them; both must leave the same forms. Nothing is sampled, and no solver is needed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ..reference.permutation import Permutation
from .call import Call, Opened, no_back_end, unequal
from .call import NotProven as NotProven
from .call import Shown as Shown
from .call import Target as Target
from .described import Message
from .features import CPUS
from .forms import Bits, Symbols
from .generated import GeneratedCall, chosen
from .library import CompiledLibrary
from .machine import Processor
from .one_call import OneCall
from .words import SymbolicBytes, SymbolicNumber


@dataclass(frozen=True, slots=True)
class Way:
    """How a message is given: in increments of about a ``block`` if that has bytes; to be sealed or opened
    ``in_place``; with its key, in ``one_call``."""

    block: int = 0
    in_place: bool = False
    one_call: bool = False


APART = Way()
"""In a whole, by a handle, with an output elsewhere."""


def said(value: object) -> str:
    """A result, as an error has it."""
    return str(value) if isinstance(value, int) else "what depends on a secret"


def call_of(
    library: CompiledLibrary,
    target: Target,
    sizes: Sequence[tuple[int, int]],
    tag_bytes: int,
    way: Way = APART,
) -> Call:
    """A call of the core's library, or of generated C if the description is one of its own."""
    kind = GeneratedCall if target.cipher is not None else OneCall if way.one_call else Call
    return kind(library, target, sizes, tag_bytes, in_place=way.in_place)


def prove_seal(
    library: CompiledLibrary,
    target: Target,
    ad_bytes: int,
    data_bytes: int,
    tag_bytes: int = 0,
    way: Way = APART,
) -> Shown:
    """Sealing a message of these lengths, for every key, nonce, associated data and message.

    Raises
    ------
    NotProven, NotFollowed, SecretBranch, SecretAddress
        what was not shown, and where
    """
    call = call_of(library, target, [(ad_bytes, data_bytes)], tag_bytes, way)
    (message,) = call.messages
    handle = call.start()
    block = way.block
    sealed = call.seal_incrementally(handle, message, block) if block else call.seal(handle, message)
    call.compare_sealed(message, sealed)
    return call.finish(handle)


def prove_open(
    library: CompiledLibrary,
    target: Target,
    ad_bytes: int,
    data_bytes: int,
    tag_bytes: int = 0,
    way: Way = APART,
) -> Shown:
    """Opening what the description sealed gives the message, for every key, nonce, data and message."""
    call = call_of(library, target, [(ad_bytes, data_bytes)], tag_bytes, way)
    (message,) = call.messages
    handle = call.start()
    opened = _opened(call, handle, message, message.ciphertext + message.tag, way.block)
    if opened.result != 0 or opened.data_bytes != data_bytes:
        raise NotProven(
            f"{target.name}, {target.backend}: open returned {said(opened.result)},"
            f" {said(opened.data_bytes)} bytes"
        )
    call.compare("message", opened.out, message.data)
    return call.finish(handle)


def _opened(call: Call, handle: int, message: Message, received: SymbolicBytes, block: int) -> Opened:
    if block:
        return call.open_incrementally(handle, message, received, block)
    return call.open(handle, message, received)


def with_other_tags(call: Call, messages: Sequence[Message]) -> list[SymbolicBytes]:
    """These messages sealed, each with any other tag than its own. The code may branch on whether a tag is right, and
    return what depends on that."""
    symbols, received, conditions = call.symbols, [], call.machine.assumed
    for message in messages:
        other = SymbolicBytes.unknown(len(message.tag), symbols)
        conditions.add(symbols.any_of([bit for part in other ^ message.tag for bit in part]))
        received.append(message.ciphertext + other)
        call.public -= set(map(tuple, message.tag))
        call.public |= set(map(tuple, other))
    call.public |= {(condition,) for condition in conditions}  # the result says it
    return received


def prove_refusal(
    library: CompiledLibrary,
    target: Target,
    ad_bytes: int,
    data_bytes: int,
    tag_bytes: int = 0,
    way: Way = APART,
) -> Shown:
    """Opening with any other tag is refused, for every key, nonce, data, message and tag that is not the right one.

    The code may branch on one thing, whether any bit of the tag differs. Zeros must be left where the message would be,
    and neither of it nor of the right tag may anything be left elsewhere, which is counted.
    """
    call = call_of(library, target, [(ad_bytes, data_bytes)], tag_bytes, way)
    (message,) = call.messages
    handle = call.start()
    (received,) = with_other_tags(call, call.messages)
    opened = _opened(call, handle, message, received, way.block)
    if not isinstance(opened.result, int) or opened.result == 0 or opened.data_bytes != 0:
        raise NotProven(
            f"{target.name}, {target.backend}: open returned {said(opened.result)} for another tag"
        )
    call.compare("output after another tag", opened.out, bytes(opened.space))
    return call.finish(handle)


def prove_seal_many(
    library: CompiledLibrary, target: Target, sizes: Sequence[tuple[int, int]], tag_bytes: int = 0
) -> Shown:
    """Sealing messages with these (bytes of associated data, of data) in one call."""
    call = call_of(library, target, sizes, tag_bytes)
    messages = call.messages
    handle = call.start()
    for i, (message, sealed) in enumerate(zip(messages, call.seal_many(handle, messages), strict=True)):
        call.compare_sealed(message, sealed, f" of message {i}")
    return call.finish(handle)


def prove_open_many(
    library: CompiledLibrary, target: Target, sizes: Sequence[tuple[int, int]], tag_bytes: int = 0
) -> Shown:
    """Opening in one call what the description sealed of these (bytes of associated data, of data)."""
    call = Call(library, target, sizes, tag_bytes)
    messages = call.messages
    m, handle = call.machine, call.start()
    sealed = [one.ciphertext + one.tag for one in messages]
    spaces = [m.call("roundworks_opened_bytes", handle, len(data)) for data in sealed]
    at, outs = call.table(list(zip(messages, sealed, spaces, strict=True)))
    refused = call.place(bytes(8))
    result = m.call("roundworks_open_many", handle, at, len(messages), refused)
    if result != 0 or m.read(refused, 8) != 0:
        raise NotProven(f"{target.name}, {target.backend}: open_many returned {result}")
    for i, (message, out) in enumerate(zip(messages, outs, strict=True)):
        if call.opened(at, i) != (len(message.data), 0):
            raise NotProven(
                f"{target.name}, {target.backend}: message {i} of open_many: {call.opened(at, i)}"
            )
        call.compare(f"message {i}", out, message.data)
    return call.finish(handle)


def prove_refusal_many(
    library: CompiledLibrary, target: Target, sizes: Sequence[tuple[int, int]], tag_bytes: int = 0
) -> Shown:
    """Opening in one call messages of which every second one has any other tag: these are refused, as by
    `prove_refusal`, and the others are opened."""
    call = Call(library, target, sizes, tag_bytes)
    messages = call.messages
    m, handle = call.machine, call.start()
    sealed = [one.ciphertext + one.tag for one in messages]
    sealed[1::2] = with_other_tags(call, messages[1::2])
    spaces = [m.call("roundworks_opened_bytes", handle, len(data)) for data in sealed]
    at, outs = call.table(list(zip(messages, sealed, spaces, strict=True)))
    refused = call.place(bytes(8))
    result = m.call("roundworks_open_many", handle, at, len(messages), refused)
    if not isinstance(result, int) or result == 0 or m.read(refused, 8) != len(messages) // 2:
        raise NotProven(
            f"{target.name}, {target.backend}: open_many returned {result}, {m.read(refused, 8)} refused"
        )
    for i, (message, out, space) in enumerate(zip(messages, outs, spaces, strict=True)):
        is_right = i % 2 == 0
        size, verdict = call.opened(at, i)
        if size != (len(message.data) if is_right else 0) or verdict != (0 if is_right else result):
            raise NotProven(
                f"{target.name}, {target.backend}: message {i} of open_many: {call.opened(at, i)}"
            )
        call.compare(f"message {i}", out, message.data if is_right else bytes(space))
    return call.finish(handle)


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
    address = m.place(bytes(len(data)))
    for i, part in enumerate(data):
        m.write_bits(address + i, part)
    if target.permutation is not None:
        prefix = chosen(m, target)
        m.call(f"{prefix}_permute", address, address, blocks)
    else:
        handle = m.call(
            "roundworks_permutation_new",
            m.place(target.name.encode() + b"\0"),
            m.place(target.backend.encode() + b"\0"),
        )
        if not handle:
            raise no_back_end(target)
        result = m.call("roundworks_permute", handle, address, len(data))
        if result != 0:
            raise NotProven(f"{target.name}, {target.backend}: permute returned {result}")
    for i, right in enumerate(want):
        actual = symbols.settled(m.read_bits(address + i, 1))
        if actual != right:
            raise unequal(target, symbols, f"byte {i}", *actual)
    return Shown(m.count, symbols.count)
