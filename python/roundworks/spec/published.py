"""Figures that other authors published of ciphers in the catalogue.

Of each, ``place`` is where it stands in its source, such as ``table 4``, and ``quoted`` who quotes it where the
source was not at hand. An entry that has neither is not confirmed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .documents import Document, per_root, value_of
from .library import check_citations


@dataclass(frozen=True, slots=True, kw_only=True)
class _Published:
    """``about`` says in which setting, and ``note`` why ours stops before or differs."""

    measure: str
    cite: str
    about: str
    note: str = ""
    place: str = ""
    quoted: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishedCurve(_Published):
    """``values`` of a measure of `roundworks bound` for 1, 2, 3, ... rounds."""

    description: str
    values: tuple[float, ...]
    side: str = "exact"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Query(_Published):
    """``where``: what ``--where`` of `roundworks bound` was given, by which its rows are known; none: any rows."""

    description: str
    view: str = "differential"
    where: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishedFigure(_Query):
    """The ``value`` over ``rounds`` rounds, rounded as it was printed; of a measure of one function no rounds."""

    value: float
    rounds: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Unprinted:
    """What is computed here for 1, 2, 3, ... rounds although no print was found to compare it with."""

    description: str
    measure: str
    about: str
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishedReach(_Query):
    """The most ``rounds`` over which a property was shown."""

    rounds: int


def published_curves() -> list[PublishedCurve]:
    """In the order of ``spec/published.toml``."""
    data = _document().data
    return [value_of(PublishedCurve, _tuples(row)) for row in data["curves"]]


def published_figures() -> list[PublishedFigure]:
    """In the order of ``spec/published.toml``."""
    return [value_of(PublishedFigure, _tuples(row)) for row in _document().data["figures"]]


def published_reaches() -> list[PublishedReach]:
    """In the order of ``spec/published.toml``."""
    return [value_of(PublishedReach, _tuples(row)) for row in _document().data["reaches"]]


def unprinted() -> list[Unprinted]:
    """In the order of ``spec/published.toml``."""
    return [value_of(Unprinted, row) for row in _document().data["unprinted"]]


def _tuples(row: Mapping[str, Any]) -> dict[str, Any]:
    return {name: tuple(value) if isinstance(value, list) else value for name, value in row.items()}


@per_root
def _document(home: Path) -> Document:
    document = Document(home / "spec" / "published.toml", "published")
    for kind in ("curves", "figures", "reaches"):
        for number, row in enumerate(document.data[kind]):
            check_citations(document, (kind, number, "cite"), [row["cite"]])
    return document
