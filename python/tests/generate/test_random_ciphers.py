"""Random ciphers of the description language: what is not refused is proven, compiled and equal."""

from __future__ import annotations

from pathlib import Path

import pytest

from calls import cases
from places import ROOT
from wanted import require


@pytest.mark.parametrize("seed", cases([0, 1, 2, 3, 4, 5, 6, 7, 8, 9], short=[1]))
def test_a_random_cipher_from_its_seed(seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    require("make"), require("cc")
    monkeypatch.syspath_prepend(str(ROOT / "tools"))
    import random_ciphers

    assert random_ciphers.text(seed) == random_ciphers.text(seed) != random_ciphers.text(seed + 1)
    one = random_ciphers.run(seed, tmp_path)
    assert one.seed == seed and one.operations > 0 and one.cost > 0 and one.limit > 0
