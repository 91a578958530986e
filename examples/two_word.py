"""A permutation of two words, to show the form: Areion-256 without its constants. [AREION]"""

from roundworks.reference import Permutation
from roundworks.reference.aes import aes_last_round, aes_round


class TwoWord(Permutation):
    name, words, rounds = "two-word", 2, 10

    def round(self, S, i):
        x0, x1 = S
        return [aes_round(aes_round(x0, 0), x1), aes_last_round(x0, 0)]
