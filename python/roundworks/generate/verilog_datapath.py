"""The state of a streaming core: its rounds, and the maps in front of them and behind."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ..errors import DescriptionError
from ..reference.graph import NodeWord
from .verilog_absorb import AbsorbWriter
from .verilog_stream import BLOCKS, ENDS, STEPS, Map
from .verilog_text import wrapped
from .verilog_unrolled import chain

_FLAGS = dict(zip((*ENDS, *BLOCKS), ("init", "finish", *STEPS), strict=True))


class DatapathWriter(AbsorbWriter):
    """Statements of a core from the round to the state."""

    def _flag(self, one: Map, number: int) -> tuple[str, list[str]]:
        """A wire that is high where a map applies, and its statements."""
        flag = one.flag
        if one.calls:
            phase = "init" if flag == "init" else "finalise" if flag == "finish" else ""
            total = len(self.stream.phases[phase].calls) if phase else 0
            if len(self.rounds) > 1:
                raise DescriptionError(
                    f"{self.it.name}: {flag}: changes the state between rounds of a permutation; no core is"
                    " made of that"
                )
            if phase and one.calls == tuple(range(total - 1)):
                flag = f"{flag} & (count != {self.width}'d{total - 1})"
            else:
                flag = f"{flag} & {self._at(one.calls)}"
        if flag.isidentifier():
            return flag, []
        return f"map_{number}", [f"  logic map_{number};", f"  assign map_{number} = {flag};"]

    def _feed(self) -> list[str]:
        """What is added behind the round."""
        lines: list[str] = []
        terms: dict[int, list[str]] = {i: [] for i in self._fed}
        for number, one in enumerate(self.feeds):
            flag, more = self._flag(one, number)
            lines += more
            # A key half that is added to several words is gated once.
            gates: dict[int, str] = {}
            targets: dict[str, NodeWord] = {}
            for word in one.words.values():
                if word.id not in gates:
                    gates[word.id] = f"feed_{number}[{len(gates)}]"
                    targets[f"feed_{number}[{len(targets)}]"] = word
            lines += [f"  logic [{len(targets) - 1}:0][{self.bits - 1}:0] feed_{number};"]
            made = self._words(targets)
            lines += [_gated(line, f" & {{{self.bits}{{{flag}}}}}") for line in _joined(made)]
            for i, word in one.words.items():
                terms[i].append(gates[word.id])
        for at, i in enumerate(self._fed):
            lines += [f"  assign feed[{at}] = {' ^ '.join(terms[i])};  // S_{i}"]
        return lines

    def _fused(self) -> list[str]:
        fed = self._fed
        state, front = self._fronted("s")
        if self.slots:
            made = self._feed() if fed else []
            return front + chain(self.slot, self.it.words, self.bits, state, len(fed), made, self._instance)
        lines = ["  // A round, and what stands behind it."]
        lines += [f"  logic [{self.it.words - 1}:0][{self.bits - 1}:0] a;"]
        if fed:
            lines += [f"  logic [{len(fed) - 1}:0][{self.bits - 1}:0] feed;", *self._feed()]
        pins = {"state_i": state, "block_i": "block", "stream_i": "stream"}
        pins |= {"feed_i": "feed"} if fed else {}
        passed = self._passed(state)
        out = "out" if passed else "a"
        lines += [*front, *([f"  logic [{self.bits * self.it.words - 1}:0] out;"] if passed else [])]
        return lines + self._instance({**pins, "keystream_o": "z", "state_o": out}) + passed

    def _passed(self, front: str) -> list[str]:
        """The state behind the round ``out``, or before it in the phases that have none."""
        flags = " | ".join(f"({_FLAGS[name]})" for name in self.stream.passing)
        return wrapped(f"assign a = {flags} ? {front} : out;", "  ", "    ") if flags else []

    def _fronted(self, state: str) -> tuple[str, list[str]]:
        """The state with the maps that stand in front of a call of initialisation or finalisation."""
        lines: list[str] = []
        for number, one in enumerate(self.stream.fronts):
            lines += [f"  logic [{self.it.words - 1}:0][{self.bits - 1}:0] before_{number}, front_{number};"]
            lines += self._words({f"before_{number}[{i}]": word for i, word in one.words.items()})
            for i in range(self.it.words):
                if i not in one.words:
                    lines += [f"  assign before_{number}[{i}] = s[{i}];"]
            flag = f"{one.flag} & {self._at(one.calls)}"
            lines += [f"  assign front_{number} = {flag} ? before_{number} : {state};"]
            state = f"front_{number}"
        return state, lines

    def _instance(self, pins: Mapping[str, str], indent: str = "  ", name: str = "u_round") -> list[str]:
        module = f"{self.name}_round"
        forms = ", ".join(f".{form}({form})" for form in self.design.forms[module])
        listed = ", ".join(f".{pin}({wire})" for pin, wire in pins.items())
        return [
            f"{indent}{module}" + (f" #({forms})" if forms else "") + f" {name} (",
            *wrapped(listed, indent + "  "),
            f"{indent});",
        ]

    def _front(self) -> list[str]:
        """The state in front of the round: blocks are absorbed there."""
        cipher, s = self.it, self.stream
        lines = [
            "  // The keystream, and the state in front of the round.",
            f"  logic [{cipher.words - 1}:0][{self.bits - 1}:0] front, a;",
            f"  logic [{cipher.rate_words - 1}:0][{self.bits - 1}:0] x;",
        ]
        lines += self._words({f"z[{i}]": word for i, word in enumerate(s.keystream)})
        lines += ["  assign x = block ^ (z & stream);"]
        fronts = {phase: s.front(phase) for phase in BLOCKS}
        flags = {
            "absorb": "(ad | pad_ad)",
            "message": "((msg | pad_msg) & ~last)",
            "last": "((msg | pad_msg) & last)",
        }
        for i in range(cipher.words):
            made = {phase: words[i] for phase, words in fronts.items() if i in words}
            if not made:
                lines += [f"  assign front[{i}] = s[{i}];"]
                continue
            first = next(iter(made.values()))
            if len(made) == 3 and all(w.id == first.id for w in made.values()) and self._only_adds(first, i):
                # The block is zero where there is none.
                lines += self._words({f"front[{i}]": first})
                continue
            text = f"s[{i}]"
            for phase, word in made.items():
                lines += [f"  logic [{self.bits - 1}:0] {phase}_{i};", *self._words({f"{phase}_{i}": word})]
                text = f"{flags[phase]} ? {phase}_{i} : {text}"
            lines += wrapped(f"assign front[{i}] = {text};", "  ", "    ")
        return lines

    def _only_adds(self, word: NodeWord, i: int) -> bool:
        """Whether a word is S_i and words of the block, summed."""
        nodes = word.graph.nodes
        node = nodes[word.id]
        blocks = {w.id for name, w in self.stream.given.items() if name[0] == "X"}
        state = self.stream.given[f"S{i}"].id
        return node.op == "xor" and sorted(node.inputs) == sorted([state, *(set(node.inputs) & blocks)])

    def _apart(self) -> list[str]:
        """Rounds, and what stands behind them."""
        cipher, s = self.it, self.stream
        total = self.bits * cipher.words
        lines: list[str] = ["  // The rounds of a cycle, and what stands behind them."]
        if s.constants and s.constants.operands:
            lines += self._number()
        several = len(self.rounds) > 1
        front, more = self._fronted("front")
        lines += [*more, f"  logic [{total - 1}:0] out;"]
        if several:
            width = self._number_width
            lines += [
                "  for (genvar i = 0; i < Rounds; i++) begin : gen_round",
                f"    logic [{total - 1}:0] from, to;",
                "    if (i == 0) begin : gen_first",
                f"      assign from = {front};",
                "    end else begin : gen_follow",
                "      assign from = gen_round[i-1].to;",
                "    end",
            ]
            pins = {"state_i": "from"}
            if s.constants and s.constants.operands:
                pins["constants_i"] = f"{self.name}_pkg::constants(number + {width}'(i))"
            lines += [*self._instance({**pins, "state_o": "to"}, "    "), "  end"]
            lines += ["  assign out = gen_round[Rounds-1].to;"]
        elif s.constants:
            pins = {"state_i": front}
            if s.constants.operands:
                pins["constants_i"] = f"{self.name}_pkg::constants(number)"
            lines += self._instance({**pins, "state_o": "out"})
        else:
            lines += self._operands()
            lines += self._instance({"state_i": front, "block_i": "operand", "state_o": "out"})
        return lines + (self._passed(front) or ["  assign a = out;"])

    def _operands(self) -> list[str]:
        """What a round that takes blocks absorbs, where blocks are put into the state as well."""
        size = self.it.rate_words
        lines = [f"  logic [{size - 1}:0][{self.bits - 1}:0] operand;"]
        flags = {"absorb": "ad_step", "message": "msg_step", "last": "last"}
        text = "block"
        for phase in BLOCKS:
            calls = self.stream.phases[phase].calls
            if not calls:
                continue
            lines += [f"  logic [{size - 1}:0][{self.bits - 1}:0] {phase}_operand;"]
            if len(calls) > 1:
                raise DescriptionError(
                    f"{self.it.name}: {phase}: calls the round {len(calls)} times; no core is made of that"
                )
            words = self.stream.operands(phase, 0)
            lines += self._words({f"{phase}_operand[{i}]": word for i, word in enumerate(words)})
            text = f"{flags[phase]} ? {phase}_operand : {text}"
        return [*lines, *wrapped(f"assign operand = {text};", "  ", "    ")]

    def _number(self) -> list[str]:
        """Which round of the permutation is the first of this cycle."""
        s, width = self.stream, self._number_width
        assert s.constants is not None
        table, offsets = list(s.constants.constants), dict[str, int]()
        for name, phase in s.phases.items():
            if not phase.calls:
                continue
            values = []
            for call in range(len(phase.calls)):
                nodes = [w.graph.nodes[w.id] for w in s.operands(name, call)]
                if any(node.op != "const" for node in nodes):
                    raise DescriptionError(
                        f"{self.it.name}: {name}: round {call + 1} has a round key; no core is made of that"
                    )
                values.append(tuple(node.detail for node in nodes))
            result = [o for o in range(len(table)) if table[o : o + len(values)] == values]
            if not result:
                raise DescriptionError(f"{self.it.name}: {name}: its rounds are not in order")
            offsets[_FLAGS[name]] = result[0]
        scale = "" if len(self.rounds) == 1 else " * Rounds"
        common = max(set(offsets.values()), key=lambda o: list(offsets.values()).count(o))
        text = f"{width}'d{common}"
        for flag, offset in offsets.items():
            if offset != common:
                text = f"{flag} ? {width}'d{offset} : {text}"
        return [
            f"  logic [{width - 1}:0] number;",
            *wrapped(f"assign number = {width}'(count{scale}) + ({text});", "  ", "    "),
        ]

    def _state(self) -> list[str]:
        cipher, s, total = self.it, self.stream, self.bits * self.it.words
        lines, now = list[str](), "a"
        if not s.fused and self.feeds:
            fed = self._fed
            if fed:
                lines += [f"  logic [{len(fed) - 1}:0][{self.bits - 1}:0] feed;", *self._feed()]
                lines += [f"  logic [{cipher.words - 1}:0][{self.bits - 1}:0] b;"]
                for i in range(cipher.words):
                    more = f" ^ feed[{fed.index(i)}]" if i in fed else ""
                    lines += [f"  assign b[{i}] = a[{i}]{more};"]
                now = "b"
        for number, one in enumerate(s.maps):
            if number < len(self.feeds):
                continue
            flag, wires = self._flag(one, number)
            lines += [*wires, f"  logic [{cipher.words - 1}:0][{self.bits - 1}:0] m{number}, to_{number};"]
            lines += [f"  assign m{number} = {now};"]
            for i, word in one.words.items():
                if not one.feed:
                    lines += self._words({f"to_{number}[{i}]": word})
                    continue
                lines += [f"  logic [{self.bits - 1}:0] add_{number}_{i};"]
                lines += self._words({f"add_{number}_{i}": word})
                lines += [f"  assign to_{number}[{i}] = m{number}[{i}] ^ add_{number}_{i};"]
            for i in range(cipher.words):
                if i not in one.words:
                    lines += [f"  assign to_{number}[{i}] = m{number}[{i}];"]
            lines += [f"  logic [{cipher.words - 1}:0][{self.bits - 1}:0] b{number};"]
            lines += [f"  assign b{number} = {flag} ? to_{number} : m{number};"]
            now = f"b{number}"
        lines += [f"  logic [{cipher.words - 1}:0][{self.bits - 1}:0] start;"]
        lines += self._words({f"start[{i}]": word for i, word in enumerate(s.start)})
        return [
            *lines,
            "",
            f"  logic [{total - 1}:0] state_q;",
            "  always_ff @(posedge clk_i) begin",
            "    if (load) state_q <= start;",
            f"    else if (en) state_q <= {now};",
            "  end",
            "  assign s = state_q;",
        ]


def _joined(lines: Iterable[str]) -> list[str]:
    """Statements that were wrapped, on one line each."""
    result: list[str] = []
    for line in lines:
        if result and not result[-1].rstrip().endswith((";", ")")) and "//" not in result[-1]:
            result[-1] += " " + line.strip()
        else:
            result.append(line)
    return result


def _gated(line: str, gate: str) -> str:
    """``assign a = b;`` -> ``assign a = (b) & gate;``; other lines as they are."""
    head, mark, rest = line.partition(" = ")
    if not mark or not head.strip().startswith("assign feed_"):
        return line
    value, _, comment = rest.partition(";")
    value = value if value.replace("[", "").replace("]", "").replace("_", "").isalnum() else f"({value})"
    return f"{head} = {value}{gate};{comment}"
