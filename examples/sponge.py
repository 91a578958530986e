"""Sponge: an AEAD in duplex mode over a permutation of four 64-bit words. A study, not analysed.

A block of 8 bytes is XORed to the first word, then the permutation runs; 192 bits are never seen.
"""

from roundworks.reference import CellPermutation, Permutation, Sbox, Sponge

SBOX = Sbox("PRESENT", (12, 5, 6, 11, 9, 0, 10, 13, 3, 14, 15, 8, 4, 7, 1, 2))
BITS = CellPermutation("PRESENT bits", tuple(16 * i % 63 if i < 63 else 63 for i in range(64)), 1)


class Mixed(Permutation):
    name, words, word_bits, rounds = "mixed", 4, 64, 12

    def round(self, S, i):
        a, b, c, d = (x.sub(SBOX).permute(BITS) for x in S)
        return [b ^ c ^ d ^ (0x9E3779B97F4A7C15 * (i + 1) % 2**64), a ^ c ^ d, a ^ b ^ d, a ^ b ^ c]


class PresentSponge(Sponge):
    name = "sponge"
    key_bytes, nonce_bytes, tag_bytes = 16, 8, 16
    permutation, rate, rounds = Mixed(), 64, 6

    def load(self, K, N):
        return [0x526F756E64776F72, K[0], K[1], N[0]]

    def init(self, S, K, N):
        S = super().init(S, K, N)
        return [S[0], S[1], S[2] ^ K[0], S[3] ^ K[1]]

    def finalise(self, S, K, ad_bits, msg_bits):
        S = super().finalise([S[0], S[1] ^ K[0], S[2] ^ K[1], S[3]], K, ad_bits, msg_bits)
        return [S[0], S[1], S[2] ^ K[0], S[3] ^ K[1]]

    def tag(self, S):
        return S[2:]
