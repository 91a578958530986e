"""roundworks hw-estimate"""

from __future__ import annotations

from pathlib import Path

import click

from ..hardware.generate import INNER_FUNCTIONS
from ..hardware.power import MODELS
from .common import NO, YES, deliver, err, print_result, row_option, row_options
from .hardware import library_option
from .names import Choice
from .progress import ProgressBar, say
from .signals import stop_on_signals


@click.command("hw-estimate", epilog="Example: roundworks hw-estimate --words 9 --inputs 3 --check 4")
@click.option(
    "--words",
    type=click.IntRange(2, 16),
    required=True,
    metavar="S",
    help="Set the number of words of the state.",
)
@click.option(
    "--inputs",
    type=click.IntRange(1, 15),
    required=True,
    metavar="M",
    help="Set the number of words that one round absorbs.",
)
@click.option(
    "--active",
    type=click.IntRange(1, 64),
    default=8,
    show_default=True,
    help="Set the minimum number of active F in an internal collision.",
)
@click.option(
    "--inner",
    "names",
    type=Choice(INNER_FUNCTIONS),
    multiple=True,
    help="Choose the inner function F; may be repeated. All unless set.",
)
@click.option(
    "--check",
    type=click.IntRange(0),
    default=0,
    show_default=True,
    metavar="N",
    help="Synthesise and simulate N of the structures whole.",
)
@click.option(
    "--model",
    type=Choice(MODELS),
    default="zero-delay",
    show_default=True,
    help="Choose the toggle model: glitch simulates the delay of every gate, zero-delay ignores glitches.",
)
@library_option
@row_options
def command(
    words: int,
    inputs: int,
    active: int,
    names: tuple[str, ...],
    check: int,
    model: str,
    libraries: tuple[Path, ...],
) -> int:
    """Estimate area, delay and energy of the rounds that `search` finds from netlists of the inner function
    F and of the XOR of two words. All structures with the same --words and --inputs have the same estimate.
    With --check N, also synthesise N of the structures whole, simulate them against the reference, and
    print their figures next to the estimate. Registers are not counted: every such structure has the same
    number. Exits 1 if no structure is found.
    """
    stop_on_signals()

    from ..reproduce.run import Run
    from ..studies.estimates import Estimates
    from ..studies.study import conduct

    study = Estimates(words, inputs, active, names, check, model, libraries)
    bar = ProgressBar([(unit.title, 1.0) for unit in study.plan()])
    with bar.shown():
        result = conduct(study, Run("quick", say, progress=bar.show), begin=bar.begin, keep=deliver)
    if not result.rows:
        err.print(result.notes[0], markup=False)
        return NO
    if not row_option("json"):
        print_result(result)
    return YES
