"""The key of GHASH from two messages under one nonce, and with it a forgery under the same nonce. [GCM, section 6.4]"""

from __future__ import annotations

from typing import Any

from ...reference.gcm import BLOCK, times
from .transcript import xor

_LATER = 2  # blocks of the polynomial from the last block of the message on: itself and the lengths


def forgery(cipher: Any, key: bytes, nonce: bytes, ad: bytes, data: bytes) -> dict[str, str] | None:
    """A message that nobody encrypted, made of the tags of two that differ in their last block; None where the tag is
    not that of GHASH. ``data`` is of whole blocks."""
    if (cipher.rate_bytes, cipher.tag_bytes) != (BLOCK, BLOCK):
        return None
    other = data[:-BLOCK] + bytes(byte ^ 1 for byte in data[-BLOCK:])
    (one, tag), (two, other_tag) = (cipher.seal(key, nonce, m, ad) for m in (data, other))
    # The tags differ by the difference of the block times H^2, and the square root is a square taken 127 times.
    difference, tags = (
        int.from_bytes(xor(a, b), "big") for a, b in ((one[-BLOCK:], two[-BLOCK:]), (tag, other_tag))
    )
    hash_key = _power(times(tags, _power(difference, (1 << 128) - 2)), 1 << 127)
    change = bytes(range(1, BLOCK + 1))
    forged = xor(one[:BLOCK], change) + one[BLOCK:]
    exponent = len(one) // BLOCK - 1 + _LATER
    product = times(int.from_bytes(change, "big"), _power(hash_key, exponent)).to_bytes(BLOCK, "big")
    accepted = cipher.open(key, nonce, forged, xor(tag, product), ad)
    if accepted is None:
        return None
    return {
        "hash_key": f"{hash_key:032x}",
        "forged_ciphertext": forged.hex(),
        "forged_tag": xor(tag, product).hex(),
        "accepted_as": accepted.hex(),
    }


def _power(base: int, exponent: int) -> int:
    """By squares; 1 is the coefficient of x^0, which is leftmost."""
    product = 1 << 127
    for bit in f"{exponent:b}":
        product = times(product, product)
        if bit == "1":
            product = times(product, base)
    return product
