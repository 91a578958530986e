"""What the documents say is compared with what is there."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import click
import pytest

from places import ROOT
from roundworks.cli.main import cli
from roundworks.hardware.cores import core
from roundworks.ledger import statuses

README = (ROOT / "README.md").read_text()
DOCUMENTS = sorted(
    ROOT / name
    for name in subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "*.md"],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    ).stdout.split()
)


def test_the_python_example_runs() -> None:
    (block,) = re.findall(r"```python\n(.*?)```", README, re.S)
    values = "key, nonce, data, associated_data = bytes(16), bytes(16), b'data', b'header'\n"
    done = subprocess.run(
        [sys.executable, "-c", values + block + "\nassert opened == data"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr


def code(path: Path) -> list[str]:
    """Lines of shell blocks without their comments, and code within lines."""
    text = path.read_text()
    blocks = "\n".join(re.findall(r"```sh\n(.*?)```", text, re.S))
    prose = re.sub(r"```.*?```", "", text, flags=re.S)
    return [line.split(" #")[0] for line in blocks.splitlines()] + re.findall(r"`([^`\n]+)`", prose)


def test_make_targets_in_documents_exist() -> None:
    """Every `make x` has a line of help."""
    helped = subprocess.run(["make", "help"], cwd=ROOT, capture_output=True, text=True, check=True)
    targets = {line.split()[1] for line in helped.stdout.splitlines() if line.strip()}
    assert {"setup", "check", "test", "bench", "report", "reproduce-full"} <= targets
    for path in DOCUMENTS:
        assert set(re.findall(r"\bmake ([a-z0-9-]+)", "\n".join(code(path)))) <= targets, path


def test_the_list_of_cores_in_the_reference_is_read(tmp_path: Path) -> None:
    (block,) = re.findall(r"```toml\n(.*?)```", (ROOT / "docs/reference/hardware.md").read_text(), re.S)
    (tmp_path / "mine.toml").write_text(block)
    for name in ("my_counter.sv", "bench_counter.py"):
        (tmp_path / name).touch()
    one = core("my-counter", tmp_path / "mine.toml")
    assert one.numbers({"Carry": "tree"}) == {"Carry": 1} and one.bench == "bench_counter.py"


def test_commands_in_documents_exist() -> None:
    """Every `roundworks x --option` is one that click knows."""
    root = click.Context(cli)
    shared = {option for parameter in cli.params for option in parameter.opts}
    seen = set()
    for path in DOCUMENTS:
        for line in code(path):
            # A pipe or `&&` begins another command.
            for verb, rest in re.findall(r"(?<!from )\broundworks +([a-z]+(?:-[a-z]+)*)\b([^|&;]*)", line):
                command = cli.get_command(root, verb)
                assert command is not None, f"{path}: {line}"
                known = {
                    option
                    for parameter in command.params
                    for option in (*parameter.opts, *parameter.secondary_opts)
                }
                options = set(re.findall(r"(?<![\w-])--[a-z][a-z-]*", rest))
                assert options <= known | shared | {"--help"}, f"{path}: {line}"
                seen.add(verb)
    assert len(seen) > 20


def test_cores_in_documents_exist() -> None:
    """The name behind `sim`, `synth`, `power` and `fpga`, unless it is of a file of the reader's."""
    listed = subprocess.run(
        [Path(sys.executable).parent / "roundworks", "list", "cores"],
        capture_output=True,
        text=True,
        check=True,
    )
    cores = {*listed.stdout.split(), "prince"}
    for path in DOCUMENTS:
        for line in code(path):
            for name in re.findall(r"\broundworks (?:sim|synth|power|fpga) ([a-z][\w-]*)", line):
                # With AXI4-Stream each AEAD core is there twice more.
                assert re.sub("-axis(-loop)?$", "", name) in cores, f"{path}: {line}"


def test_modules_of_the_site_exist() -> None:
    """Each is a page of the site, which is built only by `make docs`."""
    text = (ROOT / "tools" / "site" / "pages.py").read_text()
    modules = re.findall(r'^    "(roundworks(?:\.\w+)+)",$', text, re.M)
    places = [ROOT / "python" / name.replace(".", "/") for name in modules]
    assert len(places) > 10
    assert [p for p in places if not (p.with_suffix(".py").exists() or (p / "__init__.py").exists())] == []


def test_documents_named_in_sources_exist() -> None:
    """In a help text, an error or a comment."""
    named = subprocess.run(
        ["git", "grep", "-hoE", r"docs/[a-z/-]+\.md", "--", ":!results"],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    ).stdout.split()
    assert named and not {name for name in named if not (ROOT / name).is_file()}


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


def test_the_study_of_the_guide_runs_and_goes_on_from_its_ledger(tmp_path: Path) -> None:
    (block,) = re.findall(r"```python\n(.*?)```", (ROOT / "docs/how-to/studies.md").read_text(), re.S)
    (tmp_path / "threshold.py").write_text(block)
    results = [
        subprocess.run(
            [sys.executable, "threshold.py"], cwd=tmp_path, capture_output=True, text=True, check=True
        ).stdout
        for _ in range(2)
    ]
    assert results[0] == results[1] and results[0].startswith("{1: 376320,") and results[0].count(" 0") == 3
    (status,) = statuses(tmp_path / "threshold.sqlite")
    assert (status.units, status.done, status.before) == (9, 9, 9)
