"""AES-128, AES-192 and AES-256 with their key schedule. [FIPS197, section 5]"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from .aes import MIX_COLUMNS, SUB_BYTES, aes_last_round, aes_round
from .block import BlockCipher
from .word import W, join


class AesCipher(BlockCipher[W]):
    """AES of 10, 12 or 14 rounds, or of the first of them; the key is words of 32 bits."""

    family = "aes"
    words, word_bits, key_word_bits = 1, 128, 32

    def __init__(self, key_bits: int = 128) -> None:
        self.name, self.key_words = f"aes-{key_bits}", key_bits // 32
        self.rounds = self.key_words + 6

    def schedule(self, K: Sequence[W]) -> Iterable[W]:
        """RotWord and SubWord on every Nk-th word; SubWord alone on those between of AES-256."""
        n, w, rcon = self.key_words, list(K), 1
        for i in range(n, 4 * (self.rounds + 1)):
            t = w[i - 1]
            if i % n == 0:
                t = t.rotl(8).sub(SUB_BYTES) ^ rcon << 24
                rcon = MIX_COLUMNS.times(2, rcon)
            elif n > 6 and i % n == 4:
                t = t.sub(SUB_BYTES)
            w.append(w[i - n] ^ t)
        return [join(w[i : i + 4]) for i in range(0, 4 * (self.rounds + 1), 4)]

    def encrypt(self, S: Sequence[W], subkeys: Sequence[W]) -> Sequence[W]:
        first, *keys = subkeys
        x = S[0] ^ first
        for i, k in enumerate(keys, 1):
            x = (aes_last_round if i == self.key_words + 6 else aes_round)(x, k)
        return [x]
