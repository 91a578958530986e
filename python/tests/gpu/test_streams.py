"""AEGIS-128L, Rocca-S and AETHER of many messages on the host: every vector of spec/, and the library
for the CPU on lengths around every boundary, in batches as lanes have them."""

from __future__ import annotations

import itertools
import random
from ctypes import c_uint32

import pytest

from gpu_gcm import BLOCK, Sealed, laid_out, spoiled, whole
from gpu_tools import host_library, need, words
from roundworks import aead, spec
from roundworks.reference import IntWord, aether

pytestmark = pytest.mark.filterwarnings("ignore::roundworks.errors.ResearchOnlyWarning")
# Family, and how names of its entries begin.
ENTRIES = {
    "aegis-128l": ("aegis", "aegis128l"),
    "rocca-s": ("rocca", "rocca_s"),
    "aether": ("aether", "aether"),
    "aether-lb": ("aether", "aether_lb"),
}
NAMES = tuple(ENTRIES)
SMALL_TILES = ("-DROUNDWORKS_SMALL_TILES",)
# Each size of tag has kernels of its own.
SIZES = [(name, size) for name in NAMES for size in spec.cipher(name).tag_sizes]


def many(name: str, key: bytes, messages: list[Sealed], what: str) -> list[Sealed]:
    """The same messages with text and tag replaced, to a place of their own and in place, through tiles
    as sm_90 has them and sm_80. All have tags of one size, in sealing those that are replaced."""
    need("g++")
    places, ads, texts = laid_out(messages)
    size = len(messages[0][3])
    made = []
    for own, flags in itertools.product((False, True), ((), SMALL_TILES)):
        given = words(texts)
        out = given if own else words(b"\x5a" * len(texts))
        tags = words(b"".join(m[3] for m in messages))
        verdicts = words(b"\x5a" * (4 * len(messages)))
        family, entry = ENTRIES[name]
        entry += "" if size == spec.cipher(name).tag_bytes else f"_tag{size}"
        getattr(host_library(family, *flags), f"{entry}_{what}_many")(
            words(key),
            words(b"".join(m[0] for m in messages)),
            (c_uint32 * len(places))(*places),
            words(ads),
            given,
            out,
            tags,
            verdicts,
            len(messages),
        )
        before = texts if own else b"\x5a" * len(texts)
        made.append(_read(messages, places, bytes(out), before, bytes(tags), list(verdicts)))
    assert all(of == made[0] for of in made)
    return made[0]


def _read(
    messages: list[Sealed], places: list[int], out: bytes, before: bytes, tags: bytes, verdicts: list[int]
) -> list[Sealed]:
    """A refused message's text is what it was, and comes back as nothing; of one that was opened,
    its tag is `right`."""
    made, size = [], len(messages[0][3])
    opening = verdicts[0] != 0x5A5A5A5A
    for m, (nonce, ad, text, _) in enumerate(messages):
        here = slice(BLOCK * places[4 * m + 2], BLOCK * places[4 * m + 2] + len(whole(text)))
        if opening and not verdicts[m]:
            assert out[here] == before[here], "nothing is written where a tag is wrong"
            made.append((nonce, ad, b"", b""))
            continue
        assert not any(out[here][len(text) :]), "zeros behind the last byte"
        assert verdicts[m] == (1 if opening else 0x5A5A5A5A)
        tag = b"right" if opening else tags[size * m : size * (m + 1)]
        made.append((nonce, ad, out[here][: len(text)], tag))
    return made


def test_round() -> None:
    need("g++")
    cases = [c for c in spec.function_vectors("aegis-128l") if c.function == "AESRound"]
    assert cases
    for case in cases:
        out = words(BLOCK)
        host_library("aegis").aegis_round(words(case.input), out)
        assert bytes(out) == case.output, case.id


def test_f() -> None:
    """Of four words at once; the reference has the S-box, M_b and Permutation from spec/."""
    need("g++")
    rng = random.Random(1)
    cases = [c.input for c in spec.function_vectors("aether") if c.function == "F"]
    want = [c.output for c in spec.function_vectors("aether") if c.function == "F"]
    assert len(cases) == 4
    for _ in range(16):
        out = words(4 * BLOCK)
        host_library("aether").aether_f(words(b"".join(cases)), out)
        assert bytes(out) == b"".join(want)
        cases = [rng.randbytes(BLOCK) for _ in range(4)]
        images = [aether.f(IntWord(int.from_bytes(x, "big"), 128)) for x in cases]
        want = [y.value.to_bytes(BLOCK, "big") for y in images]


@pytest.mark.parametrize(("name", "size"), SIZES)
def test_vectors(name: str, size: int) -> None:
    """All cases of a key as a batch."""
    of_key: dict[bytes, list[spec.AeadVector]] = {}
    for case in spec.aead_vectors(name):
        if len(case.tag) == size:
            of_key.setdefault(case.key, []).append(case)
    assert of_key
    for key, cases in of_key.items():
        sealed = many(name, key, [(c.nonce, c.ad, c.pt, bytes(size)) for c in cases], "seal")
        for case, (_, _, text, tag) in zip(cases, sealed, strict=True):
            assert not case.valid or (text, tag) == (case.ct, case.tag), case.id
        opened = many(name, key, [(c.nonce, c.ad, c.ct, c.tag) for c in cases], "open")
        for case, (_, _, text, right) in zip(cases, opened, strict=True):
            assert bool(right) == case.valid, case.id
            assert text == (case.pt if case.valid else b""), case.id


@pytest.mark.parametrize("count", [1, 8, 15, 200])
@pytest.mark.parametrize(("name", "size"), SIZES)
def test_batch(name: str, size: int, count: int) -> None:
    """Messages of all lengths in a batch, then of one length; then one bit of one part of every
    third is wrong."""
    rng = random.Random(f"{name} {count}")
    cipher = aead.get(name)
    key = rng.randbytes(cipher.KEY_BYTES)
    library, none = cipher(key, tag_bytes=size), bytes(size)
    # One length for all: laps that no lane tests, with and without an end behind them.
    for shape in [(None, None), (64, 32), (96, 33), (65, 0), (0, 64), (15, 63), (0, 0), (144, 49)]:
        plain: list[Sealed] = []
        for m in range(count):
            sizes = [(m * 37 % 101, m % 131)[i] if s is None else s for i, s in enumerate(shape)]
            text, ad = (rng.randbytes(n) for n in sizes)
            plain.append((rng.randbytes(cipher.NONCE_BYTES), ad, text, none))
        sealed = many(name, key, plain, "seal")
        for (nonce, ad, text, _), (_, _, found, tag) in zip(plain, sealed, strict=True):
            assert found + tag == library.encrypt(nonce, text, ad), (len(text), len(ad))
        wrong = [spoiled(rng, m) if i % 3 == 0 else m for i, m in enumerate(sealed)]
        opened = many(name, key, wrong, "open")
        for i, ((_, _, text, _), (_, _, found, right)) in enumerate(zip(plain, opened, strict=True)):
            assert bool(right) == (i % 3 != 0), i
            assert found == (text if right else b""), i
