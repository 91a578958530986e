"""Descriptions that nobody has seen, with what the ciphers of the library do not do."""

from __future__ import annotations

from pathlib import Path

EXAMPLES = Path(__file__).resolve().parents[3] / "examples"

SPN = '''"""A substitution-permutation network of two words of 64 bits."""

from roundworks.reference import CellPermutation, Matrix, Permutation, Sbox

BOX = Sbox("odd one", (6, 4, 12, 5, 0, 7, 2, 14, 1, 15, 3, 13, 8, 10, 9, 11))
ROWS = ((0, 1, 1, 1), (1, 0, 1, 1), (1, 1, 0, 1), (1, 1, 1, 0))
MIX = Matrix("columns", ROWS, 4)
MOVE = CellPermutation("cells", tuple(5 * i % 16 for i in range(16)), 4)
TURN = CellPermutation("turn", tuple((i + 3) % 64 for i in range(64)), 1)


class Spn(Permutation):
    name, words, word_bits, rounds = "spn-128", 2, 64, 7

    def first(self, S):
        return [S[0] ^ 0x0123456789ABCDEF, S[1]]

    def round(self, S, i):
        x = S[0].sub(BOX).permute(MOVE).mix(MIX) ^ (0x1111 * (i + 1))
        y = S[1] ^ x
        return [y, S[0] ^ (y & y.permute(TURN))]

    def last(self, S, i):
        return [S[0].sub(BOX) ^ i, S[1].sub(BOX)]
'''

ODD = '''"""A streaming cipher with maps between its rounds that are no sums, and padding always."""

from roundworks.reference import CellPermutation, Sbox, StreamAead, unit

BOX = Sbox("two bits", (2, 0, 3, 1))
MOVE = CellPermutation("move", (3, 0, 7, 4, 1, 6, 5, 2), 4)


@unit("G")
def g(x, more=0x00FF00FF):
    return x.permute(MOVE).sub(BOX) ^ more


class Odd(StreamAead):
    name = "odd"
    key_bytes, nonce_bytes, tag_bytes = 8, 8, 4
    words, rate_words, word_bits = 4, 2, 32

    def load(self, K, N):
        return [K[0], N[0], K[1] ^ N[1], 0xB7E15162]

    def update(self, S, X):
        return [g(S[3]) ^ X[0], g(S[0]) ^ (S[2] & S[1]), g(S[1]) ^ X[1] ^ S[3], g(S[2] ^ S[0])]

    def init(self, S, K, N):
        for i in range(6):
            S = self.update([S[0], S[1] ^ (i + 1), S[2], S[3]], [N[i % 2], K[0] ^ N[1]])
        return [S[1], g(S[0]), S[2] ^ K[0], S[3]]

    def absorb(self, S, X):
        return self.update([S[0], S[1], S[2] ^ X[1], S[3]], [X[0], X[0]])

    def separate(self, S):
        return [S[0], S[1], S[2] ^ 1, S[3]]

    def last(self, S, X):
        return self.update([S[0] ^ 0x80000000, S[1], S[2], S[3]], [X[1], X[0]])

    def keystream(self, S):
        return [g(S[0] ^ S[3]) ^ S[1], S[2] ^ (S[0] & S[1])]

    def finalise(self, S, K, ad_bits, msg_bits):
        low = S[1] ^ (ad_bits & 0xFFFFFFFF)
        S = [S[3], S[0] ^ K[1], S[1], S[2]]
        for _ in range(5):
            S = self.update(S, [low, K[0] ^ (msg_bits & 0xFFFF0000) ^ (msg_bits >> 32)])
        return [s ^ K[0] for s in S]

    def tag(self, S):
        return [S[0] ^ S[1], S[2] ^ S[3]]

    def padding(self, length):
        return bytes(self.rate_bytes - length - 1) + bytes([length + 1])
'''


def write(text: str, folder: Path, name: str) -> Path:
    path = folder / f"{name}.py"
    path.write_text(text, encoding="utf-8")
    return path
