"""roundworks audit"""

from __future__ import annotations

from pathlib import Path

import click
from rich.markup import escape

from .common import NO, YES, cipher_options, deliver, err, out, row_options

_STYLE = {"forgery": "bold red", "leak": "yellow", "note": "cyan", "pass": "green"}


@click.command("audit", epilog="Example: roundworks audit aether")
@cipher_options("ciphers")
@click.option(
    "--seed",
    type=click.IntRange(0),
    default=1,
    show_default=True,
    help="Set the seed of the random keys and messages; equal seeds give equal findings.",
)
@click.option("--brief", is_flag=True, help="Print one line for each finding, without its explanation.")
@row_options
def command(subject: str | Path, seed: int, brief: bool) -> int:
    """Search a mode of operation for errors: inputs whose boundary can be moved, or that can be truncated or
    extended; lengths, or parts of the state, the key or the nonce, that do not influence the tag; what a
    repeated nonce gives away; symmetries and fixed words. Each forgery is run, and printed in full so that
    anyone can check it.

    The exit code is 1 if a forgery was found. What a repeated nonce gives away, symmetries and fixed words
    are properties, not errors.
    """
    from ..studies.ciphers import audit

    with err.status("auditing"):
        result = audit(subject, seed=seed)
    if deliver(result.rows):
        for row in result:
            title = escape(row.title.removeprefix(f"{row.check}: "))
            out.print(f"[{_STYLE[row.verdict]}]{row.verdict:<8}[/] {row.check}: {title}")
            if not brief:
                for line in (row.detail, *_proof_lines(row.proof or {})):
                    out.print(f"         {line}", markup=False)
        out.print(f"\n{result.notes[0]}", markup=False)
    return NO if any(row.verdict == "forgery" for row in result) else YES


def _proof_lines(proof: dict[str, object], indent: str = "") -> list[str]:
    lines = []
    for key, value in proof.items():
        if isinstance(value, dict):
            lines += [f"{indent}{key}", *_proof_lines(value, indent + "  ")]
        else:
            lines.append(f"{indent}{key} = {value if value != '' else '(empty)'}")
    return lines
