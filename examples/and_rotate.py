"""AND-rotate: a streaming AEAD of five 64-bit words with AND, XOR and rotations only. A study.

The round has the form of MORUS: each word takes the AND of two others, and is rotated.
"""

from roundworks.reference import CellPermutation, StreamAead


def left(n):
    return CellPermutation(f"<<< {n}", tuple((i - n) % 64 for i in range(64)), 1)


ROTATIONS = tuple(left(n) for n in (5, 31, 7, 22, 13))


class AndRotate(StreamAead):
    name = "and-rotate"
    key_bytes, nonce_bytes, tag_bytes = 16, 16, 16
    words, rate_words, word_bits = 5, 1, 64

    def load(self, K, N):
        return [N[0], N[1], K[0], K[1], 0x243F6A8885A308D3]

    def update(self, S, X):
        a, b, c, d, e = S
        a = (a ^ (b & c) ^ d).permute(ROTATIONS[0])
        b = (b ^ (c & d) ^ e ^ X[0]).permute(ROTATIONS[1])
        c = (c ^ (d & e) ^ a ^ X[0]).permute(ROTATIONS[2])
        d = (d ^ (e & a) ^ b ^ X[0]).permute(ROTATIONS[3])
        e = (e ^ (a & b) ^ c ^ X[0]).permute(ROTATIONS[4])
        return [a, b, c, d, e]

    def init(self, S, K, N):
        for _ in range(16):
            S = self.update(S, [0])
        return [S[0], S[1] ^ K[0], S[2] ^ K[1], S[3], S[4]]

    def keystream(self, S):
        return [S[0] ^ S[1].permute(ROTATIONS[3]) ^ (S[2] & S[3])]

    def finalise(self, S, K, ad_bits, msg_bits):
        S = [S[0], S[1], S[2], S[3], S[4] ^ S[0]]
        S = self.update(S, [ad_bits])
        S = self.update(S, [msg_bits])
        for _ in range(10):
            S = self.update(S, [K[0]])
        return [S[0], S[1], S[2], S[3] ^ K[1], S[4]]

    def tag(self, S):
        return [S[0] ^ S[2], S[1] ^ S[3] ^ S[4]]
