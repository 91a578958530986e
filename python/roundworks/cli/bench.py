"""roundworks bench"""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from statistics import median
from typing import Any, Protocol

import click
from rich.progress import Progress

from .. import aead, reference, spec
from ..bench.limits import limits
from ..bench.peers import Beside, measure_beside
from ..bench.speed import FULL_SIZES, PYTHON_SIZES, QUICK_SIZES, measure, workloads
from ..errors import BackendUnavailable, unknown
from ..ratios import ratios, verdicts
from . import bench_permutations
from .common import Count, deliver, err, make_rows, out, row_options, table
from .names import Name, complete_subject


@click.command(
    "bench",
    help="Measure software speed by message size and back end: the Rust core, the Python interface"
    " and, for comparison, pyca's AES-256-GCM, interleaved in one run. With --peers, also the other"
    " libraries that compute these ciphers or AES-GCM and Ascon, in one process with ours. The"
    " samples are stored as rows.",
    epilog="Example: roundworks bench aether aegis-128 --size 64 --size 16384",
)
@click.argument("ciphers", nargs=-1, metavar="[CIPHER]...", shell_complete=complete_subject)
@click.option(
    "--backend",
    "backends",
    type=Name("backends"),
    multiple=True,
    metavar="NAME",
    help="Measure only this back end; may be repeated. [all that run here]",
)
@click.option(
    "--size",
    "sizes",
    type=Count(0, 1 << 26),
    multiple=True,
    metavar="BYTES",
    help="Measure messages of this size; may be repeated.",
)
@click.option(
    "--samples",
    type=Count(1, 10_000),
    default=30,
    show_default=True,
    help="Number of timed windows for each workload.",
)
@click.option(
    "--profile",
    type=click.Choice(["quick", "full"]),
    default="quick",
    show_default=True,
    help="full measures more sizes, decryption and 16 bytes of associated data.",
)
@click.option(
    "--peers",
    is_flag=True,
    help="Compare with other libraries; `make peers` builds the program that does it.",
)
@click.option(
    "--seconds",
    type=Count(1, 86_400),
    default=600,
    show_default=True,
    help="With --peers, take fewer windows, but at least three, to stay within this time.",
)
@click.option(
    "--permutations",
    is_flag=True,
    help="Measure permutations in place of ciphers: one block, and many blocks per call.",
)
@row_options
def command(
    ciphers: tuple[str, ...], backends: tuple[str, ...], sizes: tuple[int, ...], samples: int,
    profile: str, peers: bool, seconds: int, permutations: bool, as_json: bool, no_store: bool,
) -> None:  # fmt: skip
    if permutations:
        if peers or sizes or profile != "quick":
            raise click.UsageError("--permutations: leave --peers, --size and --profile out")
        bench_permutations.run(
            tuple(dict.fromkeys(ciphers)), tuple(dict.fromkeys(backends)), samples,
            as_json=as_json, no_store=no_store,
        )  # fmt: skip
        return
    if peers and backends:
        raise click.UsageError("--peers: measures every back end; leave --backend out")
    # What is named twice is measured once.
    ciphers, backends = tuple(dict.fromkeys(ciphers)), tuple(dict.fromkeys(backends))
    sizes = tuple(dict.fromkeys(sizes))
    check_names(ciphers, backends, peers=peers)
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
    if peers:
        label += " --peers"
        for rows in run_peers(ciphers, sizes, samples, seconds, profile, label):
            deliver(rows, as_json=as_json, no_store=no_store)
            if not as_json:
                print_beside(rows)
        return
    found = run_bench(ciphers or tuple(in_the_core()), backends, sizes, samples, profile)
    rows = make_rows("bench", found, label)
    deliver(rows, as_json=as_json, no_store=no_store)
    if not as_json:
        print_speeds(found)


def check_names(ciphers: Sequence[str], backends: Sequence[str], *, peers: bool = False) -> None:
    known = in_the_core()
    # A peer may compute what the core does not: its own ciphers are named in the work of each.
    others = {work.cipher for work in spec.work()} if peers else set()
    for wrong in (c for c in ciphers if c not in known and c not in others):
        if wrong not in reference.names():
            raise unknown("cipher", wrong, reference.names())
        raise BackendUnavailable(
            f"cipher {wrong!r}: described, but not in the Rust core; `roundworks list` shows which are"
        )
    all_of = [b for c in ciphers or known if c in known for b in aead.get(c).backends()]
    if strange := [b for b in backends if b not in dict(all_of)]:
        here = dict.fromkeys(b for b, there in all_of if there)
        raise unknown("back end", strange[0], here, what="not known here")


def in_the_core() -> list[str]:
    """Names of the ciphers that have a back end, and so a speed."""
    return [facts.name for facts in spec.ciphers() if facts.backends]


def run_bench(
    ciphers: tuple[str, ...],
    backends: tuple[str, ...],
    sizes: tuple[int, ...],
    samples: int,
    profile: str,
    progress: _Advance | None = None,
) -> list[dict[str, Any]]:
    """Fields of bench rows, measured in this process. Without `progress` there is a bar."""
    full = profile == "full"
    loads = workloads(
        ciphers, backends, sizes or (FULL_SIZES if full else QUICK_SIZES),
        ("encrypt", "decrypt") if full else ("encrypt",), (0, 16) if full else (0,),
    )  # fmt: skip
    with nullcontext(progress) if progress else _bar("bench") as advance:
        found = measure(loads, samples=samples, progress=lambda n, all_: advance(n / all_))
    return _one_run(found)


def run_peers(
    ciphers: tuple[str, ...], sizes: tuple[int, ...], samples: int, seconds: int, profile: str,
    label: str,
) -> Iterator[list[dict[str, Any]]]:  # fmt: skip
    """Rows of the Python surface, then of the Rust core beside its peers with the CPU's limits.

    In this order, because the core's own numbers beside Python's are of another process: those
    beside the peers are the newer ones.
    """
    full = profile == "full"
    core = in_the_core()
    goals = [g.cipher for g in spec.goals() if g.surface != "rust"]
    asked = [c for c in core if c in (ciphers or goals)]
    if asked:
        best = [[b for b, there in aead.get(c).backends() if there][-1] for c in asked]
        loads = workloads(
            asked, tuple(dict.fromkeys(best)), sizes or PYTHON_SIZES, ("encrypt",), (0,)
        )
        with _bar("python") as advance:
            found = measure(loads, samples=samples, progress=lambda n, all_: advance(n / all_))
        yield make_rows("bench", _one_run(found), label)
    with _bar("peers") as advance:
        beside = measure_beside(
            ciphers, sizes or (FULL_SIZES if full else QUICK_SIZES), (0, 16) if full else (0,),
            ("encrypt", "decrypt", "seal-many") if full else ("encrypt", "seal-many"),
            windows=samples, seconds=seconds, progress=advance,
        )  # fmt: skip
    yield beside_rows(beside, label)


def beside_rows(beside: Beside, label: str) -> list[dict[str, Any]]:
    """The rows of one run of the peers program, and the limits that follow from it."""
    run = secrets.token_hex(6)
    kinds = (
        ("instruction", beside.instructions),
        ("limit", [{"seconds": 0.0, **fields} for fields in limits(beside.instructions)]),
        ("bench", beside.speeds),
    )
    return [
        row
        for kind, found in kinds
        for row in make_rows(kind, [{"run": run, **fields} for fields in found], label)
    ]


def _one_run(found: list[dict[str, Any]]) -> list[dict[str, Any]]:
    run = secrets.token_hex(6)
    return [{"run": run, **fields} for fields in found]


class _Advance(Protocol):
    def __call__(self, share: float, /) -> object: ...


@contextmanager
def _bar(what: str) -> Iterator[_Advance]:
    with Progress(console=err, transient=True, disable=not err.is_terminal) as bar:
        task = bar.add_task(what, total=1.0)
        yield lambda share: bar.update(task, completed=share)


def print_speeds(found: list[dict[str, Any]]) -> None:
    def per_byte(samples: list[float], size: int) -> str | None:
        return f"{median(samples) / size:,.3f}" if samples and size else None

    table(
        "",
        ("cipher", "library", "back end", "surface", "operation", "bytes", "ad", "ns/call",
         "ns/byte", "cycles/byte"),
        [
            (
                r["cipher"], r["library"], r["backend"], r["surface"], r["operation"],
                r["data_bytes"], r["ad_bytes"], f"{median(r['samples_ns']):,.0f}",
                per_byte(r["samples_ns"], r["data_bytes"]), per_byte(r["samples_cycles"], r["data_bytes"]),
            )
            for r in found
        ],
        right=(5, 6, 7, 8, 9),
    )  # fmt: skip
    out.print("\nmedians; this measures a machine that may be shared: compare within one run only")


def print_beside(rows: list[dict[str, Any]]) -> None:
    """What was measured, ours against the best peer, and the goals that these rows decide."""
    speeds = [row for row in rows if row["kind"] == "bench"]
    if all(row["surface"] != "rust" or row["library"] == "roundworks" for row in speeds):
        print_speeds(speeds)
    else:
        _print_limits(rows)
        _print_ratios(speeds)
    decided = [v for v in verdicts(speeds) if v.state != "open"]
    if decided:
        table(
            "\ngoals",
            ("cipher", "operation", "bytes", "surface", "goal", "figure", "", "of"),
            [
                (
                    v.goal.cipher, v.goal.operation, v.goal.data_bytes, v.goal.surface, v.text,
                    f"{v.figure:.3f}", v.state, v.beside,
                )
                for v in decided
            ],
            right=(2, 5),
        )  # fmt: skip


def _print_limits(rows: list[dict[str, Any]]) -> None:
    table(
        "\nlimits of this CPU",
        ("cipher", "operation", "bits", "by", "cycles/byte", "because"),
        [
            (
                r["cipher"], r["operation"], r["bits"], r["measure"],
                f"{r['cycles_per_byte']:.4f}", r["derivation"],
            )
            for r in rows
            if r["kind"] == "limit"
        ],
        right=(2, 4),
    )  # fmt: skip


def _print_ratios(speeds: list[dict[str, Any]]) -> None:
    def cost(per_call: float, size: int) -> str:
        return f"{per_call / size:,.4f}" if size else f"{per_call:,.1f} a call"

    found = ratios(speeds)
    table(
        "\nours beside the fastest peer",
        ("cipher", "operation", "bytes", "ad", "back end", "ours, cycles/byte", "best peer",
         "its cycles/byte", "ratio", ""),
        [
            (
                r.cipher, r.operation, r.data_bytes, r.ad_bytes, r.backend,
                cost(r.ours, r.data_bytes), r.peer, cost(r.theirs, r.data_bytes),
                f"{r.ratio:.3f}", "SLOWER" if r.slower else "",
            )
            for r in found
        ],
        right=(2, 3, 5, 7, 8),
    )  # fmt: skip
    slower = sum(r.slower for r in found)
    out.print(
        f"\n{slower:,} of {len(found):,} workloads slower than the best peer by more than 3 %"
    )
