"""roundworks fpga"""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from ..hardware.flow.fpga import FAMILIES, Routed, route
from .common import deliver, err, make_rows, out, row_options, table
from .hardware import core_options, core_words, the_name
from .names import Choice
from .signals import stop_on_signals


@click.command(
    "fpga",
    help="Place and route a hardware core with nextpnr, and print its maximum clock frequency"
    " and its resources. Two chains of flip-flops connect its ports to pins; the resources include them.\n\nFamilies: "
    + ", ".join(f"{name} ({family.device})" for name, family in FAMILIES.items())
    + ".",
    epilog="Example: roundworks fpga aes-round --family ecp5",
)
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
def command(
    name: str | None,
    parameters: tuple[str, ...],
    file: Path | None,
    families: tuple[str, ...],
    seeds: tuple[int, ...],
    block_ram: bool,
) -> None:
    stop_on_signals()
    name = the_name(name)

    from ..hardware.cores import assignments, core, label

    subject = core(name, file)
    given = assignments(parameters)
    routed = []
    for family in families or FAMILIES:
        for seed in seeds or (1,):
            if err.is_terminal:
                err.print(f"{name}: {family}, seed {seed}", markup=False)
            routed.append(route(subject, given, family, seed=seed, block_ram=block_ram))
    words = f"roundworks fpga {core_words(name, routed[0].parameters, file)}"
    words += "".join(f" --family {family}" for family in families)
    words += "".join(f" --seed {seed}" for seed in seeds) + " --block-ram" * block_ram
    rows = make_rows("fpga", [fields(one) for one in routed], words)
    if deliver(rows):
        table(
            f"{name}  {label(routed[0].parameters)}",
            ("family", "device", "seed", "MHz", "resources"),
            [
                (
                    r.family,
                    r.device,
                    r.seed,
                    f"{r.fmax_mhz:,.1f}",
                    ", ".join(f"{count:,} {cell}" for cell, count in sorted(r.resources.items())),
                )
                for r in routed
            ],
            right=(2, 3),
        )
        out.print(f"{routed[0].harness_flops:,} of these flip-flops are the chains at the ports")


def fields(one: Routed) -> dict[str, Any]:
    """Fields of a row."""
    from ..hardware.flow.tools import versions

    return asdict(one) | {"tools": versions("pyosys", FAMILIES[one.family].place[0])}
