"""Write python/roundworks/rows/kinds.py from spec/schema/row.json; with --check, only compare.

A kind of row is a frozen dataclass; a field that the schema does not require is None where it is missing.
"""

import json
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Any

HOME = Path(__file__).parents[1]
SCHEMA, TARGET = HOME / "spec" / "schema" / "row.json", HOME / "python" / "roundworks" / "rows" / "kinds.py"
HEAD = '''"""The kinds of result rows. Written by tools/row_types.py from spec/schema/row.json: change that."""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict

from .base import Row

'''
PLAIN = {"string": "str", "integer": "int", "number": "float", "boolean": "bool", "null": "None"}


def type_of(facts: dict[str, Any], name: str, nested: list[str]) -> str:
    """The annotation of a schema; a class for each kind of object in it is added to `nested`."""
    if "enum" in facts:
        return f"Literal[{', '.join(map(repr, facts['enum']))}]"
    kinds = facts["type"] if isinstance(facts["type"], list) else [facts["type"]]
    return " | ".join(_one(kind, facts, name, nested) for kind in kinds)


def _camel(name: str) -> str:
    return "".join(part.title() for part in name.split("_"))


def _one(kind: str, facts: dict[str, Any], name: str, nested: list[str]) -> str:
    if kind == "array":
        return f"list[{type_of(facts['items'], name, nested)}]" if "items" in facts else "list[Any]"
    if kind != "object":
        return PLAIN[kind]
    if "properties" not in facts:
        inner = facts.get("additionalProperties")
        return f"dict[str, {type_of(inner, name, nested) if isinstance(inner, dict) else 'Any'}]"
    lines = []
    for field, inner in facts["properties"].items():
        type_ = type_of(inner, name + _camel(field), nested)
        lines.append(f"    {field}: {type_ if field in facts['required'] else f'NotRequired[{type_}]'}")
    nested.append("\n".join([f"class {name}(TypedDict):", '    """An object in a row."""', "", *lines]))
    return name


def class_of(branch: dict[str, Any], common: set[str]) -> list[str]:
    """The classes of one kind: those of the objects in it, then its own."""
    kind = branch["properties"]["kind"]["const"]
    required, nested, lines = branch["required"], list[str](), list[str]()
    for name, facts in branch["properties"].items():
        if name in common:
            continue
        if text := facts.get("description"):
            lines += textwrap.wrap(text, 104, initial_indent="    # ", subsequent_indent="    # ")
        annotation = type_of(facts, f"{_camel(kind)}{_camel(name).removesuffix('s')}", nested)
        if name in required:
            lines.append(f"    {name}: {annotation}")
        else:
            lines.append(f"    {name}: {annotation.removesuffix(' | None')} | None = None")
    title = branch["title"]
    head = [f"class {kind.title()}Row(Row):", f'    """{title[0].upper()}{title[1:]}."""', ""]
    return [*nested, "\n".join([*head, *lines])]


def text() -> str:
    """The module, as ruff formats it."""
    schema = json.loads(SCHEMA.read_text(encoding="utf-8"))
    kinds = [branch["properties"]["kind"]["const"] for branch in schema["oneOf"]]
    if sorted(kinds) != sorted(schema["properties"]["kind"]["enum"]):
        raise SystemExit(f"{SCHEMA}: kind: want the kinds of its branches, got others")
    parts = [part for branch in schema["oneOf"] for part in class_of(branch, {*schema["properties"]})]
    source = HEAD + "\n\n\n".join(parts) + "\n"
    command = [str(Path(sys.executable).with_name("ruff")), "format", "--stdin-filename", str(TARGET), "-"]
    return subprocess.run(command, input=source, capture_output=True, text=True, check=True).stdout


if __name__ == "__main__":
    if "--check" not in sys.argv[1:]:
        TARGET.write_text(text(), encoding="utf-8")
    elif TARGET.read_text(encoding="utf-8") != text():
        raise SystemExit(
            f"{TARGET.relative_to(HOME)}: not as {SCHEMA.relative_to(HOME)} says; run `make rows`"
        )
