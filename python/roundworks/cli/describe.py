"""roundworks describe"""

from __future__ import annotations

import subprocess
import time
from pathlib import Path

import click
from rich.markup import escape

from ..analysis.drawing import drawings_of, equations, inventory
from ..reference import (
    Aead,
    Permutation,
    Recording,
    Rounds,
    Roundwise,
    StreamAead,
    record_load,
    record_round,
    record_rounds,
)
from .common import (
    chosen_label,
    chosen_rounds,
    cipher_options,
    deliver,
    make_rows,
    out,
    row_options,
    write_whole,
)


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
    "--svg",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="PATH",
    help="Write the drawing as SVG.",
)
@row_options
def command(
    cipher: str | None,
    file: Path | None,
    dot: Path | None,
    svg: Path | None,
    as_json: bool,
    no_store: bool,
) -> None:
    started = time.perf_counter()
    it = chosen_rounds(cipher, file)
    recording = record_rounds(it, 1) if isinstance(it, Permutation) else record_round(it)
    load = record_load(it) if isinstance(it, StreamAead) else None
    drawings = drawings_of(it, recording)
    label = f"roundworks describe {chosen_label(cipher, file)}"
    seconds = time.perf_counter() - started
    rows = make_rows("drawing", [drawing | {"seconds": seconds} for drawing in drawings], label)
    drawing = drawings[0]
    if dot:
        write_whole(dot, drawing["dot"].encode())
    if svg:
        try:
            done = subprocess.run(
                ["dot", "-Tsvg"], input=drawing["dot"].encode(), capture_output=True, check=False
            )
        except FileNotFoundError:
            raise click.ClickException(
                "dot: not found; install graphviz, or write the source with --dot"
            ) from None
        if done.returncode:
            raise click.ClickException(f"dot: {done.stderr.decode().strip()}")
        write_whole(svg, done.stdout)
    deliver(rows, as_json=as_json, no_store=no_store)
    if not as_json:
        print_description(it, recording, load)


def print_description(it: Roundwise, recording: Recording, load: Recording | None) -> None:
    about = (type(it).__doc__ or "").strip().splitlines()
    out.print(f"[bold]{it.name}[/]  {escape(about[0]) if about else ''}")
    if isinstance(it, Permutation):
        out.print(
            f"  a permutation of {it.words} x {it.word_bits:,} bits, {it.length(it.rounds)}\n\nround 0"
        )
        _print_equations(recording)
        return
    assert isinstance(it, Aead)  # of a cipher's rounds, the whole cipher
    tags = " or ".join(map(str, (it.tag_bytes, *it.other_tag_bytes)))
    if isinstance(it, StreamAead):
        made_of = f"{it.words:,} words of {it.word_bits:,} bits, {it.rate_bytes} bytes a round"
    else:
        made_of = f"a mode of blocks of {it.words} x {it.word_bits:,} bits"
    out.print(
        f"  key {it.key_bytes} bytes, nonce {it.nonce_bytes} bytes, tag {tags} bytes; {made_of}"
    )
    if it.warning:
        out.print(f"  warning: {it.warning}", markup=False)
    if load:
        out.print("\nload")
        for line in equations(load):
            out.print(f"  {line}", markup=False)
    called = isinstance(it, Rounds)
    out.print("\nround 0 of what a block goes through" if called else "\nround and keystream")
    _print_equations(recording)


def _print_equations(recording: Recording) -> None:
    for line in equations(recording):
        out.print(f"  {line}", markup=False)
    held = ", ".join(f"{count:,} {name}" for name, count in inventory(recording.graph).items())
    out.print(f"\ngraph: {held}", markup=False)
