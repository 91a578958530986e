"""What a repeated nonce gives away in a mode of blocks: keystream, or which blocks are equal."""

from __future__ import annotations

from . import ghash
from .findings import Finding
from .nonce_reuse import _other
from .subject import AuditSubject
from .transcript import xor

_BLOCKS = 6
_CHANGED = 2  # the one block that differs


def check(subject: AuditSubject) -> list[Finding]:
    """What two messages under one nonce have in common."""
    rng, r, cipher = subject.rng("nonce-reuse"), subject.rate, subject.cipher
    key, nonce, ad = (rng.randbytes(n) for n in (cipher.key_bytes, cipher.nonce_bytes, r))
    base = rng.randbytes(_BLOCKS * r)
    other = _other(base, range(_CHANGED * r, (_CHANGED + 1) * r), rng.randbytes(r))
    (one, tag), (two, other_tag) = (cipher.seal(key, nonce, m, ad) for m in (base, other))
    proof = {
        "key": key.hex(),
        "nonce": nonce.hex(),
        "ad": ad.hex(),
        "first": {"data": base.hex(), "ciphertext": one.hex(), "tag": tag.hex()},
        "second": {"data": other.hex(), "ciphertext": two.hex(), "tag": other_tag.hex()},
    }
    places = [slice(i * r, (i + 1) * r) for i in range(_BLOCKS)]
    at = places[_CHANGED]
    if xor(one[at], two[at]) == xor(base[at], other[at]):
        forged = ghash.forgery(cipher, key, nonce, ad, base)
        return [
            Finding.leak(
                "nonce-reuse",
                "a repeated nonce gives away "
                + ("the key of GHASH and " if forged else "")
                + "the keystream of the whole message",
                "Two messages under one nonce share their keystream, so a known message reads the other. "
                + (
                    "Their tags give the key of GHASH, which is the same under every nonce: whoever has it"
                    " changes any message and its tag, as the forgery shown. Never repeat a nonce."
                    if forged
                    else "Never repeat a nonce. Whether more can be had from it, such as the key of the tag,"
                    " was not looked at."
                ),
                proof
                | {"recovered_block": xor(xor(base[at], one[at]), two[at]).hex()}
                | ({"forgery under the nonce": forged} if forged else {}),
            )
        ]
    equal = [i for i, place in enumerate(places) if one[place] == two[place]]
    if equal:
        alone = len(equal) == _BLOCKS - 1
        return [
            Finding.leak(
                "nonce-reuse",
                "a repeated nonce shows which blocks are equal"
                + (" at equal places" if alone else f" before block {_CHANGED}"),
                "Two messages under one nonce have equal ciphertext blocks where their blocks are"
                " equal, and no keystream: a block that differs gives nothing away."
                + (" Every block is enciphered for itself." if alone else ""),
                proof | {"equal_blocks": equal},
            )
        ]
    return [
        Finding.passed(
            "nonce-reuse",
            "nothing in common",
            f"Two messages of {_BLOCKS} blocks under one nonce, different in block {_CHANGED}, have"
            " no block of ciphertext in common and no keystream.",
        )
    ]
