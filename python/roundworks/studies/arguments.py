"""The arguments of `roundworks analyse`: which measures there are, what they show, and of which descriptions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ..analysis import words as word_view
from ..bounds import VIEWS, Bound, View
from ..errors import DescriptionError
from ..reference import BlockCipher, Rounds, Roundwise, StreamAead, record_round

MOST_ROUNDS = 64
LEVEL = 0.01  # of all statistical tests of one argument together
MOST_WORDS = 12  # of the state, or of each of its lanes, whose patterns are gone through


@dataclass(frozen=True, slots=True)
class Subject:
    """What is analysed. ``full``: its rounds, of a streaming cipher those of its initialisation; None where
    it has no number. ``weights``: what the best transition of its weakest S-box weighs, by view."""

    it: Roundwise
    words: Sequence[str]
    bits: int
    full: int | None
    weights: dict[View, float]
    sbox_bits: int


@dataclass(frozen=True, slots=True)
class Argument:
    """A measure as an argument. ``works``: whether a bound over some rounds is a property that a random
    permutation has not; of ``resists``, whether it excludes one. More rounds are tried while a property
    is found, or until it is excluded. ``single``: the measure gives one number of rounds, not all up to it.
    ``closed``: it is of paths through as many rounds as they need, so that its value stands for itself.
    ``cost``: what ends by itself soon is 0 and runs first, what takes all the time it gets is 2. ``wants``: the
    description that it ``fits``.
    """

    title: str
    measure: str
    works: Callable[[Bound, Subject], bool]
    view: View | None = None
    resists: bool = False
    single: bool = False
    closed: bool = False
    cost: int = 2
    fits: Callable[[Subject], bool] = lambda subject: True
    wants: str = ""


def _found(bound: Bound, subject: Subject) -> bool:
    return bool(bound.value)


def _likely(bound: Bound, subject: Subject) -> bool:
    """A probability (squared correlation) above that of chance."""
    return bound.value is not None and bound.value > -subject.bits


def _correlated(bound: Bound, subject: Subject) -> bool:
    """A correlation above that of chance."""
    return bound.value is not None and bound.value > -subject.bits / 2


def _too_heavy(bound: Bound, subject: Subject) -> bool:
    """Every trail has a probability (squared correlation) of at most 2^-n, S-boxes taken as independent."""
    each = subject.weights[bound.view or "differential"] if bound.unit != "-log2" else 1
    return bound.value is None or bound.value * each >= subject.bits


def _small(subject: Subject) -> bool:
    return subject.sbox_bits <= 5


def _secret(subject: Subject) -> bool:
    """A block cipher has a key, a streaming one a state that its keystream gives away."""
    cipher = subject.it
    return isinstance(cipher, BlockCipher) or (
        isinstance(cipher, StreamAead) and not isinstance(cipher, Rounds)
    )


def _streams(subject: Subject) -> bool:
    """It absorbs blocks into a state that it keeps, and gives keystream."""
    return isinstance(subject.it, StreamAead) and not isinstance(subject.it, Rounds)


def _few_words(subject: Subject) -> bool:
    """The patterns of its words are few enough to go through without a look at the clock."""
    cipher = subject.it
    if not isinstance(cipher, StreamAead) or not _streams(subject):
        return False
    try:
        parts = word_view.parts(word_view.differential(record_round(cipher)))
    except DescriptionError:
        return True  # the measure says the same
    return all(part.program.words <= MOST_WORDS for part in parts)


def _low_degree(bound: Bound, subject: Subject) -> bool:
    """Below that of most permutations: sums over subspaces smaller than the space vanish."""
    return bound.value is not None and bound.value < subject.bits - 1


def _unfair(bound: Bound, subject: Subject) -> bool:
    """Below the level, after the correction for the number of pairs and for the rounds that are tried."""
    return bound.value is not None and bound.value * most_rounds(subject) < LEVEL


def _coset(bound: Bound, subject: Subject) -> bool:
    """A subspace that is not the whole space."""
    return bound.value is not None and bound.value < subject.bits


def _repeats(bound: Bound, subject: Subject) -> bool:
    return bound.value is not None


def most_rounds(subject: Subject) -> int:
    """The most rounds that are looked at."""
    return min(subject.full or MOST_ROUNDS, MOST_ROUNDS)


SMALL = "S-boxes of at most 5 bits"
STREAM = "a streaming AEAD"
FEW = f"{STREAM} of at most {MOST_WORDS} words that depend on each other; `roundworks bound` takes more"

ARGUMENTS = (
    *(Argument(f"active S-boxes, {v}", "active-sboxes", _too_heavy, v, resists=True) for v in VIEWS),
    *(
        Argument(f"weight of trails, {v}", "trail", _too_heavy, v, resists=True, fits=_small, wants=SMALL)
        for v in VIEWS
    ),
    Argument(
        "differential, summed over trails",
        "cluster",
        _likely,
        "differential",
        single=True,
        fits=_small,
        wants=SMALL,
    ),
    Argument(
        "linear hull, summed over trails", "cluster", _likely, "linear", single=True, fits=_small, wants=SMALL
    ),
    Argument("impossible differential, cell-wise", "impossible", _found, "differential", cost=0),
    Argument("correlation zero, cell-wise", "impossible", _found, "linear", cost=0),
    Argument(
        "impossible differential, bit-wise",
        "impossible-bits",
        _found,
        "differential",
        fits=_small,
        wants=SMALL,
        cost=1,
    ),
    Argument(
        "correlation zero, bit-wise", "impossible-bits", _found, "linear", fits=_small, wants=SMALL, cost=1
    ),
    Argument("boomerang", "boomerang", _likely, fits=_small, wants=SMALL),
    Argument("differential-linear", "differential-linear", _correlated, fits=_small, wants=SMALL),
    Argument("integral, bit-wise", "integral", _found, cost=1),
    Argument(
        "key or state by a solver",
        "recovery",
        _found,
        fits=_secret,
        wants="a block cipher, or a streaming AEAD",
    ),
    Argument("avalanche", "avalanche", _unfair, cost=1),
    Argument("algebraic degree", "degree", _low_degree, cost=0),
    Argument("quadratic invariant, keys zero", "nonlinear-invariant", _found, cost=0),
    Argument("invariant subspace, keys zero", "invariant-subspace", _coset, cost=1),
    Argument("rounds alike (slide), keys aside", "slide", _repeats, cost=0),
    Argument("collision, active F", "collision", _found, closed=True, cost=0, fits=_few_words, wants=FEW),
    Argument("keystream bias, active F", "bias", _found, closed=True, cost=0, fits=_few_words, wants=FEW),
    Argument(
        "guess and determine",
        "guess-and-determine",
        _repeats,
        closed=True,
        cost=1,
        fits=_streams,
        wants=STREAM,
    ),
    Argument(
        "collision, active S-boxes", "collision-sboxes", _found, closed=True, fits=_streams, wants=STREAM
    ),
    Argument(
        "keystream bias, active S-boxes", "bias-sboxes", _found, closed=True, fits=_streams, wants=STREAM
    ),
)
