"""Files that are there whole or not at all."""

from __future__ import annotations

import contextlib
import secrets
import stat
from collections.abc import Iterator
from pathlib import Path


@contextlib.contextmanager
def writing(path: Path) -> Iterator[Path]:
    """An empty file to write in; it takes the place of `path` when the block ends well, with the rights that a
    file there has, and through a symbolic link.

    On an error it is removed, and `path` stays as it was.

    Raises
    ------
    OSError
        with `path` as its file name: it cannot be written
    """
    there = path.resolve()
    # A name that nobody can know: never the file of somebody else, nor through a link.
    part = there.with_name(f".{secrets.token_hex(8)}.part")
    try:
        part.open("xb").close()
        yield part
        if there.exists():
            part.chmod(stat.S_IMODE(there.stat().st_mode))
        part.replace(there)
    except OSError as error:
        if error.filename is not None and str(part) not in (str(error.filename), str(error.filename2)):
            raise
        raise OSError(error.errno, error.strerror, str(path)) from None
    finally:
        with contextlib.suppress(OSError):  # gone already, or not to be removed either
            part.unlink(missing_ok=True)
