"""roundworks bench"""

from __future__ import annotations

from statistics import median
from typing import Any

import click
from rich.progress import Progress

from .. import aead, spec
from ..bench.speed import FULL_SIZES, QUICK_SIZES, measure, workloads
from ..errors import BackendUnavailable, UnknownName
from .common import deliver, err, make_rows, out, row_options, table


@click.command(
    "bench",
    help="Measure software speed by message size and back end: the Rust core, the Python surface,"
    " and pyca's AES-256-GCM beside it, interleaved in one run. Raw samples are kept as rows.",
    epilog="Example: roundworks bench aether aegis-128 --size 64 --size 16384",
)
@click.argument("ciphers", nargs=-1, metavar="[CIPHER]...")
@click.option(
    "--backend",
    "backends",
    multiple=True,
    metavar="NAME",
    help="Only these back ends. [all that run here]",
)
@click.option(
    "--size",
    "sizes",
    type=click.IntRange(0, 1 << 26),
    multiple=True,
    metavar="BYTES",
    help="Message sizes.",
)
@click.option(
    "--samples",
    type=click.IntRange(1, 10_000),
    default=30,
    show_default=True,
    help="Windows per workload.",
)
@click.option(
    "--profile",
    type=click.Choice(["quick", "full"]),
    default="quick",
    show_default=True,
    help="full: more sizes, decryption, 16 bytes of associated data.",
)
@row_options
def command(
    ciphers: tuple[str, ...], backends: tuple[str, ...], sizes: tuple[int, ...], samples: int,
    profile: str, as_json: bool, no_store: bool,
) -> None:  # fmt: skip
    known = in_the_core()
    for wrong in (c for c in ciphers if c not in known):
        spec.cipher(wrong)  # not known at all is another error
        raise BackendUnavailable(
            f"cipher {wrong!r}: described, but not in the Rust core yet; one of {', '.join(known)}"
        )
    here = [b for c in ciphers or known for b, _ in aead.get(c).backends()]
    if strange := [b for b in backends if b not in here]:
        raise UnknownName(
            f"back end {strange[0]!r}: not known here; one of {', '.join(dict.fromkeys(here))}"
        )
    # What is named twice is measured once.
    ciphers, backends = tuple(dict.fromkeys(ciphers)), tuple(dict.fromkeys(backends))
    sizes = tuple(dict.fromkeys(sizes))
    label = " ".join(
        [
            "roundworks bench",
            *ciphers,
            *(f"--backend {b}" for b in backends),
            *(f"--size {s}" for s in sizes),
        ]
    )
    if samples != 30:
        label += f" --samples {samples}"
    if profile != "quick":
        label += f" --profile {profile}"
    found = run_bench(ciphers or tuple(known), backends, sizes, samples, profile)
    rows = make_rows("bench", found, label)
    deliver(rows, as_json=as_json, no_store=no_store)
    if not as_json:
        print_speeds(found)


def in_the_core() -> list[str]:
    """Names of the ciphers that have a back end, and so a speed."""
    return [facts.name for facts in spec.ciphers() if facts.backends]


def run_bench(
    ciphers: tuple[str, ...],
    backends: tuple[str, ...],
    sizes: tuple[int, ...],
    samples: int,
    profile: str,
) -> list[dict[str, Any]]:
    full = profile == "full"
    loads = workloads(
        ciphers, backends, sizes or (FULL_SIZES if full else QUICK_SIZES),
        ("encrypt", "decrypt") if full else ("encrypt",), (0, 16) if full else (0,),
    )  # fmt: skip
    with Progress(console=err, transient=True, disable=not err.is_terminal) as bar:
        task = bar.add_task("bench", total=None)
        return measure(
            loads,
            samples=samples,
            progress=lambda done, all_: bar.update(task, completed=done, total=all_),
        )


def print_speeds(found: list[dict[str, Any]]) -> None:
    def per_byte(samples: list[float], size: int) -> str | None:
        return f"{median(samples) / size:.3f}" if samples and size else None

    table(
        "",
        ("cipher", "back end", "surface", "operation", "bytes", "ad", "ns/call", "ns/byte", "cycles/byte"),
        [
            (
                r["cipher"], r["backend"], r["surface"], r["operation"], r["data_bytes"], r["ad_bytes"],
                f"{median(r['samples_ns']):,.0f}",
                per_byte(r["samples_ns"], r["data_bytes"]), per_byte(r["samples_cycles"], r["data_bytes"]),
            )
            for r in found
        ],
        right=(4, 5, 6, 7, 8),
    )  # fmt: skip
    out.print("\nmedians; this measures a machine that may be shared: compare within one run only")
