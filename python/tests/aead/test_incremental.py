"""Incremental messages: the same result for any split, nothing before the tag, order kept."""

from __future__ import annotations

import random
import threading

import pytest

from aead_objects import IDS, KINDS, NAMES, make, nonce_of, usable
from roundworks import aead, spec
from roundworks.errors import InvalidTag, OutOfOrder


@pytest.fixture(params=KINDS, ids=IDS)
def cipher(request: pytest.FixtureRequest) -> aead.Aead:
    return make(*request.param)


def split(data: bytes, rng: random.Random) -> list[bytes]:
    chunks = []
    while data:
        n = rng.choice((0, 1, 7, 16, 33, 64, 129, 4000))
        chunks.append(data[:n])
        data = data[n:]
    return chunks


def seal_incrementally(cipher: aead.Aead, data: bytes, ad: bytes, rng: random.Random) -> tuple[bytes, int]:
    """Ciphertext || tag, and how much of it came before `finalize`."""
    encryptor = cipher.encryptor(nonce_of(cipher))
    for chunk in split(ad, rng):
        encryptor.ad(chunk)
    sealed = b"".join(encryptor.update(chunk) for chunk in split(data, rng))
    return sealed + encryptor.finalize(), len(sealed)


def open_incrementally(cipher: aead.Aead, sealed: bytes, ad: bytes, rng: random.Random) -> bytes:
    decryptor = cipher.decryptor(nonce_of(cipher))
    for chunk in split(ad, rng):
        decryptor.ad(chunk)
    end = len(sealed) - cipher.tag_bytes
    for chunk in split(sealed[:end], rng):
        decryptor.update(chunk)
    return decryptor.finalize(sealed[end:])


@pytest.mark.parametrize("name", NAMES)
def test_any_split_on_every_back_end(name: str) -> None:
    rng = random.Random(1)
    for backend in usable(name):
        for tag in aead.get(name).TAG_SIZES:
            cipher = make(name, tag, backend)
            for size in (0, 1, 63, 64, 65, 500, 20_000):
                data, ad = rng.randbytes(size), rng.randbytes(rng.choice((0, 5, 100)))
                wanted = cipher.encrypt(nonce_of(cipher), data, ad)
                sealed, early = seal_incrementally(cipher, data, ad, rng)
                assert sealed == wanted, (backend, size)
                assert early <= len(wanted) - tag
                assert open_incrementally(cipher, wanted, ad, rng) == data, (backend, size)


def test_a_streaming_cipher_gives_each_chunk_at_once() -> None:
    for facts in spec.ciphers():
        if facts.backends and facts.kind == "stream":
            cipher = make(facts.name)
            assert len(cipher.encryptor(nonce_of(cipher)).update(b"chunk")) == 5, facts.name


def test_a_cipher_of_blocks_gives_whole_blocks() -> None:
    for facts in spec.ciphers():
        if facts.backends and facts.kind == "block" and not facts.padded:
            encryptor = (it := make(facts.name)).encryptor(nonce_of(it))
            given = len(encryptor.update(bytes(3 * facts.rate_bytes + 5)))
            assert given and given % facts.rate_bytes == 0, facts.name
            assert len(encryptor.finalize()) == 3 * facts.rate_bytes + 5 - given + it.tag_bytes


def test_pieces_of_any_kind_of_buffer(cipher: aead.Aead) -> None:
    wanted = cipher.encrypt(nonce_of(cipher), b"d" * 30_000, b"header")
    encryptor = cipher.encryptor(bytearray(nonce_of(cipher)))
    encryptor.ad(bytearray(b"head"))
    encryptor.ad(memoryview(b"er"))
    sealed = encryptor.update(bytearray(b"d" * 29_999)) + encryptor.update(memoryview(b"d"))
    assert sealed + encryptor.finalize() == wanted


def test_nothing_unverified_is_given(cipher: aead.Aead) -> None:
    sealed = cipher.encrypt(nonce_of(cipher), b"attack at dawn", b"header")
    for i in range(len(sealed)):
        bad = bytearray(sealed)
        bad[i] ^= 1
        with pytest.raises(InvalidTag, match="no plaintext was released"):
            open_incrementally(cipher, bytes(bad), b"header", random.Random(i))
    with pytest.raises(InvalidTag):
        open_incrementally(cipher, sealed, b"Header", random.Random(0))
    if cipher.opened_bytes(cipher.tag_bytes) is None:
        return
    decryptor = cipher.decryptor(nonce_of(cipher))
    with pytest.raises(InvalidTag):
        decryptor.finalize(bytes(cipher.tag_bytes))


def test_order_is_kept(cipher: aead.Aead) -> None:
    nonce = nonce_of(cipher)
    encryptor, decryptor = cipher.encryptor(nonce), cipher.decryptor(nonce)
    tag = cipher.encrypt(nonce, b"data", b"header")[-cipher.tag_bytes :]
    body = cipher.encrypt(nonce, b"data", b"header")[: -cipher.tag_bytes]
    encryptor.ad(b"header")
    decryptor.ad(b"header")
    sealed = encryptor.update(b"data")
    decryptor.update(body)
    late = "associated data after data; call ad\\(\\) before the first update\\(\\)$"
    with pytest.raises(OutOfOrder, match=f"^encryptor: {late}"):
        encryptor.ad(b"more")
    with pytest.raises(OutOfOrder, match=f"^decryptor: {late}"):
        decryptor.ad(b"more")
    assert sealed + encryptor.finalize() == body + tag
    with pytest.raises(ValueError, match=f"^tag: want {cipher.tag_bytes} bytes, got 3$"):
        decryptor.finalize(b"tag")
    assert decryptor.finalize(tag) == b"data"

    done = "finalized; start another, with another nonce to encrypt$"
    for call in (lambda: encryptor.ad(b""), lambda: encryptor.update(b""), encryptor.finalize):
        with pytest.raises(OutOfOrder, match=f"^encryptor: {done}"):
            call()
    for call in (lambda: decryptor.ad(b""), lambda: decryptor.update(b""), lambda: decryptor.finalize(tag)):
        with pytest.raises(OutOfOrder, match="^decryptor: finalized; start another$"):
            call()


def test_bad_arguments(cipher: aead.Aead) -> None:
    for start in (cipher.encryptor, cipher.decryptor):
        with pytest.raises(ValueError, match=f"^nonce: want {cipher.NONCE_BYTES} bytes, got 5$"):
            start(bytes(5))
        with pytest.raises(TypeError, match=r"^data: want a bytes-like object, got str$"):
            start(nonce_of(cipher)).update("text")  # type: ignore[arg-type]
        with pytest.raises(TypeError, match=r"^data: want a bytes-like object, got int$"):
            start(nonce_of(cipher)).ad(5)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="cannot create"):
        aead.Encryptor()


def test_an_encryptor_outlives_its_cipher(cipher: aead.Aead) -> None:
    wanted = cipher.encrypt(nonce_of(cipher), b"data")
    name, tag = cipher.NAME, cipher.tag_bytes
    encryptor = make(name, tag).encryptor(nonce_of(cipher))
    decryptor = make(name, tag).decryptor(nonce_of(cipher))
    decryptor.update(wanted[:-tag])
    assert encryptor.update(b"data") + encryptor.finalize() == wanted
    assert decryptor.finalize(wanted[-tag:]) == b"data"


def test_threads_alternate_or_are_refused() -> None:
    """Two threads feed one encryptor: a chunk is taken in whole, or refused."""
    cipher = make("aegis-128l")
    encryptor, chunk = cipher.encryptor(nonce_of(cipher)), bytes(1 << 20)
    chunks: list[bytes] = []
    refused: list[str] = []

    def work() -> None:
        for _ in range(40):
            try:
                chunks.append(encryptor.update(chunk))
            except OutOfOrder as error:
                refused.append(str(error))

    threads = [threading.Thread(target=work) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(chunks) + len(refused) == 80
    assert set(refused) <= {"encryptor: another thread is using it; take one each"}
    assert len(chunks) > 0
    tag = encryptor.finalize()
    assert tag == cipher.encrypt(nonce_of(cipher), chunk * len(chunks))[-cipher.tag_bytes :]
