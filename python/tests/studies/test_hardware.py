"""Hardware from a program: the functions behind `sim`, `synth`, `power` and `fpga`."""

from __future__ import annotations

from pathlib import Path

import pytest

from hardware_tools import need, need_osu018
from roundworks import studies
from roundworks.errors import DescriptionError, UnknownName


@pytest.mark.long
def test_a_core_is_simulated_synthesised_and_estimated(tmp_path: Path) -> None:
    need("iverilog", "pyosys", "sta")
    need_osu018()
    core = studies.choose("aes-sbox", {"Sbox": "lut"})
    simulated = studies.simulate(core, "icarus")
    (row,) = simulated.rows
    assert row.command == "roundworks sim aes-sbox --parameter Sbox=lut --simulator icarus --seed 1"
    assert all(test["passed"] for test in row.tests) and "1 passed, 0 failed" in simulated.notes[-1]
    file = tmp_path / "best.v"
    (netlist,) = studies.synthesise(core, scripts=["dch", "dch"], netlist=file).rows
    assert netlist.core == "aes-sbox" and "module aes_sbox" in file.read_text()
    kept: list[object] = []
    power = studies.estimate_power(core, netlist=file, keep=kept.append)
    assert [one.rows for one in kept] == [power.rows]  # type: ignore[attr-defined]
    assert power.rows[0].command.endswith("--netlist best.v --model glitch --message 1024 --seed 1")


def test_the_words_of_a_choice_name_it_again() -> None:
    assert studies.choose("aes-sbox").words == "aes-sbox --parameter Sbox=lut"
    with pytest.raises(UnknownName, match="core 'nope': not known"):
        studies.choose("nope")
    with pytest.raises(DescriptionError, match="want one of --cores, --sbox and --matrix"):
        studies.choose(sbox=Path("a"), matrix=Path("b"))
    with pytest.raises(DescriptionError, match="want CORE"):
        studies.choose()
    with pytest.raises(DescriptionError, match="minalpher: a mode of blocks"):
        studies.choose_generated("minalpher")
