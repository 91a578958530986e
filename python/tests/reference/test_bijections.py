"""Rounds that lose information are refused when a file is loaded, and none that does not."""

from __future__ import annotations

from pathlib import Path

import pytest

from calls import cases
from roundworks.errors import DescriptionError
from roundworks.reference import (
    BlockCipher,
    IntWord,
    Permutation,
    analysed,
    catalogued,
    get_analysed,
    load_description,
    record_round,
)
from roundworks.reference.bijections import check_bijective, follows

HEAD = """
from roundworks.reference import CellPermutation, Matrix, Permutation, Sbox, join

BOX = Sbox("box", (6, 12, 0, 11, 13, 4, 1, 9, 14, 2, 8, 7, 15, 5, 3, 10))
LOSSY = Sbox("lossy", (6, 12, 0, 11, 13, 4, 1, 9, 14, 2, 8, 7, 15, 5, 3, 3))
MIX = Matrix("mix", ((0, 1, 1, 1), (1, 0, 1, 1), (1, 1, 0, 1), (1, 1, 1, 0)), 4)
SINGULAR = Matrix("singular", ((0, 1, 1, 0), (1, 0, 1, 0), (1, 1, 0, 0), (0, 0, 0, 1)), 4)


class Own(Permutation):
    name, words, word_bits, rounds = "own", 2, 32, 4

    def round(self, S, i):
        x, y = S
"""

REFUSED = {
    "pairs of bits": "return [x ^ (x & y), y ^ (x & y)]",
    "an S-box": "return [x.sub(LOSSY).mix(MIX) ^ y, x.sub(LOSSY)]",
    "a matrix in front": "return [x.mix(SINGULAR).sub(BOX) ^ y, y.sub(BOX)]",
    "a matrix between": "return [y.sub(BOX), x.sub(BOX).mix(SINGULAR).sub(BOX)]",
    "a matrix behind": "return [y.sub(BOX), x.sub(BOX).mix(SINGULAR)]",
    "an even row of chi": "return [x ^ (~x.rotl(1) & x.rotl(2)), y]",
    "a sum twice": "return [x + x, y]",
    "an AND": "return [x & 0xffff, y ^ x]",
    "a later round": "return [x, y] if i < 3 else [x.sub(LOSSY), y]",
    "a word that is gone": "return [x ^ y, x ^ y]",
    "a part that is gone": "return [join([x.cut(0, 16), x.cut(8, 16)]), y]",
}

# x ^ y and f(x ^ y): who knows both outputs knows their sum, and so f of it.
FOLLOWS = {
    "Feistel": "return [y ^ x.sub(LOSSY).mix(SINGULAR), x]",
    "Lai-Massey": "t = (x ^ y).sub(LOSSY); return [x ^ t, y ^ t]",
    "addition": "x = x.rotr(8) + y; return [x, y.rotl(3) ^ x]",
    "difference": "x = x - y; return [x, y - x.sub(LOSSY)]",
    "parts": "a, b = x.split(2); return [join([b ^ (a & 5), a]).sub(BOX), y.mix(MIX) ^ i]",
}


def _file(folder: Path, line: str) -> Path:
    file = folder / "own.py"
    file.write_text(HEAD + f"        {line}\n")
    return file


@pytest.mark.parametrize("what", REFUSED)
def test_a_round_that_loses_information_is_refused(what: str, tmp_path: Path) -> None:
    file = _file(tmp_path, REFUSED[what])
    with pytest.raises(DescriptionError, match=r"own.py:\d+: round: .*want a permutation$") as error:
        load_description(file)
    text = str(error.value)
    if "gives one value for two states, " not in text:
        return
    # What it names is so.
    states = text.split("states, ")[1].split(";")[0].split(" and ")
    first, other = ([IntWord(int(state[i : i + 8], 16), 32) for i in (0, 8)] for state in states)
    names: dict[str, type[Permutation]] = {}
    exec(compile(file.read_text(), "own", "exec"), names)
    own, i = names["Own"](), 3 if what == "a later round" else 0
    assert first != other and own.round(first, i) == own.round(other, i)


@pytest.mark.parametrize("what", FOLLOWS)
def test_a_round_whose_functions_lose_information_may_be_a_bijection(what: str, tmp_path: Path) -> None:
    own = load_description(_file(tmp_path, FOLLOWS[what]))
    assert follows(record_round(own))


def test_an_even_and_an_odd_row_of_chi(tmp_path: Path) -> None:
    """The odd one is a bijection that does not follow word-wise; it passes, and nothing is said of it."""
    file = _file(tmp_path, REFUSED["an even row of chi"])
    file.write_text(file.read_text().replace('"own", 2, 32', '"own", 2, 31'))
    assert not follows(record_round(load_description(file)))


SHORT = {
    "ascon-p",
    "gimli",
    "lowmc-128-128",
    "simon-32-64",
    "speck-32-64",
    "present",
    "areion-256",
    "simpira-4",
}


@pytest.mark.parametrize("name", cases([*catalogued(), *analysed()], short=SHORT))
def test_nothing_of_the_catalogue_is_refused(name: str) -> None:
    described = get_analysed(name)
    if isinstance(described, Permutation | BlockCipher):
        check_bijective(described)
