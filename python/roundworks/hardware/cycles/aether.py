"""Cycles of the AETHER cores. [AETHER, section 2]"""

from __future__ import annotations

from collections.abc import Mapping

from .aead import AeadCycles


def _aether(member: str, rounds: int = 0, padded: bool = False) -> AeadCycles:
    """Twenty rounds of initialisation, twenty of finalisation and those of the member; a cycle to
    load the state and one for the response."""
    return AeadCycles(member, 48, 20 + 20 + rounds, 1, 2, padded=padded)


# By the name that rtl/cores.toml gives under `cycles`.
FORMULAS: Mapping[str, AeadCycles] = {
    "aether.aether": _aether("aether"),
    # A round for the lengths.
    "aether.lb": _aether("aether-lb", 1),
    # Two rounds per cycle, of blocks too: ten cycles each, and one for 96 bytes of a part.
    "aether.two": AeadCycles("aether", 96, 10 + 10, 1, 2),
    # Of twenty rounds two are left for a cycle of their own.
    "aether.three": AeadCycles("aether", 144, 7 + 7, 1, 2),
    "aether.four": AeadCycles("aether", 192, 5 + 5, 1, 2),
    # Two cycles per round.
    "aether.half": AeadCycles("aether", 48, 20 + 20, 2, 2),
    "aether.always-pad": _aether("aether-always-pad", padded=True),
}
