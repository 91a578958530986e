"""Cores as a chip team takes them: as folders for FuseSoC, and several of them in one chip."""

from __future__ import annotations

import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from calls import cases
from hardware_tools import need
from places import ROOT
from roundworks.hardware import cores
from roundworks.hardware.cores import core
from roundworks.hardware.flow.lint import verible
from roundworks.hardware.generate import fusesoc, interface, shared, variant

# A chip with a core of each name; its top has a parameter of its own, and none of ours.
_CHIP = """CAPI=2:
name: example:chip:chip:1.0.0
filesets:
  rtl:
    depend: [{depend}]
    files: [chip.sv]
    file_type: systemVerilogSource
targets:
  default: &default
    filesets: [rtl]
    toplevel: chip
  lint:
    <<: *default
    flow: lint
    flow_options: {{tool: verilator, verilator_options: [-Wall]}}
"""


@pytest.fixture(autouse=True)
def build(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ROUNDWORKS_BUILD", str(tmp_path / "build"))


def run(place: Path, name: str, *roots: str) -> subprocess.CompletedProcess[str]:
    """The target lint of a core that lies below `roots` in `place`."""
    command = [str(Path(sys.executable).parent / "fusesoc"), *(f"--cores-root={root}" for root in roots)]
    command += ["run", "--target=lint", name]
    return subprocess.run(command, cwd=place, capture_output=True, text=True)


def chip(folder: Path, names: tuple[str, ...]) -> None:
    """A top that has the cores of these names; its ports are those of all of them, in a row each."""
    folder.mkdir()
    ports, bodies = [], []
    for name in names:
        one = core(name)
        source = next(file for file in one.files if file.stem == one.top)
        head = interface.read_module(source.read_text(encoding="utf-8"))
        pins = []
        for line, port in zip((line for line in head.ports if line.strip()), head.names, strict=True):
            own = port if port in ("clk_i", "rst_ni") else f"{name.replace('-', '_')}_{port}"
            pins.append(f".{port}({own})")
            ports.append(line.partition("//")[0].strip().rstrip(",").replace(f" {port}", f" {own}"))
        bodies.append(f"  {variant.module_name(one)} u_{name.replace('-', '_')} ({', '.join(pins)});")
    text = ",\n".join(dict.fromkeys(" ".join(port.split()) for port in ports))
    (folder / "chip.sv").write_text(
        f"module chip #(parameter int Size = 1) (\n{text},\noutput logic size_o\n);\n"
        + "  assign size_o = Size != 0;\n"
        + "\n".join(bodies)
        + "\nendmodule\n"
    )
    depend = ", ".join(f'"roundworks:rtl:{name}"' for name in names)
    (folder / "chip.core").write_text(_CHIP.format(depend=depend))


@pytest.mark.parametrize(
    ("first", "second"),
    cases(
        [
            ("aegis128-to2-rav", "aes256-gcm"),
            ("ascon128a-8-axis", "ascon-aead128-axis"),
            ("aes-sbox-masked", "aes-sbox"),
        ],
        short=[("aegis128-to2-rav", "aes256-gcm")],
    ),
)
def test_a_chip_has_several_cores(tmp_path: Path, first: str, second: str) -> None:
    need("verilator", "fusesoc")
    chip(tmp_path / "chip", (first, second))
    for name in (first, second):  # into one folder, and each into one of its own
        fusesoc.export(core(name), {}, tmp_path / "ip")
        fusesoc.export(core(name), {}, tmp_path / "each" / name)
    for root in ("ip", "each"):
        done = run(tmp_path, "example:chip:chip", "chip", root)
        assert done.returncode == 0, done.stdout + done.stderr


def test_a_folder_for_fusesoc(tmp_path: Path) -> None:
    one = core("aegis128-to2-rav")
    written = fusesoc.export(one, {"Depth": "4"}, tmp_path)
    assert written[0] == tmp_path / "aegis128-to2-rav.core"
    assert fusesoc.export(one, {"Depth": "4"}, tmp_path) == []
    text = written[0].read_text(encoding="utf-8")
    assert "name: roundworks:rtl:aegis128-to2-rav:" in text
    assert '    description: "blocks of plaintext in the buffer: 4, 16, 64"\n' in text
    default = text.partition("  default:\n")[2].partition("  lint:\n")
    assert "parameters" not in default[0] and "parameters: [Sbox, Depth]\n" in default[2]
    module = (tmp_path / "aegis/roundworks_aegis128_to2_rav.sv").read_text(encoding="utf-8")
    assert "localparam int Design = 4," in module and "parameter int Depth = 4\n" in module
    for file in one.files:
        assert (tmp_path / file.relative_to(one.folder)).read_bytes() == file.read_bytes()
    for name in ("LICENSE-APACHE", "LICENSE-MIT"):
        assert (tmp_path / name).read_bytes() == (ROOT / name).read_bytes()
    command = [sys.executable, "-m", "roundworks.hardware.generate.fusesoc"]
    done = subprocess.run([*command, str(tmp_path), "aes-sbux"], capture_output=True, text=True)
    assert done.returncode == 2 and done.stderr.startswith("core 'aes-sbux': not known; ")


def test_the_help_says_what_is_written(capsys: pytest.CaptureFixture[str]) -> None:
    assert fusesoc.main(["--help"]) == 0
    text = capsys.readouterr().out
    assert text.startswith("usage: ") and "rtl/cores.toml" in text and "-axis" in text


def test_an_installed_package_has_the_licences(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("roundworks.spec.checkout", lambda: None)
    fusesoc.export(core("aes-sbox"), {}, tmp_path)
    assert (tmp_path / "LICENSE-MIT").read_text() == (ROOT / "LICENSE-MIT").read_text()


@pytest.mark.parametrize("name", ["aether-lb-rav", "aegis128-masked", "aes-sbox"])
def test_the_pages_of_a_folder_are_in_it(tmp_path: Path, name: str) -> None:
    """Of AETHER's page the interface is on that of AEGIS."""
    one = core(name)
    fusesoc.export(one, {}, tmp_path)
    pages = {page.relative_to(tmp_path).as_posix() for page in tmp_path.rglob("*.md")}
    assert "README.md" in pages and (f"{one.family}/README.md" in pages or one.family == "aes")
    for page in pages:
        for link in re.findall(r"\]\(([^)]+)\)", (tmp_path / page).read_text(encoding="utf-8")):
            assert (tmp_path / page).parent.joinpath(link).is_file(), f"{page}: {link}"


def test_every_core_is_a_module_of_its_name(tmp_path: Path) -> None:
    """Nothing that two cores read is exported by each."""
    own: dict[str, str] = {}
    for one in cores.cores():
        text = variant.variant(one, {})
        assert f"module {variant.module_name(one)} " in text
        for file in one.files:
            if not shared.group_of(file):
                assert own.setdefault(file.name, one.name) == one.name
    assert len({variant.module_name(one) for one in cores.cores()}) == len(cores.cores())


def test_a_module_of_a_variant_is_in_style(tmp_path: Path) -> None:
    need("verible-verilog-lint")
    one = core("aether-lb-rav-axis")
    file = tmp_path / f"{variant.module_name(one)}.sv"
    file.write_text(variant.variant(one, {}), encoding="utf-8")
    assert verible(replace(one, files=(file,))) == ()


@pytest.mark.parametrize(
    "name",
    cases(
        [
            "ascon128a-8-rav",
            "aegis256-axis",
            "aegis128-masked",
            "aegis128-interleaved",
            "aether-half",
            "inner-f-16",
        ],
        short=["ascon128a-8-rav"],
    ),
)
def test_fusesoc_lints_what_is_exported(tmp_path: Path, name: str) -> None:
    need("verilator", "fusesoc")
    fusesoc.export(core(name), {}, tmp_path / "ip")
    assert run(tmp_path, f"roundworks:rtl:{name}", "ip").returncode == 0
    top = core(name).files[-1]
    copy = next((tmp_path / "ip").rglob(top.name))
    copy.write_text(copy.read_text(encoding="utf-8").replace("endmodule", "  logic [3:0] left;\nendmodule"))
    assert run(tmp_path, f"roundworks:rtl:{name}", "ip").returncode != 0
