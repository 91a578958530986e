"""A profile of the cycle model from what the clock measured: instruction rows of one machine."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from .. import spec

NAME = "measured"
# Of logic of three operands no profile has a figure: no program of the model has any.
_KINDS = {"aesenc": ("aesenc", "aesenclast"), "xor": ("logic",), "ternary": ()}


def measured_cpu(profile: spec.Cpu, rows: Iterable[Mapping[str, Any]]) -> spec.Cpu:
    """The profile with latency and number of ports as measured, of what was measured.

    What mixes words keeps the figures of the profile, and so does a width that no row is of. Of the
    samples the minimum counts: whoever else is on this core can only make an instruction wait.
    """
    minimum = {(row["instruction"], row["measure"], row["bits"]): min(row["samples_cycles"]) for row in rows}
    timings = {(t.kind, t.bits): t for t in profile.timings}
    for (name, measure, bits), cycles in minimum.items():
        for key in ((kind, bits) for kind in _KINDS[name] if (kind, bits) in timings):
            known = timings[key]
            if measure == "throughput":
                timings[key] = _on_ports(known, max(1, round(1 / cycles)))
            else:
                latency = max(1, round(cycles))
                bypass = known.latency_to_others - known.latency
                timings[key] = replace(known, latency=latency, latency_to_others=latency + bypass)
    return replace(
        profile, name=NAME, title="this CPU as measured", timings=tuple(timings.values()), models=()
    )


def _on_ports(timing: spec.Timing, number: int) -> spec.Timing:
    """That many ports, those of the profile first: which they are, the clock does not tell."""
    more = tuple(f"x{i}" for i in range(number - len(timing.ports)))
    return replace(timing, ports=(*timing.ports, *more)[:number], throughput=1 / number)
