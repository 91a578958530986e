"""roundworks gpu"""

from __future__ import annotations

import json
import secrets
from pathlib import Path
from statistics import median
from typing import Any

import click
from rich.progress import Progress

from .. import machine
from ..bench.beside_gpu import CIPHERS, Subject, measure
from ..errors import RowError
from ..rows import Store, validate
from .common import deliver, err, make_rows, out, row_options, table

# Four times from one to the next: 16 KiB, .. 64 MiB, and to 1 GiB.
_SIZES = {"quick": range(14, 27, 2), "full": range(14, 31, 2)}
_SAMPLES = {"quick": 9, "full": 15}


@click.command(
    "gpu",
    help="Measure messages of up to one gibibyte on this CPU in the way a GPU is measured, and print"
    " them next to the stored rows of GPUs.\n\nOn a machine with a GPU, `bench/gpu/run.sh` builds,"
    " checks and measures the kernels and leaves a folder of rows; --merge stores them here.",
    epilog="Example: roundworks gpu --merge gpu-rows",
)
@click.option("--merge", "folder", type=click.Path(path_type=Path, exists=True, file_okay=False),
              metavar="FOLDER", help="Import the rows that `bench/gpu/run.sh` wrote to FOLDER.")  # fmt: skip
@click.option("--profile", type=click.Choice(["quick", "full"]), default="quick", show_default=True,
              help="quick measures up to 64 MiB; full up to 1 GiB and needs 3 GiB of memory.")  # fmt: skip
@row_options
def command(folder: Path | None, profile: str, as_json: bool, no_store: bool) -> None:
    if folder is not None:
        rows = merged(folder)
        if not no_store:
            _keep_machine(folder, rows)
        deliver(rows, as_json=as_json, no_store=no_store)
    else:
        rows = sizes(profile)
        deliver(rows, as_json=as_json, no_store=no_store)
    if not as_json:
        _print(rows)


def sizes(profile: str) -> list[dict[str, Any]]:
    """This CPU's rows."""
    asked = [Subject(name, "whole", 1 << n) for n in _SIZES[profile] for name in CIPHERS]
    with Progress(console=err, transient=True, disable=not err.is_terminal) as bar:
        task = bar.add_task("sizes", total=1.0)
        found = measure(
            asked,
            samples=_SAMPLES[profile],
            progress=lambda n, of: bar.update(task, completed=n / of),
        )
    once = secrets.token_hex(6)
    label = "roundworks gpu" + (" --profile full" if profile == "full" else "")
    return make_rows("gpu", [{"run": once, **fields} for fields in found], label)


def merged(folder: Path) -> list[dict[str, Any]]:
    """The rows that a machine with a GPU left, each checked."""
    file = folder / "gpu.jsonl"
    if not file.is_file():
        raise RowError(f"{file}: not there; want the folder that bench/gpu/run.sh wrote")
    rows = []
    for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
        try:
            row = json.loads(line)
        except ValueError as error:
            raise RowError(f"{file}:{number}: not JSON: {error}") from None
        validate(row, f"{file}:{number}")
        rows.append(row)
    known = {(r["run"], r["time"]) for r in Store().read("gpu")}
    if again := [r for r in rows if (r["run"], r["time"]) in known]:
        raise RowError(f"{file}: run {again[0]['run']} is stored already")
    return rows


def _keep_machine(folder: Path, rows: list[dict[str, Any]]) -> None:
    """What the report says of the machine, if nobody has said it yet."""
    for slug in {row["machine"] for row in rows} - {machine.slug()}:
        place = Store().path / slug / "machine.json"
        if not place.exists():
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes((folder / "machine.json").read_bytes())


def _print(rows: list[dict[str, Any]]) -> None:
    table(
        "Gbit/s, medians; of a ceiling 10^9 of its unit each second",
        ("device", "subject", "stage", "by", "place", "messages", "bytes", "ms", "rate"),
        [
            (
                r["device"], r["subject"], r["stage"], r["backend"], r["place"], r["messages"],
                r["data_bytes"], f"{median(r['samples_ns']) / 1e6:,.4g}", f"{rate(r):,.4g}",
            )
            for r in rows
        ],
        right=(5, 6, 7, 8),
    )  # fmt: skip
    out.print("\nthis measures a machine that may be shared: compare within one run only")


def rate(row: dict[str, Any]) -> float:
    """Gbit/s of a message, 10^9 of its unit each second of a ceiling."""
    per_ns = float(row["work"]) / float(median(row["samples_ns"]))
    return per_ns * 8 if row["unit"] == "bytes" else per_ns
