"""Liberty files, by liberty-parser. A library of tens of megabytes takes it a minute, so what was read is
found again by its content."""

from __future__ import annotations

import gzip
import hashlib
import itertools
import pickle
import re
import shutil
import zlib
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from ... import cache
from ...errors import LibraryError
from ..flow import tools
from . import groups
from .cells import Cell, Library

# What Debian's package qflow-tech-osu018 installs.
DEFAULT = Path("/usr/share/qflow/tech/osu018/osu018_stdcells.lib")
_FORM = 7  # of the dataclasses in `cells`: another one is parsed anew


def load(files: Sequence[Path] = ()) -> Library:
    """Read one library of one or several liberty files, plain or .gz; Debian's OSU 018 where none is
    named. Of two cells with one name the first file's is taken. Its name is that of the file up to
    the first dot, or what the names of several begin with.

    Raises
    ------
    LibraryError
        ``my.lib: line 1254: ends too soon; get the file again``
    """
    given = list(files) or [DEFAULT]
    if not files and not DEFAULT.exists():
        raise LibraryError(
            f"{DEFAULT}: not found; install Debian's package qflow-tech-osu018, or name a library"
        )
    texts = [_data(file) for file in given]
    sha256 = hashlib.sha256("".join(hashlib.sha256(t).hexdigest() for t in texts).encode()).hexdigest()
    folder = cache.home() / "libraries" / f"{sha256[:24]}-{_FORM}"
    try:
        library = pickle.loads((folder / "library.pickle").read_bytes())
        assert isinstance(library, Library)
    except Exception:  # none, or one that an interrupted or older program left
        tools.need_python("liberty")
        library = _merged([_read(t.decode(errors="replace"), f) for t, f in zip(texts, given, strict=True)])
        shutil.rmtree(folder, ignore_errors=True)
        with cache.making(folder) as part:
            for number, text in enumerate(texts):
                (part / f"{number}.lib").write_bytes(text)
            (part / "library.pickle").write_bytes(pickle.dumps(library, protocol=5))
    plain = tuple(folder / f"{number}.lib" for number in range(len(texts)))
    return replace(library, name=_name(given), files=plain, sha256=sha256)


def _merged(found: Sequence[Library]) -> Library:
    first, cells = found[0], dict[str, Cell]()
    for one in found:
        for what, unit in (("volt", "V"), ("celsius", "°C")):
            want, got = getattr(first, what), getattr(one, what)
            if abs(want - got) > 1e-9:
                raise LibraryError(
                    f"{one.name}: want {want:g} {unit} as in {first.name}, got {got:g} {unit};"
                    " take files of one corner"
                )
        cells = one.cells | cells
    return replace(first, cells=cells)


def _name(files: Sequence[Path]) -> str:
    names = [file.name.split(".")[0] for file in files]
    same = itertools.takewhile(lambda letters: len(set(letters)) == 1, zip(*names, strict=False))
    return "".join(letters[0] for letters in same).rstrip("_-") or names[0]


def _data(file: Path) -> bytes:
    """What is hashed: a comment in another encoding must not make another library of it."""
    try:
        data = file.read_bytes()
        return gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data
    except FileNotFoundError:
        raise LibraryError(f"{file}: no such file; name a liberty file") from None
    except (OSError, EOFError, zlib.error) as error:
        raise LibraryError(f"{file}: cannot be read: {error}; get the file again") from None


def _read(text: str, file: Path) -> Library:
    from liberty.parser import parse_liberty

    try:
        group = parse_liberty(text)
    except Exception as error:  # the parser has classes of its own, and lets others through
        raise LibraryError(f"{file.name}: {_reason(error)}; get the file again") from None
    if group.group_name != "library":
        raise LibraryError(f"{file.name}: want a library group, got {group.group_name}; name a liberty file")
    return groups.library(group, file)


def _reason(error: Exception) -> str:
    """The parser's own words name its classes; ours say where and what."""
    line = getattr(error, "line_num", None)
    words = repr(getattr(error, "e", error))
    if words.startswith("UnexpectedEndOfFile") or words.endswith(", None)"):
        what = "ends too soon"
    elif match := re.fullmatch(r"UnexpectedToken\((.*), (.*)\)", words):
        what = f"want {match[1]}, got {match[2]}"
    else:
        what = f"no liberty: {words}"
    what = re.sub(r"\s+", " ", what)[:120]
    return f"line {line + 1}: {what}" if line is not None else what
