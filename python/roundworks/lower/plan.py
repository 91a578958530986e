"""What a message of a streaming cipher executes, learned from its description alone.

A description is Python over abstract words; a program needs data: which rounds, on which words, how
lengths and padding enter. `plan` runs every step on recording words. Where a step calls ``update``
it is cut, so that the round is lowered once: a step is a list of segments, each of which makes a
state and a block and then calls the round. Lengths are Python integers to a description; their
encoding is learned by running ``finalise`` on chosen lengths, and checked on others.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ..errors import DescriptionError
from ..reference import Graph, Recording, StreamAead
from .lengths import finalise_steps
from .recorder import Recorder
from .steps import LengthWord, Padding, Step

_FIXED = ("process", "seal", "open", "start", "split", "join", "encrypt", "decrypt", "blocks", "parts")


@dataclass(frozen=True, slots=True)
class Plan:
    """A streaming cipher as data: sizes are those of ``cipher``."""

    cipher: StreamAead[Any]
    load: Recording
    update: Recording
    keystream: Recording
    seal: Recording
    """A whole block of message: words Z0.. of ciphertext and the state behind it."""
    open: Recording
    init: Step
    absorb: Step
    separate: Step
    last: Step
    finalise: Step
    tag: Recording
    lengths: tuple[LengthWord, ...]
    length_bits: tuple[int, int]
    """Of the longest lengths, of associated data and of message, that fit the words made of them."""
    ad_padding: Padding
    message_padding: Padding


def plan(cipher: StreamAead[Any], recorder: type[Recorder] | None = None) -> Plan:
    """Learn a description. `recorder` may cut steps elsewhere than at calls of ``update``.

    Raises
    ------
    DescriptionError
        ``toy: process: written anew; a program can be made where only steps are: load, init, ...``
    """
    if not isinstance(cipher, StreamAead):
        raise DescriptionError(
            f"{cipher.name}: want a streaming AEAD or a permutation; this is a mode of blocks"
        )
    for name in _FIXED:
        if getattr(type(cipher), name) is not getattr(StreamAead, name):
            raise DescriptionError(
                f"{cipher.name}: {name}: written anew; programs are made of descriptions that write"
                " load, init, absorb, separate, update, last, keystream, finalise, tag and padding only"
            )
    if type(cipher).domain is not StreamAead.domain:
        raise DescriptionError(
            f"{cipher.name}: domain: depends on lengths and places of blocks; a program is made where only"
            " finalise knows the lengths"
        )
    words = (recorder or Recorder)(cipher)
    update = words.whole("update", lambda w: cipher.update(list(w.S), list(w.X)), "S'")
    if all(update.inputs[f"S{i}"] == update.outputs[f"S'{i}"] for i in range(cipher.words)):
        raise DescriptionError(
            f"{cipher.name}: update: leaves every word of the state as it is; want a round that absorbs its block"
        )
    learned = finalise_steps(words)
    return Plan(
        cipher,
        load=words.whole("load", lambda w: [w.K[0].lift(x) for x in cipher.load(w.K, w.N)], "S'"),
        update=update,
        keystream=words.whole(
            "keystream",
            lambda w: [words.in_order(z) for z in cipher.keystream(list(w.S))],
            "Z",
            cipher.rate_words,
        ),
        seal=words.block("seal"),
        open=words.block("open"),
        init=words.step("init", lambda it, w: it.init(list(w.S), w.K, w.N)),
        absorb=words.step("absorb", lambda it, w: it.absorb(list(w.S), list(w.X))),
        separate=words.step("separate", lambda it, w: it.separate(list(w.S))),
        last=words.step("last", lambda it, w: it.last(list(w.S), list(w.X))),
        finalise=learned.finalise,
        tag=_tag(words, cipher),
        lengths=learned.words,
        length_bits=learned.bits,
        ad_padding=_padding(cipher, cipher.ad_blocks),
        message_padding=_message_padding(cipher),
    )


def _tag(recorder: Recorder, cipher: StreamAead[Any]) -> Recording:
    graph = Graph()
    words = recorder.words(graph)
    tag = [recorder.in_order(word) for word in cipher.tag(list(words.S))]
    size = cipher.word_bytes * len(tag)
    if size < cipher.tag_bytes:
        raise DescriptionError(f"{cipher.name}: tag: want at least {cipher.tag_bytes} bytes, got {size}")
    outputs = recorder.named("T", tag, len(tag), "tag")
    return Recording(cipher.name, "tag", graph, words.inputs, outputs)


def _padding(cipher: StreamAead[Any], blocks: Callable[[bytes], list[bytes]]) -> Padding:
    """The rule of ``blocks``, read off inputs of up to three blocks of a pattern."""
    rate = cipher.rate_bytes

    def tail(length: int) -> bytes:
        data = bytes(1 + i % 251 for i in range(length))
        joined = b"".join(blocks(data))
        if joined[:length] != data or len(joined) % rate:
            raise DescriptionError(
                f"{cipher.name}: blocks of {length} bytes: want them and padding up to a multiple of"
                f" {rate}, got {len(joined)} bytes"
            )
        return joined[length:]

    rule = Padding(tuple(tail(r) if r else b"" for r in range(rate)), tail(rate), tail(0))
    for length in range(rate + 1, 3 * rate + 1):
        want = rule.partial[length % rate] or (rule.full if length % rate == 0 else b"")
        if tail(length) != want:
            raise DescriptionError(
                f"{cipher.name}: padding of {length} bytes: depends on more than the last block"
            )
    return rule


def _message_padding(cipher: StreamAead[Any]) -> Padding:
    """As `StreamAead.process` pads a message: a padding of nothing is a block of its own."""
    rate = cipher.rate_bytes
    whole = cipher.padding(0)
    return Padding(tuple(cipher.padding(r) if r else b"" for r in range(rate)), whole, whole)
