"""A tweakable block cipher of addition, rotation and XOR, to show the form. A study, not analysed."""

from roundworks.reference import BlockCipher


class ArxBlock(BlockCipher):
    """Two words of 16 bits, a key of four and a tweak of one."""

    name, words, word_bits, rounds = "arx-block", 2, 16, 20
    key_words, tweak_words = 4, 1

    def schedule(self, K):
        *k, t = K
        for i in range(self.rounds):
            yield k[i % 4] ^ i if i % 2 else k[i % 4] ^ t.rotl(i)
            k[i % 4] = k[i % 4].rotr(3) + k[(i + 1) % 4]

    def encrypt(self, S, subkeys):
        x, y = S
        for k in subkeys:
            x = (x.rotr(7) + y) ^ k
            y = y.rotl(2) ^ x
        return [x, y]
