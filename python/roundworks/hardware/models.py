"""Verilog of the cells that a netlist uses, for the bench of its core."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from .. import cache
from ..errors import HardwareError
from . import cell_models, liberty
from .library import DEFAULT

_WORD = re.compile(r"^\s*(\w+)\s+\\?\S+\s*\(", re.MULTILINE)


def models_of(netlist: Path, libraries: Sequence[Path] = ()) -> Path:
    """A file of modules without delay; Debian's OSU 018 where no library is named.

    Raises
    ------
    HardwareError
        ``aes.v: none of its cells is in osu018_stdcells.lib; name its library``
    """
    files = list(libraries) or [DEFAULT]
    library = liberty.load(files)
    used = sorted(set(_WORD.findall(verilog(netlist))) & set(library.cells))
    if not used:
        names = ", ".join(file.name for file in files)
        raise HardwareError(f"{netlist}: none of its cells is in {names}; name its library")
    text = cell_models.models(library, used)
    file = cache.home() / "models" / f"{cache.key([], {'text': text})}.v"
    if not file.exists():
        cache.write_text(file, text)
    return file


def verilog(netlist: Path) -> str:
    """The text of a netlist.

    Raises
    ------
    HardwareError
        ``core.v.gz: want Verilog, got bytes that are no UTF-8; name a netlist``
    """
    try:
        return netlist.read_text(encoding="utf-8")
    except OSError as error:
        raise HardwareError(f"{netlist}: {error.strerror}; name a netlist") from None
    except UnicodeDecodeError:
        raise HardwareError(
            f"{netlist}: want Verilog, got bytes that are no UTF-8; name a netlist"
        ) from None
