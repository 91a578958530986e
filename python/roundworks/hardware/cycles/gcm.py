"""Cycles of the AES-256-GCM cores. [GCM, section 7]"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from .aead import AeadCycles

# Of AES-256, and of a multiplication by ten coefficients per cycle.
ROUNDS, STEPS = 14, 13


@dataclass(frozen=True, slots=True)
class IterativeCycles(AeadCycles):
    """One round of the cipher per cycle and, in parallel, one step of GHASH per cycle."""

    def _alone(self, ad_bytes: int, msg_bytes: int) -> int:
        ad, msg = self._blocks(ad_bytes), self._blocks(msg_bytes)
        # One cycle to load, H; then associated data, as the first block of the keystream is made.
        hashed = 1 + ROUNDS + STEPS * ad
        if not msg:
            # The lengths are taken, and multiplied as the mask of the tag is made; the response.
            return hashed + 1 + STEPS + 1
        first = max(1 + 2 * ROUNDS, hashed + 1)
        # The last block and the lengths are multiplied.
        return first + ROUNDS * (msg - 1) + 2 * STEPS + 1


# By the name that rtl/cores.toml gives under `cycles`.
FORMULAS: Mapping[str, AeadCycles] = {
    "gcm.iterative": IterativeCycles("aes-256-gcm", 16, 0, ROUNDS, 0),
    # H and the mask of the tag in 16 clocks, the lengths, two clocks in which the sums are added; a
    # clock to load and one for the response.
    "gcm.pipelined": AeadCycles("aes-256-gcm", 16, 16 + 1 + 2, 1, 2),
}
