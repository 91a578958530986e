"""roundworks open"""

from __future__ import annotations

import os
from typing import Any

import click

from .. import _native
from .sealing import SUFFIX, file_options, stream, watching


@click.command("open", epilog="Example: roundworks open --key my.key report.pdf.roundworks -o copy.pdf")
@file_options
def command(input: str, output: str | None, arguments: dict[str, Any]) -> None:
    # A terminal gets decrypted bytes only if - was given.
    """Verify and decrypt a file that `roundworks seal` wrote. INPUT is that file, or - for standard input.
    An output file appears after all of it is verified. An output stream receives each chunk after that
    chunk is verified.

    The exit code is 1 if INPUT is not authentic. Then no output was written, or the message states how much
    of it was.
    """
    source, target = stream(input), stream(output)
    if output is None and source is not None:
        target, suffix = os.path.splitext(source)
        if suffix != SUFFIX:
            raise click.UsageError(f"{input}: want --output, as the name does not end in {SUFFIX}")
    with watching("opening") as watch:
        _native.open_file(source, target, **arguments, terminal=output == "-", watch=watch)
