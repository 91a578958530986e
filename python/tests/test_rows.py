"""The store refuses a bad row before it writes and names the line it cannot read."""

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from places import ROOT
from roundworks import cache, machine, rows, spec
from roundworks.cli.main import cli
from roundworks.errors import RowError
from roundworks.rows import Store


def search(**changes: Any) -> dict[str, Any]:
    fields = {
        "words": 9,
        "inputs": 3,
        "active": 8,
        "candidates": 5080320,
        "searched": 5080320,
        "found": 8478,
        "complete": True,
        "threads": 2,
    }
    return {"kind": "search", "seconds": 2.5, "command": "roundworks search", **fields, **changes}


def drawing() -> dict[str, Any]:
    fields = {"kind": "drawing", "seconds": 2.5, "command": "x", "time": "2026-11-20T10:00:00Z"}
    return fields | dict.fromkeys(("cipher", "title", "caption", "dot"), "")


def test_append_then_read_gives_the_rows_back_with_common_fields(tmp_path: Path) -> None:
    store = Store(tmp_path)
    folder = store.append([search(), search(words=6, inputs=2)])
    assert folder.parent == tmp_path / machine.slug()
    read = store.read("search")
    assert [r["words"] for r in read] == [9, 6]
    assert {"time", "machine", "commit", "tools"} <= set(read[0])
    assert {"roundworks", "python"} <= set(read[0]["tools"])
    assert store.read() == read
    assert store.read("bench") == []


def test_append_keeps_what_is_there(tmp_path: Path) -> None:
    store = Store(tmp_path)
    store.append([search(found=1)])
    store.append([search(found=2)])
    assert [r["found"] for r in store.read()] == [1, 2]


def test_a_line_separator_inside_a_string_is_not_a_line_end(tmp_path: Path) -> None:
    store = Store(tmp_path)
    store.append([search(command="a\u2028b\x85c\nd")])
    assert store.read()[0]["command"] == "a\u2028b\x85c\nd"


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        (search(seconds=-1), "row 2: seconds: -1 is less than the minimum of 0"),
        (search(found="many"), "row 2: found: want integer, got 'many'"),
        (search(seconds=float("inf")), "row 2: seconds: want finite numbers"),
        (search(kind="serach"), "row 2: kind: want 'reproduction' or .*, got 'serach'$"),
        (search(time="2026-11-20 10:00"), "row 2: time: want UTC as"),
        (search(time="2026-11-20T10:00:00+09:00"), "row 2: time: want UTC as"),
        (search(tools=["rustc"]), "row 2: tools: want object, got \\['rustc'\\]"),
        ({k: v for k, v in search().items() if k != "words"}, "row 2: words: missing"),
        (search(words=None), "row 2: words: want integer, got None"),
        (search(command=["x"] * 99), r"row 2: command: want string, got \['x'.* \.\.\. "),
        (search(fuond=1), "row 2: fuond: no field of a search row"),
        ("not a row", "row 2: want an object, got str"),
    ],
)
def test_one_bad_row_leaves_no_output(tmp_path: Path, bad: Any, message: str) -> None:
    with pytest.raises(RowError, match=f"^{message}"):
        Store(tmp_path).append([search(), bad])
    assert list(tmp_path.iterdir()) == []


def test_reading_names_file_and_line(tmp_path: Path) -> None:
    store = Store(tmp_path)
    file = store.append([search(), search()]) / "search.jsonl"
    first, second = file.read_text().splitlines()
    for broken, what in [
        (second[:-3], "not a line of JSON"),
        (second.replace('"found": 8478', '"found": -1'), "found: -1 is less than"),
        (second.replace(machine.slug(), "elsewhere"), "machine: want"),
        (second.replace("search", "\udcff"), "not UTF-8; remove the line"),
    ]:
        file.write_text(f"{first}\n{broken}\n", errors="surrogateescape")
        with pytest.raises(RowError, match=rf"search\.jsonl:2: {what}"):
            store.read()


def test_rows_of_days_before_are_compressed_and_read_as_before(tmp_path: Path) -> None:
    store = Store(tmp_path)
    assert store.compress() == (0, 0)
    day = [search(found=found, time=f"2026-11-20T10:00:0{found}Z") for found in range(4)]
    file = store.append(day[:2]) / "search.jsonl"
    today = store.append([search(found=9)]) / "search.jsonl"
    text = file.read_bytes()
    assert store.compress()[0] == len(text)
    packed = file.with_name("search.jsonl.gz")
    first = packed.read_bytes()
    assert (file.exists(), today.exists()) == (False, True)
    assert [r["found"] for r in store.read("search")] == [0, 1, 9]
    assert store.read() == store.read("search")
    # Killed before it removed the file: nothing is counted twice, now or by the next compression.
    file.write_bytes(text)
    assert [r["found"] for r in store.read()] == [0, 1, 9]
    store.append(day[2:])
    assert [r["found"] for r in store.read()] == [0, 1, 2, 3, 9]
    assert store.compress()[0] > len(first)
    assert [r["found"] for r in store.read()] == [0, 1, 2, 3, 9]
    assert sorted(tmp_path.rglob("*.jsonl*")) == sorted([packed, today])


def test_a_bad_row_is_not_compressed_and_a_spoilt_file_is_named(tmp_path: Path) -> None:
    store = Store(tmp_path)
    file = store.append([search(time="2026-11-20T10:00:00Z")]) / "search.jsonl"
    text = file.read_bytes()
    file.write_bytes(text[:-5])
    with pytest.raises(RowError, match="the last line has no end"):
        store.compress()
    assert file.read_bytes() == text[:-5]
    file.write_bytes(text + b'{"kind":\n')
    with pytest.raises(RowError, match=r"search\.jsonl:2: not a line of JSON"):
        store.compress()
    assert [f.name for f in file.parent.iterdir()] == ["search.jsonl"]
    file.write_bytes(text)
    store.compress()
    packed = file.with_name("search.jsonl.gz")
    for spoilt in (packed.read_bytes()[:-9], b"not compressed", packed.read_bytes()[:20] + b"spoilt" * 9):
        packed.write_bytes(spoilt)
        with pytest.raises(RowError, match=rf"{packed}: .*; restore the file"):
            store.read()


def test_a_row_with_the_names_of_before_is_read_under_those_of_now(tmp_path: Path) -> None:
    stored = next(row for row in Store(ROOT / "results").read("cycles"))
    before = {"bypass_delays": "passages", "minimum": "least"}
    older = {before.get(name, name): value for name, value in stored.as_json().items()}
    file = tmp_path / stored.machine / "2026-11-20" / "cycles.jsonl"
    file.parent.mkdir(parents=True)
    file.write_text(json.dumps(older) + "\n")
    assert Store(tmp_path).read("cycles") == [stored]


def test_a_weight_and_half_a_round_of_before_are_read_as_those_of_now(tmp_path: Path) -> None:
    kept = Store(ROOT / "results")
    half = replace(next(iter(kept.read(rows.CyclesRow))), cipher="haraka-256:3.5", rounds=3.5)
    whole = replace(half, cipher="haraka-256", rounds=3)
    trail = replace(next(r for r in kept.read(rows.BoundRow) if r.measure == "trail"), unit="-log2")
    summed = next(row for row in kept.read(rows.BoundRow) if row.measure == "cluster")
    solve = replace(next(row for row in kept.read(rows.SolveRow)), unit="-log2")
    log2 = {"unit": "log2"}
    before = [(half, {"rounds": 4}), (whole, {}), (trail, log2), (summed, {}), (solve, log2)]
    for row, older in before:
        file = tmp_path / row.machine / "2026-11-20" / f"{row.kind}.jsonl"
        file.parent.mkdir(parents=True, exist_ok=True)
        with file.open("a") as sink:
            sink.write(json.dumps(row.as_json() | older) + "\n")
    store = Store(tmp_path)
    for kind in ("cycles", "bound", "solve"):
        assert store.read(kind) == sorted((r for r, _ in before if r.kind == kind), key=lambda r: r.when)
    assert summed.unit == "log2"


def test_a_half_line_left_by_a_killed_writer_is_not_built_upon(tmp_path: Path) -> None:
    store = Store(tmp_path)
    file = store.append([search()]) / "search.jsonl"
    file.write_bytes(file.read_bytes()[:-5])
    before = file.read_bytes()
    with pytest.raises(RowError, match="the last line has no end"):
        store.append([search()])
    assert file.read_bytes() == before


def test_latest_keeps_the_newest_row_per_key(tmp_path: Path) -> None:
    old = search(time="2026-11-19T10:00:00Z", found=1)
    new = search(time="2026-11-20T10:00:00Z", found=2)
    other = search(time="2026-11-18T10:00:00Z", words=6)
    store = Store(tmp_path)
    store.append([new, old, other])
    kept = rows.latest(store.read(), ["words", "inputs"])
    assert {(r["words"], r["found"]) for r in kept} == {(9, 2), (6, 8478)}
    new, old = rows.row(**new), rows.row(**old)
    tied = rows.latest([new, replace(new, found=3)], ["words"])
    assert [r.found for r in tied] == [3]
    with pytest.raises(RowError, match=r"row 1 \(search\): no field 'cipher' to group by"):
        rows.latest([new], ["cipher"])
    plain, seen = (rows.row(**drawing(), **more) for more in ({}, {"shows": "round"}))
    assert rows.latest([plain, seen, plain], ["cipher"], ["shows"]) == [plain, seen]


def test_the_classes_are_those_of_the_schema() -> None:
    tool = Path(__file__).parents[2] / "tools" / "row_types.py"
    assert subprocess.run([sys.executable, str(tool), "--check"], check=False).returncode == 0


def test_a_row_is_its_json_object_without_what_it_lacks() -> None:
    plain = rows.typed(rows.row(**drawing()).as_json())
    assert isinstance(plain, rows.DrawingRow) and plain.shows is None
    assert "shows" not in plain and plain.get("shows", "all") == "all" and plain["kind"] == "drawing"
    assert {**plain} == plain.as_json() and set(plain.as_json()) >= {"kind", "tools", "dot"}
    with pytest.raises(KeyError):
        plain["shows"]


def test_row_is_complete_and_adds_tools() -> None:
    fields = {k: v for k, v in search().items() if k not in ("kind", "seconds", "command")}
    made = rows.row("search", seconds=1.0, command="x", tools={"cadical": "2.1"}, **fields)
    assert made["tools"]["cadical"] == "2.1"
    assert "python" in made["tools"]
    rows.validate(made.as_json(), "row")
    with pytest.raises(RowError, match=r"^search row: words: missing"):
        rows.row("search", seconds=1.0, command="x")


def test_machine_file_is_written_once_and_names_nobody(tmp_path: Path) -> None:
    store = Store(tmp_path)
    store.append([search()])
    file = tmp_path / machine.slug() / "machine.json"
    facts = json.loads(file.read_text())
    assert facts["cores"] >= 1
    assert {"cpu", "flags", "memory_gib", "os", "kernel"} <= set(facts)
    host = subprocess.run(["uname", "-n"], capture_output=True, text=True, check=True)
    assert host.stdout.strip() not in [str(v) for v in facts.values()]
    assert str(Path.home()) not in file.read_text()
    file.write_text('{"kept": true}')
    store.append([search(machine="someone-elses"), search()])
    assert store.machines() == {machine.slug(): {"kept": True}}


def test_slug_is_the_same_in_another_process() -> None:
    code = "from roundworks import machine; print(machine.slug())"
    other = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert other.stdout.strip() == machine.slug()


def test_commit_ignores_results_but_not_code(tmp_path: Path) -> None:
    def git(*argv: str) -> None:
        identity = ["-c", "user.name=t", "-c", "user.email=t@example.invalid"]
        subprocess.run(["git", *identity, *argv], cwd=tmp_path, check=True, capture_output=True)

    def commit() -> str:
        machine.commit.cache_clear()
        return machine.commit(tmp_path)

    (tmp_path / "results").mkdir()
    (tmp_path / "results" / "a.jsonl").write_text("1\n")
    (tmp_path / "code.py").write_text("1\n")
    git("init", "-q")
    assert commit() == "unknown"
    git("add", ".")
    git("commit", "-q", "-m", "first")
    clean = commit()
    (tmp_path / "results" / "a.jsonl").write_text("2\n")
    assert commit() == clean
    (tmp_path / "code.py").write_text("2\n")
    assert commit() == f"{clean}-dirty"
    (tmp_path / "code.py").write_text("1\n")
    assert commit() == clean
    # What runs is not what stands there.
    source = tmp_path / "crates" / "roundworks" / "src" / "aegis" / "aegis256.rs"
    module = tmp_path / "python" / "roundworks" / "_native.abi3.so"
    for file, made in ((source, 2), (module, 1)):
        file.parent.mkdir(parents=True)
        file.touch()
        os.utime(file, (made, made))
    assert commit() == f"{clean}-dirty"
    os.utime(module, (2, 2))
    assert commit() == clean
    machine.commit.cache_clear()


def test_results_folder_from_argument_then_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("ROUNDWORKS_RESULTS", raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    own = tmp_path / "data" / "roundworks" / "results"
    assert Store().path == own
    assert Store().places == (spec.root() / "results", own)
    monkeypatch.setenv("ROUNDWORKS_RESULTS", str(tmp_path / "elsewhere"))
    assert Store().path == tmp_path / "elsewhere"
    assert Store().places == (tmp_path / "elsewhere",)
    assert Store(tmp_path).path == tmp_path
    assert Store(tmp_path).places == (tmp_path,)


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """One with no rows yet, and a user without rows."""
    monkeypatch.delenv("ROUNDWORKS_RESULTS", raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    home = tmp_path / "checkout"
    home.mkdir()
    (home / "spec").symlink_to(spec.root() / "spec")
    monkeypatch.setenv("ROUNDWORKS_HOME", str(home))
    return home


def test_stored_and_own_rows_are_read_and_what_is_in_both_counts_once(checkout: Path) -> None:
    both = search(found=1, time="2026-11-20T10:00:00Z")
    Store(checkout / "results").append([both, search(found=2, time="2026-11-20T11:00:00Z")])
    before = {file: file.read_bytes() for file in checkout.rglob("*.json*") if file.is_file()}
    store = Store()
    store.append([search(found=3, time="2026-11-20T10:30:00Z"), both])
    assert [r["found"] for r in store.read("search")] == [1, 3, 2]
    assert [r["found"] for r in Store(store.path).read()] == [1, 3]
    assert {file: file.read_bytes() for file in before} == before
    Store(checkout / "results").compress()
    assert [r["found"] for r in store.read("search")] == [1, 3, 2]
    assert list(store.machines()) == [machine.slug()]


def test_a_ledger_starts_as_the_stored_one_and_leaves_that_alone(checkout: Path) -> None:
    stored = checkout / "results" / "ledgers" / "a.sqlite"
    stored.parent.mkdir(parents=True)
    stored.write_text("1\n")
    own = rows.ledger("a.sqlite")
    assert own == Store().path / "ledgers" / "a.sqlite"
    assert own.read_text() == "1\n"
    own.write_text("2\n")
    assert rows.ledger("a.sqlite").read_text() == "2\n"
    assert stored.read_text() == "1\n"
    assert not rows.ledger("b.sqlite").exists()


def test_a_verb_in_a_checkout_leaves_it_as_it_is(checkout: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(checkout)
    assert cli.main(["bound", "aes", "--rounds", "2"], standalone_mode=False) in (0, None)
    assert [file.name for file in checkout.iterdir()] == ["spec"]
    assert {r["kind"] for r in Store().read()} == {"bound"}


def test_what_tools_made_is_in_the_checkout_or_in_the_users_cache(
    checkout: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("ROUNDWORKS_BUILD", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    assert cache.home("hw") == checkout / "build" / "hw"
    monkeypatch.setattr(spec, "checkout", lambda: None)
    assert cache.home("hw") == tmp_path / "cache" / "roundworks" / "hw"
    monkeypatch.setenv("ROUNDWORKS_BUILD", str(tmp_path / "b"))
    assert cache.home("hw") == tmp_path / "b" / "hw"


def test_read_refuses_an_unknown_kind(tmp_path: Path) -> None:
    with pytest.raises(RowError, match="kind: want one of reproduction, search"):
        Store(tmp_path).read("benchmarks")
