"""What docs/afternoon.md and docs/tutorial.md have a reader write and type."""

from __future__ import annotations

import re
import shlex

from places import ROOT, TOY

GUIDE = ROOT / "docs" / "afternoon.md"


def guide_cipher() -> str:
    """The text of my_cipher.py."""
    block = re.search(r"Create `my_cipher.py`:\n\n```python\n(.*?)```", GUIDE.read_text(), re.S)
    assert block, f"{GUIDE}: no listing of my_cipher.py"
    return block[1]


def guide_commands() -> list[list[str]]:
    """The words of every `roundworks` line, in order, without the program."""
    blocks = re.findall(r"```sh\n(.*?)```", GUIDE.read_text(), re.S)
    lines = [line for block in blocks for line in block.splitlines() if line.strip()]
    assert all(line.startswith("roundworks ") for line in lines)
    return [shlex.split(line)[1:] for line in lines]


def tutorial_cipher() -> str:
    """The text of my_toy.py behind the third step of the tutorial."""
    text = (ROOT / "docs" / "tutorial.md").read_text()
    before, after = re.findall(r"```python\n(.*?)```", text, re.S)
    assert before in TOY.read_text()
    return TOY.read_text().replace(before, after)
