"""The word-wise view: programs from graphs, and the engine against a plain shortest path."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

import oracle
from roundworks import _native, spec
from roundworks.analysis import bounds, words
from roundworks.errors import DescriptionError, UnknownName
from roundworks.reference import Matrix, Sbox, StreamAead, get, load_file, record_round, unit

TOY = Path(__file__).parents[2] / "examples" / "toy.py"


def describe(name: str):
    return load_file(TOY) if name == "toy" else get(name)


@pytest.mark.parametrize("name", ["aether", "aegis-128", "toy"])
def test_engine_equals_plain_search(name: str) -> None:
    recording = record_round(describe(name))
    for program in (words.differential(recording), words.linear(recording)):
        found = _native.word_collision(program.native())
        assert found is not None and found[0] == oracle.collision(program)
        blocks = [random.Random(r).getrandbits(program.inputs) for r in range(8)]
        starts = [1, (1 << program.words) - 1]
        got = _native.word_profile(program.native(), starts, blocks)
        assert got == oracle.profile(program, starts, blocks)


def random_program(rng: random.Random) -> words.WordProgram:
    """Any program the engine accepts, not only what a cipher would record."""
    state, inputs = rng.randint(1, 5), rng.randint(1, 3)
    nodes: list[words.Op] = []
    for _ in range(rng.randint(state, 10)):
        known = range(state + inputs + len(nodes))
        kind = rng.choice(["f", "f", "xor", "xor", "any"])
        count = 1 if kind == "f" else min(len(known), rng.randint(2 if kind == "xor" else 1, 3))
        weight = rng.randint(1, 3) if kind == "f" else 0
        nodes.append((kind, tuple(rng.sample(known, count)), weight))
    known = range(state + inputs + len(nodes))
    outputs = tuple(rng.choice([*known, None]) for _ in range(state))
    return words.WordProgram(state, inputs, tuple(nodes), outputs)


def test_engine_equals_plain_search_on_random_programs() -> None:
    rng = random.Random(9)
    for _ in range(400):
        program = random_program(rng)
        found = _native.word_collision(program.native())
        want = oracle.collision(program)
        assert (found[0] if found else None) == want, program
        blocks = [rng.getrandbits(program.inputs) for _ in range(5)]
        start = rng.getrandbits(program.words)
        got = _native.word_profile(program.native(), [start], blocks)
        assert got == oracle.profile(program, [start], blocks), program


def test_trails_are_paths_of_the_program() -> None:
    program = words.differential(record_round(get("aether")))
    found = _native.word_collision(program.native())
    assert found is not None
    cost, trail = found
    assert trail[0][0] == 0 and any(block for _, block, _ in trail)
    following = [state for state, _, _ in trail[1:]] + [0]
    for (state, block, active), after in zip(trail, following, strict=True):
        assert (after, active) in set(program.steps(state, block))
    assert sum(active for _, _, active in trail) == cost


def test_table_7() -> None:
    printed = [row.values[0] for row in spec.paper("aether").table("7").rows]
    assert [b.value for b in bounds.active_f(get("aether"), 16)] == printed


def test_collision_and_bias() -> None:
    found = {
        name: (bounds.collision(get(name))[0].value, bounds.bias(get(name))[0].value)
        for name in ("aether", "aether-lb", "aegis-128")
    }
    assert found == {"aether": (8, 13), "aether-lb": (8, 13), "aegis-128": (11, 4)}


def test_aegis_takes_the_nonce_every_other_round() -> None:
    """The bound uses the recorded schedule K, K ^ N; without it another value comes out."""
    cipher = get("aegis-128")
    program = words.differential(record_round(cipher))
    values = [b.value for b in bounds.active_f(cipher, 10)]
    assert values == oracle.profile(program, [1], [0, 1] * 5)
    assert values != oracle.profile(program, [1], [0] * 10)


class Base(StreamAead):
    name, words, rate_words, word_bits = "base", 2, 1, 16

    def keystream(self, S):
        return [S[0]]


def test_shared_values_stay_shared() -> None:
    """F(a ^ b) used twice is one F with one activity, and equal terms cancel."""
    sbox = Sbox("s", tuple(range(16)))

    @unit("F")
    def f(x):
        return x.sub(sbox)

    class Shared(Base):
        def update(self, S, X):
            t = f(S[0] ^ S[1])
            return [t ^ X[0], t ^ t ^ X[0]]

    program = words.differential(record_round(Shared()))
    assert sum(kind == "f" for kind, _, _ in program.nodes) == 1
    assert program.outputs[1] == 2  # X0 itself: the two F cancelled


def test_layers_that_lose_differences_are_refused_with_their_line() -> None:
    class Lossy(Base):
        def update(self, S, X):
            return [S[1].mix(Matrix("flat", ((1, 1), (1, 1)), 8)) ^ X[0], S[0]]

    with pytest.raises(DescriptionError, match=r"test_words.py:\d+: mix flat: not invertible"):
        words.differential(record_round(Lossy()))

    class NotBijective(Base):
        def update(self, S, X):
            return [S[1].sub(Sbox("zero", (0,) * 16)) ^ X[0], S[0]]

    with pytest.raises(DescriptionError, match=r"test_words.py:\d+: sub zero: not invertible"):
        words.differential(record_round(NotBijective()))

    @unit("G")
    def g(x):
        return x ^ x.sub(Sbox("s", tuple(range(16))))

    class Folded(Base):
        def update(self, S, X):
            return [g(S[1]) ^ X[0], S[0]]

    with pytest.raises(DescriptionError, match="a unit is a chain"):
        words.differential(record_round(Folded()))


def test_wrong_use() -> None:
    with pytest.raises(UnknownName, match="measure 'speed': not known; one of active-f, "):
        bounds.bound(get("aether"), "speed", 1)
    with pytest.raises(DescriptionError, match="rounds: want at least 1, got 0"):
        bounds.bound(get("aether"), "active-f", 0)
