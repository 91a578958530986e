"""The bench of an AEAD core in two shares: that of the others, which shares what goes in and sums what comes out.

Random bits are new where the interface moves; in between they stay, which changes no sum of shares.
"""

from .aead import back_to_back, lengths, published, resets, stalls, vectors, wrong

__all__ = ["back_to_back", "lengths", "published", "resets", "stalls", "vectors", "wrong"]
