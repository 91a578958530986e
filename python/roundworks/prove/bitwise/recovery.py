"""Keys and states recovered by a solver from what an attacker sees, over few rounds. [BARD]

Of a block cipher the key, from pairs of plaintext and ciphertext; of a streaming cipher the state, from the
keystream of that many rounds, blocks known. Cells that are guessed are given, so the effort is the seconds times
the number of guesses. What is found is computed again on the description. Where other secrets explain the same, only
the bits count that are the same in all of them.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ...bounds import Bound
from ...errors import DescriptionError, SolverFailed, unknown
from ...reference import BlockCipher, IntWord, Recording, Roundwise, StreamAead
from ...reference.catalogue import streaming
from ...reference.record import record_keyed, record_rounds
from ...reference.recordings import restricted, run
from .. import solvers
from ..pipeline import Query
from ..solvers.clauses import lower
from ..solvers.problem import Problem, Var
from .values import Bits, known, values

CONFLICTS = 100  # before the first look at the clock; doubled where they took less than a second
SEED = 1
DETERMINING = (
    60.0  # seconds, where there is no limit, to look for the bits that all explanations have in common
)


@dataclass(frozen=True, slots=True)
class Seen:
    """What an attacker has: for each computation the values of the inputs that are known, and the outputs.

    ``secret``: the other inputs, which are the same in all of them; ``guessed``: their bits that are given.
    """

    recording: Recording
    secret: Mapping[str, int]
    guessed: Mapping[str, int]
    computations: tuple[tuple[Mapping[str, int], Mapping[str, int]], ...]

    @property
    def bits(self) -> int:
        """Of the secret, those that are not given."""
        nodes, inputs = self.recording.graph.nodes, self.recording.inputs
        return sum(nodes[inputs[name]].bits - self.guessed[name].bit_count() for name in self.secret)


@dataclass
class Recovered:
    """``secret`` as found, None where time ran out; ``unique``: no other explains what was seen, None where
    that is not known. ``determined``: of the bits that are not given, those that every explanation has as ``secret``
    has them; ``undecided``: those of which that is not known. ``conflicts``: of the solver, until it was found."""

    secret: dict[str, int] | None = None
    unique: bool | None = None
    determined: int = 0
    undecided: int = 0
    conflicts: int = 0
    seconds: float = 0.0
    model: Problem = field(default_factory=Problem)


def recovery(it: Roundwise, query: Query) -> Iterator[Bound]:
    """How many unknown bits of key or state are found and determined over 1 to ``query.rounds`` rounds, 0 where time
    ran out."""
    for rounds in range(1, query.rounds + 1):
        seen = seen_of(it, rounds, query.where)
        result = recover(seen, query.limit, query.counting())
        yield _bound(it, rounds, seen, result)
        if result.secret is None:
            return


def seen_of(it: Roundwise, rounds: int, where: Mapping[str, str]) -> Seen:
    """Random secrets and inputs, and what follows; of ``where`` the cells ``.`` are guessed, ``*`` unknown.

    As many pairs as have the bits of the key, and one more. Of a streaming cipher, whose first keystream says
    nothing of the rounds, one round more.
    """
    source = random.Random(SEED)
    if isinstance(it, BlockCipher):
        recording, letter = record_keyed(it, rounds), "K"
        count = -(-sum(it.key_widths[: it.key_words]) // (it.words * it.word_bits)) + 1
    else:
        streaming(it, "measure 'recovery'")
        recording, letter, count = record_rounds(it, rounds + 1), "S", 1
        recording = restricted(recording, [n for n in recording.outputs if n.startswith("Z")])
    nodes = recording.graph.nodes
    widths = {name: nodes[id_].bits for name, id_ in recording.inputs.items()}
    secret = {name: source.getrandbits(bits) for name, bits in widths.items() if name.startswith(letter)}
    if wrong := set(where) - set(secret):
        raise unknown("where: word", min(wrong), list(secret))
    guessed = {name: _given(name, where.get(name, "*"), widths[name]) for name in secret}
    computations = []
    for _ in range(count):
        public = {name: source.getrandbits(bits) for name, bits in widths.items() if name not in secret}
        computations.append((public, _computed(recording, secret | public)))
    return Seen(recording, secret, guessed, tuple(computations))


def _given(name: str, pattern: str, bits: int) -> int:
    """The mask of the bits that are guessed."""
    if wrong := [cell for cell in pattern if cell not in "*."]:
        raise DescriptionError(f"where: {name}: want * or . in a recovery, got {wrong[0]!r}")
    if not pattern or bits % len(pattern):
        raise DescriptionError(
            f"where: {name}: want a number of cells that divides its {bits} bits, got {len(pattern)}"
        )
    return int("".join("01"[cell == "."] * (bits // len(pattern)) for cell in pattern), 2)


def _computed(recording: Recording, inputs: Mapping[str, int]) -> dict[str, int]:
    nodes = recording.graph.nodes
    words = {name: IntWord(inputs[name], nodes[id_].bits) for name, id_ in recording.inputs.items()}
    out = run(recording, words)
    return {name: out[id_].value for name, id_ in recording.outputs.items()}


def recover(
    seen: Seen, limit: float | None = None, progress: Callable[[int], object] | None = None
) -> Recovered:
    """A secret that explains what was seen, computed again, and whether it is the only one."""
    solvers.find("cadical")  # says what to install where it is missing
    from pysat.solvers import Cadical195

    started, result = time.monotonic(), Recovered()
    secret = _model(result.model, seen)
    variables = [bit for bits in secret.values() for bit in bits if not isinstance(bit, bool)]
    with Cadical195(bootstrap_with=lower(result.model).clauses) as sat:

        def solved(*assumed: int, limit: float | None = limit) -> bool | None:
            budget, now = CONFLICTS, time.monotonic()
            while limit is None or now - started < limit:
                sat.conf_budget(budget)
                outcome: bool | None = sat.solve_limited(assumptions=assumed)
                before, now = now, time.monotonic()
                budget *= 1 + (now - before < 1)
                if progress is not None:
                    progress(sat.accum_stats()["conflicts"])
                if outcome is not None:
                    return outcome
            return None

        outcome = solved()
        result.conflicts = sat.accum_stats()["conflicts"]
        result.seconds = time.monotonic() - started
        if outcome is None:
            return result
        if outcome is False:
            raise SolverFailed(
                f"{seen.recording.cipher}: recovery: the solver finds no secret, and there is one"
            )
        assignment = sat.get_model()
        result.secret = {name: _number(bits, assignment) for name, bits in secret.items()}
        for public, outputs in seen.computations:
            if _computed(seen.recording, result.secret | dict(public)) != dict(outputs):
                raise SolverFailed(
                    f"{seen.recording.cipher}: recovery: the secret found computes something else"
                )
        right = _literals(secret, seen)
        sat.add_clause([-assignment[v] for v in variables])
        end = limit if limit is not None else time.monotonic() - started + DETERMINING
        another = solved(limit=end)
        result.unique = None if another is None else not another
        if dict(result.secret) != dict(seen.secret):  # which explains it as well
            if another is False:
                raise SolverFailed(
                    f"{seen.recording.cipher}: recovery: the solver finds one secret alone, and there are two"
                )
            result.unique = False
        # What some explanation has otherwise is not determined; of the rest, the solver tries the opposite of each.
        doubtful = [v for v in variables if assignment[v] == right[v]]
        if another:
            doubtful = _agreeing(doubtful, assignment, sat.get_model())
        if result.unique:
            result.determined, doubtful = len(variables), []
        while doubtful:
            bit = doubtful.pop()
            opposite = solved(-assignment[bit], limit=end)
            if opposite is None:
                result.undecided = len(doubtful) + 1
                break
            if opposite:
                doubtful = _agreeing(doubtful, assignment, sat.get_model())
            else:
                result.determined += 1
    return result


def _literals(secret: Mapping[str, Bits], seen: Seen) -> dict[Var, int]:
    """The true secret, as literals of the solver by their variables."""
    literals: dict[Var, int] = {}
    for name, bits in secret.items():
        for bit, value in zip(bits, known(seen.secret[name], len(bits)), strict=True):
            if not isinstance(bit, bool):
                literals[bit] = bit + 1 if value is True else -bit - 1
    return literals


def _agreeing(variables: Sequence[Var], one: Sequence[int], other: Sequence[int]) -> list[Var]:
    return [v for v in variables if one[v] == other[v]]


def _model(problem: Problem, seen: Seen) -> dict[str, Bits]:
    """Every computation, with one secret; its bits."""
    nodes = seen.recording.graph.nodes
    width = {name: nodes[id_].bits for name, id_ in seen.recording.inputs.items()}
    secret: dict[str, Bits] = {}
    for name, value in seen.secret.items():
        given = known(seen.guessed[name], width[name])
        fresh: list[Var] = problem.variables(name, width[name])
        right = known(value, width[name])
        secret[name] = [r if g is True else v for g, r, v in zip(given, right, fresh, strict=True)]
    for public, outputs in seen.computations:
        inputs = secret | {name: known(value, width[name]) for name, value in public.items()}
        for name, bits in values(problem, seen.recording, inputs).items():
            for bit, wanted in zip(bits, known(outputs[name], len(bits)), strict=True):
                if not isinstance(bit, bool):
                    problem.fix(bit, wanted is True)
    return secret


def _number(bits: Bits, assignment: list[int]) -> int:
    value = 0
    for bit in bits:
        value = value << 1 | (bit if isinstance(bit, bool) else assignment[bit] > 0)
    return value


def _bound(it: Roundwise, rounds: int, seen: Seen, result: Recovered) -> Bound:
    what, from_ = ("key", f"{len(seen.computations)} pairs of plaintext and ciphertext")
    if isinstance(it, StreamAead):
        what, from_ = "state", f"{rounds + 1} blocks of keystream, messages known"
    guesses = sum(mask.bit_count() for mask in seen.guessed.values())
    method = f"the {what} of {rounds} rounds by a solver, from {from_}" + f", {guesses} bits guessed" * bool(
        guesses
    )
    witness: dict[str, Any] = {"unknown bits": seen.bits, "conflicts": result.conflicts}
    witness |= {"constraints": len(result.model.constraints), "variables": len(result.model.names)}
    if result.secret is None:
        method += "; time ran out"
    else:
        digits = seen.recording.graph.nodes
        for name, value in result.secret.items():
            bits = digits[seen.recording.inputs[name]].bits
            witness[name] = f"{value:0{-(-bits // 4)}x}"
        witness["unique"] = {True: "yes", False: "no: others explain the same", None: "not decided"}[
            result.unique
        ]
        method += "; computed again on the description"
    value, side, certainty, said = _found(seen, result)
    if result.secret is not None and not result.unique:
        witness["determined bits"] = result.determined
        if result.undecided:
            witness["undecided bits"] = result.undecided
    return Bound(
        cipher=it.name,
        measure="recovery",
        rounds=rounds,
        value=value,
        unit="bits found",
        side=side,
        certainty=certainty,
        method=method + said,
        witness=witness,
        seconds=result.seconds,
        solver=solvers.find("cadical").version,
    )


def _found(seen: Seen, result: Recovered) -> tuple[int, str, str, str]:
    """The number of bits, its side and certainty, and what the method adds.

    That a bit is the same in every explanation is said by one solver, unconfirmed. Where the secret found is the one
    that made what was seen, that is seen, too, but says nothing of others while nobody has ruled them out.
    """
    if result.secret is None:
        return 0, "lower", "heuristic", ""
    if result.unique:
        return seen.bits, "exact", "proven", ""
    if result.unique is None:
        said = "; it is the secret that made them, and whether it alone explains them is not decided"
        return seen.bits, "lower", "measured", said
    said = "; others explain the same, and the bits that all of them have are counted"
    if result.undecided:
        said += f", {result.undecided} bits not decided in the time"
    return result.determined, "lower" if result.undecided else "exact", "one-solver", said
