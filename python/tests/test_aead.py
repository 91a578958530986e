"""The AEAD classes: vectors through Python, every error, in-place work, threads."""

from __future__ import annotations

import threading
import warnings
from collections.abc import Iterator

import numpy as np
import pytest

from roundworks import _native, aead, spec
from roundworks.errors import BackendUnavailable, InvalidTag, ResearchOnlyWarning, UnknownName

NAMES = aead.names()
NONCE = bytes(range(16))


@pytest.fixture(autouse=True)
def _studying() -> Iterator[None]:
    """Aether warns on purpose; one test below asks for that."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ResearchOnlyWarning)
        yield


def make(name: str, backend: str | None = None) -> aead.Aead:
    cls = aead.get(name)
    return cls(bytes(range(cls.KEY_BYTES)), backend=backend)


def usable(name: str) -> list[str]:
    return [backend for backend, available in aead.get(name).backends() if available]


@pytest.fixture(params=NAMES)
def cipher(request: pytest.FixtureRequest) -> aead.Aead:
    return make(request.param)


@pytest.mark.parametrize("name", NAMES)
def test_vectors_on_every_back_end(name: str) -> None:
    vectors = spec.aead_vectors(name)
    assert vectors
    for backend in usable(name):
        for v in vectors:
            it = aead.get(name)(v.key, backend=backend)
            sealed = v.ct + v.tag
            if v.valid:
                assert it.encrypt(v.nonce, v.pt, v.ad) == sealed, (backend, v.id)
                assert it.decrypt(v.nonce, sealed, v.ad) == v.pt, (backend, v.id)
            else:
                with pytest.raises(InvalidTag):
                    it.decrypt(v.nonce, sealed, v.ad)


@pytest.mark.parametrize("name", NAMES)
def test_facts_are_those_of_spec(name: str) -> None:
    facts, cls = spec.cipher(name), aead.get(name)
    assert name == cls.NAME
    assert (facts.key_bytes, facts.nonce_bytes, facts.tag_bytes) == (
        cls.KEY_BYTES,
        cls.NONCE_BYTES,
        cls.TAG_BYTES,
    )
    assert list(facts.backends) == [backend for backend, _ in cls.backends()]
    assert make(name).backend == usable(name)[-1]
    assert [make(name, b).backend for b in usable(name)] == usable(name)
    keys = {cls.generate_key() for _ in range(8)}
    assert len(keys) == 8
    assert {len(key) for key in keys} == {cls.KEY_BYTES}


def test_get_lists_what_exists() -> None:
    assert [aead.get(name) for name in NAMES] == [aead.Aether, aead.AetherLb, aead.Aegis128]
    assert set(NAMES) == {facts.name for facts in spec.ciphers() if facts.backends}
    with pytest.raises(UnknownName, match="cipher 'aes': not known; one of aether, aether-lb, ae"):
        aead.get("aes")


@pytest.mark.parametrize("size", [0, 1, 15, 16, 47, 48, 49, 2047, 2048, 100_000])
def test_every_kind_of_buffer(cipher: aead.Aead, size: int) -> None:
    data = bytes(i * 7 & 0xFF for i in range(size))
    sealed = cipher.encrypt(NONCE, data, b"header")
    assert len(sealed) == size + 16
    kinds = [bytes, bytearray, memoryview, lambda b: np.frombuffer(b, np.uint8)]
    for kind in kinds:
        assert cipher.encrypt(kind(NONCE), kind(data), kind(b"header")) == sealed
        assert cipher.decrypt(kind(NONCE), kind(sealed), kind(b"header")) == data
    assert cipher.encrypt(NONCE, data) == cipher.encrypt(NONCE, data, b"")
    assert cipher.encrypt(NONCE, data, None) == cipher.encrypt(NONCE, data, b"")


def test_reads_a_slice_and_any_item_of_one_byte(cipher: aead.Aead) -> None:
    data = bytes(range(100))
    wanted = cipher.encrypt(NONCE, data[3:90])
    assert cipher.encrypt(NONCE, memoryview(data)[3:90]) == wanted
    assert cipher.encrypt(NONCE, np.frombuffer(data, np.int8)[3:90]) == wanted


def test_into_writes_what_the_other_returns(cipher: aead.Aead) -> None:
    for size in (0, 1, 48, 5000):
        data = bytes(size)
        sealed = cipher.encrypt(NONCE, data, b"a")
        for buf in (bytearray(size + 16), np.zeros(size + 16, np.uint8)):
            assert cipher.encrypt_into(NONCE, data, b"a", buf) == size + 16
            assert bytes(buf) == sealed
        opened = bytearray(b"\xff" * size)
        assert cipher.decrypt_into(NONCE, sealed, b"a", opened) == size
        assert bytes(opened) == data


def test_into_works_in_place(cipher: aead.Aead) -> None:
    data = bytes(range(200))
    room = bytearray(data + bytes(16))
    view = memoryview(room)
    assert cipher.encrypt_into(NONCE, view[:200], None, view) == 216
    assert bytes(room) == cipher.encrypt(NONCE, data)
    assert cipher.decrypt_into(NONCE, view, None, view[:200]) == 200
    assert bytes(room[:200]) == data


def test_refusal_in_place_leaves_zeros(cipher: aead.Aead) -> None:
    for size in (1, 48, 200, 5000):
        room = bytearray(cipher.encrypt(NONCE, bytes([7]) * size, b"a"))
        tag, view = bytes(room[size:]), memoryview(room)
        with pytest.raises(InvalidTag):
            cipher.decrypt_into(NONCE, view, b"b", view[:size])
        assert bytes(room) == bytes(size) + tag


def test_associated_data_may_share_memory_with_buf(cipher: aead.Aead) -> None:
    room = bytearray(b"h" * 64)
    wanted = cipher.encrypt(NONCE, b"d" * 48, bytes(room))
    cipher.encrypt_into(NONCE, b"d" * 48, room, room)
    assert bytes(room) == wanted


@pytest.mark.parametrize("shift", [1, 15, 16, 100, 199])
def test_into_refuses_overlap(cipher: aead.Aead, shift: int) -> None:
    view = memoryview(bytearray(600))
    for data, buf in [
        (view[100:300], view[100 + shift : 316 + shift]),
        (view[100 + shift : 300 + shift], view[100:316]),
    ]:
        with pytest.raises(ValueError, match="buf: overlaps data; want the same first byte, or no"):
            cipher.encrypt_into(NONCE, data, None, buf)
    assert bytes(view) == bytes(600)


def test_neighbours_do_not_overlap(cipher: aead.Aead) -> None:
    view = memoryview(bytearray(416))
    cipher.encrypt_into(NONCE, view[:200], None, view[200:])
    assert bytes(view[200:]) == cipher.encrypt(NONCE, bytes(200))
    assert bytes(view[:200]) == bytes(200)


def test_tampering_is_refused(cipher: aead.Aead) -> None:
    sealed = cipher.encrypt(NONCE, b"attack at dawn", b"header")
    for i in range(8 * len(sealed)):
        bad = bytearray(sealed)
        bad[i // 8] ^= 1 << i % 8
        with pytest.raises(InvalidTag, match=r"^authentication failed; no plaintext was released$"):
            cipher.decrypt(NONCE, bad, b"header")
        buf = bytearray(b"\xff" * 14)
        with pytest.raises(InvalidTag):
            cipher.decrypt_into(NONCE, bad, b"header", buf)
        assert bytes(buf) == bytes(14)
    for short in range(16):
        with pytest.raises(InvalidTag, match=f"data has {short} bytes, a tag alone has 16"):
            cipher.decrypt(NONCE, bytes(short))


@pytest.mark.parametrize(
    ("args", "error", "text"),
    [
        ((bytes(12), b""), ValueError, "nonce: want 16 bytes, got 12"),
        (("n" * 16, b""), TypeError, "nonce: want a bytes-like object, got str"),
        ((NONCE, "text"), TypeError, "data: want a bytes-like object, got str"),
        ((NONCE, None), TypeError, "data: want a bytes-like object, got NoneType"),
        ((NONCE, b"", 7), TypeError, "associated_data: want a bytes-like object, got int"),
        (
            (NONCE, np.zeros(4, np.uint32)),
            TypeError,
            "data: want items of 1 byte, got 4; pass memoryview(x).cast('B')",
        ),
        (
            (NONCE, memoryview(bytes(8))[::2]),
            TypeError,
            "data: want contiguous memory, got a strided view; pass bytes(x)",
        ),
    ],
)
def test_bad_arguments(
    cipher: aead.Aead, args: tuple[object, ...], error: type[Exception], text: str
) -> None:
    for call in (cipher.encrypt, cipher.decrypt):
        with pytest.raises(error) as caught:
            call(*args)  # type: ignore[arg-type]
        assert str(caught.value) == text


@pytest.mark.parametrize(
    ("buf", "error", "text"),
    [
        (bytearray(15), ValueError, "buf: want 20 bytes, got 15"),
        (bytearray(21), ValueError, "buf: want 20 bytes, got 21"),
        (
            bytes(20),
            TypeError,
            "buf: want a writable bytes-like object, such as a bytearray, got b",
        ),
        ([0] * 20, TypeError, "buf: want a writable bytes-like object, such as a bytearray, got l"),
    ],
)
def test_bad_buf(cipher: aead.Aead, buf: object, error: type[Exception], text: str) -> None:
    with pytest.raises(error) as caught:
        cipher.encrypt_into(NONCE, b"data", None, buf)  # type: ignore[arg-type]
    assert str(caught.value).startswith(text)
    with pytest.raises(error):
        cipher.decrypt_into(NONCE, bytes(36), None, buf)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", NAMES)
def test_bad_construction(name: str) -> None:
    cls = aead.get(name)
    size = cls.KEY_BYTES
    with pytest.raises(ValueError, match=f"^key: want {size} bytes, got 7$"):
        cls(bytes(7))
    with pytest.raises(TypeError, match=r"^key: want a bytes-like object, got str$"):
        cls("k" * size)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"^backend: want str or None, got int$"):
        cls(bytes(size), backend=3)  # type: ignore[arg-type]
    with pytest.raises(UnknownName, match=r"^backend 'sse': not known; one of portable, aesni, av"):
        cls(bytes(size), backend="sse")
    other = "avx2" if name == "aegis-128" else "aesni"
    with pytest.raises(BackendUnavailable, match=f"^backend '{other}': {name} is not written for"):
        cls(bytes(size), backend=other)


def test_a_back_end_this_cpu_lacks_says_what_is_there() -> None:
    missing = [(n, b) for n in NAMES for b, available in aead.get(n).backends() if not available]
    if not missing:
        pytest.skip("this CPU has every back end, so none can be refused")
    for name, backend in missing:
        with pytest.raises(
            BackendUnavailable, match=f"^backend '{backend}': this CPU lacks it; av"
        ):
            make(name, backend)


def test_aether_warns_and_names_the_forgery() -> None:
    with pytest.warns(ResearchOnlyWarning, match="forgeable.*boundary shift") as caught:
        aead.Aether(bytes(32))
    assert caught[0].filename == __file__
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        aead.AetherLb(bytes(32))
        aead.Aegis128(bytes(16))
        with pytest.raises(ResearchOnlyWarning):
            aead.Aether(bytes(32))


def test_the_forgery_works_on_aether_only() -> None:
    ad, text, rest = b"a" * 48, b"m" * 20, b"the rest"
    m1 = text + b"\x80" + bytes(27)
    verdicts = {}
    for name in NAMES:
        it = make(name)
        sealed = it.encrypt(NONCE, m1 + rest, ad)
        try:
            it.decrypt(NONCE, sealed[48:], ad + text)
            verdicts[name] = "forged"
        except InvalidTag:
            verdicts[name] = "refused"
    assert verdicts == {"aether": "forged", "aether-lb": "refused", "aegis-128": "refused"}


def test_repr_shows_no_key() -> None:
    assert repr(make("aegis-128", "portable")) == "Aegis128(backend='portable')"


def test_threads_share_one_object(cipher: aead.Aead) -> None:
    """Large inputs run side by side without the GIL; all must come out right."""
    messages = [bytes([i]) * (200_000 + i) for i in range(8)]
    wanted = [cipher.encrypt(NONCE, m, b"ad") for m in messages]
    got: list[list[bytes]] = [[] for _ in messages]

    def work(i: int) -> None:
        for _ in range(5):
            sealed = cipher.encrypt(NONCE, messages[i], b"ad")
            got[i].append(sealed)
            got[i].append(cipher.decrypt(NONCE, sealed, b"ad"))

    threads = [threading.Thread(target=work, args=(i,)) for i in range(len(messages))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert got == [[w, m] * 5 for w, m in zip(wanted, messages, strict=True)]


@pytest.mark.parametrize("operation", ["encrypt", "decrypt"])
@pytest.mark.parametrize("name", NAMES)
def test_bench_times_and_agrees(name: str, operation: str) -> None:
    digests = set()
    for backend in usable(name):
        ns, cycles, digest = _native.bench(name, backend, operation, 100, 10, 3, 20_000)
        assert len(ns) == 3
        assert min(ns) > 0
        assert len(cycles) in (0, 3)
        digests.add(digest)
    assert len(digests) == 1
    assert len(digests.pop()) == 64


def test_bench_errors() -> None:
    for args, error, text in [
        (
            ("aes", "portable", "encrypt", 1, 1, 1, 1),
            UnknownName,
            "cipher: unknown name, want one of aether, ",
        ),
        (("aether", "sse", "encrypt", 1, 1, 1, 1), UnknownName, "backend 'sse': not known; one"),
        (("aether", "avx2", "seal", 1, 1, 1, 1), UnknownName, "operation 'seal': not known; one"),
        (("aether", "aesni", "encrypt", 1, 1, 1, 1), BackendUnavailable, "backend 'aesni': aeth"),
        (("aether", "portable", "encrypt", 1, 1, 0, 1), ValueError, "samples: want at least 1, g"),
    ]:
        with pytest.raises(error) as caught:
            _native.bench(*args)  # type: ignore[arg-type]
        assert str(caught.value).startswith(text)
