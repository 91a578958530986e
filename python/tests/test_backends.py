"""Every back end against the description, on every length from 0 to 200 of data and of header.

Both axes are walked against lengths around the block boundaries. The whole 201 x 201 product, back
end against back end and against a plain version, is in the Rust tests (the description is too slow
for it).
"""

from __future__ import annotations

import os
import warnings

import pytest

from roundworks import aead, spec
from roundworks.errors import ResearchOnlyWarning
from roundworks.reference import get

CIPHERS = [facts.name for facts in spec.ciphers() if facts.backends]
LONGEST = 200
REQUIRED = [name for name in os.environ.get("ROUNDWORKS_REQUIRE_BACKENDS", "").split(",") if name]


def backends(name: str) -> list[str]:
    """Back ends of a cipher that this CPU has; those that CI names must be among them."""
    there = dict(aead.get(name).backends())
    missing = [b for b in REQUIRED if b in there and not there[b]]
    assert not missing, f"{name}: required back ends {missing} are not available on this CPU"
    return [b for b, available in there.items() if available]


def lengths(rate: int) -> list[tuple[int, int]]:
    """(header, data) in bytes."""
    edges = sorted({0, 1, rate - 1, rate, LONGEST})
    everything = range(LONGEST + 1)
    pairs = {(e, n) for e in edges for n in everything} | {
        (n, e) for e in edges for n in everything
    }
    return sorted(pairs)


@pytest.mark.parametrize("name", CIPHERS)
def test_every_back_end_agrees_with_the_description(name: str) -> None:
    cipher = get(name)
    key = bytes(range(cipher.key_bytes))
    nonce = bytes(range(100, 100 + cipher.nonce_bytes))
    header, data = (bytes(i * k & 0xFF for i in range(LONGEST)) for k in (7, 13))
    # The start does not depend on the message: computed once.
    started = cipher.start(cipher.split(key), cipher.split(nonce))
    cipher.start = lambda K, N: list(started)  # type: ignore[method-assign]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ResearchOnlyWarning)
        ours = {b: aead.get(name)(key, backend=b) for b in backends(name)}
    assert "portable" in ours
    for ad_bytes, data_bytes in lengths(cipher.rate_bytes):
        ad, message = header[:ad_bytes], data[:data_bytes]
        want = cipher.encrypt(key, nonce, message, ad)
        for backend, it in ours.items():
            where = f"{name}/{backend}: {ad_bytes} bytes of header, {data_bytes} of data"
            assert it.encrypt(nonce, message, ad) == want, where
            assert it.decrypt(nonce, want, ad) == message, where
