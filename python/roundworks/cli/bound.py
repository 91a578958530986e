"""roundworks bound"""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

import click

from ..analysis.bounds import BY_ROUNDS, MEASURES
from ..analysis.bounds import bound as compute
from .common import (
    NO,
    YES,
    chosen,
    chosen_label,
    cipher_options,
    deliver,
    make_rows,
    out,
    row_options,
    table,
)

_WORDS = {
    "active-f": "fewest active F over the first rounds of the initialisation, difference in the nonce",
    "diffusion": "share of word pairs (word, first-state word) with a dependence, by rounds",
    "collision": "fewest active F in an internal collision",
    "bias": "fewest active F in a biased sum of keystream words",
    "differential": "largest differential probability of one F over its lightest patterns, as log2",
    "correlation": "largest squared correlation of one F over its lightest patterns, as log2",
}
# Masks run backwards: those of a round's result are given, as the model has them.
_TRAIL = {
    "collision": "trail (* differs; state before the round, block, active F):",
    "bias": "trail (* masked; state after the round, keystream, active F):",
}


@click.command(
    "bound",
    help="Bound what an attacker meets, from the recorded description. Every answer says whether"
    " it is proven.\n\nMeasures:\n\n\b\n"
    + "\n".join(f"  {name:<13} {text}" for name, text in _WORDS.items()),
    epilog="Example: roundworks bound aether --measure active-f --rounds 16",
)
@cipher_options
@click.option("--measure", type=click.Choice(list(MEASURES)), default="active-f", show_default=True)
@click.option(
    "--rounds",
    type=click.IntRange(1, 1000),
    default=16,
    show_default=True,
    help="For active-f and diffusion: rounds 1 to this.",
)
@click.option(
    "--at-least", type=float, metavar="N", help="Exit 1 unless the (last) value is at least N."
)
@row_options
def command(
    cipher: str | None, file: Path | None, measure: str, rounds: int,
    at_least: float | None, as_json: bool, no_store: bool,
) -> int:  # fmt: skip
    it = chosen(cipher, file)
    bounds = compute(it, measure, rounds)
    label = f"roundworks bound {chosen_label(cipher, file)} --measure {measure}"
    if measure in BY_ROUNDS:
        label += f" --rounds {rounds}"
    rows = make_rows("bound", [asdict(b) for b in bounds], label)
    deliver(rows, as_json=as_json, no_store=no_store)
    if not as_json:
        table(
            f"{it.name}: {_WORDS[measure]}",
            ("rounds", "value", "unit", "side", "certainty", "seconds"),
            [(b.rounds, b.value, b.unit, b.side, b.certainty, f"{b.seconds:.3f}") for b in bounds],
            right=(0, 1, 5),
        )
        last = bounds[-1]
        out.print(f"\nmethod: {last.method}", markup=False)
        if last.witness and "trail" in last.witness:
            out.print(_TRAIL[measure])
            for step in last.witness["trail"]:
                out.print(f"  {step['state']}  {step['block']}  {step['active']}", markup=False)
        elif last.witness:
            out.print(
                "witness: " + ", ".join(f"{k} {v}" for k, v in last.witness.items()), markup=False
            )
    value = bounds[-1].value
    # No such path at all (None) is more than any number; nan is less than none.
    return NO if at_least is not None and value is not None and not value >= at_least else YES
