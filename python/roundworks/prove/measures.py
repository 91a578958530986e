"""What `roundworks bound` offers by cells and bits: a measure is a question for each round count."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import cast

from ..errors import DescriptionError, unknown
from ..reference import Roundwise, record_rounds
from . import integrals
from .asked import Asked, Found, carried, certified
from .drawing import trail_dot
from .goals import COUNTS, SHARED, VIEWS, Bound, question, solved, want_whole_rounds
from .trail_bounds import trail


def active(it: Roundwise, asked: Asked) -> Iterator[Found]:
    """Fewest active S-boxes over 1 to ``rounds`` rounds."""
    before = None
    for rounds in range(1, asked.rounds + 1):
        for found in _cells(it, "active", rounds, asked, before):
            yield found
            before = cast(Bound, found.bound)


def collision(it: Roundwise, asked: Asked) -> Iterator[Found]:
    """Fewest active S-boxes in an internal collision of at most ``rounds`` rounds."""
    return _cells(it, "collision", asked.rounds, asked)


def bias(it: Roundwise, asked: Asked) -> Iterator[Found]:
    """Fewest active S-boxes in a biased sum of keystream words of at most ``rounds`` rounds."""
    return _cells(it, "bias", asked.rounds, asked)


def _cells(
    it: Roundwise, goal: str, rounds: int, asked: Asked, before: Bound | None = None
) -> Iterator[Found]:
    """One bound. Where it was to be proven and cannot be, it comes first and then the error."""
    found, lightest = solved(
        it, goal, rounds, asked.view, asked.count, asked.where, asked.solvers, asked.limit,
        asked.progress,
    )  # fmt: skip
    if found.value is None and goal == "active":
        words = ", ".join(asked.where) or "none"
        raise DescriptionError(
            f"{it.name}: {rounds} rounds: no difference (mask) at all fits; patterns were given for:"
            f" {words}; leave a cell as ? or *"
        )
    found, refused = carried(it, found, before, asked.where), None
    if asked.proof is not None:
        of = question(it, goal, rounds, asked.view, asked.count, asked.where)
        found, refused = certified(found, of.model.problem, asked, SHARED if of.shared else "")
    drawing = None
    if lightest is not None:
        drawing = trail_dot(record_rounds(it, rounds), lightest.activity, lightest.cell_bits)
    yield Found(found, drawing)
    if refused is not None:
        raise refused


def integral(it: Roundwise, asked: Asked) -> Iterator[Found]:
    """Balanced bits after 1 to ``rounds`` rounds, bit by bit."""
    _plain(asked, "integral")
    for rounds in range(1, asked.rounds + 1):
        found = integrals.by_bits(it, rounds, asked.where, asked.limit, asked.progress)
        yield Found(found, None)


def integral_words(it: Roundwise, asked: Asked) -> Iterator[Found]:
    """Balanced bits after 1 to ``rounds`` rounds, by the numbers of active bits of words."""
    _plain(asked, "integral-words")
    for rounds in range(1, asked.rounds + 1):
        yield Found(integrals.by_words(it, rounds, asked.where, asked.limit), None)


def _plain(asked: Asked, measure: str) -> None:
    """No option that an integral has no use for."""
    given = {
        "view": asked.view is not None,
        "count": asked.count != "distinct",
        "solver": any(solver not in ("auto", "cadical") for solver in asked.solvers),
        "proof": asked.proof is not None,
    }
    for name, is_given in given.items():
        if is_given:
            raise DescriptionError(
                f"{name}: does nothing for {measure}, which CaDiCaL decides; leave it away"
            )


MEASURES: dict[str, Callable[[Roundwise, Asked], Iterator[Found]]] = {
    "active-sboxes": active,
    "collision-sboxes": collision,
    "bias-sboxes": bias,
    "trail": trail,
    "integral": integral,
    "integral-words": integral_words,
}


def measured(it: Roundwise, measure: str, asked: Asked) -> Iterator[Found]:
    """The bounds of one measure, as they are found."""
    if measure not in MEASURES:
        raise unknown("measure", measure, MEASURES)
    if asked.view not in (None, *VIEWS):
        raise unknown("view", asked.view, VIEWS)
    if asked.count not in COUNTS:
        raise unknown("count", asked.count, COUNTS)
    if asked.rounds < 1:
        raise DescriptionError(f"rounds: want at least 1, got {asked.rounds}")
    want_whole_rounds(it)
    return MEASURES[measure](it, asked)
