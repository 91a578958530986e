"""What a tool made, found again by the content of all that it read. Whole or not there at all."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import shutil
import threading
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from . import spec
from .whole import writing


def home(wing: str = "hw") -> Path:
    """``build/<wing>`` of the checkout; of an installed package, the user's folder for caches.

    ``ROUNDWORKS_BUILD`` names another folder for ``build``.
    """
    if given := os.environ.get("ROUNDWORKS_BUILD"):
        return Path(given) / wing
    checkout = spec.checkout()
    return (checkout / "build" if checkout else _user_cache()) / wing


def _user_cache() -> Path:
    """Where the XDG base directory specification wants it; a relative path there counts as unset."""
    given = Path(os.environ.get("XDG_CACHE_HOME", ""))
    return (given if given.is_absolute() else Path.home() / ".cache") / "roundworks"


def key(files: Iterable[Path], facts: Mapping[str, Any]) -> str:
    """A name for the contents of `files`, in order, and for `facts`."""
    digest = hashlib.sha256(json.dumps(facts, sort_keys=True, default=str).encode())
    for file in files:
        digest.update(hashlib.sha256(file.read_bytes()).digest())
    return digest.hexdigest()[:24]


@contextlib.contextmanager
def making(folder: Path) -> Iterator[Path]:
    """An empty folder next to `folder`; it takes its name when the block ends well.

    On an error it is removed. After a kill its name still ends in ``.part``: nobody reads it, and
    the next to make `folder` removes it once its owner is gone.
    """
    folder.parent.mkdir(parents=True, exist_ok=True)
    for left in folder.parent.glob(f"{folder.name}.*.part"):
        if not _alive(int(left.name.split(".")[-2])):
            shutil.rmtree(left, ignore_errors=True)
    part = folder.with_name(f"{folder.name}.{threading.get_ident()}.{os.getpid()}.part")
    shutil.rmtree(part, ignore_errors=True)
    part.mkdir()
    try:
        yield part
        # Another process may have been quicker: its folder has the same content.
        with contextlib.suppress(OSError):
            part.rename(folder)
        if not folder.is_dir():
            raise FileNotFoundError(2, "could not be made", str(folder))
    finally:
        shutil.rmtree(part, ignore_errors=True)


def read(file: Path) -> Any:
    """A JSON value that `write` left, or None."""
    try:
        return json.loads(file.read_text(encoding="utf-8"))
    except (FileNotFoundError, NotADirectoryError):
        return None
    except ValueError:  # not ours; made again
        return None


def write(file: Path, value: Any) -> None:
    """Write a file whole or not at all."""
    write_text(file, json.dumps(value, indent=1) + "\n")


def write_text(file: Path, text: str) -> None:
    """Write a file whole or not at all."""
    file.parent.mkdir(parents=True, exist_ok=True)
    with writing(file) as part:
        part.write_text(text, encoding="utf-8")


def _alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
