"""Descriptions of standards next to other people's code: AES and ChaCha20 of OpenSSL, SHA3-256 of hashlib."""

from __future__ import annotations

import hashlib
import random
import struct
from typing import Any

import pytest
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

from roundworks.reference import IntWord, get_analysed

RNG = random.Random(1)


@pytest.mark.parametrize("bits", [128, 192, 256])
def test_aes(bits: int) -> None:
    cipher: Any = get_analysed(f"aes-{bits}")
    for _ in range(3):
        key, block = RNG.randbytes(bits // 8), RNG.randbytes(16)
        encryptor = Cipher(algorithms.AES(key), modes.ECB()).encryptor()
        mine = cipher.encrypt_block(int.from_bytes(key, "big"), int.from_bytes(block, "big"))
        assert mine.to_bytes(16, "big") == encryptor.update(block)


def test_chacha() -> None:
    """A block of keystream is the permutation of a state, added to that state."""
    permutation: Any = get_analysed("chacha")
    for _ in range(3):
        key, nonce = RNG.randbytes(32), RNG.randbytes(16)  # the counter comes first
        state = struct.unpack("<16I", b"expand 32-byte k" + key + nonce)
        permuted = permutation.run([IntWord(word, 32) for word in state])
        stream = [(word.value + before) % 2**32 for word, before in zip(permuted, state, strict=True)]
        encryptor = Cipher(algorithms.ChaCha20(key, nonce), None).encryptor()
        assert struct.pack("<16I", *stream) == encryptor.update(bytes(64))


def test_keccak_f_1600() -> None:
    """SHA3-256 on top of the permutation. [FIPS202, section 6.1]"""
    permutation: Any = get_analysed("keccak-f-1600")
    for length in (0, 1, 135, 136, 300):
        message = RNG.randbytes(length)
        padded = bytearray(message + b"\x06" + bytes(-(length + 1) % 136))
        padded[-1] |= 0x80
        state = [0] * 25
        for at in range(0, len(padded), 136):
            for place, lane in enumerate(struct.unpack("<17Q", padded[at : at + 136])):
                state[place] ^= lane
            state = [word.value for word in permutation.run([IntWord(lane, 64) for lane in state])]
        assert struct.pack("<4Q", *state[:4]) == hashlib.sha3_256(message).digest()
