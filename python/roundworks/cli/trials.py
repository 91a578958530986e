"""roundworks trials"""

from __future__ import annotations

import click

from .common import NO, YES, deliver, print_result, row_option, row_options
from .names import Choice

PARTS = ("files", "memory", "inputs", "certificates", "bounds")


@click.command("trials", epilog="Example: roundworks trials --part files")
@click.option(
    "--part",
    "parts",
    type=Choice(PARTS),
    multiple=True,
    help="Run the trials of this part only; may be repeated. All unless set.",
)
@click.option(
    "--full", is_flag=True, help="Run thousands of attempts, which takes minutes; seconds unless set."
)
@click.option(
    "--attempts",
    type=click.IntRange(1),
    metavar="N",
    help="Try each N times, in place of the number of seconds or of --full.",
)
@click.option(
    "--seed", type=click.IntRange(0), default=1, show_default=True, help="Set the seed of the random choices."
)
@row_options
def command(parts: tuple[str, ...], full: bool, attempts: int | None, seed: int) -> int:
    """Try to break what must hold, and count the failures. files: sealed files are cut, changed and mixed, and
    `seal` and `open` are killed at random moments, run with little memory, on a disk that is full, damaged
    or read-only, or two at a time; nothing may be lost, and no unverified plaintext may appear. memory:
    programs seal and open, and no secret may be in their memory afterwards. inputs: wrong command lines,
    descriptions, rows, ledgers, libraries and keys give one line each. certificates: proofs are spoilt, and
    two checkers that share no code must agree on each. bounds: of random small block ciphers, against all
    of their inputs. Exits 1 if anything did not hold.
    """
    from ..reproduce.run import Run
    from ..studies.study import conduct
    from ..studies.trial_runs import Trials
    from .progress import ProgressBar, say

    study = Trials(full, seed, parts, attempts)
    bar = ProgressBar([(unit.title, 1.0) for unit in study.plan()])
    with bar.shown():
        result = conduct(study, Run("quick", say, progress=bar.show), begin=bar.begin, keep=deliver)
    if not row_option("json"):
        print_result(result)
    return NO if any(row.failed for row in result) else YES
