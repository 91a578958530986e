"""roundworks describe"""

from __future__ import annotations

import subprocess
from pathlib import Path

import click

from .common import cipher_options, give, row_options, which, write_whole


@click.command(
    "describe",
    help="Print a cipher's sizes, its load, round and keystream as equations, and what the"
    " recorded graph holds; write its drawing with --svg or --dot.",
    epilog="Example: roundworks describe aether --svg aether.svg",
)
@cipher_options()
@click.option(
    "--dot",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="PATH",
    help="Write the drawing as Graphviz dot.",
)
@click.option(
    "--svg", type=click.Path(dir_okay=False, path_type=Path), metavar="PATH", help="Write the drawing as SVG."
)
@row_options
def command(
    cipher: str | None, file: Path | None, dot: Path | None, svg: Path | None, as_json: bool, no_store: bool
) -> None:
    subject = which(cipher, file)

    from ..studies.ciphers import describe

    result = describe(subject)
    source = result.rows[0].dot.encode()
    if dot:
        write_whole(dot, source)
    if svg:
        try:
            done = subprocess.run(["dot", "-Tsvg"], input=source, capture_output=True, check=False)
        except FileNotFoundError:
            raise click.ClickException(
                "dot: not found; install graphviz, or write the source with --dot"
            ) from None
        if done.returncode:
            raise click.ClickException(f"dot: {done.stderr.decode().strip()}")
        write_whole(svg, done.stdout)
    give(result, as_json=as_json, no_store=no_store)
