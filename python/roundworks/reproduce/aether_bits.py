"""[AETHER], what is bit-wise, or by the division property: tables 4 and 5, sections 4.3 and 4.4."""

from __future__ import annotations

import tempfile
from pathlib import Path

from .. import spec
from ..analysis import bounds
from ..bounds import CERTAINTY, Bound
from ..errors import SolverFailed
from ..prove.bitwise import collisions
from ..prove.bitwise.layers import cell_weights
from ..prove.division import integrals
from ..prove.measures import bounds_of
from ..prove.pipeline import Query
from ..reference import get_stream
from ..reference.catalogue import get_analysed
from ..reference.inner import M_8, M_32
from ..rows import ReproductionRow, Store
from .run import Ours, Run, clock

# A walk or a trail for which this is not enough, several times what it takes, is left open.
LIMIT = 600.0
# Row of table 5 -> our name of it, and the linear layers of it that stand in for lost ones.
_INNER: dict[str, tuple[str, tuple[str, ...]]] = {
    "F_AES": ("aether-f-aes", ()),
    "F_8": ("aether-f-8", ("m8", "p8")),
    "F_16": ("aether-f-16", ()),
    "F_32": ("aether-f-32", ("m32",)),
}


def stand_ins() -> list[Ours]:
    """Table 4's branch numbers of the matrices that could not be read, for ours in their place."""
    ours = []
    for matrix in (M_8, M_32):
        facts = spec.matrices()[matrix.name]
        with clock() as seconds:
            number = min(cell_weights(matrix) - {0})
        ours.append(
            Ours(
                facts.title,
                "branch number",
                number,
                "proven",
                f"of {matrix.name}, a matrix of ours in place of {facts.stands_for}",
                seconds(),
                platform=f"{matrix.name}, ours",
            )
        )
    return ours


def table_5(run: Run) -> list[Ours]:
    """The best trail of one and of two functions, bit-wise; in full, that there is no lighter one."""
    ours = []
    with tempfile.TemporaryDirectory() as folder:
        proof = Path(folder) if run.full else None
        query = Query(2, solvers=("cadical",), limit=LIMIT, proof=proof)
        for row, (name, lost) in _INNER.items():
            for bound in (result.bound for result in bounds_of(get_analysed(name), "trail", query)):
                if bound.upper is None or bound.witness is None:
                    raise SolverFailed(f"{name}: no trail in {LIMIT:g} s; try again when the machine is idle")
                exact, active = bound.side == "exact", bound.witness["active"]
                reason = f"best trail, {active} active S-boxes, checked on the description"
                if exact:
                    reason += f"; that none is lighter: {CERTAINTY[bound.certainty]}"
                    reason += f", {bound.method.rpartition('; ')[2]}" if bound.certainty == "proven" else ""
                else:
                    reason += "; a lighter one is not excluded"
                if lost:
                    reason += f"; with {' and '.join(lost)} of ours in place of what could not be read"
                ours.append(
                    Ours(
                        row,
                        "DCP max, one" if bound.rounds == 1 else "DCP max, two",
                        -round(bound.upper, 2),
                        bound.certainty if exact else "heuristic",
                        reason,
                        bound.seconds,
                        None if exact else "open",
                        platform=f"{' and '.join(lost)}, ours" if lost else "",
                    )
                )
    return ours


def section_4_3(run: Run) -> list[Ours]:
    """Section 4.3, word-wise: the paper's rounds, and what other active sets give."""
    whole = "*"
    nearly = "*" * 127 + "."
    sets: dict[str, tuple[dict[str, str], str]] = {
        "integral distinguisher": (
            dict.fromkeys(("S1", "S2", "S6", "S7"), whole),
            "with the words that key and nonce are loaded into, S1, S2, S6 and S7, each taking all"
            " values on its own. S1 ^ S2 ^ S6 = 0 in the load, so no choice of key and nonce does that",
        ),
        "integral distinguisher, nonce active": ({"N0": whole}, "all nonces under one key"),
        "integral distinguisher, key and nonce active": (
            dict.fromkeys(("K0", "K1", "N0"), whole),
            "all keys with all nonces",
        ),
        "integral distinguisher, all of the state but a bit": (
            {f"S{i}": nearly if i == 2 else whole for i in range(9)},
            "all bits but one of S2",
        ),
    }
    ours = []
    if not run.full:  # the longest and slowest, and not in the paper
        del sets["integral distinguisher, all of the state but a bit"]
    for row, (where, what) in sets.items():
        longest, seconds = _longest(run, where)
        words = ", ".join(
            name.removeprefix("balanced S'") for name in longest.witness or () if "balanced" in name
        )
        reason = f"{what}; balanced words: {words}; by numbers of active bits alone none after a round more"
        status = None if row == "integral distinguisher" else "not-comparable"
        ours.append(Ours(row, "value", longest.rounds, "one-solver", reason, seconds, status))
    return ours


def _longest(run: Run, where: dict[str, str]) -> tuple[Bound, float]:
    """The last of the first round counts that leave a word balanced."""
    cipher, best, seconds = get_stream("aether"), None, 0.0
    for count in range(1, 21):
        bound = integrals.word_wise(cipher, count, where, LIMIT)
        seconds += bound.seconds
        if not bound.value:
            break
        best = bound
    if best is None:
        raise SolverFailed("aether: want a balanced word after one round, got none")
    command = f"roundworks bound aether --measure integral-words --rounds {best.rounds}"
    command += "".join(f" --where '{word}={cells}'" for word, cells in where.items())
    run.leave("bound", command, best.fields)
    return best, seconds


def _proven_before(row: str, printed: int) -> Ours | None:
    """The newest stored row of a full run that proves the print: the proof takes ten minutes."""
    rows = [
        r
        for r in Store().read(ReproductionRow)
        if (r.paper, r.table, r.row, r.certainty) == ("aether", "text", row, "proven")
        if r.status == "reproduced" and r.paper_value == printed
    ]
    if not rows:
        return None
    return Ours(row, "value", rows[-1].value, "proven", rows[-1].reason, rows[-1].seconds)


def section_4_4(run: Run) -> list[Ours]:
    """Section 4.4: a trail of the printed weight, and, in full, that there is no lighter one."""
    cipher = get_stream("aether")
    printed = spec.paper("aether").table("text").value("internal collision, bit by bit", "value")
    assert isinstance(printed, int)
    # No transition of this S-box has more than 2^-2.
    active = -printed // 2
    trail = collisions.attained(cipher, active, limit=LIMIT)
    if trail is None:
        raise SolverFailed(f"aether: no collision of {active} S-boxes in {LIMIT:g} s; try again")
    value = -round(trail.checked.weight, 2)
    ours = [
        Ours(
            "internal collision, a trail of that weight",
            "value",
            value,
            "proven",
            f"{trail.checked.active} active S-boxes, {trail.walk.units} active F in"
            f" {len(trail.walk.states)} rounds, checked on the description; the product of S-box"
            " probabilities, and F has no key inside",
            trail.seconds,
            "not-comparable",
        )
    ]
    weakest = bounds.collision(cipher)
    assert weakest.value is not None
    proven_weight = 2 * collisions.per_unit(cipher) * int(weakest.value)
    row = "internal collision, bit by bit"
    if not run.full and (known := _proven_before(row, printed)) is not None:
        return [*ours, known]
    if not run.full:
        ours.append(
            Ours(
                row,
                "value",
                value,
                "heuristic",
                f"a trail attains the print; word-wise none is better than 2^-{proven_weight},"
                f" {weakest.value:g} active F of {collisions.per_unit(cipher)} S-boxes each. That"
                f" none is better than 2^{value:g} is proven by --profile full",
                trail.seconds + weakest.seconds,
                "open",
            )
        )
        return ours
    with clock() as seconds, tempfile.TemporaryDirectory() as folder:
        none = collisions.no_lighter(cipher, active, limit=LIMIT, progress=run.say, certify=Path(folder))
    steps = sum(proof.steps for proof in none.proofs)
    if none.proven:
        reason = (
            f"a trail attains it, and none has fewer than {active} active S-boxes: all"
            f" {len(none.walks)} word-wise collisions of that few F are refuted, by LRAT proofs of"
            f" {steps:,} steps in all that were checked. A bound on trails: F has no key inside"
        )
        ours.append(Ours(row, "value", value, "proven", reason, seconds() + trail.seconds))
    else:
        reason = (
            f"a trail attains the print; {len(none.open)} of {len(none.walks)} word-wise collisions"
            f" were not refuted in {LIMIT:g} s each, so no more than 2^-{proven_weight} is proven"
        )
        ours.append(Ours(row, "value", value, "heuristic", reason, seconds() + trail.seconds, "open"))
    return ours
