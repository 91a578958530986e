"""Blocks that leave no trace in the state, and tampering with everything that travels."""

from __future__ import annotations

import random
from collections.abc import Callable

import numpy as np

from ...reference import gf2
from ...reference.batch import U8
from ...reference.bijections import follows, loss, lossy
from .bulk import flips, row
from .findings import Finding
from .game import Forgery, Oracle, Sealed
from .subject import AuditSubject
from .transcript import xor

_PARTS = ("associated data", "ciphertext", "the tag")
_SLOW_SAMPLE = 24  # bytes changed where messages are slow


def check(subject: AuditSubject) -> list[Finding]:
    """Changes of what travels that are accepted."""
    rng = subject.rng("integrity")
    result = [] if subject.mode else _untraced(subject, rng)
    tampering = Tampering(subject, rng)
    result += tampering.findings()
    if result:
        return result
    lost = [] if subject.mode or follows(subject.round, "X") else lossy(subject.round)
    return [
        Finding.passed(
            "integrity",
            "every change was refused",
            f"{tampering.count} changed messages of {len(tampering.shapes)} pairs of lengths (each"
            " byte of associated data and ciphertext, swapped blocks, each bit of the tag, a"
            " shortened tag) were refused"
            + (
                "."
                if subject.mode
                else ", and no block difference was found that leaves every state unchanged."
                if lost
                else ", and no block difference leaves the state unchanged."
            ),
        ),
        *(
            Finding.note(
                "integrity",
                "a difference can vanish in the round",
                f"{node.line}: {loss(node)}, and the block does not follow from the states before and after"
                " it: two blocks may then lead to one state, and one in place of the other is a forgery."
                " No check tries this. Use a layer that is a bijection.",
                {"layer": loss(node), "line": node.line},
            )
            for node in lost
        ),
    ]


class Tampering:
    """Single changes of sealed messages, over lengths around every boundary of a block."""

    def __init__(self, subject: AuditSubject, rng: random.Random) -> None:
        r = subject.rate
        self.subject, self.rng = subject, rng
        self.count = 0
        self.shapes = sorted(
            {(0, 0), (1, 1), (r - 1, r + 1), (r, r), (r, 0), (2 * r + 1, 0), (0, 2 * r + 1), (0, r)}
        )

    def findings(self) -> list[Finding]:
        """The first forgery of each part that was changed."""
        notes: dict[str, Finding] = {}
        for ad_bytes, data_bytes in self.shapes:
            oracle = self.subject.oracle(self.rng)
            query = oracle.encrypt(self.rng.randbytes(ad_bytes), self.rng.randbytes(data_bytes))
            for what, forgery in self._attacks(oracle, query):
                if forgery is not None and what not in notes:
                    notes[what] = Finding.forged(
                        "integrity",
                        f"a change of {what} is accepted",
                        f"The tag does not depend on {what}: a message that was changed there"
                        " still opens. Absorb every byte into words that the tag sees, and compare"
                        " the whole tag. The key in the proof was not used by the attack.",
                        forgery.proof(oracle.key),
                    )
        return [notes[what] for what in _PARTS if what in notes]

    def _attacks(self, oracle: Oracle, query: Sealed) -> list[tuple[str, Forgery | None]]:
        ads, ciphertexts = self._changed(query.ad), self._changed(query.ciphertext)
        out = [
            (_PARTS[0], self._first(oracle, query, ads, [query.ciphertext] * len(ads))),
            (_PARTS[1], self._first(oracle, query, [query.ad] * len(ciphertexts), ciphertexts)),
        ]
        tags = [tag.tobytes() for tag in flips(query.tag)] + [query.tag[:-1]]
        self.count += len(tags)
        wins = (oracle.win(query, query.nonce, query.ad, query.ciphertext, tag) for tag in tags)
        out.append((_PARTS[2], next((win for win in wins if win is not None), None)))
        return out

    def _changed(self, data: bytes) -> list[bytes]:
        """Each byte changed, and neighbouring whole blocks swapped."""
        r = self.subject.rate
        places = range(len(data))
        if not self.subject.bulk.can_guess and len(data) > _SLOW_SAMPLE:
            places = range(0, len(data), -(-len(data) // _SLOW_SAMPLE))
        out = []
        for at in places:
            change = bytes([self.rng.randrange(1, 256)])
            out.append(data[:at] + xor(data[at : at + 1], change) + data[at + 1 :])
        for at in range(0, len(data) - 2 * r + 1, r):
            one, two = data[at : at + r], data[at + r : at + 2 * r]
            if one != two:
                out.append(data[:at] + two + one + data[at + 2 * r :])
        return out

    def _first(
        self, oracle: Oracle, query: Sealed, ads: list[bytes], ciphertexts: list[bytes]
    ) -> Forgery | None:
        """The first accepted one; computed as one batch, decrypted again by the description."""
        if not ads:
            return None
        self.count += len(ads)
        if self.subject.mode:
            wins = (
                oracle.win(query, query.nonce, ad, ciphertext, query.tag)
                for ad, ciphertext in zip(ads, ciphertexts, strict=True)
            )
            return next((win for win in wins if win is not None), None)
        _, tags = self.subject.bulk.open(row(oracle.key), row(query.nonce), _rows(ciphertexts), _rows(ads))
        for i in np.flatnonzero((tags == row(query.tag)).all(axis=1)):
            oracle.attempts = int(i)
            forgery = oracle.win(query, query.nonce, ads[i], ciphertexts[i], query.tag)
            if forgery is not None:
                return forgery
        return None


def _rows(parts: list[bytes]) -> U8:
    return np.frombuffer(b"".join(parts), np.uint8).reshape(len(parts), -1)


def _untraced(subject: AuditSubject, rng: random.Random) -> list[Finding]:
    """Block differences that do not reach the state, as forgeries where the game agrees."""
    results = []
    for what, step in (("absorb", subject.cipher.absorb), ("update", subject.cipher.update)):
        kernel = _kernel(subject, rng, step)
        if not kernel:
            continue
        delta = kernel[0]
        oracle = subject.oracle(rng)
        rate = subject.rate
        if what == "absorb":
            query = oracle.encrypt(rng.randbytes(2 * rate), rng.randbytes(5))
            ad = xor(query.ad, delta + bytes(rate))
            forgery = oracle.win(query, query.nonce, ad, query.ciphertext, query.tag)
        else:
            query = oracle.encrypt(rng.randbytes(5), rng.randbytes(2 * rate))
            ciphertext = xor(query.ciphertext, delta + bytes(rate))
            forgery = oracle.win(query, query.nonce, query.ad, ciphertext, query.tag)
        blocks = "associated data" if what == "absorb" else "message"
        results.append(
            Finding(
                "integrity",
                "note" if forgery is None else "forgery",
                f"{len(kernel)} of {8 * rate} bits of a block of {blocks} leave no trace in the state",
                f"{what}(S, X) and {what}(S, X ^ d) are equal for a d that is not zero, so a block"
                " can be replaced and the tag stays. Let the round inject every word of the block"
                " on its own. The key in the proof was not used by the attack.",
                {"difference": delta.hex()} | ({} if forgery is None else forgery.proof(oracle.key)),
            )
        )
    return results


def _kernel(subject: AuditSubject, rng: random.Random, step: Callable[..., list[object]]) -> list[bytes]:
    """Differences d with step(S, X) = step(S, X ^ d), found by elimination, kept if they hold.

    Elimination finds them all where a block is XORed into the state; random states decide.
    """
    rate = subject.rate
    state, block = rng.randbytes(subject.state_bytes), rng.randbytes(rate)
    blocks = np.vstack([row(block), flips(block)])
    after = subject.bulk.run(lambda S, X: step(S, X), row(state), blocks)
    # The last bit of the block first, which is bit 0 of a difference.
    changes = [int.from_bytes(change.tobytes(), "big") for change in (after[1:] ^ after[0])[::-1]]
    kernel = [difference.to_bytes(rate, "big") for difference in gf2.kernel(changes)]
    return [d for d in kernel if _holds(subject, rng, step, d)]


def _holds(
    subject: AuditSubject, rng: random.Random, step: Callable[..., list[object]], delta: bytes
) -> bool:
    states = subject.random_rows(rng, 8, subject.state_bytes)
    blocks = subject.random_rows(rng, 8, subject.rate)
    one = subject.bulk.run(lambda S, X: step(S, X), states, blocks)
    two = subject.bulk.run(lambda S, X: step(S, X), states, blocks ^ row(delta))
    return bool((one == two).all())
