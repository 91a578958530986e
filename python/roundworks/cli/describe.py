"""roundworks describe"""

from __future__ import annotations

import subprocess
from pathlib import Path

import click

from .common import cipher_options, give, row_options, write_whole


@click.command("describe", epilog="Example: roundworks describe aether --svg aether.svg")
@cipher_options()
@click.option(
    "--dot",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="PATH",
    help="Write the drawing to PATH, as Graphviz dot.",
)
@click.option(
    "--svg",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="PATH",
    help="Write the drawing to PATH, as SVG; Graphviz is needed.",
)
@row_options
def command(subject: str | Path, dot: Path | None, svg: Path | None) -> None:
    """Print what the description of a cipher or permutation says: its sizes; its load, its round and its
    keystream as equations; and how many operations its recorded graph has. With --svg or --dot, also write
    a drawing of its round.
    """
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
    give(result)
