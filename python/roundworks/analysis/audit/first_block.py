"""What the first block of keystream gives away of the key at once: sums of its bits, constants, and a bias.

Under one nonce, a sum of keystream bits that is a sum of key bits has no second derivative: over a key and two
differences of keys it vanishes, whatever they are. Those sums are found by elimination over random keys, and
checked under others.
"""

from __future__ import annotations

import random

import numpy as np

from ...reference import gf2
from ...reference.batch import U8
from .bulk import flips, row
from .findings import Finding
from .subject import AuditSubject

MORE = 64  # derivatives more than there are bits, and keys under which what is found is checked
UNLIKELY = 7.0  # standard deviations, beyond which none of some thousand bits is by chance
CHECK = "first-block"


def check(subject: AuditSubject) -> list[Finding]:
    """Sums of key bits that show, bits without a key, and bits that are not balanced."""
    if not subject.bulk.can_guess:
        said = "A message takes too long for some thousand keys; `roundworks analyse` has the degree of few rounds."
        return [Finding.note(CHECK, "first-block: not looked at", said)]
    rng = subject.rng(CHECK)
    width, size = 8 * subject.rate, subject.cipher.key_bytes
    nonce = rng.randbytes(subject.cipher.nonce_bytes)
    keys, one, other = (subject.random_rows(rng, width + MORE, size) for _ in range(3))
    corners = [_keystream(subject, k, nonce) for k in (keys, keys ^ one, keys ^ other, keys ^ one ^ other)]
    curved = corners[0] ^ corners[1] ^ corners[2] ^ corners[3]
    straight = gf2.kernel([int.from_bytes(np.packbits(column).tobytes(), "big") for column in curved.T])
    results = _sums(subject, rng, nonce, straight) + _bias(subject, nonce, np.vstack(corners[:3]))
    return results or [
        Finding.passed(
            CHECK,
            "no sum of key bits",
            f"Under a random nonce, no sum of the {width} bits of the first block of keystream is seen to be a sum of"
            f" key bits or a constant, by {width + MORE} second derivatives at random keys, and none of these bits is"
            f" far from balanced under {3 * (width + MORE)} keys.",
        )
    ]


def _keystream(subject: AuditSubject, keys: U8, nonce: bytes) -> U8:
    """The bits of the first block of keystream, a row for each key."""
    zeros = row(bytes(subject.rate))
    out, _ = subject.bulk.encrypt(keys, row(nonce), zeros, row(b""))
    return np.unpackbits(np.ascontiguousarray(out), axis=1)


def _sums(subject: AuditSubject, rng: random.Random, nonce: bytes, straight: list[int]) -> list[Finding]:
    """What sums of keystream bits are in the bits of the key, where that holds under other keys."""
    if not straight:
        return []
    width, size = 8 * subject.rate, subject.cipher.key_bytes
    masks = np.array([[mask >> i & 1 for i in range(width)] for mask in straight], np.uint8)
    key = rng.randbytes(size)
    around = _keystream(subject, np.vstack([row(key), flips(key)]), nonce) @ masks.T & 1  # a row for each key
    slopes = around[1:] ^ around[0]
    fresh = subject.random_rows(rng, MORE, size)
    want = around[0] ^ (np.unpackbits(fresh ^ row(key), axis=1) @ slopes & 1)
    holds = (_keystream(subject, fresh, nonce) @ masks.T & 1 == want).all(axis=0)
    linear = [i for i in map(int, np.flatnonzero(holds)) if slopes[:, i].any()]
    constant = [i for i in map(int, np.flatnonzero(holds)) if not slopes[:, i].any()]
    rank = gf2.rank(_number(slopes[:, i]) for i in linear)

    def proof(i: int) -> dict[str, object]:
        return {
            "nonce": nonce.hex(),
            "mask_of_keystream": np.packbits(masks[i]).tobytes().hex(),
            "mask_of_key": np.packbits(slopes[:, i]).tobytes().hex(),
            "key": key.hex(),
            "sum_under_key": int(around[0, i]),
        }

    results = []
    if rank:
        results.append(
            Finding.leak(
                CHECK,
                f"the first block of keystream gives {rank} sums of key bits",
                f"Under a known nonce, one block of known message is worth {rank} of the {8 * size} bits of the key:"
                f" each of these sums of keystream bits is a sum of key bits, checked under {MORE} other keys. Give"
                " the initialisation enough rounds for every bit to depend on the key by more than sums.",
                proof(linear[0]),
            )
        )
    if constant:
        results.append(
            Finding.leak(
                CHECK,
                f"{len(constant)} sums of bits of the first block of keystream do not depend on the key",
                f"Whoever knows the nonce knows them, as under {MORE} other keys, and reads as much of a message."
                " Let every bit of the keystream depend on the key.",
                proof(constant[0]),
            )
        )
    return results


def _bias(subject: AuditSubject, nonce: bytes, streams: U8) -> list[Finding]:
    """Bits that are 1 too often, or too seldom, over random keys."""
    count = len(streams)
    ones = streams.sum(axis=0, dtype=np.int64)
    far = np.abs(2 * ones - count) / count**0.5  # standard deviations from the half
    biased = np.flatnonzero(far > UNLIKELY)
    if not len(biased):
        return []
    worst = int(far.argmax())
    return [
        Finding.leak(
            CHECK,
            f"{len(biased)} of {8 * subject.rate} bits of the first block of keystream are not balanced",
            f"Bit {worst} is 1 under {ones[worst]} of {count} random keys, which is {far[worst]:.0f} standard"
            " deviations from the half. So one message under many keys can be read from its ciphertexts. Read the"
            " keystream from sums, or from the results of bijections.",
            {"nonce": nonce.hex(), "bit": worst, "keys": count, "ones": int(ones[worst])},
        )
    ]


def _number(bits: U8) -> int:
    return int.from_bytes(np.packbits(bits).tobytes(), "big")
