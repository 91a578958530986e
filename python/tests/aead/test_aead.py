"""The AEAD classes: facts, vectors through Python, kinds of buffers, every error, threads."""

from __future__ import annotations

import pickle
import threading
import warnings

import numpy as np
import pytest

from aead_objects import IDS, KINDS, NAMES, make, nonce_of, usable
from roundworks import _native, aead, spec
from roundworks.errors import BackendUnavailable, InvalidTag, ResearchOnlyWarning, UnknownName


@pytest.fixture(params=KINDS, ids=IDS)
def cipher(request: pytest.FixtureRequest) -> aead.Aead:
    return make(*request.param)


@pytest.mark.parametrize("name", NAMES)
def test_vectors_on_every_back_end(name: str) -> None:
    vectors = spec.aead_vectors(name)
    assert {len(v.tag) for v in vectors} == set(aead.get(name).TAG_SIZES)
    for backend in usable(name):
        for v in vectors:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", ResearchOnlyWarning)
                cipher = aead.get(name)(v.key, tag_bytes=len(v.tag), backend=backend)
            sealed = v.ct + v.tag
            if v.valid:
                assert cipher.encrypt(v.nonce, v.pt, v.ad) == sealed, (backend, v.id)
                assert cipher.decrypt(v.nonce, sealed, v.ad) == v.pt, (backend, v.id)
            else:
                with pytest.raises(InvalidTag):
                    cipher.decrypt(v.nonce, sealed, v.ad)


@pytest.mark.parametrize("name", NAMES)
def test_facts_are_those_of_spec(name: str) -> None:
    facts, cls = spec.cipher(name), aead.get(name)
    assert name == cls.NAME
    assert (facts.key_bytes, facts.nonce_bytes) == (cls.KEY_BYTES, cls.NONCE_BYTES)
    assert (facts.tag_bytes, facts.tag_sizes) == (cls.TAG_BYTES, cls.TAG_SIZES)
    assert make(name).tag_bytes == cls.TAG_BYTES
    assert [make(name, size).tag_bytes for size in cls.TAG_SIZES] == list(cls.TAG_SIZES)
    written = facts.backends or ("library",) * (facts.status == "baseline")
    assert list(written) == [backend for backend, _ in cls.backends()]
    assert make(name).backend == usable(name)[-1]
    assert [make(name, backend=b).backend for b in usable(name)] == usable(name)
    keys = {cls.generate_key() for _ in range(8)}
    assert len(keys) == 8
    assert {len(key) for key in keys} == {cls.KEY_BYTES}


def test_get_lists_what_exists() -> None:
    public = [getattr(aead, name) for name in aead.__all__ if name[0].isupper()]
    errors = [c for c in public if issubclass(c, Exception)]
    classes = [c for c in public if c not in errors]
    others = (aead.Aead, aead.Encryptor, aead.Decryptor, aead.Mac)
    ciphers = [c for c in classes if c not in others]
    assert {aead.get(name) for name in NAMES} == set(ciphers)
    assert all(issubclass(c, aead.Aead) and c.__doc__ for c in ciphers)
    there = {f.name for f in spec.ciphers() if f.backends or f.status == "baseline"}
    assert there == set(NAMES)
    with pytest.raises(UnknownName, match="AEAD 'aes': not known; did you mean aes-128-gcm, aes-256-gcm"):
        aead.get("aes")
    for strange in (None, 5):
        with pytest.raises(TypeError, match=f"^name: want str, got {type(strange).__name__}$"):
            aead.get(strange)  # type: ignore[arg-type]


@pytest.mark.parametrize("size", [0, 1, 15, 16, 47, 48, 49, 8191, 8192, 100_000])
def test_every_kind_of_buffer(cipher: aead.Aead, size: int) -> None:
    nonce, data = nonce_of(cipher), bytes(i * 7 & 0xFF for i in range(size))
    sealed = cipher.encrypt(nonce, data, b"header")
    assert len(sealed) == cipher.sealed_bytes(size)
    kinds = [bytes, bytearray, memoryview, lambda b: np.frombuffer(b, np.uint8)]
    for kind in kinds:
        assert cipher.encrypt(kind(nonce), kind(data), kind(b"header")) == sealed
        assert cipher.decrypt(kind(nonce), kind(sealed), kind(b"header")) == data
    assert cipher.encrypt(nonce, data) == cipher.encrypt(nonce, data, b"")
    assert cipher.encrypt(nonce, data, None) == cipher.encrypt(nonce, data, b"")


def test_reads_a_slice_and_any_item_of_one_byte(cipher: aead.Aead) -> None:
    nonce, data = nonce_of(cipher), bytes(range(100))
    wanted = cipher.encrypt(nonce, data[3:90])
    assert cipher.encrypt(nonce, memoryview(data)[3:90]) == wanted
    assert cipher.encrypt(nonce, np.frombuffer(data, np.int8)[3:90]) == wanted


def test_sizes(cipher: aead.Aead) -> None:
    for size in (0, 1, 31, 32, 33, 1000):
        sealed = cipher.encrypt(nonce_of(cipher), bytes(size))
        capacity = cipher.opened_bytes(len(sealed))
        assert len(sealed) == cipher.sealed_bytes(size)
        assert capacity is not None and capacity >= size
    assert cipher.opened_bytes(cipher.tag_bytes - 1) is None


def test_tampering_is_refused(cipher: aead.Aead) -> None:
    nonce = nonce_of(cipher)
    sealed = cipher.encrypt(nonce, b"attack at dawn", b"header")
    capacity = cipher.opened_bytes(len(sealed))
    assert capacity
    for i in range(8 * len(sealed)):
        bad = bytearray(sealed)
        bad[i // 8] ^= 1 << i % 8
        with pytest.raises(InvalidTag, match=r"^authentication failed; no plaintext was released$"):
            cipher.decrypt(nonce, bad, b"header")
        buf = bytearray(b"\xff" * capacity)
        with pytest.raises(InvalidTag):
            cipher.decrypt_into(nonce, bad, b"header", buf)
        assert bytes(buf) == bytes(capacity)


def test_too_short_for_a_tag_is_refused(cipher: aead.Aead) -> None:
    for short in range(cipher.tag_bytes):
        for data in (bytes(short), bytearray(short)):
            text = f"^authentication failed; nothing sealed has {short} bytes$"
            with pytest.raises(InvalidTag, match=text):
                cipher.decrypt(nonce_of(cipher), data)
            buf = bytearray(b"\xff" * 40)
            with pytest.raises(InvalidTag, match=text):
                cipher.decrypt_into(nonce_of(cipher), data, None, buf)
            assert bytes(buf) == bytes(40)


def test_a_tag_of_another_size_is_refused() -> None:
    for name, tag in KINDS:
        for other in set(aead.get(name).TAG_SIZES) - {tag}:
            sealed = make(name, tag).encrypt(nonce_of(aead.get(name)), bytes(64))
            with pytest.raises(InvalidTag):
                make(name, other).decrypt(nonce_of(aead.get(name)), sealed)


@pytest.mark.parametrize(
    ("args", "error", "text"),
    [
        ((bytes(7), b""), ValueError, "nonce: want {nonce} bytes, got 7"),
        (("n" * 16, b""), TypeError, "nonce: want a bytes-like object, got str"),
        ((None, "text"), TypeError, "data: want a bytes-like object, got str"),
        ((None, None), TypeError, "data: want a bytes-like object, got NoneType"),
        ((None, b"", 7), TypeError, "associated_data: want a bytes-like object, got int"),
        (
            (None, np.zeros(4, np.uint32)),
            TypeError,
            "data: want items of 1 byte, got 4; pass memoryview(x).cast('B')",
        ),
        (
            (None, memoryview(bytes(8))[::2]),
            TypeError,
            "data: want contiguous memory, got a strided view; pass a contiguous copy",
        ),
    ],
)
def test_bad_arguments(
    cipher: aead.Aead, args: tuple[object, ...], error: type[Exception], text: str
) -> None:
    nonce = nonce_of(cipher) if args[0] is None else args[0]
    for call in (cipher.encrypt, cipher.decrypt):
        with pytest.raises(error) as caught:
            call(nonce, *args[1:])  # type: ignore[arg-type]
        assert str(caught.value) == text.format(nonce=cipher.NONCE_BYTES)


def test_a_buffer_that_cannot_be_had_says_why(cipher: aead.Aead) -> None:
    """The type is right, so the reason is what its owner says."""
    released = memoryview(bytes(8))
    released.release()
    for data, got, cause in (
        (released, "memoryview", ValueError),
        (np.zeros(2, "datetime64[s]"), "ndarray", ValueError),
    ):
        with pytest.raises(ValueError, match=f", got {got} that gives none: .") as caught:
            cipher.encrypt(nonce_of(cipher), data)
        assert type(caught.value.__cause__) is cause
        assert str(caught.value).endswith(f": {caught.value.__cause__}")


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
    sizes = " or ".join(map(str, cls.TAG_SIZES))
    with pytest.raises(ValueError, match=f"^tag_bytes: {name} has tags of {sizes} bytes, got 8$"):
        cls(bytes(size), tag_bytes=8)
    with pytest.raises(ValueError, match=f"^tag_bytes: {name} has tags of {sizes} bytes, got -1$"):
        cls(bytes(size), tag_bytes=-1)
    with pytest.raises(ValueError, match=f"^tag_bytes: {name} has tags .*, got {2**70}$"):
        cls(bytes(size), tag_bytes=2**70)
    with pytest.raises(ValueError, match=f"^tag_bytes: {name} has tags .*, got a larger number$"):
        cls(bytes(size), tag_bytes=1 << 100000)  # more digits than Python converts
    with pytest.raises(UnknownName, match="^backend '\ufffd+': not known; one of portable, aesni"):
        cls(bytes(size), backend="\ud800")
    with pytest.raises(TypeError, match=r"^tag_bytes: want int or None, got str$"):
        cls(bytes(size), tag_bytes="16")  # type: ignore[arg-type]
    other = {"aesni", "avx2"} - dict(cls.backends()).keys()
    for backend in other:
        with pytest.raises(BackendUnavailable, match=f"^backend '{backend}': {name} is not writte"):
            cls(bytes(size), backend=backend)


def test_a_back_end_this_cpu_lacks_says_what_is_there() -> None:
    missing = [(n, b) for n in NAMES for b, available in aead.get(n).backends() if not available]
    if not missing:
        pytest.skip("this CPU has every back end, so none can be refused")
    for name, backend in missing:
        with pytest.raises(BackendUnavailable, match=f"^backend '{backend}': this CPU lacks it; av"):
            make(name, backend=backend)


def test_aether_warns_and_names_the_forgery() -> None:
    with pytest.warns(ResearchOnlyWarning, match="forgeable.*boundary shift") as caught:
        aead.Aether(bytes(32))
    assert caught[0].filename == __file__ and "AetherLb" not in str(caught[0].message)
    with pytest.warns(ResearchOnlyWarning, match="^aether-lb: for study only; nobody else has analysed it$"):
        aead.AetherLb(bytes(32))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for name in NAMES:
            key = bytes(aead.get(name).KEY_BYTES)
            if spec.cipher(name).status == "study":
                with pytest.raises(ResearchOnlyWarning):
                    aead.get(name)(key)
            else:
                aead.get(name)(key)


def test_the_forgery_works_on_aether_only() -> None:
    ad, text, rest = b"a" * 48, b"m" * 20, b"the rest"
    m1 = text + b"\x80" + bytes(27)
    forged = []
    for name in NAMES:
        cipher = make(name)
        sealed = cipher.encrypt(nonce_of(cipher), m1 + rest, ad)
        try:
            cipher.decrypt(nonce_of(cipher), sealed[48:], ad + text)
            forged.append(name)
        except InvalidTag:
            pass
    assert forged == ["aether"]


def test_the_base_is_no_cipher() -> None:
    for call in (lambda: aead.Aead(bytes(16)), aead.Aead.generate_key, aead.Aead.backends):
        with pytest.raises(TypeError, match=r"^Aead: not a cipher; take a class of roundworks.aead"):
            call()
    with pytest.raises(UnknownName, match=r"^AEAD 'aes': not known; did you mean aes-128-gcm, "):
        type("Aes", (aead.Aead,), {}, name="aes")


def test_a_subclass_is_the_same_cipher() -> None:
    class Mine(aead.Aegis256):
        label = "mine"

        def encrypt_twice(self, nonce: bytes, data: bytes) -> bytes:
            return self.encrypt(nonce, self.encrypt(nonce, data))

    mine = Mine(bytes(32), tag_bytes=32)
    plain = aead.Aegis256(bytes(32), tag_bytes=32)
    nonce = nonce_of(mine)
    assert mine.encrypt_twice(nonce, b"x") == plain.encrypt(nonce, plain.encrypt(nonce, b"x"))
    assert repr(mine) == f"Mine(tag_bytes=32, backend='{plain.backend}')"
    assert Mine.NAME == "aegis-256" and aead.get("aegis-256") is aead.Aegis256


def test_objects_show_and_give_no_key() -> None:
    assert repr(make("aegis-128", backend="portable")) == "Aegis128(backend='portable')"
    cipher = make("aegis-128l", 32, "portable")
    assert repr(cipher) == "Aegis128L(tag_bytes=32, backend='portable')"
    with pytest.raises(TypeError):
        pickle.dumps(cipher)
    with pytest.raises(AttributeError):
        cipher.key = b""  # type: ignore[attr-defined]


def test_threads_share_one_object(cipher: aead.Aead) -> None:
    """Large inputs run in parallel without the GIL; all must come out right."""
    nonce = nonce_of(cipher)
    messages = [bytes([i]) * (50_000 + i) for i in range(8)]
    wanted = [cipher.encrypt(nonce, m, b"ad") for m in messages]
    results: list[list[bytes]] = [[] for _ in messages]

    def work(i: int) -> None:
        for _ in range(5):
            sealed = cipher.encrypt(nonce, messages[i], b"ad")
            results[i].append(sealed)
            results[i].append(cipher.decrypt(nonce, sealed, b"ad"))

    threads = [threading.Thread(target=work, args=(i,)) for i in range(len(messages))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [[w, m] * 5 for w, m in zip(wanted, messages, strict=True)]


@pytest.mark.parametrize("operation", ["encrypt", "decrypt"])
@pytest.mark.parametrize("name", [facts.name for facts in spec.ciphers() if facts.backends])
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
        (("aes", "portable", "encrypt", 1, 1, 1, 1), UnknownName, "AEAD 'aes': not known; did you mean "),
        (("aether", "sse", "encrypt", 1, 1, 1, 1), UnknownName, "backend 'sse': not known; one"),
        (("aether", "avx2", "seal", 1, 1, 1, 1), UnknownName, "operation 'seal': not known; one"),
        (("aether", "aesni", "encrypt", 1, 1, 1, 1), BackendUnavailable, "backend 'aesni': aeth"),
        (("aether", "portable", "encrypt", 1, 1, 0, 1), ValueError, "samples: want at least 1, g"),
    ]:
        with pytest.raises(error) as caught:
            _native.bench(*args)  # type: ignore[arg-type]
        assert str(caught.value).startswith(text)
