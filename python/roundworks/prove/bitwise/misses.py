"""Impossible differentials and zero correlation, bit-wise: pairs of ends between which there is no trail.

The model is exact in every S-box, so that undisturbed bits are known [TEZCAN]. That no trail leads from
one end to the other is a formula without a solution, which a certificate proves.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product
from typing import Any

from ...analysis.last_layer import between_sboxes, of_the_state
from ...bounds import Bound, View
from ...errors import DescriptionError, unknown
from ...reference import Recording, Roundwise, Sbox, record_rounds
from ...reference.recordings import merged, restricted
from .. import solvers
from ..pipeline import Query, want_whole_rounds
from ..solvers import proofs
from ..solvers.clauses import lower
from ..solvers.solve import SolverProgress
from . import build
from .model import BitModel

BUDGET = 5_000  # conflicts between two looks at the clock
MOST_ENDS = 256  # values of one end that are tried
Ends = tuple[tuple[str, int], ...]  # a value for every word of the state at one end


@dataclass(slots=True)
class Decided:
    """Pairs of ends: between those of ``none`` there is no trail, ``reached`` have one, others are open."""

    none: list[tuple[Ends, Ends]] = field(default_factory=list)
    reached: int = 0
    open: int = 0


def impossible_bits(it: Roundwise, query: Query) -> Iterator[Bound]:
    """For 1 to ``query.rounds`` rounds, the pairs of ends without a trail.

    First one active bit at either end, and where each such pair has a trail all values of one active
    cell, unless those are too many. What is active is in front of the first S-box layer and behind the last,
    where every word of the state is a linear image of that; the pair that is shown is of the state itself.
    ``query.where`` has the value of a word of the state before or after the rounds, in hexadecimal; of an end
    that has one no other value is looked at, and words without one are zero.
    """
    want_whole_rounds(it)
    started = time.perf_counter()
    for rounds in range(1, query.rounds + 1):
        left = None if query.limit is None else query.limit - (time.perf_counter() - started)
        if rounds > 1 and left is not None and left <= 0:
            return
        yield impossible_over(it, rounds, query, left)


def impossible_over(it: Roundwise, rounds: int, query: Query, limit: float | None) -> Bound:
    """The same over these rounds alone; a certificate of the pair that is shown if ``query.proof``."""
    started = time.perf_counter()
    view: View = query.view or "differential"
    whole, _ = _recorded(it, rounds, view)
    model = miss_model(it, rounds, view, query.where)
    # Single bits first: where they have one, the many values of a cell are not needed.
    for width in (1, _cell_width(model)) if not query.where else (1,):
        before, after = (_ends(model, letters, query.where, width) for letters in ("S", "S'"))
        left = None if limit is None else limit - (time.perf_counter() - started)
        decided = decide(model, list(product(before, after)), left, query.progress)
        if decided.none or _cell_width(model) == 1:
            break
    pairs = len(before) * len(after)
    what = "impossible differentials" if view == "differential" else "linear hulls of correlation zero"
    method = f"{what} over {rounds} rounds, bit-wise, of {pairs} pairs"
    if not query.where:
        method += f" of one active {'bit' if width == 1 else 'cell'} before and one after"
    if places := between_sboxes(whole, query.where)[1]:
        method += f"; what is active is {places}, the pair shown is of the state"
    if model.dependent:
        method += "; operations taken as independent that are not, so that more may be impossible"
    if decided.open:
        method += f"; time ran out for {decided.open} of them"
    witness: dict[str, Any] | None = None
    certainty = "one-solver"
    if decided.none:
        ends = decided.none[0][0] + decided.none[0][1]
        for end in (whole.inputs, whole.outputs):
            if not set(query.where) & set(end):
                ends = tuple((n, of_the_state(whole, view, n, v) if n in end else v) for n, v in ends)
        digits = -(-whole.graph.nodes[0].bits // 4)
        witness = {name: f"{value:0{digits}x}" for name, value in ends if value}
        if query.proof is not None:
            steps = _proven(it, model, rounds, decided.none[0], query)
            method += (
                f"; LRAT proof of the pair shown, {steps} steps, checked"
                if steps
                else "; no proof in the time"
            )
            certainty = "proven" if steps and pairs == 1 else certainty
    return Bound(
        cipher=it.name,
        measure="impossible-bits",
        rounds=rounds,
        value=len(decided.none),
        unit="pairs",
        side="lower" if decided.open or model.dependent else "exact",
        certainty=certainty,
        method=method,
        witness=witness,
        seconds=time.perf_counter() - started,
        view=view,
        solver=solvers.find("cadical").version,
        fingerprint=model.problem.fingerprint,
    )


def miss_model(it: Roundwise, rounds: int, view: View, where: Mapping[str, str]) -> BitModel:
    """Every trail over the rounds, keys and blocks without difference; from their first S-box layer to their last,
    but at an end of which ``where`` has a word from the state, or to it."""
    recording, zero = _recorded(it, rounds, view)
    return build.model(between_sboxes(recording, where)[0], view, zero=zero, active_only=True)


def _recorded(it: Roundwise, rounds: int, view: View) -> tuple[Recording, list[str]]:
    """The rounds, and the words that have no difference, or mask."""
    recording = merged(record_rounds(it, rounds))
    states = [name for name in recording.outputs if name.startswith("S'")]
    if view == "linear":
        return recording, [name for name in recording.outputs if name not in states]
    recording = restricted(recording, states)  # keystream is read off, and costs a difference nothing
    return recording, [name for name in recording.inputs if not name.startswith("S")]


def _ends(model: BitModel, letters: str, where: Mapping[str, str], width: int) -> list[Ends]:
    """The values of one end: those that are given, or all with one active cell of ``width`` bits."""
    names = [n for n in model.named if n.startswith(letters) and ("'" in n) == ("'" in letters)]
    sizes = {name: len(model.named[name]) for name in names}
    legal = [n for n in model.named if n.startswith("S")]
    for name in where:
        if name not in legal:
            raise unknown("where: word", name, legal)
    if given := {name: text for name, text in where.items() if name in names}:
        return [tuple((n, hex_value(n, given.get(n, "0" * -(-sizes[n] // 4)), sizes[n])) for n in names)]
    values = [
        (name, value << cell)
        for name in names
        for cell in range(sizes[name] - width, -1, -width)
        for value in range(1, 1 << width)
    ]
    return [tuple((n, value if n == name else 0) for n in names) for name, value in values]


def _cell_width(model: BitModel) -> int:
    """Bits of an S-box, or 1 where the values of all cells are too many."""
    sboxes = (n.detail for n in model.recording.graph.nodes if isinstance(n.detail, Sbox))
    width = next((sbox.bits for sbox in sboxes), 1)
    sizes = [len(word) for name, word in model.named.items() if name.startswith("S")]
    ends = sum(sizes) // 2 // width * ((1 << width) - 1)
    return 1 if ends > MOST_ENDS or any(size % width for size in sizes) else width


def hex_value(name: str, text: str, bits: int) -> int:
    """A value of ``bits`` bits from its hexadecimal digits, all of them."""
    digits = -(-bits // 4)
    try:
        if len(text) != digits:
            raise ValueError
        return int(text, 16)
    except ValueError:
        raise DescriptionError(f"where: {name}: want {digits} hexadecimal digits, got {text}") from None


def decide(
    model: BitModel,
    pairs: list[tuple[Ends, Ends]],
    limit: float | None = None,
    progress: Callable[[SolverProgress], None] | None = None,
) -> Decided:
    """Whether each pair of ends has a trail, by one solver that keeps what it learns."""
    solvers.find("cadical")  # says what to install where it is missing
    from pysat.solvers import Cadical195

    started = time.monotonic()
    decided = Decided()
    literals = {ends: _literals(model, ends) for ends in {ends for pair in pairs for ends in pair}}
    with Cadical195(bootstrap_with=lower(model.problem).clauses) as sat:
        for place, (before, after) in enumerate(pairs):
            if limit is not None and time.monotonic() - started >= limit:
                decided.open += len(pairs) - place
                break
            one, two = literals[before], literals[after]
            outcome: bool | None = False if one is None or two is None else None
            while outcome is None and one is not None and two is not None:
                sat.conf_budget(BUDGET)
                outcome = sat.solve_limited(assumptions=one + two)
                if limit is not None and time.monotonic() - started >= limit:
                    break
            decided.open += outcome is None
            decided.reached += outcome is True
            if outcome is False:
                decided.none.append((before, after))
            if progress is not None:
                spent = time.monotonic() - started
                progress(SolverProgress("cadical", Fraction(len(decided.none)), None, spent))
    return decided


def _literals(model: BitModel, ends: Ends) -> list[int] | None:
    """The ends as assumptions; None where a bit is wanted that is always 0."""
    literals = []
    for name, value in ends:
        bits = model.named[name]
        for i, bit in enumerate(bits):
            on = value >> (len(bits) - 1 - i) & 1
            if bit is not None:
                literals.append(bit + 1 if on else -bit - 1)
            elif on:
                return None
    return literals


def _proven(it: Roundwise, model: BitModel, rounds: int, ends: tuple[Ends, Ends], query: Query) -> int | None:
    """Steps of a checked certificate that this pair has no trail; None where time ran out."""
    folder = query.proof
    assert folder is not None
    folder.mkdir(parents=True, exist_ok=True)
    model = miss_model(it, rounds, model.view, query.where)
    for name, value in (*ends[0], *ends[1]):
        model.fix(name, value)
    short = it.name.replace(":", "-").replace(",", "_")
    path = folder / f"{short}-impossible-{model.view}-{rounds}-{model.problem.fingerprint[:12]}.json"
    if proofs.prove(model.problem, None, path, query.limit) is None:
        return None
    return proofs.check(path, model.problem).steps
