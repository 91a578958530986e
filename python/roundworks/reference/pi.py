"""Digits of pi, from which Areion and Haraka take their constants."""

from __future__ import annotations

from functools import cache

_GUARD = 64  # bits or digits beyond those wanted; each term of the series is cut


@cache
def fraction(scale: int) -> int:
    """floor((pi - 3) * scale), by Machin: pi = 16 arctan(1/5) - 4 arctan(1/239)."""
    wide = scale << _GUARD
    pi = 16 * _arctan_inverse(5, wide) - 4 * _arctan_inverse(239, wide)
    return (pi >> _GUARD) - 3 * scale


def _arctan_inverse(x: int, scale: int) -> int:
    """arctan(1 / x) * scale."""
    power = scale // x
    total, n = power, 1
    while power:
        power = -(power // (x * x)) if power > 0 else (-power) // (x * x)
        n += 2
        total += power // n
    return total


def words(count: int, bits: int) -> list[int]:
    """The first ``count`` words of the binary fraction 0.14159..., most significant bit first."""
    whole = fraction(1 << count * bits)
    mask = (1 << bits) - 1
    return [whole >> (count - 1 - i) * bits & mask for i in range(count)]


def parities(count: int) -> list[int]:
    """The first ``count`` decimals after the point, modulo 2."""
    rest, digits = fraction(10**count), []
    for _ in range(count):
        rest, digit = divmod(rest, 10)
        digits.append(digit & 1)
    return digits[::-1]
