"""Toy: a streaming AEAD of four 32-bit words, to show the form. Not secure, on purpose.

Four nibble S-boxes in a row would be too weak even for a toy, so F is S-box, matrix, S-box, as in
AETHER. Its lengths are not bound: run `roundworks audit --file examples/toy.py`.
"""

from roundworks.reference import CellPermutation, Matrix, Sbox, StreamAead, unit

PRESENT = Sbox("PRESENT", (12, 5, 6, 11, 9, 0, 10, 13, 3, 14, 15, 8, 4, 7, 1, 2))
MIDORI = Matrix("Midori", ((0, 1, 1, 1), (1, 0, 1, 1), (1, 1, 0, 1), (1, 1, 1, 0)), 4)
SPREAD = CellPermutation("spread", (0, 4, 1, 5, 2, 6, 3, 7), 4)


@unit("F")
def f(x):
    return x.sub(PRESENT).mix(MIDORI).permute(SPREAD).sub(PRESENT)


class Toy(StreamAead):
    name = "toy"
    key_bytes, nonce_bytes, tag_bytes = 8, 4, 4
    words, rate_words, word_bits = 4, 1, 32

    def load(self, K, N):
        return [N[0], K[0], K[1], 0x243F6A88]

    def update(self, S, X):
        return [f(S[3]) ^ X[0], f(S[0]) ^ S[2], f(S[1]) ^ S[0], f(S[2]) ^ S[1]]

    def init(self, S, K, N):
        for _ in range(12):
            S = self.update(S, [K[0]])
        return S

    def keystream(self, S):
        return [f(S[0] ^ S[1]) ^ S[2]]

    def finalise(self, S, K, ad_bits, msg_bits):
        for _ in range(12):
            S = self.update(S, [K[1]])
        return S

    def tag(self, S):
        return [S[0] ^ S[1] ^ S[2] ^ S[3]]
