"""The CPUs of the cycle model: what they do with an AES instruction, and with what mixes words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from ..errors import named, unknown
from .documents import Document, per_root, value_of
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
class Profile:
    """The profile of a machine. ``found`` is by its model, by its flags, or assumed; ``said`` is a
    line for people that names the profile and says how it was found; ``title`` the CPU's own name, where
    another CPU has the core of the profile."""

    cpu: Cpu
    title: str
    found: Literal["model", "flags", "assumed"]
    said: str


@dataclass(frozen=True, slots=True, kw_only=True)
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
    titles: tuple[tuple[str, str], ...] = ()
    """Of entries of ``models``, the name of the CPU where it is not that of the profile."""
    lacks: frozenset[str] = frozenset()
    wants: frozenset[str] = frozenset()
    generic: bool = False
    key_first: bool = False
    """Whether its AES instruction adds the round key before the round, as AESE does."""

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
    """Every real CPU of ``spec/cpus.toml``, in its order."""
    return [cpu for cpu in _cpus().values() if not cpu.generic]


def generic_cpus() -> list[Cpu]:
    """The profiles of CPUs of which only the flags are known."""
    return [cpu for cpu in _cpus().values() if cpu.generic]


def cpu(name: str) -> Cpu:
    """One CPU, or a generic one.

    Raises
    ------
    UnknownName
        ``cpu 'icelake': not known; one of coffee-lake, ice-lake, ...``
    """
    return named("cpu", name, _cpus())


def profile_of(facts: Mapping[str, Any]) -> Profile:
    """The profile of the machine that a machine.json describes; every machine has one.

    That of its model, unless the machine has a flag which that core lacks: a hypervisor may name
    another model than it runs on. Else the one whose wanted flags the machine has, the one with the
    most of them. A CPU without AES instructions, or of unknown flags, is taken for the plainest of
    its architecture.
    """
    flags = {str(flag) for flag in facts.get("flags", ())}
    of_model, entry = next(
        ((cpu, m) for cpu in _cpus().values() for m in cpu.models if _names(m, facts)), (None, "")
    )
    model = " ".join(str(facts.get(key, "unknown")) for key in ("vendor", "family", "model"))
    if of_model is not None:
        title = dict(of_model.titles).get(entry, of_model.title)
        core = "" if title == of_model.title else f", the core of {of_model.title}"
        if not (more := sorted(flags & of_model.lacks)):
            return Profile(of_model, title, "model", f"{title}{core}, by its model {model}")
        why = f"model {model} is {title}, which lacks {', '.join(more)}"
    else:
        why = f"model {model} is not in spec/cpus.toml"
    fitting = [cpu for cpu in _cpus().values() if cpu.wants and cpu.wants <= flags]
    if fitting:
        best = max(fitting, key=lambda cpu: len(cpu.wants))
        return Profile(best, best.title, "flags", f"{best.title}, by its flags: {why}")
    generic = "aarch64" if facts.get("architecture") in ("aarch64", "arm64") else "aesni"
    plain = cpu(f"generic-{generic}")
    return Profile(
        plain, plain.title, "assumed", f"{plain.title}, assumed: no AES instructions are known; {why}"
    )


def _names(model: str, facts: Mapping[str, Any]) -> bool:
    """Whether an entry of ``models`` is the machine's: vendor, family, and a model or a range."""
    vendor, family, number = model.split()
    if (vendor, family) != (facts.get("vendor"), str(facts.get("family"))):
        return False
    first, _, last = number.partition("-")
    try:
        return int(first, 0) <= int(str(facts.get("model")), 0) <= int(last or first, 0)
    except ValueError:
        return False


@per_root
def _cpus(home: Path) -> dict[str, Cpu]:
    document = Document(home / "spec" / "cpus.toml", "cpus")
    document.unique(("cpus",), "name")
    by_name = {}
    for index, entry in enumerate(document.data["cpus"]):
        place = ("cpus", index)
        check_citations(document, (*place, "citations"), entry["citations"])
        for key in ("models",) if entry.get("generic") else ():
            if key in entry:
                document.fail((*place, key), "a generic CPU has none")
        for number, model in enumerate(entry.get("models", ())):
            first, _, last = model.split()[2].partition("-")
            if int(last or first, 0) < int(first, 0):
                document.fail((*place, "models", number), f"want a range upwards, got {model}")
        for model in entry.get("titles", {}).keys() - set(entry.get("models", ())):
            document.fail((*place, "titles"), f"want entries of models, got {model}")
        if entry["registers_avx2"] > entry["registers"]:
            document.fail(
                (*place, "registers_avx2"),
                f"want at most the {entry['registers']} of all, got {entry['registers_avx2']}",
            )
        timings = tuple(
            value_of(Timing, {"latency_to_others": t["latency"]} | t) for t in entry["instructions"]
        )
        _check_timings(document, index, timings)
        for number, other in enumerate(entry["others"]):
            check_citations(document, (*place, "others", number, "citation"), [other["citation"]])
        by_name[entry["name"]] = value_of(
            Cpu,
            entry,
            timings=timings,
            others=tuple(value_of(OtherFigure, other) for other in entry["others"]),
            lacks=frozenset(entry.get("lacks", ())),
            titles=tuple(entry.get("titles", {}).items()),
            wants=frozenset(entry.get("wants", ())),
            key_first=entry.get("round_key") == "before",
        )
    return by_name


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
