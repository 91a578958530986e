"""The computation of each measure of `roundworks bound`.

Each imports what it needs when it is called: numpy and the descriptions take two tenths of a second, which
`--help` need not wait for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # numpy and the descriptions take two tenths of a second, which `--help` need not wait for
    from ..bounds import Bound
    from ..reference import Recording, Roundwise
    from .bitwise.sbox_tables import Switch
    from .pipeline import BoundResult, Instance, Query


def active_sboxes(goal: str) -> Callable[[Roundwise, Query], Iterator[BoundResult]]:
    """Fewest active S-boxes over 1 to ``query.rounds`` rounds, cell-wise.

    The goal is "active", or where the key or the tweak may differ too "related-key" or "related-tweak".
    """

    def compute(it: Roundwise, query: Query) -> Iterator[BoundResult]:
        from ..reference import record_keyed, record_rounds
        from .cellwise.instance import cell_instance
        from .pipeline import by_rounds

        def build(recording: Recording, rounds: int) -> Instance:
            return cell_instance(
                it, goal, rounds, query.view, query.count, where=query.where, recording=recording
            )

        if goal == "active":
            return by_rounds(it, query, build, record_rounds)
        cell_instance(it, goal, 1, query.view, query.count)  # what does not fit is said before recording
        return by_rounds(it, query, build, record_keyed)

    return compute


def closed(goal: str) -> Callable[[Roundwise, Query], Iterator[BoundResult]]:
    """Fewest active S-boxes in an internal collision, or a biased sum, of at most that many rounds."""

    def compute(it: Roundwise, query: Query) -> Iterator[BoundResult]:
        from ..analysis.bounds import at_no_cost
        from .cellwise.instance import cell_instance
        from .pipeline import proven, solved

        instance = cell_instance(it, goal, query.rounds, query.view, query.count, where=query.where)
        result = solved(instance, query)
        if result.bound.upper == 0:
            method = result.bound.method + at_no_cost(goal, "S-box")
            result = replace(result, bound=replace(result.bound, method=method))
        return proven(result, query)

    return compute


def trail(
    *, related: bool = False, active_only: bool = False
) -> Callable[[Roundwise, Query], Iterator[BoundResult]]:
    """Minimum weight of a bit-wise trail over 1 to ``query.rounds`` rounds, or fewest S-boxes that are active in one;
    where ``related``, the key differs too."""

    def compute(it: Roundwise, query: Query) -> Iterator[BoundResult]:
        from ..reference import record_keyed, record_rounds
        from .bitwise.instance import bit_instance
        from .pipeline import by_rounds

        def build(recording: Recording, rounds: int) -> Instance:
            view = query.view or "differential"
            return bit_instance(
                it,
                rounds,
                view,
                query.count,
                active_only=active_only,
                recording=recording,
                related=related,
                up_to_rotation=not related,
            )

        return by_rounds(it, query, build, record_keyed if related else record_rounds)

    return compute


def cluster(it: Roundwise, query: Query) -> Iterator[BoundResult]:
    """Probability of a differential, or squared correlation of a linear hull, over ``query.rounds`` rounds."""
    from .bitwise.cluster import cluster as of
    from .pipeline import BoundResult

    return map(BoundResult, of(it, query))


def impossible(it: Roundwise, query: Query) -> Iterator[BoundResult]:
    """Impossible differentials, or hulls of correlation zero, over 1 to ``query.rounds`` rounds, cell-wise."""
    from .cellwise.misses import impossible as of
    from .pipeline import BoundResult

    return map(BoundResult, of(it, query))


def impossible_bits(it: Roundwise, query: Query) -> Iterator[BoundResult]:
    """The same bit-wise, by a solver."""
    from .bitwise.misses import impossible_bits as of
    from .pipeline import BoundResult

    return map(BoundResult, of(it, query))


def switched_trails(
    kind: Switch, *, related: bool = False
) -> Callable[[Roundwise, Query], Iterator[BoundResult]]:
    """Two trails that meet at a layer of S-boxes, over 1 to ``query.rounds`` rounds."""

    def compute(it: Roundwise, query: Query) -> Iterator[BoundResult]:
        from .bitwise.switches import switched
        from .pipeline import BoundResult

        return map(BoundResult, switched(it, kind, query, related=related))

    return compute


def integral(it: Roundwise, query: Query) -> Iterator[BoundResult]:
    """Balanced bits after 1 to ``query.rounds`` rounds, by the bit-based division property."""
    from .division import integrals
    from .pipeline import BoundResult

    for rounds in range(1, query.rounds + 1):
        yield BoundResult(
            integrals.bit_wise(it, rounds, query.where, query.limit, query.progress, query.solvers)
        )


def integral_words(it: Roundwise, query: Query) -> Iterator[BoundResult]:
    """Balanced bits after 1 to ``query.rounds`` rounds, by the numbers of active bits of words."""
    from .division import integrals
    from .pipeline import BoundResult

    for rounds in range(1, query.rounds + 1):
        yield BoundResult(integrals.word_wise(it, rounds, query.where, query.limit))


def integral_three_subsets(it: Roundwise, query: Query) -> Iterator[BoundResult]:
    """Balanced bits after 1 to ``query.rounds`` rounds, by the sums of all products of bits."""
    from .division.subsets import three_subsets
    from .pipeline import BoundResult

    return map(BoundResult, three_subsets(it, query))


def superpoly(it: Roundwise, query: Query) -> Iterator[BoundResult]:
    """The sum of one bit over a cube as a polynomial of the others, over 1 to ``query.rounds`` rounds."""
    from .division.superpoly import bounds
    from .pipeline import BoundResult

    return map(BoundResult, bounds(it, query))


def recovery(it: Roundwise, query: Query) -> Iterator[BoundResult]:
    """Key or state found by a solver, over 1 to ``query.rounds`` rounds."""
    from .bitwise.recovery import recovery as of
    from .pipeline import BoundResult

    return map(BoundResult, of(it, query))


def word_wise_bounds(
    of: Callable[[ModuleType, Any, int], Iterable[Bound]],
) -> Callable[[Any, Query], Iterator[BoundResult]]:
    """Bounds by `analysis.bounds`: the module, what is analysed, the number of rounds -> its bounds."""

    def compute(it: Any, query: Query) -> Iterator[BoundResult]:
        from ..analysis import bounds
        from .pipeline import BoundResult

        return map(BoundResult, of(bounds, it, query.rounds))

    return compute


def determine(it: Any, query: Query) -> Iterator[BoundResult]:
    """Words of the state to guess, word-wise."""
    from ..analysis import determine as of
    from .pipeline import BoundResult

    yield BoundResult(of.guess_and_determine(it, limit=query.limit))


def degree(it: Any, query: Query) -> Iterator[BoundResult]:
    """An upper bound on the algebraic degree over 1 to ``query.rounds`` rounds."""
    from ..analysis import degree as of
    from .bitwise.layers import rows
    from .pipeline import BoundResult

    return map(BoundResult, of.degrees(it, query.rounds, rows))


def avalanche(it: Any, query: Query) -> Iterator[BoundResult]:
    """The strict avalanche criterion over 1 to ``query.rounds`` rounds, as a corrected p-value."""
    from ..analysis import avalanche as of
    from .pipeline import BoundResult

    return map(BoundResult, of.avalanche(it, query.rounds))


def dieharder(it: Any, query: Query) -> Iterator[BoundResult]:
    """Tests of dieharder over 1 to ``query.rounds`` rounds, as a corrected p-value."""
    from ..analysis import dieharder as of
    from .pipeline import BoundResult

    return map(BoundResult, of.dieharder(it, query.rounds))


def nonlinear_invariant(it: Any, query: Query) -> Iterator[BoundResult]:
    """Quadratic invariants of all rounds."""
    from ..analysis import invariant_bounds
    from .pipeline import BoundResult

    yield BoundResult(invariant_bounds.nonlinear_invariant(it))


def invariant_subspace(it: Any, query: Query) -> Iterator[BoundResult]:
    """A subspace whose cosets all rounds keep."""
    from ..analysis import invariant_bounds
    from .pipeline import BoundResult

    yield BoundResult(invariant_bounds.invariant_subspace(it, query.limit))


def slide(it: Any, query: Query) -> Iterator[BoundResult]:
    """After how many rounds they repeat."""
    from ..analysis import invariant_bounds
    from .pipeline import BoundResult

    yield BoundResult(invariant_bounds.slide(it))
