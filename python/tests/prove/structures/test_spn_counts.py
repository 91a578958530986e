"""Haraka and Pholkos by active-cell count, against the plain model of bytes."""

from __future__ import annotations

from collections import Counter
from itertools import product

import pytest

from roundworks.prove.solvers.problem import AtLeast
from roundworks.prove.solvers.solve import solve
from roundworks.prove.structures import feistel
from roundworks.prove.structures.deepening import deepen
from roundworks.prove.structures.facts import Facts
from roundworks.prove.structures.spn import Spn, spn
from roundworks.prove.structures.spn_counts import CountModel, graph
from roundworks.prove.structures.trails import weighed

BITS_256 = ("haraka-256", "pholkos-256")
BITS_512 = ("haraka-512", "pholkos-512")
# Words that give some of the others more columns, and some none.
UNEVEN = Spn((0, 1, 2, 4, 3, 5, 6, 8, 7, 9, 10, 11))


def shape(name: str) -> Spn:
    subject = spn(name)
    assert subject is not None
    return subject


@pytest.mark.parametrize("view", feistel.VIEWS)
@pytest.mark.parametrize(
    ("it", "most"),
    [
        (UNEVEN, 1),
        (shape("haraka-512"), 1),
        *(pytest.param(spn, 2, marks=pytest.mark.long) for spn in (*map(shape, BITS_256), UNEVEN)),
    ],
)
def test_the_minimum_is_that_of_the_plain_model(it: Spn, most: int, view: feistel.View) -> None:
    for rounds in range(1, most + 1):
        plain = solve(feistel.model(it, rounds, view, "distinct"), "highs", 60)
        model = CountModel(it, rounds, view)
        solution = solve(model.problem, "highs", 60)
        assert solution.assignment is not None
        assert solution.lower == solution.upper == plain.lower == plain.upper
        result = model.patterns(solution.assignment)
        assert weighed(it, rounds, view, "distinct", result) == solution.upper
        assert sum(w for part in model.parts for w in part.values()) == sum(model.problem.weights.values())


@pytest.mark.parametrize("view", feistel.VIEWS)
def test_a_heavy_trail_comes_back_as_bytes(view: feistel.View) -> None:
    """With other numbers than the minimum, the way back and the plain model agree, too."""
    subject = shape("haraka-256")
    for minimum in (40, 71, 100):
        model = CountModel(subject, 2, view)
        weights = {v: int(w) for v, w in model.problem.weights.items()}
        model.problem.add(AtLeast(tuple((w, v) for v, w in weights.items()), minimum))
        model.problem.weights.clear()
        result = solve(model.problem, "cadical", 60).assignment
        assert result is not None
        weight = sum(w for v, w in weights.items() if result[v])
        assert weighed(subject, 2, view, "distinct", model.patterns(result)) == weight >= minimum


@pytest.mark.parametrize("names", [BITS_256, BITS_512])
def test_both_shuffles_and_views_are_one_query(names: tuple[str, ...]) -> None:
    fingerprints = {
        CountModel(shape(name), 3, view).problem.fingerprint for name in names for view in feistel.VIEWS
    }
    assert len(fingerprints) == 1
    assert CountModel(UNEVEN, 3, "differential").problem.fingerprint not in fingerprints


def test_graphs_exist_where_the_sums_say_so() -> None:
    """Of all pairs of three degrees up to three, by going through the graphs."""
    made = set()
    for chosen in product((False, True), repeat=9):
        edges = [(i // 3, i % 3) for i in range(9) if chosen[i]]
        one, to = Counter(e[0] for e in edges), Counter(e[1] for e in edges)
        made.add((tuple(one[i] for i in range(3)), tuple(to[i] for i in range(3))))
    for left, right in product(product(range(4), repeat=3), repeat=2):
        if (left, right) not in made:
            with pytest.raises(ValueError, match="no graph"):
                graph(left, right)
            continue
        edges = list(graph(left, right))
        assert tuple(sum(a == i for a, _ in edges) for i in range(3)) == left
        assert tuple(sum(b == i for _, b in edges) for i in range(3)) == right


@pytest.mark.parametrize("view", feistel.VIEWS)
def test_deepening_by_active_counts(view: feistel.View) -> None:
    """5, 25 and 35 over one to three rounds."""
    facts = Facts(30, "distinct")
    said = list(deepen(facts, "haraka-256", view, 5, 60))
    assert facts.lower("haraka-256", view, 3) == [0, 5, 25, 30]
    assert [facts.upper("haraka-256", view, r) for r in (1, 2, 3)] == [5, 25, None]
    assert facts.reached("haraka-256", view, 5) == 3 and facts.below("haraka-256", view) == 2
    assert said and not list(deepen(Facts(30, "distinct", facts.new), "haraka-256", view, 5, 60))
    # Where time is over the query is open, and tried again with more.
    other = Facts(30, "distinct")
    assert [fact.light for fact in deepen(other, "haraka-256", view, 5, 1e-6)][-1] is None
    assert not list(deepen(other, "haraka-256", view, 5, 1e-6))
    assert list(deepen(other, "haraka-256", view, 5, 60)) and other.reached("haraka-256", view, 5) == 3
