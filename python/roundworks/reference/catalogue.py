"""The ciphers that exist, by name."""

from __future__ import annotations

import importlib
import re
from typing import Any

from .. import spec
from ..errors import DescriptionError, UnknownName, unknown
from . import simon, speck
from .aead import BlockAead, Rounds
from .block import BlockCipher
from .permutation import HalfRounds, Permutation
from .record import Roundwise
from .sponge_hash import SpongeHash
from .stream import StreamAead

Described = StreamAead[Any] | BlockAead[Any]
# name -> module, class. Adding a description is one line here.
_DESCRIPTIONS = {
    "aether": ("aether", "Aether"),
    "aether-lb": ("aether", "AetherLb"),
    "aether-always-pad": ("aether", "AetherAlwaysPad"),
    "aegis-128": ("aegis", "Aegis128"),
    "aegis-128l": ("aegis", "Aegis128L"),
    "aegis-128x2": ("aegis", "Aegis128X2"),
    "aegis-128x4": ("aegis", "Aegis128X4"),
    "aegis-256": ("aegis", "Aegis256"),
    "aegis-256x2": ("aegis", "Aegis256X2"),
    "aegis-256x4": ("aegis", "Aegis256X4"),
    "rocca-s": ("rocca", "RoccaS"),
    "rocca": ("rocca", "Rocca"),
    "minalpher": ("minalpher", "Minalpher"),
    "areion-256-opp": ("areion_opp", "Areion256Opp"),
    "areion-512-opp": ("areion_opp", "Areion512Opp"),
    "aes-128-gcm": ("gcm", "Aes128Gcm"),
    "aes-256-gcm": ("gcm", "Aes256Gcm"),
    "ascon-128a": ("ascon", "Ascon128a"),
    "ascon-aead128": ("ascon", "AsconAead128"),
}
_PERMUTATIONS = {
    "simpira-2": ("simpira", "Simpira2"),
    "simpira-4": ("simpira", "Simpira4"),
    "haraka-256": ("haraka", "Haraka256"),
    "haraka-512": ("haraka", "Haraka512"),
    "areion-256": ("areion", "Areion256"),
    "areion-512": ("areion", "Areion512"),
    "pholkos-256": ("pholkos", "Pholkos256"),
    "pholkos-512": ("pholkos", "Pholkos512"),
}
# Rounds of block ciphers with published bounds, and inner functions: nothing but analyses takes them.
_BLOCKS = {
    "aes": ("aes", "Aes"),
    "present": ("present", "Present"),
    "midori64": ("midori", "Midori64"),
    "aether-f-aes": ("inner", "InnerAes"),
    "aether-f-8": ("inner", "Inner8"),
    "aether-f-16": ("inner", "Inner16"),
    "aether-f-32": ("inner", "Inner32"),
}
# Block ciphers with their key schedules, permutations and sponges, each with known answers in spec/: nothing
# but analyses takes them, and the sweeps over all descriptions leave them out. Name -> module, class, arguments.
_CATALOGUE: dict[str, tuple[str, str, *tuple[int, ...]]] = {
    **{f"aes-{key}": ("aes_cipher", "AesCipher", key) for key in (128, 192, 256)},
    "ascon-p": ("ascon", "AsconP"),
    "chacha": ("chacha", "ChaCha"),
    "chacha-column": ("chacha", "ChaChaColumn"),
    "craft": ("craft", "Craft"),
    "gaston": ("gaston", "Gaston"),
    **{f"gift-{block}": ("gift", "Gift", block) for block in (64, 128)},
    "gimli": ("gimli", "Gimli"),
    **{f"keccak-f-{bits}": ("keccak", "KeccakF", bits) for bits in (200, 400, 800, 1600)},
    **{f"led-{key}": ("led", "Led", key) for key in (64, 128)},
    "lowmc-128-128": ("lowmc", "LowMC"),
    **{f"midori-{block}": ("midori", "Midori", block) for block in (64, 128)},
    "photon-256": ("photon", "Photon256"),
    "photon-beetle-128": ("photon", "PhotonBeetle"),
    **{f"present-{key}": ("present", "PresentCipher", key) for key in (80, 128)},
    **{f"pyjamask-{block}": ("pyjamask", "Pyjamask", block) for block in (96, 128)},
    "salsa20": ("chacha", "Salsa20"),
    **{f"simeck-{block}-{2 * block}": ("simeck", "Simeck", block) for block in (32, 48, 64)},
    **{f"simon-{block}-{key}": ("simon", "Simon", block, key) for block, key in simon.SIZES},
    **{f"skinny-{n}-{z * n}": ("skinny", "Skinny", n, z * n) for n in (64, 128) for z in (1, 2, 3)},
    **{f"sparkle-{bits}": ("sparkle", "Sparkle", bits) for bits in (256, 384, 512)},
    **{f"speck-{block}-{key}": ("speck", "Speck", block, key) for block, key in speck.ROUNDS},
    "tinyjambu-128": ("tinyjambu", "TinyJambu"),
    "tinyjambu-p-128": ("tinyjambu", "TinyJambuP"),
    "xoodoo": ("keccak", "Xoodoo"),
    "xoodyak": ("xoodyak", "Xoodyak"),
}
# Hash functions, with known answers in spec/ as well. What is analysed of them is their permutation.
_HASHES = {
    "ascon-hash256": ("ascon", "AsconHash256"),
    "photon-beetle-hash": ("photon", "PhotonBeetleHash"),
    "xoodyak-hash": ("xoodyak", "XoodyakHash"),
}


def _instance(module: str, cls: str, *arguments: object) -> Any:
    return getattr(importlib.import_module(f"{__package__}.{module}"), cls)(*arguments)


def names() -> list[str]:
    """Names of the ciphers."""
    return list(_DESCRIPTIONS)


def get(name: str, tag_bytes: int | None = None) -> Described:
    """The description of a cipher that comes with Roundworks, with a size of tag it offers."""
    if name not in _DESCRIPTIONS:
        raise unknown("cipher", name, names(), hint="or --file my_cipher.py")
    result: Described = _instance(*_DESCRIPTIONS[name], tag_bytes)
    return result


def get_stream(name: str, tag_bytes: int | None = None) -> StreamAead[Any]:
    """The same, of a cipher that must be a streaming one."""
    return streaming(get(name, tag_bytes), "this")


def streaming(cipher: Roundwise, what: str) -> StreamAead[Any]:
    """The cipher if its round absorbs a block and gives keystream, which ``what`` needs."""
    if isinstance(cipher, StreamAead) and not isinstance(cipher, Rounds):
        return cipher
    kind = "sponge over a permutation" if isinstance(cipher, StreamAead) else "mode of blocks"
    kind = "permutation" if isinstance(cipher, Permutation) else kind
    kind = "block cipher" if isinstance(cipher, BlockCipher) else kind
    raise DescriptionError(
        f"{cipher.name}: {what} needs a round that absorbs a block and gives keystream; this is a"
        f" {kind} and has none"
    )


def programmed(it: Roundwise) -> StreamAead[Any] | Permutation[Any]:
    """The description if code can be generated from what it is."""
    if isinstance(it, StreamAead | Permutation):
        return it
    kind = "block cipher" if isinstance(it, BlockCipher) else "mode of blocks"
    raise DescriptionError(f"{it.name}: a {kind}; code is generated from streaming ciphers and permutations")


def permutations() -> list[str]:
    """Names of permutations. Every configuration of the Feistel family has one of the same form."""
    from . import feistel  # reads what spec/ has of all permutations, as their modules do

    return [*_PERMUTATIONS, *feistel.names()]


def get_permutation(name: str) -> Permutation[Any]:
    """The description of a permutation; ``haraka-256:3.5`` is one of three rounds and a half, as
    ``simpira-2:8`` is one of eight.

    Raises
    ------
    UnknownName
        ``permutation 'areion': not known; did you mean areion-256, areion-512? (...)``;
        ``permutation: areion-256 has 1 to 64 rounds, as in areion-256:8``
    """
    base, _, rounds = name.partition(":")
    if name.startswith("feistel"):
        from . import feistel

        configuration, _, rounds = rounds.partition(":")
        result: Permutation[Any] = feistel.parse(f"{base}:{configuration}" if configuration else base)
    elif base in _PERMUTATIONS:
        result = _instance(*_PERMUTATIONS[base])
    else:
        more = "or another configuration of feistel256 and feistel512"
        raise unknown("permutation", name, permutations(), hint=more)
    return _of_rounds(result, base, rounds) if name.count(":") > result.name.count(":") else result


def _of_rounds(found: Permutation[Any], base: str, rounds: str) -> Permutation[Any]:
    """The same with another number of rounds, in the words of the core if it cannot have it."""
    halves = isinstance(found, HalfRounds)
    most = max(f.most_rounds for f in spec.permutations() if f.name.split(":")[0] == base)
    known = re.fullmatch(r"\d+(\.5)?" if halves else r"\d+", rounds)
    if known is None or not 0 < float(rounds) <= most:
        fewest, steps, example = ("0.5", " in halves", "3.5") if halves else ("1", "", "8")
        codes = {"feistel256": ":2-0,1-1", "feistel512": ":2-0,2-2,2-0,2-2"}.get(base, "")
        raise UnknownName(
            f"permutation: {base} has {fewest} to {most:g} rounds{steps}, as in {base}{codes}:{example}"
        )
    if isinstance(found, HalfRounds):
        return type(found)(float(rounds))
    found.rounds, found.name = int(rounds), f"{found.name}:{int(rounds)}"
    return found


def analysed() -> list[str]:
    """Names of all that has rounds to analyse: ciphers, permutations, rounds of block ciphers."""
    return [*names(), *permutations(), *_BLOCKS]


def catalogued() -> list[str]:
    """Names of the block ciphers, permutations and sponges of the catalogue."""
    return list(_CATALOGUE)


def hashes() -> list[str]:
    """Names of the hash functions of the catalogue."""
    return list(_HASHES)


def get_hash(name: str) -> SpongeHash[Any]:
    """The description of a hash function: ``get_hash("ascon-hash256").digest(b"")``.

    Raises
    ------
    UnknownName
        ``hash 'ascon-hash': not known; did you mean ascon-hash256? (...)``
    """
    if name not in _HASHES:
        raise unknown("hash", name, hashes())
    result: SpongeHash[Any] = _instance(*_HASHES[name])
    return result


def get_analysed(name: str) -> Roundwise:
    """The description of any of them.

    Raises
    ------
    UnknownName
        ``cipher or permutation 'aess': not known; did you mean aes? (...)``
    """
    if name in _DESCRIPTIONS:
        return get(name)
    if entry := _BLOCKS.get(name) or _CATALOGUE.get(name):
        result: Roundwise = _instance(*entry)
        return result
    if name.partition(":")[0] in (*_PERMUTATIONS, "feistel256", "feistel512"):
        return get_permutation(name)
    known = [*analysed(), *catalogued()]
    raise unknown("cipher or permutation", name, known, hint="or a file my_cipher.py")
