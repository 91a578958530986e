"""Queries for CryptoSMT [CRYPTOSMT], by its command line; its checkout names the solver STP in `config.py`."""

from __future__ import annotations

import re
from collections.abc import Sequence

from . import Query

_STP = "STP"
# Our name and view -> their name and the bits of a word, or of the block.
_CIPHERS = {
    ("ascon-p", "differential"): ("ascon", 64),
    ("gift-64", "differential"): ("gift", 64),
    ("present", "differential"): ("present", 64),
    ("simon-32-64", "differential"): ("simon", 16),
    ("simon-32-64", "linear"): ("simonlinear", 16),
    ("speck-32-64", "differential"): ("speck", 16),
}

PRINTED = re.compile(r"Weight: (\d+)")

QUERIES = (
    Query("ascon-p", "trail", 2, _STP),
    Query("gift-64", "trail", 3, _STP),
    Query("present", "trail", 3, _STP),
    Query("simon-32-64", "trail", 8, _STP),
    Query("simon-32-64", "trail", 9, _STP),
    Query("simon-32-64", "trail", 8, _STP, "linear"),
    Query("speck-32-64", "trail", 6, _STP),
    Query("speck-32-64", "trail", 7, _STP),
)


def command(query: Query, python: str) -> Sequence[str]:
    """Its process's arguments, to be run in a checkout: the minimum is sought from weight 0 on."""
    name, bits = _CIPHERS[query.cipher, query.view]
    return [python, "cryptosmt.py", "--cipher", name, "--wordsize", str(bits), "--rounds", str(query.rounds)]
