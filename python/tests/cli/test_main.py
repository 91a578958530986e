"""The command line as a person meets it: exact words on standard error, exit codes, rows."""

from __future__ import annotations

import importlib
import json
import os
import re
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from calls import command
from places import ROOT
from roundworks import aead, rows, spec
from roundworks.cli.main import cli, main
from roundworks.ledger import statuses
from roundworks.reference import analysed, catalogued, names

TOY = str(ROOT / "examples" / "toy.py")
VERBS = [
    "list",
    "describe",
    "sheet",
    "analyse",
    "bench",
    "search",
    "decide",
    "sums",
    "inner",
    "designs",
    "audit",
    "bound",
    "check",
    "confirm",
    "generate",
    "prove",
    "cycles",
    "fastest",
    "sim",
    "synth",
    "power",
    "fpga",
    "hw-table",
    "hw-estimate",
    "hw-report",
    "gpu",
    "trials",
    "study",
    "results",
    "race",
    "reproduce",
    "table",
    "report",
    "seal",
    "open",
    "inspect",
    "keygen",
    "completion",
]

HERE = ", ".join(name for name, there in aead.get("aether").backends() if there)


@pytest.mark.parametrize("verb", ["", *VERBS])
def test_help_is_one_screen_and_ends_in_an_example(run, run_process, verb: str) -> None:
    """In a process of its own, once for each verb; and `run` shows what a process does."""
    done = run_process(*verb.split(), "--help")
    lines = done.stdout.rstrip().splitlines()
    assert done.returncode == 0 and done.stderr == "" and len(lines) <= (44 if verb else len(VERBS) + 14)
    assert "Example:" in done.stdout
    assert run(*verb.split(), "--help").stdout == done.stdout


def test_the_first_help_lists_every_verb_in_order(run) -> None:
    assert [
        line.split()[0]
        for line in run("--help").stdout.splitlines()
        if line.startswith("  ") and line.split()[0] in VERBS
    ] == VERBS


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["frobnicate"], f"verb 'frobnicate': not known; `roundworks --help` shows all {len(VERBS)}"),
        (
            ["audit"],
            "want a cipher (`roundworks list ciphers` prints them) or --file my_cipher.py, and not both; see `roundworks audit --help`",
        ),
        (
            ["audit", "aes"],
            f"cipher 'aes': not known; did you mean aes-128-gcm, aes-256-gcm? (`roundworks list ciphers` shows all {len(names())}; or --file my_cipher.py)",
        ),
        (
            ["describe"],
            "want a cipher or permutation (`roundworks list descriptions` prints them) or --file my_cipher.py, and not both; see `roundworks describe --help`",
        ),
        (
            ["describe", "aess"],
            f"cipher or permutation 'aess': not known; did you mean aes, aes-256, aes-192? (`roundworks list descriptions` shows all {len(analysed()) + len(catalogued())}; or a file my_cipher.py)",
        ),
        (["audit", "--file", "absent.py"], "absent.py: no such file; want a Python file with a description"),
        (
            ["bench", "aes"],
            f"cipher 'aes': not known; did you mean aes-128-gcm, aes-256-gcm? (`roundworks list ciphers` shows all {len(names())})",
        ),
        (
            ["bench", "aether", "ascon-128a"],
            "cipher 'ascon-128a': described, but not in the Rust core; `roundworks list` shows which are",
        ),
        (["bench", "aether", "--backend", "mmx"], f"back end 'mmx': not known here; one of {HERE}"),
        (
            ["search", "--words", "4", "--inputs", "1", "--ledger", "/no/such/l"],
            "/no/such/l: no folder /no/such; make it, or name another",
        ),
        (["--results", "/no/such", "report"], "/no/such: no such folder; want one with rows"),
        (
            ["bound", "aether", "--rounds", "0"],
            "Invalid value for '--rounds': 0 is not in the range 1<=x<=1,000; see `roundworks bound --help`",
        ),
        (
            ["bound", "aegis-128", "--measure", "differential"],
            "aegis-128: AES: want S-box layer, binary matrix, S-box layer; got sub . permute . mix (aes.py:46)",
        ),
        (
            ["cycles", "minalpher"],
            "minalpher.py:61: sub SB: no AES instruction does it; want SubBytes, ShiftRows and MixColumns of AES on words of 128 bits",
        ),
        (
            ["cycles", "simpira-2", "--cpu", "icelake"],
            "cpu 'icelake': not known; did you mean ice-lake? (`roundworks list cpus` shows all 14)",
        ),
        (
            ["cycles", "simpira-2", "--cpu", "skylake", "--bits", "512"],
            "cpu skylake: bits of aesenc '512': not known; one of 128",
        ),
        (
            ["bound", "aes", "--time-limit", "nan"],
            "Invalid value for '--time-limit': want a finite number, got nan; see `roundworks bound --help`",
        ),
        (
            ["race", "--time-limit", "inf"],
            "Invalid value for '--time-limit': want a finite number, got inf; see `roundworks race --help`",
        ),
        (
            ["fastest", "--all-limit", "nan"],
            "Invalid value for '--all-limit': want a finite number, got nan; see `roundworks fastest --help`",
        ),
        (
            ["fastest", "--time-limit", "0"],
            "Invalid value for '--time-limit': 0.0 is not in the range x>0; see `roundworks fastest --help`",
        ),
        (["search"], "want --words and --inputs, or a cipher; see `roundworks search --help`"),
        (
            ["search", "--words", "4", "--inputs", "4"],
            "--inputs: want fewer than --words (4), got 4; see `roundworks search --help`",
        ),
        (
            ["reproduce", "--table", "6"],
            "--table: want a paper as well, as in: roundworks reproduce aether --table 6; see `roundworks reproduce --help`",
        ),
        (
            ["reproduce", "nobody"],
            "paper 'nobody': not known; one of aegis128-accelerator, aes-hardware, aesni-permutations, aether, minalpher-gpu",
        ),
        (
            ["bound", "present", "--measure", "integral", "--where", "S0=***"],
            "where: S0: want a number of cells that divides its 64 bits, got 3",
        ),
    ],
)
def test_wrong_use_is_one_line_and_exit_2(run, args: list[str], message: str) -> None:
    done = run(*args)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"roundworks: error: {message}\n"


def changed(path: Path, old: str, new: str) -> str:
    text = Path(TOY).read_text()
    assert old in text
    path.write_text(text.replace(old, new))
    return str(path)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('name = "toy"', 'name = "[/x]"', "name: want at most 64 letters, digits"),
        ("8, 4, 4\n", "8, 4, 8\n", "tag: want 8 bytes of words, got 4"),
        ("    def load", "    def __init__(self, size): ...\n\n    def load", "TypeError: "),
        (
            "    def load",
            "    def padding(self, n):\n        return b'x'\n\n    def load",
            "padding(0): want whole blocks of 4 bytes, got 1",
        ),
        ("class Toy", "raise SystemExit(3)\n\n\nclass Toy", "SystemExit: 3"),
    ],
)
def test_a_strange_file_is_one_line_and_exit_2(run, tmp_path: Path, old: str, new: str, message: str) -> None:
    done = run("describe", "--file", changed(tmp_path / "mine.py", old, new))
    assert (done.returncode, done.stdout) == (2, "") and message in done.stderr
    assert done.stderr.count("\n") == 1 and "mine.py" in done.stderr


@pytest.mark.parametrize(
    "args",
    [["inspect"], ["open", "--key"], ["seal", "--passphrase-file"], ["keygen"], ["describe", "--file"]],
)
def test_what_a_terminal_obeys_is_written_out(run, tmp_path: Path, args: list[str]) -> None:
    """The name of a file comes from others: printed raw, it could clear a screen or fake a line."""
    path = tmp_path / "a\x1b[31mred\nroundworks: all is well\x9b.txt"
    path.write_text("x")
    path.chmod(0o644)
    done = run(*args, str(path), *([str(path)] if args[0] in ("open", "seal") else []))
    assert done.returncode in (0, 2) and "\\x1b[31mred\\nroundworks: all is well\\x9b.txt" in done.stderr
    assert "\x1b" not in done.stderr and "\x9b" not in done.stderr and "\nroundworks: all" not in done.stderr


def test_names_inside_a_file_are_text_and_no_markup(run, tmp_path: Path) -> None:
    path = changed(tmp_path / "mine.py", '@unit("F")', '@unit("[/F]")')
    described = run("describe", "--file", path)
    assert described.returncode == 0 and "S'1 = [/F](S0) ^ S2" in described.stdout
    assert "12 unit [/F]" in described.stdout or "unit [/F]" in described.stdout.splitlines()[-1]
    for verb in (["bound"], ["audit"], ["bound", "--measure", "differential"]):
        assert "Traceback" not in run(*verb, "--file", path).stderr


@pytest.mark.parametrize(
    ("args", "code"),
    [(["describe", "aether-lb"], 0), (["search", "--words", "5", "--inputs", "2"], 1), (["frobnicate"], 2)],
)
def test_a_call_in_process_is_as_in_a_process(run, run_process, args: list[str], code: int) -> None:
    here, there = run(*args), run_process(*args)
    assert here.returncode == there.returncode == code
    assert (timeless(here.stdout), here.stderr) == (timeless(there.stdout), there.stderr)
    assert here.stdout + here.stderr


def timeless(text: str) -> str:
    return re.sub(r"\d+\.\d+", "some", text)


def test_no_verb_prints_the_help(run) -> None:
    done = run()
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("Usage: roundworks") and "Example:" in done.stderr


def test_a_file_may_not_take_a_known_name(run, tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text(Path(TOY).read_text().replace('"toy"', '"aether"'))
    done = run("describe", "--file", str(path))
    assert done.returncode == 2 and "name 'aether' is taken" in done.stderr


NONE_FOUND = ["search", "--words", "5", "--inputs", "2"]


def test_no_is_exit_1(run) -> None:
    assert run("audit", "aether", "--brief").returncode == 1
    assert run(*NONE_FOUND).returncode == 1
    assert run("search", "--words", "4", "--inputs", "1").returncode == 0
    assert run("bound", "aether", "--measure", "collision", "--at-least", "8").returncode == 0
    assert run("bound", "aether", "--measure", "collision", "--at-least", "9").returncode == 1
    assert run("bound", "aether", "--measure", "collision", "--at-least", "nan").returncode == 1
    # At most that degree, and the polynomial 0.
    assert run("bound", "aes", "--measure", "degree", "--rounds", "6", "--at-least", "127").returncode == 1
    zero = ["--measure", "superpoly", "--rounds", "1", "--at-least", "0", "--no-store"]
    assert run("bound", "simon-32-64", *zero).returncode == 1
    assert run("bound", "simon-32-64", "--measure", "degree", *zero).returncode == 1  # as a study


def test_json_is_the_rows_that_are_stored(run, tmp_path: Path) -> None:
    done = run("bound", "aether", "--measure", "active-f", "--rounds", "16", "--json")
    printed = [json.loads(line) for line in done.stdout.splitlines()]
    assert [r["value"] for r in printed] == [2, 4, 8, 12, 16, 19, 22, 24, 28, 34, 36, 39, 43, 45, 48, 50]
    stored = rows.Store(tmp_path / "results").read("bound")
    assert [row.as_json() for row in stored] == printed
    run("search", "--words", "4", "--inputs", "1", "--no-store")
    assert rows.Store(tmp_path / "results").read("search") == []


def test_a_users_file_goes_through_every_verb(run) -> None:
    described = run("describe", "--file", TOY)
    assert described.returncode == 0 and "S'1 = F(S0) ^ S2" in described.stdout
    bounded = run("bound", "--file", TOY, "--measure", "active-f", "--rounds", "4", "--json")
    assert bounded.returncode == 0 and len(bounded.stdout.splitlines()) == 4
    for measure in ("collision", "bias", "differential", "correlation"):
        assert run("bound", "--file", TOY, "--measure", measure).returncode == 0
    audited = run("audit", "--file", TOY)
    assert audited.returncode == 1 and "forgery" in audited.stdout
    searched = run("search", "--file", TOY, "--active", "8")
    assert searched.returncode == 0 and "toy: its own round" in searched.stdout


def test_reproduce_prints_paper_and_ours(run) -> None:
    done = run("reproduce", "aether", "--table", "7")
    lines = [line.split() for line in done.stdout.splitlines()]
    assert ["16", "50", "50", "→", "consistent"] in [line[:5] for line in lines]
    assert "\n16 consistent; " in done.stdout


def test_table_6_in_full(run) -> None:
    """Every row, (11,4) complete, and the corrected total of (10,5)."""
    done = run("reproduce", "aether", "--table", "6", "--json")
    results = [json.loads(line) for line in done.stdout.splitlines()]
    cells = {(r["row"], r["column"]): r for r in results if r["kind"] == "reproduction"}
    assert len(cells) == 28 * 3
    refuted = {key: (r["paper_value"], r["value"]) for key, r in cells.items() if r["status"] == "refuted"}
    assert refuted == {("(10,5)", "total"): (38102400, 7620480)}
    assert cells["(11,4)", "searched"]["value"] == "All" and cells["(11,4)", "found"]["value"] == 0
    counts = {key[0]: r["value"] for key, r in cells.items() if key[1] == "found" and r["value"]}
    assert counts == {"(4,1)": 16, "(6,2)": 54, "(9,3)": 8478}
    searches = [r for r in results if r["kind"] == "search"]
    assert len(searches) == 28 and all(r["complete"] and r["searched"] == r["candidates"] for r in searches)


@pytest.mark.long
def test_ctrl_c_leaves_a_ledger_that_the_same_command_resumes(tmp_path: Path) -> None:
    ledger = tmp_path / "ledger.sqlite"
    args = ["search", "--words", "12", "--inputs", "4", "--ledger", str(ledger)]
    environment = os.environ | {"ROUNDWORKS_RESULTS": str(tmp_path / "results")}
    started = subprocess.Popen(
        command(*args), env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    while not ledger.is_file() or not any(status.done for status in statuses(ledger)):  # some units are done
        assert started.poll() is None, "the search ended before it could be stopped"
        time.sleep(0.02)
    (running,) = statuses(ledger)
    assert running.running and running.units > 20
    second = subprocess.run(
        command(*args), env=environment, capture_output=True, text=True, check=False, timeout=60
    )
    assert second.returncode == 2 and f"in use by another run (process {started.pid} " in second.stderr
    started.send_signal(signal.SIGINT)
    _, errors = started.communicate()
    assert started.returncode == 130 and "goes on from ledger.sqlite" in errors
    assert "Traceback" not in errors
    partial = rows.Store(tmp_path / "results").read("search")
    assert [r["complete"] for r in partial] == [False] and 0 < partial[0]["searched"] < partial[0][
        "candidates"
    ]
    (stopped,) = statuses(ledger)
    assert not stopped.running and 0 < stopped.done < stopped.units
    tmp_path.joinpath("foreign").write_text("dear diary\n")
    wrong = subprocess.run(
        command("search", "--words", "9", "--inputs", "3", "--ledger", str(tmp_path / "foreign")),
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert wrong.returncode == 2 and wrong.stderr.count("\n") == 1 and "not a ledger" in wrong.stderr


def test_ctrl_c_in_reproduce_stores_nothing_of_a_table_half_done(tmp_path: Path) -> None:
    """The search returns what it has when stopped; that is no value to compare with the paper's."""
    code = (
        "from roundworks.cli import main\n"
        "from roundworks.reproduce import aether\n"
        "real = aether.search\n"
        "def stopped(*a, **k):\n"
        "    import dataclasses\n"
        "    return dataclasses.replace(real(*a, **k), complete=False, found=0)\n"
        "aether.search = stopped\n"
        "main()"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, "reproduce", "aether", "--table", "6"],
        env=os.environ | {"ROUNDWORKS_RESULTS": str(tmp_path / "results")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 130 and done.stderr.endswith("roundworks: stopped\n")
    assert rows.Store(tmp_path / "results").read() == []


def test_a_closed_pipe_is_not_exit_1(tmp_path: Path) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    for verb in (["describe", "aether"], NONE_FOUND, ["bound", "aether", "--measure", "bias", "--json"]):
        done = subprocess.run(
            command(*verb, "--no-store"), stdout=writer, stderr=subprocess.PIPE, check=False
        )
        assert (done.returncode, done.stderr) == (0, b""), verb
    os.close(writer)


def test_searches_with_and_without_keep_share_a_ledger(run) -> None:
    """A unit that names its structures is another unit than one that counts them."""
    args = ["search", "--words", "4", "--inputs", "1", "--no-store"]
    assert "blocks at" not in run(*args).stdout
    kept = run(*args, "--keep", "7")
    assert kept.returncode == 0 and kept.stdout.count("blocks at") == 7
    again = run(*args, "--keep", "7")
    assert again.stdout.count("blocks at") == 7


def test_bench_refuses_a_back_end_that_nothing_has(run) -> None:
    done = run("bench", "aether", "--backend", "portable", "--backend", "mmx", "--size", "16")
    assert (done.returncode, done.stdout) == (2, "") and "back end 'mmx'" in done.stderr


def test_output_files_are_whole_or_absent(run, tmp_path: Path) -> None:
    done = run("describe", "aether", "--svg", "round.svg")
    assert done.returncode == 0 and (tmp_path / "round.svg").read_text().rstrip().endswith("</svg>")
    done = run("describe", "aether", "--svg", "absent/round.svg")
    assert done.returncode == 2 and not (tmp_path / "absent").exists()
    assert done.stderr == (
        "roundworks: error: absent/round.svg: no folder absent; make it, or name another\n"
    )


def test_an_output_file_is_replaced_alone(run, tmp_path: Path) -> None:
    """No other file is touched, rights are those of a plain write, and a link is written through."""
    other = tmp_path / "other"
    other.write_text("mine")
    part = tmp_path / "a.dot.part"
    part.symlink_to(other)
    link = tmp_path / "link.dot"
    link.symlink_to("there.dot")
    old = os.umask(0o027)
    try:
        for name in ("a.dot", "link.dot"):
            assert run("describe", "aether", "--no-store", "--dot", name).returncode == 0
    finally:
        os.umask(old)
    a = tmp_path / "a.dot"
    assert a.stat().st_mode & 0o777 == 0o640 and link.is_symlink()
    assert a.read_bytes() == (tmp_path / "there.dot").read_bytes() and part.is_symlink()
    assert other.read_text() == "mine"
    a.chmod(0o604)
    a.write_text("old")
    files = set(os.listdir(tmp_path))

    def at_most_64_bytes() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (64, 64))

    for rights in (at_most_64_bytes, None):
        done = subprocess.run(
            command("describe", "aether", "--no-store", "--dot", "a.dot"),
            cwd=tmp_path,
            capture_output=True,
            text=True,
            preexec_fn=rights,
            check=False,
        )
        assert a.stat().st_mode & 0o777 == 0o604 and set(os.listdir(tmp_path)) == files
        if rights:
            assert (done.returncode, done.stderr) == (2, "roundworks: error: a.dot: File too large\n")
            assert a.read_text() == "old"
    assert done.returncode == 0 and a.read_text().startswith("digraph")


@pytest.mark.parametrize("args", [["--json"], []])
def test_an_output_of_another_encoding_is_no_fault(args: list[str]) -> None:
    done = subprocess.run(
        command("describe", "aes", "--no-store", *args),
        env=os.environ | {"PYTHONIOENCODING": "latin-1"},
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert not args or json.loads(done.stdout.decode("latin-1"))["kind"] == "drawing"


def test_a_fault_of_the_program_is_not_exit_1(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(cli, "main", lambda **settings: 1 // 0)
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 70
    said = capsys.readouterr().err
    assert said.startswith("Traceback ") and said.endswith(
        "ZeroDivisionError: integer division or modulo by zero\n"
    )


def test_bench_takes_every_cipher_of_the_core_and_no_other(run) -> None:
    args = ["--backend", "portable", "--size", "16", "--samples", "1", "--json", "--no-store"]
    done = run("bench", *args)
    assert done.returncode == 0, done.stderr
    results = {json.loads(line)["cipher"] for line in done.stdout.splitlines()}
    assert results - {"aes-256-gcm"} == {f.name for f in spec.ciphers() if f.backends}


def test_bench_rows_hold_samples_and_one_digest(run) -> None:
    done = run("bench", "aegis-128", "--size", "64", "--samples", "3", "--json")
    results = [json.loads(line) for line in done.stdout.splitlines()]
    ours = [r for r in results if r["cipher"] == "aegis-128"]
    assert {r["surface"] for r in ours} == {"rust", "python", "python-into"}
    assert len({r["digest"] for r in ours}) == 1
    assert all(len(r["samples_ns"]) >= 3 for r in results)


def test_ctrl_c_inside_a_solver_is_a_line_and_130(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """python-sat raises an exception of its own for it."""

    def interrupted(**options: object) -> None:
        raise RuntimeError("Caught keyboard interrupt")

    module = importlib.import_module("roundworks.cli.main")
    monkeypatch.setattr(module.cli, "main", interrupted)
    with pytest.raises(SystemExit) as end:
        module.main()
    assert end.value.code == 130 and capsys.readouterr().err == "roundworks: stopped\n"
