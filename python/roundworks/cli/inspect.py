"""roundworks inspect"""

from __future__ import annotations

import json

import click

from .. import _native
from .sealing import PATH, stream
from .signals import stop_on_signals

_WORDS = {
    "version": "format version",
    "cipher": "cipher",
    "key": "key from",
    "argon2id_memory_kib": "Argon2id memory, KiB",
    "argon2id_passes": "Argon2id passes",
    "argon2id_lanes": "Argon2id lanes",
    "chunk_bytes": "chunk, bytes",
    "tag_bytes": "tag, bytes",
    "salt": "salt",
    "key_check": "key check",
    "file_bytes": "sealed file, bytes",
    "chunks": "chunks",
    "data_bytes": "data, bytes",
}


@click.command("inspect", epilog="Example: roundworks inspect report.pdf.roundworks")
@click.argument("input", type=PATH, default="-", metavar="[INPUT]")
@click.option("--json", "as_json", is_flag=True, help="Print the header as one JSON object.")
def command(input: str, as_json: bool) -> None:
    """Print the header of a sealed file: its format version, its cipher, where its key comes from, and its
    sizes. INPUT is that file, or - for standard input. No key is needed, so nothing is verified;
    `roundworks open` verifies the header with the data. The exit code is 2 if INPUT is not a sealed file.
    """
    stop_on_signals()
    facts = _native.inspect_file(stream(input))
    if as_json:
        print(json.dumps(facts))
        return
    for name, words in _WORDS.items():
        if name in facts:
            value = facts[name]
            print(f"{words:<22}{value:,}" if isinstance(value, int) else f"{words:<22}{value}")
