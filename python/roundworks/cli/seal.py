"""roundworks seal"""

from __future__ import annotations

import click

from .. import _native
from .names import Name
from .sealing import SUFFIX, file_options, key_arguments, stream, watching

_CIPHERS = _native.file_ciphers()


@click.command(
    "seal",
    help="Encrypt and authenticate INPUT, a file or - for standard input, into INPUT.roundworks."
    " The output appears when it is whole, with its bytes on the disk.",
    epilog="Example: roundworks keygen my.key && roundworks seal --key my.key report.pdf",
)
@file_options
@click.option(
    "--cipher",
    type=Name("file-ciphers"),
    metavar="NAME",
    help=f"Seal with this cipher: {_CIPHERS[0]} unless set, or {', '.join(_CIPHERS[1:])}.",
)
def command(
    input: str,
    output: str | None,
    key: str | None,
    passphrase: bool,
    passphrase_file: str | None,
    research: bool,
    force: bool,
    no_sync: bool,
    cipher: str | None,
) -> None:
    keys = key_arguments(key, passphrase, passphrase_file)
    source, target = stream(input), stream(output)
    if output is None and source is not None:
        target = f"{source}{SUFFIX}"
    with watching("sealing") as watch:
        _native.seal_file(
            source,
            target,
            **keys,
            cipher=cipher,
            research=research,
            replace=force,
            sync=not no_sync,
            watch=watch,
        )
