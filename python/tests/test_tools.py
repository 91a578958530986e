"""The checks of `make check` find what they are there to find."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from loaded import tool
from places import ROOT
from roundworks import machine
from roundworks.ledger import Ledger
from roundworks.rows import AuditRow


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A small tree under git, clean by every check."""
    (tmp_path / "spec").mkdir()
    (tmp_path / "spec" / "bibliography.toml").write_text('[AETHER]\ntitle = "A"\n')
    (tmp_path / "crates" / "roundworks" / "src" / "arch").mkdir(parents=True)
    (tmp_path / "notes.md").write_text("As in [AETHER, section 2].\n")
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    add(tmp_path)
    return tmp_path


def add(tree: Path) -> None:
    subprocess.run(["git", "add", "-A"], cwd=tree, check=True)


def test_citations(tree: Path, capsys: pytest.CaptureFixture[str]) -> None:
    check = tool("check_citations", tree)
    assert check.main() == 0
    (tree / "notes.md").write_text("fine\nAs in [NO" + "BODY, section 2].\n")
    assert check.main() == 1
    assert capsys.readouterr().err == ("citations: notes.md:2: [NOBODY]: not in spec/bibliography.toml\n")


STYLE = """
[[words]]
pattern = '\\bheld\\b'
say = "stored"
[[words]]
pattern = '^# which\\b'
say = "a noun"
suffix = ".md"
[[allowed]]
phrase = 'held key'
reason = "a standard term"
[scope]
except = ["results/", "tools/"]
suffixes = [".md", ".py"]
"""


def test_style(tree: Path, capsys: pytest.CaptureFixture[str]) -> None:
    check = tool("check_words", tree)
    (tree / "tools").mkdir()
    (tree / "tools" / "words.toml").write_text(STYLE)
    (tree / "results").mkdir()
    (tree / "results" / "a.md").write_text("held\n")
    (tree / "notes.md").write_text("A held key is fine, `block.held()` is code.\n```\nheld\n```\n")
    (tree / "code.py").write_text("# which is a comment\n")
    add(tree)
    assert check.main() == 0
    (tree / "code.py").write_text("blocks_held = 3\n")
    (tree / "notes.md").write_text("```\nheld\n```\n# Which of them\n")
    assert check.main() == 1
    assert capsys.readouterr().err.splitlines() == [
        "words: code.py:1: 'held': say stored",
        "words: notes.md:4: '# which': say a noun",
    ]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("It takes 93 s of CPU.\n", "notes.md:1: 93 s: a measured number; the report shows it with its run"),
        (
            "Far less:\n.7 cycles a byte\n",
            "notes.md:2: 7 cycles a byte: a measured number; the report shows it with its run",
        ),
        (
            "<!-- generated: cpus -->\n| old |\n<!-- end -->\n",
            "notes.md: a generated table is not current; run `make tables`",
        ),
        (
            "Run `python -m roundworks." + "nothing`.\n",
            "notes.md:1: python -m roundworks.nothing: no module that runs",
        ),
    ],
)
def test_docs(
    tree: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, text: str, problem: str
) -> None:
    check = tool("check_docs", tree)
    (tree / "notes.md").write_text("A tag of 16 bytes, `sleep 3 s`, chance 2^-32, 100 MHz.\n")
    assert check.main() == 0
    (tree / "notes.md").write_text(text)
    assert check.main() == 1
    assert capsys.readouterr().err == f"docs: {problem}\n"
    monkeypatch.setattr(sys, "argv", ["check_docs.py", "--write"])
    check.main()
    assert ("| old |" in (tree / "notes.md").read_text()) is False


@pytest.mark.parametrize(
    ("name", "text", "problem"),
    [
        ("notes.md", "see /" + "home/someone/x\n", "notes.md:1: a path of one machine"),
        (
            "requirements/run.txt",
            "-i http" + "s://host/simple\n",
            "requirements/run.txt:1: a download address",
        ),
        (
            "Cargo.lock",
            'source = "git+http' + 's://host/x"\n',
            "Cargo.lock:1: a source other than the public registry",
        ),
        ("blob.bin", b"\xff\xfe", "blob.bin: a binary file; keep sources and data only"),
    ],
)
def test_words(
    tree: Path, capsys: pytest.CaptureFixture[str], name: str, text: str | bytes, problem: str
) -> None:
    check = tool("check_words", tree)
    assert check.main() == 0
    path = tree / name
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    add(tree)
    assert check.main() == 1
    assert capsys.readouterr().err == f"words: {problem}\n"


def test_the_words_of_a_ledger_are_read(tree: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tree / "results" / "ledgers").mkdir(parents=True)
    with Ledger(tree / "results" / "ledgers" / "a.sqlite") as ledger:
        ledger.note({"search": "x"}, "a title", [{"file": "/" + "home/someone/x"}])
    (tree / "results" / "ledgers" / "a.sqlite-lock").unlink()
    add(tree)
    assert tool("check_words", tree).main() == 1
    problem = capsys.readouterr().err
    assert problem.startswith("words: results/ledgers/a.sqlite:") and "a path of one machine" in problem


def test_site(tmp_path: Path) -> None:
    """Links, anchors, and what a page loads by itself."""
    check = tool("site/check", tmp_path)
    page = '<a id="x" href="b.html#y">b</a><a href="https://host/">out</a><script src="s.js"></script>'
    (tmp_path / "a.html").write_text(page)
    (tmp_path / "b.html").write_text('<h1 id="y">b</h1><a href="a.html#x">a</a>')
    (tmp_path / "s.js").write_text("")
    assert list(check.problems(tmp_path)) == []
    bad = '<a href="c.html">c</a><a href="b.html#z">b</a><link rel="stylesheet" href="https://host/s.css">'
    (tmp_path / "a.html").write_text(bad + page)
    (tmp_path / "s.css").write_text("body { background: url(//host/b.png) }")
    assert list(check.problems(tmp_path)) == [
        "a.html: loads https://host/s.css",
        "a.html: c.html: no such file",
        "a.html: b.html#z: no such anchor",
        "s.css: loads //host/b.png",
    ]


def test_layers_of_folders(tree: Path) -> None:
    check = tool("check_layers", tree)
    assert check.spec_problems() == [] and check.unsafe_problems() == []
    (tree / "spec" / "run.py").write_text("")
    assert check.spec_problems() == ["spec/run.py: spec/ holds data only (.json, .md, .toml)"]
    inside = tree / "crates" / "roundworks" / "src" / "arch" / "x.rs"
    inside.write_text("unsafe { x }\n")
    assert check.unsafe_problems() == []
    shutil.move(inside, inside.parent.parent / "x.rs")
    assert [p.split(": ")[0] for p in check.unsafe_problems()] == ["crates/roundworks/src/x.rs:1"]


def test_layers_of_crates(monkeypatch: pytest.MonkeyPatch) -> None:
    check = tool("check_layers", ROOT)

    def metadata(name: str, dependency: str, kind: str | None) -> None:
        package = {"name": name, "dependencies": [{"name": dependency, "kind": kind}]}
        text = json.dumps({"packages": [package]}).encode()
        done = subprocess.CompletedProcess([], 0, text, b"")
        monkeypatch.setattr(check.subprocess, "run", lambda *a, **k: done)

    metadata("roundworks", "roundworks-vectors", "dev")
    assert check.crate_problems() == []
    metadata("roundworks", "roundworks-vectors", None)
    assert check.crate_problems() == ["crate roundworks uses roundworks-vectors: against the flow"]
    metadata("roundworks-search", "roundworks", None)
    assert check.crate_problems() == ["crate roundworks-search uses roundworks: against the flow"]
    metadata("roundworks-new", "roundworks", None)
    assert "not in tools/check_layers.py" in check.crate_problems()[0]


def test_a_stored_audit_has_the_checks_of_now() -> None:
    check = tool("check_rows", ROOT)
    rows = [
        AuditRow.make(
            seconds=1,
            command=f"roundworks audit {cipher}",
            cipher=cipher,
            check=name,
            verdict="pass",
            title="",
            detail="",
            proof=None,
        )
        for cipher in ("old", "new")
        for name in check.CHECKS
        if (cipher, name) != ("old", "first-block")
    ]
    assert check.missing(rows) == ["audit of old: lacks first-block; `roundworks audit old` stores it again"]


def test_the_report_computes_nothing(tmp_path: Path) -> None:
    folder = tmp_path / "python" / "roundworks" / "report"
    folder.mkdir(parents=True)
    (folder / "plain.py").write_text("from roundworks.rows import Row\n")
    (folder / "cheat.py").write_text("def f():\n    from .. import _native\n")
    (said,) = tool("check_layers", tmp_path).report_problems()
    assert said == "python/roundworks/report/cheat.py: the report uses the native module: against the flow"


def test_layers_of_modules(tmp_path: Path) -> None:
    """import-linter stops a module that reads against the flow."""
    shutil.copytree(ROOT / "python" / "roundworks", tmp_path / "roundworks")
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    (tmp_path / "roundworks" / "report" / "cheat.py").write_text("from roundworks.analysis import bounds\n")
    linter = Path(sys.executable).parent / "lint-imports"
    done = subprocess.run(
        [linter, "--no-cache"],
        cwd=tmp_path,
        env={"PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert "the report reads results and spec, never the code that made them BROKEN" in done.stdout


LOOP = """\
000000000000003c <inside>:
  36:  vinserti64x4 zmm0,zmm0,YMMWORD PTR [rdi],0x1
  3c:  vpermq ymm0,ymm0,0x44
  40:  vmovdqu xmm0,XMMWORD PTR [rdi]
  44:  vaesenc xmm1,xmm0,xmm2
  49:  vpxor  xmm1,xmm1,xmm3
  4d:  vmovdqa xmm4,xmm1
  51:  vmovdqa XMMWORD PTR [rsp+0x10],xmm4
  57:  vpunpckldq xmm4,xmm4,XMMWORD PTR [rsp]
  5d:  dec    rcx
  60:  jne    44 <inside+0x4>
  62:  dec    rdx
  65:  jne    40 <inside>
  67:  jmp    70 <inside+0x34>
  69:  vaesenc xmm1,xmm0,xmm2
  6e:  ret
  70:  jmp    69 <inside+0x2d>
"""


def test_loops_are_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    count = tool("count_loops", tmp_path)
    said = {
        "nm": "0000000000000040 0000000000000028 t"
        " <roundworks::arch::x86_64::aesni::Aesni as roundworks::Permuting>::permuting::forward_many\n"
        "0000000000000040 0000000000000028 t"
        " <roundworks::arch::x86_64::aesni::Aesni as roundworks::Permuting>::permuting::forward\n",
        "objdump": LOOP,
    }
    monkeypatch.setattr(count, "_run", lambda *command: said[command[0]])
    # The inner loop alone: a load or store is no move between registers.
    loop = count.CountedLoop(all=7, aes=1, xor=1, columns=1, moves=1, stack=2, calls=0)
    assert count.kernels(tmp_path) == {"Aesni": [count.Kernel(loops=[loop], lanes=1)]}
    assert count.kernels(tmp_path, count.MESSAGES) == {}


def built_kernels(function: str) -> Any:
    """Of the tests of the core as they were built, by back end's token."""
    count = tool("count_loops", ROOT)
    program = count.built()
    if not (program and shutil.which("objdump") and shutil.which("nm")):
        pytest.skip("no test program of the core (cargo test --release --no-run), or no binutils")
    kernels = count.kernels(program, getattr(count, function))
    if "Vaes512" not in kernels:
        pytest.skip(f"{program.name}: no kernels for x86-64")
    return kernels


@pytest.mark.long
def test_three_operands_save_the_moves() -> None:
    """In the tests of the core: why AES-NI is compiled for AVX as well."""
    kernels = built_kernels("BATCHES")

    def share(token: str) -> float:
        each = [kernel.loops for kernel in kernels[token] if kernel.loops]
        longest = [max(loops, key=lambda loop: loop.aes) for loops in each]
        return sum(loop.moves for loop in longest) / sum(loop.all for loop in longest)

    def waiting(token: str) -> int:
        return sum(loop.stack for kernel in kernels[token] for loop in kernel.loops)

    assert share("Aesni") > 0.2 > 0.12 > share("Vex")
    assert waiting("Vex") > 4 * waiting("Evex")  # with more blocks side by side
    # Of zmm three or four groups and then single ones: 8 for each four blocks of four words, 4 of two.
    assert sum(kernel.lanes in (32, 40, 36) for kernel in kernels["Vaes512"]) > 20


@pytest.mark.long
def test_messages_side_by_side_go_round_without_calls() -> None:
    """In the tests of the core, which is compiled in many units as users have it."""
    kernels = built_kernels("MESSAGES")
    loops = [loop for kernel in kernels["Vaes512"] for loop in kernel.loops]
    # Sealing, opening and associated data of four ciphers.
    assert len(loops) >= 12
    # A loop over messages of unequal length ends each of them, by seven rounds of at least five words, and may call.
    assert [loop for loop in loops if loop.calls and loop.aes < 35] == []


# -- test_python_cpus --------------------------------------------------------------------------
@pytest.fixture
def cpus(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(ROOT / "tools"))
    return tool("test_python_cpus", ROOT)


@pytest.mark.parametrize(
    "text",
    [
        "vendor_id\t: AuthenticAMD\ncpu family\t: 25\nmodel\t\t: 17\nmodel name\t: AMD EPYC\nstepping\t: 1\n"
        "flags\t\t: aes avx2\n",
        "CPU implementer\t: 0x41\nCPU architecture: 8\nCPU variant\t: 0x0\nCPU part\t: 0xd4f\nCPU revision\t: 1\n"
        "Features\t: aes asimd\n",
    ],
)
def test_a_hidden_name_leaves_the_flags(cpus: ModuleType, text: str) -> None:
    hidden = cpus.NAMES.sub(r"\1\2: unknown", text)
    said = dict(line.replace("\t", "").split(": ") for line in hidden.splitlines())
    facts = machine.facts_of(said)
    assert {facts[key] for key in ("vendor", "family", "model")} == {"unknown"}
    assert set(facts["stepping"].split()) == {"unknown"} and "aes" in facts["flags"]


def test_the_python_tests_of_other_cpus_are_there(cpus: ModuleType) -> None:
    for name in cpus.files([*cpus.EMULATED, *cpus.UNNAMED]):
        assert (ROOT / name).is_file(), name
    assert [cpu.backends for cpu in cpus.ON] == ["portable", "portable,aesni,avx2"]


def test_what_cannot_run_is_counted_and_what_fails_fails(
    cpus: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    outcome: list[Exception] = []

    def end(*_: object) -> str:
        if outcome:
            raise outcome[0]
        return "3 passed"

    monkeypatch.setattr(cpus, "on", end)
    monkeypatch.setattr(cpus, "hidden", end)
    monkeypatch.setattr(sys, "argv", ["test_python_cpus.py"])
    for error, required, code, told in (
        (None, "1", 0, "3 ran, 0 skipped, 0 failed"),
        (cpus.Skip("no qemu"), "0", 0, "0 ran, 3 skipped, 0 failed"),
        (cpus.Skip("no qemu"), "1", 1, "0 ran, 3 skipped, 0 failed"),
        (cpus.Refused("no namespace"), "1", 0, "0 ran, 3 skipped, 0 failed"),
        (cpus.Failure("1 failed"), "0", 1, "0 ran, 0 skipped, 3 failed"),
    ):
        outcome[:] = [error] if error else []
        monkeypatch.setenv("ROUNDWORKS_REQUIRE_TOOLS", required)
        assert cpus.main() == code
        assert told in capsys.readouterr().out


@pytest.mark.parametrize(("code", "command"), [(0, "true"), (3, "exit 3")])
def test_a_part_says_its_minutes_and_ends_as_its_command(code: int, command: str) -> None:
    words = ["bash", ROOT / "tools" / "part.sh", "a part", "bash", "-c", command]
    environment = {name: value for name, value in os.environ.items() if name != "PART_DEADLINE"}
    done = subprocess.run(words, env=environment, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (code, "")
    assert re.fullmatch(r"a part: \d+\.\d min\n", done.stdout)


def test_a_part_is_not_begun_after_the_deadline() -> None:
    words = ["bash", ROOT / "tools" / "part.sh", "a part", "touch", "/nowhere/begun"]
    environment = os.environ | {"PART_DEADLINE": "1"}
    done = subprocess.run(words, env=environment, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("a part: left out, 1 part skipped")


@pytest.mark.parametrize(
    ("part", "rest", "code", "said"),
    [
        ("sleep 0.2; echo a", "echo b", 0, "b a a part"),
        ("echo a; exit 3", "echo b", 3, "b a a part"),
        ("echo a; sleep 60", "sleep 0.2; echo b; exit 2", 2, "b a"),
    ],
    ids=["both pass", "the part fails", "the rest fails"],
)
def test_a_part_in_parallel_with_the_rest(part: str, rest: str, code: int, said: str) -> None:
    """Both codes count; the part's output follows that of the rest, whose failure ends it."""
    words = ["bash", ROOT / "tools" / "parallel.sh", "a part", "bash", "-c", part, "--", "bash", "-c", rest]
    done = subprocess.run(words, capture_output=True, text=True, timeout=30)
    assert (done.returncode, done.stderr) == (code, "")
    assert re.sub(r": \d+\.\d min", "", done.stdout).split() == said.split()
