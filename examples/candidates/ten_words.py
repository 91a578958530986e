"""Ten words, three blocks a round, and no F outside the round: a study cipher, to be compared with AETHER.

The round is of the form S'[i] = F(S[i-1]) ^ (X | S[pi(i)]) of [AETHER, section 3.2] and has 11 active F in every
internal collision, where AETHER has 8. The keystream adds words that the round has computed anyway, so ten F
are applied for 48 bytes, where AETHER applies twelve. F is AETHER's with the output bits of its S-box
rotated. Designed by a search, and analysed by nobody else: it protects nothing.
"""

from functools import reduce
from operator import xor

from roundworks.reference import Sbox, StreamAead, unit
from roundworks.reference.aether import M_B, PERMUTATION, Z0, Z1, Z2
from roundworks.reference.aether import SBOX as ORTHROS

# The output bits of the S-box of Orthros move down by one, and the lowest becomes the highest.
SBOX = Sbox("Orthros, rotated", tuple((y >> 1 | y << 3) & 15 for y in ORTHROS.table))


@unit("F")
def f(x):
    return x.sub(SBOX).mix(M_B).sub(SBOX).permute(PERMUTATION)


class TenWords(StreamAead):
    name = "ten-words"
    key_bytes, nonce_bytes, tag_bytes = 32, 16, 16
    words, rate_words = 10, 3
    warning = "a study of round structures, which nobody else has analysed: it protects nothing"

    def load(self, K, N):
        return [Z1, K[0], N[0] ^ K[0], 0, Z0, 0, N[0], K[1], Z2, K[0] ^ K[1]]

    def update(self, S, X):
        F = [f(s) for s in S]
        return [
            F[9] ^ X[0],
            F[0] ^ S[6],
            F[1] ^ S[0],
            F[2] ^ S[9],
            F[3] ^ X[1],
            F[4] ^ S[5],
            F[5] ^ S[3],
            F[6] ^ X[2],
            F[7] ^ S[2],
            F[8] ^ S[4],
        ]

    def keystream(self, S):
        return [f(S[0]) ^ f(S[3]) ^ S[2], f(S[1]) ^ f(S[6]) ^ S[8], f(S[2]) ^ f(S[4]) ^ S[1]]

    def init(self, S, K, N):
        for _ in range(20):
            S = self.update(S, [Z0, Z1, Z2])
        return [s ^ K[i % 2] for i, s in enumerate(S)]

    def finalise(self, S, K, ad_bits, msg_bits):
        S = self.update(S, [ad_bits, msg_bits, Z1])
        S = [s ^ K[i % 2] for i, s in enumerate(S)]
        for _ in range(20):
            S = self.update(S, [K[0], Z0, K[1]])
        return [s ^ K[1 - i % 2] for i, s in enumerate(S)]

    def tag(self, S):
        return [reduce(xor, S)]
