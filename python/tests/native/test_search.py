"""The search engine as Python sees it: shapes, one-line errors, interrupts, parts.

What it computes is compared with a slow twin in the tests of crates/roundworks-search.
"""

from __future__ import annotations

import os
import signal
import threading

import pytest

from roundworks import _native
from roundworks.errors import DescriptionError

# AETHER's round. [AETHER, section 3.2]
AETHER = ([0, 3, 5], [3, 6, 4, 8, 2, 0])
NONCE = 1 << 2 | 1 << 6
TABLE_7 = [2, 4, 8, 12, 16, 19, 22, 24, 28, 34, 36, 39, 43, 45, 48, 50]


def program(words: int, positions: list[int], pi: list[int]):
    """One F for each word, then an XOR for each position."""
    messages, added = iter(range(words, words + len(positions))), iter(pi)
    first = words + len(positions)
    nodes = [("f", [word], 1) for word in range(words)]
    for at in range(words):
        other = next(messages) if at in positions else next(added)
        nodes.append(("xor", [first + (at - 1) % words, other], 0))
    return words, len(positions), nodes, [first + words + at for at in range(words)]


def test_aether_word_wise():
    aether = program(9, *AETHER)
    assert _native.word_profile(aether, [NONCE], [0] * 16) == TABLE_7
    assert _native.word_diffusion(aether) == 6
    cost, trail = _native.word_collision(aether)
    assert cost == 8 == sum(weight for _, _, weight in trail)
    assert trail[0][0] == 0 != trail[0][1]
    assert all(state.bit_count() == weight for state, _, weight in trail)


def test_free_messages_and_nothing_to_start_from():
    aether = program(9, *AETHER)
    free = _native.word_profile(aether, [NONCE], [None] * 4)
    assert free[0] == 2
    assert free[3] < TABLE_7[3]
    assert _native.word_profile(aether, [], [0] * 2) == [None, None]
    assert _native.word_collision((1, 0, [], [0])) is None
    assert _native.word_diffusion((2, 0, [], [0, None])) is None


@pytest.mark.parametrize(
    ("broken", "line"),
    [
        ((25, 0, [], []), "words: want 1 to 24, got 25"),
        ((-1, 0, [], []), "words: want 0 or more, got -1"),
        ((1, 0, [("f", [1], 1)], [0]), "node 0: operand 1 is not defined yet: want ids below 1"),
        ((1, 0, [("and", [0], 1)], [0]), "node 0: kind: want f, xor or any, got 'and'"),
        ((1, 0, [("f", [0], -1)], [0]), "node 0: weight: want 0 to 4294967295, got -1"),
        ((2, 0, [], [0]), "outputs: want 2, one for each word, got 1"),
        ((1, 0, [], [7]), "outputs: want ids below 1, got 7"),
    ],
)
def test_broken_programs_are_refused_in_one_line(broken, line):
    for call in (
        _native.word_collision,
        _native.word_diffusion,
        lambda program: _native.word_profile(program, [1], [0]),
    ):
        with pytest.raises(DescriptionError) as error:
            call(broken)
        assert str(error.value) == line


def test_structures_are_counted_and_kept():
    calls = []
    result = _native.search_structures(9, 3, 8, keep=9000, progress=lambda *now: calls.append(now))
    assert (result["words"], result["inputs"], result["active"]) == (9, 3, 8)
    assert (result["candidates"], result["searched"]) == (5_080_320, 5_080_320)
    assert (result["found"], result["complete"]) == (8478, True)
    assert len(result["structures"]) == 8478
    assert AETHER in result["structures"]
    assert calls[-1] == (5_080_320, 5_080_320, 8478)
    assert result["threads"] >= 1
    assert _native.search_structures(9, 3, 8, threads=1)["threads"] == 1


def test_table_7_has_one_structure():
    result = _native.search_profile(9, 3, [NONCE], TABLE_7)
    assert (result["candidates"], result["found"], result["complete"]) == (5_080_320, 1, True)
    assert result["structures"] == [AETHER]


def interrupt_soon():
    threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()


def test_ctrl_c_returns_what_there_is():
    interrupt_soon()
    # 8.6e14 structures: nobody finishes these before the signal comes.
    first = _native.search_structures(16, 6, 8)
    assert not first["complete"]
    assert first["searched"] < first["candidates"]


def test_parts_add_up():
    sizes = _native.search_parts(9, 3)
    assert sum(sizes) == 5_080_320
    cut = len(sizes) // 3
    both = [_native.search_structures(9, 3, 8, parts=parts) for parts in ((0, cut), (cut, len(sizes)))]
    assert [r["candidates"] for r in both] == [sum(sizes[:cut]), sum(sizes[cut:])]
    assert sum(r["found"] for r in both) == 8478
    assert all(r["complete"] and r["searched"] == r["candidates"] for r in both)


def test_an_exception_of_progress_ends_the_search():
    def broken(*now):
        raise ZeroDivisionError("mine")

    with pytest.raises(ZeroDivisionError, match="mine"):
        _native.search_structures(16, 6, 8, progress=broken)


@pytest.mark.parametrize(
    ("arguments", "options", "line"),
    [
        ((17, 3, 8), {}, "words: want 2 to 16, got 17"),
        ((9, 9, 8), {}, "inputs: want 1 to 8, got 9"),
        ((9, 3, 0), {}, "active: want 1 to 64, got 0"),
        ((9, 3, 8), {"threads": 0}, "threads: want 1 to 1024, got 0"),
        ((9, 3, 8), {"parts": (5, 5)}, "first part: want 0 to 4, got 5"),
        ((9, 3, 8), {"parts": (0, -1)}, "parts: want 0 or more, got -1"),
        ((9, 3, 8), {"keep": -1}, "keep: want 0 or more, got -1"),
    ],
)
def test_sizes_out_of_range_are_refused_in_one_line(arguments, options, line):
    with pytest.raises(DescriptionError) as error:
        _native.search_structures(*arguments, **options)
    assert str(error.value) == line


def test_impossible_profiles_are_refused_in_one_line():
    with pytest.raises(DescriptionError) as error:
        _native.search_profile(9, 3, [NONCE], [2, 4, 3])
    assert str(error.value) == "profile: falls from 4 to 3 in round 3; costs only add up"
