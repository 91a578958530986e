"""What docs/afternoon.md has a reader write and type."""

from __future__ import annotations

import re
import shlex

from places import ROOT

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
