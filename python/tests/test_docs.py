"""What the documents say is held against what is there."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from roundworks import spec

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text()
DOCUMENTS = sorted(
    ROOT / name
    for name in subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "*.md"],
        cwd=ROOT, check=True, capture_output=True, text=True,
    ).stdout.split()
)  # fmt: skip


def test_the_matrix_is_what_spec_says() -> None:
    lines = [
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in README.splitlines()
        if line.startswith("|")
    ]
    head, rows = lines[0], {line[0].strip("`"): line for line in lines[2:]}
    assert set(rows) == {facts.name for facts in spec.ciphers()}
    for facts in spec.ciphers():
        said = {head[i] for i, cell in enumerate(rows[facts.name]) if cell == "yes"}
        assert said == set(facts.backends), facts.name
        assert ("study" in rows[facts.name][-1]) == (facts.status == "study")


def test_the_python_example_runs() -> None:
    (block,) = re.findall(r"```python\n(.*?)```", README, re.S)
    values = "key, nonce, data, associated_data = bytes(16), bytes(16), b'data', b'header'\n"
    done = subprocess.run(
        [sys.executable, "-c", values + block + "\nassert opened == data"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr


def test_commands_in_documents_exist() -> None:
    """Every `make x` is a target with a line of help, every `roundworks x` a verb."""
    helped = subprocess.run(["make", "help"], cwd=ROOT, capture_output=True, text=True, check=True)
    targets = {line.split()[1] for line in helped.stdout.splitlines() if line.strip()}
    assert {"setup", "check", "test", "bench", "report", "reproduce-full"} <= targets
    verbs = {
        "list",
        "describe",
        "bench",
        "search",
        "sim",
        "synth",
        "fpga",
        "audit",
        "bound",
        "check",
        "fastest",
        "race",
        "reproduce",
    }
    verbs |= {"cycles", "report", "seal", "open", "inspect", "keygen", "completion"}
    verbs |= {"sim", "power", "hw-report", "hw-table", "hw-estimate", "gpu"}
    for path in DOCUMENTS:
        text = path.read_text()
        blocks = re.findall(r"```sh\n.*?```", text, re.S)
        prose = re.sub(r"```.*?```", "", text, flags=re.S)
        code = "\n".join([*blocks, *re.findall(r"`[^`\n]+`", prose)])
        assert set(re.findall(r"\bmake ([a-z0-9-]+)", code)) <= targets, path
        assert set(re.findall(r"\broundworks +([a-z]+(?:-[a-z]+)*)", code)) <= verbs, path


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda p: str(p.relative_to(ROOT)))
def test_links_lead_somewhere(path: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+)\)", path.read_text()):
        if not target.startswith("https://"):
            assert (path.parent / target).exists(), target


def test_architecture_is_within_two_screens_and_names_every_folder() -> None:
    text = (ROOT / "ARCHITECTURE.md").read_text()
    assert len(text.splitlines()) <= 100
    for crate in (ROOT / "crates").iterdir():
        assert f"`crates/{crate.name}/`" in text
    for part in (ROOT / "python" / "roundworks").iterdir():
        if part.is_dir() and not part.name.startswith("__"):
            assert f"`python/roundworks/{part.name}/`" in text


def test_every_native_cipher_is_public_in_python() -> None:
    """`aead.py` has a class for each; none may be forgotten, and its doc names its source."""
    from roundworks import _native, aead

    classes = [c for c in vars(aead).values() if hasattr(c, "NAME")]
    assert [c.__name__ for c in sorted(classes, key=lambda c: c.__name__)] == sorted(
        set(aead.__all__)
        - {"Aead", "Decryptor", "Encryptor", "Mac", "get", "mac_names", "names"}
        - {"BackendUnavailable", "InvalidTag", "ResearchOnlyWarning", "UnknownName"}
    )
    assert {c.NAME for c in classes} == set(_native.cipher_names()) == set(aead.names())
    assert all(re.search(r"\[[A-Z]|`Aether`", c.__doc__ or "") for c in classes)
