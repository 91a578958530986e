"""Sponges: every length around the rate against a plain program, and files of a user's own."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import plain_sponges as plain
from calls import cases
from places import ROOT
from roundworks.analysis.audit.subject import AuditSubject
from roundworks.analysis.audit.transcript import Transcript
from roundworks.errors import DescriptionError
from roundworks.lower.plan import plan
from roundworks.reference import IntWord, Permutation, Sponge, get_analysed, load_description
from roundworks.reference.batch import encrypt_many

EXAMPLES = ROOT / "examples"


def on_bytes(it: Permutation[Any], order: str, numbers: range) -> plain.Permutation:
    """These rounds of a permutation, on words whose bytes stand in that order."""
    size = it.word_bits // 8

    def run(block: bytes) -> bytes:
        S: list[Any] = [
            IntWord(int.from_bytes(part, order), it.word_bits)  # type: ignore[arg-type]
            for part in plain.chopped(block, size)
        ]
        for i in numbers:
            S = it.round(S, i)
        return b"".join(word.value.to_bytes(size, order) for word in S)

    return run


def ascon(key: bytes, nonce: bytes, ad: bytes, message: bytes, name: str) -> bytes:
    """Both of them on bytes: they differ in the order of bytes and in what stands on either end of a word."""
    order, iv, mark = {
        "ascon-128a": ("big", "80800c0800000000", b"\x80\x01"),
        "ascon-aead128": ("little", "01008c8000100000", b"\x01\x80"),
    }[name]
    p = get_analysed("ascon-p")
    assert isinstance(p, Permutation)
    long, short = (on_bytes(p, order, range(12 - n, 12)) for n in (12, 8))
    state = plain.xor(long(bytes.fromhex(iv) + key + nonce), bytes(24) + key)
    out, state = plain.duplex(short, 16, state, mark, ad, message)
    return out + plain.xor(long(plain.xor(state, bytes(16) + key)), bytes(24) + key)[24:]


def aes_sponge(key: bytes, nonce: bytes, ad: bytes, message: bytes, name: str) -> bytes:
    """The example on bytes."""
    own = load_description(EXAMPLES / "aes_sponge.py")
    assert isinstance(own, Sponge)
    long, short = (on_bytes(own.permutation, "big", range(n)) for n in (15, 8))
    state = long(
        nonce + key + b"RoundWorks".rjust(0) * 0 + 0x526F756E64776F726B73.to_bytes(16, "big") + bytes(16)
    )
    state = plain.xor(state, bytes(48) + key)
    out, state = plain.duplex(short, 32, state, b"\x80\x01", ad, message)
    return out + plain.xor(long(plain.xor(state, bytes(32) + key)), key)[:16]


def over_xoodoo(key: bytes, nonce: bytes, ad: bytes, message: bytes, name: str) -> bytes:
    """Xoodyak on bytes."""
    xoodoo = get_analysed("xoodoo")
    assert isinstance(xoodoo, Permutation)
    return plain.xoodyak(on_bytes(xoodoo, "little", range(12)), key, nonce, ad, message)


PLAIN: dict[str, Callable[..., bytes]] = {
    "ascon-128a": ascon,
    "ascon-aead128": ascon,
    "aes-sponge": aes_sponge,
    "xoodyak": over_xoodoo,
    "photon-beetle-128": lambda *args: plain.photon_beetle(plain.photon_256, *args[:-1]),
    "tinyjambu-128": lambda *args: plain.tinyjambu(*args[:-1]),
}
RATES = {"aes-sponge": (32, 32), "xoodyak": (44, 24), "tinyjambu-128": (4, 4)}


def described(name: str) -> Any:
    """By name, the example by its file."""
    return load_description(EXAMPLES / "aes_sponge.py") if name == "aes-sponge" else get_analysed(name)


@pytest.mark.parametrize("name", cases(PLAIN, short=set(PLAIN) - {"photon-beetle-128"}))
def test_every_length_around_the_rate(name: str) -> None:
    cipher, rng = described(name), np.random.default_rng(3)
    ad_rate, rate = RATES.get(name, (16, 16))
    assert cipher.rate_bytes == rate
    for ad in (0, 1, ad_rate - 1, ad_rate, ad_rate + 1, 2 * ad_rate):
        for size in (0, 1, rate - 1, rate, rate + 1, 2 * rate):
            sizes = (cipher.key_bytes, cipher.nonce_bytes, ad, size)
            key, nonce, data, message = (rng.bytes(n) for n in sizes)
            want = PLAIN[name](key, nonce, data, message, name)
            assert cipher.encrypt(key, nonce, message, data) == want, (ad, size)
            assert cipher.decrypt(key, nonce, want, data) == message, (ad, size)
            if ad == size:
                parts = (np.frombuffer(part, np.uint8)[None] for part in (key, nonce, message, data))
                out, tag = encrypt_many(cipher, *parts)
                assert out[0].tobytes() + tag[0].tobytes() == want, (ad, size)


def test_the_plain_programs_give_the_known_values() -> None:
    """Photon-256 and the keyed permutation on nibbles and bits, as `spec/` has them."""
    zero = "10619570bdad56c9a21f07b4ab397eb40ac5a13bb8d8542806fd0fc460d2275e"
    assert plain.photon_256(bytes(32)).hex() == zero
    photon = get_analysed("photon-256")
    assert isinstance(photon, Permutation)
    assert on_bytes(photon, "little", range(12))(bytes(32)).hex() == zero


def test_rate_and_capacity_make_up_the_state() -> None:
    sizes = {name: (c.rate, c.capacity) for name in PLAIN if isinstance(c := described(name), Sponge)}
    assert sizes == {
        "ascon-128a": (128, 192),
        "ascon-aead128": (128, 192),
        "aes-sponge": (256, 256),
        "xoodyak": (192, 192),
        "photon-beetle-128": (128, 128),
    }


def test_blocks_of_two_sizes_are_not_moved_from_one_input_to_the_other() -> None:
    readable = {
        name: Transcript(AuditSubject(described(name))).readable for name in ("xoodyak", "ascon-128a")
    }
    assert readable == {"xoodyak": False, "ascon-128a": True}


@pytest.mark.parametrize("name", ["xoodyak", "photon-beetle-128", "tinyjambu-128"])
def test_no_program_is_made_of_steps_that_know_the_lengths(name: str) -> None:
    with pytest.raises(DescriptionError, match=f"^{name}: (domain|parts): [^\n]*$"):
        plan(described(name))


HEAD = """from roundworks.reference import Permutation, Sponge
class P(Permutation):
    name, words, word_bits, rounds = "p", 4, 32, 6
    def round(self, S, i):
        a, b, c, d = S
        return [b, c, d ^ (a & b), a ^ (c.rotl(5)) ^ i]
class Mine(Sponge):
    name = "mine"
    key_bytes, nonce_bytes, tag_bytes = 8, 4, 8
"""
LOAD = "    def load(self, K, N):\n        return [*K, *N, 1]\n"


@pytest.mark.parametrize(
    ("text", "error"),
    [
        (
            "    rate = 32\n" + LOAD,
            r"Mine: permutation: want a Permutation, as in MyPermutation\(\), got nothing",
        ),
        ("    permutation = P()\n" + LOAD, "Mine: rate: want the bits of a block, got nothing"),
        (
            "    permutation, rate = P, 32\n" + LOAD,
            r":7: permutation: want a Permutation, as in MyPermutation",
        ),
        (
            "    permutation, rate = P(), 48\n" + LOAD,
            ":7: rate: want whole words of 32 bits, fewer than the 128",
        ),
        ("    permutation, rate = P(), 128\n" + LOAD, "fewer than the 128 of p, got 128"),
        ("    permutation, rate = P(), 64\n", "Mine: load: not written"),
        ("    permutation, rate, rounds = P(), 64, 0\n" + LOAD, "rounds: want a positive integer, got 0"),
        ("    permutation, rate = P(), 64\n" + LOAD.replace(", 1]", "]"), "want 4 words, got 3"),
        (
            "    permutation, rate, key_bytes = P(), 64, 6\n" + LOAD,
            "key_bytes: want a multiple of the word's 4",
        ),
    ],
)
def test_a_bad_sponge_is_one_line_that_says_what(text: str, error: str, tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(HEAD + text)
    with pytest.raises(DescriptionError, match=error) as raised:
        load_description(file)
    assert "\n" not in str(raised.value)


def test_the_permutation_of_a_sponge_must_be_one(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    body = "    permutation, rate = P(), 64\n" + LOAD
    file.write_text(HEAD + body)
    own = load_description(file)
    assert isinstance(own, Sponge) and (own.rate, own.capacity, own.final_rounds) == (64, 64, 6)
    file.write_text(
        HEAD.replace("[b, c, d ^ (a & b), a ^ (c.rotl(5)) ^ i]", "[b ^ c, c ^ d, b ^ d, a]") + body
    )
    with pytest.raises(DescriptionError, match=r"round: its 128 bits take only 2\^96 values or fewer"):
        load_description(file)


def test_an_own_sponge_by_every_verb(run: Any) -> None:
    """As Ascon: described with its capacity, audited, and bounded over rounds of its permutation."""
    file = ["--file", str(EXAMPLES / "aes_sponge.py")]
    said = run("describe", *file).stdout
    assert "a sponge over halves: rate 256 bits, capacity 256 bits" in said
    assert "rounds: 15 first, 8 between blocks, 15 before the tag" in said
    assert "no forgery found" in run("audit", *file).stdout
    assert (
        "aes-sponge: fewest active S-boxes over 1 to 2 rounds" in run("bound", *file, "--rounds", "2").stdout
    )
