"""Linear algebra over GF(2). A vector is an integer, and a sum an XOR."""

from __future__ import annotations

from collections.abc import Iterable, Sequence


def extend(basis: dict[int, int], vector: int) -> bool:
    """Add a vector to a basis, which has each of its vectors by the length in bits; False where it is
    a sum of those already."""
    while vector:
        length = vector.bit_length()
        if length not in basis:
            basis[length] = vector
            return True
        vector ^= basis[length]
    return False


def rank(vectors: Iterable[int]) -> int:
    """The dimension of what they span."""
    basis: dict[int, int] = {}
    return sum(extend(basis, vector) for vector in vectors)


def reduced(vector: int, pivots: dict[int, int]) -> int:
    """The vector without the bits of the pivots, as `eliminated` gives them."""
    for top, pivot in pivots.items():
        if vector >> top & 1:
            vector ^= pivot
    return vector


def eliminated(vectors: Iterable[int], part: int = -1) -> tuple[dict[int, int], list[int]]:
    """Sums of the vectors by their highest bit within ``part``, a bit that no other of these has; and
    what is left of the vectors that give no further one, which have no bit in the part."""
    pivots: dict[int, int] = {}
    left = []
    for vector in vectors:
        vector = reduced(vector, pivots)
        if inside := vector & part:
            top = inside.bit_length() - 1
            pivots = {t: p ^ vector if p >> top & 1 else p for t, p in pivots.items()}
            pivots[top] = vector
        else:
            left.append(vector)
    return pivots, left


def kernel(vectors: Sequence[int]) -> list[int]:
    """A basis of the sums of vectors that vanish; bit i stands for vector i."""
    count = len(vectors)
    _, left = eliminated((v << count | 1 << i for i, v in enumerate(vectors)), -1 << count)
    return left


def inverse(columns: Sequence[int]) -> list[int] | None:
    """The columns of the inverse of a square matrix, bit i of a column in row i; None if it has none."""
    count = len(columns)
    pivots, left = eliminated((c << count | 1 << i for i, c in enumerate(columns)), -1 << count)
    return None if left else [pivots[count + i] & (1 << count) - 1 for i in range(count)]
