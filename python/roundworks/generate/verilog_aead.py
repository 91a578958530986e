"""A streaming cipher as a core behind the interface of ours."""

from __future__ import annotations

from dataclasses import dataclass

from ..reference.graph import NodeWord
from .verilog_datapath import DatapathWriter
from .verilog_graph import Body, CoreDesign
from .verilog_stream import BLOCKS, Stream, uses
from .verilog_text import header, wrapped
from .verilog_unrolled import output


@dataclass
class Aead:
    """The files of a core, and what its list says of it."""

    design: CoreDesign
    stream: Stream
    steps: dict[str, int]
    rounds: list[int]
    """Rounds in a cycle that it can do."""
    fed: list[int]
    """Words of the state that the fused round adds a feed to."""
    slots: bool
    """Whether rounds in a cycle are blocks in a cycle."""


def aead(stream: Stream) -> Aead:
    """Files of the core."""
    return _Writer(stream).write()


class _Writer(DatapathWriter):
    """The top module: phases, ports, the result."""

    def write(self) -> Aead:
        self._package()
        self._round()
        self._core()
        p = self.stream.phases
        steps = {
            "rate_bytes": self.rate,
            "init": p["init"].cycles,
            "ad": p["absorb"].cycles,
            "ad_pad": self.ad_mode,
            "message": p["message"].cycles,
            "last": p["last"].cycles,
            "message_pad": self.msg_mode,
            "final": p["finalise"].cycles,
        }
        return Aead(self.design, self.stream, steps, self.rounds, self._fed, self.slots)

    def _core(self) -> None:
        self.body = Body(
            self.design, self.stream.sheet.graph, self.names, [word.id for word in self._roots()]
        )
        parts = [
            self._control(),
            self._request(),
            self._lengths(),
            self._kept(),
            self._block(),
            *([self._fused()] if self.stream.fused else [self._front(), self._apart()]),
            self._state(),
            self._result(),
        ]
        forms = tuple(
            f for f in ("Sbox", "Mix") if f in {*self.body.forms, *self.design.forms[f"{self.name}_round"]}
        )
        parameters = [f"int {form} = 0" for form in forms]
        listed = ", ".join(map(str, self.rounds))
        parameters.append(f"int Rounds = 1  // in a cycle: {listed}")
        if self.slots:
            parameters.append(f"int Rate = {self.rate_bits} * Rounds  // bits of the blocks of a cycle")
            parameters.append("int Count = $clog2(Rate / 8) + 1  // bits of a count of bytes")
        text = [*header(self.name, parameters, self._ports())]
        declarations = self.body.declarations()
        for part in filter(None, parts):
            text += [*part, ""]
        at = len(header(self.name, parameters, self._ports()))
        text[at:at] = [*declarations, ""] if declarations else []
        text += [*self._checks(), "endmodule"]
        self.design.add(self.name, self._about(), text)
        self.design.forms[self.name] = forms

    def _about(self) -> str:
        cipher = self.it
        kept = [w for w, there in (("key", self.keeps["K"]), ("nonce", self.keeps["N"])) if there]
        registers = (
            f"A register keeps the {' and the '.join(kept)}, wanted again behind it."
            if kept
            else "They are not wanted again, and no register holds them."
        )
        warning = f"{cipher.warning}\n" if cipher.warning else ""
        return (
            f"{cipher.name} behind the interface of an AEAD core: encryption and decryption, one message after"
            f" the other. {self._longest()} Written by `roundworks generate --to verilog`.\n"
            f"{warning}"
            "- The request, with key and nonce, waits until the initialisation has used it up: req_ready_o is"
            f" high in the last cycle of that. {registers}\n"
            "- Decrypting, the blocks of plaintext come out before the tag is known. They must not be used"
            " before rsp_ok_o; a release-after-verification buffer keeps them until then.\n"
            "State and lengths stay until the next request writes over them."
        )

    def _longest(self) -> str:
        ad, message = self.stream.plan.length_bits
        if ad == message:
            return f"Lengths of associated data and message are below 2^{ad - 3} bytes."
        return f"Associated data is below 2^{ad - 3} bytes long, and a message below 2^{message - 3}."

    def _ports(self) -> list[str]:
        cipher = self.it
        rate, count = ("Rate", "Count") if self.slots else (str(self.rate_bits), str(self.count))
        data, bytes_of = (
            (f"[{rate}-1:0]", f"[{count}-1:0]")
            if self.slots
            else (f"[{self.rate_bits - 1}:0]", f"[{self.count - 1}:0]")
        )
        most = "Rate / 8" if self.slots else str(self.rate)
        return [
            "input  logic clk_i",
            "input  logic rst_ni",
            "input  logic req_valid_i",
            "output logic req_ready_o",
            "input  logic req_decrypt_i",
            "input  logic req_ad_i  // associated data follow",
            "input  logic req_msg_i  // a message follows",
            f"input  logic [{8 * cipher.key_bytes - 1}:0] req_key_i",
            f"input  logic [{8 * cipher.nonce_bytes - 1}:0] req_nonce_i",
            "input  logic blk_valid_i",
            "output logic blk_ready_o",
            f"input  logic {data} blk_data_i",
            f"input  logic {bytes_of} blk_bytes_i  // 1 to {most}; less only in the last block of a part",
            "input  logic blk_last_i",
            "output logic out_valid_o",
            "input  logic out_ready_i",
            f"output logic {data} out_data_o  // zero past the last byte",
            f"output logic {bytes_of} out_bytes_o",
            "output logic out_last_o",
            f"input  logic [{self.tag_bits - 1}:0] tag_i  // decrypting: held until the result",
            "output logic rsp_valid_o",
            "input  logic rsp_ready_i",
            "output logic rsp_ok_o",
            f"output logic [{self.tag_bits - 1}:0] rsp_tag_o  // zero when decrypting",
        ]

    def _cycles(self, phase: str) -> str:
        one = self.stream.phases[phase]
        if len(self.rounds) == 1 or not one.calls:
            return str(one.cycles)
        if self.slots:
            return f"({one.cycles} + Rounds - 1) / Rounds" if phase in ("init", "finalise") else "1"
        return f"{one.cycles} / Rounds"

    def _control(self) -> list[str]:
        outs = [
            "load",
            "en",
            "taken",
            "init",
            "ad",
            "msg",
            "part",
            "pad_ad",
            "pad_msg",
            "last",
            "ad_step",
            "msg_step",
            "step_end",
            "begin",
            "leave_init",
            "leave_ad",
            "enter_final",
            "decrypt",
            "open",
        ]
        wires = [f"{name}_now" if name in ("begin",) else name for name in outs]
        full = "Count'(Rate / 8)" if self.slots else f"{self.count}'d{self.rate}"
        values = {
            "InitCycles": self._cycles("init"),
            "AdCycles": self._cycles("absorb"),
            "MsgCycles": self._cycles("message"),
            "LastCycles": self._cycles("last"),
            "FinalCycles": self._cycles("finalise"),
            "AdPad": str(self.ad_mode),
            "MsgPad": str(self.msg_mode),
            "Count": str(self.width),
        }
        made = (f".{name}_o({wire})" for name, wire in zip(outs, wires, strict=True))
        pins = (
            ".clk_i, .rst_ni, .req_valid_i, .req_ready_o, .req_decrypt_i, .req_ad_i, .req_msg_i, .blk_valid_i,"
            f" .blk_ready_o, .blk_last_i, .blk_full_i(blk_bytes_i == {full}), .out_valid_o, .out_ready_i,"
            f" .rsp_valid_o, .rsp_ready_i, {', '.join(made)}, .final_o(finish), .count_o(count)"
        )
        return [
            *wrapped(f"logic {', '.join([*wires, 'finish'])};", "  ", "    "),
            f"  logic [{self.width - 1}:0] count;",
            "",
            "  aead_steps #(",
            *wrapped(", ".join(f".{k}({v})" for k, v in values.items()), "    "),
            "  ) u_steps (",
            *wrapped(pins, "    "),
            "  );",
        ]

    def _roots(self) -> list[NodeWord]:
        s = self.stream
        words = [*s.start, *s.tag, *(word for _, _, word in s.kept.values())]
        words += [word for one in (*s.maps, *s.fronts) for word in one.words.values()]
        for phase in ("init", "finalise", *BLOCKS):
            if s.constants is None and not (s.fused and phase in BLOCKS):
                for call in range(len(s.phases[phase].calls)):
                    words += s.operands(phase, call)
        if not s.fused:
            words += s.keystream
            for phase in BLOCKS:
                words += s.front(phase).values()
        return words

    def _not_wanted(self) -> list[str]:
        """Words that no round takes of a key, or a nonce, that is kept whole for others of it."""
        roots = self._roots()
        return [
            f"^{letter.lower()}[{name.removeprefix(letter)}]"
            for name, word in self.stream.given.items()
            for letter, kept in self.keeps.items()
            if kept and name.rstrip("0123456789") == letter and not uses(roots, {letter: word}, letter)
        ]

    def _result(self) -> list[str]:
        cipher, s, R = self.it, self.stream, self.rate_bits
        words, pkg = self._tag_words, f"{self.name}_pkg"
        whole = 8 * words * cipher.word_bytes
        cut = "" if whole == self.tag_bits else f"[{self.tag_bits - 1}:0]"
        data = f"  assign out_data_o = (blk_data_i ^ {pkg}::words_{R}(z)) & mask & {{{R}{{msg}}}};"
        return [
            *(output(self.slot) if self.slots else [data]),
            "  assign out_bytes_o = blk_bytes_i;",
            "  assign out_last_o = blk_last_i;",
            "",
            "  // A computed tag never leaves when decrypting.",
            f"  logic [{words - 1}:0][{self.bits - 1}:0] tag_words;",
            f"  logic [{whole - 1}:0] tag;",
            *self._words({f"tag_words[{i}]": word for i, word in enumerate(s.tag[:words])}),
            f"  assign tag = {pkg}::words_{whole}(tag_words);",
            f"  assign rsp_ok_o = rsp_valid_o & (~decrypt | (tag{cut} == tag_i));",
            f"  assign rsp_tag_o = tag{cut} & {{{self.tag_bits}{{rsp_valid_o & ~decrypt}}}};",
        ]

    def _checks(self) -> list[str]:
        used = ["taken", "ad", "pad_ad", "pad_msg", "last", "ad_step", "msg_step", "step_end", "begin_now"]
        used += ["leave_init", "leave_ad", "enter_final", "init", "finish", "part", "open"]
        used += [*self.unused, *self._not_wanted()]
        lines = ["  logic unused;", *wrapped(f"assign unused = ^count ^ {' ^ '.join(used)};", "  ", "    ")]
        test = " && ".join(f"Rounds != {r}" for r in self.rounds)
        want = " or ".join(map(str, self.rounds))
        return [
            *lines,
            "",
            "`ifndef SYNTHESIS",
            "  initial begin : p_parameters",
            f"    if ({test}) begin",
            f'      $fatal(1, "{self.name}: Rounds: want {want}, got %0d", Rounds);',
            "    end",
            "  end",
            "`endif",
        ]
