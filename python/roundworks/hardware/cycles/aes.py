"""Cycles of the AES cores: from the edge that takes a request to the edge that takes its response,
the first not counted, the last counted, a response taken as soon as it is there."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class BlockCycles:
    """``latency``: of one block. ``interval``: from one block to the next, requests waiting.

    ``repeated``: of the rounds between the first key and the last round, in which one block is
    alone; 0 where many are under way at once.
    """

    latency: int
    interval: int
    repeated: int = 0


def rounds(key_bits: int) -> int:
    """The number of rounds for a key of ``key_bits`` bits. [FIPS197, section 5]"""
    return key_bits // 32 + 6


def iterative(key_bits: int, decrypt: bool = False) -> BlockCycles:
    """One round per cycle; decryption first goes to the end of the key schedule."""
    n = rounds(key_bits)
    walk = n + 1 - key_bits // 128 if decrypt else 0
    return BlockCycles(walk + n + 1, walk + n + 1, n - 1)


def stepped(key_bits: int, decrypt: bool = False) -> BlockCycles:
    """Four steps of two cycles per round; the last round has three."""
    n = rounds(key_bits)
    return BlockCycles(8 * (n - 1) + 6 + 1, 8 * (n - 1) + 6 + 1, 8 * (n - 1))


def unrolled(key_bits: int, decrypt: bool = False) -> BlockCycles:
    """A register in front of the cipher, and one behind."""
    return BlockCycles(2, 1)


def pipelined(key_bits: int, decrypt: bool = False) -> BlockCycles:
    """A register after the first key and after every round."""
    return BlockCycles(rounds(key_bits) + 1, 1)


# By the name that rtl/cores.toml gives under `cycles`.
FORMULAS: Mapping[str, Callable[[int, bool], BlockCycles]] = {
    "aes.iterative": iterative,
    "aes.stepped": stepped,
    "aes.unrolled": unrolled,
    "aes.pipelined": pipelined,
}


def total(cycles: BlockCycles, blocks: int) -> int:
    """From the first request to the last response, requests waiting, no stalls."""
    return cycles.latency + (blocks - 1) * cycles.interval if blocks else 0
