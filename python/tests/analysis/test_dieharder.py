"""Tests of dieharder: the bytes it is given, its p-values, and what it says where it cannot test."""

from __future__ import annotations

import os
import shutil

import pytest

from roundworks.analysis import dieharder as of
from roundworks.errors import DescriptionError, ToolMissing
from roundworks.reference import get_analysed, record_rounds
from roundworks.reference.recordings import merged
from wanted import require


@pytest.mark.parametrize("name", ["present", "simon-32-64", "aether"])
def test_the_bytes_are_a_counter_through_the_rounds(name: str) -> None:
    """One round of PRESENT by its description; of the others the length, and that no block comes twice."""
    cipher = get_analysed(name)
    recording = merged(record_rounds(cipher, 1))
    data = of.stream(recording, 4000)
    width = cipher.words * cipher.word_bits // 8
    blocks = [data[i : i + width] for i in range(0, 4000 - width, width)]
    assert len(data) == 4000 and len(set(blocks)) == len(blocks)
    assert of.stream(recording, 4000, seed=2) != data or name == "present"
    assert of.stream(recording, 1000) == data[:1000]


def test_a_state_that_is_too_small_is_refused() -> None:
    recording = merged(record_rounds(get_analysed("simon-32-64"), 1))
    with pytest.raises(DescriptionError, match="4 bytes of state do not count to 4294967297"):
        of.stream(recording, 4 * (2**32 + 1))


def test_without_the_program_the_line_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: None)
    with pytest.raises(ToolMissing, match="apt-get install dieharder"):
        next(of.dieharder(get_analysed("present"), 1))


def test_too_few_bytes_are_an_error_and_enough_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    """The bytes of the system pass one test of two samples; bytes that all are alike do not."""
    require("dieharder")
    monkeypatch.setattr(of, "TESTS", ((100, 10_000, 20),))
    with pytest.raises(DescriptionError, match="test 100 read its 1,000 bytes more than once"):
        of.run_tests(os.urandom(1000))
    monkeypatch.setattr(of, "TESTS", ((100, 1000, 10), (102, 1000, 10)))
    assert min(one.p for one in of.run_tests(os.urandom(100_000))) > 1e-9
    assert min(one.p for one in of.run_tests(bytes(100_000))) < 1e-6


@pytest.mark.long  # every test that is run: those above nearly imply it
def test_rounds_of_present_are_seen() -> None:
    require("dieharder")
    bound = next(of.dieharder(get_analysed("present"), 1))
    assert bound.value == 0 and bound.certainty == "measured" and len(bound.witness or {}) == 34
