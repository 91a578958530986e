"""Whether a step of a description computes the same whenever it runs.

A graph stands for a step only if the step goes by its arguments alone. So every step runs several times on
recording words, and what it wrote down is compared: a counter in ``self``, a global that changes and a random
number are seen, and a condition on a word is refused wherever one is reached.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any, ClassVar

from ..errors import DescriptionError
from .block import BlockCipher
from .graph import Graph, NodeWord
from .permutation import Permutation
from .record import disguised
from .stream import StreamAead, places

_ROUNDS = 16  # of a permutation that are looked at, and its last one


class StepError(DescriptionError):
    """An error of one step: ``step`` is its name."""

    def __init__(self, text: str, step: str) -> None:
        super().__init__(text)
        self.step = step


@contextmanager
def within(step: str) -> Iterator[None]:
    """Errors inside are of this step, where none inside of it has said so."""
    try:
        yield
    except StepError:
        raise
    except Exception as error:
        text = str(error) if isinstance(error, DescriptionError) else f"{type(error).__name__}: {error}"
        raise StepError(text, step).with_traceback(error.__traceback__) from error


class Steps:
    """What every step did when it ran first."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._first: dict[object, tuple[Sequence[object], list[str]]] = {}

    def same(self, step: str, key: object, graph: Graph, outputs: Sequence[NodeWord]) -> None:
        """Compare with the first run of the same ``key``; `StepError` if they differ."""
        made: list[object] = [(n.op, n.inputs, n.bits, n.detail) for n in graph.nodes]
        lines = [node.line for node in graph.nodes]
        made.append([word.id for word in outputs])
        first, where = self._first.setdefault((step, key), (made, lines))
        if made == first:
            return
        longer = lines if len(lines) >= len(where) else where
        at = next((i for i, (a, b) in enumerate(zip(made, first, strict=False)) if a != b), 0)
        line = f"{longer[at]}: " if at < len(longer) else ""
        raise StepError(
            f"{line}{step}: does not compute the same when it is called again; a step may go by its arguments"
            " alone, not by what it kept in self or in a global, nor by random numbers",
            step,
        )


def whole(words: Any, want: int, step: str) -> list[NodeWord]:
    """What a step returned; `StepError` unless it is a list of that many recorded words."""
    if words is None:
        raise StepError(f"{step}: want {want} words, got None; is its return missing?", step)
    if isinstance(words, str | bytes) or not isinstance(words, Sequence):
        raise StepError(f"{step}: want a list of {want} words, got {type(words).__name__}", step)
    if len(words) != want:
        raise StepError(f"{step}: want {want} words, got {len(words)}", step)
    for i, word in enumerate(words):
        if not isinstance(word, NodeWord):
            raise StepError(
                f"{step}: word {i}: want a word, got {type(word).__name__};"
                " constants belong in load, or XORed to a word",
                step,
            )
    return list(words)


def check_stream(cipher: StreamAead[Any]) -> None:
    """`StepError` unless every step of a streaming cipher records, and always the same."""
    steps = Steps(cipher.name)

    def run(name: str, step: Callable[..., Any], counts: Sequence[int], want: int) -> None:
        """A step on words of a graph of its own."""
        graph = Graph()
        given = [_inputs(graph, letter, n, cipher) for letter, n in zip("SX", counts, strict=False)]
        with within(name):
            made = whole(step(*given), want, name)
        steps.same(name, None, graph, made)

    state, rate = cipher.words, cipher.rate_words

    class Watched(type(cipher)):  # type: ignore[misc]
        """Each step is recorded alone wherever it is called, and gives new words there."""

        passed: ClassVar[list[NodeWord]] = []

        def _step(self, name: str, S: Any, X: Any = None, *more: Any, **named: Any) -> list[NodeWord]:
            step = getattr(super(), name)
            if more or named:  # a step with arguments of its own is recorded where it is called
                return whole(step(S, X, *more, **named), state, name)
            with within(name):
                given = whole(S, state, f"{name}: its state")
                block = [given[0].lift(x) for x in X or ()]
                whole(block, rate if X is not None else 0, f"{name}: its block")
            self.passed.extend([*given, *block])
            counts = (state, rate)[: 1 if X is None else 2]
            want = rate if name == "keystream" else state
            run(name, step, counts, want)
            return _inputs(given[0].graph, f"{name}.", want, cipher)

        def update(self, S: Any, X: Any, *more: Any, **named: Any) -> Any:
            return self._step("update", S, X, *more, **named)

        def absorb(self, S: Any, X: Any, *more: Any, **named: Any) -> Any:
            return self._step("absorb", S, X, *more, **named)

        def last(self, S: Any, X: Any, *more: Any, **named: Any) -> Any:
            return self._step("last", S, X, *more, **named)

        def keystream(self, S: Any) -> Any:
            return self._step("keystream", S)

        def separate(self, S: Any) -> Any:
            return self._step("separate", S)

    Watched.__name__ = type(cipher).__name__  # as errors have it
    it, rate_bytes = disguised(cipher, Watched), cipher.rate_bytes
    graph = Graph()
    S, X = _inputs(graph, "S", state, cipher), _inputs(graph, "X", rate, cipher)
    it.update(S, X)  # first, as an error in these is the most likely
    it.keystream(S)
    for sizes in ((0, 0), (1, rate_bytes), (rate_bytes, 2 * rate_bytes + 1)):
        for _ in range(2):
            _message(it, steps, *sizes)


def _message(it: Any, steps: Steps, ad: int, message: int) -> None:
    """Everything of one message, with ``ad`` and ``message`` bytes."""
    graph, size = Graph(), it.word_bytes
    it.passed.clear()
    K = _inputs(graph, "K", -(-it.key_bytes // size), it)
    N = _inputs(graph, "N", -(-it.nonce_bytes // size), it)
    X = _inputs(graph, "X", it.rate_words, it)
    with within("load"):
        loaded = it.load(K, N)
        S = whole(loaded and [K[0].lift(word) for word in loaded], it.words, "load")
    with within("init"):
        S = whole(it.init(S, K, N), it.words, "init")
    for name, parts in (("absorb", it.ad_blocks(bytes(ad))), ("update", it.parts(bytes(message)))):
        at = places([len(part) for part in parts], ad, message, message_block=name == "update")
        for place in at:
            if place.message_block:
                it.keystream(S)
            S = (it.last if place.message_block and place.last else getattr(it, name))(S, X)
            with within("domain"):
                S = whole(it.domain(S, place), it.words, "domain")
        if name == "absorb":
            S = it.separate(S)
    with within("finalise"):
        S = whole(it.finalise(S, K, 8 * ad, 8 * message), it.words, "finalise")
    ends = [*it.passed, *S]
    with within("tag"):
        tag = it.tag(S)
        ends += whole(tag, -(-it.tag_bytes // size) if tag is None else len(tag), "tag")
    steps.same("message", (ad, message), graph, ends)


def steps_of(it: Permutation[Any]) -> Iterator[tuple[str, Callable[[list[Any]], Sequence[Any]]]]:
    """The steps of a permutation one by one; of many rounds the first ones."""
    if type(it).first is not Permutation.first:
        yield "first", it.first
    for i in range(min(it.rounds, _ROUNDS)):
        yield "round", partial(_round, it, i)
    if type(it).last is not Permutation.last:
        yield "last", lambda S: it.last(S, it.rounds - 1)


def _round(it: Permutation[Any], i: int, S: list[Any]) -> Sequence[Any]:
    return it.round(S, i)


def check_rounds(it: Permutation[Any] | BlockCipher[Any]) -> None:
    """`StepError` unless rounds of a permutation or block cipher record, and always the same."""
    steps = Steps(it.name)
    if isinstance(it, Permutation):
        for _ in range(2):
            for number, (name, step) in enumerate(steps_of(it)):
                graph = Graph()
                with within(name):
                    made = whole(step(_inputs(graph, "S", it.words, it)), it.words, name)
                steps.same(name, number, graph, made)
        return
    for one in (it.of_rounds(1), it.of_rounds(2)):
        for _ in range(2):
            graph = Graph()
            K = [graph.input(f"K{i}", bits) for i, bits in enumerate(one.key_widths)]
            with within("schedule"):
                subkeys = one.subkeys(K)
            with within("encrypt"):
                made = whole(one.encrypt(_inputs(graph, "S", it.words, it), subkeys), it.words, "encrypt")
            steps.same("encrypt", one.rounds, graph, made)


def _inputs(graph: Graph, letter: str, count: int, cipher: Any) -> list[NodeWord]:
    return [graph.input(f"{letter}{i}", cipher.word_bits) for i in range(count)]
