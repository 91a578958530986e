"""One validator for data files and result rows: what is wrong, where, and our words for it."""

from __future__ import annotations

import functools
import json
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .. import extras
from .lines import Place

try:
    import jsonschema_rs
except ModuleNotFoundError as error:
    raise extras.missing("roundworks.spec", error) from None


@dataclass(frozen=True, slots=True)
class Violation:
    """`place` leads to the value at fault; a missing field is at the place of its object."""

    rule: str
    place: Place
    message: str
    missing: str = ""

    @property
    def field(self) -> str:
        """``proof.steps[3]``, or the name of the missing field."""
        parts = (f"[{key}]" if isinstance(key, int) else f".{key}" for key in self.place)
        return self.missing or "".join(parts).removeprefix(".")


class Schema:
    """A compiled JSON schema.

    `formats` maps the name of a format to a check of a string; a format without one is not checked.
    """

    def __init__(
        self, schema: dict[str, Any], formats: Mapping[str, Callable[[str], bool]] | None = None
    ) -> None:
        self._schema = schema
        self._validator = jsonschema_rs.Draft202012Validator(
            schema, validate_formats=bool(formats), formats=dict(formats or {})
        )

    def accepts(self, value: Any) -> bool:
        """Whether a value is valid."""
        return self._validator.is_valid(value)

    def violations(self, value: Any) -> Iterator[Violation]:
        """Everything that is wrong with a value."""
        for error in self._validator.iter_errors(value):
            yield self._explain(error)

    def _explain(self, error: jsonschema_rs.ValidationError) -> Violation:
        place: Place = tuple(error.instance_path)
        rule, facts, got = error.kind.name, error.kind.as_dict(), short(error.instance)
        missing, message = "", short(error.message, quote=False)
        match rule:
            case "required":
                missing = facts["property"]
                message = f"field {missing!r} is missing"
            case "additionalProperties":
                place = (*place, facts["unexpected"][0])
                known = self._at(error.schema_path[:-1])["properties"]
                message = f"unknown field; want only {', '.join(known)}"
            case "pattern":
                pattern = facts["pattern"]
                pairs = "[0-9a-f]{2})" in pattern
                want = "pairs of hexadecimal digits 0-9a-f" if pairs else pattern
                message = f"want {want}, got {got}"
            case "enum" | "const":
                choices = facts["options"] if rule == "enum" else [facts["expected_value"]]
                message = f"want {' or '.join(map(repr, choices))}, got {got}"
            case "type":
                wanted = self._at(error.schema_path)
                want = wanted if isinstance(wanted, str) else " or ".join(wanted)
                message = f"want {want}, got {got}"
        return Violation(rule, place, message, missing)

    def _at(self, path: Sequence[str | int]) -> Any:
        part: Any = self._schema
        for key in path:
            part = part[key]
        return part


@functools.cache
def named(home: Path, name: str) -> Schema:
    """``spec/schema/<name>.json`` under `home`."""
    return Schema(text_of(home, name))


def text_of(home: Path, name: str) -> dict[str, Any]:
    """A schema of ``spec/schema`` under `home`, as it stands."""
    file = home / "spec" / "schema" / f"{name}.json"
    schema: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return schema


def short(value: Any, *, quote: bool = True) -> str:
    """A value in an error, cut in the middle where it is long."""
    text = repr(value) if quote else str(value)
    return text if len(text) <= 100 else f"{text[:60]} ... {text[-20:]}"


_NO_FLOATS = {str, int, bool, type(None)}  # most of what a row holds


def not_finite(value: Any, place: Place = ()) -> Place | None:
    """The place of the first nan or infinity. JSON has neither, so a schema would see a null."""
    if isinstance(value, float):
        return None if math.isfinite(value) else place
    if isinstance(value, list) and _are_finite(value):
        return None
    items: Iterable[tuple[str | int, Any]] = (
        value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    )
    for key, item in items:
        if type(item) not in _NO_FLOATS:
            first = not_finite(item, (*place, key))
            if first is not None:
                return first
    return None


def _are_finite(values: list[Any]) -> bool:
    """Whether these are finite numbers and nothing else: a quick test of the samples of a row."""
    try:
        return all(map(math.isfinite, values))
    except (TypeError, OverflowError):
        return False
