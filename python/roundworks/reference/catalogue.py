"""The ciphers that exist, by name, and a user's own file in the same form."""

from __future__ import annotations

import importlib
import importlib.util
import random
import re
import sys
import traceback
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

from .. import spec
from ..errors import DescriptionError, UnknownName, unknown
from . import feistel, gf2, simon, speck
from .aead import BlockAead, Rounds
from .block import BlockCipher
from .graph import Roundwise, record_keyed, record_load, record_round, record_rounds
from .permutation import HalfRounds, Permutation
from .sponge import Sponge
from .sponge_hash import SpongeHash
from .stream import StreamAead

Described = StreamAead[Any] | BlockAead[Any]
Own = StreamAead[Any] | Permutation[Any] | BlockCipher[Any]

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

_SIZES = ("key_bytes", "nonce_bytes", "tag_bytes", "words", "rate_words", "word_bits")
_STEPS = ("load", "init", "update", "keystream", "finalise", "tag")


def names() -> list[str]:
    """Names of the ciphers."""
    return list(_DESCRIPTIONS)


def get(name: str, tag_bytes: int | None = None) -> Described:
    """The description of a cipher that comes with Roundworks, with a size of tag it offers."""
    if name not in _DESCRIPTIONS:
        raise unknown("cipher", name, names(), hint="or --file my_cipher.py")
    module, cls = _DESCRIPTIONS[name]
    result: Described = getattr(importlib.import_module(f"{__package__}.{module}"), cls)(tag_bytes)
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
    """The description if code can be generated of what it is."""
    if isinstance(it, StreamAead | Permutation):
        return it
    kind = "block cipher" if isinstance(it, BlockCipher) else "mode of blocks"
    raise DescriptionError(f"{it.name}: a {kind}; code is generated of streaming ciphers and permutations")


def permutations() -> list[str]:
    """Names of permutations. Every configuration of the Feistel family has one of the same form."""
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
        configuration, _, rounds = rounds.partition(":")
        result: Permutation[Any] = feistel.parse(f"{base}:{configuration}" if configuration else base)
    elif base in _PERMUTATIONS:
        module, cls = _PERMUTATIONS[base]
        result = getattr(importlib.import_module(f"{__package__}.{module}"), cls)()
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
    module, cls = _HASHES[name]
    result: SpongeHash[Any] = getattr(importlib.import_module(f"{__package__}.{module}"), cls)()
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
    if name in _BLOCKS:
        module, cls = _BLOCKS[name]
        result: Permutation[Any] = getattr(importlib.import_module(f"{__package__}.{module}"), cls)()
        return result
    if name in _CATALOGUE:
        module, cls, *arguments = _CATALOGUE[name]
        of_catalogue: Roundwise = getattr(importlib.import_module(f"{__package__}.{module}"), cls)(*arguments)
        return of_catalogue
    if name.partition(":")[0] in (*_PERMUTATIONS, "feistel256", "feistel512"):
        return get_permutation(name)
    known = [*analysed(), *catalogued()]
    raise unknown("cipher or permutation", name, known, hint="or a file my_cipher.py")


def load_file(path: Path | str) -> StreamAead[Any]:
    """The one cipher in a user's file: a subclass of ``StreamAead``, checked before use."""
    result = load_description(path)
    if not isinstance(result, StreamAead):
        kind = "a Permutation" if isinstance(result, Permutation) else "a BlockCipher"
        raise DescriptionError(f"{path}: want one subclass of StreamAead, got {kind}")
    return result


def load_description(path: Path | str) -> Own:
    """The one description in a user's file, of a cipher or a permutation, checked before use."""
    path = Path(path)
    if not path.is_file():
        raise DescriptionError(f"{path}: no such file; want a Python file with a StreamAead class")
    spec = importlib.util.spec_from_file_location(f"roundworks_user_{path.stem}", path)
    if spec is None or spec.loader is None:
        raise DescriptionError(f"{path}: not a Python file; its name must end in .py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        raise DescriptionError(f"{_place(error, path)}: {_one_line(error)}") from error
    result = _only_class(module, path)
    if isinstance(result, Permutation):
        _check_permutation(result, path)
    elif isinstance(result, BlockCipher):
        _check_block(result, path)
    else:
        _check(result, path)
    return result


def _only_class(module: ModuleType, path: Path) -> Own:
    own = [
        value
        for value in vars(module).values()
        if isinstance(value, type)
        and issubclass(value, (StreamAead, Permutation, BlockCipher))
        and value.__module__ == module.__name__
    ]
    leaves = [c for c in own if not any(d is not c and issubclass(d, c) for d in own)]
    if any(issubclass(c, Sponge) for c in leaves):  # which may have its permutation in the same file
        leaves = [c for c in leaves if not issubclass(c, Permutation)]
    if len(leaves) != 1:
        listed = ", ".join(c.__name__ for c in leaves) or "none"
        raise DescriptionError(
            f"{path}: want one subclass of StreamAead, Permutation or BlockCipher, got {listed}"
        )
    try:
        result: Own = leaves[0]()
    except Exception as error:
        raise DescriptionError(f"{_place(error, path)}: {_one_line(error)}") from error
    return result


def _check_permutation(found: Permutation[Any], path: Path) -> None:
    """Sizes that make sense, and a round that can be recorded and loses nothing linear."""
    label = f"{path}: {type(found).__name__}"
    _check_name(found, label)
    _check_sizes(found, ("words", "word_bits", "rounds"), label)
    if type(found).round is Permutation.round:
        raise DescriptionError(f"{label}: round: not written; see docs/how-to/own-cipher.md")
    try:
        record_rounds(found, 1)
        _check_onto(found)
    except Exception as error:
        raise DescriptionError(f"{_place(error, path)}: {_one_line(error)}") from error


def _check_block(found: BlockCipher[Any], path: Path) -> None:
    """Sizes that make sense, and rounds with a key schedule that can be recorded, that follow
    ``self.rounds`` and lose nothing linear."""
    label = f"{path}: {type(found).__name__}"
    _check_name(found, label)
    _check_sizes(found, ("words", "word_bits", "key_words", "rounds"), label)
    for step in ("schedule", "encrypt"):
        if getattr(type(found), step) is getattr(BlockCipher, step):
            raise DescriptionError(f"{label}: {step}: not written; see docs/how-to/own-cipher.md")
    try:
        few, more = (len(record_keyed(found, rounds).graph.nodes) for rounds in (1, 2))
        record_rounds(found, 1)
        if few >= more:
            raise DescriptionError(
                "encrypt: 2 rounds record no more than 1; want as many rounds as self.rounds says"
            )
        _check_spanned(_block_batch(found), found.words * found.word_bits)
    except Exception as error:
        raise DescriptionError(f"{_place(error, path)}: {_one_line(error)}") from error


def _block_batch(found: BlockCipher[Any]) -> list[int]:
    """Random blocks after one round, under one key."""
    from .batch import ArrayWord

    rng, one = random.Random(1), found.of_rounds(1)
    count = found.words * found.word_bits + 64
    K = [ArrayWord.from_ints([rng.getrandbits(bits)], bits) for bits in found.key_widths]
    S = [
        ArrayWord.from_ints([rng.getrandbits(found.word_bits) for _ in range(count)], found.word_bits)
        for _ in range(found.words)
    ]
    columns = [word.to_ints() for word in one.run(S, one.subkeys(K))]
    return [sum(v << found.word_bits * i for i, v in enumerate(row)) for row in zip(*columns, strict=True)]


def _check_onto(found: Permutation[Any]) -> None:
    """Random blocks through one round span the whole space, as they do of any permutation."""
    from .batch import ArrayWord

    rng, bits = random.Random(1), found.word_bits
    count = found.words * bits + 64
    S = [ArrayWord.from_ints([rng.getrandbits(bits) for _ in range(count)], bits) for _ in range(found.words)]
    columns = [word.to_ints() for word in found.run(S, 1)]
    values = [sum(v << bits * i for i, v in enumerate(row)) for row in zip(*columns, strict=True)]
    _check_spanned(values, found.words * bits)


def _check_spanned(values: Sequence[int], want: int) -> None:
    bits = gf2.rank(value ^ values[0] for value in values[1:])
    if bits < want:
        raise DescriptionError(
            f"round: its {want} bits take only 2^{bits} values or fewer; want a permutation"
        )


def _check(cipher: StreamAead[Any], path: Path) -> None:
    """Sizes that make sense, every step written, a round that can be recorded, and one message
    that survives a round trip."""
    label = f"{path}: {type(cipher).__name__}"
    _check_name(cipher, label)
    if isinstance(cipher, Sponge):
        _check_sponge(cipher, path, label)
    _check_sizes(cipher, _SIZES, label)
    for what in ("key_bytes", "nonce_bytes", "tag_bytes"):
        if getattr(cipher, what) % cipher.word_bytes:
            raise DescriptionError(
                f"{label}: {what}: want a multiple of the word's {cipher.word_bytes} bytes,"
                f" got {getattr(cipher, what)}"
            )
    for step in _STEPS:
        if getattr(type(cipher), step) is getattr(StreamAead, step):
            raise DescriptionError(f"{label}: {step}: not written; see docs/how-to/own-cipher.md")
    key, nonce = bytes(range(cipher.key_bytes)), bytes(cipher.nonce_bytes)
    data, ad = bytes(2 * cipher.rate_bytes + 1), b"associated data"
    try:
        record_round(cipher)
        record_load(cipher)
        for length in range(cipher.rate_bytes):
            whole = length + len(cipher.padding(length))
            if whole % cipher.rate_bytes:
                raise DescriptionError(
                    f"padding({length}): want whole blocks of {cipher.rate_bytes} bytes, got {whole}"
                )
        sealed = cipher.encrypt(key, nonce, data, ad)
        if (actual := len(sealed) - len(data)) != cipher.tag_bytes:
            raise DescriptionError(f"tag: want {cipher.tag_bytes} bytes of words, got {actual}")
        if cipher.decrypt(key, nonce, sealed, ad) != data:
            raise DescriptionError("decrypting does not give the message back")
    except Exception as error:
        raise DescriptionError(f"{_place(error, path)}: {_one_line(error)}") from error


def _check_sponge(cipher: Sponge[Any], path: Path, label: str) -> None:
    """A permutation that is one, a rate, and rounds that are numbers."""
    if not hasattr(cipher, "permutation"):
        raise DescriptionError(
            f"{label}: permutation: want a Permutation, as in MyPermutation(), got nothing"
        )
    if not hasattr(cipher, "rate"):
        raise DescriptionError(f"{label}: rate: want the bits of a block, got nothing")
    _check_permutation(cipher.permutation, path)
    _check_sizes(cipher, ("init_rounds", "rounds", "final_rounds"), label)


def _check_name(found: Own, label: str) -> None:
    if not isinstance(getattr(found, "name", None), str):
        raise DescriptionError(f"{label}: name: want a string, got nothing; set name = 'my-cipher'")
    if not re.fullmatch(r"\w[\w.+ -]*", found.name):
        raise DescriptionError(f"{label}: name: want letters, digits and any of . + - _, got {found.name!r}")


def _check_sizes(found: Own, sizes: tuple[str, ...], label: str) -> None:
    for size in sizes:
        value = getattr(found, size, None)
        if not isinstance(value, int) or isinstance(value, bool) or value < 1:
            raise DescriptionError(f"{label}: {size}: want a positive integer, got {value!r}")
    if isinstance(found, StreamAead) and found.word_bits % 8:
        raise DescriptionError(f"{label}: word_bits: want a multiple of 8, got {found.word_bits}")


def _place(error: BaseException, path: Path) -> str:
    """The file, and the deepest line of it in the traceback."""
    if isinstance(error, SyntaxError):
        return f"{path}:{error.lineno}" if error.lineno else str(path)
    own = [
        frame.lineno
        for frame in traceback.extract_tb(error.__traceback__)
        if Path(frame.filename) == path.absolute() or Path(frame.filename) == path
    ]
    return f"{path}:{own[-1]}" if own else str(path)


def _one_line(error: BaseException) -> str:
    text = str(error).splitlines()[0] if str(error) else ""
    return text if isinstance(error, DescriptionError) else f"{type(error).__name__}: {text}"
