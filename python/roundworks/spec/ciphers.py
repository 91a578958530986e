"""The ciphers and their test vectors."""

from __future__ import annotations

from pathlib import Path
from types import MappingProxyType
from typing import Any

from ..errors import named
from .descriptions import SCHEMA as DESCRIBED
from .documents import Document, per_root, value_of
from .documents import root as _root
from .library import check_citations, sboxes
from .lines import Place
from .types import AeadVector, CipherFacts, FunctionVector, Reading, VectorFile

_SCHEMAS = {"aead-v1": "aead-vectors", "function-v1": "function-vectors"}
_OF_WORDS = ("word_bytes", "words", "init_rounds", "final_rounds")  # of a streaming cipher


def ciphers() -> list[CipherFacts]:
    """Every member of every family, by name."""
    return [facts for _, facts in sorted(_ciphers().items())]


def cipher(name: str) -> CipherFacts:
    """The facts of one cipher.

    Raises
    ------
    UnknownName
        ``cipher 'aegis': not known; one of aegis-128, aether, aether-lb``
    """
    return named("cipher", name, _ciphers())


def vector_files(name: str) -> list[VectorFile]:
    """The AEAD vector files of one cipher, with their origin and licence."""
    cipher(name)
    return list(_vectors()[0].get(name, ()))


def aead_vectors(name: str) -> list[AeadVector]:
    """Every case of one cipher, valid or not. It is an error to have none: a test would be empty.

    Raises
    ------
    SpecError
        ``spec/aether/aether.kat.json:9: vectors[0] (short).tag: want 16 bytes, got 12``
    """
    vectors = [vector for file in vector_files(name) for vector in file.vectors]
    if not vectors:
        facts = cipher(name)
        document = Document(_root() / "spec" / facts.family / "cipher.toml", "cipher")
        index = [member["name"] for member in document.data["members"]].index(name)
        document.fail(("members", index), f"want test vectors in {name}.*.json here, got none")
    return vectors


def function_vectors(name: str) -> list[FunctionVector]:
    """Known answers of a cipher's inner functions; empty where there are none."""
    cipher(name)
    return list(_vectors()[1].get(name, ()))


@per_root
def _ciphers(home: Path) -> dict[str, CipherFacts]:
    by_name: dict[str, CipherFacts] = {}
    for path in sorted((home / "spec").glob("*/cipher.toml")):
        document = Document(path, "cipher")
        for index, facts in enumerate(_family(document)):
            if facts.name in by_name:
                family = by_name[facts.name].family
                document.fail(("members", index, "name"), f"{facts.name!r} is also in {family}")
            by_name[facts.name] = facts
    return by_name


def _family(document: Document) -> list[CipherFacts]:
    data = document.data
    if data["family"] != (folder := document.path.parent.name):
        document.fail(("family",), f"want {folder!r}, the name of the folder")
    document.unique(("members",), "name")
    check_citations(document, ("citations",), data["citations"])
    first = data["members"][0]
    word_bytes, words = first.get("word_bytes", 0), first.get("words", 0)
    for name, value in data["constants"].items():
        if word_bytes:
            document.size(("constants", name), len(value) // 2, word_bytes, "bytes")
    parts = _components(document) | _round(document, words)
    readings = tuple(Reading(**reading) for reading in data.get("readings", ()))
    constants = MappingProxyType({k: int(v, 16) for k, v in data["constants"].items()})
    for index, member in enumerate(data["members"]):
        _check_member(document, ("members", index), member, word_bytes, words)
    shared = parts | {"family": data["family"], "constants": constants, "readings": readings}
    return [value_of(CipherFacts, member, **shared) for member in data["members"]]


def _check_member(
    document: Document, place: Place, member: dict[str, Any], word_bytes: int, words: int
) -> None:
    kind = member.get("kind", "stream")
    if kind == "stream":
        _words(document, place, member, word_bytes, words)
    elif unfit := [name for name in _OF_WORDS if name in member]:
        document.fail((*place, unfit[0]), f"only a streaming cipher has it, and this is {kind!r}")
    if member["tag_bytes"] in member.get("other_tag_bytes", ()):
        document.fail((*place, "other_tag_bytes"), "want sizes next to tag_bytes, got it again")
    if member["status"] == "study" and not member["warning"]:
        document.fail((*place, "warning"), "want one line, because the status is study; got none")
    if (member["status"] == "baseline") != ("library" in member):
        document.fail(place, "want a library exactly where the status is baseline")
    if (ours := set(member["backends"]) - {"library"}) and "library" in member:
        document.fail((*place, "backends"), f"want only 'library' of a baseline, got {min(ours)!r}")
    check_citations(document, (*place, "citations"), member["citations"])


def _words(document: Document, place: Place, member: dict[str, Any], word_bytes: int, words: int) -> None:
    """Sizes of a streaming cipher. Constants and components are the family's, and the wiring if it
    has one: the sizes must be too."""
    if missing := [name for name in _OF_WORDS if name not in member]:
        document.fail(place, f"field {missing[0]!r} is missing")
    document.size((*place, "word_bytes"), member["word_bytes"], word_bytes, "as in members[0]")
    if "round" in document.data:
        document.size((*place, "words"), member["words"], words, "as in members[0]")
    for name in ("key_bytes", "nonce_bytes", "rate_bytes"):
        if member[name] % word_bytes:
            document.fail((*place, name), f"want whole words of {word_bytes}, got {member[name]}")


def _components(document: Document) -> dict[str, Any]:
    parts = document.data.get("components", {})
    sbox, matrix, to = (parts.get(name, []) for name in ("sbox", "matrix", "permutation"))
    for name, table in (("sbox", sbox), ("permutation", to)):
        document.each_once(("components", name), table)
    # A cipher's own S-box is in no other file.
    if sbox and not parts.get("own_sbox") and tuple(sbox) not in (box.table for box in sboxes().values()):
        document.fail(("components", "sbox"), "want a table of spec/sboxes.toml, got another")
    for index, row in enumerate(matrix):
        document.size(("components", "matrix", index), len(row), len(matrix), "entries")
    return {"sbox": tuple(sbox), "matrix": tuple(map(tuple, matrix)), "permutation": tuple(to)}


def _round(document: Document, words: int) -> dict[str, Any]:
    wiring = document.data.get("round", {"f": [], "xor": []})
    first = document.data["members"][0]
    for name, table in wiring.items():
        if table:
            document.size(("round", name), len(table), words, "entries, one for each word")
    document.known(("round", "f"), map(str, wiring["f"]), map(str, range(words)), "word")
    known = [f"S{i}" for i in range(words)] + [
        f"X{i}" for i in range(first["rate_bytes"] // first.get("word_bytes", first["rate_bytes"]))
    ]
    document.known(("round", "xor"), wiring["xor"], known, "word")
    return {"round_f": tuple(wiring["f"]), "round_xor": tuple(wiring["xor"])}


@per_root
def _vectors(home: Path) -> tuple[dict[str, list[VectorFile]], dict[str, list[FunctionVector]]]:
    aead: dict[str, list[VectorFile]] = {}
    functions: dict[str, list[FunctionVector]] = {}
    for path in sorted((home / "spec").glob("*/cipher.toml")):
        for file in sorted(path.parent.glob("*.json")):
            document = Document(file, None)
            kind = document.data.get("schema")
            if kind == DESCRIBED:  # of what is described only
                continue
            document.known(("schema",), [str(kind)], _SCHEMAS, "schema")
            document.check(_SCHEMAS[str(kind)])
            name = _algorithm(document)
            if kind == "aead-v1":
                aead.setdefault(name, []).append(_aead_file(document))
            else:
                functions.setdefault(name, []).extend(_function_file(document))
    return aead, functions


def _algorithm(document: Document) -> str:
    """What both kinds of vector file share: the cipher, the count, ids that differ."""
    data = document.data
    name = str(data["algorithm"])
    family = document.path.parent.name
    members = [facts.name for facts in ciphers() if facts.family == family]
    document.known(("algorithm",), [name], members, f"member of {family}")
    if document.path.name.split(".")[0] != name:
        document.fail(("algorithm",), f"want the first part of the file's name, got {name!r}")
    document.size(("count",), data["count"], len(data["vectors"]), "as the file holds")
    document.unique(("vectors",), "id")
    return name


def _aead_file(document: Document) -> VectorFile:
    data, facts = document.data, cipher(document.data["algorithm"])
    source = data.get("source", {})
    if source:
        check_citations(document, ("source", "key"), [source["key"]])
    vectors = []
    used: set[str] = set()
    for index, row in enumerate(data["vectors"]):
        place: Place = ("vectors", index)
        fields = {f: bytes.fromhex(row[f]) for f in ("key", "nonce", "ad", "pt", "ct", "tag")}
        for name, want in (("key", facts.key_bytes), ("nonce", facts.nonce_bytes)):
            document.size((*place, name), len(fields[name]), want, "bytes")
        tags = facts.tag_sizes
        if len(fields["tag"]) not in tags:
            listed = " or ".join(map(str, tags))
            document.fail((*place, "tag"), f"want {listed} bytes, got {len(fields['tag'])}")
        _ciphertext(document, place, facts, fields["pt"], fields["ct"], valid=row["valid"])
        if not data["flags"].keys() >= set(row["flags"]):
            document.known((*place, "flags"), row["flags"], data["flags"], "flag of the file")
        used.update(row["flags"])
        vectors.append(value_of(AeadVector, row, **fields, file=document.path.name))
    if spare := sorted(data["flags"].keys() - used):
        document.fail(("flags", spare[0]), "no case carries this flag; remove it")
    return value_of(
        VectorFile,
        data,
        file=document.path.name,
        sha256=source.get("sha256", ""),
        not_taken=MappingProxyType(data.get("not_taken", {})),
        flags=MappingProxyType(data["flags"]),
        vectors=tuple(vectors),
    )


def _ciphertext(
    document: Document, place: Place, facts: CipherFacts, pt: bytes, ct: bytes, *, valid: bool
) -> None:
    """The length of the message, unless it is padded always; what is refused then may be any."""
    if not facts.padded:
        document.size((*place, "ct"), len(ct), len(pt), "bytes")
    elif valid:
        blocks = len(pt) // facts.rate_bytes + 1
        document.size((*place, "ct"), len(ct), blocks * facts.rate_bytes, "bytes, padded always")


def _function_file(document: Document) -> list[FunctionVector]:
    data, facts = document.data, cipher(document.data["algorithm"])
    sizes: dict[str, int] = data.get("parts", {"input": facts.word_bytes})
    output = data.get("output_bytes", [facts.word_bytes])
    open_ended = [name for name, size in sizes.items() if not size]
    if open_ended not in ([], list(sizes)[-1:]):
        document.fail(("parts", open_ended[0]), "want a size; only the last part may be of any")
    vectors = []
    for index, row in enumerate(data["vectors"]):
        given, result = (bytes.fromhex(row[name]) for name in ("input", "output"))
        minimum = sum(sizes.values())
        if len(given) < minimum or not open_ended:
            document.size(("vectors", index, "input"), len(given), minimum, "bytes")
        if len(result) not in output:
            listed = " or ".join(map(str, output))
            document.fail(("vectors", index, "output"), f"want {listed} bytes, got {len(result)}")
        parts, rest = {}, given
        for name, size in sizes.items():
            parts[name], rest = (rest[:size], rest[size:]) if size else (rest, b"")
        more = {"function": data["function"], "file": document.path.name, "parts": MappingProxyType(parts)}
        vectors.append(value_of(FunctionVector, row, input=given, output=result, **more))
    return vectors
