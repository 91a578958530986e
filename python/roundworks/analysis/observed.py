"""The words of the state that the tag depends on, through all rounds that may follow.

A difference elsewhere is never seen by who opens a message, so an internal collision need not undo it. Dependence is
that of the recorded graph; what is added to itself cancels, and no other cancellation is looked for.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import Any

from ..errors import DescriptionError
from ..reference import StreamAead, record_round
from ..reference.graph import Recording
from ..reference.record import record_end
from ..reference.recordings import restricted

Terms = frozenset[Hashable]


def observed_words(cipher: StreamAead[Any]) -> tuple[int, ...]:
    """Which words of the state the tag depends on, after any number of rounds; all of them in most ciphers, and where
    a description is of a round alone.

    Raises
    ------
    DescriptionError
        Where the tag depends on none.
    """
    round_ = dependencies(record_round(cipher))
    if not hasattr(cipher, "key_bytes") or not hasattr(cipher, "tag_bytes"):
        return tuple(range(cipher.words))
    try:
        ends = dependencies(record_end(cipher))
    except NotImplementedError:  # no finalisation, or no tag
        return tuple(range(cipher.words))
    seen = {name for words in ends.values() for name in words if name.startswith("S")}
    if not seen:
        raise DescriptionError(
            f"{cipher.name}: the tag depends on no word of the state, so every message has the same one;"
            " want a tag of the state for a bound on collisions"
        )
    waiting = list(seen)
    while waiting:
        before = {name for name in round_[f"S'{waiting.pop()[1:]}"] if name.startswith("S")}
        waiting += before - seen
        seen |= before
    return tuple(sorted(int(name[1:]) for name in seen))


def observed_part(recording: Recording, cipher: StreamAead[Any]) -> tuple[Recording, tuple[int, ...]]:
    """Rounds without the next words that the tag does not depend on, and which words are left."""
    words = observed_words(cipher)
    if len(words) == cipher.words:
        return recording, words
    streams = [name for name in recording.outputs if name.startswith("Z")]
    return restricted(recording, [*(f"S'{i}" for i in words), *streams]), words


def said(cipher: StreamAead[Any], words: tuple[int, ...]) -> str:
    """What a method says of the words that are left out; "" where none are."""
    others = [f"S{i}" for i in range(cipher.words) if i not in words]
    return (
        f"; differences in {', '.join(others)} are left open, which the tag does not depend on"
        if others
        else ""
    )


def dependencies(recording: Recording) -> Mapping[str, frozenset[str]]:
    """For each output the inputs that it depends on, as the graph has it once equal words have cancelled."""
    names = {node: name for name, node in recording.inputs.items()}
    values: dict[int, Terms] = {}  # a word as a sum of what is no sum
    depends: dict[Hashable, frozenset[str]] = {}
    known: dict[Hashable, int] = {}
    for node in recording.graph.nodes:
        operands = [values[i] for i in node.inputs]
        if node.op == "xor":
            values[node.id] = operands[0] ^ operands[1]
            continue
        if node.op == "input":
            values[node.id] = frozenset({node.id})
            depends[node.id] = frozenset({names[node.id]})
            continue
        same = known.setdefault((node.op, node.detail, node.bits, *operands), node.id)
        values[node.id] = frozenset({same})
        depends[same] = frozenset(name for terms in operands for term in terms for name in depends[term])
    return {
        name: frozenset(source for term in values[node] for source in depends[term])
        for name, node in recording.outputs.items()
    }
