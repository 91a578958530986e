"""What works without which package: one line says what installs the rest."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib
from importlib.metadata import packages_distributions

import pytest

from places import ROOT
from roundworks.extras import OF_MODULE

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
EXTRAS: dict[str, list[str]] = PROJECT["optional-dependencies"]

# As if the modules named in argv were not installed.
WITHOUT = """
import importlib.util, sys
from importlib.machinery import PathFinder

class Without(PathFinder):
    @classmethod
    def find_spec(cls, name, path=None, target=None):
        return None if name.partition(".")[0] in LACKING else PathFinder.find_spec(name, path, target)

LACKING = set(sys.argv.pop(1).split(","))
sys.meta_path[:] = [Without if finder is PathFinder else finder for finder in sys.meta_path]
"""


def without(lacking: set[str], code: str, *args: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", WITHOUT + code, ",".join(sorted(lacking)), *args],
        capture_output=True,
        text=True,
        check=False,
    )


def modules(*names: str) -> set[str]:
    return {module for module, extra in OF_MODULE.items() if extra in names}


def distribution(requirement: str) -> str:
    return re.split(r"[<>=\[ ]", requirement, maxsplit=1)[0]


def test_the_core_needs_nothing() -> None:
    assert PROJECT["dependencies"] == []
    done = without(set(OF_MODULE), "import roundworks.aead, roundworks.permutations")
    assert done.returncode == 0, done.stderr


def test_every_extra_is_in_all() -> None:
    (everything,) = EXTRAS["all"]
    named = everything.removeprefix("roundworks[").removesuffix("]").split(",")
    assert set(named) == set(EXTRAS) - {"all"}
    assert all("roundworks[cli]" in EXTRAS[name] for name in set(named) - {"cli"})


def test_every_module_is_of_the_extra_that_brings_it() -> None:
    brought = {distribution(r): extra for extra, found in EXTRAS.items() for r in found}
    distributions = packages_distributions()
    for module, extra in OF_MODULE.items():
        names = {re.sub(r"[._]", "-", name.lower()) for name in distributions[module]}
        if module == "find_libpython":  # which cocotb brings
            assert names.isdisjoint(brought)
        else:
            assert {brought.get(name) for name in names} == {extra}, module


def test_requirements_mirror_the_extras() -> None:
    """`make lock` pins what is in requirements/; each of the extras is there, and no other package."""
    wanted = {distribution(r) for found in EXTRAS.values() for r in found} - {"roundworks"}
    text = "".join((ROOT / "requirements" / f"{n}.in").read_text() for n in ("run", "dev"))
    listed = [re.split(r"[<>=]", x)[0] for x in text.splitlines() if x and x[0] not in "#-"]
    assert wanted <= set(listed), wanted - set(listed)
    run = (ROOT / "requirements" / "run.in").read_text()
    for extra in ("cli", "prove", "report"):
        assert {distribution(r) for r in EXTRAS[extra]} - {"roundworks"} <= set(run.split())


def test_without_its_extra_the_command_line_says_so() -> None:
    done = without(modules("cli"), "from roundworks.cli import main; main()", "list")
    assert (done.returncode, done.stdout) == (2, "")
    want = "roundworks: the command line wants its extra: pip install 'roundworks[cli]'\n"
    assert done.stderr == want


@pytest.mark.parametrize(
    ("lacking", "package", "message"),
    [
        ("jsonschema_rs", "reference", "roundworks.spec: want jsonschema_rs"),
        ("numpy", "reference.batch", "roundworks.reference: want numpy"),
        ("numpy", "gpu.aead", "roundworks.gpu: want numpy"),
        ("numpy", "analysis.bounds", "roundworks.analysis: want numpy"),
        ("numpy", "prove.measures", "roundworks.prove: want numpy"),
    ],
)
def test_without_its_extra_a_package_says_so(lacking: str, package: str, message: str) -> None:
    done = without({lacking}, f"import roundworks.{package}")
    said = done.stderr.splitlines()[-1]
    assert said == (
        f"roundworks.errors.ExtraMissing: {message}, which is not installed; pip install 'roundworks[cli]'"
    )


HELP = """
import json
from click.testing import CliRunner
from roundworks.cli.main import cli

said = {verb: CliRunner().invoke(cli, [verb, "--help"]) for verb in cli.list_commands(None)}
print(json.dumps({verb: [r.exit_code, r.output, repr(r.exception)] for verb, r in said.items()}))
"""


def test_with_the_extra_cli_alone_every_help_is_there() -> None:
    done = without(modules(*set(EXTRAS) - {"cli"}), HELP)
    assert done.returncode == 0, done.stderr
    said = json.loads(done.stdout)
    assert len(said) > 20
    for verb, (code, text, error) in said.items():
        assert (code, error) == (0, "None"), verb
        assert text.startswith(f"Usage: cli {verb}"), verb


@pytest.mark.parametrize(
    ("extra", "command", "module"),
    [
        ("prove", "bound aes --rounds 2 --solver highs --no-store", None),
        ("prove", "bound present --measure trail --rounds 2 --solver cadical --no-store", "prove"),
        ("report", "report", "report"),
        ("report", "hw-report", "report"),
        ("hardware", "synth sbox-aes --no-store", "hardware"),
    ],
)
def test_a_verb_says_which_extra_it_lacks(extra: str, command: str, module: str | None) -> None:
    done = without(modules(extra), "from roundworks.cli import main; main()", *command.split())
    assert done.returncode == 2, done.stderr
    (line,) = done.stderr.splitlines()
    assert line.startswith("roundworks: error: ")
    assert line.endswith(f"pip install 'roundworks[{extra}]'"), line
