"""Guess and determine: what is derived from words that are guessed is compared with all states of a small cipher."""

from __future__ import annotations

from itertools import combinations, product

import pytest

from roundworks.analysis.determine import determined, guess_and_determine, word_system
from roundworks.reference import Sbox, StreamAead, get, record_round, unit

PRESENT = Sbox("PRESENT", (12, 5, 6, 11, 9, 0, 10, 13, 3, 14, 15, 8, 4, 7, 1, 2))
ROUNDS = 4


@unit("F")
def f(x):
    return x.sub(PRESENT)


class Small(StreamAead):
    """Four words of four bits; what it does with blocks does not matter, they are zero here."""

    name = "small"
    key_bytes, nonce_bytes, tag_bytes = 1, 1, 1
    words, rate_words, word_bits = 4, 1, 4

    def update(self, S, X):
        return [f(S[3]) ^ X[0], f(S[0]) ^ S[2], f(S[1]) ^ S[0], f(S[2]) ^ S[1]]

    def keystream(self, S):
        return [f(S[0] ^ S[1]) ^ S[2]]


def run(state: tuple[int, ...]) -> tuple[list[tuple[int, ...]], tuple[int, ...]]:
    """The states and the keystream of some rounds, in numbers."""
    sub, states, stream = PRESENT.table, [state], []
    for _ in range(ROUNDS):
        a, b, c, d = states[-1]
        stream.append(sub[a ^ b] ^ c)
        states.append((sub[d], sub[a] ^ c, sub[b] ^ a, sub[c] ^ b))
    return states, tuple(stream)


def test_words_that_determine_the_state_leave_one_last_state() -> None:
    system = word_system(record_round(Small()), ROUNDS)
    runs = [run(state) for state in product(range(16), repeat=4)]
    places = [(r, i) for r in range(ROUNDS) for i in range(4)]
    chosen = [
        pair for pair in combinations(places, 2) if determined(system, [system.states[r][i] for r, i in pair])
    ]
    assert 0 < len(chosen) < len(places) * (len(places) - 1) // 2
    for pair in chosen[::5]:
        last = dict[tuple[object, ...], tuple[int, ...]]()
        for states, stream in runs:
            seen = (tuple(states[r][i] for r, i in pair), stream)
            assert last.setdefault(seen, states[-1]) == states[-1]


def test_a_state_that_the_keystream_gives_needs_no_guess() -> None:
    class Open(Small):
        def update(self, S, X):
            return [f(S[1]) ^ X[0], f(S[2]), f(S[3]), f(S[0])]

        def keystream(self, S):
            return [S[0]]

    bound = guess_and_determine(Open(), 1)
    assert (bound.value, bound.certainty, bound.witness) == (0, "proven", {"words": []})


@pytest.mark.parametrize(("words", "value"), [(2, None), (3, 3)])
def test_aether_takes_more_words_than_its_key_has(words: int, value: int | None) -> None:
    bound = guess_and_determine(get("aether"), words)
    assert bound.value == value
    assert bound.certainty == ("heuristic" if value is None else "proven")
