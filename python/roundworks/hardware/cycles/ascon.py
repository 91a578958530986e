"""Cycles of the Ascon cores. [ASCON, section 2] [SP800-232, section 4]"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from .aead import AeadCycles

ROUNDS, BLOCK_ROUNDS = 12, 8


@dataclass(frozen=True, slots=True)
class AsconCycles(AeadCycles):
    """An update is eight rounds; the last block of a message, full never, begins the finalisation.

    So a message has an update for every full block. Associated data, if there are any, have one for
    each block and for the padding, which wants a block of its own behind a full one.
    """

    def updates(self, ad_bytes: int, msg_bytes: int) -> int:
        """Permutation calls between initialisation and finalisation, for sizes in bytes."""
        ad = ad_bytes // self.rate_bytes + 1 if ad_bytes else 0
        return ad + msg_bytes // self.rate_bytes


def _ascon(member: str, per_cycle: int) -> AsconCycles:
    """One cycle to load the state, twelve rounds at either end, one cycle for the response."""
    ends = 2 * -(-ROUNDS // per_cycle)
    return AsconCycles(member, 16, 0, BLOCK_ROUNDS // per_cycle, ends + 2)


# By the name that rtl/cores.toml gives under `cycles`: member and rounds per cycle.
FORMULAS: Mapping[str, AeadCycles] = {
    **{f"ascon.128a-{n}": _ascon("ascon-128a", n) for n in (1, 2, 4, 8)},
    **{f"ascon.aead128-{n}": _ascon("ascon-aead128", n) for n in (1, 8)},
}
