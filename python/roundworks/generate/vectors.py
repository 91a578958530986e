"""Vectors of a description, for the tests of what was generated from it."""

from __future__ import annotations

import random
from typing import Any

from ..reference import StreamAead


def vector_fields(cipher: StreamAead[Any], seed: int, count: int = 40) -> list[tuple[str, ...]]:
    """Vectors of the description in hexadecimal, on lengths around the boundaries of a block: key, nonce,
    associated data, data, ciphertext, tag."""
    rng = random.Random(f"{cipher.name} {seed}")
    rate = cipher.rate_bytes
    around = sorted({0, 1, rate - 1, rate, rate + 1, 2 * rate - 1, 2 * rate, 3 * rate + 1, 5 * rate})
    pairs = [(0, 0), *((n, 0) for n in around[1:]), *((0, n) for n in around[1:])]
    while len(pairs) < count:
        pairs.append((rng.choice(around), rng.choice(around)))
    rows = []
    for ad_bytes, size in pairs:
        key, nonce = rng.randbytes(cipher.key_bytes), rng.randbytes(cipher.nonce_bytes)
        ad, data = rng.randbytes(ad_bytes), rng.randbytes(size)
        sealed = cipher.encrypt(key, nonce, data, ad)
        cut = len(sealed) - cipher.tag_bytes
        rows.append(tuple(field.hex() for field in (key, nonce, ad, data, sealed[:cut], sealed[cut:])))
    return rows


def vectors(cipher: StreamAead[Any], seed: int) -> str:
    """Vectors of a description, chosen by ``seed``, as a header of C."""
    fields = (", ".join(f'"{field}"' for field in row) for row in vector_fields(cipher, seed))
    rows = "\n".join(f"    {{{row}}}," for row in fields)
    return (
        f"/* Vectors of the description of {cipher.name}, in hexadecimal: key, nonce, associated data, data,\n"
        " * ciphertext, tag. */\n"
        "static const char *const vectors[][6] = {\n"
        f"{rows}\n}};\n"
    )
