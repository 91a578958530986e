"""Rows of made-up values for functions that read rows: no store has checked them."""

import dataclasses
from collections.abc import Mapping
from typing import Any

from roundworks.rows import KINDS


def made(fields: Mapping[str, Any], kind: str = "") -> Any:
    """The row of these fields; None where a test has no use for one."""
    wanted = KINDS[kind or fields["kind"]]
    return wanted(**{field.name: fields.get(field.name) for field in dataclasses.fields(wanted)})
