"""`roundworks.permutations`: the descriptions' results on every back end, shapes and errors."""

from __future__ import annotations

import re

import numpy as np
import pytest
from numpy.typing import NDArray

from roundworks import spec
from roundworks.errors import BackendUnavailable, UnknownName
from roundworks.permutations import BlockHash, Permutation, Pholkos, areion_512_md, hash_names, names
from roundworks.reference import areion, get_permutation, haraka, permutations, pholkos
from roundworks.reference.feistel import CODES, SHUFFLES

BACKENDS = Permutation.backends()
HASHES = {
    "haraka-256": haraka.haraka_256,
    "haraka-512": haraka.haraka_512,
    "areion-256-dm": areion.areion_256_dm,
    "areion-512-dm": areion.areion_512_dm,
}


def noise(name: str, blocks: int) -> NDArray[np.uint8]:
    size = Permutation(name).block_bytes
    return np.random.default_rng(len(name)).integers(0, 256, (blocks, size), np.uint8)


def test_the_same_names_as_the_descriptions() -> None:
    assert sorted(names()) == sorted(permutations())
    for name in names():
        facts, native = spec.permutation(name), Permutation(name)
        assert native.name == name
        assert native.rounds == facts.rounds
        assert native.block_bytes == facts.words * facts.word_bytes


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize(
    "name", [*names(), "haraka-256:3.5", "haraka-512:4.5", "pholkos-256:3.5", "pholkos-512:4.5"]
)
def test_every_back_end_is_the_description(name: str, backend: str) -> None:
    native, blocks = Permutation(name, backend=backend), noise(name, 5)
    want = [get_permutation(name).permute(row.tobytes()) for row in blocks]
    permuted = np.repeat(blocks, 9, axis=0)  # more than a back end has lanes
    native.permute(permuted)
    assert [row.tobytes() for row in permuted] == [block for block in want for _ in range(9)]
    native.inverse(permuted)
    assert (permuted == np.repeat(blocks, 9, axis=0)).all()


def test_every_configuration_of_two_words_is_the_description() -> None:
    for f1 in CODES:
        for f2 in CODES:
            name = f"feistel256:{f1},{f2}"
            block = noise(name, 1)
            want = get_permutation(name).permute(block.tobytes())
            Permutation(name).permute(block)
            assert block.tobytes() == want, name


def test_configurations_of_four_words_are_the_descriptions() -> None:
    rng = np.random.default_rng(4)
    for shuffle in SHUFFLES:
        codes = ",".join(rng.choice(CODES, 4))
        name = f"feistel512:{codes}/{','.join(map(str, shuffle))}"
        block = noise(name, 1)
        want = get_permutation(name).permute(block.tobytes())
        Permutation(name).permute(block)
        assert block.tobytes() == want, name
        assert get_permutation(name).name == Permutation(name).name


@pytest.mark.parametrize(("name", "rounds"), [("simpira-4:10", 10), ("areion-256:7", 7)])
def test_other_numbers_of_rounds(name: str, rounds: int) -> None:
    block = noise(name, 1)
    want = get_permutation(name).permute(block.tobytes())
    Permutation(name).permute(block)
    assert block.tobytes() == want
    assert Permutation(name).rounds == rounds


def test_in_place_on_any_writable_buffer() -> None:
    native = Permutation("simpira-2")
    rows = np.zeros((300, 32), np.uint8)  # long enough to go without the GIL
    native.permute(rows)
    one = bytearray(32)
    native.permute(one)
    assert (rows == np.frombuffer(one, np.uint8)).all()
    native.permute(rows[:0])
    part = np.zeros((4, 32), np.uint8)
    native.permute(part[1:3])
    assert part[[0, 3]].any() == np.False_
    assert part[1].tobytes() == part[2].tobytes() == bytes(one)


def test_wrong_shapes_and_types() -> None:
    native = Permutation("areion-512")
    for shape, text in [((4, 32), "(4, 32)"), ((128,), "(128,)"), ((2, 2, 64), "(2, 2, 64)"), ((0,), "(0,)")]:
        want = re.escape(f"blocks: want shape (N, 64) or (64,), got {text}") + "$"
        with pytest.raises(ValueError, match=want):
            native.permute(np.zeros(shape, np.uint8))
    with pytest.raises(TypeError, match="a strided view; pass a contiguous copy, then copy back$"):
        native.permute(np.zeros((4, 128), np.uint8)[:, ::2])
    with pytest.raises(TypeError, match="want items of 1 byte, got 8"):
        native.inverse(np.zeros((4, 64)))
    with pytest.raises(TypeError, match="blocks: want a writable bytes-like object"):
        native.permute(bytes(64))


def test_names_that_are_none() -> None:
    for name, text in [
        ("areion", "permutation 'areion': not known; did you mean areion-256, areion-512"),
        ("feistel256:2-0", "permutation: want 2 functions of 1-0, 1-1, .*, got 1"),
        ("feistel256:2-0,2-4", "permutation: unknown function, want one of 1-0, 1-1"),
        ("areion-256:2.5", "permutation: areion-256 has 1 to 64 rounds, as in areion-256:8"),
    ]:
        with pytest.raises(UnknownName, match=text):
            Permutation(name)
    for name in ("areion-256:2.5", "haraka-256:11", "feistel512:2-0,2-2,2-0,2-2:33"):
        with pytest.raises(UnknownName) as native:
            Permutation(name)
        with pytest.raises(UnknownName) as described:
            get_permutation(name)
        assert str(native.value) == str(described.value)
    with pytest.raises(UnknownName, match="backend 'sse': not known; one of portable"):
        Permutation("areion-256", backend="sse")
    with pytest.raises(BackendUnavailable, match="areion-256 is not written for it, want portable"):
        Permutation("areion-256", backend="avx2")


def test_repr() -> None:
    shown = repr(Permutation("feistel256:2-0,1-1/1,0:5", backend="portable"))
    assert shown == "Permutation('feistel256:2-0,1-1', backend='portable')"


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("name", HASHES)
def test_hashes_are_the_descriptions(name: str, backend: str) -> None:
    native = BlockHash(name, backend=backend)
    few = np.random.default_rng(3).integers(0, 256, (5, native.input_bytes), np.uint8)
    want = [HASHES[name](row.tobytes()) for row in few]
    inputs = np.repeat(few, 60, axis=0)  # long enough to go without the GIL
    kept = inputs.copy()
    digests = native.hash(inputs)
    assert (digests.shape, digests.dtype) == ((300, 32), np.uint8)
    assert [row.tobytes() for row in digests] == [value for value in want for _ in range(60)]
    assert (inputs == kept).all()
    assert native.hash(few[0].tobytes()).tobytes() == want[0]
    assert native.hash(few[:0]).shape == (0, 32)


def test_known_answers_of_hashes() -> None:
    seen = 0
    for family in ("haraka", "areion"):
        for v in spec.permutation_vectors(family):
            if v.mode == "md":
                digest = areion_512_md(v.input)
            elif v.mode:
                name = v.permutation if v.mode == "hash" else f"{v.permutation}-{v.mode}"
                digest = BlockHash(name).hash(v.input).tobytes()
            else:
                continue
            assert digest == v.output, v.id
            seen += 1
    assert seen == 8


@pytest.mark.parametrize("backend", BACKENDS)
def test_areion_512_md_is_the_description(backend: str) -> None:
    data = np.random.default_rng(4).integers(0, 256, 100, np.uint8)
    for length in (*range(34), 59, 60, 61, 63, 64, 100):
        message = data[:length]
        want = areion.areion_512_md(message.tobytes())
        assert areion_512_md(message, backend=backend) == want, length


def test_hashes_refuse() -> None:
    assert hash_names() == list(HASHES)
    native = BlockHash("areion-512-dm", backend="portable")
    assert repr(native) == "BlockHash('areion-512-dm', backend='portable')"
    want = re.escape("inputs: want shape (N, 64) or (64,), got (4, 32)") + "$"
    with pytest.raises(ValueError, match=want):
        native.hash(np.zeros((4, 32), np.uint8))
    with pytest.raises(TypeError, match="inputs: want contiguous memory, got a strided view"):
        native.hash(np.zeros((4, 128), np.uint8)[:, ::2])
    text = "hash function 'areion-256': not known; one of haraka-256, haraka-512, areion-256-dm"
    with pytest.raises(UnknownName, match=text):
        BlockHash("areion-256")
    with pytest.raises(BackendUnavailable, match="is not written for it, want portable"):
        BlockHash("haraka-256", backend="avx2")
    with pytest.raises(UnknownName, match="backend 'sse': not known"):
        areion_512_md(b"", backend="sse")
    with pytest.raises(ValueError, match="message: want at most 536870911 bytes, got 536870912"):
        areion_512_md(np.zeros(1 << 29, np.uint8))


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("size", [32, 64])
def test_pholkos_is_the_description(size: int, backend: str) -> None:
    rng = np.random.default_rng(size)
    key, tweak = rng.bytes(size), rng.bytes(16)
    native, described = Pholkos(key, backend=backend), pholkos.keyed(key, tweak)
    assert native.block_bytes == size
    blocks = np.repeat(rng.integers(0, 256, (2, size), np.uint8), 150, axis=0)
    permuted = blocks.copy()
    native.encrypt(tweak, permuted)
    for i in (0, 299):
        assert permuted[i].tobytes() == described.permute(blocks[i].tobytes())
    assert (permuted == np.repeat(permuted[[0, 299]], 150, axis=0)).all()
    native.decrypt(tweak, permuted)
    assert (permuted == blocks).all()
    if backend == "portable":
        shown = f"Pholkos(<key of {8 * size} bits>, backend='portable')"
        assert repr(native) == shown


def test_pholkos_known_answers_and_refusals() -> None:
    vectors = [v for v in spec.permutation_vectors("pholkos") if v.mode == "tweakable"]
    assert len(vectors) == 4
    for v in vectors:
        block = bytearray(v.input)
        Pholkos(v.key).encrypt(v.tweak, block)
        assert block == v.output, v.id
    with pytest.raises(ValueError, match="key: want 32 or 64 bytes, got 16"):
        Pholkos(bytes(16))
    with pytest.raises(ValueError, match="tweak: want 16 bytes, got 12"):
        Pholkos(bytes(32)).encrypt(bytes(12), bytearray(32))
    with pytest.raises(ValueError, match=r"blocks: want shape \(N, 32\) or \(32,\), got \(64,\)"):
        Pholkos(bytes(32)).decrypt(bytes(16), bytearray(64))
