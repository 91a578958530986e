"""Writing SystemVerilog that is generated: into a checkout, never into an installed package."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from pathlib import Path

from ... import spec
from ...errors import HardwareError


def write(texts: Mapping[str, str] | Mapping[Path, str], folder: Path | str) -> list[Path]:
    """Write every file of `texts` whose text has changed; those files.

    A `folder` that is a string is below the checkout.

    Raises
    ------
    HardwareError
        ``rtl/aes: want a checkout to write to, got an installed package; run it from a checkout``
    """
    if isinstance(folder, str):
        home = spec.checkout()
        if home is None:
            raise HardwareError(
                f"{folder}: want a checkout to write to, got an installed package;"
                " run it from a checkout, or set ROUNDWORKS_HOME to one"
            )
        folder = home / folder
    written = []
    for name, text in texts.items():
        path = folder / name
        if not path.is_file() or path.read_text(encoding="utf-8") != text:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
            written.append(path)
    return written


def main(write_all: Callable[[], list[Path]]) -> None:
    """Print what was written; one line and status 2 where nothing may be."""
    try:
        for path in write_all():
            print(path)
    except HardwareError as error:
        print(error, file=sys.stderr)
        sys.exit(2)
