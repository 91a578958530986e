"""Random ciphers of the description language: what is not refused is proven, compiled and equal."""

from __future__ import annotations

from pathlib import Path

import pytest

from places import ROOT
from roundworks.ratios import random_costs
from wanted import require


@pytest.mark.parametrize("seed", [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 40])
@pytest.mark.long
def test_a_random_cipher_from_its_seed(seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    require("make"), require("cc")
    monkeypatch.syspath_prepend(str(ROOT / "tools"))
    import random_ciphers

    assert random_ciphers.text(seed) == random_ciphers.text(seed) != random_ciphers.text(seed + 1)
    row = random_ciphers.run(seed, tmp_path, "0" * 12)
    # Of the back ends those that this CPU has.
    ran, rest = divmod(row.vectors, 40)
    assert row.seed == seed and rest == 0 and 1 <= ran <= len(set(row.backends) - {"aarch64"})
    assert row.functions >= 6 * len(row.backends) and sum(row.operations.values()) > 0
    (cost,) = random_costs([row])
    assert cost.ns > 0 and cost.limit > 0
