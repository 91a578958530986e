"""Ours compared with other libraries: what the program says becomes rows, and what it refuses an error."""

import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest

from roundworks import spec
from roundworks.bench import peers
from roundworks.errors import RoundworksError
from roundworks.ratios import ratios
from roundworks.studies.software import peer_rows


def _program(folder: Path, monkeypatch: pytest.MonkeyPatch, lines: list[Any], end: str = "") -> None:
    """A program that prints `lines`, then ends so."""
    file = folder / "peers"
    said = "\n".join(json.dumps(line) for line in lines)
    file.write_text(f"#!{sys.executable}\nimport sys\nprint('''{said}''')\n{end}\n")
    file.chmod(0o755)
    monkeypatch.setattr(peers, "program", lambda: file)


def _measure(**more: Any) -> peers.PeerRun:
    return peers.measure_peers((), (16,), (0,), ("encrypt",), windows=3, seconds=1, **more)


def test_lines_become_rows_and_progress(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    chains = [
        {"instruction": name, "bits": 128, "measure": measure, "samples_cycles": [cycles]}
        for name, measure, cycles in (
            ("aesenc", "throughput", 0.5),
            ("aesenc", "latency", 3.0),
            ("xor", "latency", 1.0),
        )
    ]
    speeds = [
        {
            "cipher": "rocca-s",
            "library": library,
            "version": "1",
            "backend": "aesni",
            "surface": "rust",
            "operation": "encrypt",
            "data_bytes": 16,
            "ad_bytes": 0,
            "samples_ns": [cycles / 3],
            "samples_cycles": [cycles],
            "digest": "00",
            "seconds": 0.1,
        }
        for library, cycles in (("roundworks", 100.123456), ("rocca", 150))
    ]
    _program(tmp_path, monkeypatch, [*chains, {"progress": 0.5}, {"progress": 1}, *speeds])
    shares: list[float] = []
    result = _measure(progress=shares.append)
    assert shares == [0.5, 1]
    rows = peer_rows(result, "roundworks bench --peers")
    kinds = [row["kind"] for row in rows]
    assert kinds.count("instruction") == 3 and kinds.count("bench") == 2
    # Two for each cipher and way, three or four for one whose rounds wait for each other.
    wanted = sum(2 + len(work.recurrences) for work in spec.work())
    assert kinds.count("limit") == wanted
    assert len({row["run"] for row in rows}) == 1
    assert ratios([row for row in rows if row["kind"] == "bench"])[0].ratio == 150 / 100.12


def test_what_the_program_refuses_is_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    end = "sys.exit('roundworks-peers: aegis-256: libaegis/run-time differs; nothing was timed')"
    _program(tmp_path, monkeypatch, [{"progress": 0}], end)
    with pytest.raises(RoundworksError, match=r"^peers: aegis-256: .*; nothing was timed$"):
        _measure()


def test_without_the_program_the_way_to_it_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "spec" / "schema").mkdir(parents=True)
    monkeypatch.setenv("ROUNDWORKS_HOME", str(tmp_path))
    with pytest.raises(RoundworksError, match="peers: not built; run `make peers`"):
        peers.program()
    built = tmp_path / "target" / "peers" / "release" / "roundworks-peers"
    source = tmp_path / "crates" / "roundworks" / "src" / "lib.rs"
    for made, file in enumerate((built, source), 1):
        file.parent.mkdir(parents=True)
        file.touch()
        os.utime(file, (made, made))
    with pytest.raises(
        RoundworksError, match="peers: built of older sources than those here; run `make peers`"
    ):
        peers.program()
    os.utime(built, (2, 2))
    assert peers.program() == built


def test_every_cipher_agrees_with_its_peers() -> None:
    try:
        peers.program()
    except RoundworksError as error:
        pytest.skip(str(error))
    operations = ("encrypt", "decrypt", "seal-many", "rekey", "cold-start")
    result = peers.measure_peers((), (0, 1, 100), (0, 5), operations, windows=1, seconds=1)
    libraries: dict[str, set[str]] = {}
    for row in result.speeds:
        libraries.setdefault(row["cipher"], set()).add(row["library"])
    assert libraries["aegis-128l"] == {"roundworks", "libaegis", "libsodium"}
    assert libraries["rocca-s"] == {"roundworks", "rocca"}
    assert libraries["aes-256-gcm"] == {"aws-lc-rs", "openssl", "aes-gcm"}
    assert {f.name for f in spec.ciphers() if f.backends} <= set(libraries)
    keyed = {(row["cipher"], row["library"]) for row in result.speeds if row["operation"] == "rekey"}
    assert keyed == {(row["cipher"], row["library"]) for row in result.speeds}
