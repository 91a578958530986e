"""What the verbs on hardware cores share: naming a core, its parameters, a library."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any, cast

import click

from .common import Command, err, file_option
from .names import Name, complete_parameter

if TYPE_CHECKING:
    from ..hardware.flow.synthesis import Progress


def core_options(command: Command, *, simulated: bool = True) -> Command:
    """[CORE], --parameter, --cores, --file and --generated; the verb gets the core that is meant as ``choice``.

    A generated core does a few messages first unless not ``simulated``: where the verb is what simulates it.
    """

    @functools.wraps(command)
    def verb(
        *args: Any,
        name: str | None,
        parameters: tuple[str, ...],
        cores_file: Path | None,
        described: Path | None,
        generated: bool,
        **options: Any,
    ) -> object:
        from ..hardware.cores import assignments
        from ..studies.hardware import choose, choose_generated

        if name is not None and name.endswith(".py") and not (described or generated or cores_file):
            described, name = Path(name), None  # as every verb takes a file
        given = assignments(parameters)
        components = {k: options.pop(k) for k in ("sbox", "matrix") if k in options}  # `synth` has them
        if generated or described is not None:
            subject = described if described is not None else the_name(name)
            if cores_file or (generated and described):
                raise click.UsageError(
                    "--generated: leave --cores and --file out; CORE names the cipher"
                    if generated
                    else "--file: leave --cores out; the core comes from the description"
                )
            if any(components.values()):
                raise click.UsageError("want one of --file, --generated, --sbox and --matrix")
            other = None if generated else name
            with err.status("") as status:
                choice = choose_generated(
                    subject, given, name=other, simulated=simulated, progress=status.update
                )
        else:
            choice = choose(
                name if components else the_name(name), given, cores_file=cores_file, **components
            )
        return command(*args, choice=choice, **options)

    options = (
        file_option(
            "--file",
            "described",
            help="Take the core of a description of your own: generated, proven, and kept by its content."
            " CORE may name another core of it (docs/how-to/generate.md).",
        ),
        click.option(
            "--generated",
            is_flag=True,
            help="CORE is a cipher of `roundworks list`: take the core that is generated from its description.",
        ),
        file_option(
            "--cores",
            "cores_file",
            help="Read the cores from FILE, a cores.toml of your own; docs/reference/hardware.md has its form.",
        ),
        click.option(
            "--parameter",
            "parameters",
            multiple=True,
            metavar="NAME=CHOICE",
            shell_complete=complete_parameter,
            help="Set a parameter of the core; may be repeated.",
        ),
        click.argument("name", metavar="[CORE]", required=False, type=Name("cores")),
    )
    made: Any = verb
    for option in options:
        made = option(made)
    return cast(Command, made)


def the_name(name: str | None) -> str:
    """The name of a core, where it was given.

    Raises
    ------
    click.UsageError
        ``want CORE, or --file my_cipher.py``
    """
    if name is None:
        raise click.UsageError("want CORE (`roundworks list cores` prints them), or --file my_cipher.py")
    return name


def library_option(command: Command) -> Command:
    """--library, once for each file."""
    return file_option(
        "--library",
        "libraries",
        multiple=True,
        help="Read a cell library in Liberty, plain or .gz; repeat for one in "
        "several files. Debian's OSU 018 unless set.",
    )(command)


@contextmanager
def progress_bar(name: str) -> Iterator[Callable[[Progress], object]]:
    """Netlists done, time left by those that are, the fastest so far. On a terminal only."""
    if not err.is_terminal:
        yield lambda p: None
        return

    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn
    from rich.progress import Progress as Bar

    columns = (
        TextColumn("{task.description}"),
        BarColumn(30),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("{task.fields[left]}  {task.fields[best]}"),
    )
    started = monotonic()
    with Bar(*columns, console=err, transient=True) as bar:
        task = bar.add_task(f"{name}: elaborating", total=None, left="", best="")

        def show(p: Progress) -> None:
            rest = (monotonic() - started) / p.done * (p.total - p.done) if p.done else 0
            bar.update(
                task,
                description=name,
                total=p.total,
                completed=p.done,
                left=f"about {rest:.0f} s left" if p.done else "",
                best=f"fastest {p.best.period_ps:,.1f} ps, {p.best.kge:.2f} kGE" if p.best else "",
            )

        yield show
