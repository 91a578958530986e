"""The avalanche: counted again pair by pair, and p-values against their definition."""

from __future__ import annotations

from math import comb

import numpy as np
import pytest

from roundworks.analysis.avalanche import Avalanche, avalanche, measured, two_sided
from roundworks.reference import IntWord, get_analysed, record_rounds
from roundworks.reference.recordings import run
from small_ciphers import Shape
from transitions import random_spn


def test_p_values_by_definition() -> None:
    for samples in (1, 2, 9, 16):
        for count in range(samples + 1):
            far = [k for k in range(samples + 1) if abs(2 * k - samples) >= abs(2 * count - samples)]
            assert two_sided(count, samples) == pytest.approx(sum(comb(samples, k) for k in far) / 2**samples)


def test_counts_are_those_of_pairs_of_words() -> None:
    """Enough states that each of 256 is among them: where no flip was seen there is none."""
    spn = random_spn(2, 2, Shape(2, 4))
    recording = record_rounds(spn, 1)
    result = measured(recording, samples=4096)
    images = [run(recording, {"S0": IntWord(x, 8)})[recording.outputs["S'0"]].value for x in range(256)]
    for i in range(8):
        for j in range(8):
            share = sum((images[x] ^ images[x ^ 0x80 >> i]) >> 7 - j & 1 for x in range(256)) / 256
            assert result.flips[i, j] / 4096 == pytest.approx(share, abs=0.05)
            assert (share == 0) == (result.flips[i, j] == 0)


def test_fair_flips_are_not_rejected_and_unfair_ones_are() -> None:
    random = np.random.default_rng(3)
    fair = Avalanche(random.binomial(2048, 0.5, (64, 64)), 2048)
    assert fair.adjusted > 0.01
    counts = fair.flips.copy()
    counts[5, 7] = 1300
    assert Avalanche(counts, 2048).adjusted < 1e-20 and Avalanche(counts, 2048).smallest[1] == (5, 7)


def test_rounds_of_the_aes() -> None:
    """One round reaches a column; two reach every bit, and from three on nothing is seen."""
    first, second, third = avalanche(get_analysed("aes"), 3)
    assert first.value == 0 and third.value is not None and third.value > 1e-3
    assert first.witness is not None and first.witness["pairs without a change"] >= 128 * 96
    assert second.witness is not None and second.witness["pairs without a change"] == 0
