"""Reading one data file: its text, its schema, and errors that name a line."""

from __future__ import annotations

import functools
import json
import os
import re
import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any, NoReturn, TypeVar

from ..errors import SpecError
from . import lines, schemas
from .lines import Place

_ENVIRONMENT = "ROUNDWORKS_HOME"

T = TypeVar("T")


# What a wheel carries of the checkout that it was made from: spec/, rtl/ and kernels/.
_PACKAGED = Path(__file__).resolve().parents[1] / "data"


def root() -> Path:
    """Where ``spec/``, ``rtl/`` and ``kernels/`` are: in ``ROUNDWORKS_HOME`` if that is set, in the
    checkout that this module runs from, or in the installed package."""
    return _root(os.environ.get(_ENVIRONMENT))


@functools.cache
def _root(given: str | None) -> Path:
    here = Path(__file__).resolve().parents[3]
    home = Path(given) if given else here if (here / "spec" / "schema").is_dir() else _PACKAGED
    if not (home / "spec" / "schema").is_dir():
        raise SpecError(
            f"{home}: want a Roundworks checkout, got a folder without spec/schema;"
            f" run from a checkout or set {_ENVIRONMENT} to one"
        )
    return home


def checkout() -> Path | None:
    """`root`, if results, builds and generated files may be written there; None in a package."""
    home = root()
    return None if home == _PACKAGED else home


class Document:
    """A data file that its parser and its schema have accepted."""

    def __init__(self, path: Path, schema: str | None) -> None:
        """`schema` is a name in spec/schema; None reads the text and checks it against nothing."""
        self.path = path
        self.text = self._read()
        self.data: dict[str, Any] = self._parse()
        if schema:
            self.check(schema)

    def check(self, schema: str) -> None:
        """Every violation is looked at, and the error is of the one that stands first."""
        if (spot := schemas.not_finite(self.data)) is not None:
            self.fail(spot, "want a finite number, got nan or infinity")
        violations = list(schemas.named(root(), schema).violations(self.data))
        if violations:
            first = min(violations, key=lambda violation: self.line(violation.place))
            self.fail(first.place, first.message)

    def fail(self, place: Place, message: str) -> NoReturn:
        """Raise ``path:line: place: message`` for the item at `place`."""
        subject = self._subject(place)
        raise SpecError(f"{self._name()}:{self.line(place)}: {subject}{message}")

    def line(self, place: Place) -> int:
        """The number of the line at a place of the file."""
        return self._lines.at(place)

    def unique(self, place: Place, field: str) -> None:
        """The items of the list at `place` must differ in `field`."""
        items: Any = self.data
        for key in place:
            items = items[key]
        seen: dict[Any, int] = {}
        for index, item in enumerate(items):
            if item[field] in seen:
                first = self.line((*place, seen[item[field]]))
                self.fail((*place, index, field), f"{item[field]!r} stands already at line {first}")
            seen[item[field]] = index

    def each_once(self, place: Place, table: Sequence[int]) -> None:
        """The entries of the table at `place` must be 0, 1, .. in any order."""
        if sorted(table) != list(range(len(table))):
            self.fail(place, f"want every value 0..{len(table) - 1} once")

    def known(self, place: Place, names: Iterable[str], known: Iterable[str], kind: str) -> None:
        """Every name must be a known one; those in a list are found at their own line."""
        known = list(known)
        for index, name in enumerate(names):
            if name not in known:
                spot = (*place, index) if (*place, index) in self._lines.of else place
                self.fail(spot, f"want a {kind}: {', '.join(sorted(known))}; got {name!r}")

    def size(self, place: Place, got: int, want: int, what: str) -> None:
        """An error unless `got` is `want`."""
        if got != want:
            self.fail(place, f"want {want} {what}, got {got}")

    @functools.cached_property
    def _lines(self) -> lines.Lines:
        return (lines.of_json if self.path.suffix == ".json" else lines.of_toml)(self.text)

    def _name(self) -> Path:
        here = Path.cwd()
        return self.path.relative_to(here) if self.path.is_relative_to(here) else self.path

    def _subject(self, place: Place) -> str:
        """``vectors[3].key: `` with the item's own name, as in ``vectors[3] (tc-4).key: ``."""
        text = ""
        value: Any = self.data
        for key in place:
            text += f"[{key}]" if isinstance(key, int) else f".{key}" if text else str(key)
            try:
                value = value[key]
            except (KeyError, IndexError, TypeError):
                continue
            if isinstance(key, int) and isinstance(value, dict):
                own = next((value[n] for n in ("id", "name", "number") if n in value), None)
                text += f" ({own})" if isinstance(own, str) else ""
        return f"{text}: " if text else ""

    def _read(self) -> str:
        try:
            raw = self.path.read_bytes()
        except OSError as error:
            raise SpecError(f"{self._name()}:1: cannot be read: {error.strerror}") from None
        try:
            return raw.decode().replace("\r\n", "\n")
        except UnicodeDecodeError as error:
            line = raw.count(b"\n", 0, error.start) + 1
            raise SpecError(f"{self._name()}:{line}: want UTF-8, got {error.reason}") from None

    def _parse(self) -> dict[str, Any]:
        try:
            if self.path.suffix == ".json":
                data = json.loads(self.text, object_pairs_hook=self._pairs)
            else:
                data = tomllib.loads(self.text)
        except (json.JSONDecodeError, tomllib.TOMLDecodeError) as error:
            line = getattr(error, "lineno", None) or _line_in(str(error), self.text)
            message = re.split(r" \(at |: line ", str(error))[0]
            kind = "JSON" if self.path.suffix == ".json" else "TOML"
            raise SpecError(
                f"{self._name()}:{line}: not {kind}: {message[:1].lower()}{message[1:]}"
            ) from None
        if not isinstance(data, dict):
            raise SpecError(f"{self._name()}:1: want an object, got {type(data).__name__}")
        return data

    def _pairs(self, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        fields = dict(pairs)
        if len(fields) != len(pairs):  # JSON would keep the last and forget the first
            place = self._lines.twice or ()
            line = self._lines.at(place)
            raise SpecError(f"{self._name()}:{line}: field {place[-1]!r} stands twice; keep one")
        return fields


def value_of(kind: type[T], entry: Mapping[str, Any], **more: Any) -> T:
    """The frozen dataclass of a table: arrays are tuples, and what the table lacks has its default.

    `more` are fields that are computed, or whose names differ; other names of the table are left out.
    """
    names = {field.name for field in fields(kind)}  # type: ignore[arg-type]
    return kind(**{name: _frozen(value) for name, value in entry.items() if name in names} | more)


def _frozen(value: Any) -> Any:
    return tuple(map(_frozen, value)) if isinstance(value, list) else value


def per_root(read: Callable[[Path], T]) -> Callable[[], T]:
    """Read once for each checkout; a changed ``ROUNDWORKS_HOME`` is another checkout."""
    cached = functools.cache(read)
    return functools.wraps(read)(lambda: cached(root()))


def _line_in(message: str, text: str) -> int:
    line = re.search(r"at line (\d+)", message)
    return int(line[1]) if line else len(text.splitlines())
