"""The names that the command line takes: `roundworks list KIND` prints them, a shell completes them.

Nothing is imported before a name is wanted.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterable
from typing import Any

import click
from click.shell_completion import CompletionItem

from ..errors import unknown


def _of(module: str, names: Callable[[Any], Iterable[str]]) -> Callable[[], Iterable[str]]:
    """Names that a module has."""
    return lambda: names(importlib.import_module(f"roundworks.{module}"))


def _cores() -> Iterable[str]:
    from ..hardware.cores import cores
    from ..hardware.generate import components, rav

    return [*(one.name for one in cores()), *rav.rav_cores(), *components.components()]


KINDS: dict[str, Callable[[], Iterable[str]]] = {
    "ciphers": _of("reference", lambda reference: reference.names()),
    "permutations": _of("reference", lambda reference: reference.permutations()),
    "descriptions": _of("reference", lambda reference: [*reference.analysed(), *reference.catalogued()]),
    "cores": _cores,
    "measures": _of("prove.measures", lambda measures: measures.MEASURES),
    "papers": _of("spec", lambda spec: [paper.key for paper in spec.papers()]),
    "solvers": _of("prove.solvers", lambda solvers: solvers.NAMES),
    "cpus": _of("spec", lambda spec: [cpu.name for cpu in (*spec.cpus(), *spec.generic_cpus())]),
    "backends": _of("spec", lambda spec: dict.fromkeys(b for c in spec.ciphers() for b in c.backends)),
    "file-ciphers": _of("_native", lambda native: native.file_ciphers()),
}


class Name(click.ParamType[str]):
    """A name of one of `KINDS`, which a shell completes; the verb itself says if there is none such.

    With ``file``, the name of a file will do as well.
    """

    name = "name"

    def __init__(self, kind: str, *, file: bool = False) -> None:
        self.kind, self.file = kind, file

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """The word as it stands: the verb refuses a name that is none."""
        return str(value)

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """The names that begin with ``incomplete``, or, where none does, files."""
        names = begun(KINDS[self.kind](), incomplete)
        if self.file and incomplete and not names:
            return [CompletionItem(incomplete, type="file")]
        return names


class Choice(click.Choice[str]):
    """One of these, as click's; where there are many, an error names those that are meant."""

    def __init__(self, choices: Iterable[str], kind: str | None = None) -> None:
        super().__init__(list(choices))
        self.kind = kind

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The word itself, or a usage error that names the choices that are meant."""
        if value in self.choices:
            return value
        place = "" if param is None else param.human_readable_name
        kind = self.kind or (param.opts[0] if isinstance(param, click.Option) else place)
        error = unknown(kind, str(value), self.choices)
        raise error if self.kind else click.UsageError(str(error), ctx)


def begun(names: Iterable[str], incomplete: str) -> list[CompletionItem]:
    """The names that begin so, as completions."""
    return [CompletionItem(name) for name in names if name.startswith(incomplete)]


def _before(ctx: click.Context, place: str, kind: str) -> str | None:
    """The name of this kind that stands before. `completion.respond` leaves the words in `ctx.obj`, for
    click parses no argument in front of an option that still wants its value."""
    if given := ctx.params.get(place):
        return str(given)
    known = set(KINDS[kind]())
    return next((word for word in ctx.obj or () if word in known), None)


def complete_subject(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """A cipher, or a permutation with --permutations."""
    of_permutations = "--permutations" in (ctx.obj or ())
    kind = "permutations" if of_permutations else "ciphers"
    return begun(KINDS[kind](), incomplete)


def complete_table(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """A table of the paper that stands before."""
    from .. import spec

    paper = _before(ctx, "paper", "papers")
    papers = [spec.paper(paper)] if paper else spec.papers()
    numbers = dict.fromkeys(table.number for paper in papers for table in paper.tables)
    return begun(numbers, incomplete)


def complete_parameter(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """``Sbox=lut`` and the like, of the core that stands before."""
    from ..hardware.cores import core

    name = _before(ctx, "name", "cores")
    parameters = core(name).parameters if name else ()
    return begun([f"{p.name}={choice}" for p in parameters for choice in p.choices], incomplete)


def complete_test(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """A test of the core that stands before."""
    from ..hardware.cores import core

    name = _before(ctx, "name", "cores")
    return begun(core(name).tests if name else (), incomplete)
