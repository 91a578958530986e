"""Known answers of all that is described and has no program of ours: block ciphers, permutations, sponges, hashes."""

from __future__ import annotations

from pathlib import Path

from .documents import Document, per_root, value_of
from .library import check_citations
from .types import DescriptionVector

SCHEMA = "description-v1"
_NUMBERS = ("key", "tweak", "nonce", "ad", "input", "output")


def description_vectors() -> list[DescriptionVector]:
    """The vectors of all descriptions, by family."""
    return list(_vectors())


@per_root
def _vectors(home: Path) -> list[DescriptionVector]:
    vectors: list[DescriptionVector] = []
    for path in sorted((home / "spec").glob("*/*.described.json")):
        document = Document(path, "description-vectors")
        data, family = document.data, path.parent.name
        if data["family"] != family:
            document.fail(("family",), f"want {family!r}, the name of the folder")
        document.size(("count",), data["count"], len(data["vectors"]), "as the file holds")
        document.unique(("vectors",), "id")
        check_citations(document, ("citations",), data.get("citations", ()))
        for index, row in enumerate(data["vectors"]):
            place = ("vectors", index)
            if "nonce" not in row and "mode" not in row:
                document.size(
                    (*place, "output"), len(row["output"]), len(row["input"]), "digits, as the input"
                )
            numbers = {name: row.get(name, "") for name in _NUMBERS}
            vectors.append(value_of(DescriptionVector, row, file=path.name, family=family, **numbers))
    return vectors
