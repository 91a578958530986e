"""Superpolies: what the sum of one output bit over a cube is, as a polynomial of the other bits. [CUBE]

Every trail of `monomials` from the cube to the bit is enumerated, and a monomial stays if an odd number of trails
has it. That is the polynomial itself, not a guess from sums: cubes and keys may be too many to try. Where
the cube is small, sums over it are compared with the polynomial. Where trails are too many, sums alone are measured.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ...bounds import Bound
from ...errors import DescriptionError, unknown
from ...reference import BlockCipher, Recording, Rounds, Roundwise, StreamAead
from ...reference.record import record_keyed, record_rounds, record_start
from ...reference.recordings import merged, restricted, tied
from .. import solvers
from ..pipeline import Query
from ..solvers.clauses import lower
from . import sums
from .bits import BUDGET
from .monomials import Inputs, Place, Polynomial, model, text_of_polynomial

CUBE = 8  # bits, unless they are named


@dataclass(frozen=True, slots=True)
class Superpoly:
    """``polynomial`` over the bits that are variables; None where time ran out. ``trails``: how many."""

    polynomial: Polynomial | None
    trails: int
    seconds: float


def superpoly(
    recording: Recording,
    inputs: Inputs,
    place: Place,
    limit: float | None = None,
    progress: Callable[[int], object] | None = None,
) -> Superpoly:
    """Of bit ``place`` of the outputs, summed over the cube. ``progress`` is given the number of trails."""
    solvers.find("cadical")  # says what to install where it is missing
    from pysat.solvers import Cadical195

    started = time.monotonic()
    trails_of = model(restricted(merged(recording), [place[0]]), inputs, place)
    odd, trails = set[frozenset[Place]](), 0
    with Cadical195(bootstrap_with=lower(trails_of.problem).clauses) as sat:
        while True:
            sat.conf_budget(BUDGET)
            outcome = sat.solve_limited()
            spent = time.monotonic() - started
            if outcome is False:
                return Superpoly(frozenset(odd), trails, spent)
            if limit is not None and spent >= limit:
                return Superpoly(None, trails, spent)
            if outcome:
                values = sat.get_model()
                odd ^= {frozenset(p for p, v in trails_of.variables.items() if values[v] > 0)}
                trails += 1
                sat.add_clause([-values[v] for v in trails_of.choices] or [1, -1])
                if not trails_of.choices:
                    return Superpoly(frozenset(odd), trails, spent)
                if progress is not None and trails % 1000 == 0:
                    progress(trails)


def bounds(it: Roundwise, query: Query) -> Iterator[Bound]:
    """The degree of the superpoly over 1 to ``query.rounds`` rounds, and the superpoly; None where it is 0."""
    for rounds in range(1, query.rounds + 1):
        yield _bound(it, rounds, query)


def _bound(it: Roundwise, rounds: int, query: Query) -> Bound:
    recording = _recorded(it, rounds, query.where)
    ties = {name: other for name, other in query.where.items() if other in recording.inputs}
    where = {name: text for name, text in query.where.items() if name not in ties}
    check_ties(recording, ties)
    recording = tied(recording, ties)
    inputs, place = query_of(recording, where)
    started = time.perf_counter()
    cube, variables = inputs.places("*"), inputs.places("?")
    limit = query.limit
    if limit is not None and len(cube) <= sums.LARGEST:
        limit /= 2  # the other half is for sums
    result = superpoly(recording, inputs, place, limit, query.counting())
    method = (
        f"bit {place[1]} of {place[0]} after {rounds} rounds, summed over {len(cube)} bits: its polynomial in"
        f" {len(variables)} others, by the parity of monomial trails"
    )
    method += "".join(f"; {name} equal to {other}" for name, other in ties.items())
    witness: dict[str, Any] = {"cube": _cube_text(inputs), "trails": result.trails}
    value: int | None = len(variables)
    side, certainty = "exact", "one-solver"
    if result.polynomial is None:
        measured = sums.tried(recording, inputs, place, limit)
        if measured is not None:
            witness["sums tried"] = measured.values
        if measured is not None and not measured.one:
            value, certainty = None, "measured"
            method += (
                f"; time ran out, and the sum is 0 at each of {measured.values} random values of the others"
            )
        else:
            side, certainty = "upper", "proven"
            method += "; time ran out, so this is the number of variables"
            method += "; the sum is not always 0" if measured is not None else ""
    else:
        value = max((len(monomial) for monomial in result.polynomial), default=None)
        witness["superpoly"] = text_of_polynomial(result.polynomial)
        witness["monomials"] = len(result.polynomial)
        if len(cube) <= sums.COMPARED:
            witness["sums compared"] = sums.compare(recording, inputs, place, result.polynomial)
    return Bound(
        cipher=it.name,
        measure="superpoly",
        rounds=rounds,
        value=value,
        unit="degree",
        side=side,
        certainty=certainty,
        method=method,
        witness=witness,
        seconds=time.perf_counter() - started,
        solver=solvers.find("cadical").version,
    )


def _recorded(it: Roundwise, rounds: int, where: Mapping[str, str]) -> Recording:
    """Block ciphers with their schedule, streaming ciphers from key and nonce unless state words are named."""
    if isinstance(it, BlockCipher):
        return record_keyed(it, rounds)
    starts = not any(name[:1] == "S" and "'" not in name for name in where)
    if isinstance(it, StreamAead) and not isinstance(it, Rounds) and starts:
        return record_start(it, rounds)
    return record_rounds(it, rounds)


def check_ties(recording: Recording, ties: Mapping[str, str]) -> None:
    """``S4=S3``: both are inputs of one size, and the other one stays.

    Raises
    ------
    DescriptionError
        ``where: S4=S3: want two inputs of one size, the second one not tied itself``
    """
    for name, other in ties.items():
        nodes = [recording.graph.nodes[recording.inputs[n]] for n in (name, other) if n in recording.inputs]
        if len({node.id for node in nodes}) < 2 or nodes[0].bits != nodes[1].bits or other in ties:
            raise DescriptionError(
                f"where: {name}={other}: want two inputs of one size, the second one not tied itself"
            )


def query_of(recording: Recording, where: Mapping[str, str]) -> tuple[Inputs, Place]:
    """What the bits of the inputs are, and the bit of the outputs; those not named are variables, and the
    first bit of all. Without any input there is a cube of the first bits of nonce or state.

    Raises
    ------
    DescriptionError
        ``where: want at least one * among the inputs, such as S0=*???, got none``
    """
    nodes = recording.graph.nodes
    words = {name: "?" * nodes[id_].bits for name, id_ in recording.inputs.items()}
    outputs = [name for name in recording.outputs if name.startswith("S'")]
    place: Place | None = None
    for name, pattern in where.items():
        if name in words:
            words[name] = _spread(name, pattern, "*?01", len(words[name]))
        elif name in outputs:
            text = _spread(name, pattern, "*.", nodes[recording.outputs[name]].bits)
            if place is not None or text.count("*") != 1:
                raise DescriptionError("where: want one bit of one output, such as S'0=*..., in a superpoly")
            place = name, text.index("*")
        else:
            raise unknown("where: word", name, [*words, *outputs])
    if not set(where) & set(words):  # a cube of some bits of the nonce, or else of the state
        name = next((name for name in words if name.startswith("N")), "S0")
        words[name] = ("*" * CUBE + words[name])[: len(words[name])]
    if not any("*" in text for text in words.values()):
        raise DescriptionError("where: want at least one * among the inputs, such as S0=*???, got none")
    return Inputs(words), place or (outputs[0], 0)


def _spread(name: str, pattern: str, letters: str, bits: int) -> str:
    """The pattern with each character as often as it stands for bits."""
    if wrong := [letter for letter in pattern if letter not in letters]:
        raise DescriptionError(f"where: {name}: want {' or '.join(letters)}, got {wrong[0]!r}")
    if not pattern or bits % len(pattern):
        raise DescriptionError(
            f"where: {name}: want a number of characters that divides its {bits} bits, got {len(pattern)}"
        )
    return "".join(letter * (bits // len(pattern)) for letter in pattern)


def _cube_text(inputs: Inputs) -> str:
    """The masks of the words with bits of the cube."""
    masks = (
        f"{name}={int(text.translate(_CUBE), 2):0{-(-len(text) // 4)}x}"
        for name, text in inputs.words.items()
        if "*" in text
    )
    return " ".join(masks)


_CUBE = str.maketrans("*?01", "1000")
