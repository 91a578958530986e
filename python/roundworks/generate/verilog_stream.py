"""What a streaming cipher does in each cycle of a core, as words of one sheet.

A phase of a message is a list of calls of a circuit, the *round*: of a sponge a round of its
permutation, else the cipher's update. What stands between two calls is a *map* of the state. Maps
that only add words that do not depend on the state are *feeds*: they cost a sum behind the round.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ..errors import DescriptionError
from ..lower.plan import Plan, plan
from ..lower.recorder import Recorder
from ..lower.steps import Segment, Step, is_round
from ..reference import Recording, StreamAead
from ..reference.aead import Rounds
from ..reference.graph import NodeWord
from .verilog_replay import ReplaySheet
from .verilog_rounds import Indexed, SpongeRecorder, one_variant

Words = dict[str, NodeWord]
ENDS = ("init", "finalise")
BLOCKS = ("absorb", "message", "last")
STEPS = ("ad_step", "msg_step", "last")
"""Signals of the core: in which phase a block is absorbed."""


@dataclass(frozen=True, slots=True)
class Phase:
    """Calls of the round and the map behind the last of them."""

    name: str
    calls: tuple[Segment, ...]
    end: Segment

    @property
    def cycles(self) -> int:
        """With a round in a cycle; a phase without rounds takes a cycle that only maps."""
        return max(1, len(self.calls))


@dataclass(frozen=True, slots=True)
class Map:
    """A map of the state where `flag` is high and the call that was is one of ``calls``, if there are
    any. ``feed``: ``words`` are added to the state; else they take its place, made of inputs M_0.. ."""

    flag: str
    calls: tuple[int, ...]
    feed: bool
    words: Mapping[int, NodeWord]


@dataclass
class Stream:
    """A cipher, its phases, and all words of its core on one sheet.

    Inputs of the sheet: the state S0.., the block X0.., lengths L0.., key K0.. and nonce N0.. as they
    are kept, RK0.. and RN0.. as the request has them, and the state behind the round A0.. .
    """

    cipher: StreamAead[Any]
    plan: Plan
    round: Recording
    constants: Indexed | None
    phases: dict[str, Phase]
    sheet: ReplaySheet = field(default_factory=ReplaySheet)
    given: Words = field(default_factory=dict)
    kept: dict[str, tuple[str, int, NodeWord]] = field(default_factory=dict)
    """Word that a phase keeps for later calls -> the phase and the call that make it, and what it is."""
    maps: list[Map] = field(default_factory=list)
    fronts: list[Map] = field(default_factory=list)
    """Maps in front of a call, of the state S0.. that the cycle begins with."""
    start: list[NodeWord] = field(default_factory=list)
    tag: list[NodeWord] = field(default_factory=list)
    keystream: list[NodeWord] = field(default_factory=list)

    @property
    def fused(self) -> bool:
        """Whether every block is taken by the round itself: then it adds the keystream too."""
        return self.constants is None and all(is_round(step) for step in (self.plan.absorb, self.plan.last))

    @property
    def passing(self) -> list[str]:
        """The phases without a round, but for that between the parts: the state passes the round by."""
        return [name for name in (*ENDS, *BLOCKS) if not self.phases[name].calls]

    def operands(self, phase: str, call: int) -> list[NodeWord]:
        """What a call of the round takes with the state."""
        given = self._given(phase)
        made = self.sheet.replay(self.phases[phase].calls[call].recording, given)
        # What is made for later calls is taken from where it is kept.
        again = {word.id: given[f"V{name[1:]}"] for name, word in self._kept_by(phase, call).items()}
        count = sum(name.startswith("X'") for name in made)
        return [again.get(made[f"X'{i}"].id, made[f"X'{i}"]) for i in range(count)]

    def front(self, phase: str) -> dict[int, NodeWord]:
        """Words of the state that the first call of a block's phase changes before the round."""
        one = self.phases[phase]
        made = self.sheet.replay((one.calls or (one.end,))[0].recording, self._given(phase))
        return _changed(made, [self.given[f"S{i}"] for i in range(self.cipher.words)])

    # -- how it is made ------------------------------------------------------------------------
    def learn(self) -> None:
        """Puts the inputs and every word that the core computes or keeps on the sheet."""
        described, size = self.cipher, self.cipher.word_bytes
        counts = {
            "S": described.words,
            "A": described.words,
            "X": described.rate_words,
            "L": len(self.plan.lengths),
            "K": described.key_bytes // size,
            "N": described.nonce_bytes // size,
            "RK": described.key_bytes // size,
            "RN": described.nonce_bytes // size,
        }
        for letter, count in counts.items():
            for i, word in enumerate(self.sheet.words(letter, count, described.word_bits)):
                self.given[f"{letter}{i}"] = word
        for phase in ENDS:
            self._keep(phase)
        self._start()
        self._maps()
        S = {f"S{i}": word for i, word in enumerate(self._finished())}
        self.tag = list(self.sheet.replay(self.plan.tag, {**self.given, **S}).values())
        self.keystream = list(self.sheet.replay(self.plan.keystream, self.given).values())

    def _start(self) -> None:
        """The state that is loaded: with what stands before the first round."""
        request = {**self.given, **{n[1:]: w for n, w in self.given.items() if n.startswith("R")}}
        loaded = self.sheet.replay(self.plan.load, request)
        state = [loaded[f"S'{i}"] for i in range(self.cipher.words)]
        calls = self.phases["init"].calls
        if calls and self._early("init", 0):
            given = {**request, **{f"S{i}": w for i, w in enumerate(state)}}
            made = self.sheet.replay(calls[0].recording, {**given, **self._kept_words("init")})
            state = [made[f"S'{i}"] for i in range(self.cipher.words)]
        self.start = state

    def _maps(self) -> None:
        """In the order in which they apply in one cycle."""
        for name, flag in (("init", "init"), ("finalise", "finish"), *zip(BLOCKS, STEPS, strict=True)):
            for call in range(1, len(self.phases[name].calls)):
                if name in BLOCKS or self._early(name, call):
                    self._add(name, self.phases[name].calls[call], flag, call - 1)
        self._add("init", self.phases["init"].end, "leave_init")
        for name, flag in zip(BLOCKS, STEPS, strict=True):
            if self.phases[name].calls:
                self._add(name, self.phases[name].end, f"{flag} & step_end")
        self._add("separate", self.phases["separate"].end, "leave_ad")
        calls = self.phases["finalise"].calls
        if calls and self._early("finalise", 0):
            self._add("finalise", calls[0], "enter_final")

    def _add(self, phase: str, segment: Segment, flag: str, call: int | None = None) -> None:
        given, words = self._given(phase), self.cipher.words
        A = [self.given[f"A{i}"] for i in range(words)]
        made = self.sheet.replay(segment.recording, {**given, **{f"S{i}": w for i, w in enumerate(A)}})
        changed = _changed(made, A)
        if not changed:
            return
        feed = {i: _without(word, A[i], {a.id for a in A}) for i, word in changed.items()}
        result = {i: word for i, word in feed.items() if word is not None}
        calls = () if call is None else (call,)
        if len(result) < len(changed):
            # Of a map that is more than a sum, the state before it has names of its own.
            B = self.sheet.words(f"M{len(self.maps)}_", words, self.cipher.word_bits)
            self.given |= {f"M{len(self.maps)}_{i}": word for i, word in enumerate(B)}
            made = self.sheet.replay(segment.recording, {**given, **{f"S{i}": w for i, w in enumerate(B)}})
            self.maps.append(Map(flag, calls, False, _changed(made, B)))
            return
        last = self.maps[-1] if self.maps else None
        if last and last.feed and last.flag == flag and _ids(last.words) == _ids(result):
            self.maps[-1] = Map(flag, last.calls + calls, True, result)
        else:
            self.maps.append(Map(flag, calls, True, result))

    def _finished(self) -> list[NodeWord]:
        """The state that the tag is read from: what stands behind the last round is applied there."""
        end = self.phases["finalise"].end
        made = self.sheet.replay(end.recording, self._given("finalise"))
        return [made[f"S'{i}"] for i in range(self.cipher.words)]

    def _keep(self, phase: str) -> None:
        flag = "init" if phase == "init" else "finish"
        for call, segment in enumerate(self.phases[phase].calls):
            names = [name for name in segment.recording.outputs if name.startswith("V")]
            if not names:
                continue
            for name in names:
                key = f"{phase[0]}{name[1:-1]}"
                self.given[f"V{key}"] = self.sheet.graph_input(f"V{key}", self.cipher.word_bits)
            made = self.sheet.replay(segment.recording, self._given(phase))
            for name in names:
                self.kept[f"{phase[0]}{name[1:-1]}"] = (flag, call, made[name])

    def _kept_by(self, phase: str, call: int) -> Words:
        """What this call makes for later ones: ``Vf0`` -> word."""
        names = [n for n in self.phases[phase].calls[call].recording.outputs if n.startswith("V")]
        return {f"V{phase[0]}{n[1:-1]}": self.kept[f"{phase[0]}{n[1:-1]}"][2] for n in names}

    def _kept_words(self, phase: str) -> Words:
        return {f"V{name[2:]}": word for name, word in self.given.items() if name.startswith(f"V{phase[0]}")}

    def _given(self, phase: str) -> Words:
        return {**self.given, **self._kept_words(phase)}

    def _early(self, phase: str, call: int) -> bool:
        """Whether the map before a call may be applied a cycle earlier, behind the call before it: not
        if the call also takes words as they were, nor if the lengths are not known by then: a cycle may be
        that of the last block. Then the map stays in front of the round."""
        segment = self.phases[phase].calls[call]
        made = self.sheet.replay(segment.recording, self._given(phase))
        S = [self.given[f"S{i}"] for i in range(self.cipher.words)]
        changed = _changed(made, S)
        moving = {S[i].id for i in changed}
        known = phase == "init" or call > 0 or not uses(list(changed.values()), self.given, "L")
        if known and not any(_cone(word) & moving for name, word in made.items() if not name.startswith("S")):
            return True
        self.fronts.append(Map("init" if phase == "init" else "finish", (call,), False, changed))
        return False


def learn(cipher: StreamAead[Any]) -> Stream:
    """A streaming cipher, or a sponge, as what its core does."""
    sponge = isinstance(cipher, Rounds)
    recorder = (SpongeRecorder if sponge else Recorder)(cipher)
    learned = plan(cipher, type(recorder))
    message = recorder.step("update", lambda it, w: it.update(list(w.S), list(w.X)))
    constants = recorder.rounds if isinstance(recorder, SpongeRecorder) else None
    one = one_variant(constants, cipher.name) if constants else learned.update
    phases = {
        "init": learned.init,
        "absorb": learned.absorb,
        "separate": learned.separate,
        "message": message,
        "last": learned.last,
        "finalise": learned.finalise,
    }
    result = Stream(cipher, learned, one, constants, {n: _phase(n, s) for n, s in phases.items()})
    if result.phases["separate"].calls:
        raise DescriptionError(f"{cipher.name}: separate: calls the round; no core is made of that")
    for name in BLOCKS:
        if any(
            output.startswith("V") for call in result.phases[name].calls for output in call.recording.outputs
        ):
            raise DescriptionError(
                f"{cipher.name}: {name}: takes words from before a round behind it; no core is made of that"
            )
    result.learn()
    return result


def _phase(name: str, step: Step) -> Phase:
    segments = [s for loop in step for _ in range(loop.times) for s in loop.segments]
    return Phase(name, tuple(segments[:-1]), segments[-1])


def _changed(made: Mapping[str, NodeWord], S: Sequence[NodeWord]) -> dict[int, NodeWord]:
    return {i: made[f"S'{i}"] for i in range(len(S)) if made[f"S'{i}"].id != S[i].id}


def _ids(words: Mapping[int, NodeWord]) -> dict[int, int]:
    return {i: word.id for i, word in words.items()}


def _without(word: NodeWord, state: NodeWord, moving: set[int]) -> NodeWord | None:
    """What is added to a word of the state, if the rest does not depend on the state."""
    nodes = word.graph.nodes
    terms: list[int] = []
    todo = [word.id]
    while todo:
        node = nodes[todo.pop()]
        if node.op == "xor" and node.unit is None:
            todo += reversed(node.inputs)
        else:
            terms.append(node.id)
    if terms.count(state.id) != 1:
        return None
    terms.remove(state.id)
    if not terms or any(_cone(NodeWord(word.graph, term, word.bits)) & moving for term in terms):
        return None
    made = NodeWord(word.graph, terms[0], word.bits)
    for term in terms[1:]:
        made = made ^ NodeWord(word.graph, term, word.bits)
    return made


def _cone(word: NodeWord) -> set[int]:
    """Every node that a word is made of."""
    seen: set[int] = set()
    todo = [word.id]
    while todo:
        node = todo.pop()
        if node not in seen:
            seen.add(node)
            todo += word.graph.nodes[node].inputs
    return seen


def uses(words: Sequence[NodeWord], given: Mapping[str, NodeWord], letter: str) -> bool:
    """Whether one of the words depends on an input of that letter."""
    wanted = {word.id for name, word in given.items() if name.rstrip("0123456789") == letter}
    return any(_cone(word) & wanted for word in words)
