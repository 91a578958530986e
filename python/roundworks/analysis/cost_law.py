"""A lower bound on the cost of a round structure S'[i] = F(S[i-1]) ^ (X_j | S[pi(i)]).

If every internal collision of a structure of ``s`` words and ``m`` inputs has at least ``d`` active F,
then ``s >= V(d) (3m - s)``, where V(d) is 2^r - 1 for d = 2r and 3 * 2^(r-1) - 1 for d = 2r + 1. So
it applies F at least 3 V / (V + 1) times for each block that it absorbs: 45/16 times for d = 8. The
proof is in docs/reference/structures.md. It is a Moore bound: an active word that only one XOR
sees has a tree of others around it, and no two of these trees may meet.
"""

from __future__ import annotations

from fractions import Fraction


def tree(active: int) -> int:
    """V(d), the words that a word with one use needs around it; a word shared by two counts half.

    >>> [tree(d) for d in (2, 3, 8, 9, 10)]
    [1, 2, 15, 23, 31]
    """
    half = active // 2
    return (3 << half) // 2 - 1 if active % 2 else (1 << half) - 1


def permits(words: int, inputs: int, active: int) -> bool:
    """Whether the law leaves open that a structure of this class reaches ``active`` active F.

    False is a proof that none does; True says nothing.

    >>> permits(14, 5, 8), permits(16, 6, 8), permits(17, 6, 8)
    (False, False, True)
    """
    return active < 2 or words >= tree(active) * (3 * inputs - words)


def fewest_f(active: int) -> Fraction:
    """F for each absorbed block, at the minimum, of any structure with this many active F.

    >>> fewest_f(8), fewest_f(10)
    (Fraction(45, 16), Fraction(93, 32))
    """
    volume = tree(active)
    return Fraction(3 * volume, volume + 1)
