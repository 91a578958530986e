"""AES sponge: an AEAD over a permutation of four AES words. A study, not analysed.

Two words of the four take a block, 256 bits are never seen. A round of the permutation is two AES rounds on
half of the words, added to the other half, as in Simpira.
"""

from roundworks.reference import Permutation, Sponge, unit
from roundworks.reference.aes import aes

C = 0x243F6A8885A308D313198A2E03707344


@unit("F")
def f(x):
    return aes(aes(x) ^ C)


class Halves(Permutation):
    name, words, word_bits, rounds = "halves", 4, 128, 15

    def round(self, S, i):
        a, b, c, d = S
        return [b ^ f(a ^ (i + 1)), c, d ^ f(c), a]


class AesSponge(Sponge):
    name = "aes-sponge"
    key_bytes, nonce_bytes, tag_bytes = 16, 16, 16
    permutation, rate, rounds = Halves(), 256, 8

    def load(self, K, N):
        return [N[0], K[0], 0x526F756E64776F726B73, 0]

    def init(self, S, K, N):
        S = super().init(S, K, N)
        return [*S[:3], S[3] ^ K[0]]

    def finalise(self, S, K, ad_bits, msg_bits):
        S = super().finalise([*S[:2], S[2] ^ K[0], S[3]], K, ad_bits, msg_bits)
        return [S[0] ^ K[0], *S[1:]]
