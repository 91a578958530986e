"""PHOTON-256, PHOTON-Beetle-AEAD[128] and PHOTON-Beetle-Hash[32]. [PHOTON-BEETLE]

The state is eight rows of eight nibbles. A word is a row, whose nibble 0 is the lowest.
"""

from __future__ import annotations

from collections.abc import Sequence

from .components import Matrix, Sbox
from .permutation import Permutation
from .sponge import Sponge
from .sponge_hash import SpongeHash
from .stream import Place, State
from .word import W, join

SBOX = Sbox("PRESENT", (12, 5, 6, 11, 9, 0, 10, 13, 3, 14, 15, 8, 4, 7, 1, 2))
ROUND = (1, 3, 7, 14, 13, 11, 6, 12, 9, 2, 5, 10)
ROW = (0, 1, 3, 7, 15, 14, 12, 8)


def _eighth_power() -> tuple[tuple[int, ...], ...]:
    """Of the matrix that shifts a column up and puts a sum of all cells at its end."""
    shift = [tuple(int(j == i + 1) for j in range(8)) for i in range(7)]
    serial = Matrix("serial", (*shift, (2, 4, 2, 11, 2, 8, 5, 6)), 4, 0x13)
    columns = []
    for i in range(8):
        column = [int(j == i) for j in range(8)]
        for _ in range(8):
            column = serial.apply(column)
        columns.append(column)
    return tuple(zip(*columns, strict=True))


MIX = Matrix("MixColumnsSerial", _eighth_power(), 4, 0x13)


class Photon256(Permutation[W]):
    """MixColumnsSerial . ShiftRows . SubCells . AddConstant."""

    name, family = "photon-256", "photon"
    words, word_bits, rounds = 8, 32, 12

    def round(self, S: Sequence[W], i: int) -> list[W]:
        rows = [
            (row ^ (ROUND[i] ^ of_row)).sub(SBOX).split(8)[::-1] for row, of_row in zip(S, ROW, strict=True)
        ]
        columns = [join([rows[y][(x + y) % 8] for y in range(8)]).mix(MIX).split(8) for x in range(8)]
        return [join([columns[x][y] for x in reversed(range(8))]) for y in range(8)]


def constant(S: State[W], number: int) -> State[W]:
    """A constant in the last three bits of the state, which separates inputs."""
    return [*S[:-1], S[-1] ^ number << 29]


class PhotonBeetle(Sponge[W]):
    """PHOTON-Beetle-AEAD[128]: key, nonce and tag of 16 bytes, blocks of 16."""

    name, family = "photon-beetle-128", "photon"
    key_bytes, nonce_bytes, tag_bytes = 16, 16, 16
    permutation, rate, order = Photon256(), 128, "little"
    permutes_first, separator = True, 0

    def load(self, K: Sequence[W], N: Sequence[W]) -> list[W | int]:
        return [*N, *K]

    def keystream(self, S: State[W]) -> list[W]:
        """The halves of the rate changed over, the first one rotated by a bit."""
        a, b, c, d = super().keystream(S)
        return [c, d, a >> 1 ^ b << 31, b >> 1 ^ a << 31]

    def padding(self, length: int) -> bytes:
        return b"\x01".ljust(self.rate_bytes - length, b"\0") if length else b""

    def domain(self, S: State[W], place: Place) -> State[W]:
        """A constant behind the last block of either input: whether it is full, and whether there is the other."""
        full = place.length == self.rate_bytes
        if place.message_block:
            number = (1 if full else 2) if place.ad else (5 if full else 6)
        else:
            number = (1 if full else 2) if place.message else (3 if full else 4)
        return constant(S, number) if place.last else S

    def finalise(self, S: State[W], K: Sequence[W], ad_bits: int, msg_bits: int) -> State[W]:
        S = S if ad_bits or msg_bits else constant(S, 1)
        return self.permute(S, self.rounds)


class PhotonBeetleHash(SpongeHash[W]):
    """PHOTON-Beetle-Hash[32]: a first block of 16 bytes, then of 4; a digest of 32 bytes in two halves."""

    name, family = "photon-beetle-hash", "photon"
    permutation, rate, rate_out, digest_bytes, order = Photon256(), 32, 128, 32, "little"

    def init(self, S: State[W]) -> State[W]:
        return S

    def blocks(self, message: bytes) -> list[bytes]:
        parts = [message[:16], *(message[i : i + 4] for i in range(16, len(message), 4))]
        sizes = [16] + [4] * (len(parts) - 1)
        mark = [b"\x01" if 0 < len(part) < size else b"" for part, size in zip(parts, sizes, strict=True)]
        return [(p + m).ljust(size, b"\0") for p, m, size in zip(parts, mark, sizes, strict=True)]

    def absorb(self, S: State[W], block: Sequence[W], place: Place) -> State[W]:
        """The constant behind the last block says whether it is full, and of 16 bytes at most the other way round."""
        S = self.added(S if place.first else self.permute(S), block)
        if not place.last:
            return S
        if place.first:
            return constant(S, 2 if place.length == 16 else 1)
        return constant(S, 1 if place.length == 4 else 2)

    def out(self, S: State[W]) -> State[W]:
        return self.permute(S)
