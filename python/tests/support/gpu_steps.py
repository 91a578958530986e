"""All that is measured on a GPU, with few vectors and tiny sizes."""

from __future__ import annotations

import functools
from typing import Any

import pytest

from roundworks import spec
from roundworks._native import gpu_cipher_names
from roundworks.gpu import measure


def few(name: str) -> list[spec.AeadVector]:
    """Three right and three wrong vectors for each size of tag."""
    alike: dict[tuple[bool, int], list[spec.AeadVector]] = {}
    for v in spec.aead_vectors(name):
        alike.setdefault((v.valid, len(v.tag)), []).append(v)
    return [v for vectors in alike.values() for v in vectors[:3]]


def few_vectors(monkeypatch: pytest.MonkeyPatch) -> None:
    """No more than those for every cipher."""
    chosen = {name: few(name) for name in gpu_cipher_names()}
    monkeypatch.setattr(spec, "aead_vectors", chosen.__getitem__)


# Every step in a few seconds on this CPU.
TINY: dict[str, dict[str, Any]] = {
    "ceilings": {"turns": 1, "copied": 1 << 16},
    "Minalpher, one message on the device": {"bits": [10, 12]},
    "Minalpher, the paper's parts": {"blocks": 40},
    "Minalpher, the paper's block counts": {"counts": [1, 40]},
    "Minalpher, a batch over the bus": {"size": 4096, "messages": 3},
    "AES-CTR and AES-GCM, one message on the device": {"bits": [10, 12]},
    "AES-GCM, the paper's parts": {"blocks": 40},
    "AES-GCM, the paper's block counts": {"counts": [1, 40]},
    "one long message over the bus": {"bits": [13], "increment_bytes": 2048},
    "batches over the bus, from Python": {"total": 1 << 12, "each": [64]},
    "AES-GCM, many messages on the device": {"total": 1 << 12, "each": [64, 1024]},
    "Minalpher, many messages on the device": {"total": 1 << 12, "each": [64, 1024]},
    "AEGIS-128L, Rocca-S and AETHER, many messages on the device": {
        "each": [33],
        "fill": {"aegis-128l": 5, "rocca-s": 5, "aether": 20},
    },
}


def tiny() -> dict[str, Any]:
    return {name: functools.partial(step, **TINY[name]) for name, step in measure.STEPS.items()}
