"""AES-GCM of one message out of the kernels' host halves, as launches would follow one another."""

from __future__ import annotations

from ctypes import Structure, byref, c_bool, c_uint32, c_uint64, c_void_p, cast

from gpu_tools import need, words
from roundworks.gpu.build import host_library

BLOCK = 16


class Keys(Structure):
    _fields_ = (("words", c_uint32 * 60), ("rounds", c_uint32))


class Counter(Structure):
    _fields_ = (("nonce", c_uint32 * 3), ("first", c_uint32))


class Data(Structure):
    _fields_ = (("words", c_void_p), ("bytes", c_uint64))


class Message(Structure):
    _fields_ = (("input", Data), ("output", c_void_p))


class Input(Structure):
    _fields_ = (("ad", Data), ("text", Data))


def whole(data: bytes) -> bytes:
    """Whole blocks, with something behind the last byte."""
    return data + b"\xa5" * (-len(data) % BLOCK)


def expand(key: bytes) -> Keys:
    need("g++")
    keys = Keys()
    host_library("aes").aes_expand(words(key), byref(keys), len(key) // 4)
    return keys


def ctr(kernel: str, keys: Keys, nonce: bytes, first: int, data: bytes) -> bytes:
    text = words(whole(data))
    out = words(b"\x5a" * (len(whole(data)) + BLOCK))
    message = Message(Data(cast(text, c_void_p), len(data)), cast(out, c_void_p))
    counter = Counter((c_uint32 * 3).from_buffer_copy(nonce), first)
    getattr(host_library("aes"), kernel)(byref(keys), byref(counter), byref(message))
    rest = bytes(-len(data) % BLOCK) + b"\x5a" * BLOCK
    assert bytes(out)[len(data) :] == rest, "zeros behind the last byte, and no block more"
    return bytes(out)[: len(data)]


class Hash:
    """GHASH with a launch's shape: groups of lanes, and the bits of a look-up."""

    def __init__(self, keys: Keys, groups: int, threads: int, bits: int) -> None:
        self.shape = (groups, threads, bits)
        self.h = words(BLOCK)
        host_library("gcm").gcm_subkey(byref(keys), self.h)
        self.powers = words(BLOCK * (threads + 1))
        self.of_groups = words(BLOCK * (groups + 1))
        host_library("ghash").ghash_powers(self.h, self.powers, threads + 1)
        base = words(bytes(self.powers)[-BLOCK:])
        host_library("ghash").ghash_powers(base, self.of_groups, groups + 1)

    def __call__(self, ad: bytes, text: bytes) -> bytes:
        held = [words(whole(data)) for data in (ad, text)]
        given = Input(
            *(Data(cast(w, c_void_p), len(d)) for w, d in zip(held, (ad, text), strict=True))
        )
        found = words(BLOCK)
        host_library("ghash").ghash_sum(
            byref(given), self.powers, self.of_groups, *self.shape, found
        )
        return bytes(found)


def tag(keys: Keys, nonce: bytes, total: bytes) -> bytes:
    counter, found = Counter((c_uint32 * 3).from_buffer_copy(nonce), 0), words(BLOCK)
    host_library("gcm").gcm_tag(byref(keys), byref(counter), words(total), found)
    return bytes(found)


def check(keys: Keys, nonce: bytes, total: bytes, given: bytes) -> bool:
    counter, verdict = Counter((c_uint32 * 3).from_buffer_copy(nonce), 0), words(b"\x5a" * 4)
    host_library("gcm").gcm_check(byref(keys), byref(counter), words(total), words(given), verdict)
    assert verdict[0] in (0, 1)
    return verdict[0] == 1


class Batch(Structure):
    _fields_ = (
        *((name, c_void_p) for name in ("nonces", "places", "ad", "input")),
        *((name, c_void_p) for name in ("output", "tags", "verdicts")),
        ("count", c_uint32),
    )


Sealed = tuple[bytes, bytes, bytes, bytes]  # nonce, associated data, text, tag


def batch(
    keys: Keys, powers: bytes, messages: list[Sealed], *, opening: bool, warps: bool
) -> list[Sealed]:
    """The same messages with text and tag replaced; a refused one has its text as 5a 5a .. 5a.

    A lane or a warp to each; `powers` are of H, up to H^8 for host warps of eight lanes.
    """
    places: list[int] = []
    ads, texts = bytearray(), bytearray()
    for _, ad, text, _ in messages:
        places += (len(ads) // BLOCK, len(ad), len(texts) // BLOCK, len(text))
        ads += whole(ad)
        texts += whole(text)
    out = words(b"\x5a" * len(texts))
    tags = words(b"".join(m[3] for m in messages))
    verdicts = words(b"\x5a" * (4 * len(messages)))
    buffers = (
        words(b"".join(m[0] for m in messages)), (c_uint32 * len(places))(*places),
        words(bytes(ads)), words(bytes(texts)), out, tags, verdicts,
    )  # fmt: skip
    given = Batch(*(cast(buffer, c_void_p) for buffer in buffers), len(messages))
    host_library("gcm").gcm_batch(
        byref(keys), words(powers), byref(given), c_bool(opening), c_bool(warps)
    )
    if not opening:
        assert bytes(verdicts) == b"\x5a" * (4 * len(messages))
    found = []
    for m, (nonce, ad, text, _) in enumerate(messages):
        first = BLOCK * places[4 * m + 2]
        text = bytes(out)[first : first + len(text)]
        if opening:
            assert verdicts[m] in (0, 1)
            found.append((nonce, ad, text, b"right" if verdicts[m] else b""))
        else:
            found.append((nonce, ad, text, bytes(tags)[BLOCK * m : BLOCK * (m + 1)]))
    return found
