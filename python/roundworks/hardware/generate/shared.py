"""The sources that several cores have in common, as cores of FuseSoC of their own.

A chip may have several of our cores, and each of their modules once. So a source that more than one
core reads is of a group, which is the folder it lies in: aes, common, aegis and so on. A group is the
same whatever was exported, and so are two copies of it in two folders.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ...spec.documents import per_root
from .. import cores
from ..cores import Core
from .axis import axis_cores
from .rav import rav_cores

_COMMENT = re.compile(r"//.*|/\*[\s\S]*?\*/")


@dataclass(frozen=True, slots=True)
class Group:
    """``sources``: name -> text, in the order in which a tool reads them. ``groups``: those that it needs."""

    name: str
    sources: Mapping[str, str]
    groups: Sequence[str]


def groups() -> Mapping[str, Group]:
    """Name -> group, each behind those that it needs."""
    return _groups()


def group_of(file: Path) -> str:
    """The group that has this very source; empty if none has, and a core exports it by itself."""
    for group in groups().values():
        if group.sources.get(file.name) == file.read_text(encoding="utf-8"):
            return group.name
    return ""


def needed(names: Sequence[str]) -> tuple[str, ...]:
    """These groups and those that they need, in order."""
    wanted = set(names)
    for name in reversed(list(groups())):
        if name in wanted:
            wanted |= set(groups()[name].groups)
    return tuple(name for name in groups() if name in wanted)


@per_root
def _groups(home: Path) -> Mapping[str, Group]:
    readers: dict[Path, list[Core]] = {}
    for core in (*cores.cores(), *rav_cores().values(), *axis_cores().values()):
        for file in core.files:
            readers.setdefault(file, []).append(core)
    # What a source instantiates stands before it in the list of each of its readers, so here, too.
    sources: dict[str, dict[str, str]] = {}
    for file, those in readers.items():
        if len(those) > 1:
            folder = file.parent.name if file.is_relative_to(those[0].folder) else those[0].family
            sources.setdefault(folder, {})[file.name] = file.read_text(encoding="utf-8")
    home_of = {Path(file).stem: folder for folder, texts in sources.items() for file in texts}
    needs = {
        folder: {home_of[word] for text in texts.values() for word in _words(text) if word in home_of}
        - {folder}
        for folder, texts in sources.items()
    }
    ordered: dict[str, Group] = {}
    while len(ordered) < len(sources):
        ready = [folder for folder in sources if folder not in ordered and needs[folder] <= set(ordered)]
        assert ready, f"groups of sources need one another: {needs}"
        for folder in ready:
            ordered[folder] = Group(folder, sources[folder], sorted(needs[folder]))
    return ordered


def _words(text: str) -> set[str]:
    """Of modules and packages, the name of a source without .sv."""
    return set(re.findall(r"\w+", _COMMENT.sub(" ", text)))
