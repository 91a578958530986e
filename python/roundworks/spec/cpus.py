"""The CPUs of the cycle model: what they do with an AES instruction, and with what mixes words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .documents import Document, per_root, unknown
from .library import check_citations

KINDS = ("aesenc", "aesenclast", "logic", "unpack", "shuffle", "blend")


@dataclass(frozen=True, slots=True)
class Timing:
    """One kind of instruction on one width of register, in cycles.

    ``latency_to_others`` is that to an instruction that is not AES, where it is longer.
    """

    kind: str
    bits: int
    latency: int
    throughput: float
    ports: tuple[str, ...]
    latency_to_others: int


@dataclass(frozen=True, slots=True)
class OtherFigure:
    """What another source prints of the same thing."""

    what: str
    value: float
    unit: str
    source: str
    citation: str


@dataclass(frozen=True, slots=True)
class Cpu:
    """``registers`` are all SIMD registers; AES-NI and AVX2 name ``registers_avx2`` of them."""

    name: str
    title: str
    registers: int
    registers_avx2: int
    source: str
    citations: tuple[str, ...]
    timings: tuple[Timing, ...]
    others: tuple[OtherFigure, ...]
    models: tuple[str, ...] = ()

    @property
    def widths(self) -> tuple[int, ...]:
        """Bits of the registers on which it has AES."""
        return tuple(sorted({t.bits for t in self.timings if t.kind == "aesenc"}))

    def timing(self, kind: str, bits: int = 128) -> Timing:
        """Raises ``UnknownName``: ``cpu skylake: aesenc of 512 bits: not known; one of 128``."""
        for timing in self.timings:
            if (timing.kind, timing.bits) == (kind, bits):
                return timing
        have = [str(t.bits) for t in self.timings if t.kind == kind]
        raise unknown(f"cpu {self.name}: bits of {kind}", str(bits), have)

    def latency(self, kind: str, user: str, bits: int = 128) -> int:
        """Cycles from the start of an instruction to that of one which uses its result.

        What leaves the program (user "") is counted as going to an AES instruction, the next one.
        """
        timing = self.timing(kind, bits)
        inside = not user or user.startswith("aes")
        return timing.latency if inside else timing.latency_to_others

    @property
    def same_core(self) -> tuple[object, ...]:
        """Equal for CPUs that the model cannot tell apart."""
        return (self.registers, self.registers_avx2, self.timings)


def cpus() -> list[Cpu]:
    """Every CPU of ``spec/cpus.toml``, in its order."""
    known: dict[str, Cpu] = _cpus()
    return list(known.values())


def cpu(name: str) -> Cpu:
    """One CPU.

    Raises
    ------
    UnknownName
        ``cpu 'icelake': not known; one of coffee-lake, ice-lake, ...``
    """
    known: dict[str, Cpu] = _cpus()
    if name not in known:
        raise unknown("cpu", name, known)
    return known[name]


def cpu_of(facts: Mapping[str, Any]) -> Cpu | None:
    """The CPU that a machine.json describes, if it is one of ours."""
    model = " ".join(str(facts.get(key, "")) for key in ("vendor", "family", "model"))
    return next((cpu for cpu in cpus() if model in cpu.models), None)


@per_root
def _cpus(home: Path) -> dict[str, Cpu]:
    document = Document(home / "spec" / "cpus.toml", "cpus")
    document.unique(("cpus",), "name")
    found = {}
    for index, entry in enumerate(document.data["cpus"]):
        place = ("cpus", index)
        check_citations(document, (*place, "citations"), entry["citations"])
        if entry["registers_avx2"] > entry["registers"]:
            document.fail(
                (*place, "registers_avx2"),
                f"want at most the {entry['registers']} of all, got {entry['registers_avx2']}",
            )
        timings = tuple(
            Timing(
                t["kind"], t["bits"], t["latency"], t["throughput"], tuple(t["ports"]),
                t.get("latency_to_others", t["latency"]),
            )
            for t in entry["instructions"]
        )  # fmt: skip
        _check_timings(document, index, timings)
        for number, other in enumerate(entry["others"]):
            check_citations(document, (*place, "others", number, "citation"), [other["citation"]])
        found[entry["name"]] = Cpu(
            entry["name"], entry["title"], entry["registers"], entry["registers_avx2"],
            entry["source"], tuple(entry["citations"]), timings,
            tuple(OtherFigure(**other) for other in entry["others"]), tuple(entry.get("models", ())),
        )  # fmt: skip
    return found


def _check_timings(document: Document, index: int, timings: tuple[Timing, ...]) -> None:
    """Each once, ports that give the throughput, and every kind on each width that has AES."""
    place = ("cpus", index, "instructions")
    have: set[tuple[str, int]] = set()
    for number, timing in enumerate(timings):
        if (timing.kind, timing.bits) in have:
            document.fail((*place, number), f"{timing.kind} of {timing.bits} bits stands already")
        have.add((timing.kind, timing.bits))
        if abs(timing.throughput * len(timing.ports) - 1) > 0.02:
            document.fail(
                (*place, number, "throughput"),
                f"want 1 / {len(timing.ports)}, as there are ports, got {timing.throughput}",
            )
    for bits in sorted({bits for _, bits in have}):
        if missing := [kind for kind in KINDS if (kind, bits) not in have]:
            document.fail(place, f"{missing[0]} of {bits} bits is missing")
