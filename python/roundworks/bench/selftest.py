"""The test vectors of a cipher on every back end, and on the description itself.

A back end runs every vector. The description is slow, so it runs a sample unless all are wanted;
``of`` says how many there are.
"""

from __future__ import annotations

import time
import warnings
from typing import Any

from .. import aead, spec
from ..errors import InvalidTag, ResearchOnlyWarning
from ..reference import get

SAMPLE = 8


def selftests(*, every: bool) -> list[dict[str, Any]]:
    """The fields of one selftest row per cipher and back end, `python` (the description) first."""
    return [
        selftest(facts.name, backend, every=every)
        for facts in spec.ciphers()
        for backend in ("python", *facts.backends)
    ]


def selftest(cipher: str, backend: str, *, every: bool) -> dict[str, Any]:
    """The fields of the selftest row of one cipher on one back end."""
    started = time.perf_counter()
    known = spec.aead_vectors(cipher)
    vectors = known if every or backend != "python" else _sample(known)
    available = backend == "python" or dict(aead.get(cipher).backends())[backend]
    passed = sum(_passes(cipher, backend, v) for v in vectors) if available else 0
    return {
        "cipher": cipher,
        "backend": backend,
        "available": available,
        "vectors": len(vectors),
        "passed": passed,
        "of": len(known),
        "seconds": time.perf_counter() - started,
    }


def _sample(vectors: list[spec.AeadVector]) -> list[spec.AeadVector]:
    """Evenly spaced, the first and the last among them."""
    if len(vectors) <= SAMPLE:
        return vectors
    return [vectors[i * (len(vectors) - 1) // (SAMPLE - 1)] for i in range(SAMPLE)]


def _passes(cipher: str, backend: str, v: spec.AeadVector) -> bool:
    """Encryption gives the printed result, or decryption refuses what it must."""
    sealed, default = v.ct + v.tag, spec.cipher(cipher).tag_bytes
    try:
        if backend == "python":
            described = get(cipher, len(v.tag))
            # The description runs both ways through the same lines, slowly: one way is enough.
            if v.valid:
                return described.encrypt(v.key, v.nonce, v.pt, v.ad) == sealed
            described.decrypt(v.key, v.nonce, sealed, v.ad)
            return False
        # Only ciphers with several sizes of tag take the size.
        size = {} if len(v.tag) == default else {"tag_bytes": len(v.tag)}
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ResearchOnlyWarning)
            description = aead.get(cipher)(v.key, backend=backend, **size)
        opened = description.decrypt(v.nonce, sealed, v.ad)
        again = description.encrypt(v.nonce, v.pt, v.ad) if v.valid else sealed
    except InvalidTag:
        return not v.valid
    return v.valid and opened == v.pt and again == sealed
