"""Feistel AES: a permutation of four words of 128 bits, a Feistel network of two AES rounds. A study.

Its structure is that of Simpira for four words, its constants are the round numbers. [SIMPIRA]
"""

from roundworks.reference import Permutation, unit
from roundworks.reference.aes import aes_round


@unit("F")
def f(x):
    return aes_round(aes_round(x, 0), 0)


class FeistelAes(Permutation):
    name, words, rounds = "feistel-aes", 4, 12

    def round(self, S, i):
        a, b, c, d = S
        return [b ^ f(a ^ (2 * i + 1)), c, d ^ f(c ^ (2 * i + 2) << 64), a]
