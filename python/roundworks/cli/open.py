"""roundworks open"""

from __future__ import annotations

import os

import click

from .. import _native
from .sealing import SUFFIX, file_options, key_arguments, stream, watching


@click.command(
    "open",
    help="Verify and decrypt INPUT, a sealed file or - for standard input. A file appears when all"
    " of it is verified; a stream gets each chunk once that is. Exits 1 if INPUT is not authentic:"
    " then nothing was written, or the message says how much was.",
    epilog="Example: roundworks open --key my.key report.pdf.roundworks -o copy.pdf",
)
@file_options
def command(
    input: str,
    output: str | None,
    key: str | None,
    passphrase: bool,
    passphrase_file: str | None,
    research: bool,
    force: bool,
    no_sync: bool,
) -> None:
    keys = key_arguments(key, passphrase, passphrase_file)
    # A terminal gets decrypted bytes only if that was said.
    terminal = output == "-"
    source, target = stream(input), stream(output)
    if output is None and source is not None:
        target, suffix = os.path.splitext(source)
        if suffix != SUFFIX:
            raise click.UsageError(f"{input}: want --output, as the name does not end in {SUFFIX}")
    with watching("opening") as watch:
        _native.open_file(
            source,
            target,
            **keys,
            research=research,
            replace=force,
            sync=not no_sync,
            terminal=terminal,
            watch=watch,
        )
