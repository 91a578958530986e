"""Cycles of the AEAD cores, for a message without stalls.

They are counted from the cycle in which the request is first offered to an idle core to the one in
which the response is taken, both included; of a core that interleaves messages, from one slot of the
message to a later slot of the same message.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from ...errors import unknown
from ..cores import Core

# Suffix of a core or of a formula with aead_rav_buffer.
RAV = "-rav"


@dataclass(frozen=True, slots=True)
class AeadCycles:
    """``update`` cycles per update and ``extra`` per message; ``interleaved`` messages share the core.

    ``rav``: with aead_rav_buffer, which releases a decrypted message after its last block. ``padded``:
    data that is empty, or whose last block is full, is followed by a block of padding.
    """

    cipher: str
    rate_bytes: int
    fixed_updates: int
    update: int
    extra: int
    interleaved: int = 1
    rav: bool = False
    padded: bool = False

    def updates(self, ad_bytes: int, msg_bytes: int) -> int:
        """Initialisation, blocks of associated data, blocks of message, finalisation."""
        return self.fixed_updates + self._blocks(ad_bytes) + self._blocks(msg_bytes)

    def _blocks(self, size: int) -> int:
        return size // self.rate_bytes + 1 if self.padded else -(-size // self.rate_bytes)

    def cycles(self, ad_bytes: int, msg_bytes: int, decrypt: bool = False) -> int:
        """Cycles from request to tag, for sizes in bytes."""
        return self.interleaved * (self.own_cycles(ad_bytes, msg_bytes, decrypt) - 1) + 1

    def own_cycles(self, ad_bytes: int, msg_bytes: int, decrypt: bool = False) -> int:
        """Those of them that are not of other messages."""
        own = self._alone(ad_bytes, msg_bytes)
        return own + 1 - (-msg_bytes // self.rate_bytes) if self.rav and decrypt else own

    def _alone(self, ad_bytes: int, msg_bytes: int) -> int:
        """In slots of the message, without the buffer."""
        return self.update * self.updates(ad_bytes, msg_bytes) + self.extra

    def back_to_back(self, ad_bytes: int, msg_bytes: int, decrypt: bool = False) -> int:
        """From response to response when the next request waits: it is loaded in the same cycle."""
        return self.cycles(ad_bytes, msg_bytes, decrypt) - 1

    def per_byte(self, msg_bytes: int) -> float:
        """Cycles per byte of one message without associated data."""
        return self.cycles(0, msg_bytes) / msg_bytes

    @property
    def bits_per_cycle(self) -> float:
        """Of long messages, all that are interleaved together."""
        return 8 * self.rate_bytes / self.update


@dataclass(frozen=True, slots=True)
class SteppedCycles(AeadCycles):
    """Of a generated core: ``ad``, ``update`` and ``last`` cycles for a block of associated data, of the
    message, and for the last of these. ``ad_pad`` and ``message_pad``: 0, no block of padding alone;
    1, a part that is empty or whose last block is full has one; 2, only the latter. With ``rav``, a
    release-after-verification buffer stands behind it."""

    ad: int = 1
    last: int = 1
    ad_pad: int = 0
    message_pad: int = 0

    def _alone(self, ad_bytes: int, msg_bytes: int) -> int:
        ad, message = self._count(ad_bytes, self.ad_pad), self._count(msg_bytes, self.message_pad)
        own = self.fixed_updates + self.extra + self.ad * ad
        return own + (self.update * (message - 1) + self.last if message else 0)

    def _count(self, size: int, pad: int) -> int:
        padded = pad == 1 or (pad == 2 and size > 0)
        return size // self.rate_bytes + 1 if padded else -(-size // self.rate_bytes)


def of(core: Core) -> AeadCycles:
    """The formula of an AEAD core: the one its entry names, or the one of its steps."""
    if not core.steps:
        return formula(core.cycles)
    steps = core.steps
    return SteppedCycles(
        core.description,
        steps["rate_bytes"],
        steps["init"] + steps["final"],
        steps["message"],
        2,
        rav=bool(steps.get("rav")),
        ad=steps["ad"],
        last=steps["last"],
        ad_pad=steps["ad_pad"],
        message_pad=steps["message_pad"],
    )


def formula(name: str) -> AeadCycles:
    """The formula that an entry of cores.toml names under `cycles`: family, dot, core; or the one of
    the same core with aead_rav_buffer behind it."""
    from . import aegis, aether, ascon, gcm, rocca

    if name.endswith(RAV):
        return replace(formula(name.removesuffix(RAV)), rav=True)
    known = {**aegis.FORMULAS, **aether.FORMULAS, **ascon.FORMULAS, **gcm.FORMULAS, **rocca.FORMULAS}
    if name not in known:
        raise unknown("cycles", name, known)
    return known[name]
