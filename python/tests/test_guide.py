"""docs/afternoon.md, from end to end, in a small form: every command on a cipher of the same shape."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from guide import guide_cipher, guide_commands
from roundworks.reference import StreamAead, load_description
from wanted import require

# A message of one size, one script, one simulator: what takes minutes in the guide takes seconds here.
SMALL = {
    "bench": ["--size", "64", "--backend", "portable", "--samples", "3"],
    "sim": ["--simulator", "icarus", "--test", "stalls"],
    "synth": ["--script", "nf"],
}
# The whole core is generated, proven and simulated in the long test; its power follows from its netlist.
LONG = {"power"}


def test_the_cipher_of_the_guide_is_sound(tmp_path: Path) -> None:
    (tmp_path / "my_cipher.py").write_text(guide_cipher())
    cipher = load_description(tmp_path / "my_cipher.py")
    assert isinstance(cipher, StreamAead) and (cipher.name, cipher.words) == ("quad", 4)


def test_the_guide_uses_every_step() -> None:
    verbs = [words[0] for words in guide_commands()]
    assert list(dict.fromkeys(verbs)) == [
        *("describe", "audit", "bound", "cycles", "generate", "bench", "sim", "synth", "power", "sheet")
    ]


@pytest.mark.long
@pytest.mark.timeout(1800)
def test_every_command_of_the_guide(run: Any, tmp_path: Path) -> None:
    for tool in ("cc", "make", "iverilog", "verilator"):
        require(tool)
    (tmp_path / "my_cipher.py").write_text(guide_cipher())
    for words in guide_commands():
        if words[0] not in LONG:
            done = run(*words, *SMALL.get(words[0], ()))
            assert done.returncode == 0, f"{' '.join(words)}: {done.stderr}"
    assert (tmp_path / "quad" / "quad.c").is_file() and (tmp_path / "quad.html").is_file()
    assert (tmp_path / "quad-core" / "cores.toml").is_file()
