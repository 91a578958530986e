"""roundworks keygen"""

from __future__ import annotations

import click

from .. import _native
from ..errors import printable
from .sealing import PATH
from .signals import stop_on_signals
from .streams import say


@click.command("keygen", epilog="Example: roundworks keygen my.key")
@click.argument("file", type=PATH)
def command(file: str) -> None:
    """Write a new random key to FILE, for `roundworks seal` and `roundworks open`. Only the owner of the
    file can read it. A file that exists is never replaced.
    """
    if file == "-":
        raise click.UsageError("want the name of a file; no key is written to standard output")
    stop_on_signals()
    _native.create_key_file(file)
    name = printable(file)
    say(f"roundworks: {name}: keep it secret and keep a copy; without it what it sealed stays sealed")
