"""Minimum active S-boxes of the Feistel family: what a second solver confirms."""

from __future__ import annotations

import threading

import pytest

from roundworks.errors import SolverFailed
from roundworks.reproduce import minima
from roundworks.reproduce.minima import MinimumQuery, solved


def test_a_minimum_of_four_words_is_confirmed_along_paths(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two rounds of this one have exactly 6 executed active S-boxes."""
    query, never = MinimumQuery("1-0,2-0,2-0,1-0", 2, most=5), threading.Event()
    one, two = solved(query, 600.0, False, never), solved(query, 600.0, True, never)
    assert (one.lower, one.certainty) == (two.lower, "one-solver") == (6, "one-solver")
    assert two.certainty == "two-solvers"
    assert two.solver.startswith("HiGHS") and "CaDiCaL" in two.solver
    monkeypatch.setattr(minima.feistel, "trail_within", lambda *_, **__: (False, None, "wrong"))
    with pytest.raises(
        SolverFailed, match="wrong proves 7 active S-boxes, and CaDiCaL .* has a trail of fewer"
    ):
        solved(MinimumQuery("1-0,2-0,2-0,1-0", 2, most=6), 600.0, True, never)
