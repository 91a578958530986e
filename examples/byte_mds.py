"""Byte MDS: a streaming AEAD whose round is a byte SPN with the 8 x 8 matrix of Whirlpool. A study.

The S-box is inversion in GF(2^8) by the polynomial 0x11d, then an affine map.
"""

from roundworks.reference import CellPermutation, Matrix, Sbox, StreamAead, unit

POLYNOMIAL = 0x11D


def times(a, b):
    product = 0
    for i in range(8):
        product ^= (a << i) * (b >> i & 1)
    for i in range(15, 7, -1):
        product ^= (POLYNOMIAL << (i - 8)) * (product >> i & 1)
    return product


def box(x):
    y = next((y for y in range(256) if times(x, y) == 1), 0)
    return y ^ (y << 1 & 255 | y >> 7) ^ (y << 3 & 255 | y >> 5) ^ 0x5A


CIRCULANT = (1, 1, 4, 1, 8, 5, 2, 9)
SBOX = Sbox("inversion", tuple(box(x) for x in range(256)))
DIFFUSION = Matrix(
    "Whirlpool", tuple(tuple(CIRCULANT[(j - i) % 8] for j in range(8)) for i in range(8)), 8, POLYNOMIAL
)
SPREAD = CellPermutation("spread", tuple((9 * i) % 16 for i in range(16)), 8)


@unit("F")
def f(x):
    return x.sub(SBOX).permute(SPREAD).mix(DIFFUSION)


class ByteMds(StreamAead):
    name = "byte-mds"
    key_bytes, nonce_bytes, tag_bytes = 16, 16, 16
    words, rate_words, word_bits = 4, 1, 128

    def load(self, K, N):
        return [K[0] ^ N[0], K[0], N[0], 0x243F6A8885A308D313198A2E03707344]

    def update(self, S, X):
        return [f(S[3]) ^ X[0], f(S[0]) ^ S[1], f(S[1]) ^ S[2], f(S[2]) ^ S[3]]

    def init(self, S, K, N):
        for _ in range(10):
            S = self.update(S, [K[0]])
        return S

    def keystream(self, S):
        return [S[0] ^ S[2] ^ (S[1] & S[3])]

    def finalise(self, S, K, ad_bits, msg_bits):
        S = self.update(S, [S[2] ^ ad_bits << 64 ^ msg_bits])
        for _ in range(10):
            S = self.update(S, [K[0]])
        return S

    def tag(self, S):
        return [S[0] ^ S[1] ^ S[2] ^ S[3]]
