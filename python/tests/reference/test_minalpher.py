"""Minalpher: what the designers' code says of its inner functions, and two ways to its tweaks."""

from __future__ import annotations

import hashlib
import random
from collections import Counter
from collections.abc import Callable, Mapping
from itertools import islice

import pytest

from roundworks import spec
from roundworks.errors import InvalidTag
from roundworks.reference import IntWord, batch, get
from roundworks.reference.minalpher import BLOCK, FLAG_MESSAGE, Minalpher, round_constant, times_y, window

CIPHER: Minalpher[IntWord] = Minalpher()
Parts = Mapping[str, bytes]


def number(data: bytes) -> int:
    return int.from_bytes(data, "big")


def block(value: int) -> bytes:
    return value.to_bytes(BLOCK, "big")


def first_rounds(p: Parts) -> bytes:
    def step(S):  # type: ignore[no-untyped-def]
        for i in range(p["rounds"][0]):
            S = CIPHER.round(S, (), i)
        return S

    return block(batch.permuted(CIPHER, step, [number(p["x"])], CIPHER._layout)[0])


def constant(p: Parts) -> bytes:
    """RC_i as a block: B takes it in, A does not."""
    words = bytes(16) + round_constant(p["i"][0]).to_bytes(16, "big")
    return bytes(words[CIPHER._layout().index(i)] for i in range(BLOCK))


def long_message(p: Parts) -> bytes:
    ad = bytes((7 * i + 3) % 256 for i in range(number(p["ad_bytes"])))
    data = bytes((11 * i + 5) % 256 for i in range(number(p["data_bytes"])))
    ciphertext, tag = CIPHER.seal(p["key"], p["nonce"], data, ad)
    return hashlib.sha256(ciphertext).digest() + tag


INNER: dict[str, Callable[[Parts], bytes]] = {
    "MAC": lambda p: CIPHER.mac(p["key"], p["data"]),
    "P": lambda p: block(CIPHER.P([number(p["x"])])[0]),
    "first rounds of P": first_rounds,
    "RC": constant,
    "L": lambda p: block(CIPHER.mask(p["key"], p["flag"][0], p["nonce"])),
    "y^k times": lambda p: block(window(number(p["tweak"]), number(p["k"]) + 1)[-1]),
    "y + 1 times": lambda p: block(number(p["tweak"]) ^ times_y(number(p["tweak"]))),
    "AEAD of generated data": long_message,
}


def test_inner_functions() -> None:
    seen: Counter[str] = Counter()
    for v in spec.function_vectors("minalpher"):
        assert INNER[v.function](v.parts) == v.output, v.id
        seen[v.function] += 1
    assert seen == {
        "MAC": 18,
        "P": 5,
        "first rounds of P": 17,
        "RC": 17,
        "L": 3,
        "y^k times": 24,
        "y + 1 times": 4,
        "AEAD of generated data": 4,
    }


def test_the_window_gives_the_tweaks() -> None:
    rng = random.Random(1)
    for L in (1, 1 << 255, *(rng.getrandbits(256) for _ in range(20))):
        assert window(L, 300) == list(islice(CIPHER.tweaks(L), 300))


def test_the_inverse_and_the_symmetry_of_p() -> None:
    """P(sigma(x)) = sigma(P(x)), sigma(x)[i] = x[i ^ 17]: rows r + 2, columns c ^ 2."""
    rng = random.Random(2)

    def sigma(x: int) -> int:
        data = block(x)
        return number(bytes(data[i ^ 17] for i in range(BLOCK)))

    for _ in range(4):
        x = rng.getrandbits(256)
        (y,) = CIPHER.P([x])
        assert CIPHER.P([y], back=True) == [x]
        assert CIPHER.P([sigma(x)]) == [sigma(y)]
        assert CIPHER.P([y]) != [x], "P is no involution"


@pytest.mark.parametrize("back", [False, True])
def test_many_blocks_at_once_are_each_alone(back: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = random.Random(3)
    blocks = [rng.getrandbits(256) for _ in range(5)]
    monkeypatch.setattr(batch, "FEWEST", 6)
    alone = CIPHER.P(blocks, back=back)
    monkeypatch.setattr(batch, "FEWEST", 1)
    assert CIPHER.P(blocks, back=back) == alone


def test_a_message_grows_by_17_to_48_bytes() -> None:
    key, nonce = bytes(range(16)), bytes(13)
    grown = set()
    for size in range(97):
        sealed = CIPHER.encrypt(key, nonce, bytes(size), b"header")
        assert len(sealed) == CIPHER.sealed_bytes(size)
        assert CIPHER.decrypt(key, nonce, sealed, b"header") == bytes(size)
        grown.add(len(sealed) - size)
    assert grown == set(range(17, 49))


BAD_PADDING = {
    "no marker at all": bytes(32),
    "another byte": bytes(31) + b"\x01",
    "bits under the marker": b"\x81" + bytes(31),
    "a marker in the block before": b"\x80" + bytes(63),
    "more behind the marker": b"\x80" + bytes(30) + b"\x40",
}


@pytest.mark.parametrize("name", BAD_PADDING)
def test_a_right_tag_over_bad_padding_is_refused(name: str) -> None:
    key, nonce, padded = bytes(range(16)), bytes(13), BAD_PADDING[name]
    L = CIPHER.mask(key, FLAG_MESSAGE, nonce)
    blocks = [number(padded[i : i + BLOCK]) for i in range(0, len(padded), BLOCK)]
    tweaks = list(islice(CIPHER.tweaks(L), 1, 2 * len(blocks), 2))
    ciphertext = b"".join(map(block, CIPHER.tem(tweaks, blocks)))
    tag = CIPHER.tag_of(key, L, ciphertext, b"")
    assert CIPHER.open(key, nonce, ciphertext, tag, b"") is None
    with pytest.raises(InvalidTag, match="no plaintext was released"):
        CIPHER.decrypt(key, nonce, ciphertext + tag)


def test_sizes_that_are_not_minalphers() -> None:
    cipher = get("minalpher")
    with pytest.raises(ValueError, match="^nonce: want 13 bytes, got 16$"):
        cipher.encrypt(bytes(16), bytes(16), b"")
    for size in (0, 15, 16, 17, 47, 49):
        with pytest.raises(InvalidTag):
            cipher.decrypt(bytes(16), bytes(13), bytes(size))
