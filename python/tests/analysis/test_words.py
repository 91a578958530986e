"""The word-wise view: programs from graphs, and the engine against a plain shortest path."""

from __future__ import annotations

import random

import pytest

import oracle
import twobit
from calls import cases
from places import TOY
from roundworks import _native, spec
from roundworks.analysis import bounds, search, words
from roundworks.errors import DescriptionError
from roundworks.reference import CellPermutation, Matrix, Sbox, StreamAead, get, load_file, record_round, unit


def describe(name: str):
    return load_file(TOY) if name == "toy" else get(name)


PLAIN = ["aether", "aegis-128", "aegis-128l", "aegis-256", "rocca-s", "toy"]


@pytest.mark.parametrize("name", cases(PLAIN, short=set(PLAIN) - {"aegis-128l"}))
def test_engine_equals_plain_search(name: str) -> None:
    recording = record_round(describe(name))
    for program in (words.differential(recording), words.linear(recording)):
        result = _native.word_collision(program.native())
        assert result is not None and result[0] == oracle.collision(program)
        blocks = [random.Random(r).getrandbits(program.inputs) for r in range(8)]
        starts = [1, (1 << program.words) - 1]
        actual = _native.word_profile(program.native(), starts, blocks)
        assert actual == oracle.profile(program, starts, blocks)


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
        result = _native.word_collision(program.native())
        want = oracle.collision(program)
        assert (result[0] if result else None) == want, program
        blocks = [rng.getrandbits(program.inputs) for _ in range(5)]
        start = rng.getrandbits(program.words)
        actual = _native.word_profile(program.native(), [start], blocks)
        assert actual == oracle.profile(program, [start], blocks), program


def test_trails_are_paths_of_the_program() -> None:
    program = words.differential(record_round(get("aether")))
    result = _native.word_collision(program.native())
    assert result is not None
    cost, trail = result
    assert trail[0][0] == 0 and any(block for _, block, _ in trail)
    following = [state for state, _, _ in trail[1:]] + [0]
    for (state, block, active), after in zip(trail, following, strict=True):
        assert (after, active) in set(program.steps(state, block))
    assert sum(active for _, _, active in trail) == cost


def test_table_7() -> None:
    printed = [row.values[0] for row in spec.paper("aether").table("7").rows]
    assert [b.value for b in bounds.active_f(get("aether"), 16)] == printed


def test_collision_and_bias() -> None:
    results = {
        name: (bounds.collision(get(name)).value, bounds.bias(get(name)).value)
        for name in ("aether", "aether-lb", "aegis-128")
    }
    assert results == {"aether": (8, 13), "aether-lb": (8, 13), "aegis-128": (11, 4)}


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


NIBBLES = Sbox("s", (12, 5, 6, 11, 9, 0, 10, 13, 3, 14, 15, 8, 4, 7, 1, 2))
TURN = CellPermutation("turn", (1, 2, 3, 0), 4)
MIX = Matrix("mix", ((0, 1, 1, 1), (1, 0, 1, 1), (1, 1, 0, 1), (1, 1, 1, 0)), 4)


@unit("F")
def f(x):
    return x.sub(NIBBLES).mix(MIX)


@unit("F")  # another function of the same name
def f2(x):
    return x.mix(MIX).sub(NIBBLES)


# words, round, keystream, (collision, bias): what equal activity must not be taken for.
ROUNDS = {
    "a layer does not cancel its argument": (
        2,
        lambda S, X: [S[1] ^ S[1].permute(TURN) ^ f(S[1]), S[0] ^ f(S[0]) ^ X[0]],
        lambda S: [f(S[0]) ^ S[1]],
        None,
    ),
    "the mask behind a layer is another mask": (
        2,
        lambda S, X: [S[0].permute(TURN) ^ S[0] ^ f(S[0]), S[0] ^ S[1].permute(TURN) ^ f(S[1])],
        lambda S: [f(S[0]) ^ f(S[1])],
        None,
    ),
    "a sum used twice is one word": (
        3,
        lambda S, X: [S[0] ^ S[1] ^ X[0], S[0] ^ S[1] ^ f(S[2]), f(S[1]) ^ X[0]],
        lambda S: [S[2]],
        None,
    ),
    "F of x and of x ^ constant are two F": (
        3,
        lambda S, X: [f(S[2]) ^ f(S[2] ^ 5) ^ X[0], S[0] ^ X[0], f(S[1])],
        lambda S: [S[0] ^ f(S[1]) ^ f(S[1] ^ 1)],
        (3, 4),
    ),
    "an F and a bare S-box of one word are two F": (
        3,
        lambda S, X: [f(S[2]) ^ S[2].sub(NIBBLES) ^ X[0], f(S[0]), f(S[1])],
        lambda S: [f(S[0]) ^ S[0].sub(NIBBLES) ^ S[1]],
        (4, 5),
    ),
    "two functions of one name are two F": (
        3,
        lambda S, X: [f(S[2]) ^ f2(S[2]) ^ X[0], f(S[0]), f(S[1])],
        lambda S: [S[2]],
        (4, 4),
    ),
    "AND with two constants is two words": (
        2,
        lambda S, X: [(S[1] & 15) ^ (S[1] & 240) ^ X[0], f(S[0])],
        lambda S: [S[1]],
        (1, 1),
    ),
    "masks of two F of one mask are two": (
        3,
        lambda S, X: [f(S[2]) ^ X[0], f(S[0]) ^ f(S[0] ^ S[1]), S[2] ^ X[0]],
        lambda S: [S[1]],
        (3, 2),
    ),
    "a ^ b and b ^ a are one word": (
        2,
        lambda S, X: [f(S[0] ^ S[1]) ^ X[0], f(S[1] ^ S[0]) ^ S[1]],
        lambda S: [f(S[0] ^ S[1])],
        None,
    ),
}


def of(count: int, update, keystream) -> StreamAead:
    class Round(Base):
        words = count

        def update(self, S, X):
            return update(S, X)

        def keystream(self, S):
            return keystream(S)

    return Round()


@pytest.mark.parametrize("name", ROUNDS)
def test_bounds_equal_real_differences_of_small_words(name: str) -> None:
    count, update, keystream, printed = ROUNDS[name]
    cipher = of(count, update, keystream)
    result = (bounds.collision(cipher).value, bounds.bias(cipher).value)
    assert result == (twobit.collision(cipher), twobit.bias(cipher))
    assert printed is None or result == printed


def test_bounds_never_exceed_real_differences_on_random_rounds() -> None:
    """Lower bounds, so smaller is allowed; equal nearly always."""
    rng, equal, total = random.Random(11), 0, 0
    steps = {
        "f": lambda x, y: f(x),
        "f2": lambda x, y: f2(x),
        "sub": lambda x, y: x.sub(NIBBLES),
        "mix": lambda x, y: x.mix(MIX),
        "permute": lambda x, y: x.permute(TURN),
        "constant": lambda x, y: x ^ 9,
        "xor": lambda x, y: x ^ y,
        "xor2": lambda x, y: y ^ x,
        "and": lambda x, y: x & y,
    }

    def code(given: int, length: int) -> list[tuple[str, int, int]]:
        return [
            (rng.choice(list(steps)), rng.randrange(given + i), rng.randrange(given + i))
            for i in range(length)
        ]

    def run(lines, words):
        for step, i, j in lines:
            words = [*words, steps[step](words[i], words[j])]
        return words

    for _ in range(150):
        count = rng.randint(1, 2)
        inner, outer = code(count + 1, 5), code(count, 2)
        outs = [rng.randrange(count, count + 6) for _ in range(count)]
        cipher = of(
            count,
            lambda S, X, inner=inner, outs=outs: [run(inner, [*S, *X])[o] for o in outs],
            lambda S, outer=outer: run(outer, S)[-1:],
        )
        for measure, real in ((bounds.collision, twobit.collision), (bounds.bias, twobit.bias)):
            lower, true = measure(cipher).value, real(cipher)
            assert true is None or (lower is not None and lower <= true), (measure, inner, outer)
            equal, total = equal + (lower == true), total + 1
    assert equal > 0.6 * total


class Nonces(Base):
    name, words, key_bytes, nonce_bytes = "nonces", 3, 2, 4

    def load(self, K, N):
        return [N[0], N[1], K[0]]

    def init(self, S, K, N):
        for i in range(4):
            S = self.update(S, self.block(i, K, N))
        return S

    def block(self, i, K, N):
        return [N[0] ^ N[1] ^ K[0]]

    def update(self, S, X):
        return [S[2] ^ X[0], f(S[0]) ^ S[1], f(S[1])]


def test_a_block_of_two_nonce_words_may_cancel_in_every_round_or_in_none() -> None:
    program = words.differential(record_round(Nonces()))
    ways = [([1], 1), ([2], 1), ([3], 0), ([3], 1)]
    profiles = [oracle.profile(program, starts, [block] * 4) for starts, block in ways]
    fewest = [min(p) for p in zip(*profiles, strict=True)]
    assert [b.value for b in bounds.active_f(Nonces(), 4)] == fewest

    class OnlyBlocks(Nonces):
        def load(self, K, N):
            return [K[0], 0, K[0]]

    assert [b.value for b in bounds.active_f(OnlyBlocks(), 4)] == [0] * 4


def test_what_active_f_cannot_see_is_refused() -> None:
    class Fed(Nonces):
        def init(self, S, K, N):
            S = self.update(S, [K[0]])
            return self.update([S[0], S[1], S[2] ^ N[0]], [K[0]])

    class FromState(Nonces):
        def init(self, S, K, N):
            return self.update(S, [S[1]])

    class Keyed(Nonces):
        def init(self, S, K, N):
            return self.update([s ^ K[0] for s in self.update(S, [K[0]])], [K[0]])

    class Emptied(Nonces):
        def init(self, S, K, N):
            return self.update([S[0], S[1], S[2] ^ S[2]], [K[0]])

    with pytest.raises(DescriptionError, match="init 1: word S2 is changed before the round"):
        bounds.active_f(Emptied(), 2)
    with pytest.raises(DescriptionError, match="init 2: word S2 is changed before the round"):
        bounds.active_f(Fed(), 2)
    with pytest.raises(DescriptionError, match="block X0 depends on the state"):
        bounds.active_f(FromState(), 2)
    assert len(bounds.active_f(Keyed(), 2)) == 2

    class LongLoad(Nonces):
        def load(self, K, N):
            S = [N[0], N[1], K[0]]
            for _ in range(30):
                S = [f(S[0]) ^ S[1], f(S[1]) ^ S[2], f(S[2]) ^ S[0]]
            return S

    with pytest.raises(DescriptionError, match="at most 14 are enumerated; put rounds in init"):
        bounds.active_f(LongLoad(), 2)


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


def test_the_place_of_a_round_in_the_class_searched() -> None:
    def place(update, count=3):
        return search.structure_of(of(count, update, lambda S: [S[0]]))

    assert place(lambda S, X: [f(S[2]) ^ X[0], f(S[0]) ^ S[1], S[2] ^ f(S[1])]) == ((0,), (1, 2))
    for update in (
        lambda S, X: [f(S[2]) ^ X[0], f(S[0]) ^ S[1], f(S[1]) ^ S[1]],  # pi not injective
        lambda S, X: [f(S[2]) ^ X[0], f(S[0]) ^ S[1], S[1].permute(TURN) ^ S[2]],  # no F
        lambda S, X: [f(S[2]) ^ X[0], f(S[1]) ^ S[1], f(S[0]) ^ S[2]],  # another order
        lambda S, X: [f(S[2]) ^ X[0], f(S[0]) ^ S[1], f(S[1])],  # nothing added
        lambda S, X: [f(S[2]) ^ X[0], f(S[0]) ^ X[0], f(S[1]) ^ S[2]],  # the block twice
    ):
        assert place(update) is None


def test_a_collision_says_where_it_did_not_look() -> None:
    class OwnAbsorb(Nonces):
        def absorb(self, S, X):
            return [S[0] ^ X[0], S[1], S[2] ^ X[0]]

    assert "message blocks only" in bounds.collision(OwnAbsorb()).method
    assert "message blocks only" not in bounds.collision(Nonces()).method


def test_diffusion_by_rounds() -> None:
    values = [b.value for b in bounds.diffusion(Nonces(), 2)]
    assert values == pytest.approx([100 * 4 / 9, 100 * 6 / 9])
    growth = [b.value for b in bounds.diffusion(get("aether"), 7)]
    program = words.differential(record_round(get("aether")))
    assert growth.index(100) + 1 == _native.word_diffusion(program.native())


@pytest.mark.parametrize(
    ("name", "lane"),
    [("aegis-128x2", "aegis-128l"), ("aegis-128x4", "aegis-128l"), ("aegis-256x2", "aegis-256")],
)
def test_lanes_are_bounded_by_themselves(name: str, lane: str) -> None:
    """No path leads from lane to lane, so a cheapest path stays in one; init differs in all."""
    many, one = get(name), get(lane)
    program = words.differential(record_round(many))
    cut = words.parts(program)
    assert [p.program.words for p in cut] == [one.words] * many.degree
    assert sorted(w for p in cut for w in p.words) == list(range(many.words))
    assert len(words.parts(words.differential(record_round(one)))) == 1
    for measure in (bounds.collision, bounds.bias):
        assert measure(many).value == measure(one).value
    growth = [b.value for b in bounds.active_f(one, 8)]
    assert [b.value for b in bounds.active_f(many, 8)] == [many.degree * v for v in growth]
    if name == "aegis-128x2":  # small enough to search as a whole
        whole = _native.word_collision(program.native())
        assert whole is not None and whole[0] == bounds.collision(many).value
