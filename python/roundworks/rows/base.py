"""What every result row has, and the check of a row against ``spec/schema/row.json``."""

from __future__ import annotations

import functools
import threading
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from datetime import UTC, datetime, timedelta
from typing import Any, ClassVar, NoReturn, Self, dataclass_transform

from .. import __version__, machine, spec
from ..errors import RowError
from ..spec.schemas import Schema, Violation, not_finite, text_of

_COMPLETING = threading.Lock()


@dataclass_transform(kw_only_default=True, frozen_default=True)
@dataclass(frozen=True, kw_only=True)
class Row(Mapping[str, Any]):
    """One result row. Each kind is a subclass in ``roundworks.rows.kinds``, written from the schema: a
    frozen dataclass, whose kind is its name without ``Row``.

    An optional field that a row lacks is None. As a mapping a row is its JSON object, without the
    fields that it lacks: for a reader to whom the name of a field is data.
    """

    kind: ClassVar[str]
    _names: ClassVar[frozenset[str]] = frozenset()
    _optional: ClassVar[frozenset[str]] = frozenset()
    time: str  # UTC, ISO 8601, when the row was written
    machine: str  # slug; results/<machine>/machine.json has the details
    commit: str
    tools: dict[str, str]  # tool name -> version
    command: str  # the command line that makes this row again
    seconds: float  # wall-clock seconds spent on this row

    def __init_subclass__(cls) -> None:
        cls.kind = cls.__name__.removesuffix("Row").lower()
        cls._names = frozenset({"kind", *cls.names()})
        cls._optional = frozenset(name for name in cls.names() if getattr(cls, name, 0) is None)
        KINDS[cls.kind] = cls

    def __new__(cls, **values: Any) -> Self:
        """Make a dataclass of the kind before its first row: it takes a millisecond for each kind."""
        with _COMPLETING:
            if "__init__" not in cls.__dict__:
                dataclass(frozen=True, kw_only=True)(cls)
        return super().__new__(cls)

    @classmethod
    def make(cls, *, seconds: float, command: str, **values: Any) -> Self:
        """One complete, validated row; ``tools`` given here are added to the common ones.

        Raises
        ------
        RowError
            ``search row: words: missing``
        """
        given = {"kind": cls.kind, "seconds": seconds, "command": command, **values}
        full = completed({name: value for name, value in given.items() if not cls._absent(name, value)})
        validate(full, f"{cls.kind} row")
        return cls.from_json(full)

    @classmethod
    def from_json(cls, valid: Mapping[str, Any]) -> Self:
        """The row of a JSON object of this kind, which is known to be valid."""
        return cls(**{name: value for name, value in valid.items() if name != "kind"})

    def as_json(self) -> dict[str, Any]:
        """The JSON object: ``kind``, then every field that the row has, in the schema's order."""
        return dict(self)

    @property
    def when(self) -> datetime:
        """The time at which the row was written."""
        return datetime.fromisoformat(self.time)

    def __getitem__(self, name: str) -> Any:
        if name in self:
            return getattr(self, name)
        raise KeyError(name)

    def __contains__(self, name: object) -> bool:
        return name in self._names and (name not in self._optional or getattr(self, str(name)) is not None)

    def get(self, name: str, default: Any = None) -> Any:
        """A field of the row, or `default` if the row lacks it.

        That of `Mapping` raises and catches an error for each such field, and a report reads millions.
        """
        return getattr(self, name) if name in self else default

    def __bool__(self) -> bool:
        return True  # as its length says, but that is counted

    def __iter__(self) -> Iterator[str]:
        yield "kind"
        yield from (name for name in self.names() if not self._absent(name, getattr(self, name)))

    def __len__(self) -> int:
        return sum(1 for _ in self)

    @classmethod
    def _absent(cls, name: str, value: Any) -> bool:
        return value is None and name in cls._optional

    @classmethod
    @functools.cache
    def names(cls) -> tuple[str, ...]:
        """The fields, those that a row may lack included."""
        return (*(field.name for field in fields(Row)), *cls.__annotations__)


# Kind -> its class, in the order of the schema.
KINDS: dict[str, type[Row]] = {}


def validate(row: Any, where: str) -> None:
    """Check a JSON object against spec/schema/row.json; `where` opens the message of the RowError."""
    if not isinstance(row, dict):
        raise RowError(f"{where}: want an object, got {type(row).__name__}")
    if (place := not_finite(row)) is not None:
        raise RowError(f"{where}: {place[0]}: want finite numbers, got nan or infinity")
    for schema in (_common(), branches().get(row.get("kind", ""))):
        if schema is not None and not schema.accepts(row):
            _refuse(schema, row, where)
    if unknown := [name for name in row if name not in KINDS[row["kind"]]._names]:
        raise RowError(f"{where}: {unknown[0]}: no field of a {row['kind']} row")


def completed(given: Mapping[str, Any]) -> dict[str, Any]:
    """A JSON object with the common fields that it lacks: time, machine, commit, tools."""
    now = datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
    full = {
        "kind": given.get("kind"),
        "time": now,
        "machine": machine.slug(),
        "commit": machine.commit(spec.root()),
        **given,
    }
    if isinstance(full.get("tools", {}), dict):
        full["tools"] = machine.tools(__version__) | full.get("tools", {})
    return full


@functools.cache
def branches() -> dict[str, Schema]:
    """One schema per kind: a message about the right branch, not about seven of them."""
    return {branch["properties"]["kind"]["const"]: Schema(branch) for branch in _schema()["oneOf"]}


def _refuse(schema: Schema, row: dict[str, Any], where: str) -> NoReturn:
    """Name the violation nearest to the row itself."""
    first: Violation = min(schema.violations(row), key=lambda violation: len(violation.place))
    what = first.message
    if first.rule == "required":
        what = "missing"
    elif first.rule == "format":
        what = f"want UTC as 2026-11-20T13:30:00Z, got {row[first.field]!r}"
    raise RowError(f"{where}: {first.field}: {what}")


@functools.cache
def _schema() -> dict[str, Any]:
    return text_of(spec.root(), "row")


@functools.cache
def _common() -> Schema:
    common = {k: v for k, v in _schema().items() if k != "oneOf"}
    return Schema(common, {"date-time": _is_utc_time})


def _is_utc_time(value: str) -> bool:
    try:
        return datetime.fromisoformat(value).utcoffset() == timedelta(0)
    except ValueError:
        return False
