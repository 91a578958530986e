"""The cores of ``rtl/cores.toml``, or of a file of the user's in the same form."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import SpecError, UnknownName, unknown
from ..spec.documents import Document, per_root

if TYPE_CHECKING:
    from ..reference import Permutation, StreamAead

_COMMENT = re.compile(r"//.*|/\*[\s\S]*?\*/")


@dataclass(frozen=True, slots=True, eq=False)
class Parameter:
    """A parameter of the top module. ``choices``: the name of each value -> its number."""

    name: str
    meaning: str
    choices: Mapping[str, int]
    default: str


@dataclass(frozen=True, slots=True, eq=False)
class Core:
    """One entry. ``clock`` and ``reset`` are empty where the core is combinational; ``reset`` alone where no
    register has one.

    ``tests`` of the ``bench`` are run, all where it is empty. ``folder`` is where cores.toml lies,
    ``file`` is that file if it is a user's, ``trace`` the bench that reports which word is in which stage.
    A core that was generated has a ``description``, a name or a file in ``folder``, and the cycles of
    its ``steps``.
    """

    name: str
    family: str
    title: str
    top: str
    files: tuple[Path, ...]
    clock: str
    reset: str
    bench: str
    tests: tuple[str, ...]
    cycles: str
    visible: tuple[str, ...]
    parameters: tuple[Parameter, ...]
    folder: Path
    trace: str = ""
    description: str = ""
    steps: Mapping[str, int] = field(default_factory=dict)
    file: Path | None = None

    def chosen(self, given: Mapping[str, str]) -> dict[str, str]:
        """The name of every parameter's value: those given, the defaults of the others.

        Raises
        ------
        UnknownName
            ``aes-round: parameter Sbox: choice 'lot': not known; one of canright, lut``
        """
        by_name = {p.name: p for p in self.parameters}
        for name, value in given.items():
            if name not in by_name:
                raise unknown(f"{self.name}: parameter", name, by_name)
            if value not in by_name[name].choices:
                raise unknown(f"{self.name}: parameter {name}: choice", value, by_name[name].choices)
        return {p.name: given.get(p.name, p.default) for p in self.parameters}

    def numbers(self, given: Mapping[str, str]) -> dict[str, int]:
        """The same as the tools take it: every parameter's number."""
        chosen = self.chosen(given)
        return {p.name: p.choices[chosen[p.name]] for p in self.parameters}

    def source_sha256(self, given: Mapping[str, str]) -> str:
        """Of what any tool makes a circuit from: the files in order, comments and blanks aside, the
        top module and the parameters' numbers."""
        facts = {"top": self.top, "numbers": self.numbers(given)}
        words = [_COMMENT.sub(" ", file.read_text(encoding="utf-8")).split() for file in self.files]
        return hashlib.sha256(json.dumps([facts, words], sort_keys=True).encode()).hexdigest()


def cores(file: Path | None = None) -> tuple[Core, ...]:
    """Every core of `file`, or of ``rtl/cores.toml`` in its order."""
    return tuple(own(one, file) for one in _read(file)) if file else _ours()


def core(name: str, file: Path | None = None) -> Core:
    """The core of that name; an error lists those that exist.

    Without `file`, one of those of `components`, of `rav` and of `axis` as well. Others in the file may have
    our names: a changed copy of ours needs a name of its own.
    """
    known = {c.name: c for c in (_read(file) if file else _ours())}
    if name in known:
        return replace(own(known[name], file), file=file.resolve()) if file else known[name]
    if file is None:
        from .generate import axis, components, rav

        if name in components.components():
            return components.core(name)
        if name in rav.rav_cores():
            return rav.rav_cores()[name]
        if name.endswith((axis.AXIS, axis.LOOP)):
            return axis.axis_core(name)
        raise unknown("core", name, [*known, *rav.rav_cores(), *components.components()])
    raise unknown(f"{file.name}: core", name, known)


def own(one: Core, file: Path) -> Core:
    """A core of the user's `file`, unless one of ours has its name: rows meet by name, and the report
    would show the one for the other.

    Raises
    ------
    SpecError
        ``mine.txt: name 'sbox-orthros' is taken by a core of ours; give yours another name``
    """
    try:
        ours = core(one.name)
    except UnknownName:
        return one
    if _circuit(one) != _circuit(ours):
        raise SpecError(f"{file}: name {one.name!r} is taken by a core of ours; give yours another name")
    return one


def _circuit(one: Core) -> tuple[object, ...]:
    """What the rows of a core are of."""
    choices = {p.name: dict(p.choices) for p in one.parameters}
    return one.source_sha256({}), choices, one.clock, one.reset, one.bench, one.tests


def described(one: Core) -> StreamAead[Any] | Permutation[Any]:
    """The description that a generated core was made from."""
    from ..reference.catalogue import get_analysed, programmed
    from ..reference.own import load_description

    if one.description.endswith(".py"):
        return programmed(load_description(one.folder / one.description))
    return programmed(get_analysed(one.description))


def assignments(given: tuple[str, ...]) -> dict[str, str]:
    """``("Sbox=lut",)`` -> ``{"Sbox": "lut"}``, as a command line gives parameters."""
    chosen: dict[str, str] = {}
    for text in given:
        name, mark, value = text.partition("=")
        if not (name and mark and value):
            raise UnknownName(f"parameter: want Name=choice, got {text!r}")
        if name in chosen:
            raise UnknownName(f"parameter {name}: want it once, got {chosen[name]!r} and {value!r}")
        chosen[name] = value
    return chosen


def label(parameters: Mapping[str, str]) -> str:
    """``Sbox=lut Depth=4``, or a dash where there is none."""
    return " ".join(f"{name}={value}" for name, value in parameters.items()) or "-"


def wants_bench(one: Core, problem: str) -> str:
    """The line of an error of a core whose bench is not there, or not the right one: `problem`, but where
    streams are the reason."""
    if one.name.endswith("-axis"):
        return f"{one.name}: no bench; {one.name}-loop has one, which drives its streams: name that core"
    return f"{one.name}: {problem}"


def _read(file: Path) -> tuple[Core, ...]:
    document = Document(file, "cores")
    document.unique(("cores",), "name")
    lists: dict[str, tuple[Path, ...]] = {}
    for name, files in document.data.get("files", {}).items():
        lists[name] = _files(document, ("files", name), files, lists)
    return tuple(_core(document, i, c, lists) for i, c in enumerate(document.data["cores"]))


_ours = per_root(lambda home: _read(home / "rtl" / "cores.toml"))


def _core(
    document: Document, index: int, data: Mapping[str, Any], lists: Mapping[str, tuple[Path, ...]]
) -> Core:
    if "reset" in data and "clock" not in data:
        document.fail(("cores", index), "reset: want clock too")
    common = document.data.get("parameters", {})
    return Core(
        name=data["name"],
        family=data["family"],
        title=data["title"],
        top=data["top"],
        files=_files(document, ("cores", index, "files"), data["files"], lists),
        clock=data.get("clock", ""),
        reset=data.get("reset", ""),
        bench=data.get("bench", ""),
        tests=tuple(data.get("tests", ())),
        cycles=data.get("cycles", ""),
        visible=tuple(data.get("visible", ())),
        parameters=tuple(
            _parameter(document, ("cores", index, "parameters", name), name, {**common.get(name, {}), **p})
            for name, p in data.get("parameters", {}).items()
        ),
        folder=document.path.resolve().parent,
        trace=data.get("trace", ""),
        description=data.get("description", ""),
        steps=data.get("steps", {}),
    )


def _files(
    document: Document,
    place: tuple[str | int, ...],
    names: Sequence[str],
    lists: Mapping[str, tuple[Path, ...]],
) -> tuple[Path, ...]:
    paths: list[Path] = []
    folder = document.path.resolve().parent
    for number, name in enumerate(names):
        if name.startswith("@"):
            if name[1:] not in lists:
                document.fail((*place, number), f"no list {name[1:]!r} under [files] before this one")
            paths += lists[name[1:]]
        elif (folder / name).is_file():
            paths.append(folder / name)
        else:
            document.fail((*place, number), f"no file {name!r} next to this one")
    return tuple(paths)


def _parameter(
    document: Document, place: tuple[str | int, ...], name: str, data: Mapping[str, Any]
) -> Parameter:
    if "meaning" not in data or "default" not in data or not {"choices", "values"} & set(data):
        document.fail(place, "want meaning, default and choices or values, here or in [parameters]")
    choices = data.get("choices") or {str(value): value for value in data["values"]}
    default = str(data["default"])
    if default not in choices:
        document.fail((*place, "default"), f"want {' or '.join(choices)}, got {default!r}")
    return Parameter(name, data["meaning"], choices, default)


__all__ = [
    "Core",
    "Parameter",
    "SpecError",
    "assignments",
    "core",
    "cores",
    "described",
    "label",
    "own",
    "wants_bench",
]
