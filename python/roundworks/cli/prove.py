"""roundworks prove"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from ..binary.lengths import LENGTHS
from .common import NO, YES, file_option, give, row_options
from .names import Choice, Name
from .studying import conducted, ledger_file, study_options

BACKENDS = ("portable", "aesni", "gfni", "avx2", "vaes256", "evex128", "evex256", "vaes512", "avx512")


@click.command("prove", epilog="Example: roundworks prove aegis-128l --backend vaes512")
@click.argument("names", nargs=-1, metavar="[NAME]...", type=Name("ciphers"))
@click.option(
    "--backend",
    "backends",
    type=Choice(BACKENDS),
    multiple=True,
    help="Prove this back end only; may be repeated. All unless set.",
)
@click.option(
    "--lengths",
    type=Choice(LENGTHS),
    default="few",
    show_default=True,
    help="few: an empty message, a short one, one of five blocks, and of Minalpher 24 or 28 where a back end"
    " takes many at a time; edges: also lengths around the ends of blocks; all: also every length up to three"
    " blocks, which takes minutes for each cipher. Several messages in one call have lengths of their own.",
)
@file_option(
    "--file",
    exists=True,
    help="Prove the code that is generated from a description of your own (docs/how-to/own-cipher.md).",
)
@click.option(
    "--generated", is_flag=True, help="Prove the code that is generated from the catalogue's ciphers."
)
@click.option(
    "--to",
    type=Choice(("c", "rust")),
    default="c",
    show_default=True,
    help="With --file or --generated: the C, or the crate.",
)
@file_option(
    "--library",
    exists=True,
    help="Prove this libroundworks.so; the one that `make install-c` put in place unless set.",
)
@study_options
@row_options
def command(
    names: tuple[str, ...],
    backends: tuple[str, ...],
    lengths: str,
    file: Path | None,
    generated: bool,
    to: str,
    library: Path | None,
    **how: Any,
) -> int:
    """Prove that the compiled library computes what the descriptions say: its machine code for x86-64 is
    executed on symbols, and what it leaves is compared with the description, for all keys, nonces and data.
    A call has fixed lengths, which is what --lengths is about. That the run ends shows that no branch and
    no address depends on a secret, but for whether a tag is right; and it counts the bytes of secrets that
    are left in dead memory. No processor with these instructions is needed.

    With --file or --generated C, or a Rust crate, is generated, compiled by this machine's compiler, and its
    machine code is proven likewise: whole messages, with their lengths, padding and tags, or blocks.

    After Ctrl-C the same command continues from the ledger. Exits 1 if anything was not proven.
    """
    from ..studies.code import Code, find_library
    from ..studies.generated_code import GeneratedCode

    if (file or generated) and library:
        raise click.UsageError("--library: not with --file or --generated, which compile one")
    if file and (names or generated):
        raise click.UsageError("want NAME, or --file my_cipher.py, and not both")
    if to != "c" and not (file or generated):
        raise click.UsageError(f"--to {to}: with --file or --generated")
    study: Code | GeneratedCode
    if file or generated:
        study = GeneratedCode(file, names, backends, lengths, to)
    else:
        study = Code((library or find_library()).resolve(), names, backends, lengths)
    result = conducted(study, ledger_file("prove.sqlite"), **how)
    give(result.value)
    if result.stopped:
        return 130
    return NO if any(row.reason for row in result.value) else YES
