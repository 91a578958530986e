"""Words of any width: integers, batches and recordings agree, with arithmetic written out here."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

from roundworks.errors import DescriptionError
from roundworks.reference import CellPermutation, IntWord, Matrix, Sbox, join
from roundworks.reference.batch import ArrayWord
from roundworks.reference.graph import Graph, Recording
from roundworks.reference.recordings import merged, run

WIDTHS = (4, 5, 6, 7, 8, 12, 16, 24, 27, 31, 32, 48, 64, 80, 96, 128)


def _made(a: Any, b: Any, n: int) -> list[Any]:
    """One word of each operation."""
    w = a.bits
    return [
        *(a + b, a - b, 3 - a, a + 5, a | b, a & b, ~a, a ^ b),
        *(a.rotl(n), a.rotr(n), a << n, a >> n),
        *(a.cut(1, w - 2), join([a.cut(0, 2), b, a.cut(w - 2, 2)]), join(a.split(w))),
    ]


def _wanted(x: int, y: int, n: int, w: int) -> list[int]:
    mask = (1 << w) - 1
    return [
        *(x + y & mask, x - y & mask, 3 - x & mask, x + 5 & mask, x | y, x & y, x ^ mask, x ^ y),
        *((x << n | x >> w - n) & mask, (x >> n | x << w - n) & mask, x << n & mask, x >> n),
        *(x >> 1 & (1 << w - 2) - 1, (x >> w - 2) << w + 2 | y << 2 | x & 3, x),
    ]


@pytest.mark.parametrize("width", WIDTHS)
def test_every_operation_of_three_kinds_of_words(width: int) -> None:
    rng = random.Random(width)
    pairs = [(rng.getrandbits(width), rng.getrandbits(width)) for _ in range(16)]
    for n in sorted({0, 1, 3, width // 2, width - 1}):
        graph = Graph()
        a, b = graph.input("a", width), graph.input("b", width)
        outputs = {str(i): word.id for i, word in enumerate(_made(a, b, n))}
        recording = Recording("words", "all", graph, {"a": a.id, "b": b.id}, outputs)
        batch = (ArrayWord.from_ints(values, width) for values in zip(*pairs, strict=True))
        many = zip(*(word.to_ints() for word in _made(*batch, n)), strict=True)
        for (x, y), row in zip(pairs, many, strict=True):
            wanted = _wanted(x, y, n, width)
            given = IntWord(x, width), IntWord(y, width)
            assert [word.value for word in _made(*given, n)] == wanted
            assert list(row) == wanted
            for graph_of in (recording, merged(recording)):
                values = run(graph_of, dict(zip("ab", given, strict=True)))
                assert [values[node].value for node in graph_of.outputs.values()] == wanted


def test_errors_name_what_is_wrong() -> None:
    word = IntWord(5, 12)
    with pytest.raises(DescriptionError, match=r"cut: want bits within 0..11, got 8 from 6 on"):
        word.cut(6, 8)
    with pytest.raises(DescriptionError, match="12 bits do not make 5 words"):
        word.split(5)
    with pytest.raises(DescriptionError, match="distance of at least 0, got -1"):
        word << -1
    with pytest.raises(DescriptionError, match="want at least one word"):
        join([])
    with pytest.raises(DescriptionError, match="words of 12 and 8 bits"):
        word + IntWord(1, 8)


def test_tables_of_an_array_are_whole_numbers() -> None:
    sbox = Sbox("s", np.arange(16)[::-1])  # type: ignore[arg-type]
    matrix = Matrix("m", np.eye(4, dtype=np.uint8), 4)  # type: ignore[arg-type]
    cells = CellPermutation("p", np.array([1, 0]), 4)  # type: ignore[arg-type]
    entries = [*sbox.table, *matrix.rows[0], *cells.to]
    assert {type(entry) for entry in entries} == {int}
    with pytest.raises(DescriptionError, match="S-box s: want whole numbers: 'float'"):
        Sbox("s", (0.5, 1, 2, 3))  # type: ignore[arg-type]
    with pytest.raises(DescriptionError, match="matrix m: want rows of cells of 1 bit or more, got 0 and 4"):
        Matrix("m", (), 4)
