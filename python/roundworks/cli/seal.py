"""roundworks seal"""

from __future__ import annotations

from typing import Any

import click

from .. import _native
from .names import Name
from .sealing import SUFFIX, file_options, stream, watching

_CIPHERS = _native.file_ciphers()


@click.command("seal", epilog="Example: roundworks keygen my.key && roundworks seal --key my.key report.pdf")
@file_options
@click.option(
    "--cipher",
    type=Name("file-ciphers"),
    metavar="NAME",
    help=f"Seal with this cipher: {_CIPHERS[0]} unless set, or {', '.join(_CIPHERS[1:])}.",
)
def command(input: str, output: str | None, arguments: dict[str, Any], cipher: str | None) -> None:
    """Encrypt and authenticate a file. INPUT is the file, or - for standard input. The output is
    INPUT.roundworks unless --output is given. It appears when it is complete and its bytes are on the disk.
    One of --key, --passphrase and --passphrase-file is needed.
    """
    source, target = stream(input), stream(output)
    if output is None and source is not None:
        target = f"{source}{SUFFIX}"
    with watching("sealing") as watch:
        _native.seal_file(source, target, **arguments, cipher=cipher, watch=watch)
