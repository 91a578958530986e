"""Sponge: an AEAD in duplex mode over a permutation of four 64-bit words. A study, not analysed.

A block of 8 bytes is XORed to the first word, then the permutation runs; 192 bits are never seen.
"""

from roundworks.reference import CellPermutation, Sbox, StreamAead

SBOX = Sbox("PRESENT", (12, 5, 6, 11, 9, 0, 10, 13, 3, 14, 15, 8, 4, 7, 1, 2))
BITS = CellPermutation("PRESENT bits", tuple(16 * i % 63 if i < 63 else 63 for i in range(64)), 1)


def permute(S, rounds):
    for i in range(rounds):
        a, b, c, d = (x.sub(SBOX).permute(BITS) for x in S)
        S = [b ^ c ^ (0x9E3779B97F4A7C15 * (i + 1) % 2**64), c ^ d, d ^ a ^ b, a]
    return S


class Sponge(StreamAead):
    name = "sponge"
    key_bytes, nonce_bytes, tag_bytes = 16, 8, 16
    words, rate_words, word_bits = 4, 1, 64

    def load(self, K, N):
        return [0x526F756E64776F72, K[0], K[1], N[0]]

    def init(self, S, K, N):
        S = permute(S, 12)
        return [S[0], S[1], S[2] ^ K[0], S[3] ^ K[1]]

    def update(self, S, X):
        return permute([S[0] ^ X[0], S[1], S[2], S[3]], 6)

    def separate(self, S):
        return [S[0], S[1], S[2], S[3] ^ 1]

    def keystream(self, S):
        return [S[0]]

    def last(self, S, X):
        return [S[0] ^ X[0], S[1], S[2], S[3]]

    def finalise(self, S, K, ad_bits, msg_bits):
        S = permute([S[0], S[1] ^ K[0], S[2] ^ K[1], S[3]], 12)
        return [S[0], S[1], S[2] ^ K[0], S[3] ^ K[1]]

    def tag(self, S):
        return [S[2], S[3]]

    def padding(self, length):
        return b"\x80" + bytes(self.rate_bytes - length - 1)

    def ad_blocks(self, associated_data):
        return self.blocks(associated_data) if associated_data else []
