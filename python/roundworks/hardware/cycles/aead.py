"""Cycles of the AEAD cores, for a message that nobody stalls.

Counted are all clocks from the one in which the request is first offered to an idle core to the one
in which the response is taken, both of them included. A core that serves several messages in turn
is counted from a message's own turn to its own turn.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from ...errors import unknown

# Behind the name of a core or of a formula: with aead_hold.
HELD = "-held"


@dataclass(frozen=True, slots=True)
class AeadCycles:
    """``update`` clocks for each update, ``around`` them ``extra``; ``turns`` messages at once.

    ``held``: aead_hold stands behind it, and a decryption gives out its blocks at the end.
    ``padded``: a part that is empty, or whose last block is full, is followed by a block of padding.
    """

    cipher: str
    rate_bytes: int
    fixed_updates: int
    update: int
    extra: int
    turns: int = 1
    held: bool = False
    padded: bool = False

    def updates(self, ad_bytes: int, msg_bytes: int) -> int:
        """Initialisation, blocks of associated data, blocks of message, finalisation."""
        return self.fixed_updates + self._blocks(ad_bytes) + self._blocks(msg_bytes)

    def _blocks(self, size: int) -> int:
        return size // self.rate_bytes + 1 if self.padded else -(-size // self.rate_bytes)

    def cycles(self, ad_bytes: int, msg_bytes: int, decrypt: bool = False) -> int:
        own = self._alone(ad_bytes, msg_bytes)
        if self.held and decrypt:
            own += 1 - (-msg_bytes // self.rate_bytes)
        return self.turns * (own - 1) + 1

    def _alone(self, ad_bytes: int, msg_bytes: int) -> int:
        """Of the core without what is behind it, in its own turns."""
        return self.update * self.updates(ad_bytes, msg_bytes) + self.extra

    def back_to_back(self, ad_bytes: int, msg_bytes: int, decrypt: bool = False) -> int:
        """From response to response when the next request waits: it is loaded in the same clock."""
        return self.cycles(ad_bytes, msg_bytes, decrypt) - 1

    def per_byte(self, msg_bytes: int) -> float:
        """Cycles per byte of one message without associated data."""
        return self.cycles(0, msg_bytes) / msg_bytes

    @property
    def bits_per_cycle(self) -> float:
        """Of long messages, all turns together."""
        return 8 * self.rate_bytes / self.update


def formula(name: str) -> AeadCycles:
    """The formula that an entry of cores.toml names under `cycles`: family, dot, core; or the one of
    the same core with aead_hold behind it."""
    from . import aegis, aether, ascon, gcm, rocca

    if name.endswith(HELD):
        return replace(formula(name.removesuffix(HELD)), held=True)
    known = {
        **aegis.FORMULAS,
        **aether.FORMULAS,
        **ascon.FORMULAS,
        **gcm.FORMULAS,
        **rocca.FORMULAS,
    }
    if name not in known:
        raise unknown("cycles", name, known)
    return known[name]
