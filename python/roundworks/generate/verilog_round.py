"""What a streaming core is written from, its package and its round."""

from __future__ import annotations

from collections.abc import Sequence

from ..reference import Recording
from . import names
from .verilog_blocks import mask_function, pad_function, pad_mode
from .verilog_graph import Body, CoreDesign
from .verilog_permutation import constants_function, round_module, words_function
from .verilog_replay import ReplaySheet
from .verilog_stream import BLOCKS, ENDS, Map, Stream, uses
from .verilog_text import header
from .verilog_unrolled import MOST_BYTES, MOST_ROUNDS, Slots


class RoundWriter:
    """A stream, its sizes, and the wires of the words of its sheet."""

    body: Body
    slot: Slots

    def __init__(self, stream: Stream) -> None:
        self.stream, self.it = stream, stream.cipher
        described = self.it
        self.design = CoreDesign(names.identifier(described.name, "verilog"), described.name)
        self.name, self.bits = self.design.prefix, described.word_bits
        self.rate, self.rate_bits = described.rate_bytes, 8 * described.rate_bytes
        self.count = (described.rate_bytes - 1).bit_length() + 1  # bits of a count of bytes
        self.tag_bits = 8 * described.tag_bytes
        self.ad_mode = pad_mode(described, "associated data", stream.plan.ad_padding)
        self.msg_mode = pad_mode(described, "a message", stream.plan.message_padding)
        cycles = [phase.cycles for name, phase in stream.phases.items() if name != "separate"]
        calls = [len(p.calls) for p in stream.phases.values() if p.calls]
        self.rounds = [1]
        if stream.constants and self._several():
            self.rounds = [r for r in range(1, max(calls) + 1) if all(c % r == 0 for c in calls)]
        self.slots = stream.fused and self._several() and self._takes_slots()
        if self.slots:
            self.rounds = [r for r in range(1, MOST_ROUNDS + 1) if r * self.rate <= MOST_BYTES]
            self.slots = len(self.rounds) > 1
        self.width = max(1, max(cycles).bit_length())
        self.keeps = {letter: self._kept_late(letter) for letter in "KN"}
        self.names = self._names()
        self.feeds = self._feeds()
        self.unused: list[str] = []
        self.padded = any(any(p) for p in stream.plan.ad_padding.partial) or any(
            any(p) for p in stream.plan.message_padding.partial
        )

    def _several(self) -> bool:
        """Whether a cycle may have several rounds: what takes the state in front of a round takes it in front
        of the first one of a phase, where a cycle begins."""
        s = self.stream
        late = [call for one in s.fronts for call in one.calls] + [call for _, call, _ in s.kept.values()]
        return not any(late) and not any(one.calls for one in s.maps)

    def _takes_slots(self) -> bool:
        """Whether several blocks may be absorbed in a cycle: what stands between rounds stands between
        phases, only the first round of a phase absorbs words of the state, and both parts are padded in one way."""
        s, padding = self.stream, (self.stream.plan.ad_padding, self.stream.plan.message_padding)
        if not all(one.feed for one in s.maps) or s.passing:
            return False
        # Of the rounds of a cycle only the first has the state that a register has.
        later = [(name, call) for name in ENDS for call in range(1, len(s.phases[name].calls))]
        if any(uses(s.operands(name, call), s.given, "S") for name, call in later):
            return False
        return self.ad_mode == self.msg_mode and padding[0].partial == padding[1].partial

    def _kept_late(self, letter: str) -> bool:
        """Whether key or nonce is wanted when the request is gone."""
        s = self.stream
        late = [
            w for m in (*s.maps, *s.fronts) if m.flag not in ("init", "leave_init") for w in m.words.values()
        ]
        late += s.tag + [word for flag, _, word in s.kept.values() if flag == "finish"]
        for phase in ("finalise", *BLOCKS):
            for call in range(len(s.phases[phase].calls)):
                late += s.operands(phase, call)
        for phase in BLOCKS:
            late += s.front(phase).values()
        return uses(late, s.given, letter)

    def _names(self) -> dict[int, str]:
        """Node -> wire of every input of the sheet."""
        s, result = self.stream, dict[int, str]()
        kept = {f"V{key}": f"v[{i}]" for i, key in enumerate(s.kept)}
        for name, word in s.given.items():
            letter, number = name.rstrip("0123456789"), name[len(name.rstrip("0123456789")) :]
            if name in kept:
                result[word.id] = kept[name]
            elif letter in self.keeps:
                result[word.id] = f"{'' if self.keeps[letter] else 'req_'}{letter.lower()}[{number}]"
            elif letter in ("RK", "RN"):
                result[word.id] = f"req_{letter[1].lower()}[{number}]"
            else:
                result[word.id] = f"{letter.lower().rstrip('_')}[{number}]"
        return result

    def _feeds(self) -> list[Map]:
        """The maps that the round adds, if it is the fused one: those before any that is no sum."""
        result = list[Map]()
        if self.stream.fused and self.stream.passing:  # what passes the round by is mapped behind it
            return result
        for one in self.stream.maps:
            if not one.feed:
                break
            result.append(one)
        return result

    @property
    def _fed(self) -> list[int]:
        return sorted({i for one in self.feeds for i in one.words})

    def _package(self) -> None:
        cipher, plan = self.it, self.stream.plan
        lines = [f"package {self.name}_pkg;"]
        sizes = {cipher.key_bytes, cipher.nonce_bytes, self.rate, self._tag_words * cipher.word_bytes}
        for size in sorted(sizes):
            lines += ["", *words_function(cipher.word_bytes, size)]
        lines += ["", *mask_function(self.rate, self.count)]
        if self.padded:
            same = plan.ad_padding.partial == plan.message_padding.partial
            for name, padding in (("pad", plan.message_padding), ("pad_ad", plan.ad_padding)):
                if name == "pad" or not same:
                    lines += ["", *pad_function(name, padding, self.rate, self.count)]
        if self.stream.constants:
            lines += ["", *constants_function(self.stream.constants, self.bits, self._number_width)]
        self.design.add(
            f"{self.name}_pkg",
            f"What the modules of {cipher.name} share. Byte i of a port is bits [8*i+7:8*i]; word i of a state is"
            f" bits [{self.bits}*i+:{self.bits}], a number as in the description.",
            [*lines, "", "endpackage"],
        )

    @property
    def _tag_words(self) -> int:
        return -(-self.it.tag_bytes // self.it.word_bytes)

    @property
    def _number_width(self) -> int:
        assert self.stream.constants is not None
        return len(self.stream.constants.constants).bit_length()

    def _round(self) -> None:
        module, s = f"{self.name}_round", self.stream
        if not s.fused:
            letters = [("s", "state_i", self.it.words)]
            if s.constants is None:
                letters.append(("x", "block_i", self.it.rate_words))
            elif s.constants.operands:
                letters.append(("c", "constants_i", s.constants.operands))
            about = f"The round of {self.it.name}. Combinational."
            round_module(self.design, module, about, s.round, letters)
            return
        recording = fused_round(s, self._fed)
        about = (
            f"The round of {self.it.name}, and its keystream. Combinational.\n"
            "Decrypting, a block of plaintext is ciphertext and keystream: block_i has the former, stream_i"
            " ones where the keystream is added to it, so that what is there early does not wait."
        )
        graph, cipher = recording.graph, self.it
        shown = {"S": "s", "B": "block", "M": "stream", "E": "feed"}
        names = {n: f"{shown[name[0]]}[{name[1:]}]" for name, n in recording.inputs.items()}
        body = Body(self.design, graph, names, list(recording.outputs.values()))
        for i in range(cipher.rate_words):
            body.assign(f"z[{i}]", recording.outputs[f"Z{i}"])
        for i in range(cipher.words):
            body.assign(f"state[{i}]", recording.outputs[f"S'{i}"])
        sizes = {
            "s": cipher.words,
            "block": cipher.rate_words,
            "stream": cipher.rate_words,
            "feed": len(self._fed),
        }
        ports = {"s": "state_i", "block": "block_i", "stream": "stream_i", "feed": "feed_i"}
        about_port = {
            "block": "X, but for the keystream's part of it",
            "stream": "the bits of the keystream that are wanted",
            "feed": f"added to {', '.join(f'S_{i}' for i in self._fed)}",
        }
        there = [letter for letter in sizes if sizes[letter]]
        listed = [
            f"input  logic [{self.bits * sizes[letter] - 1}:0] {ports[letter]}"
            + (f"  // {about_port[letter]}" if letter in about_port else "")
            for letter in there
        ]
        listed += [f"output logic [{self.rate_bits - 1}:0] keystream_o"]
        listed += [f"output logic [{self.bits * cipher.words - 1}:0] state_o"]
        lines = [f"  logic [{sizes[letter] - 1}:0][{self.bits - 1}:0] {letter};" for letter in there]
        lines += [f"  logic [{cipher.rate_words - 1}:0][{self.bits - 1}:0] z;"]
        lines += [f"  logic [{cipher.words - 1}:0][{self.bits - 1}:0] state;", *body.declarations(), ""]
        lines += [f"  assign {letter} = {ports[letter]};" for letter in there]
        lines += ["  assign keystream_o = z;", "  assign state_o = state;", ""]
        parameters = [f"int {form} = 0" for form in body.forms]
        text = [*header(module, parameters, listed), *lines, *body.statements, "endmodule"]
        self.design.add(module, about, text)
        self.design.forms[module] = body.forms


def fused_round(stream: Stream, fed: Sequence[int]) -> Recording:
    """The round on S with the block B ^ (Z & M), Z being the keystream; E0.. added to words `fed`."""
    described, sheet = stream.cipher, ReplaySheet()
    counts = {"S": described.words, "B": described.rate_words, "M": described.rate_words, "E": len(fed)}
    given = {
        f"{letter}{i}": word
        for letter, count in counts.items()
        for i, word in enumerate(sheet.words(letter, count, described.word_bits))
    }
    z = list(sheet.replay(stream.plan.keystream, given).values())
    block = {f"X{i}": given[f"B{i}"] ^ (z[i] & given[f"M{i}"]) for i in range(described.rate_words)}
    made = list(sheet.replay(stream.round, {**given, **block}).values())
    for at, i in enumerate(fed):
        made[i] = made[i] ^ given[f"E{at}"]
    outputs = {f"S'{i}": word.id for i, word in enumerate(made)} | {f"Z{i}": w.id for i, w in enumerate(z)}
    inputs = {name: word.id for name, word in given.items()}
    return Recording(described.name, "round", sheet.graph, inputs, outputs)
