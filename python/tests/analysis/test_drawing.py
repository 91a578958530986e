"""Drawings of rounds: nothing lies on anything else, and every wire goes down."""

from __future__ import annotations

import re

import pytest

from places import ROOT
from roundworks.analysis.drawing import round_dot
from roundworks.reference import load_description, record_round

_NODE = re.compile(r'^  (\w+) \[.*pos="([-\d.]+),([-\d.]+)!"', re.MULTILINE)
_WIRE = re.compile(r"^  (\w+) -> (\w+);", re.MULTILINE)


# Words that are only renamed; one that two others take; sums that later ones read.
@pytest.mark.parametrize("name", ["feistel_aes", "nibble_spn", "and_rotate"])
def test_no_node_lies_on_another_and_wires_go_down(name: str) -> None:
    dot = round_dot(record_round(load_description(ROOT / "examples" / f"{name}.py")))
    places = {node: (float(x), float(y)) for node, x, y in _NODE.findall(dot)}
    wires = _WIRE.findall(dot)
    assert len(set(places.values())) == len(places) > 8 and wires
    assert all(places[source][1] > places[target][1] for source, target in wires)
