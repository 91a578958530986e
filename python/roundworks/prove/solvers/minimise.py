"""Few and short clauses for a table of allowed values."""

from __future__ import annotations

from functools import lru_cache

# Espresso takes 4 s at 14 variables and more than a minute at 16 (the differences of an 8-bit S-box);
# a cover by primes alone takes 3 s there and has a tenth more clauses (AES: 9140 to 8237).
ESPRESSO_VARIABLES = 14

# Values of the variables, 0 or 1, or 2 for either.
Cube = tuple[int, ...]


@lru_cache(maxsize=256)
def minimised(n: int, allowed: frozenset[int]) -> tuple[tuple[int, ...], ...]:
    """Clauses over positions 1..n that hold exactly at the allowed values, bit i being position i + 1.

    A cube of forbidden values, negated, is a clause: wanted are few large cubes that cover them.
    """
    forbidden = [value for value in range(1 << n) if value not in allowed]
    if not forbidden:
        return ()
    if not allowed:
        return ((),)
    cubes = _espresso(n, forbidden) if n <= ESPRESSO_VARIABLES else primes(n, forbidden)
    return tuple(
        sorted(
            tuple(-(i + 1) if part else i + 1 for i, part in enumerate(cube) if part != 2) for cube in cubes
        )
    )


def _espresso(n: int, forbidden: list[int]) -> list[Cube]:
    from pyeda.boolalg.espresso import FTYPE, espresso

    # Positional notation: 1 for 0, 2 for 1, 3 for either.
    cover = {(tuple(1 + (value >> i & 1) for i in range(n)), (1,)) for value in forbidden}
    return [tuple(part - 1 for part in cube) for cube, _ in espresso(n, 1, cover, intype=FTYPE)]


def primes(n: int, forbidden: list[int]) -> list[Cube]:
    """Each value not yet covered grows to a prime, greedily; then those not needed are dropped."""
    import numpy as np  # a tenth of a second, which `--help` need not wait for

    inside = np.zeros(1 << n, bool)
    inside[forbidden] = True
    covered = np.zeros(1 << n, np.int32)
    grown: list[tuple[int, set[int], np.ndarray[tuple[int], np.dtype[np.int64]]]] = []
    for value in forbidden:
        if covered[value]:
            continue
        points, free = np.array([value]), set[int]()
        while True:
            flips = {i: points ^ (1 << i) for i in range(n) if i not in free}
            gains = {
                i: np.count_nonzero(covered[more] == 0) for i, more in flips.items() if inside[more].all()
            }
            if not gains:
                break
            best = max(gains, key=lambda i: gains[i])
            points = np.concatenate([points, flips[best]])
            free.add(best)
        covered[points] += 1
        grown.append((value, free, points))
    cubes = []
    for value, free, points in sorted(grown, key=lambda cube: len(cube[1])):
        if (covered[points] > 1).all():
            covered[points] -= 1
        else:
            cubes.append(tuple(2 if i in free else value >> i & 1 for i in range(n)))
    return cubes
