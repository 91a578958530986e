"""All measures of `roundworks bound`: what each is of, which options it takes, and how it is computed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from types import ModuleType
from typing import TYPE_CHECKING, Any

from ..errors import DescriptionError, unknown

if TYPE_CHECKING:  # numpy and the descriptions take two tenths of a second, which `--help` need not wait for
    from ..bounds import Bound
    from ..reference import Recording, Roundwise
    from .bitwise.sbox_tables import Switch
    from .pipeline import BoundResult, Instance, Query

BY_SOLVER = frozenset({"rounds", "view", "count", "where", "solver", "time-limit", "proof", "dot"})
INTEGRAL = frozenset({"rounds", "where", "time-limit"})
MISSES = frozenset({"rounds", "view", "time-limit"})
CLUSTER = INTEGRAL | {"view"}


@dataclass(frozen=True, slots=True)
class Measure:
    """What can be bounded. ``options`` are those of the command that it takes, of `BY_SOLVER`.

    ``rounds``: how many unless set. ``of_streams``: it wants a state that absorbs blocks and gives
    keystream. ``of_permutations``: without a solver, and of permutations as well as ciphers.
    """

    summary: str
    compute: Callable[[Any, Query], Iterator[BoundResult]]
    options: frozenset[str] = frozenset()
    rounds: int = 16
    of_streams: bool = False
    of_permutations: bool = False

    @property
    def by_solver(self) -> bool:
        """Cell-wise or bit-wise, by a solver, or with a limit of time at least."""
        return "time-limit" in self.options

    @property
    def word_wise(self) -> bool:
        """Of ciphers, word-wise and exhaustive."""
        return not self.by_solver and not self.of_permutations


def active_sboxes(it: Roundwise, query: Query) -> Iterator[BoundResult]:
    """Fewest active S-boxes over 1 to ``query.rounds`` rounds, cell-wise."""
    from ..reference import record_rounds
    from .cellwise.instance import cell_instance
    from .pipeline import by_rounds

    def build(recording: Recording, rounds: int) -> Instance:
        return cell_instance(
            it, "active", rounds, query.view, query.count, where=query.where, recording=recording
        )

    return by_rounds(it, query, build, record_rounds)


def _related(goal: str) -> Callable[[Roundwise, Query], Iterator[BoundResult]]:
    """Fewest active S-boxes over 1 to ``query.rounds`` rounds, cell-wise, key or tweak differing too."""

    def compute(it: Roundwise, query: Query) -> Iterator[BoundResult]:
        from ..reference import record_keyed
        from .cellwise.instance import cell_instance
        from .pipeline import by_rounds

        def build(recording: Recording, rounds: int) -> Instance:
            return cell_instance(
                it, goal, rounds, query.view, query.count, where=query.where, recording=recording
            )

        cell_instance(it, goal, 1, query.view, query.count)  # what does not fit is said before recording
        return by_rounds(it, query, build, record_keyed)

    return compute


def _closed(goal: str) -> Callable[[Roundwise, Query], Iterator[BoundResult]]:
    """Fewest active S-boxes in an internal collision, or a biased sum, of at most that many rounds."""

    def compute(it: Roundwise, query: Query) -> Iterator[BoundResult]:
        from .cellwise.instance import cell_instance
        from .pipeline import proven, solved

        instance = cell_instance(it, goal, query.rounds, query.view, query.count, where=query.where)
        return proven(solved(instance, query), query)

    return compute


def trail(it: Roundwise, query: Query) -> Iterator[BoundResult]:
    """Minimum weight of a bit-wise trail over 1 to ``query.rounds`` rounds."""
    from ..reference import record_rounds
    from .bitwise.instance import bit_instance
    from .pipeline import by_rounds

    def build(recording: Recording, rounds: int) -> Instance:
        view = query.view or "differential"
        return bit_instance(it, rounds, view, query.count, recording=recording, up_to_rotation=True)

    return by_rounds(it, query, build, record_rounds)


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


def _switched(kind: Switch) -> Callable[[Roundwise, Query], Iterator[BoundResult]]:
    """Two trails that meet at a layer of S-boxes, over 1 to ``query.rounds`` rounds."""

    def compute(it: Roundwise, query: Query) -> Iterator[BoundResult]:
        from .bitwise.switches import switched
        from .pipeline import BoundResult

        return map(BoundResult, switched(it, kind, query))

    return compute


def related_trail(it: Roundwise, query: Query) -> Iterator[BoundResult]:
    """Minimum weight of a bit-wise trail over 1 to ``query.rounds`` rounds, key differing too."""
    from ..reference import record_keyed
    from .bitwise.instance import bit_instance
    from .pipeline import by_rounds

    def build(recording: Recording, rounds: int) -> Instance:
        view = query.view or "differential"
        return bit_instance(it, rounds, view, query.count, recording=recording, related=True)

    return by_rounds(it, query, build, record_keyed)


def integral(it: Roundwise, query: Query) -> Iterator[BoundResult]:
    """Balanced bits after 1 to ``query.rounds`` rounds, by the bit-based division property."""
    from .division import integrals
    from .pipeline import BoundResult

    for rounds in range(1, query.rounds + 1):
        yield BoundResult(integrals.bit_wise(it, rounds, query.where, query.limit, query.progress))


def integral_words(it: Roundwise, query: Query) -> Iterator[BoundResult]:
    """Balanced bits after 1 to ``query.rounds`` rounds, by the numbers of active bits of words."""
    from .division import integrals
    from .pipeline import BoundResult

    for rounds in range(1, query.rounds + 1):
        yield BoundResult(integrals.word_wise(it, rounds, query.where, query.limit))


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


def _word_wise(
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

    yield BoundResult(of.guess_and_determine(it))


def degree(it: Any, query: Query) -> Iterator[BoundResult]:
    """An upper bound on the algebraic degree over 1 to ``query.rounds`` rounds."""
    from ..analysis import degree as of
    from .pipeline import BoundResult

    return map(BoundResult, of.degrees(it, query.rounds))


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


MEASURES: dict[str, Measure] = {
    "active-f": Measure(
        "fewest active F over the first rounds of the initialisation, difference in the nonce",
        _word_wise(lambda bounds, it, rounds: bounds.active_f(it, rounds)),
        options=frozenset({"rounds"}),
        of_streams=True,
    ),
    "diffusion": Measure(
        "share of word pairs (word, first-state word) with a dependence, by rounds",
        _word_wise(lambda bounds, it, rounds: bounds.diffusion(it, rounds)),
        options=frozenset({"rounds"}),
    ),
    "collision": Measure(
        "fewest active F in an internal collision",
        _word_wise(lambda bounds, it, _: [bounds.collision(it)]),
        of_streams=True,
    ),
    "bias": Measure(
        "fewest active F in a biased sum of keystream words",
        _word_wise(lambda bounds, it, _: [bounds.bias(it)]),
        of_streams=True,
    ),
    "guess-and-determine": Measure(
        "fewest words of the state that give all of it from known plaintext, up to the bits of the key",
        determine,
        of_streams=True,
    ),
    "differential": Measure(
        "largest differential probability of one F over its lightest patterns, as log2",
        _word_wise(lambda bounds, it, _: [bounds.differential(it)]),
    ),
    "correlation": Measure(
        "largest squared correlation of one F over its lightest patterns, as log2",
        _word_wise(lambda bounds, it, _: [bounds.correlation(it)]),
    ),
    "avalanche": Measure(
        "strict avalanche criterion after 1 to --rounds rounds: corrected p-value",
        avalanche,
        options=frozenset({"rounds"}),
        rounds=4,
        of_permutations=True,
    ),
    "dieharder": Measure(
        "tests of dieharder, with those of NIST in it, after 1 to --rounds rounds: corrected p-value",
        dieharder,
        options=frozenset({"rounds"}),
        rounds=4,
        of_permutations=True,
    ),
    "degree": Measure(
        "algebraic degree after 1 to --rounds rounds, at most",
        degree,
        options=frozenset({"rounds"}),
        rounds=8,
        of_permutations=True,
    ),
    "nonlinear-invariant": Measure(
        "quadratic invariants of all rounds, and how many keys keep them",
        nonlinear_invariant,
        of_permutations=True,
    ),
    "invariant-subspace": Measure(
        "dimension of a subspace whose cosets all rounds keep",
        invariant_subspace,
        options=frozenset({"time-limit"}),
        of_permutations=True,
    ),
    "slide": Measure("after how many rounds they repeat, constants included", slide, of_permutations=True),
    "active-sboxes": Measure(
        "fewest active S-boxes over 1 to --rounds rounds", active_sboxes, BY_SOLVER, rounds=4
    ),
    "related-key-sboxes": Measure(
        "the same of a block cipher whose key may differ, too", _related("related-key"), BY_SOLVER, rounds=4
    ),
    "related-tweak-sboxes": Measure(
        "the same of a block cipher whose tweak may differ, too",
        _related("related-tweak"),
        BY_SOLVER,
        rounds=4,
    ),
    "collision-sboxes": Measure(
        "fewest active S-boxes in an internal collision of at most --rounds rounds",
        _closed("collision"),
        BY_SOLVER,
        rounds=4,
    ),
    "bias-sboxes": Measure(
        "fewest active S-boxes in a biased sum of keystream of at most --rounds rounds",
        _closed("bias"),
        BY_SOLVER,
        rounds=4,
    ),
    "trail": Measure(
        "minimum weight of a bit-wise trail over 1 to --rounds rounds", trail, BY_SOLVER - {"where"}, rounds=4
    ),
    "cluster": Measure(
        "log2 of a differential's probability (a hull's squared correlation), summed over trails",
        cluster,
        CLUSTER,
        rounds=3,
    ),
    "impossible": Measure(
        "impossible differentials (linear: correlation zero) over 1 to --rounds rounds, cell-wise",
        impossible,
        MISSES,
        rounds=6,
    ),
    "impossible-bits": Measure(
        "the same bit-wise: pairs of one bit (one cell) before and after, or of --where, without a trail",
        impossible_bits,
        CLUSTER | {"proof"},
        rounds=4,
    ),
    "boomerang": Measure(
        "log2 of a boomerang's probability over 1 to --rounds rounds, switched at one S-box layer",
        _switched("boomerang"),
        INTEGRAL - {"where"} | {"solver"},
        rounds=4,
    ),
    "differential-linear": Measure(
        "log2 of a differential-linear correlation over 1 to --rounds rounds, switched likewise",
        _switched("differential-linear"),
        INTEGRAL - {"where"} | {"solver"},
        rounds=4,
    ),
    "related-key-trail": Measure(
        "the same of a block cipher whose key may differ, too", related_trail, BY_SOLVER - {"where"}, rounds=4
    ),
    "integral": Measure(
        "bits that sum to 0 after 1 to --rounds rounds, where --where takes all values",
        integral,
        INTEGRAL,
        rounds=4,
    ),
    "integral-words": Measure(
        "the same by the number of active bits of each word: fewer bits, in less time",
        integral_words,
        INTEGRAL,
        rounds=4,
    ),
    "superpoly": Measure(
        "degree of the polynomial that a sum over a cube is, over 1 to --rounds rounds",
        superpoly,
        INTEGRAL,
        rounds=3,
    ),
    "recovery": Measure(
        "bits of the key (of a state) that a solver finds from pairs (keystream) of 1 to --rounds rounds",
        recovery,
        INTEGRAL,
        rounds=3,
    ),
}


def bounds_of(it: Roundwise, measure: str, query: Query) -> Iterator[BoundResult]:
    """The results of one measure, as they are found.

    Raises
    ------
    UnknownName
        ``measure 'activ': not known; did you mean active-f, active-sboxes? (...)``
    DescriptionError
        ``view: does nothing for integral; measures with it: active-sboxes, ...``
    """
    from ..reference import BlockCipher, Permutation, streaming
    from .pipeline import check_view_and_count, want_whole_rounds

    if measure not in MEASURES:
        raise unknown("measure", measure, MEASURES)
    check_view_and_count(query.view, query.count)
    if query.rounds < 1:
        raise DescriptionError(f"rounds: want at least 1, got {query.rounds}")
    chosen = MEASURES[measure]
    check_options(measure, given(query))
    if chosen.by_solver:
        want_whole_rounds(it)
    elif isinstance(it, Permutation | BlockCipher) and not chosen.of_permutations:
        kind = "permutation" if isinstance(it, Permutation) else "block cipher"
        unfit = ("coll", "bias") if isinstance(it, BlockCipher) else ("coll", "bias", "related")
        others = ", ".join(n for n, m in MEASURES.items() if not m.word_wise and not n.startswith(unfit))
        raise DescriptionError(
            f"measure {measure}: want a cipher that absorbs, got the {kind} {it.name}; measures of it: {others}"
        )
    elif chosen.of_streams:
        streaming(it, f"measure {measure!r}")
    return chosen.compute(it, query)


def given(query: Query) -> list[str]:
    """The options of a query that are set, but for its rounds."""
    is_given = {
        "view": query.view is not None,
        "count": query.count != "distinct",
        "where": bool(query.where),
        "solver": tuple(query.solvers) != ("auto",),
        "time-limit": query.limit is not None,
        "proof": query.proof is not None,
    }
    return [name for name, there in is_given.items() if there]


def check_options(measure: str, options: list[str]) -> None:
    """`DescriptionError` for an option that the measure has no use for."""
    for option in options:
        if option not in MEASURES[measure].options:
            others = ", ".join(name for name, m in MEASURES.items() if option in m.options)
            raise DescriptionError(f"{option}: does nothing for {measure}; measures with it: {others}")
