"""roundworks cycles"""

from __future__ import annotations

from pathlib import Path

import click

from .common import cipher_options, give, row_options
from .names import Name


@click.command("cycles", epilog="Example: roundworks cycles feistel256:2-0,1-1 --cpu ice-lake")
@cipher_options()
@click.option(
    "--cpu",
    "names",
    type=Name("cpus"),
    multiple=True,
    metavar="CPU",
    help="Choose the CPU to estimate for; may be repeated. All unless set; `here` is the profile of this CPU.",
)
@click.option(
    "--rounds",
    type=click.IntRange(1, 1024),
    help="Set the number of rounds; the permutation's own, or 8 of a cipher, unless set.",
)
@click.option(
    "--bits",
    type=click.Choice(["128", "256", "512"]),
    help="Choose the width of the registers in bits; every width with AES instructions unless set.",
)
@click.option(
    "--blocks",
    type=click.IntRange(1, 1024),
    help="Set the number of blocks interleaved; one, and the number of the paper, unless set.",
)
@click.option(
    "--share",
    "shared",
    is_flag=True,
    help="Compute AES rounds of the same input once and XOR each key to the result.",
)
@row_options
def command(
    subject: str | Path,
    names: tuple[str, ...],
    rounds: int | None,
    bits: str | None,
    blocks: int | None,
    shared: bool,
) -> None:
    """Estimate what a permutation or a cipher on AES rounds costs on a CPU, from its recorded graph and the
    CPU's latency, throughput and registers: cycles of one block, and which limit binds.

    `roundworks list cpus` prints the CPUs, with generic ones for those that nobody has entered. Also: here,
    which is the profile of this CPU; and measured, the same with AES and XOR as `bench --peers` measured
    them. docs/reference/cycles.md says what the model knows and what not.
    """
    from ..studies.ciphers import cycles

    width = int(bits) if bits else None
    result = cycles(subject, names, rounds=rounds, bits=width, blocks=blocks, share=shared)
    give(result)
