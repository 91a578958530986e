"""What a mode really absorbs, learned by watching it work.

Nothing here knows a padding rule. A message is run through the mode with rounds that do nothing
and write down what they were given; from that follow the padding of every length, and every other
input that leads to the same blocks.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...errors import DescriptionError
from ...reference.record import disguised
from ...reference.word import IntWord
from .subject import AuditSubject


class Transcript:
    """The blocks of one description, as functions from bytes to bytes."""

    def __init__(self, subject: AuditSubject) -> None:
        self.subject = subject
        self._seen: dict[tuple[bytes, bytes], tuple[bytes, bytes]] = {}
        self._log: list[tuple[str, bytes]] = []
        self._dry = self._make_dry()
        rng = subject.rng("transcript")
        rate = subject.rate
        samples = [rng.randbytes(n) for n in (1, rate - 1, rate, 2 * rate + 1) if n]
        try:
            self.readable = all(
                self.of_ad(s).startswith(s)
                and self.of_data(s).startswith(s)
                and not len(self.of_ad(s)) % rate  # blocks of one size, which could be moved
                for s in samples
            )
        except DescriptionError:
            self.readable = False
        self.shift = self._find_shift() if self.readable else None

    def of_ad(self, ad: bytes) -> bytes:
        """Blocks absorbed for associated data, one after the other."""
        return self._run(ad, b"")[0]

    def of_data(self, data: bytes) -> bytes:
        """Blocks absorbed for a message, one after the other."""
        return self._run(b"", data)[1]

    def ads_of(self, blocks: bytes) -> list[bytes]:
        """Every associated data that is absorbed as ``blocks``, shortest first."""
        return [s for s in self._prefixes(blocks) if self.of_ad(s) == blocks]

    def datas_of(self, blocks: bytes) -> list[bytes]:
        """Every message that is absorbed as ``blocks``, shortest first."""
        return [s for s in self._prefixes(blocks) if self.of_data(s) == blocks]

    def shifted(self, blocks: bytes) -> bytes:
        """Blocks of associated data as the blocks of message that do the same, and back."""
        if self.shift is None:
            raise ValueError("blocks of associated data and of message do not do the same")
        period = self.shift * (len(blocks) // len(self.shift))
        return xor(blocks, period)

    def _prefixes(self, blocks: bytes) -> list[bytes]:
        shortest = max(0, len(blocks) - 2 * self.subject.rate)
        return [blocks[:n] for n in range(shortest, len(blocks) + 1)]

    def _run(self, ad: bytes, data: bytes) -> tuple[bytes, bytes]:
        if (ad, data) not in self._seen:
            self._log.clear()
            c = self._dry
            c.process(bytes(c.key_bytes), bytes(c.nonce_bytes), data, ad, decrypt=False)
            ad_blocks, data_blocks = (
                b"".join(block for kind, block in self._log if kind == want) for want in ("absorb", "update")
            )
            self._seen[ad, data] = ad_blocks, data_blocks
        return self._seen[ad, data]

    def _make_dry(self) -> Any:
        cipher, log = self.subject.cipher, self._log
        zero = IntWord(0, cipher.word_bits)

        class Dry(type(cipher)):  # type: ignore[misc]
            def init(self, S: list[Any], K: Sequence[Any], N: Sequence[Any]) -> list[Any]:
                return S

            def absorb(self, S: list[Any], X: Sequence[Any]) -> list[Any]:
                log.append(("absorb", self.join([zero.lift(x) for x in X])))
                return S

            def update(self, S: list[Any], X: Sequence[Any]) -> list[Any]:
                log.append(("update", self.join([zero.lift(x) for x in X])))
                return S

            def last(self, S: list[Any], X: Sequence[Any]) -> list[Any]:
                log.append(("update", self.join([zero.lift(x) for x in X])))
                return S

            def separate(self, S: list[Any]) -> list[Any]:
                return S

            def keystream(self, S: list[Any]) -> list[Any]:
                return [zero] * self.rate_words

            def finalise(self, S: list[Any], K: Any, ad_bits: int, msg_bits: int) -> list[Any]:
                return S

            def tag(self, S: list[Any]) -> list[Any]:
                return [zero] * -(-self.tag_bytes // self.word_bytes)

        return disguised(cipher, Dry)

    def _find_shift(self) -> bytes | None:
        """The d with absorb(S, X) = update(S, X ^ d) for every S and X, if there is one.

        Zero where associated data goes through the round of the message. A mode that only XORs a
        constant to the block has another d, and no better separation.
        """
        cipher = self.subject.cipher
        rng = self.subject.rng("shift")
        given: list[bytes] = []

        class Spy(type(cipher)):  # type: ignore[misc]
            def update(self, S: list[Any], X: Sequence[Any]) -> list[Any]:
                given.append(self.join([S[0].lift(x) for x in X]))
                return list(super().update(S, X))

        spy = disguised(cipher, Spy)
        result: bytes | None = None
        for _ in range(4):
            given.clear()
            state = cipher.split(rng.randbytes(self.subject.state_bytes))
            block = rng.randbytes(self.subject.rate)
            after = spy.absorb(list(state), cipher.split(block))
            if len(given) != 1:
                return None
            d = xor(given[0], block)
            if result not in (None, d):
                return None
            result = d
            if list(cipher.update(list(state), cipher.split(given[0]))) != list(after):
                return None
        return result


def xor(a: bytes, b: bytes) -> bytes:
    """The sum of two strings of one length."""
    return bytes(x ^ y for x, y in zip(a, b, strict=True))
