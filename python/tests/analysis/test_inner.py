"""Maxima of many S-boxes at once: against the exact engine, one S-box after another."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from roundworks import spec
from roundworks.analysis import exact, inner, sboxes, sms
from roundworks.reference import Sbox, get, record_round


@pytest.fixture(scope="module")
def aether() -> sms.SmsUnit:
    return sms.sms_unit(record_round(get("aether")))


def of(unit: sms.SmsUnit, sbox: Sbox) -> sms.SmsUnit:
    return sms.SmsUnit("F", sbox, unit.matrix, unit.permutation)


def test_every_class_is_optimal() -> None:
    for sbox in inner.OPTIMAL_CLASSES:
        facts = sboxes.sbox_facts(sbox)
        assert (facts.bijective, facts.dp_log2, facts.c2_log2) == (True, -2, -2)


@pytest.mark.long  # every affine map, for each pair of classes
def test_no_two_classes_are_affine_equivalent() -> None:
    affine = (inner.linear_maps()[:, None, :] ^ np.arange(16)[None, :, None]).reshape(-1, 16)
    x, y = np.array([(x, y) for x, y in combinations(range(1, 16), 2) if x & y == 0]).T
    for one, other in combinations(inner.OPTIMAL_CLASSES, 2):
        back, table = np.argsort(one.table), np.array(other.table)
        # B with other . A = B . one: equivalent exactly if B is affine for some A.
        b = table[affine[:, back]]
        assert ((b[:, :1] ^ b[:, x] ^ b[:, y] ^ b[:, x ^ y]) != 0).any(axis=1).all()


@pytest.mark.long
def test_bounds_of_all_maps_are_below_the_exact_maxima(monkeypatch, aether) -> None:
    """Of 8 maps; patterns of odd sizes, which only the exact engine looks at, may have more."""
    maps = inner.linear_maps()
    assert maps.shape == (20160, 16) and (maps[:, 3] == maps[:, 1] ^ maps[:, 2]).all()
    chosen = maps[np.random.default_rng(7).choice(len(maps), 8, replace=False)]
    monkeypatch.setattr(inner, "linear_maps", lambda: chosen)
    sbox, even = inner.OPTIMAL_CLASSES[3], 0
    maxima = inner.class_maxima(sbox, aether)
    for table, dp, c2 in zip(chosen, maxima.differential, maxima.correlation, strict=True):
        unit = of(aether, Sbox("mapped", tuple(int(table[y]) for y in sbox.table)))
        best, most = exact.differential_maximum(unit).log2, exact.correlation_maximum(unit).log2
        assert dp <= best + 1e-9 and c2 <= most + 1e-9
        even += abs(dp - best) < 1e-9
    assert even > 0


def test_output_wires_move_and_the_maxima_of_orthros_with_them(aether) -> None:
    orthros = Sbox("orthros", spec.cipher("aether").sbox)
    assert inner.rewired(orthros, (0, 1, 2, 3)).table == orthros.table
    moved = inner.rewired(orthros, (3, 0, 1, 2))
    assert moved.table[1:4] == (0, 1, 2)
    assert exact.differential_maximum(of(aether, moved)).log2 == pytest.approx(-14)
    assert exact.correlation_maximum(of(aether, moved)).log2 == pytest.approx(-14)
