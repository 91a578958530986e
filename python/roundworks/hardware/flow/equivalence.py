"""Circuits proven equal to one another or to a definition, by Yosys and the ABC that comes with it.

Yosys turns them into and-inverter graphs, ABC compares those over all inputs (``&cec``). If two
circuits differ, Yosys solves for an input that shows it. Both run in processes of their own.
"""

from __future__ import annotations

import importlib.util
import re
import shutil
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

from ... import cache
from ...errors import HardwareError, ToolMissing
from ..cores import Core, label
from . import tools, yosys

# Signal, decimal, hexadecimal, binary; of wide signals only the last is there.
_VALUE = re.compile(r"^\s*\\?(in|gold|gate)_(\w+)\s.*\s([01]+)\s*$", re.MULTILINE)
_LIMIT_S = 600


@dataclass(frozen=True, slots=True)
class Equivalence:
    """A core with `parameters` computes what it does with those of `reference`, for all inputs; or
    what its definition says, where `reference` is empty."""

    core: str
    parameters: dict[str, str]
    reference: dict[str, str]
    certainty: str = "proven"


def prove(
    core: Core, parameters: Mapping[str, str], reference: Mapping[str, str] | None = None
) -> Equivalence:
    """Compare a combinational core with itself under `reference`, the defaults unless given.

    Raises
    ------
    HardwareError
        ``aes-sbox Sbox=canright: differs from Sbox=lut: data_i=0 gives data_o=62, want 63``,
        all in hexadecimal
    """
    tools.need_python("pyosys")
    ours, theirs = core.chosen(parameters), core.chosen(reference or {})
    what = f"{core.name} {label(ours)}"
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        lines = []
        for file, chosen in (("gold", theirs), ("gate", ours)):
            lines += [*_graph(core, chosen, file), "design -reset"]
        yosys.run(lines, folder, _log(core), what, _LIMIT_S)
        text = _compared("&r gold.aig; &cec gate.aig", folder, core, what)
        if "Networks are equivalent" in text:
            return Equivalence(core.name, ours, theirs)
        if "NOT EQUIVALENT" not in text:
            raise HardwareError(f"{what}: not decided against {label(theirs)}: {_last(text)}")
        _tell_apart(core, ours, theirs, folder, what)


def prove_definition(core: Core, parameters: Mapping[str, str], blif: str) -> Equivalence:
    """Compare a combinational core with what `definitions.blif` says it computes.

    Raises
    ------
    HardwareError
        ``sbox-orthros Form=dse: differs from its definition``
    """
    tools.need_python("pyosys")
    chosen = core.chosen(parameters)
    what = f"{core.name} {label(chosen)}"
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "gold.blif").write_text(blif, encoding="utf-8")
        yosys.run(_graph(core, chosen, "gate"), folder, _log(core), what, _LIMIT_S)
        text = _compared("read_blif gold.blif; strash; &get; &cec gate.aig", folder, core, what)
    if "Networks are equivalent" in text:
        return Equivalence(core.name, chosen, {})
    if "NOT EQUIVALENT" in text:
        raise HardwareError(f"{what}: differs from its definition")
    raise HardwareError(f"{what}: not decided against its definition: {_last(text)}")


def prove_recorded(
    core: Core, parameters: Mapping[str, str], definition: Callable[[Sequence[str], Sequence[str]], str]
) -> Equivalence:
    """Compare a combinational core with `definition`, which gets the names of the bits of its ports,
    ``state_i[3]``, inputs and outputs, and gives a BLIF that has the same in that order.

    Raises
    ------
    HardwareError
        ``toy-round Sbox=table: differs from its description: state_o[3]``
    """
    tools.need_python("pyosys")
    chosen = core.chosen(parameters)
    what = f"{core.name} {label(chosen)}"
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        steps = [*_circuit(core, chosen, "gate"), "techmap", "opt -fast", "aigmap", "clean"]
        yosys.run([*steps, "write_blif gate.blif"], folder, _log(core), what, _LIMIT_S)
        gate = (folder / "gate.blif").read_text(encoding="utf-8").replace("\\\n", " ")
        inputs, outputs = (
            next(line.split()[1:] for line in gate.splitlines() if line.startswith(word))
            for word in (".inputs", ".outputs")
        )
        (folder / "gold.blif").write_text(definition(inputs, outputs), encoding="utf-8")
        commands = "read_blif gate.blif; strash; write_aiger gate.aig; read_blif gold.blif; strash; &get; &cec gate.aig"
        text = _compared(commands, folder, core, what)
    if "Networks are equivalent" in text:
        return Equivalence(core.name, chosen, {})
    if "NOT EQUIVALENT" in text:
        output = re.search(r"[Oo]utput (\d+)", text)
        where = f": {outputs[int(output[1])]}" if output else ""
        raise HardwareError(f"{what}: differs from its description{where}")
    raise HardwareError(f"{what}: not decided against its description: {_last(text)}")


def _tell_apart(
    core: Core, ours: Mapping[str, str], theirs: Mapping[str, str], folder: Path, what: str
) -> NoReturn:
    """Raise the error that shows an input on which the two differ."""
    text = yosys.run(
        [
            *_circuit(core, theirs, "gold"),
            "design -stash gold",
            *_circuit(core, ours, "gate"),
            "design -copy-from gold -as gold gold",
            "miter -equiv -make_outputs -flatten gold gate miter",
            "hierarchy -top miter",
            "sat -prove trigger 0 -show-inputs -show-outputs miter",
        ],
        folder,
        _log(core),
        what,
        _LIMIT_S,
    )
    values = {
        (side, wire): f"{int(bits, 2):0{-(-len(bits) // 4)}x}" for side, wire, bits in _VALUE.findall(text)
    }
    given = " ".join(f"{wire}={value}" for (side, wire), value in values.items() if side == "in")
    for (side, wire), value in values.items():
        if side == "gate" and (want := values["gold", wire]) != value:
            raise HardwareError(
                f"{what}: differs from {label(theirs)}: {given} gives {wire}={value}, want {want}"
            )
    raise HardwareError(f"{what}: differs from {label(theirs)}, by ABC; Yosys says: {_last(text)}")


def _graph(core: Core, parameters: Mapping[str, str], name: str) -> list[str]:
    """Yosys's commands that leave an and-inverter graph in NAME.aig."""
    return [
        *_circuit(core, parameters, name),
        "techmap",
        "opt -fast",
        "aigmap",
        "clean",
        f"write_aiger {name}.aig",
    ]


def _circuit(core: Core, parameters: Mapping[str, str], name: str) -> list[str]:
    numbers = "".join(f" -G {n}={value}" for n, value in core.numbers(parameters).items())
    for file in core.files:
        if re.search(r"[\s\"';]", str(file)):
            raise HardwareError(f"{file}: Yosys takes no blanks or quotes; move the checkout")
    return [
        f"read_slang -D SYNTHESIS --top {core.top}{numbers} {' '.join(map(str, core.files))}",
        # A table becomes gates: neither solver knows memories.
        f"hierarchy -top {core.top}",
        "proc",
        "flatten",
        "memory",
        "opt_clean",
        f"rename {core.top} {name}",
    ]


def abc() -> Path:
    """ABC, as the wheel of Yosys brings it, or the one on the path."""
    # Found and not imported: its import would give all C++ libraries that follow one scope of symbols.
    package = importlib.util.find_spec("pyosys")
    program = Path(package.origin).parent / "yosys-abc" if package and package.origin else None
    if program is None or not program.is_file():
        other = shutil.which("yosys-abc")
        if other is None:
            raise ToolMissing("yosys-abc: not found; pip install 'roundworks[hardware]'")
        return Path(other)
    return program


def _compared(commands: str, folder: Path, core: Core, what: str) -> str:
    """What ABC says of them."""
    return tools.run([abc(), "-c", commands], folder, log=_log(core), what=what, limit=_LIMIT_S)


def _log(core: Core) -> Path:
    log = cache.home() / "logs" / f"equivalence-{core.name}.log"
    log.parent.mkdir(parents=True, exist_ok=True)
    return log


def _last(text: str) -> str:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[-1] if lines else "nothing"
