"""What programs leave in their memory: a key that was not wiped must be seen, one that was must not."""

from __future__ import annotations

import random

import pytest

from calls import cases
from roundworks import aead
from roundworks.reference import get
from roundworks.studies.memory import bytes_from, left_in, python_leaves, secrets_of

NAMES = ["aegis-128l", "minalpher", "areion-256-opp", "rocca-s"]


def fastest(name: str) -> str:
    return [backend for backend, there in aead.get(name).backends() if there][-1]


def test_a_key_that_was_not_wiped_is_seen() -> None:
    left = python_leaves("aegis-128l", "portable", random.Random(1), incremental=False, keep=True)
    assert any(line.startswith("key, from byte 0") for line in left)


@pytest.mark.parametrize("name", cases(NAMES, short=NAMES[:2]))  # the others go through the same functions
def test_nothing_is_left_of_whole_messages(name: str) -> None:
    backend = fastest(name)
    assert python_leaves(name, backend, random.Random(2), incremental=False) == []


@pytest.mark.long
@pytest.mark.parametrize("name", NAMES)
def test_nothing_is_left_of_incremental_messages(name: str) -> None:
    backend = fastest(name)
    assert python_leaves(name, backend, random.Random(3)) == []


def test_a_secret_of_this_process_is_seen() -> None:
    import os

    cipher = get("aegis-128l")
    key, nonce = bytes_from(1 << 39 | 12345, cipher.key_bytes), bytes_from(1 << 39 | 6789, cipher.nonce_bytes)
    secrets = secrets_of("aegis-128l", key, nonce)
    assert len(secrets) == 9
    state = bytearray(secrets["state word 3"])
    assert any(
        line.startswith("state word 3") for line in left_in(os.getpid(), {"state word 3": bytes(state)})
    )
