"""roundworks cycles"""

from __future__ import annotations

from pathlib import Path
from time import perf_counter
from typing import Any

import click

from .. import machine, spec
from ..analysis.cycles import cycles, default_blocks
from ..analysis.measured_cpu import NAME, measured_cpu
from ..errors import RoundworksError
from ..reference import Permutation
from ..reference.graph import Roundwise
from ..rows import Store
from .common import (
    chosen_label,
    chosen_rounds,
    cipher_options,
    deliver,
    make_rows,
    out,
    row_options,
    table,
)
from .names import Name

_HERE = "here"


@click.command(
    "cycles",
    help="What a permutation or a cipher on AES rounds costs on a CPU, from its recorded graph and"
    " the CPU's latency, throughput and registers: cycles of one block, and which limit binds.\n\n"
    "CPUs: " + ", ".join(cpu.name for cpu in spec.cpus()) + "; here, which is the profile of this"
    " CPU; measured, the same with AES and XOR as `bench --peers` measured them; and "
    + ", ".join(cpu.name for cpu in spec.generic_cpus())
    + ", for CPUs that nobody has"
    " entered. docs/cycles.md says what the model knows and what not.",
    epilog="Example: roundworks cycles feistel256:2-0,1-1 --cpu ice-lake",
)
@cipher_options()
@click.option(
    "--cpu",
    "names",
    type=Name("cpus"),
    multiple=True,
    metavar="CPU",
    help="All unless set; `here` is the profile of this CPU.",
)
@click.option("--rounds", type=click.IntRange(1), help="Its own, or 8 of a cipher, unless set.")
@click.option("--bits", type=click.Choice(["128", "256", "512"]),
              help="Width of the registers; all that the CPU has AES on unless set.")  # fmt: skip
@click.option("--blocks", type=click.IntRange(1),
              help="Side by side; one, and as many as the paper takes, unless set.")  # fmt: skip
@click.option("--share", "shared", is_flag=True,
              help="AES rounds of one input once, their keys XORed to the result.")  # fmt: skip
@row_options
def command(
    cipher: str | None, file: Path | None, names: tuple[str, ...], rounds: int | None,
    bits: str | None, blocks: int | None, shared: bool, as_json: bool, no_store: bool,
) -> None:  # fmt: skip
    it = chosen_rounds(cipher, file)
    said: dict[str, dict[str, str]] = {}
    asked = [_named(name, said) for name in names] or spec.cpus()
    if bits is not None and not names:
        asked = [cpu for cpu in asked if int(bits) in cpu.widths]
    found: list[dict[str, Any]] = []
    for cpu in asked:
        for width in [int(bits)] if bits else cpu.widths:
            many = width // 128 * default_blocks(cpu)
            for count in [blocks] if blocks else [1, many] if width == 128 else [many]:
                started = perf_counter()
                one = cycles(it, cpu, rounds, bits=width, blocks=count, shared=shared)
                found.append(
                    one.fields | said.get(cpu.name, {}) | {"seconds": perf_counter() - started}
                )
    label = f"roundworks cycles {chosen_label(cipher, file)}"
    label += f" --rounds {rounds}" if rounds else ""
    label += "".join(f" --cpu {name}" for name in names)
    label += (f" --bits {bits}" if bits else "") + (f" --blocks {blocks}" if blocks else "")
    rows = make_rows("cycles", found, label + " --share" * shared)
    deliver(rows, as_json=as_json, no_store=no_store)
    if not as_json:
        print_cycles(it, rows)
        for extra in said.values():
            out.print(f"profile of this CPU: {extra['profile']}")


def _named(name: str, said: dict[str, dict[str, str]]) -> spec.Cpu:
    """A CPU by its name; of this one ``said`` has how its profile was found, by the profile's name."""
    if name not in (_HERE, NAME):
        return spec.cpu(name)
    own = spec.profile_of(machine.describe())
    if name == _HERE:
        said[own.cpu.name] = {"profile": own.said}
        return own.cpu
    rows = [row for row in Store().read("instruction") if row["machine"] == machine.slug()]
    if not rows:
        raise RoundworksError(
            "cpu measured: no instruction of this CPU has been measured; `make peers`, then"
            " `roundworks bench --peers` measures them, or want --cpu here"
        )
    newest = [row for row in rows if row["run"] == rows[-1]["run"]]
    said[NAME] = {
        "profile": f"AES and XOR as measured on {rows[-1]['time']}; the rest of {own.said}"
    }
    return measured_cpu(own.cpu, newest)


def print_cycles(it: Roundwise, rows: list[dict[str, Any]]) -> None:
    first = rows[0]
    what = "" if isinstance(it, Permutation) else " of state, a block being what they absorb"
    table(
        f"{first['cipher']}: {first['rounds']} rounds{what}, {first['block_bytes']:,} bytes;"
        " cycles of one block",
        ("cpu", "bits", "blocks", "path", "latency", "ports", "registers", "scheduled", "expected",
         "cycles/byte", "binds", "busiest ports"),
        [
            (r["cpu"], r["bits"], r["blocks"], r["path"], *(round(r[k], 2) for k in (
                "latency", "ports", "registers", "scheduled", "expected")),
             round(r["cycles_per_byte"], 3), r["binds"], " ".join(r["busiest"]))
            for r in rows
        ],
        right=range(1, 10),
    )  # fmt: skip
    out.print(
        f"\n{first['aes']:,} AES instructions, {first['mixing']:,} that mix words, {first['logic']:,}"
        f" logic; {first['live']:,} registers a block"
    )
