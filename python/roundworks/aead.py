"""Authenticated encryption: a class for each cipher, and the classes by name.

    from roundworks import aead
    key = aead.Aegis128L.generate_key()
    cipher = aead.get("aegis-128l")(key)
    sealed = cipher.encrypt(nonce, b"data", b"associated data")

Everywhere the order is nonce, data, associated data. A nonce must never serve twice under one key.
`Aead`, the base of all, documents the methods. `Mac` authenticates without encrypting.
numpy is used for arrays alone.
"""

from __future__ import annotations

from ._native import Aead, Decryptor, Encryptor, Mac, cipher_names, mac_names
from .errors import BackendUnavailable, InvalidTag, ResearchOnlyWarning, UnknownName, unknown

__all__ = [
    "Aead",
    "Aegis128",
    "Aegis128L",
    "Aegis128X2",
    "Aegis128X4",
    "Aegis256",
    "Aegis256X2",
    "Aegis256X4",
    "Aes128Gcm",
    "Aes256Gcm",
    "Aether",
    "AetherLb",
    "Areion256Opp",
    "Areion512Opp",
    "Ascon128a",
    "AsconAead128",
    "BackendUnavailable",
    "Decryptor",
    "Encryptor",
    "InvalidTag",
    "Mac",
    "Minalpher",
    "ResearchOnlyWarning",
    "RoccaS",
    "UnknownName",
    "get",
    "mac_names",
    "names",
]


class Aether(Aead, name="aether"):
    """AETHER as published, [AETHER, section 2]. For study only: it is forgeable.

    Lengths are bound nowhere, and associated data and message enter the state in the same way.
    After one query for ``A, M1 || M2`` whose block ``M1`` ends in ``80 00..00``, the ciphertext
    ``C2`` with associated data ``pad(A) || M1`` (without its padding) and the same tag verifies,
    always, without the key. Truncation gives more.
    """

    __slots__ = ()


class AetherLb(Aead, name="aether-lb"):
    """AETHER with lengths bound: our variant of `Aether`, for study.

    One extra round before the finalisation absorbs both lengths, which closes the known forgeries.
    It is not the designers' cipher and nobody else has analysed it.
    """

    __slots__ = ()


class Aegis128(Aead, name="aegis-128"):
    """AEGIS-128, CAESAR submission v1.1, [AEGIS, section 3]: key, nonce and tag of 16 bytes."""

    __slots__ = ()


class Aegis128L(Aead, name="aegis-128l"):
    """AEGIS-128L, [AEGIS-RFC]: key and nonce of 16 bytes, tag of 16 or 32."""

    __slots__ = ()


class Aegis128X2(Aead, name="aegis-128x2"):
    """AEGIS-128X2, [AEGIS-RFC]: two lanes of `Aegis128L`, for long messages."""

    __slots__ = ()


class Aegis128X4(Aead, name="aegis-128x4"):
    """AEGIS-128X4, [AEGIS-RFC]: four lanes of `Aegis128L`, for long messages."""

    __slots__ = ()


class Aegis256(Aead, name="aegis-256"):
    """AEGIS-256, [AEGIS-RFC]: key and nonce of 32 bytes, tag of 16 or 32."""

    __slots__ = ()


class Aegis256X2(Aead, name="aegis-256x2"):
    """AEGIS-256X2, [AEGIS-RFC]: two lanes of `Aegis256`, for long messages."""

    __slots__ = ()


class Aegis256X4(Aead, name="aegis-256x4"):
    """AEGIS-256X4, [AEGIS-RFC]: four lanes of `Aegis256`, for long messages."""

    __slots__ = ()


class Areion256Opp(Aead, name="areion-256-opp"):
    """OPP over Areion-256, [AREION-CODE]: key, nonce and tag of 16 bytes, blocks of 32."""

    __slots__ = ()


class Areion512Opp(Aead, name="areion-512-opp"):
    """OPP over Areion-512, [AREION-CODE]: key, nonce and tag of 16 bytes, blocks of 64."""

    __slots__ = ()


class Minalpher(Aead, name="minalpher"):
    """Minalpher v1.1, [MINALPHER]: key of 16 bytes, nonce of 13, tag of 16.

    Messages are padded to blocks of 32 bytes, so sealed ones are 17 to 48 bytes longer.
    """

    __slots__ = ()


class RoccaS(Aead, name="rocca-s"):
    """Rocca-S, [ROCCA-S]: key of 32 bytes, nonce of 16, tag of 32."""

    __slots__ = ()


class Aes128Gcm(Aead, name="aes-128-gcm"):
    """AES-128-GCM, [GCM]: key and tag of 16 bytes, nonce of 12. Not ours: AWS-LC."""

    __slots__ = ()


class Aes256Gcm(Aead, name="aes-256-gcm"):
    """AES-256-GCM, [GCM]: key of 32 bytes, nonce of 12, tag of 16. Not ours: AWS-LC."""

    __slots__ = ()


class Ascon128a(Aead, name="ascon-128a"):
    """Ascon-128a v1.2, [ASCON]: key, nonce and tag of 16 bytes. Not ours: ascon-aead 0.4."""

    __slots__ = ()


class AsconAead128(Aead, name="ascon-aead128"):
    """Ascon-AEAD128, [SP800-232]: key, nonce and tag of 16 bytes. Not ours: ascon-aead 0.6."""

    __slots__ = ()


# Not those of a GPU.
_BY_NAME = {of.NAME: of for of in Aead.__subclasses__() if of.__module__ == __name__}
_CLASSES: dict[str, type[Aead]] = {n: _BY_NAME[n] for n in cipher_names() if n in _BY_NAME}


def names() -> list[str]:
    """Names that `get` knows, as in ``spec/``."""
    return list(_CLASSES)


def get(name: str) -> type[Aead]:
    """The class of the cipher called ``name``.

    Raises
    ------
    TypeError
        ``name: want str, got int``
    UnknownName
        ``AEAD 'aes': not known; did you mean aes-128-gcm, aes-256-gcm? (...)``
    """
    if not isinstance(name, str):
        raise TypeError(f"name: want str, got {type(name).__name__}")
    try:
        return _CLASSES[name]
    except KeyError:
        raise unknown("AEAD", name, _CLASSES) from None
