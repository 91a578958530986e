"""A user's own file: what makes a description misleading is refused when it is loaded, with file and line."""

from __future__ import annotations

import operator
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest.mock import MagicMock

import numpy as np
import pytest

from roundworks.errors import DescriptionError
from roundworks.generate import TARGETS, generate
from roundworks.reference import IntWord, Permutation, StreamAead, load_description
from roundworks.reference.batch import ArrayWord
from roundworks.reference.graph import Graph

EXAMPLES = Path(__file__).parents[3] / "examples"
TOY = (EXAMPLES / "toy.py").read_text()
ROUND = "return [f(S[3]) ^ X[0], f(S[0]) ^ S[2], f(S[1]) ^ S[0], f(S[2]) ^ S[1]]"
LOAD = "return [N[0], K[0], K[1], 0x243F6A88]"
UNIT = "return x.sub(PRESENT).mix(MIDORI).permute(SPREAD).sub(PRESENT)"
LAST = "        for _ in range(12):\n            S = self.update(S, [K[1]])"

CONDITION = "a word cannot be a condition, as both ways have to be computed; write it with &, ^ and shifts"
AGAIN = "update: does not compute the same when it is called again"

REFUSED = {
    "condition": (ROUND, "d = S[0] if X[0] else S[1]\n        " + ROUND, "d = S[0]", CONDITION),
    "negation": (ROUND, "d = 0 if not S[0] & 1 else 1\n        " + ROUND, "d = 0", CONDITION),
    "compared with a number": (
        ROUND,
        "d = 1 if S[0] >> 31 == 1 else 0\n        " + ROUND,
        "d = 1",
        "a word cannot be compared (==)",
    ),
    "condition in the tag": (
        "return [S[0] ^ S[1] ^ S[2] ^ S[3]]",
        "return [S[0] if S[1] < S[2] else S[3]]",
        "return [S[0] if",
        "a word cannot be compared (<)",
    ),
    "condition behind a length": (
        LAST,
        "        if not msg_bits and S[0] != K[0]:\n            return S\n" + LAST,
        "if not msg_bits",
        "a word cannot be compared (!=)",
    ),
    "index": (ROUND, "d = (1, 2)[X[0]]\n        " + ROUND, "d = (1", "a table is read with x.sub(Sbox"),
    "counter in self": (
        ROUND,
        "self.n = getattr(self, 'n', 0) + 1\n        " + ROUND.replace("X[0]", "X[0] ^ self.n"),
        "return [f(S[3]) ^ X[0] ^ self.n",
        AGAIN,
    ),
    "counter of a long period": (
        ROUND,
        "self.n = getattr(self, 'n', 0) + 1\n        S[0] = S[0] ^ (1 if self.n % 7 == 0 else 2)\n        " + ROUND,
        "S[0] = S[0] ^ (",
        AGAIN,
    ),
    "random number": (
        ROUND,
        "import random\n        " + ROUND.replace("X[0]", "X[0] ^ random.getrandbits(32)"),
        "return [f(S[3]) ^ X[0] ^ random",
        AGAIN,
    ),
    "no return": (ROUND, ROUND.replace("return", "S ="), "def update", "update: want 4 words, got None"),
    "no return in init": (
        "S = self.update(S, [K[0]])\n        return S",
        "S = self.update(S, [K[0]])",
        "def init",
        "init: want 4 words, got None; is its return missing?",
    ),
    "one word": (ROUND, "return S[0]", "def update", "update: want a list of 4 words, got NodeWord"),
    "float": (LOAD, LOAD.replace("0x243F6A88", "1.5"), "def load", "cannot combine a word with float"),
    "wide constant": (
        LOAD,
        LOAD.replace("0x243F6A88", "0x243F6A8800"),
        "def load",
        "constant 0x243f6a8800: want at most 32 bits",
    ),
    "end of the program": (ROUND, "import sys\n        sys.exit(0)", "sys.exit(0)", "SystemExit: 0"),
    "end of a generator": (ROUND, "raise GeneratorExit", "raise GeneratorExit", "GeneratorExit"),
    "two words of a unit": (UNIT, UNIT + ", x", "return [f(S[3])", "unit F: want one word returned, got tuple"),
}  # fmt: skip


@pytest.mark.parametrize("what", REFUSED)
def test_what_a_file_may_not_say_is_refused_at_its_line(what: str, tmp_path: Path) -> None:
    old, new, line, message = REFUSED[what]
    text = TOY.replace(old, new)
    assert text != TOY
    file = tmp_path / "mine.py"
    file.write_text(text)
    with pytest.raises(DescriptionError) as error:
        load_description(file)
    said = str(error.value)
    assert said.startswith(f"{file}:") and message in said and "\n" not in said
    number = int(said.removeprefix(f"{file}:").split(":")[0])
    assert line in text.splitlines()[number - 1] and said.count("mine.py:") == 1


SIZES = {
    "name": ('name = "toy"', f'name = "{65 * "t"}"', "name: want at most 64 letters"),
    "words": ("words, rate_words, word_bits = 4, 1, 32", "words, rate_words, word_bits = 1025, 1, 32", "words: want at most 1,024, got 1,025"),
    "wide words": ("word_bits = 4, 1, 32", "word_bits = 4, 1, 136", "word_bits: want at most 128, got 136"),
    "narrow words": ("word_bits = 4, 1, 32", "word_bits = 4, 1, 2", "word_bits: want 4 to 128, got 2"),
}  # fmt: skip


@pytest.mark.parametrize("what", SIZES)
def test_what_is_too_large_is_refused_before_it_is_used(what: str, tmp_path: Path) -> None:
    old, new, message = SIZES[what]
    assert old in TOY
    file = tmp_path / "mine.py"
    file.write_text(TOY.replace(old, new))
    with pytest.raises(DescriptionError, match=f"Toy: {message}"):
        load_description(file)


def test_a_schedule_without_an_end_is_refused(tmp_path: Path) -> None:
    file, text = tmp_path / "mine.py", (EXAMPLES / "arx_block.py").read_text()
    body = "    def schedule(self, K):\n"
    assert body in text
    file.write_text(text.replace(body, body + "        while True:\n            yield K[0]\n"))
    with pytest.raises(DescriptionError, match=r"schedule: more than 100,000 subkeys"):
        load_description(file)


def test_words_of_parts_of_bytes_have_no_code(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(
        "from roundworks.reference import Permutation\n\n\nclass Mine(Permutation):\n"
        "    name, words, word_bits, rounds = 'mine', 2, 12, 4\n\n"
        "    def round(self, S, i):\n        return [S[1] ^ S[0].rotl(1), S[0]]\n"
    )
    mine = load_description(file)
    assert isinstance(mine, Permutation)
    for to in TARGETS:
        with pytest.raises(
            DescriptionError, match="word_bits: want a multiple of 8 for blocks of bytes, got 12"
        ):
            generate(mine, to)


LOADED = {
    "a counter": ("self.n = 0", "self.n += 1", "self.n", r"\d+: AttributeError: 'Toy' object has no attribute 'n'"),
    "a word": ("self.kept = K[1]", "pass", "self.kept", r"\d+: a word of an earlier call"),
    "a counter of the class": ("Toy.n = 0", "Toy.n += 1", "Toy.n", rf"\d+: {AGAIN}"),
}  # fmt: skip


@pytest.mark.parametrize("what", LOADED)
def test_what_load_keeps_for_the_rounds_is_refused(what: str, tmp_path: Path) -> None:
    first, then, used, message = LOADED[what]
    file = tmp_path / "mine.py"
    text = TOY.replace(LOAD, f"{first}\n        {LOAD}").replace(
        "word_bits = 4, 1, 32", "word_bits, n, kept = 4, 1, 32, 0, 0"
    )
    if what == "a counter":
        text = text.replace("word_bits, n, kept = 4, 1, 32, 0, 0", "word_bits = 4, 1, 32")
    text = text.replace(ROUND, then + "\n        " + ROUND.replace("X[0]", f"X[0] ^ {used}"))
    file.write_text(text)
    with pytest.raises(DescriptionError, match=f"mine.py:{message}"):
        load_description(file)


@pytest.mark.parametrize("compare", [operator.eq, operator.ne, operator.lt, operator.ge])
def test_no_kind_of_word_is_a_condition(compare: Callable[[Any, Any], bool]) -> None:
    graph = Graph()
    node, batch, number = graph.input("a", 8), ArrayWord(np.zeros((1, 2), np.uint8), 8), IntWord(1, 8)
    for word in (node, batch, number):
        with pytest.raises(DescriptionError, match="cannot be a condition"):
            bool(word)
        with pytest.raises(DescriptionError, match="cannot be compared"):
            compare(word, 1)
    assert number == IntWord(1, 8) and number != IntWord(2, 8) and len({node, node, number}) == 2


def test_words_of_two_recordings_do_not_combine() -> None:
    one, other = Graph().input("a", 8), Graph().input("a", 8)
    with pytest.raises(DescriptionError, match="a word of an earlier call"):
        one ^ other


def test_a_memory_that_changes_nothing_is_no_error(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(TOY.replace(ROUND, "self.n = getattr(self, 'n', 0) + 1\n        " + ROUND))
    assert load_description(file).name == "toy"


def test_a_round_that_changes_with_its_calls_is_refused(tmp_path: Path) -> None:
    file, text = tmp_path / "mine.py", (EXAMPLES / "two_word.py").read_text()
    line = "x0, x1 = S"
    assert line in text
    file.write_text(
        text.replace(line, "self.n = getattr(self, 'n', 0) + 1\n        x0, x1 = S[0] ^ self.n, S[1]")
    )
    with pytest.raises(DescriptionError, match=r"mine.py:\d+: round: does not compute the same"):
        load_description(file)


def test_what_a_description_prints_is_no_output(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "mine.py"
    file.write_text(TOY.replace(ROUND, "print('seen')\n        " + ROUND))
    load_description(file)
    out, err = capfd.readouterr()
    assert out == "" and "seen" in err


def test_where_a_file_is_that_takes_long_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The time is up when the file itself says so."""
    file = tmp_path / "mine.py"
    timer = MagicMock()
    monkeypatch.setattr("threading.Timer", timer)
    file.write_text("from threading import Timer\n\nTimer.call_args.args[1]()\n" + TOY)
    load_description(file)
    assert capsys.readouterr().err == f"{file}:3: still running after 10 s; Ctrl-C stops it\n"
    timer.return_value.cancel.assert_called_once_with()


def test_a_file_is_read_again_however_soon_it_was_changed(tmp_path: Path) -> None:
    """Of one length and one time, which Python's own cache takes for the same file."""
    file = tmp_path / "mine.py"
    sealed = []
    for rounds in (12, 13):
        file.write_text(TOY.replace("range(12)", f"range({rounds})"))
        os.utime(file, (1_700_000_000, 1_700_000_000))
        toy = load_description(file)
        assert isinstance(toy, StreamAead)
        sealed.append(toy.seal(bytes(toy.key_bytes), bytes(toy.nonce_bytes), b"data", b""))
    assert sealed[0] != sealed[1]
    assert not list(tmp_path.rglob("*.pyc"))
