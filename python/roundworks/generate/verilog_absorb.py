"""What a streaming core absorbs: blocks, lengths, key and nonce, words kept for later rounds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ..errors import DescriptionError
from ..reference.graph import NodeWord
from .verilog_blocks import length_word
from .verilog_round import RoundWriter
from .verilog_text import literal, wrapped
from .verilog_unrolled import Slots, blocks


class AbsorbWriter(RoundWriter):
    """Statements of a core up to the block that its round takes."""

    def _request(self) -> list[str]:
        cipher = self.it
        lines = ["  // State, key and nonce, each a word S[i], K[i], N[i] of the description."]
        lines += [f"  logic [{cipher.words - 1}:0][{self.bits - 1}:0] s;"]
        for letter, word, size in (("k", "key", cipher.key_bytes), ("n", "nonce", cipher.nonce_bytes)):
            count = size // cipher.word_bytes
            lines += [
                f"  logic [{count - 1}:0][{self.bits - 1}:0] req_{letter};",
                f"  assign req_{letter} = {self.name}_pkg::words_{8 * size}(req_{word}_i);",
            ]
            if self.keeps[letter.upper()]:
                lines += [
                    f"  logic [{count - 1}:0][{self.bits - 1}:0] {letter};",
                    f"  always_ff @(posedge clk_i) if (load) {letter} <= req_{letter};",
                ]
        return lines

    def _lengths(self) -> list[str]:
        words = self.stream.plan.lengths
        if not words:
            return []
        wide = "Count < 8 ? Count : 8" if self.slots else str(self.count)
        cut = "[(Count < 8 ? Count : 8)-1:0]" if self.slots else ""
        if self.count > 8:
            raise DescriptionError(
                f"{self.it.name}: rate: want at most 128 bytes where lengths are bound, got {self.rate}"
            )
        lines = ["  // Bytes of associated data and of message so far."]
        for what, images in (("ad", [w.ad for w in words]), ("msg", [w.message for w in words])):
            # Bit i of a length in bits is bit i - 3 of one in bytes.
            wanted = [i - 3 for i in range(3, 64) if any(image[i] for image in images)]
            if not wanted:
                continue
            lines += [
                f"  logic [60:0] {what}_bytes;",
                f"  aead_length #(.Width({wide})) u_{what}_length (",
                f"    .clk_i, .clear_i(load), .add_i(taken & {what}), .bytes_i(blk_bytes_i{cut}),",
                f"    .length_o({what}_bytes)",
                "  );",
            ]
            if len(wanted) < 61:
                self.unused.append(f"^{what}_bytes")
        lines += [f"  logic [{len(words) - 1}:0][{self.bits - 1}:0] l;"]
        for i, word in enumerate(words):
            lines += wrapped(f"assign l[{i}] = {length_word(word)};", "  ", "    ")
        return lines

    def _kept(self) -> list[str]:
        kept = self.stream.kept
        if not kept:
            return []
        lines = [
            "  // What a round makes for those behind it.",
            f"  logic [{len(kept) - 1}:0][{self.bits - 1}:0] v, v_q, v_d;",
        ]
        for i, (flag, call, word) in enumerate(kept.values()):
            when = f"{flag} & {self._at((call,))}"
            lines += self._words({f"v_d[{i}]": word})
            lines += [
                f"  logic keep_{i};",
                f"  assign keep_{i} = {when};",
                f"  assign v[{i}] = keep_{i} ? v_d[{i}] : v_q[{i}];",
                f"  always_ff @(posedge clk_i) if (keep_{i}) v_q[{i}] <= v_d[{i}];",
            ]
        return lines

    def _at(self, calls: Sequence[int]) -> str:
        """Whether this cycle's last round is one of these calls."""
        if tuple(calls) == (0,):
            return "begin_now"
        parts = [f"(count == {self.width}'d{c})" for c in calls]
        return parts[0] if len(parts) == 1 else f"({' | '.join(parts)})"

    def _block(self) -> list[str]:
        """What is absorbed, but for the keystream's part of it."""
        cipher, s, plan = self.it, self.stream, self.stream.plan
        if self.slots:
            lines, self.slot = self._slots()
            return [*lines, *blocks(self.slot, cipher.words, self.bits)]
        R, pkg = self.rate_bits, f"{self.name}_pkg"
        lines = [
            "  // What the round absorbs, but for the keystream's part of it. Of phases there is one or none.",
            f"  logic [{R - 1}:0] mask, text;",
            f"  logic [{cipher.rate_words - 1}:0][{self.bits - 1}:0] block, stream, z;",
            f"  assign mask = {pkg}::mask(blk_bytes_i);",
        ]
        text = "blk_data_i & mask"
        if self.padded:
            text = f"({text}) | {pkg}::pad(blk_bytes_i)"
            if plan.ad_padding.partial != plan.message_padding.partial:
                text = f"(blk_data_i & mask) | (ad ? {pkg}::pad_ad(blk_bytes_i) : {pkg}::pad(blk_bytes_i))"
        lines += [f"  assign text = {text};"]
        gated = [f"({pkg}::words_{R}(text) & {{{R}{{part}}}})"]
        for what, mode, padding in (
            ("ad", self.ad_mode, plan.ad_padding),
            ("msg", self.msg_mode, plan.message_padding),
        ):
            if mode:
                value = literal(int.from_bytes(padding.full, "little"), R)
                lines += wrapped(f"localparam logic [{R - 1}:0] Pad{what.title()} = {value};", "  ", "    ")
                gated.append(f"({pkg}::words_{R}(Pad{what.title()}) & {{{R}{{pad_{what}}}}})")
        if s.constants is None:
            for phase, flag in (("init", "init"), ("finalise", "finish")):
                kinds, more = self._kinds(phase)
                if kinds:
                    lines += more
                    gated.append(f"({phase}_block & {{{R}{{{flag}}}}})")
        lines += wrapped(f"assign block = {' | '.join(gated)};", "  ", "    ")
        lines += [f"  assign stream = {pkg}::words_{R}(mask & {{{R}{{open}}}});"]
        return lines

    def _slots(self) -> tuple[list[str], Slots]:
        """What a cycle of several blocks is made of."""
        R, pkg, plan = self.rate_bits, f"{self.name}_pkg", self.stream.plan
        lines, result, pads = list[str](), list[tuple[str, str]](), list[tuple[str, str]]()
        for phase, flag in (("init", "init"), ("finalise", "finish")):
            kinds, more = self._kinds(phase)
            lines += more
            result.append((flag, f"{phase}_block" + ("[{i}]" if kinds > 1 else "")))
        if self.msg_mode:
            value = literal(int.from_bytes(plan.message_padding.full, "little"), R)
            lines += wrapped(f"localparam logic [{R - 1}:0] Pad = {value};", "  ", "    ")
            pads.append(("(pad_ad | pad_msg)", f"{pkg}::words_{R}(Pad)"))
        text = f"blk_data_i[{R}*i+:{R}] & mask[{R}*i+:{R}]"
        text = f"({text}) | {pkg}::pad(bytes)" if self.padded else text
        calls = [len(self.stream.phases[name].calls) for name in ("init", "finalise")]
        return lines, Slots(pkg, self.rate, self.count, bool(self.msg_mode), text, result, pads, *calls)

    def _kinds(self, phase: str) -> tuple[int, list[str]]:
        """What the calls of a phase absorb, each different block once."""
        s, size = self.stream, self.it.rate_words
        calls = [s.operands(phase, c) for c in range(len(s.phases[phase].calls))]
        keys = [tuple(word.id for word in words) for words in calls]
        kinds = list(dict.fromkeys(keys))
        if not kinds:
            return 0, []
        lines = [f"  logic [{size - 1}:0][{self.bits - 1}:0] {phase}_block;"]
        if len(kinds) == 1:
            return 1, [*lines, *self._words({f"{phase}_block[{i}]": w for i, w in enumerate(calls[0])})]
        which = [kinds.index(key) for key in keys]
        period = next(
            p
            for p in (1 << i for i in range(12))
            if all(w == which[i % p] for i, w in enumerate(which)) or p >= len(which)
        )
        wide = max(1, min(self.width, (period - 1).bit_length()))
        for k, kind in enumerate(kinds):
            lines += [f"  logic [{size - 1}:0][{self.bits - 1}:0] {phase}_block_{k};"]
            words = calls[keys.index(kind)]
            lines += self._words({f"{phase}_block_{k}[{i}]": w for i, w in enumerate(words)})
        if self.slots:
            # Slot i has call Rounds * count + i.
            lines[0] = lines[0].replace("logic ", "logic [Rounds-1:0]")
            lines += [f"  for (genvar i = 0; i < Rounds; i++) begin : gen_{phase}_block"]
            lines += [f"    logic [{self.width - 1}:0] call;"]
            lines += [f"    assign call = {self.width}'(count * Rounds + i);", "    always_comb begin"]
            lines += [f"      case (call[{wide - 1}:0])"]
            for k in range(1, len(kinds)):
                at = ", ".join(f"{wide}'d{c}" for c in range(min(period, len(which))) if which[c] == k)
                lines += [f"        {at}: {phase}_block[i] = {phase}_block_{k};"]
            lines += [f"        default: {phase}_block[i] = {phase}_block_0;", "      endcase", "    end"]
            if wide < self.width:
                lines += [
                    "    logic unused_call;",
                    f"    assign unused_call = ^call[{self.width - 1}:{wide}];",
                ]
            return len(kinds), [*lines, "  end"]
        lines += ["  always_comb begin", f"    case (count[{wide - 1}:0])"]
        for k in range(1, len(kinds)):
            at = ", ".join(f"{wide}'d{c}" for c in range(min(period, len(which))) if which[c] == k)
            lines += [f"      {at}: {phase}_block = {phase}_block_{k};"]
        lines += [f"      default: {phase}_block = {phase}_block_0;", "    endcase", "  end"]
        return len(kinds), lines

    def _words(self, targets: Mapping[str, NodeWord]) -> list[str]:
        """Statements that give words to targets, and those of the wires they need."""
        before = len(self.body.statements)
        for target, word in targets.items():
            self.body.assign(target, word.id)
        result = self.body.statements[before:]
        del self.body.statements[before:]
        return result
