"""Rows of made-up values for functions that read rows: no store has checked them."""

from collections.abc import Mapping
from typing import Any

from roundworks.rows import KINDS


def made(fields: Mapping[str, Any], kind: str = "") -> Any:
    """The row of these fields; None where a test has no use for one."""
    wanted = KINDS[kind or fields["kind"]]
    return wanted(**{name: fields.get(name) for name in wanted.names()})
