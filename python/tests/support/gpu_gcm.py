"""AES-GCM out of the kernels' host halves, with groups of any shape and batches of messages."""

from __future__ import annotations

import random
from ctypes import Structure, byref, c_uint32, c_uint64

from gpu_tools import host_library, need, words

BLOCK = 16


class Keys(Structure):
    """Round keys, an argument by value."""

    _fields_ = (("words", c_uint32 * 60), ("rounds", c_uint32))


class Counter(Structure):
    """A nonce and the first counter, an argument by value."""

    _fields_ = (("nonce", c_uint32 * 3), ("first", c_uint32))


def counter(nonce: bytes, first: int) -> Counter:
    return Counter((c_uint32 * 3).from_buffer_copy(nonce), first)


def whole(data: bytes) -> bytes:
    """Whole blocks, with something behind the last byte."""
    return data + b"\xa5" * (-len(data) % BLOCK)


def expand(key: bytes) -> Keys:
    need("g++")
    keys = Keys()
    host_library("aes").aes_expand(words(key), byref(keys), len(key) // 4)
    return keys


def ctr(slices: bool, keys: Keys, nonce: bytes, first: int, data: bytes) -> bytes:
    text = words(whole(data))
    out = words(b"\x5a" * (len(whole(data)) + BLOCK))
    name = "aes_slices_ctr" if slices else f"aes{128 if keys.rounds == 10 else 256}_tables_ctr"
    entry = getattr(host_library("aes"), name)
    entry(keys, counter(nonce, first), text, c_uint64(len(data)), out, None)
    rest = bytes(-len(data) % BLOCK) + b"\x5a" * BLOCK
    assert bytes(out)[len(data) :] == rest, "zeros behind the last byte, and no block more"
    refused = words(b"\x5a" * len(whole(data)))
    entry(keys, counter(nonce, first), text, c_uint64(len(data)), refused, words(4))
    assert set(bytes(refused)) <= {0x5A} or not data, "nothing where it is not allowed"
    return bytes(out)[: len(data)]


class Hash:
    """GHASH with a launch's shape: groups of lanes, and the bits of a look-up."""

    def __init__(self, keys: Keys, groups: int, threads: int, bits: int) -> None:
        self.shape = (groups, threads, bits)
        self.h = words(BLOCK)
        host_library("gcm").gcm_subkey(keys, self.h)
        self.powers = words(BLOCK * (threads + 1))
        self.of_groups = words(BLOCK * (groups + 1))
        host_library("ghash").ghash_powers(self.h, self.powers, threads + 1)
        base = words(bytes(self.powers)[-BLOCK:])
        host_library("ghash").ghash_powers(base, self.of_groups, groups + 1)

    def __call__(self, ad: bytes, text: bytes) -> bytes:
        made = words(BLOCK)
        host_library("ghash").ghash_sum_of(
            words(whole(ad)),
            c_uint64(len(ad)),
            words(whole(text)),
            c_uint64(len(text)),
            self.powers,
            self.of_groups,
            *self.shape,
            made,
        )
        return bytes(made)


def tag(keys: Keys, nonce: bytes, total: bytes) -> bytes:
    made = words(BLOCK)
    host_library("gcm").gcm_tag(keys, counter(nonce, 0), words(total), made)
    return bytes(made)


def check(keys: Keys, nonce: bytes, total: bytes, given: bytes) -> bool:
    verdict = words(b"\x5a" * 4)
    host_library("gcm").gcm_check(keys, counter(nonce, 0), words(total), words(given), verdict)
    assert verdict[0] in (0, 1)
    return verdict[0] == 1


Sealed = tuple[bytes, bytes, bytes, bytes]  # nonce, associated data, text, tag


def laid_out(messages: list[Sealed]) -> tuple[list[int], bytes, bytes]:
    """Associated data and texts in whole blocks, and for each message the first block and the bytes of both."""
    places: list[int] = []
    ads, texts = bytearray(), bytearray()
    for _, ad, text, _ in messages:
        places += (len(ads) // BLOCK, len(ad), len(texts) // BLOCK, len(text))
        ads += whole(ad)
        texts += whole(text)
    return places, bytes(ads), bytes(texts)


def batch(keys: Keys, powers: bytes, messages: list[Sealed], *, opening: bool, warps: bool) -> list[Sealed]:
    """The same messages with text and tag replaced; a refused one has its text as 5a 5a .. 5a.

    A lane or a warp to each; `powers` are of H, up to H^8 for host warps of eight lanes.
    """
    places, ads, texts = laid_out(messages)
    out = words(b"\x5a" * len(texts))
    tags = words(b"".join(m[3] for m in messages))
    verdicts = words(b"\x5a" * (4 * len(messages)))
    name = f"gcm{128 if keys.rounds == 10 else 256}_{'open' if opening else 'seal'}"
    getattr(host_library("gcm"), f"{name}_{'warps' if warps else 'batch'}")(
        keys,
        words(powers),
        words(b"".join(m[0] for m in messages)),
        (c_uint32 * len(places))(*places),
        words(ads),
        words(texts),
        out,
        tags,
        verdicts,
        len(messages),
    )
    if not opening:
        assert bytes(verdicts) == b"\x5a" * (4 * len(messages))
    made = []
    for m, (nonce, ad, text, _) in enumerate(messages):
        first = BLOCK * places[4 * m + 2]
        text = bytes(out)[first : first + len(text)]
        if opening:
            assert verdicts[m] in (0, 1)
            made.append((nonce, ad, text, b"right" if verdicts[m] else b""))
        else:
            made.append((nonce, ad, text, bytes(tags)[BLOCK * m : BLOCK * (m + 1)]))
    return made


def spoiled(rng: random.Random, message: Sealed) -> Sealed:
    part = rng.choice([i for i, data in enumerate(message) if data])
    data = bytearray(message[part])
    data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
    nonce, ad, text, given = (bytes(data) if i == part else d for i, d in enumerate(message))
    return nonce, ad, text, given
