"""Bits as canonical forms, which the native module keeps: sums over GF(2) of symbols, each of which stands for one
function of the inputs. A bit is a number, and 0 and 1 are the constants; so ``bit ^ 1`` is its negation, and any
other sum is `Symbols.xor`."""

from __future__ import annotations

from typing import TypeAlias

from .._native import LinearMap as LinearMap
from .._native import PublicBits as PublicBits
from .._native import Symbols as Symbols

Bit: TypeAlias = int
Bits: TypeAlias = list[int]
"""Bits, the least significant first."""
