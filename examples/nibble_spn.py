"""Nibble: a streaming AEAD of four 64-bit words whose round is a 4-bit SPN. A study, not analysed.

A word is 16 nibbles, as the state of PRINCE and MIDORI. [MIDORI]
"""

from roundworks.reference import CellPermutation, Matrix, Sbox, StreamAead, unit

SB0 = Sbox("MIDORI Sb0", (12, 10, 13, 3, 14, 11, 15, 7, 8, 9, 1, 5, 0, 2, 4, 6))
MIX = Matrix("MIDORI", ((0, 1, 1, 1), (1, 0, 1, 1), (1, 1, 0, 1), (1, 1, 1, 0)), 4)
SHUFFLE = CellPermutation("shuffle", (0, 7, 14, 9, 5, 2, 11, 12, 15, 8, 1, 6, 10, 13, 4, 3), 4)


@unit("F")
def f(x):
    return x.sub(SB0).permute(SHUFFLE).mix(MIX).sub(SB0)


class Nibble(StreamAead):
    name = "nibble"
    key_bytes, nonce_bytes, tag_bytes = 16, 8, 8
    words, rate_words, word_bits = 4, 1, 64

    def load(self, K, N):
        return [N[0], K[0], K[1], 0x243F6A8885A308D3]

    def update(self, S, X):
        return [f(S[3]) ^ X[0], f(S[0]) ^ S[2], S[1], f(S[2]) ^ S[1]]

    def init(self, S, K, N):
        for _ in range(12):
            S = self.update(S, [K[0]])
        return [S[0], S[1], S[2] ^ K[1], S[3]]

    def keystream(self, S):
        return [f(S[0] ^ S[2]) ^ S[1]]

    def finalise(self, S, K, ad_bits, msg_bits):
        S = self.update(S, [ad_bits])
        S = self.update(S, [msg_bits])
        for _ in range(12):
            S = self.update(S, [K[1]])
        return S

    def tag(self, S):
        return [S[0] ^ S[1] ^ S[2] ^ S[3]]
