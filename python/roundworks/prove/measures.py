"""All measures of `roundworks bound`: what each is of, which options it takes, and what computes it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..errors import DescriptionError, unknown
from . import compute

if TYPE_CHECKING:  # numpy and the descriptions take two tenths of a second, which `--help` need not wait for
    from ..reference import Roundwise
    from .pipeline import BoundResult, Query

BY_SOLVER = frozenset({"rounds", "view", "count", "where", "solver", "time-limit", "proof", "dot"})
BY_ROUNDS = BY_SOLVER | {"alone"}
INTEGRAL = frozenset({"rounds", "where", "time-limit"})
MISSES = frozenset({"rounds", "view", "time-limit"})
CLUSTER = INTEGRAL | {"view"}
NAMED = 4  # measures that an error names, where none is near the one that was given
FREE = {("collision", "rounds"), ("bias", "rounds")}  # over whatever rounds a path takes


@dataclass(frozen=True, slots=True)
class Measure:
    """What can be bounded. ``options`` are those of the command that it takes, of `BY_ROUNDS`.

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


MEASURES: dict[str, Measure] = {
    "active-f": Measure(
        "fewest active F over the first rounds of the initialisation, difference in the nonce",
        compute.word_wise_bounds(lambda bounds, it, rounds: bounds.active_f(it, rounds)),
        options=frozenset({"rounds"}),
        of_streams=True,
    ),
    "diffusion": Measure(
        "share of word pairs (word, first-state word) with a dependence, by rounds",
        compute.word_wise_bounds(lambda bounds, it, rounds: bounds.diffusion(it, rounds)),
        options=frozenset({"rounds"}),
    ),
    "collision": Measure(
        "fewest active F in an internal collision",
        compute.word_wise_bounds(lambda bounds, it, _: [bounds.collision(it)]),
        of_streams=True,
    ),
    "bias": Measure(
        "fewest active F in a biased sum of keystream words",
        compute.word_wise_bounds(lambda bounds, it, _: [bounds.bias(it)]),
        of_streams=True,
    ),
    "guess-and-determine": Measure(
        "fewest words of the state that give all of it from known plaintext, up to the bits of the key",
        compute.determine,
        of_streams=True,
    ),
    "differential": Measure(
        "largest differential probability of one F over its lightest patterns, as log2",
        compute.word_wise_bounds(lambda bounds, it, _: [bounds.differential(it)]),
    ),
    "correlation": Measure(
        "largest squared correlation of one F over its lightest patterns, as log2",
        compute.word_wise_bounds(lambda bounds, it, _: [bounds.correlation(it)]),
    ),
    "avalanche": Measure(
        "strict avalanche criterion after 1 to --rounds rounds: corrected p-value",
        compute.avalanche,
        options=frozenset({"rounds"}),
        rounds=4,
        of_permutations=True,
    ),
    "dieharder": Measure(
        "tests of dieharder, with those of NIST in it, after 1 to --rounds rounds: corrected p-value",
        compute.dieharder,
        options=frozenset({"rounds"}),
        rounds=4,
        of_permutations=True,
    ),
    "degree": Measure(
        "algebraic degree after 1 to --rounds rounds, at most",
        compute.degree,
        options=frozenset({"rounds"}),
        rounds=8,
        of_permutations=True,
    ),
    "nonlinear-invariant": Measure(
        "quadratic invariants of all rounds, and how many keys keep them",
        compute.nonlinear_invariant,
        of_permutations=True,
    ),
    "invariant-subspace": Measure(
        "dimension of a subspace whose cosets all rounds keep",
        compute.invariant_subspace,
        options=frozenset({"time-limit"}),
        of_permutations=True,
    ),
    "slide": Measure(
        "after how many rounds they repeat, constants included", compute.slide, of_permutations=True
    ),
    "active-sboxes": Measure(
        "fewest active S-boxes over 1 to --rounds rounds",
        compute.active_sboxes("active"),
        BY_ROUNDS,
        rounds=4,
    ),
    "related-key-sboxes": Measure(
        "fewest active S-boxes of a block cipher over 1 to --rounds rounds, where the key may differ",
        compute.active_sboxes("related-key"),
        BY_ROUNDS,
        rounds=4,
    ),
    "related-tweak-sboxes": Measure(
        "fewest active S-boxes of a block cipher over 1 to --rounds rounds, where the tweak may differ",
        compute.active_sboxes("related-tweak"),
        BY_ROUNDS,
        rounds=4,
    ),
    "collision-sboxes": Measure(
        "fewest active S-boxes in an internal collision of at most --rounds rounds",
        compute.closed("collision"),
        BY_SOLVER,
        rounds=4,
    ),
    "bias-sboxes": Measure(
        "fewest active S-boxes in a biased sum of keystream of at most --rounds rounds",
        compute.closed("bias"),
        BY_SOLVER,
        rounds=4,
    ),
    "trail": Measure(
        "minimum weight of a bit-wise trail over 1 to --rounds rounds",
        compute.trail(),
        BY_ROUNDS - {"where"},
        rounds=4,
    ),
    "trail-sboxes": Measure(
        "fewest S-boxes that are active in a bit-wise trail over 1 to --rounds rounds",
        compute.trail(active_only=True),
        BY_ROUNDS - {"where"},
        rounds=4,
    ),
    "cluster": Measure(
        "log2 of a differential's probability (a hull's squared correlation), summed over trails",
        compute.cluster,
        CLUSTER,
        rounds=3,
    ),
    "impossible": Measure(
        "impossible differentials (linear: correlation zero) between the first and the last S-boxes, cell-wise",
        compute.impossible,
        MISSES,
        rounds=6,
    ),
    "impossible-bits": Measure(
        "impossible differentials (linear: correlation zero) over 1 to --rounds rounds, bit-wise, by one active bit,"
        " then one cell; values of --where are of the state itself",
        compute.impossible_bits,
        CLUSTER | {"proof"},
        rounds=4,
    ),
    "boomerang": Measure(
        "log2 of a boomerang's probability over 1 to --rounds rounds, switched at one S-box layer",
        compute.switched_trails("boomerang"),
        INTEGRAL | {"solver"},
        rounds=4,
    ),
    "differential-linear": Measure(
        "log2 of a differential-linear correlation over 1 to --rounds rounds, switched at one S-box layer",
        compute.switched_trails("differential-linear"),
        INTEGRAL | {"solver"},
        rounds=4,
    ),
    "related-key-boomerang": Measure(
        "log2 of a boomerang's probability over 1 to --rounds rounds, where key and tweak may differ",
        compute.switched_trails("boomerang", related=True),
        INTEGRAL | {"solver"},
        rounds=4,
    ),
    "related-key-trail": Measure(
        "minimum weight of a bit-wise trail of a block cipher over 1 to --rounds rounds, where the key may differ",
        compute.trail(related=True),
        BY_ROUNDS - {"where"},
        rounds=4,
    ),
    "integral": Measure(
        "bits that sum to 0 after 1 to --rounds rounds, where --where takes all values",
        compute.integral,
        INTEGRAL | {"solver"},
        rounds=4,
    ),
    "integral-words": Measure(
        "bits that sum to 0 after 1 to --rounds rounds, by the active bits of each word: fewer, in less time",
        compute.integral_words,
        INTEGRAL,
        rounds=4,
    ),
    "integral-three-subsets": Measure(
        "bits that sum to 0 after 1 to --rounds rounds, by three subsets: more, of at most 33 bits of state",
        compute.integral_three_subsets,
        INTEGRAL,
        rounds=4,
    ),
    "superpoly": Measure(
        "degree of the polynomial that a sum over a cube is, over 1 to --rounds rounds",
        compute.superpoly,
        INTEGRAL,
        rounds=3,
    ),
    "recovery": Measure(
        "bits of the key (of a state) that follow from pairs (keystream) of 1 to --rounds rounds, by a solver",
        compute.recovery,
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
        ``view: does nothing for integral, which takes none; measures with it: active-sboxes, ...``
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
        "alone": query.alone,
    }
    return [name for name, there in is_given.items() if there]


def check_options(measure: str, options: list[str]) -> None:
    """`DescriptionError` for an option that the measure has no use for."""
    for option in options:
        if option not in MEASURES[measure].options:
            others = [name for name, m in MEASURES.items() if option in m.options]
            near = [name for name in others if name.startswith(measure)]
            shown = near or others[:NAMED]
            more = f" and {len(others) - len(shown)} more" * (not near and len(others) > len(shown))
            why = "takes as many as it needs" if (measure, option) in FREE else "takes none"
            raise DescriptionError(
                f"{option}: does nothing for {measure}, which {why}; measures with it: {', '.join(shown)}{more}"
            )
