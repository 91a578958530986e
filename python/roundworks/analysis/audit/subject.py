"""What every check works on: the description, ways to run it, and chance from one seed."""

from __future__ import annotations

import random
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from ...reference.aead import BlockAead
from ...reference.batch import U8
from ...reference.graph import Recording
from ...reference.record import record_round
from ...reference.stream import StreamAead
from .bulk import Bulk, OneByOne, row
from .game import Oracle, remember


@dataclass
class AuditSubject:
    """One description under audit. ``mode`` is the cipher where it is a mode of blocks."""

    cipher: Any  # StreamAead, or BlockAead for the checks of a mode
    seed: int = 1

    @property
    def mode(self) -> BlockAead[Any] | None:
        """The cipher where it is a mode of blocks, else None."""
        return self.cipher if isinstance(self.cipher, BlockAead) else None

    @property
    def secret_stream(self) -> str:
        """The name of the secret words that hide the message."""
        return "ciphertext" if self.mode else "keystream"

    @cached_property
    def bulk(self) -> Bulk:
        """Its steps on many words at once."""
        return OneByOne(self.cipher) if self.mode else Bulk(self.cipher)

    @cached_property
    def remembered(self) -> StreamAead[Any] | BlockAead[Any]:
        """The cipher, computing no message twice."""
        return self.cipher if self.mode else remember(self.cipher)

    @cached_property
    def round(self) -> Recording:
        """One round as a graph."""
        return record_round(self.cipher)

    @property
    def rate(self) -> int:
        """Bytes of a block."""
        return int(self.cipher.rate_bytes)

    @property
    def state_bytes(self) -> int:
        """Bytes of the state."""
        return int(self.cipher.words * self.cipher.word_bytes)

    def rng(self, check: str) -> random.Random:
        """Chance of one check alone, so that a check added later changes no other's result."""
        return random.Random(f"{self.seed}/{check}")

    def oracle(self, rng: random.Random) -> Oracle:
        """A game under a new key."""
        return Oracle(self.remembered, self.bulk, rng)

    def round_of(self, states: U8, blocks: U8) -> U8:
        """The round on N states and blocks."""
        return self.bulk.run(lambda S, X: self.cipher.update(S, X), states, blocks)

    def random_rows(self, rng: random.Random, count: int, width: int) -> U8:
        """Random bytes, shape (count, width)."""
        return row(rng.randbytes(count * width)).reshape(count, width)
