"""Boomerangs and differential-linear approximations, against all values of small permutations."""

from __future__ import annotations

import random
from functools import partial, reduce
from math import log2
from typing import Any

import numpy as np
import pytest

from roundworks.analysis.cuts import cuts
from roundworks.analysis.inverse import inverse
from roundworks.analysis.sboxes import bct, dlct
from roundworks.errors import DescriptionError
from roundworks.prove.bitwise import switches
from roundworks.prove.bitwise.switches import returns, switched_over
from roundworks.prove.pipeline import Query
from roundworks.reference import BlockCipher, CellPermutation, IntWord, Sbox, get, get_analysed, record_rounds
from roundworks.reference.aes import SUB_BYTES
from roundworks.reference.midori import SB0
from roundworks.reference.present import SBOX
from roundworks.reference.recordings import run
from small_ciphers import Shape, Spn, random_sbox
from transitions import correlations, differences, permutation, random_spn, table


@pytest.mark.parametrize("sbox", [SBOX, SB0], ids=["present", "midori"])
def test_tables_by_definition(sbox: Sbox) -> None:
    values, size = sbox.table, len(sbox.table)
    back = [values.index(y) for y in range(size)]
    comes_back, connects = bct(sbox), dlct(sbox)
    for a in range(size):
        for b in range(size):
            quartets = sum(back[values[x] ^ b] ^ back[values[x ^ a] ^ b] == a for x in range(size))
            signs = sum((-1) ** (b & (values[x] ^ values[x ^ a])).bit_count() for x in range(size))
            assert (comes_back[a, b], connects[a, b]) == (quartets, signs)


def test_what_is_known_of_the_tables() -> None:
    """Boomerang uniformity 6 of the AES [CID], which has no linear structure; PRESENT has undisturbed bits."""
    assert bct(SUB_BYTES)[1:, 1:].max() == 6
    assert abs(dlct(SUB_BYTES)[1:, 1:]).max() < 256
    # A difference in bit 0 alone always changes bit 0 behind the S-box. [TEZCAN]
    assert dlct(SBOX)[1, 1] == -16


def best_product(spn: Spn, rounds: int, kind: str) -> float:
    """The largest product of two trails and a layer, over all layers, by matrices over all values."""
    layers = [layer for r in spn.layers[:rounds] for layer in r]
    behind = differences if kind == "boomerang" else lambda values: correlations(values) ** 2
    times = 2 if kind == "boomerang" else 1
    size, best = 1 << spn.word_bits, 0.0

    def trail(part: list, of) -> np.ndarray:
        """[a, b]: the probability of the best trail from a to b."""
        one = (of(table(layer, spn.word_bits)) for layer in part)
        return reduce(lambda x, y: (x[:, :, None] * y[None]).max(axis=1), one, np.eye(size))

    for place, layer in enumerate(layers):
        if isinstance(layer, Sbox):
            values = table(layer, spn.word_bits)
            back = np.argsort(values)
            x = np.arange(size)
            if kind == "boomerang":
                middle = np.array(
                    [
                        [
                            np.count_nonzero(back[values ^ b] ^ back[values[x ^ a] ^ b] == a)
                            for b in range(size)
                        ]
                        for a in range(size)
                    ]
                )
            else:
                sign = 1 - 2 * (np.bitwise_count(x[:, None] & x).astype(int) & 1)
                counts = [np.bincount(values ^ values[x ^ a], minlength=size) for a in range(size)]
                middle = np.abs(np.array(counts) @ sign)
            first = trail(layers[:place], differences)[1:].max(axis=0) ** times
            second = trail(layers[place + 1 :], behind)[:, 1:].max(axis=1) ** times
            best = max(best, float((first[:, None] * middle / size * second).max()))
    return best


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("kind", ["boomerang", "differential-linear"])
def test_the_best_product_is_found(seed: int, kind: str) -> None:
    rounds = 1 + seed
    spn = random_spn(seed, rounds, Shape(2, 3))
    bound = switched_over(spn, kind, rounds, Query(rounds))  # type: ignore[arg-type]
    assert bound.value == pytest.approx(log2(best_product(spn, rounds, kind)), abs=0.1)
    assert bound.certainty == "heuristic" and bound.side == "lower"


def test_a_product_that_may_not_be_the_best_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """Weights as whole numbers: the lightest trails of the model are not those of the description."""
    monkeypatch.setattr(switches, "join", partial(switches.join, denominator=1))
    below = 0
    for seed in (1, 17, 20, 26):
        spn = random_spn(seed, 2, Shape(1, 4))
        bound = switched_over(spn, "boomerang", 2, Query(2))  # type: ignore[arg-type]
        if bound.value != pytest.approx(log2(best_product(spn, 2, "boomerang"))):
            below += 1
            assert bound.method.endswith("for the solver, a better one may exist")
    assert below


def test_ends_that_no_trails_have_are_said() -> None:
    """The time is not over: no trails lead from this difference to that one."""
    ends = {"S0": "0000000000000001", "S'0": "0000000000000001"}
    with pytest.raises(
        DescriptionError, match=r"^present: 1 rounds: boomerang: no trails .* have these ends$"
    ):
        switched_over(get_analysed("present"), "boomerang", 1, Query(1, where=ends))


class Keyed(BlockCipher[Any]):
    """Two cells of three bits; the key is added in every round, and turns."""

    name, words, word_bits, key_words, rounds = "keyed", 1, 6, 1, 8
    moved = CellPermutation("moved", (1, 3, 5, 0, 2, 4), 1)

    def __init__(self, seed: int) -> None:
        self.sbox = random_sbox(random.Random(seed), 3)

    def schedule(self, K: Any) -> list[Any]:
        return [K[0].rotl(i) for i in range(self.rounds)]

    def encrypt(self, S: Any, subkeys: Any) -> list[Any]:
        x = S[0]
        for k in subkeys:
            x = (x ^ k).sub(self.sbox).permute(self.moved)
        return [x]


def best_of_related_keys(cipher: Keyed, rounds: int) -> float:
    """The same of a boomerang whose key differs, over every difference of the key before and behind."""
    size, x = 64, np.arange(64)
    values, wires = table(cipher.sbox, 6), table(cipher.moved, 6)
    passes, back = differences(values), np.argsort(values)
    turn = [[(k << i | k >> 6 - i) & 63 for i in range(rounds)] for k in range(size)]
    middle = np.array(
        [[np.mean(back[values ^ b] ^ back[values[x ^ a] ^ b] == a) for b in range(size)] for a in range(size)]
    )
    best = 0.0
    for place in range(rounds):
        first, second = np.zeros(size), np.zeros(size)
        for k in range(size):
            before = np.array([float(bool(k or d)) for d in range(size)])
            for i in range(place):
                before = (before[x ^ turn[k][i]][:, None] * passes).max(axis=0)[np.argsort(wires)]
            first = np.maximum(first, before[x ^ turn[k][place]])
            behind = np.array([float(bool(k or d)) for d in range(size)])
            for i in reversed(range(place + 1, rounds)):
                behind = (passes * behind[wires][None]).max(axis=1)[x ^ turn[k][i]]
            second = np.maximum(second, behind[wires])
        best = max(best, float((first[:, None] ** 2 * middle * second**2).max()))
    return best


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("rounds", [3, 5])
def test_the_best_product_where_keys_differ_is_found(seed: int, rounds: int) -> None:
    bound = switched_over(Keyed(seed), "boomerang", rounds, Query(rounds), related=True)
    assert bound.value == pytest.approx(log2(best_of_related_keys(Keyed(seed), rounds)), abs=0.1)


@pytest.mark.long  # products are compared above
def test_quartets_of_related_keys_come_back() -> None:
    """SKINNY-64-64 over 6 rounds: the product is 2^-4, and the layers around it help."""
    query = Query(6, where={"K0": "0004000000000000", "K'0": "2000000000000000"})
    bound = switched_over(get_analysed("skinny-64-64"), "boomerang", 6, query, related=True)
    assert bound.value is not None and bound.witness is not None
    assert bound.witness["K0"] == "0004000000000000" and bound.witness["K'0"] == "2000000000000000"
    assert bound.witness["measured_log2"] > bound.value - 0.5


def test_quartets_of_one_layer_come_back_as_the_table_says() -> None:
    sbox = random_sbox(random.Random(5), 4)
    spn = Spn(Shape(2, 4), [[sbox]])
    a, b = 0x3, 0x9
    samples = 1 << 14
    came = returns(record_rounds(spn, 1), {"S0": a, "S'0": b}, samples, seed=2)
    assert came / samples == pytest.approx(bct(sbox)[a, b] / 16, abs=0.02)


@pytest.mark.parametrize(
    "name", ["aes", "present", "midori64", "feistel256:2-0,1-1", "areion-256", "skinny-64-64"]
)
def test_inverse_of_the_catalogue(name: str) -> None:
    recording = record_rounds(get_analysed(name), 2)
    back = inverse(recording)
    start = {
        n: IntWord(
            0x123456789ABCDEF * (i + 1) % (1 << recording.graph.nodes[id_].bits),
            recording.graph.nodes[id_].bits,
        )
        for i, (n, id_) in enumerate(recording.inputs.items())
    }
    values = run(recording, start)
    keys = {n: word for n, word in start.items() if not n.startswith("S")}
    again = run(back, keys | {n: values[id_] for n, id_ in recording.outputs.items()})
    assert {n: again[id_] for n, id_ in back.outputs.items()} | keys == start


def test_inverse_of_every_value() -> None:
    spn = random_spn(4, 2, Shape(3, 3))
    recording, images = record_rounds(spn, 2), permutation(spn, 2)
    back = inverse(recording)
    for x, y in enumerate(images):
        values = run(back, {"S'0": IntWord(int(y), 9)})
        assert values[back.outputs["S0"]].value == x


def test_what_does_not_apply_says_so() -> None:
    with pytest.raises(DescriptionError, match="aegis-128: 2 rounds: S0 does not follow"):
        inverse(record_rounds(get("aegis-128"), 2))
    with pytest.raises(DescriptionError, match="no layer of S-boxes that all of the state passes"):
        cuts(record_rounds(get_analysed("simpira-2"), 2))
    assert len(cuts(record_rounds(get_analysed("aes"), 3))) == 3
