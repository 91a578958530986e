"""A message through a core and through its description, every bit of it unknown: a proof of what comes out.

Sizes, and the cycles in which either side waits, are known; key, nonce, data, what stands past the end
of a block, on an input that is not valid and in the flip-flops at power-up are not.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ...errors import HardwareError
from ...reference import get
from ...reference.aes_cipher import AesCipher
from ...reference.gcm import Gcm
from ...reference.stream import StreamAead
from ..cores import Core, described
from ..cycles.aead import AeadCycles, of
from .forms import Bits, Forms, FormWord, from_words, to_words
from .netlist import BitNetlist, netlist

# A core that waits for ever is an error, and not a run without end.
_SLACK = 400
# Atoms up to which forms are exact sums: memory is quadratic in their number.
_EXACT = 1 << 16
_CONTROL = ("req_ready_o", "blk_ready_o", "out_valid_o", "rsp_valid_o")
_OUTPUT = ("out_data_o", "out_bytes_o", "out_last_o")
_RESPONSE = ("rsp_ok_o", "rsp_tag_o")


@dataclass(frozen=True, slots=True)
class MessageCase:
    """Bytes of associated data and message; ``stalled``: both sides wait at random, by this seed."""

    ad: int
    message: int
    decrypt: bool
    stalled: int | None = None

    @property
    def name(self) -> str:
        """Such as ``decrypt 16+31, stalled``."""
        text = f"{'decrypt' if self.decrypt else 'encrypt'} {self.ad}+{self.message}"
        return text if self.stalled is None else f"{text}, stalled"


@dataclass(frozen=True, slots=True)
class MessageProof:
    """The core gives what the description does, for all values of all unknown bits; ``whole``: its tag too.
    Of a product in GHASH nothing is known here, and so nothing of a tag that has one. ``exact``: forms were
    compared as sums, and not by labels."""

    case: MessageCase
    cycles: int
    atoms: int
    whole: bool
    exact: bool


def cases(core: Core) -> list[MessageCase]:
    """Every number of blocks up to three in all, full and short, both ways; one of them with stalls."""
    rate = of(core).rate_bytes
    sizes = [(0, 0), (0, 1), (rate, 0), (1, rate), (rate, rate + 1), (rate + 1, rate - 1), (0, 3 * rate)]
    made = [MessageCase(ad, n, decrypt) for ad, n in sizes for decrypt in (False, True)]
    return [*made, MessageCase(rate - 1, rate + 1, False, 1), MessageCase(rate - 1, rate + 1, True, 2)]


def prove_message(core: Core, parameters: Mapping[str, str], case: MessageCase) -> MessageProof:
    """Run the case through both and compare every output.

    Raises
    ------
    HardwareError
        ``aegis128-to2: encrypt 16+16: block 0: bit 3 of byte 5 differs from the description``
    """
    run = _Run(core, netlist(core, parameters), case)
    run.serve()
    return MessageProof(case, run.cycles, run.of.count - 1, run.want.tag is not None, run.of.exact)


@dataclass(slots=True)
class _Wanted:
    """By the description: output bytes as bits in the order of the ports; the tag where it is known."""

    out: Bits
    tag: Bits | None


def described_message(
    cipher: Any, forms: Forms, key: Bits, nonce: Bits, ad: Bits, data: Bits, *, decrypt: bool
) -> tuple[Bits, Bits | None]:
    """What ``process`` of a description makes of bytes, here of unknown bits."""
    if isinstance(cipher, Gcm):
        return _gcm(forms, key, nonce, data), None
    if not isinstance(cipher, StreamAead):
        raise HardwareError(f"{cipher.name}: want a streaming AEAD or GCM")
    size, rate = cipher.word_bytes, 8 * cipher.rate_bytes

    def words(bits: Bits) -> list[FormWord]:
        return [cipher.in_order(word) for word in to_words(forms, bits, size)]

    def bits_of(words: Sequence[FormWord]) -> Bits:
        return from_words([cipher.in_order(word) for word in words])

    def padding(length: int) -> Bits:
        return [byte >> i & 1 for byte in cipher.padding(length // 8) for i in range(8)]

    K = words(key)
    S = cipher.start(K, words(nonce))
    # Their number, and what is appended to the last, do not depend on the bytes.
    count = len(cipher.ad_blocks(bytes(len(ad) // 8)))
    padded = ad + (padding(len(ad) % rate) if count * rate > len(ad) else [])
    for at in range(0, len(padded), rate):
        S = cipher.absorb(S, words(padded[at : at + rate]))
    S = cipher.separate(S)
    out: Bits = []
    parts = [data[at : at + rate] for at in range(0, len(data), rate)]
    parts += [[]] if len(data) % rate == 0 and cipher.padding(0) else []
    for i, part in enumerate(parts, 1):
        result = [a ^ b for a, b in zip(part, bits_of(cipher.keystream(list(S))), strict=False)]
        out += result
        plain = result if decrypt else part
        plain = plain + padding(len(plain)) if len(plain) < rate else plain
        S = (cipher.last if i == len(parts) else cipher.update)(S, words(plain))
    S = cipher.finalise(S, K, len(ad), len(data))
    return out, bits_of(cipher.tag(S))[: 8 * cipher.tag_bytes]


def _gcm(forms: Forms, key: Bits, nonce: Bits, data: Bits) -> Bits:
    """Counter mode from block 2 on; the tag has products. [GCM, section 7]"""
    aes = AesCipher[FormWord](len(key))
    subkeys = aes.subkeys(to_words(forms, key, 4))
    stream: Bits = []
    for block in range(-(-len(data) // 128)):
        counter = [byte >> i & 1 for byte in (2 + block).to_bytes(4, "big") for i in range(8)]
        stream += from_words(aes.run(to_words(forms, nonce + counter, 16), subkeys))
    return [a ^ b for a, b in zip(data, stream, strict=False)]


@dataclass(slots=True)
class _Run:
    core: Core
    net: BitNetlist
    case: MessageCase
    of: Forms = field(init=False)
    cycles: int = 0
    noise: dict[str, Bits] = field(default_factory=dict)
    formula: AeadCycles = field(init=False)
    want: _Wanted = field(init=False)
    known: dict[str, Bits] = field(init=False)

    def __post_init__(self) -> None:
        self.formula = of(self.core)
        cipher: Any = described(self.core) if self.core.description else get(self.formula.cipher)
        case = self.case
        cycles = self.formula.cycles(case.ad, case.message, case.decrypt)
        self.of = Forms(exact=self.net.whole_bits * cycles < _EXACT)
        unknown = self.of.unknown
        self.known = {
            name: unknown(name, 8 * size)
            for name, size in (
                ("key", cipher.key_bytes),
                ("nonce", cipher.nonce_bytes),
                ("ad", case.ad),
                ("data", case.message),
            )
        }
        bits = self.known
        self.want = _Wanted(
            *described_message(
                cipher, self.of, bits["key"], bits["nonce"], bits["ad"], bits["data"], decrypt=case.decrypt
            )
        )

    def serve(self) -> None:
        """The message alone from reset to its response; a decryption has the right tag, then a wrong one."""
        case, tag = self.case, self.want.tag
        if not case.decrypt:
            out, rsp = self._message(self.of.unknown("tag", len(self.net.inputs["tag_i"])))
            self._compare_blocks(out, self.want.out)
            self._same(rsp["rsp_ok_o"], [1], "rsp_ok_o")
            if tag is not None:
                self._same(rsp["rsp_tag_o"], tag, "tag")
            return
        if tag is None:
            # Whether it is right is not known here; in the form that keeps plaintext nothing can be said.
            if not self.formula.rav:
                out, _ = self._message(self.of.unknown("tag", len(self.net.inputs["tag_i"])))
                self._compare_blocks(out, self.want.out)
            return
        out, rsp = self._message(tag)
        self._compare_blocks(out, self.want.out)
        self._same(rsp["rsp_ok_o"], [1], "rsp_ok_o with the right tag")
        self._same(rsp["rsp_tag_o"], [0] * len(tag), "rsp_tag_o of a decryption")
        if self.formula.rav or self._keeps_tag():
            # One bit is wrong, the others are what they like: with a buffer only the response comes out.
            wrong = self.of.unknown("wrong", len(tag))
            wrong[0] = tag[0] ^ 1
            out, rsp = self._message(wrong)
            if out and self.formula.rav:
                raise self._failure("plaintext of a message with a wrong tag came out")
            self._same(rsp["rsp_ok_o"], [0], "rsp_ok_o with a wrong tag")

    def _message(self, tag: Bits) -> tuple[list[dict[str, Bits]], dict[str, Bits]]:
        """Blocks that came out, and the response."""
        rng = random.Random(self.case.stalled)
        stalled = self.case.stalled is not None
        state = self.of.unknown("power-up", len(self.net.flops))
        # Data are looked at where they are valid alone: elsewhere they are sums of much that nobody needs.
        control = self.net.cone(*_CONTROL, following=True)
        _, following = control.cycle(self.of, state, self._inputs({"rst_ni": [0]}, tag))
        state, blocks, out = following(), list(self._blocks()), list[dict[str, Bits]]()
        requested, limit = False, self._limit()
        offered = ready = False  # what was offered stays offered
        while True:
            self.cycles += 1
            if self.cycles > limit:
                raise self._failure(f"no response after {limit} cycles")
            mine = self._is_mine(state, tag)
            offered = bool(blocks) and (offered or not stalled or rng.random() < 0.6)
            ready = not stalled or rng.random() < 0.6
            given: dict[str, Bits] = {"req_valid_i": [int(mine and not requested)]}
            if mine and not requested:
                given |= self._request()
            given["blk_valid_i"] = [int(mine and offered)]
            if mine and offered:
                given |= blocks[0]
            given |= {"out_ready_i": [int(ready)], "rsp_ready_i": [1]}
            given = self._inputs(given, tag)
            outputs, following = control.cycle(self.of, state, given)
            if mine:
                if self._bit(outputs, "out_valid_o") and ready:
                    out.append(self.net.cone(*_OUTPUT).cycle(self.of, state, given)[0])
                if self._bit(outputs, "blk_ready_o"):
                    if not offered:
                        raise self._failure("blk_ready_o without a block that is offered")
                    blocks.pop(0)
                    offered = False
                if self._bit(outputs, "req_ready_o"):
                    if requested:
                        raise self._failure("a second request was taken")
                    requested = True
                if self._bit(outputs, "rsp_valid_o"):
                    if blocks:
                        raise self._failure(f"a response, and {len(blocks)} blocks have not been taken")
                    self._right_tag_only(state, given)
                    return out, self.net.cone(*_RESPONSE).cycle(self.of, state, given)[0]
            state = following()

    def _limit(self) -> int:
        case = self.case
        own = self.formula.cycles(case.ad, case.message, case.decrypt)
        return self.cycles + (own if case.stalled is None else 3 * own + _SLACK)

    def _is_mine(self, state: Bits, tag: Bits) -> bool:
        if self.formula.interleaved == 1:
            return True
        outputs, _ = self.net.cone("slot_o").cycle(self.of, state, self._inputs({}, tag))
        slot = outputs["slot_o"]
        if max(slot) > 1:
            raise self._failure("slot_o depends on data")
        return not any(slot)

    def _request(self) -> dict[str, Bits]:
        case = self.case
        flags = {"req_decrypt_i": case.decrypt, "req_ad_i": case.ad > 0, "req_msg_i": case.message > 0}
        return {
            "req_key_i": self.known["key"],
            "req_nonce_i": self.known["nonce"],
            **{name: [int(value)] for name, value in flags.items()},
        }

    def _blocks(self) -> Iterator[dict[str, Bits]]:
        rate, wide = self.formula.rate_bytes, len(self.net.inputs["blk_bytes_i"])
        for part in ("ad", "data"):
            bits = self.known[part]
            for at in range(0, len(bits), 8 * rate):
                block = bits[at : at + 8 * rate]
                count = len(block) // 8
                yield {
                    "blk_data_i": block + self._noise("past the end", 8 * rate)[len(block) :],
                    "blk_bytes_i": [count >> i & 1 for i in range(wide)],
                    "blk_last_i": [int(at + 8 * rate >= len(bits))],
                }

    def _inputs(self, given: Mapping[str, Bits], tag: Bits) -> dict[str, Bits]:
        """Every input that is not given has unknown bits; reset and handshakes do not."""
        made = {"tag_i": tag, "rst_ni": [1], **given}
        for name, bits in self.net.inputs.items():
            if name not in made:
                handshake = name.endswith(("_valid_i", "_ready_i"))
                made[name] = [0] if handshake else self._noise(name, len(bits))
        return made

    def _noise(self, name: str, bits: int) -> Bits:
        if name not in self.noise:
            self.noise[name] = self.of.unknown(f"noise of {name}", bits)
        return self.noise[name]

    def _right_tag_only(self, state: Bits, given: Mapping[str, Bits]) -> None:
        """Of a bare core: ok is 0 if any bit of the tag is wrong, whatever the others are."""
        tag = self.want.tag
        if tag is None or not self.case.decrypt or self.formula.rav or self._keeps_tag():
            return
        cone = self.net.cone("rsp_ok_o")
        unknown = self._noise("other bits of the tag", len(tag))
        for i in range(len(tag)):
            wrong = list(unknown)
            wrong[i] = tag[i] ^ 1
            outputs, _ = cone.cycle(self.of, state, {**given, "tag_i": wrong})
            self._same(outputs["rsp_ok_o"], [0], f"rsp_ok_o with bit {i} of the tag wrong")

    def _keeps_tag(self) -> bool:
        """Whether the tag to compare with comes from a register, and not from the port."""
        need = {bit for cell in self.net.cone("rsp_ok_o").cells for bit in cell.inputs}
        return need.isdisjoint(self.net.inputs["tag_i"])

    def _compare_blocks(self, out: Sequence[Mapping[str, Bits]], want: Bits) -> None:
        rate = 8 * self.formula.rate_bytes
        count = -(-len(want) // rate)
        if len(out) != count:
            raise self._failure(f"want {count} blocks of output, got {len(out)}")
        for number, block in enumerate(out):
            part = want[number * rate : (number + 1) * rate]
            where = f"block {number}"
            self._same(block["out_data_o"], part + [0] * (rate - len(part)), where)
            size = [len(part) // 8 >> i & 1 for i in range(len(block["out_bytes_o"]))]
            self._same(block["out_bytes_o"], size, f"{where}: out_bytes_o")
            self._same(block["out_last_o"], [int(number == count - 1)], f"{where}: out_last_o")

    def _bit(self, outputs: Mapping[str, Bits], name: str) -> bool:
        (form,) = outputs[name]
        if form > 1:
            raise self._failure(f"{name} depends on data")
        return bool(form)

    def _same(self, got: Bits, want: Bits, where: str) -> None:
        for i, (a, b) in enumerate(zip(got, want, strict=True)):
            if a != b:
                raise self._failure(f"{where}: bit {i % 8} of byte {i // 8} differs from the description")

    def _failure(self, what: str) -> HardwareError:
        return HardwareError(f"{self.core.name}: {self.case.name}: {what}")
