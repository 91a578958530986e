"""Generated files on the disk, all of them or none; compiled and run."""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path

from ..errors import RoundworksError, ToolMissing

MARK = ".roundworks-generated"
"""In a directory that was written here: the names of its files."""


class NotWritten(RoundworksError):
    """A directory that holds something else."""


class BuildFailed(RoundworksError):
    """Generated files that do not compile, or whose tests fail."""


def write(files: Mapping[str, str], folder: Path, force: bool = False) -> None:
    """Put files into a new directory, or into one that was written by this before.

    Raises
    ------
    NotWritten
        ``out: holds other files (notes.txt); choose another directory, or --force to write next to them``
    """
    refuse_others(folder, force)
    folder.parent.mkdir(parents=True, exist_ok=True)
    with _near(folder) as part:
        for name, text in files.items():
            path = part / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        (part / MARK).write_text("\n".join(sorted(files)), encoding="utf-8")
        if folder.exists():
            for path in sorted(part.rglob("*")):
                target = folder / path.relative_to(part)
                if path.is_dir():
                    target.mkdir(exist_ok=True)
                else:
                    os.replace(path, target)
        else:
            # A directory is renamed whole: an interruption leaves it out.
            os.replace(part, folder)


@contextlib.contextmanager
def a_copy(files: Mapping[str, str], folder: Path) -> Iterator[Path]:
    """The files in a directory that lives as long as the block, next to ``folder``, so that what compilers and
    simulators leave is not in the user's."""
    with _near(folder) as part:
        write(files, part)
        yield part


@contextlib.contextmanager
def _near(folder: Path) -> Iterator[Path]:
    """An empty directory on the same file system, with the mode that the umask wants: a temporary one is its owner's
    alone, so it is one level below that."""
    there = next(place for place in (folder.parent, *folder.parents) if place.is_dir())
    with tempfile.TemporaryDirectory(dir=there, prefix=f".{folder.name}.") as place:
        part = Path(place) / "made"
        part.mkdir()
        yield part


def refuse_others(folder: Path, force: bool = False) -> None:
    """An error, as of `write`, if it would not write there."""
    if folder.exists() and not force:
        if not folder.is_dir():
            raise NotWritten(f"{folder}: is a file; choose another name")
        mark = folder / MARK
        ours = set(mark.read_text(encoding="utf-8").split("\n")) if mark.is_file() else set()
        there = {entry.name for entry in folder.iterdir()} - {MARK}
        ours = {Path(name).parts[0] for name in ours}
        if others := sorted(there - ours - _built(there, ours)):
            listed = ", ".join(others[:3]) + (", ..." if len(others) > 3 else "")
            raise NotWritten(
                f"{folder}: holds other files ({listed}); choose another directory, or --force to write"
                " next to them"
            )


def _built(there: set[str], ours: set[str]) -> set[str]:
    """What a build leaves next to files of ours."""
    stems = {Path(name).stem for name in ours}
    left = {name for name in there if Path(name).stem.removeprefix("test_") in stems or name == "__pycache__"}
    return left | ({"target", "Cargo.lock"} if "Cargo.toml" in ours else set())


def run(
    folder: Path,
    command: list[str],
    seconds: float = 600,
    missing: str = "install it, or leave the files unchecked with --no-check",
) -> str:
    """Run a command in a directory; its output. ``missing``: what to do without the program.

    Raises
    ------
    ToolMissing
        ``make: not found; install it, or leave the files unchecked with --no-check``
    BuildFailed
        ``make test: exit 2: toy.c:5: error: ...; ...``, the last lines in one
    """
    if shutil.which(command[0]) is None:
        raise ToolMissing(f"{command[0]}: not found; {missing}")
    done = subprocess.run(
        command,
        cwd=folder,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        timeout=seconds,
        check=False,
    )
    if done.returncode:
        said = done.stdout.partition("\nStack backtrace:")[0]  # what rustup adds, without a toolchain
        tail = "; ".join(said.strip().splitlines()[-5:])
        raise BuildFailed(f"{' '.join(command)}: exit {done.returncode}: {tail}")
    return done.stdout
