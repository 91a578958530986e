"""Keys and states found by a solver: compared with all keys tried one after the other."""

from __future__ import annotations

import random
from typing import Any

import pytest

from roundworks.errors import DescriptionError, UnknownName
from roundworks.prove.bitwise.recovery import recover, recovery, seen_of
from roundworks.prove.pipeline import Query
from roundworks.reference import BlockCipher, Sbox, get, get_analysed


class Tiny(BlockCipher[Any]):
    """Additions, an S-box, AND and a key of 8 bits, of which a round takes four."""

    name, words, word_bits, key_words, key_word_bits, rounds = "tiny", 2, 4, 2, 4, 3

    def __init__(self, seed: int) -> None:
        self.sbox = Sbox("random", tuple(random.Random(seed).sample(range(16), 16)))

    def schedule(self, K: Any) -> Any:
        for i in range(self.rounds):
            yield K[i % 2] + i

    def encrypt(self, S: Any, subkeys: Any) -> Any:
        x, y = S
        for k in subkeys:
            x, y = y ^ ((x ^ k).sub(self.sbox) + (x & y.rotl(1))), x - k
        return [x, y]


@pytest.mark.parametrize("seed", range(8))
def test_the_key_is_one_of_those_that_trying_all_finds(seed: int) -> None:
    cipher, rounds = Tiny(seed), 1 + seed % 3
    seen = seen_of(cipher, rounds, {})
    result = recover(seen)
    pairs = [
        (given["S0"] << 4 | given["S1"], out["S'0"] << 4 | out["S'1"]) for given, out in seen.computations
    ]
    small = cipher.of_rounds(rounds)
    keys = [k for k in range(256) if all(small.encrypt_block(k, x) == y for x, y in pairs)]
    assert result.secret is not None
    assert result.secret["K0"] << 4 | result.secret["K1"] in keys
    assert result.unique == (len(keys) == 1)
    common = [bit for bit in range(8) if len({key >> bit & 1 for key in keys}) == 1]
    assert (result.determined, result.undecided) == (len(common), 0)


class HalfKey(Tiny):
    """A round takes one of two words of the key, and the other one is free."""

    def schedule(self, K: Any) -> Any:
        return [K[0]] * self.rounds


def test_only_bits_that_every_explanation_has_are_found() -> None:
    (bound,) = recovery(HalfKey(1), Query(1))
    assert bound.witness is not None and bound.witness["unique"].startswith("no")
    assert (bound.value, bound.side, bound.certainty) == (4, "exact", "one-solver")
    assert "others explain the same" in bound.method


def test_what_time_leaves_undecided_is_not_exact(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("roundworks.prove.bitwise.recovery.DETERMINING", 0.0)
    (bound,) = recovery(HalfKey(1), Query(1))
    assert bound.side == "lower" and bound.certainty in ("one-solver", "measured")
    assert bound.certainty == "measured" or bound.value == 0


def test_rounds_of_simon_and_guesses() -> None:
    result = list(recovery(get_analysed("simon-32-64"), Query(5, where={"K0": ".", "K1": "**.."})))
    # One round reads a subkey of 16 bits, of 40 unknown ones; over five all of them are determined.
    assert result[0].value == 16 and result[-1].value == 40
    assert [b.certainty for b in result] == [*["one-solver"] * 4, "proven"]
    assert "24 bits guessed" in result[0].method
    assert result[-1].certainty == "proven" and "24 bits guessed" in result[-1].method
    assert result[-1].witness is not None and result[-1].witness["unique"] == "yes"


def test_a_limit_of_time_says_nothing() -> None:
    (bound,) = recovery(get_analysed("aes-128"), Query(3, limit=0))
    assert (bound.value, bound.side, bound.certainty) == (0, "lower", "heuristic")


def test_what_does_not_fit_is_said() -> None:
    with pytest.raises(DescriptionError, match="'recovery' needs a round that absorbs a block"):
        seen_of(get_analysed("aes"), 1, {})
    with pytest.raises(UnknownName, match="where: word 'S0'"):
        seen_of(get_analysed("simon-32-64"), 1, {"S0": "*"})
    with pytest.raises(DescriptionError, match=r"want \* or \. in a recovery"):
        seen_of(get_analysed("simon-32-64"), 1, {"K0": "?"})


def test_the_state_of_a_streaming_cipher_from_its_keystream() -> None:
    seen = seen_of(get("aegis-128l"), 1, {"S0": ".", "S1": ".", "S2": ".", "S3": ".", "S4": ".", "S5": "."})
    result = recover(seen)
    assert result.secret is not None and seen.bits == 256
