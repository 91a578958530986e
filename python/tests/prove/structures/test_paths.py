"""Paths of active words: what is left out, symmetry and sums of windows, against the plain model."""

from __future__ import annotations

from itertools import product

import pytest

from calls import cases
from roundworks.errors import BrokenTrail
from roundworks.prove.solvers.clauses import counter, merged
from roundworks.prove.solvers.solve import solve
from roundworks.prove.structures import feistel
from roundworks.prove.structures.feistel import Structure, structure
from roundworks.prove.structures.model import ModelBuilder
from roundworks.prove.structures.path_model import light_model, path_model, patterns
from roundworks.prove.structures.paths import Path, Windows, renamed, shape
from roundworks.prove.structures.trails import weighed
from roundworks.reference import get_permutation
from solving import cell_bound

NEVER = 1000
MOST = 60


def plain(it: Structure, view: feistel.View, path: Path) -> int:
    """The minimum along a path by the plain model with its words fixed."""
    build = ModelBuilder()
    words = [build.word(f"w{i}") for i in range(it.words)]
    states = [words]
    for _ in range(Windows(it, view).rounds(path)):
        words = it.step(build, words, view, "distinct")
        states.append(words)
    for active, state in zip(path, states, strict=False):
        for i, word in enumerate(state):
            build.problem.fix(word.active, bool(active >> i & 1))
    solution = solve(build.problem, "highs", 3600)
    return NEVER if solution.status == "infeasible" else int(solution.lower)


def along(it: Structure, view: feistel.View, path: Path, known: Windows) -> int:
    problem, build = path_model(it, view, path, "distinct", MOST, known)
    solution = solve(problem, "cadical", 3600)
    if solution.assignment is None:
        assert solution.status == "infeasible"
        return NEVER
    result = patterns(build, solution.assignment)
    assert weighed(it, known.rounds(path), view, "distinct", result) == solution.upper
    return int(solution.lower)


@pytest.mark.parametrize("view", feistel.VIEWS)
@pytest.mark.parametrize("name", cases(["2-0,1-1", "1-0,2-2", "simpira-2"], short=["2-0,1-1"]))
def test_each_path_has_the_minimum_of_the_plain_model(name: str, view: feistel.View) -> None:
    structure_ = structure(name)
    known, nothing = Windows(structure_, view), Windows(structure_, view)
    for rounds in (1, 2):
        for path in known.open(rounds, NEVER):
            want = plain(structure_, view, path)
            assert known.minimum(path) <= want
            for facts in (nothing, known) if rounds == 1 else (known,):
                assert along(structure_, view, path, facts) == (want if want <= MOST else NEVER)
            known.tell(path, want)


@pytest.mark.parametrize("view", feistel.VIEWS)
@pytest.mark.parametrize("name", ["2-0,1-1", "1-0,1-0,2-2,2-3/2,0,3,1"])
def test_no_other_path_has_a_trail(name: str, view: feistel.View) -> None:
    """The plain model allows a state after another exactly where there is a path."""
    structure_ = structure(name)
    paths = set(Windows(structure_, view).open(2 - structure_.shared(view), 1))
    for path in product(range(1, 1 << structure_.words), repeat=2):
        build = ModelBuilder()
        words = [build.word(f"w{i}") for i in range(structure_.words)]
        after = structure_.step(build, words, view, "distinct")
        for active, state in zip(path, (words, after), strict=True):
            for i, word in enumerate(state):
                build.problem.fix(word.active, bool(active >> i & 1))
        build.problem.weights.clear()
        assert (solve(build.problem, "highs", 3600).status != "infeasible") == (path in paths), path


@pytest.mark.parametrize("view", feistel.VIEWS)
def test_light_trails_exist_from_the_minimum_on(view: feistel.View) -> None:
    """Counts of at least a number leave out none, and let none through."""
    structure_ = structure("1-0,2-2")
    known = Windows(structure_, view)
    for path in known.open(2, NEVER):
        want = plain(structure_, view, path)
        for most in (want - 1, want):
            problem, build = light_model(structure_, view, path, "distinct", most)
            solution = solve(problem, "cadical", 3600)
            assert (solution.assignment is not None) == (most == want != NEVER), path
            if solution.assignment is not None:
                result = patterns(build, solution.assignment)
                assert weighed(structure_, 2, view, "distinct", result) == want


@pytest.mark.parametrize("view", feistel.VIEWS)
def test_exchanged_halves_cost_the_same(view: feistel.View) -> None:
    structure_ = feistel.structure("1-0,2-0,1-0,2-0")
    known = Windows(structure_, view)
    every = known.open(1, NEVER)
    assert {known.one_of(path) for path in every} == set(every)
    assert {renamed(path, (2, 3, 0, 1)) for path in every} - set(every)
    for path in every:
        known.tell(renamed(path, (2, 3, 0, 1)), plain(structure_, view, path))
        assert plain(structure_, view, renamed(path, (2, 3, 0, 1))) == known.minimum(path)
    other = Windows(feistel.structure("1-0,2-0,2-0,1-0"), view)
    assert other.one_of((12, 12)) == (12, 12)


@pytest.mark.parametrize("view", feistel.VIEWS)
@pytest.mark.parametrize("name", ["haraka-256", "pholkos-512"])
def test_shuffles_of_columns_are_those_of_the_description(name: str, view: feistel.View) -> None:
    for rounds in (1, 2) if name == "haraka-256" else (1,):
        described = cell_bound(get_permutation(name), "active", rounds, view, "distinct", limit=3600)
        solution = solve(feistel.model(shape(name), rounds, view, "distinct"), "highs", 3600)
        assert solution.upper == described.value == described.upper


def test_sums_of_windows() -> None:
    known = Windows(feistel.structure("2-0,1-1"), "differential")
    known.tell((1, 3), 7)
    known.tell((3,), 4)
    assert known.minimum((1, 3, 3)) == 11 and known.minimum((3, 1, 3)) == 11
    known = Windows(feistel.structure("2-0,1-1"), "linear")  # neighbours share a state
    known.tell((1, 3), 7)
    known.tell((3, 2), 4)
    assert known.minimum((1, 3, 2)) == 11 and known.minimum((1, 3, 3, 2)) == 11
    assert (1, 3, 2) in known.open(2, 12) and (1, 3, 2) not in known.open(2, 11)


@pytest.mark.parametrize("view", feistel.VIEWS)
@pytest.mark.parametrize("name", ["2-0,1-1", "2-0,2-2,2-1,2-2"])
def test_paths_with_few_layers_first(name: str, view: feistel.View) -> None:
    known = Windows(structure(name), view)
    results = list(known.fewest(4))
    assert sorted(path for path in results if known.one_of(path) == path) == known.open(4, NEVER)
    layers = [sum((active & known.it.layered).bit_count() for active in path) for path in results]
    assert layers == sorted(layers) and layers[0] < layers[-1]


@pytest.mark.parametrize("view", feistel.VIEWS)
def test_longer_paths(view: feistel.View) -> None:
    windows = Windows(structure("1-0,2-2,2-3,1-1"), view)
    every = [{*windows.fewest(rounds)} for rounds in (2, 3)]
    for path in every[0]:
        longer = list(windows.longer(path))
        assert {*longer} == {p for p in every[1] if path in (p[1:], p[:-1])} and longer


def test_a_changed_trail_is_refused() -> None:
    structure_ = feistel.structure("2-0,1-1")
    known = Windows(structure_, "differential")
    path = known.open(2, NEVER)[0]
    problem, build = path_model(structure_, "differential", path, "distinct", MOST, known)
    solution = solve(problem, "cadical", 3600)
    assert solution.assignment is not None
    result = patterns(build, solution.assignment)
    assert weighed(structure_, 2, "differential", "distinct", result) == solution.upper
    refused = 0
    for at, pattern in enumerate(result):
        if pattern:
            changed = [*result[:at], 0, *result[at + 1 :]]
            try:
                weighed(structure_, 2, "differential", "distinct", changed)
            except BrokenTrail:
                refused += 1
    assert refused


@pytest.mark.parametrize("most", [2, 4, 9])
def test_a_counter_up_to_a_limit(most: int) -> None:
    """For each point exactly one value of the outputs, as far as they go."""
    names = iter(range(6, 1000))
    clauses: list[tuple[int, ...]] = []
    left = counter([1, 2, 3], lambda: next(names), clauses)
    right = counter([4, 5], lambda: next(names), clauses)
    total = merged(left, right, most, lambda: next(names), clauses)
    assert len(total) == min(most, 5)
    for point in product((False, True), repeat=5):
        true = {i + 1 if v else -(i + 1) for i, v in enumerate(point)}
        rest = [c for c in clauses if not true & {*c}]
        while units := {
            lit for c in rest if len(left_ := [x for x in c if -x not in true]) == 1 for lit in left_
        }:
            true |= units
            rest = [c for c in rest if not true & {*c}]
        assert not rest
        assert [lit in true for lit in total] == [k < sum(point) for k in range(len(total))]
