"""What a plan says of a description: executed step by step it is the cipher, and what no plan has is refused."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import pytest

from calls import cases
from guide import tutorial_cipher
from places import TOY
from roundworks import reference
from roundworks.errors import DescriptionError
from roundworks.lower.plan import Plan, plan
from roundworks.lower.rounds import runs
from roundworks.lower.steps import Padding, Step
from roundworks.reference import IntWord, Recording, StreamAead, load_file
from roundworks.reference.aegis import Aegis128

STREAMS = [name for name in reference.names() if isinstance(reference.get(name), StreamAead)]


def computed(recording: Recording, words: dict[str, IntWord]) -> dict[str, IntWord]:
    """The outputs of a recording, node by node on integers."""
    nodes, values = (
        recording.graph.nodes,
        {n: words[name] for name, n in recording.inputs.items() if name in words},
    )
    needed = set(recording.outputs.values())
    for node in reversed(nodes):
        if node.id in needed and node.id not in values:
            needed.update(node.inputs)
    for node in nodes:
        if node.id not in needed or node.id in values:
            continue
        inputs: list[Any] = [values[i] for i in node.inputs]
        detail: Any = node.detail
        match node.op:
            case "const":
                values[node.id] = IntWord(detail, node.bits)
            case "xor":
                values[node.id] = inputs[0] ^ inputs[1]
            case "and":
                values[node.id] = inputs[0] & inputs[1]
            case "sub":
                values[node.id] = inputs[0].sub(detail)
            case "mix":
                values[node.id] = inputs[0].mix(detail)
            case "permute":
                values[node.id] = inputs[0].permute(detail)
    return {name: values[n] for name, n in recording.outputs.items()}


class Executed:
    """A message by the plan alone: none of the description's steps is called."""

    def __init__(self, p: Plan) -> None:
        self.p, self.cipher = p, p.cipher

    def words(self, letter: str, data: bytes) -> dict[str, IntWord]:
        """As in a program's memory, whatever the order of the description: the first byte is the highest."""
        size = self.cipher.word_bytes
        cut = (data[i : i + size] for i in range(0, len(data), size))
        return {f"{letter}{i}": IntWord(int.from_bytes(w, "big"), 8 * size) for i, w in enumerate(cut)}

    def in_memory(self, words: Iterable[IntWord]) -> bytes:
        return b"".join(word.value.to_bytes(self.cipher.word_bytes, "big") for word in words)

    def step(self, step: Step, S: dict[str, IntWord], others: dict[str, IntWord]) -> dict[str, IntWord]:
        others = dict(others)
        for loop in step:
            for _ in range(loop.times):
                for segment in loop.segments:
                    out = computed(segment.recording, others | S)
                    others |= {name[:-1]: w for name, w in out.items() if name.startswith("V")}
                    S = {name.replace("'", ""): w for name, w in out.items() if name.startswith("S'")}
                    if segment.calls:
                        X = {name.replace("'", ""): w for name, w in out.items() if name.startswith("X'")}
                        S = self.round(S, X)
        return S

    def round(self, S: dict[str, IntWord], X: dict[str, IntWord]) -> dict[str, IntWord]:
        return {name.replace("'", ""): w for name, w in computed(self.p.update, S | X).items()}

    def padded(self, data: bytes, rule: Padding) -> list[bytes]:
        rate = self.cipher.rate_bytes
        rest = len(data) % rate
        data += rule.partial[rest] if rest else (rule.full if data else rule.empty)
        return [data[i : i + rate] for i in range(0, len(data), rate)]

    def encrypt(self, key: bytes, nonce: bytes, data: bytes, ad: bytes) -> bytes:
        K, N = self.words("K", key), self.words("N", nonce)
        S = {name.replace("'", ""): w for name, w in computed(self.p.load, K | N).items()}
        S = self.step(self.p.init, S, K | N)
        for block in self.padded(ad, self.p.ad_padding):
            S = self.step(self.p.absorb, S, self.words("X", block))
        S = self.step(self.p.separate, S, {})
        out = b""
        blocks = self.padded(data, self.p.message_padding)
        for i, block in enumerate(blocks, 1):
            X = self.words("X", block)
            stream = computed(self.p.keystream, S)
            out += self.in_memory(X[f"X{j}"] ^ stream[f"Z{j}"] for j in range(self.cipher.rate_words))
            S = self.step(self.p.last, S, X) if i == len(blocks) else self.round(S, X)
        L = {
            f"L{i}": IntWord(word.value(8 * len(ad), 8 * len(data)), word.bits)
            for i, word in enumerate(self.p.lengths)
        }
        S = self.step(self.p.finalise, S, K | L)
        tag = self.in_memory(computed(self.p.tag, S).values())
        return out[: len(data)] + tag[: self.cipher.tag_bytes]


@pytest.mark.parametrize(
    "name",
    cases([*STREAMS, "toy"], short={*STREAMS, "toy"} - {"ascon-128a", "aether-always-pad", "aegis-128x4"}),
)
def test_a_plan_is_the_cipher(name: str) -> None:
    """On lengths around the boundaries of a block, of associated data and of messages."""
    cipher = load_file(TOY) if name == "toy" else reference.get(name)
    assert isinstance(cipher, StreamAead)
    rng, rate = random.Random(name), cipher.rate_bytes
    ours = Executed(plan(cipher))
    lengths = [
        (0, 0),
        (1, 0),
        (0, 1),
        (rate, rate),
        (rate - 1, rate + 1),
        (2 * rate, rate - 1),
        (1, 2 * rate),
    ]
    for ad_bytes, size in lengths:
        key, nonce = rng.randbytes(cipher.key_bytes), rng.randbytes(cipher.nonce_bytes)
        ad, data = rng.randbytes(ad_bytes), rng.randbytes(size)
        assert ours.encrypt(key, nonce, data, ad) == cipher.encrypt(key, nonce, data, ad), (ad_bytes, size)


@pytest.mark.parametrize(
    ("encoding", "bits"),
    [
        ("", (32, 32)),
        ("ad_bits % 2**32", (64, 32)),
        ("int.from_bytes(ad_bits.to_bytes(3, 'little'), 'big')", (24, 32)),
        ("ad_bits << 8", (24, 32)),
        ("ad_bits >> 3", (35, 32)),
    ],
)
def test_lengths_in_words_that_are_narrow(encoding: str, bits: tuple[int, int], tmp_path: Path) -> None:
    """The longest inputs are those whose lengths the words are wide enough for."""
    file = tmp_path / "narrow.py"
    file.write_text(tutorial_cipher().replace("[ad_bits]", f"[{encoding or 'ad_bits'}]"))
    cipher = load_file(file)
    learned = plan(cipher)
    assert learned.length_bits == bits
    longest = [(1 << wide) - 8 for wide in bits]
    # The first word that a length makes is that of the associated data.
    want = eval(encoding or "ad_bits", {"ad_bits": longest[0]})
    assert [word.value(*longest) for word in learned.lengths] == [want, longest[1]]
    key, nonce = bytes(8), bytes(4)
    for ad, data in ((b"", b""), (b"a", bytes(5)), (bytes(9), bytes(4))):
        assert Executed(learned).encrypt(key, nonce, data, ad) == cipher.encrypt(key, nonce, data, ad)


def test_lengths_in_words_that_are_too_narrow(tmp_path: Path) -> None:
    file = tmp_path / "narrow.py"
    file.write_text(tutorial_cipher().replace("[ad_bits]", "[ad_bits << 25]"))
    with pytest.raises(
        DescriptionError,
        match=r"narrow.py:\d+: constant .*want at most 32 bits; finalise: want words for lengths",
    ):
        plan(load_file(file))


def test_a_round_that_does_nothing_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "still.py"
    text = TOY.read_text()
    file.write_text(
        text.replace("return [f(S[3]) ^ X[0], f(S[0]) ^ S[2], f(S[1]) ^ S[0], f(S[2]) ^ S[1]]", "return S")
    )
    with pytest.raises(DescriptionError, match="toy: update: leaves every word of the state as it is"):
        plan(load_file(file))


def test_rounds_alike_are_loops() -> None:
    def shape(step: Step) -> list[tuple[int, int]]:
        return [(loop.times, len(loop.segments)) for loop in step]

    learned = plan(reference.get_stream("aegis-128"))
    # Ten rounds that take key and key ^ nonce, two of a kind; the state behind them is returned.
    assert shape(learned.init) == [(5, 2), (1, 1)]
    assert shape(plan(reference.get_stream("aether")).init) == [(20, 1), (1, 1)]
    (word,) = learned.lengths
    assert word.value(8, 0) == 8 << 120 and word.value(0, 8 << 8) == 8 << 48


def test_rounds_of_permutations() -> None:
    def shape(name: str) -> list[tuple[int, int]]:
        return [(run.times, len(run.constants[0])) for run in runs(reference.get_permutation(name))]

    assert shape("haraka-256") == [(5, 4)]
    assert shape("areion-256") == [(5, 2)]
    assert shape("pholkos-256") == [(1, 0), (7, 2), (1, 0)]


class Branching(Aegis128[Any]):
    """Its last rounds depend on a length."""

    name = "branching"

    def finalise(self, S: Any, K: Any, ad_bits: int, msg_bits: int) -> Any:
        return super().finalise(self.update(S, [K[0]]) if ad_bits % 16 else S, K, ad_bits, msg_bits)


class Empty(Aegis128[Any]):
    """Without data its last rounds are others, as of no length that one would draw."""

    name = "empty"

    def finalise(self, S: Any, K: Any, ad_bits: int, msg_bits: int) -> Any:
        return super().finalise(S if ad_bits else self.update(S, [K[0]]), K, ad_bits, msg_bits)


class Multiplied(Aegis128[Any]):
    """No sum of bits of the lengths."""

    name = "multiplied"

    def finalise(self, S: Any, K: Any, ad_bits: int, msg_bits: int) -> Any:
        return self.update(S, [S[0] ^ (ad_bits * msg_bits) % (1 << 128)])


class Whole(Aegis128[Any]):
    """The order of things is its own."""

    name = "whole"

    def process(self, *args: Any, **more: Any) -> Any:
        return super().process(*args, **more)


class Constant(Aegis128[Any]):
    """A keystream that is no word."""

    name = "constant"

    def keystream(self, S: Any) -> Sequence[Any]:
        return [5]


@pytest.mark.parametrize(
    ("cipher", "line"),
    [
        (Branching, "branching: finalise: its steps depend on the lengths"),
        (Empty, "empty: finalise: its steps depend on the lengths"),
        (Multiplied, "multiplied: finalise: a word that is no affine map over GF"),
        (Whole, "whole: process: written anew"),
        (Constant, "constant: keystream: want words, got int"),
    ],
)
def test_what_no_plan_has(cipher: type[Aegis128[Any]], line: str) -> None:
    with pytest.raises(DescriptionError, match=f"^{line}"):
        plan(cipher())
