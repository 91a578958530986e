"""roundworks fpga"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import click

from ..hardware.flow.fpga import FAMILIES
from .common import err, give, naming, row_options
from .hardware import core_options
from .names import Choice
from .signals import stop_on_signals

if TYPE_CHECKING:
    from ..studies.hardware import CoreChoice


@click.command("fpga", epilog="Example: roundworks fpga aes-round --family ecp5")
@core_options
@click.option(
    "--family",
    "families",
    type=Choice(list(FAMILIES)),
    multiple=True,
    help="Choose the FPGA family; may be repeated. All unless set.",
)
@click.option(
    "--seed",
    "seeds",
    type=click.IntRange(0),
    multiple=True,
    help="Set the seed of the placer; may be repeated, for one run with each seed. 1 unless set.",
)
@click.option("--block-ram", is_flag=True, help="Allow lookup tables of the source to become block memories.")
@row_options
@naming(families=", ".join(f"{name} ({family.device})" for name, family in FAMILIES.items()))
def command(choice: CoreChoice, families: tuple[str, ...], seeds: tuple[int, ...], block_ram: bool) -> None:
    """Place and route a hardware core with nextpnr, and print its maximum clock frequency and its
    resources. Two chains of flip-flops connect its ports to pins; the resources include them.

    Families: {families}.
    """
    stop_on_signals()

    from ..studies.hardware import route

    say = partial(err.print, markup=False) if err.is_terminal else lambda text: None
    give(route(choice, families, seeds, block_ram=block_ram, progress=say))
