"""A device of the tests: this CPU behind a driver of our own."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from gpu_tools import driver, ledger, on_cpu
from roundworks.gpu.device import Device


@pytest.fixture
def library() -> str:
    return driver()


@pytest.fixture
def device() -> Iterator[Device]:
    before = ledger("freed_dirty")
    made = on_cpu()
    yield made
    made.trim()
    assert ledger("freed_dirty") == before, "memory was given back with something in it"
