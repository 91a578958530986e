"""A bound as its row has it, and the one rule by which it holds over more rounds as well."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import Any, ClassVar, Literal, Protocol, TypeVar

View = Literal["differential", "linear"]
Count = Literal["distinct", "executed"]
VIEWS: tuple[View, View] = ("differential", "linear")
COUNTS: dict[Count, str] = {
    "distinct": "S-boxes of one input counted once",
    "executed": "S-boxes counted as often as they are executed",
}
# How sure a result is, in increasing order, and what pages and tables say of it.
CERTAINTY = {
    "heuristic": "heuristic",
    "estimated": "estimated",
    "measured": "measured",
    "one-solver": "one solver, unconfirmed",
    "two-solvers": "agreed by two solvers",
    "proven": "proven",
}
# How the method of a bound begins that is of patterns of words and columns, without the description's graph.
OF_SHAPES = "byte-wise truncated trails"
_OPTIONAL = ("upper", "view", "count", "solver", "fingerprint", "as_over")


@dataclass(frozen=True, slots=True)
class Bound:
    """One bound. ``side``: the true value is exactly / at least / at most ``value``, in ``unit``.

    ``value`` is None where no such path exists, ``rounds`` where the bound is of no number of rounds.
    ``certainty`` is a key of `CERTAINTY`. ``witness``: a trail or pattern that attains the value in the
    model. ``monotone``: over more rounds the value is at least this. ``as_over``: the fewer rounds whose
    bound this is. The other fields are of bounds by solvers: ``upper`` is the weight of a trail that was
    checked on the description, each operation for itself, None where none was found; ``view`` differential
    or linear; ``count`` distinct or executed; ``solver`` name and version; ``fingerprint`` that of the
    `Problem`. ``seconds`` is wall-clock time.
    """

    cipher: str
    measure: str
    rounds: int | None
    value: float | None
    unit: str
    side: str
    certainty: str
    method: str
    witness: dict[str, Any] | None = None
    seconds: float = 0.0
    monotone: bool = False
    upper: float | None = None
    view: View | None = None
    count: Count | None = None
    solver: str | None = None
    fingerprint: str | None = None
    as_over: int | None = None

    @property
    def ended(self) -> bool:
        """Whether the search came to its end, so that more time changes nothing."""
        return self.side == "exact" or (self.value is not None and self.value == self.upper)

    @property
    def fields(self) -> dict[str, Any]:
        """The fields of a row of kind bound; those that are of other measures are left out."""
        values = asdict(self)
        kept = {"upper"} if self.view is not None else set[str]()
        return {k: v for k, v in values.items() if v is not None or k not in _OPTIONAL or k in kept}


class Bounding(Protocol):
    """What the rule below reads: a `Bound`, or a row of kind bound."""

    __dataclass_fields__: ClassVar[dict[str, Any]]

    @property
    def measure(self) -> str:
        """What is bounded."""

    @property
    def rounds(self) -> int | None:
        """Rounds that the bound is of; None where it is of no number of rounds."""

    @property
    def value(self) -> float | None:
        """The bound, in the unit of its measure; None where no such path exists."""

    @property
    def side(self) -> str:
        """``lower``, ``upper`` or ``exact``: how the true value lies to ``value``."""

    @property
    def certainty(self) -> str:
        """A key of `CERTAINTY`."""

    @property
    def method(self) -> str:
        """How it was computed, in a line."""

    @property
    def monotone(self) -> bool | None:
        """Whether over more rounds the value is at least this; in older rows None."""

    @property
    def upper(self) -> float | None:
        """Weight of a trail that was checked on the description; None where none was found."""

    @property
    def solver(self) -> str | None:
        """Name and version of the solver, or of several; None without one."""

    @property
    def as_over(self) -> int | None:
        """The fewer rounds whose bound this is; None where it is of its own."""


AnyBound = TypeVar("AnyBound", bound=Bounding)


def carried(bound: AnyBound, before: AnyBound | None) -> AnyBound:
    """The bound with at least the value of ``before``, of the same query over fewer rounds.

    So it is where ``before`` is monotone: its rounds are how more rounds begin, and a trail over those is
    a trail over these. Masks end where the rounds do, so a linear bound is not. Nothing is carried against
    a trail that weighs less, which is one of another description.
    """
    if before is None or not before.monotone or before.value is None or bound.value is None:
        return bound
    known = 0 if bound.side == "upper" else bound.value
    if bound.side == "exact" or before.side == "upper" or before.value <= known:
        return bound
    if bound.upper is not None and bound.upper < before.value:
        return bound
    guessed = "heuristic" in (bound.certainty, before.certainty)
    fewer = before.as_over or before.rounds
    return replace(
        bound,
        value=before.value,
        side="exact" if bound.upper == before.value and not guessed and not is_of_shapes(bound) else "lower",
        certainty="heuristic" if guessed else before.certainty,
        solver=before.solver or "",
        method=f"{bound.method}; no fewer than over {fewer} rounds",
        as_over=fewer,
    )


def is_of_shapes(bound: Bounding) -> bool:
    """Whether it is of patterns alone, which no differences need to have: never a minimum, whatever ``upper`` is."""
    return bound.method.startswith(OF_SHAPES)


def is_at_least(bound: Bounding, number: float) -> bool:
    """Whether the bound shows that the true value is at least ``number``; one from above shows nothing of that,
    and neither does a heuristic one, which may lie above the truth.

    No such path at all is more than any number. Only of a superpoly None is less: the polynomial is 0.
    """
    if bound.side == "upper" or bound.certainty == "heuristic":
        return False
    return bound.measure != "superpoly" if bound.value is None else bound.value >= number
