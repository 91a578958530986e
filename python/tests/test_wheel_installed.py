"""The wheel with every extra in an empty environment: each help, and each example of the documents.

Nothing of the checkout and no program of the system is in reach, but `tar` and `dot`.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from guide import guide_cipher
from roundworks.cli.main import cli
from wheels import ROOT, build, run

OWN = f"python3.{sys.version_info.minor}"

# They want a program of Debian's, or a file of the reader's, and say so in one line.
REFUSED = (
    "bound present --measure dieharder",
    "generate --file my_cipher.py --to verilog",
    "gpu --merge",
    "hw-estimate",
    "hw-report --drawings",
    "hw-table",
    "inner aether --cluster",
    "power",
    "prove aegis",
    "prove --file examples/toy.py --to rust",
    "prove minalpher",
    "search --words 13",
    "search --words 14",
    "search --words 15",
    "search --words 16",
    "sim",
    "synth",
)
# They take minutes: stopped after a while, as by Ctrl-C, and left out on a newer Python.
MINUTES = (
    "analyse",
    "audit aether",
    "bound aegis",
    "bound aes-128",
    "bound ascon-p",
    "bound feistel",
    "bound gift",
    "bound midori64",
    "bound rocca",
    "bound present",
    "bound simon",
    "bound skinny",
    "decide",
    "designs",
    "fastest",
    "fpga",
    "gpu --profile full",
    "inner",
    "race",
    "search --words 12",
    "sums",
    "trials --part files --full",
)
A_WHILE = 3.0


def documented() -> list[str]:
    """Every shell line with `roundworks` in a document, then the example of every verb's help."""
    commands = []
    for file in (ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))):
        for block in re.findall(r"```sh\n(.*?)```", file.read_text(), re.S):
            lines = (line.split("  #")[0].strip() for line in block.splitlines())
            commands += [x.replace(".venv/bin/", "") for x in lines if re.search(r"\broundworks ", x)]
    for verb in cli.list_commands(None):
        said = cli.get_command(None, verb).epilog or ""
        lines = (line.partition("Example:")[2] or line for line in said.splitlines())
        commands += [line.strip() for line in lines if "roundworks " in line]
    return [line for line in dict.fromkeys(commands) if not line.startswith(("bench/", "make"))]


def pythons() -> dict[str, Path]:
    """This one, and each newer one on the PATH that runs."""
    pythons = {OWN: Path(sys.executable)}
    for name in (f"python3.{minor}" for minor in range(sys.version_info.minor + 1, 20)):
        python = shutil.which(name)
        command = [python or "", "-c", "import ensurepip, venv"]
        if python and subprocess.run(command, capture_output=True, check=False).returncode == 0:
            pythons[name] = Path(python)
    return pythons


PYTHONS = pythons()


class Installed:
    """An environment of its own, and an empty folder to work in."""

    def __init__(self, name: str, wheel: Path, folder: Path) -> None:
        self.name, python = name, PYTHONS[name]
        self.work = folder / "work"
        self.bin = folder / "venv" / "bin"
        system = folder / "system"
        for made in (self.work / "photos", system):
            made.mkdir(parents=True)
        for name in ("bash", "tar", "dot", "make", "cc", "as", "ld"):
            (system / name).symlink_to(shutil.which(name) or name)
        shutil.copytree(ROOT / "examples", self.work / "examples")
        shutil.copy(ROOT / "examples" / "toy.py", self.work / "my_toy.py")  # the tutorial's
        (self.work / "my_cipher.py").write_text(guide_cipher())
        (self.work / "report.pdf").write_text("a document")
        self.env = {
            "PATH": f"{self.bin}:{system}",
            "HOME": str(folder / "home"),
            "ROUNDWORKS_PASSPHRASE": "correct horse battery staple",
            "LANG": "C.UTF-8",
        }
        pins = folder / "pins.txt"
        text = (ROOT / "requirements" / "dev.txt").read_text()
        pins.write_text("\n".join(re.findall(r"^[\w.-]+==\S+", text, re.M)))
        run(python, "-m", "venv", folder / "venv")
        pip = (self.bin / "python", "-m", "pip", "--quiet", "--disable-pip-version-check")
        run(*pip, "install", "-c", pins, f"roundworks[all] @ {wheel.as_uri()}")

    def clear(self, line: str) -> None:
        """The documents make the same files more than once, and nothing is written over."""
        for verb, made in (
            ("keygen", "my.key"),
            ("seal --key", "report.pdf.roundworks"),
            ("open", "copy.pdf"),
        ):
            if f"roundworks {verb}" in line:
                (self.work / made).unlink(missing_ok=True)

    def shell(self, line: str, seconds: float | None = None) -> tuple[int, str]:
        """Exit status and standard error; SIGINT after `seconds`."""
        with subprocess.Popen(
            ["bash", "-c", line],
            cwd=self.work,
            env=self.env,
            text=True,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        ) as child:
            try:
                _, said = child.communicate(timeout=seconds)
            except subprocess.TimeoutExpired:
                os.killpg(child.pid, signal.SIGINT)
                try:
                    _, said = child.communicate(timeout=60)
                except subprocess.TimeoutExpired:
                    os.killpg(child.pid, signal.SIGKILL)
                    _, said = child.communicate()
                    return -signal.SIGKILL, said
                return 130, said
        return child.returncode, said


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="module", params=PYTHONS, ids=PYTHONS)
def installed(
    request: pytest.FixtureRequest, wheel: Path, tmp_path_factory: pytest.TempPathFactory
) -> Installed:
    return Installed(request.param, wheel, tmp_path_factory.mktemp(request.param))


@pytest.mark.long
@pytest.mark.timeout(1800)
def test_every_help(installed: Installed) -> None:
    for verb in cli.list_commands(None):
        status, said = installed.shell(f"roundworks {verb} --help")
        assert (status, said) == (0, ""), verb


@pytest.mark.long
@pytest.mark.timeout(1800)
def test_what_a_library_user_imports(installed: Installed) -> None:
    code = (
        "import roundworks.aead, roundworks.gpu.aead, roundworks.reference as r;"
        "from roundworks import spec; assert spec.checkout() is None;"
        "print(r.get('aegis-128l').words)"
    )
    assert installed.shell(f"python -W error -c {shlex.quote(code)}") == (0, "")


@pytest.mark.long
@pytest.mark.timeout(3600)
def test_every_documented_example(installed: Installed) -> None:
    lines = documented()
    assert len(lines) > 50
    wrong = []
    for line in lines:
        command = line.partition("roundworks ")[2]
        limit = A_WHILE if command.startswith(MINUTES) else None
        if limit and installed.name != OWN:
            continue
        installed.clear(line)
        status, said = installed.shell(line, limit)
        if command.startswith(REFUSED):
            good = status == 2 and len(said.splitlines()) == 1
            # Proofs want Yosys alone, which the extra brings.
            good = good or ("--driver" in command and status == 0)
        else:
            good = status in (0, 1) or (limit is not None and status == 130)
        if not good or "Traceback" in said:
            wrong.append(f"{line}: status {status}: {said.strip()[-400:]}")
    assert not wrong, "\n".join(wrong)
    left = {path.name for path in (installed.work.parent / "home").rglob("*.jsonl")}
    assert {"audit.jsonl", "bound.jsonl"} <= left, "rows go to the user's own folder"
