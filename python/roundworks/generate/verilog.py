"""A description as SystemVerilog: a core with the interface of ours, its list of cores, its proof.

`files` writes them from the description alone, the same bytes at every call. `check` proves that the
core's round is the recorded round of the description, its layers those of the description in every
form, and runs its bench on both simulators. `brief` has a core do a few whole messages: proofs of a round
and of layers say nothing of what stands between the rounds.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .. import cache, spec
from ..errors import DescriptionError, HardwareError, unknown
from ..hardware.cores import Core, core, cores, described
from ..hardware.cycles.aead import RAV
from ..hardware.flow import SIMULATORS, tools
from ..hardware.flow.equivalence import prove_recorded
from ..hardware.flow.simulate import Simulation, simulate
from ..hardware.generate.rav import wrapper
from ..reference import Permutation, StreamAead, record_round
from .verilog_aead import Aead, aead
from .verilog_cores import CoreEntry, Described, core_name, cores_toml, description_of
from .verilog_graph import CoreDesign
from .verilog_permutation import permutation
from .verilog_proof import Make, definition, of_fused_round, of_layer, of_round
from .verilog_stream import learn

_OURS = "// Written by roundworks.hardware.generate.rav; change that."
_THEIRS = "// Written by `roundworks generate --to verilog`."


@dataclass(frozen=True, slots=True)
class CheckResult:
    """``check``: proof, icarus or verilator. ``certainty``: proven of a proof that stands, measured of
    a bench that passes; empty where ``message`` says what failed."""

    core: str
    parameters: dict[str, str]
    check: str
    certainty: str
    message: str = ""


def files(cipher: Described, wanted: Sequence[str] = ()) -> dict[str, str]:
    """Path -> text of every file of the cores of the description, or of those that are `wanted`.

    Raises
    ------
    UnknownName
        ``toy: core 'toy-9': not known; ...``
    DescriptionError
        ``toy: finalise: its steps depend on the lengths; ...``, one line of what cannot be lowered
    """
    if isinstance(cipher, Permutation):
        return _permutation(cipher, wanted)
    if not isinstance(cipher, StreamAead):
        raise DescriptionError(
            f"{cipher.name}: want a streaming AEAD or a permutation; this is a mode of blocks"
        )
    return _aead(cipher, wanted)


def _wanted(it: Described, entries: Sequence[CoreEntry], names: Sequence[str]) -> list[CoreEntry]:
    """The layers and the round, and of the cores those of these names, all unless there are any."""
    known = [one.name for one in entries if one.bench]
    for name in names:
        if name not in known:
            raise unknown(f"{it.name}: core", name, known)
    return [one for one in entries if not one.bench or not names or one.name in names]


def _permutation(it: Permutation[Any], wanted: Sequence[str]) -> dict[str, str]:
    design, rounds = permutation(it)
    name = core_name(it)
    description, copies = description_of(it)
    listed = [f"rtl/{file}" for file in design.files]
    entries = _layers(design, name)
    several = len(rounds.variants) > 1
    for v in range(len(rounds.variants)):
        number = str(v) if several else ""
        top = f"{design.prefix}_round{number}"
        title = f"a round of {it.name}"
        entries.append(CoreEntry(f"{name}-round{number}", title, top, [f"@{name}"], design.forms[top]))
    counts = {"Rounds": ("rounds in a cycle", range(1, it.rounds + 1))}
    title = f"{it.name}: {it.rounds} rounds on {it.words} words of {it.word_bits} bits"
    forms = design.forms[f"{design.prefix}_step"]
    entries.append(
        CoreEntry(
            name=name,
            title=title,
            top=design.prefix,
            files=[f"@{name}"],
            forms=forms,
            bench="permutation",
            steps={"rounds": it.rounds},
            values=counts,
        )
    )
    text = cores_toml(it, description, {name: listed}, _wanted(it, entries, wanted))
    return {"cores.toml": text, **{f"rtl/{file}": t for file, t in design.files.items()}, **copies}


def _aead(it: StreamAead[Any], wanted: Sequence[str]) -> dict[str, str]:
    made = aead(learn(it))
    design, name = made.design, core_name(it)
    description, copies = description_of(it)
    common = ["common/aead_steps.sv", *(["common/aead_length.sv"] if made.stream.plan.lengths else [])]
    listed = [f"rtl/{design.prefix}_pkg.sv", *(f"rtl/{file}" for file in common)]
    listed += [f"rtl/{file}" for file in design.files if f"rtl/{file}" not in listed]
    top = f"{design.prefix}_round"
    entries = _layers(design, name)
    entries.append(
        CoreEntry(f"{name}-round", f"the round of {it.name}", top, [f"@{name}"], design.forms[top])
    )
    forms = design.forms[design.prefix]
    for r in made.rounds:
        steps = {k: _divided(made, k, v, r) for k, v in made.steps.items()}
        own = name if r == 1 else f"{name}-{r}"
        values: dict[str, tuple[str, Sequence[int]]] = {"Rounds": ("rounds in a cycle", [r])}
        title = f"{it.name}, {'one round' if r == 1 else f'{r} rounds'} in a cycle"
        entries.append(
            CoreEntry(
                name=own,
                title=title,
                top=design.prefix,
                files=[f"@{name}"],
                forms=forms,
                bench="aead",
                steps=steps,
                values=values,
            )
        )
        title += "; plaintext is released after verification"
        files = [f"@{name}", "rtl/common/aead_rav_buffer.sv", f"rtl/{design.prefix}_rav.sv"]
        more = {**values, "Depth": ("blocks of plaintext in the buffer", [16, 4, 64])}
        top = f"{design.prefix}_rav"
        entries.append(
            CoreEntry(
                name=own + RAV,
                title=title,
                top=top,
                files=files,
                forms=forms,
                bench="aead",
                steps={**steps, "rav": 1},
                values=more,
            )
        )
    chosen = _wanted(it, entries, wanted)
    texts = {f"rtl/{file}": text for file, text in design.files.items()}
    if any(one.name.endswith(RAV) for one in chosen):
        common.append("common/aead_rav_buffer.sv")
        text = wrapper(design.files[f"{design.prefix}.sv"])
        texts[f"rtl/{design.prefix}_rav.sv"] = text.replace(_OURS, _THEIRS)
    for file in common:
        texts[f"rtl/{file}"] = (spec.root() / "rtl" / file).read_text(encoding="utf-8")
    return {"cores.toml": cores_toml(it, description, {name: listed}, chosen), **texts, **copies}


def _layers(design: CoreDesign, name: str) -> list[CoreEntry]:
    """S-boxes and matrices as cores of their own."""
    return [
        CoreEntry(
            _layer_name(design, name, module),
            f"{layer.name} of {design.source}",
            module,
            [f"rtl/{module}.sv"],
            design.forms[module],
        )
        for module, layer in design.layers.items()
    ]


def _layer_name(design: CoreDesign, name: str, module: str) -> str:
    return f"{name}-{module.removeprefix(design.prefix + '_').replace('_', '-')}"


def _divided(made: Aead, step: str, cycles: int, rounds: int) -> int:
    """Cycles of a step with that number of rounds in each; bytes of a cycle."""
    phase = {"init": "init", "ad": "absorb", "message": "message", "last": "last", "final": "finalise"}
    if made.slots:
        if step == "rate_bytes":
            return cycles * rounds
        return -(-cycles // rounds) if step in ("init", "final") else cycles
    if step not in phase or not made.stream.phases[phase[step]].calls:
        return cycles
    return cycles // rounds


def check(directory: Path) -> list[CheckResult]:
    """Proofs of a generated core and its bench, by the cores.toml in its directory."""
    return [*proven(directory), *simulated(directory)]


def proven(directory: Path) -> list[CheckResult]:
    """Proofs that a core's round and its layers are those of its description."""
    listed = _cores(directory)
    known = proofs(described(next(one for one in listed if one.description)))
    results = []
    for one in listed:
        if one.bench:
            continue
        # A layer in every form; what is made of layers in one: the others differ in them alone.
        forms = [{p.name: choice} for p in one.parameters for choice in p.choices]
        for given in forms if len(one.parameters) == 1 else [{}]:
            try:
                proof = prove_recorded(one, given, definition(known[one.name]))
                results.append(CheckResult(one.name, proof.parameters, "proof", proof.certainty))
            except HardwareError as error:
                results.append(CheckResult(one.name, one.chosen(given), "proof", "", str(error)))
    return results


def simulated(directory: Path) -> Iterator[CheckResult]:
    """The bench of every core that has one, on both simulators."""
    return (result for one in _cores(directory) if one.bench for result in _simulated(one))


def brief(one: Core) -> CheckResult:
    """A few messages or blocks through a core, on the simulator that builds it the soonest. Where they are
    right that is kept by the content of the core."""
    simulator = "verilator" if shutil.which("verilator") and not shutil.which("iverilog") else "icarus"
    program = tools.version("iverilog" if simulator == "icarus" else simulator)
    read = [path for path in (one.file, one.folder / one.description, *one.files) if path and path.is_file()]
    kept = cache.home() / "brief" / f"{one.name}-{cache.key(read, {simulator: program})}.json"
    if cache.read(kept) is None:
        run = simulate(one, {}, simulator=simulator, tests=("back_to_back",), env={"ROUNDWORKS_BRIEF": "1"})
        if failed := _failed(run):
            return CheckResult(one.name, run.parameters, simulator, "", failed)
        cache.write(kept, {"tests": [test.name for test in run.tests]})
    return CheckResult(one.name, one.chosen({}), simulator, "measured")


def briefly(directory: Path) -> Iterator[CheckResult]:
    """`brief` of every core that has a bench; one that has a buffer has the same core without it inside."""
    listed = [one for one in _cores(directory) if one.bench]
    names = {one.name for one in listed}
    return (brief(one) for one in listed if one.name + RAV not in names)


def _cores(directory: Path) -> list[Core]:
    file = Path(directory) / "cores.toml"
    listed = [core(one.name, file) for one in cores(file)]
    if not any(one.description for one in listed):
        raise HardwareError(f"{file}: want a core with a description, as `roundworks generate` writes it")
    return listed


def proofs(it: Described) -> dict[str, Make]:
    """Name of a core -> what its circuit is, by the description."""
    name = core_name(it)
    result: dict[str, Make] = {}
    if isinstance(it, Permutation):
        design, rounds = permutation(it)
        ports = {"S": "state_i", "C": "constants_i"}
        for v, variant in enumerate(rounds.variants):
            number = v if len(rounds.variants) > 1 else ""
            result[f"{name}-round{number}"] = of_round(variant, ports, {"S'": "state_o"})
    else:
        made = aead(learn(it))
        design, stream = made.design, made.stream
        if stream.fused:
            result[f"{name}-round"] = of_fused_round(record_round(it), made.fed)
        else:
            ports = {"S": "state_i", "C": "constants_i", "X": "block_i"}
            result[f"{name}-round"] = of_round(stream.round, ports, {"S'": "state_o"})
    for module, layer in design.layers.items():
        result[_layer_name(design, name, module)] = of_layer(layer)
    return result


def _simulated(one: Core) -> Iterator[CheckResult]:
    for simulator in SIMULATORS:
        run = simulate(one, {}, simulator=simulator)
        failed = _failed(run)
        yield CheckResult(one.name, run.parameters, simulator, "" if failed else "measured", failed)


def _failed(run: Simulation) -> str:
    """What is wrong, in one line: the first test that fails, with the first digits of long values."""
    if not run.failed:
        return ""
    first, *others = run.failed
    said = re.sub(r"\b([0-9a-f]{16})[0-9a-f]{8,}\b", r"\1...", first.message)
    return f"{first.name}: {said}" + (f"; {len(others)} other tests fail too" if others else "")
