"""The permutations and their known answers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ..errors import named
from .documents import Document, per_root, value_of
from .library import check_citations
from .types import PermutationFacts, PermutationVector, Reading


def permutations() -> list[PermutationFacts]:
    """Every member of every family, by name."""
    return [facts for _, facts in sorted(_permutations().items())]


def permutation(name: str) -> PermutationFacts:
    """The facts of one permutation.

    Raises
    ------
    UnknownName
        ``permutation 'areion': not known; one of areion-256, areion-512, ...``
    """
    return named("permutation", name, _permutations())


def permutation_vectors(family: str) -> list[PermutationVector]:
    """Known answers of a family, every file of it."""
    return list(named("family of permutations", family, _vectors()))


@per_root
def _permutations(home: Path) -> dict[str, PermutationFacts]:
    by_name: dict[str, PermutationFacts] = {}
    for path in sorted((home / "spec").glob("*/permutation.toml")):
        document = Document(path, "permutation")
        data = document.data
        if data["family"] != (folder := path.parent.name):
            document.fail(("family",), f"want {folder!r}, the name of the folder")
        document.unique(("members",), "name")
        check_citations(document, ("citations",), data["citations"])
        readings = tuple(Reading(**reading) for reading in data.get("readings", ()))
        table = tuple(bytes.fromhex(line) for line in data.get("round_constants", ()))
        for index, member in enumerate(data["members"]):
            if member["name"] in by_name:
                family = by_name[member["name"]].family
                document.fail(("members", index, "name"), f"{member['name']!r} is also in {family}")
            by_name[member["name"]] = value_of(
                PermutationFacts,
                {"timed_rounds": member["rounds"]} | data | member,
                round_constants=table,
                readings=readings,
            )
    return by_name


@per_root
def _vectors(home: Path) -> dict[str, list[PermutationVector]]:
    by_family: dict[str, list[PermutationVector]] = {}
    for path in sorted((home / "spec").glob("*/permutation.toml")):
        family = path.parent.name
        files = sorted(path.parent.glob("*.json"))
        if not files:
            Document(path, None).fail((), f"want known answers in {family}.*.json here, got none")
        for file in files:
            document = Document(file, "permutation-vectors")
            document.size(
                ("count",), document.data["count"], len(document.data["vectors"]), "as the file holds"
            )
            document.unique(("vectors",), "id")
            by_family.setdefault(family, []).extend(
                _vector(document, i) for i in range(document.data["count"])
            )
    return by_family


def _vector(document: Document, index: int) -> PermutationVector:
    row: dict[str, Any] = document.data["vectors"][index]
    name = row["permutation"]
    given, result = bytes.fromhex(row["input"]), bytes.fromhex(row["output"])
    family = document.path.parent.name
    sizes = {
        facts.name.split(":")[0]: facts.words * facts.word_bytes
        for facts in permutations()
        if facts.family == family
    }
    place = ("vectors", index)
    document.known((*place, "permutation"), [name.split(":")[0]], sizes, f"member of {family}")
    size = sizes[name.split(":")[0]]
    if row.get("mode") != "md":
        document.size((*place, "input"), len(given), size, "bytes")
    if row.get("mode", "tweakable") == "tweakable":
        document.size((*place, "output"), len(result), size, "bytes")
    hexadecimal = {part: bytes.fromhex(row.get(part, "")) for part in ("key", "tweak")}
    return value_of(
        PermutationVector, row, input=given, output=result, file=document.path.name, **hexadecimal
    )
