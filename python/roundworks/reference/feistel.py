"""The Feistel permutations made of AES instructions alone, of any configuration. [AESNI-PERM,
section 3]

A configuration is N-I for each function: N instructions, of which I says what is `aesenclast`
(0 none, 1 the first, 2 the last, 3 both). ``feistel256:2-0,1-1`` and
``feistel512:2-0,2-2,2-0,2-2`` are names; a shuffle of the four words may follow as ``/3,0,1,2``.

The figures of the paper are lost and it names no constants. The wiring below is the one that gives
all of its tables; the constants are Areion's, so that (2-0,1-1) is Areion-256.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import permutations as orders
from typing import Any, ClassVar

from .. import spec
from ..errors import DescriptionError, UnknownName
from .aes import aes, aes_last
from .areion import round_constant
from .permutation import Permutation
from .word import W

CODES = ("1-0", "1-1", "2-0", "2-1", "2-2", "2-3")
SHUFFLES = tuple(orders(range(4)))[1:]  # all but the identity, which never mixes the halves
SHUFFLE = (3, 0, 1, 2)
"""new[i] = old[SHUFFLE[i]]: the only one with which every row of [AESNI-PERM, table 2] holds."""


@dataclass(frozen=True, slots=True)
class FeistelFunction:
    """One F: its AES instructions in order, True where it is `aesenclast`."""

    lasts: tuple[bool, ...]

    @property
    def code(self) -> str:
        """Its name, such as ``2-1``."""
        first, last = self.lasts[0], self.lasts[-1]
        if len(self.lasts) == 1:
            return f"1-{first:d}"
        return f"2-{first + 2 * last}"

    def __call__(self, x: W, keys: Sequence[W | int]) -> W:
        """F(x), with the round key of each instruction."""
        for last, key in zip(self.lasts, keys, strict=True):
            x = aes_last(x) if last else aes(x)
            if not isinstance(key, int) or key:
                x = x ^ key
        return x


def function(code: str) -> FeistelFunction:
    """The function of a code such as ``2-1``; `DescriptionError` of any other code."""
    if code not in CODES:
        raise DescriptionError(f"function {code!r}: want one of {', '.join(CODES)}")
    count, which = int(code[0]), int(code[2])
    if count == 1:
        return FeistelFunction((which == 1,))
    return FeistelFunction((which in (1, 3), which in (2, 3)))


class Feistel(Permutation[W]):
    """The family: pairs (x, y) -> (F2(x), F1(x) ^ y) and a shuffle of all words."""

    family = "feistel"
    sizes: ClassVar[dict[int, str]] = {2: "feistel256", 4: "feistel512"}

    def __init__(self, codes: Sequence[str], shuffle: Sequence[int], rounds: int | None = None) -> None:
        functions = [function(code) for code in codes]
        if len(functions) not in self.sizes:
            raise DescriptionError(f"configuration: want 2 or 4 functions, got {len(functions)}")
        self.words = len(functions)
        if sorted(shuffle) != list(range(self.words)):
            want = f"every word 0..{self.words - 1} once"
            raise DescriptionError(f"shuffle: want {want}, got {','.join(map(str, shuffle))}")
        self.codes, self.shuffle = tuple(codes), tuple(shuffle)
        self.pairs = list(zip(functions[0::2], functions[1::2], strict=True))
        self.name = self.sizes[self.words] + ":" + ",".join(codes)
        standard = (1, 0) if self.words == 2 else SHUFFLE
        if self.shuffle != standard:
            self.name += "/" + ",".join(map(str, shuffle))
        self.rounds = rounds or _rounds(self.name, self.words)

    @property
    def instructions(self) -> int:
        """AES instructions of one round."""
        return sum(len(f.lasts) for pair in self.pairs for f in pair)

    def round(self, S: Sequence[W], i: int) -> list[W]:
        new: list[W] = []
        for half, (f1, f2) in enumerate(self.pairs):
            x, y = S[2 * half], S[2 * half + 1]
            constant = round_constant(i * len(self.pairs) + half)
            # F1's only instruction has y for its key; then the constant goes to F2.
            of_f1 = len(f1.lasts) == 2
            keys_1: list[W | int] = [constant, y] if of_f1 else [y]
            keys_2 = [0] * (len(f2.lasts) - 1) + [0 if of_f1 else constant]
            new += [f2(x, keys_2), f1(x, keys_1)]
        return [new[j] for j in self.shuffle]


def _rounds(name: str, words: int) -> int:
    """Those of the paper; of what it does not list, those at which it measures Simpira."""
    listed = {facts.name: facts.rounds for facts in spec.permutations()}
    return listed.get(name) or int(spec.permutation(f"simpira-{words}").timed_rounds)


def feistel256(c1: str, c2: str, rounds: int | None = None) -> Feistel[Any]:
    """(x0, x1) -> (F1(x0) ^ x1, F2(x0))."""
    return Feistel((c1, c2), (1, 0), rounds)


def feistel512(
    c1: str, c2: str, c3: str, c4: str, shuffle: Sequence[int] = SHUFFLE, rounds: int | None = None
) -> Feistel[Any]:
    """x0' = F2(x0), x1' = F1(x0) ^ x1, x2' = F4(x2), x3' = F3(x2) ^ x3, then the shuffle."""
    return Feistel((c1, c2, c3, c4), shuffle, rounds)


def names() -> list[str]:
    """The members that the paper found."""
    return [facts.name for facts in spec.permutations() if facts.family == "feistel"]


_NAME = re.compile(r"feistel(256|512):([^/]*)(?:/([0-9,]*))?")


def parse(name: str) -> Feistel[Any]:
    """The member that a name spells.

    Raises
    ------
    UnknownName
        ``permutation 'feistel256:2-0': want 2 functions of 1-0, 1-1, ..., got 1``
    """
    match = _NAME.fullmatch(name)
    if match is None:
        raise UnknownName(
            f"permutation {name!r}: want feistel256:2-0,1-1 or feistel512:2-0,2-2,2-0,2-2/3,0,1,2"
            f" and the like, with functions of {', '.join(CODES)}"
        )
    codes, want = match[2].split(","), int(match[1]) // 128
    if len(codes) != want:
        raise UnknownName(f"permutation {name!r}: want {want} functions, got {len(codes)}")
    if wrong := [code for code in codes if code not in CODES]:
        raise UnknownName(f"permutation {name!r}: function {wrong[0]!r}: want one of {', '.join(CODES)}")
    if match[3] is None:
        return Feistel(codes, (1, 0) if want == 2 else SHUFFLE)
    shuffle = tuple(int(word) for word in match[3].split(",") if word)
    if sorted(shuffle) != list(range(want)):
        raise UnknownName(
            f"permutation {name!r}: shuffle: want every word 0..{want - 1} once, got {match[3]!r}"
        )
    return Feistel(codes, shuffle)
