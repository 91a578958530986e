"""roundworks bench"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from .common import Count, deliver, file_option, print_result, row_option, row_options
from .names import Name, complete_subject


@click.command("bench", epilog="Example: roundworks bench aether aegis-128 --size 64 --size 16384")
@click.argument("ciphers", nargs=-1, metavar="[CIPHER]...", shell_complete=complete_subject)
@click.option(
    "--backend",
    "backends",
    type=Name("backends"),
    multiple=True,
    metavar="NAME",
    help="Measure only this back end; may be repeated. All that run on this CPU unless set.",
)
@click.option(
    "--size",
    "sizes",
    type=Count(0, 1 << 26),
    multiple=True,
    metavar="BYTES",
    help="Measure messages of this size in bytes; may be repeated. The sizes of --profile unless set.",
)
@click.option(
    "--samples",
    type=Count(1, 10_000),
    default=30,
    show_default=True,
    help="Set the number of timed windows for each workload.",
)
@click.option(
    "--profile",
    type=click.Choice(["quick", "full"]),
    default="quick",
    show_default=True,
    help="Choose the workloads: full also measures more sizes, decryption and 16 bytes of associated data.",
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
    help="With --peers, take fewer windows, but at least three, to finish within this many seconds.",
)
@click.option(
    "--permutations",
    is_flag=True,
    help="Measure permutations in place of ciphers: one block, and many blocks per call.",
)
@file_option(
    "--file",
    "file",
    help="Measure the generated C of a description of your own next to CIPHER, aegis-128l unless set;"
    " of a permutation next to a permutation, areion-256 unless set.",
)
@click.option(
    "--generated",
    is_flag=True,
    help="Measure generated C of each CIPHER next to the code written by hand, with their ratios; with"
    " --permutations of each permutation.",
)
@row_options
def command(
    ciphers: tuple[str, ...],
    backends: tuple[str, ...],
    sizes: tuple[int, ...],
    samples: int,
    profile: str,
    peers: bool,
    seconds: int,
    permutations: bool,
    file: Path | None,
    generated: bool,
) -> None:
    # What is named twice is measured once.
    """Measure software speed by message size and back end: the Rust core, the Python interface and, for
    comparison, pyca's AES-256-GCM, interleaved in one run. With --peers, also the other libraries that
    compute these ciphers or AES-GCM and Ascon, in one process with ours. The samples are stored as rows.
    """
    ciphers, backends = tuple(dict.fromkeys(ciphers)), tuple(dict.fromkeys(backends))
    sizes = tuple(dict.fromkeys(sizes))
    if permutations and (peers or sizes or profile != "quick"):
        raise click.UsageError("--permutations: leave --peers, --size and --profile out")
    if peers and backends:
        raise click.UsageError("--peers: measures every back end; leave --backend out")

    if (file or generated) and (peers or profile != "quick"):
        raise click.UsageError("--file, --generated: leave --peers and --profile out")
    if file and permutations:
        raise click.UsageError("--file: leave --permutations out; the file says what it is")
    if file and generated:
        raise click.UsageError("--generated: compares with code of the catalogue; leave --file out")

    from ..reference import Permutation
    from ..studies.described import described
    from ..studies.generated import GeneratedSpeed
    from ..studies.generated_permutations import GeneratedPermutationSpeed
    from ..studies.software import PermutationSpeed, Speed
    from ..studies.study import Study, conduct
    from .progress import running

    study: Study[Any]
    own = isinstance(described(file)[0], Permutation) if file else False
    if own and sizes:
        raise click.UsageError("--size: a permutation has blocks of one size; leave it out")
    if own or (generated and permutations):
        study = GeneratedPermutationSpeed(ciphers, backends, samples, file)
    elif file or generated:
        study = GeneratedSpeed(ciphers, file, backends, sizes, samples)
    elif permutations:
        study = PermutationSpeed(ciphers, backends, samples)
    else:
        study = Speed(
            ciphers, backends, sizes, samples=samples, profile=profile, peers=peers, seconds=seconds
        )

    with running("speed") as run:
        result = conduct(study, run, keep=deliver)
    if not row_option("json"):
        print_result(result)
