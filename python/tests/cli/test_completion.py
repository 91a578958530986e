"""What bash, zsh and fish complete, by the shells themselves."""

from __future__ import annotations

import os
import pty
import re
import select
import subprocess
import sys
import time
from pathlib import Path

import pytest

from roundworks.cli.names import KINDS
from wanted import require

# What is typed, and what bash, which cuts words at colons and equals signs, is to put in its place.
TYPED = {
    "roundworks descr": ["describe"],
    "roundworks describe minal": ["minalpher"],
    "roundworks describe aegis-128x": ["aegis-128x2", "aegis-128x4"],
    "roundworks bound aes --meas": ["--measure"],
    "roundworks bound aes --measure active": ["active-f", "active-sboxes"],
    "roundworks bench --permutations areion-": ["areion-256", "areion-512"],
    "roundworks sim aes-s": ["aes-sbox", "aes-sbox-masked", "aes-stepped"],
    "roundworks sim aes-sbox --parameter Sbox=boyar-peralta-": ["boyar-peralta-115", "boyar-peralta-depth16"],
    "roundworks reproduce aeth": ["aether"],
    "roundworks reproduce aether --table fig": ["figure-1", "figure-6"],
    "roundworks cycles aes --cpu sk": ["skylake"],
    "roundworks bound feistel256:2-0,2": ["2-0,2-0", "2-0,2-2"],
    "roundworks bound aes --measure=trai": ["trail", "trail-sboxes"],
    "roundworks list cor": ["cores"],
    "roundworks nosuch x": [],
}
# The shells that take the whole word.
WHOLE = {
    "roundworks sim aes-sbox --parameter Sbox=boyar-peralta-": [
        "Sbox=boyar-peralta-115",
        "Sbox=boyar-peralta-depth16",
    ],
    "roundworks bound feistel256:2-0,2": ["feistel256:2-0,2-0", "feistel256:2-0,2-2"],
    "roundworks bound aes --measure=trai": ["--measure=trail", "--measure=trail-sboxes"],
}


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """With a `roundworks` of its own in front of the path, as an installed one is."""
    program = tmp_path / "bin" / "roundworks"
    program.parent.mkdir()
    program.write_text(f"#!{sys.executable}\nfrom roundworks.cli import main\nmain()\n")
    program.chmod(0o755)
    return os.environ | {
        "PATH": f"{program.parent}:{os.environ['PATH']}",
        "HOME": str(tmp_path),
        "XDG_CONFIG_HOME": str(tmp_path),
        "XDG_DATA_HOME": str(tmp_path),
    }


def said(environment: dict[str, str], *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(words, env=environment, capture_output=True, text=True, check=False, timeout=200)


@pytest.mark.long
def test_bash(environment) -> None:
    script = """
eval "$(roundworks completion bash)"
while IFS= read -r COMP_LINE; do
    COMP_POINT=${#COMP_LINE} COMPREPLY=()
    _roundworks_completion roundworks
    (IFS=' '; echo "${COMPREPLY[*]}")
done"""
    done = subprocess.run(
        [require("bash"), "-c", script],
        env=environment,
        input="\n".join(TYPED) + "\n",
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stderr == ""
    results = [line.split() for line in done.stdout.split("\n")[:-1]]
    assert dict(zip(TYPED, results, strict=True)) == TYPED
    # What stands behind the cursor is not looked at.
    script = script.replace("COMP_POINT=${#COMP_LINE}", "COMP_POINT=25")
    done = subprocess.run(
        [require("bash"), "-c", script],
        env=environment,
        input="roundworks describe minalXYZ\n",
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "minalpher\n"


@pytest.mark.long
def test_fish(environment) -> None:
    lines = TYPED | WHOLE
    script = "roundworks completion fish | source\n" + "".join(
        f"complete -C '{line}'; echo ==\n" for line in lines
    )
    done = said(environment, require("fish"), "-c", script)
    responses = done.stdout.split("==\n")[:-1]
    results = [[item.split("\t")[0] for item in response.splitlines()] for response in responses]
    assert (dict(zip(lines, results, strict=True)), done.stderr) == (lines, "")


@pytest.mark.long
def test_zsh(environment, tmp_path) -> None:
    """On a terminal: its completion works nowhere else."""
    zsh = require("zsh")
    (tmp_path / ".zshrc").write_text(
        "autoload -U compinit && compinit -u -D\n"
        'eval "$(roundworks completion zsh)"\n'
        "PS1='ready> '; unsetopt prompt_sp prompt_cr\n"
    )
    typed = [
        ("roundworks describe minal", "pher"),
        ("roundworks bound feistel256:2-0,2-2", ""),
        ("roundworks bound aes --measure=trai", "l"),
        ("roundworks reproduce aether --table fig", "ure-"),
        ("roundworks descr", "ibe"),
    ]
    process, terminal = pty.fork()
    if process == 0:
        os.execve(zsh, [zsh, "-i"], environment | {"TERM": "dumb", "ZDOTDIR": str(tmp_path)})
    try:
        assert _read_until(terminal, b"ready> ")
        for line, more in typed:
            # The completed line becomes what `echo` prints.
            os.write(terminal, line.encode() + b"\t \x01echo [ \x05]\r")
            printed = _read_until(terminal, b"]\r\nready> ").replace(b"\r", b"")
            assert f"\n[ {line}{more} ]\n" in re.sub(" +", " ", printed.decode())
    finally:
        os.kill(process, 9)
        os.waitpid(process, 0)
        os.close(terminal)


def _read_until(terminal: int, text: bytes) -> bytes:
    """All that is printed up to the text; an error after a minute without it."""
    result, ends = b"", time.monotonic() + 60
    while text not in result:
        ready, _, _ = select.select([terminal], [], [], ends - time.monotonic())
        assert ready, f"want {text!r}, got {result!r}"
        result += os.read(terminal, 4096)
    return result


def test_nothing_is_said_of_an_error(environment, tmp_path) -> None:
    """It would land in the line that is typed."""
    request = {"COMP_LINE": "roundworks describe a", "_ROUNDWORKS_COMPLETE": "bash_complete"}
    broken = environment | request | {"ROUNDWORKS_HOME": str(tmp_path)}
    done = said(broken, "roundworks")
    assert (done.returncode, done.stdout, done.stderr) == (1, "", "")
    for wrong in ("bash_nothing", "csh_complete", "x"):
        done = said(environment | request | {"_ROUNDWORKS_COMPLETE": wrong}, "roundworks")
        assert (done.returncode, done.stdout, done.stderr) == (1, "", ""), wrong
    done = said(environment | request, "roundworks")
    assert done.returncode == 0 and "plain,aegis-256\n" in done.stdout


def test_verbs_are_completed_without_an_import_of_them(environment) -> None:
    request = {"COMP_LINE": "roundworks ", "_ROUNDWORKS_COMPLETE": "bash_complete"}
    done = said(environment | request | {"PYTHONPROFILEIMPORTTIME": "1"}, "roundworks")
    assert "plain,describe\n" in done.stdout and "roundworks.cli.completion" in done.stderr
    assert "numpy" not in done.stderr and "roundworks.cli.describe" not in done.stderr


@pytest.mark.parametrize("kind", KINDS)
def test_list_prints_the_names_of_a_kind(run, kind: str) -> None:
    done = run("list", kind)
    assert (done.returncode, done.stderr) == (0, "")
    names = done.stdout.splitlines()
    assert names == list(KINDS[kind]()) and len(set(names)) == len(names) > 3
