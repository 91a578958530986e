"""`roundworks seal` and `open` among other processes: pipes, signals, full disks, a terminal."""

from __future__ import annotations

import os
import resource
import signal
import stat
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from click.testing import CliRunner

from roundworks import _native
from roundworks.bench.files import measured
from roundworks.cli.main import cli
from roundworks.ratios import file_ratios
from sealed_files import CHUNK, at_a_terminal, command, pattern, roundworks, sealed, started


# -- keys ------------------------------------------------------------------------------------
def test_keygen(tmp_path: Path) -> None:
    def masked() -> None:
        os.umask(0o777)

    done = roundworks("keygen", "my.key", cwd=tmp_path, preexec_fn=masked)
    assert (done.returncode, done.stdout) == (0, b"")
    assert done.stderr.startswith(b"roundworks: my.key: keep it secret")
    path = tmp_path / "my.key"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    mark, digits, end = path.read_text().split("\n")
    assert mark == "roundworks-key-1" and len(bytes.fromhex(digits)) == 32 and end == ""
    other = roundworks("keygen", "other.key", cwd=tmp_path)
    assert other.returncode == 0 and (tmp_path / "other.key").read_text() != path.read_text()


def test_a_signal_lets_keygen_take_its_file_away(monkeypatch: pytest.MonkeyPatch) -> None:
    numbers = (signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT)
    before = [signal.signal(number, signal.SIG_DFL) for number in numbers]
    caught: list[bool] = []

    def create(path: Path) -> None:
        caught.extend(signal.getsignal(number) is not signal.SIG_DFL for number in numbers)

    monkeypatch.setattr(_native, "create_key_file", create)
    try:
        assert CliRunner().invoke(cli, ["keygen", "my.key"]).exit_code == 0
    finally:
        for number, handler in zip(numbers, before, strict=True):
            signal.signal(number, handler)
    assert caught == [True, True, True]


def test_a_key_that_others_read_is_warned_of(place: Path) -> None:
    (place / "plain").write_bytes(b"x")
    (place / "key").chmod(0o640)
    done = roundworks("seal", "--key", "key", "plain", cwd=place)
    assert done.returncode == 0 and done.stderr.decode() == (
        "roundworks: warning: key: others may read it (mode 0640); run: chmod 600 key\n"
    )


def test_rights_of_the_output(place: Path) -> None:
    (place / "plain").write_bytes(b"x")

    def mask() -> None:
        os.umask(0o022)

    for args in (["seal", "plain"], ["open", "plain.roundworks", "-o", "out"]):
        assert roundworks(*args, "--key", "key", cwd=place, preexec_fn=mask).returncode == 0
    assert stat.S_IMODE((place / "plain.roundworks").stat().st_mode) == 0o644
    assert stat.S_IMODE((place / "out").stat().st_mode) == 0o600


def test_passphrase_from_the_environment(place: Path) -> None:
    (place / "plain").write_bytes(pattern(10))
    variable = {"ROUNDWORKS_PASSPHRASE": "correct horse"}
    assert roundworks("seal", "-p", "plain", "-o", "s", cwd=place, env=variable).returncode == 0
    (place / "phrase").write_text("correct horse\r\nand more\n")
    (place / "phrase").chmod(0o600)
    done = roundworks("open", "--passphrase-file", "phrase", "s", "-o", "-", cwd=place)
    assert (done.returncode, done.stdout) == (0, pattern(10))


def test_passphrase_at_the_terminal(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ROUNDWORKS_PASSPHRASE", raising=False)
    (place / "plain").write_bytes(pattern(10))
    prompts = "passphrase for plain: \nthe same again: \n"
    status, screen = at_a_terminal(place, [b"horse\n", b"house\n"], "seal", "-p", "plain")
    assert (status, screen) == (2, prompts + "roundworks: error: plain: passphrase: the two differ\n")
    assert not (place / "plain.roundworks").exists()
    status, screen = at_a_terminal(place, [b"horse\n", b"horse\n"], "seal", "-p", "plain")
    assert (status, screen) == (0, prompts)
    name = "plain.roundworks"
    status, screen = at_a_terminal(place, [b"horse\n"], "open", "-p", name, "-o", "out")
    assert (status, screen) == (0, f"passphrase for {name}: \n")
    assert (place / "out").read_bytes() == pattern(10)
    status, screen = at_a_terminal(place, [b"\x03"], "open", "-p", name, "-o", "other")
    assert status == 130 and screen.endswith("roundworks: stopped\n")
    status, _ = at_a_terminal(place, [b"\x1c"], "open", "-p", name, "-o", "other")
    assert status == 131
    assert not (place / "other").exists()


def test_no_passphrase_without_a_terminal(place: Path) -> None:
    (place / "plain").write_bytes(b"x")
    done = roundworks("seal", "-p", "plain", cwd=place, start_new_session=True)
    assert done.returncode == 2 and done.stderr.decode() == (
        "roundworks: error: plain: passphrase: no terminal to read from; use --passphrase-file or the"
        " variable ROUNDWORKS_PASSPHRASE\n"
    )


def test_nothing_binary_to_a_terminal(place: Path) -> None:
    sealed(place, 10)
    message = "roundworks: error: standard output: a terminal: want -o FILE, or a pipe\n"
    for args in (["seal", "-"], ["seal", "-o", "-", "plain"], ["open", "-"]):
        assert at_a_terminal(place, [], *args, "--key", "key") == (2, message), args


def test_a_bar_on_a_terminal(place: Path) -> None:
    """A slow input of known size is none here; a bar without a size will do."""
    os.mkfifo(place / "slow")

    def feed() -> None:
        with (place / "slow").open("wb") as slow:
            for _ in range(12):
                slow.write(bytes(CHUNK))
                slow.flush()
                time.sleep(0.06)

    feeder = threading.Thread(target=feed)
    feeder.start()
    status, screen = at_a_terminal(place, [], "seal", "--key", "key", "slow", "-o", "out")
    feeder.join()
    assert status == 0 and "sealing" in screen and "kB" in screen
    assert (place / "out").stat().st_size == 112 + 12 * (CHUNK + 16)


# -- names -----------------------------------------------------------------------------------
def test_a_file_called_dash(place: Path) -> None:
    """`-` alone is a standard stream; a name that leads to such a file is a file."""
    (place / "-").write_bytes(pattern(10))
    key = ("--key", "key")
    for here in ("./-", str(place / "-")):
        done = roundworks("seal", *key, here, "-o", "sealed", "-f", cwd=place, input=b"other", stdin=None)
        assert (done.returncode, done.stdout) == (0, b"")
        done = roundworks("open", *key, "sealed", "-o", "-", cwd=place)
        assert (done.returncode, done.stdout) == (0, pattern(10))
    (place / "-").unlink()
    done = roundworks("open", *key, "sealed", "-o", "./-", cwd=place)
    assert (done.returncode, done.stdout) == (0, b"")
    assert (place / "-").read_bytes() == pattern(10)
    # What is made from the name of an input is a file as well.
    (place / "-").unlink()
    (place / "sealed").rename(place / "-.roundworks")
    for args in (["./-.roundworks"], ["--", "-.roundworks"]):
        done = roundworks("open", *key, *args, cwd=place)
        assert (done.returncode, done.stdout) == (0, b"")
        assert (place / "-").read_bytes() == pattern(10)
        (place / "-").unlink()
    assert roundworks("inspect", "./-", cwd=place, stdin=None, input=b"").stderr == (
        b"roundworks: error: ./-: No such file or directory\n"
    )


def test_a_name_that_means_a_folder(place: Path) -> None:
    (place / "plain").write_bytes(pattern(10))
    before = sorted(os.listdir(place))
    message = "roundworks: error: {}: not the name of a file\n"
    for name in ("new/", "new/.", "key/", "..", "/"):
        for args in (["seal", "--key", "key", "plain", "-f", "-o", name], ["keygen", name]):
            done = roundworks(*args, cwd=place)
            assert (done.returncode, done.stderr.decode()) == (2, message.format(name)), args
    for args in (["plain/"], ["plain", "--key", "key/"]):
        done = roundworks("seal", "--key", "key", *args, "-o", "out", cwd=place)
        assert done.stderr.endswith(b"/: Not a directory\n")
    assert sorted(os.listdir(place)) == before


# -- pipes -----------------------------------------------------------------------------------
def test_chunks_leave_as_soon_as_they_are_verified(place: Path) -> None:
    """What follows a chunk decides whether it is the last, so it leaves with the next byte."""
    bytes_of = sealed(place, 3 * CHUNK)
    whole = CHUNK + 16
    with started("open", "--key", "key", cwd=place) as opening:
        assert opening.stdin and opening.stdout
        for index in range(2):
            start = 0 if index == 0 else 112 + index * whole + 1
            opening.stdin.write(bytes_of[start : 112 + (index + 1) * whole + 1])
            opening.stdin.flush()
            assert opening.stdout.read(CHUNK) == pattern(3 * CHUNK)[index * CHUNK :][:CHUNK]
        # A byte of the last chunk is wrong: nothing of it gets out.
        broken = bytearray(bytes_of[112 + 2 * whole + 1 :])
        broken[100] ^= 1
        out, message = opening.communicate(bytes(broken))
    assert (out, opening.returncode) == (b"", 1)
    assert message.decode() == (
        "roundworks: error: standard input: authentication failed at chunk 2, where the file ends:"
        f" changed, cut or extended; the {2 * CHUNK} bytes already written are incomplete\n"
    )


def test_pipes_of_odd_parts(place: Path) -> None:
    data = pattern(5 * CHUNK + 77)
    for part in (1000, CHUNK, CHUNK + 1):
        with started("seal", "--key", "key", cwd=place) as sealing:
            assert sealing.stdin and sealing.stdout

            def feed(pipe=sealing.stdin, part: int = part) -> None:  # type: ignore[no-untyped-def]
                for at in range(0, len(data), part):
                    pipe.write(data[at : at + part])
                    pipe.flush()
                pipe.close()

            feeder = threading.Thread(target=feed)
            feeder.start()
            made = sealing.stdout.read()
            feeder.join()
        assert sealing.returncode == 0
        done = roundworks("open", "--key", "key", cwd=place, stdin=None, input=made)
        assert (done.returncode, done.stderr) == (0, b"") and done.stdout == data


def test_a_reader_that_leaves(place: Path) -> None:
    (place / "plain").write_bytes(pattern(40 * CHUNK))
    with started("seal", "--key", "key", "plain", "-o", "-", cwd=place) as sealing:
        assert sealing.stdout and sealing.stderr
        sealing.stdout.read(10)
        sealing.stdout.close()
        message = sealing.stderr.read().decode()
    assert sealing.returncode == 2
    assert message.startswith("roundworks: error: standard output: Broken pipe; the ")
    assert message.endswith(" bytes already written are incomplete\n")


# -- signals ---------------------------------------------------------------------------------
@pytest.mark.parametrize("verb", ["seal", "open"])
@pytest.mark.parametrize(
    ("number", "status"),
    [
        (signal.SIGINT, 130),
        (signal.SIGTERM, 143),
        (signal.SIGHUP, 129),
        (signal.SIGQUIT, 131),
        (signal.SIGKILL, -9),
    ],
)
def test_a_signal_leaves_nothing(place: Path, verb: str, number: int, status: int) -> None:
    """While it waits for more of a pipe, with much of the output made."""
    given = sealed(place, 30 * CHUNK) if verb == "open" else pattern(30 * CHUNK)
    before = sorted(os.listdir(place))
    with started(verb, "--key", "key", "-", "-o", "out", cwd=place) as running:
        assert running.stdin and running.stderr
        running.stdin.write(given[: 20 * CHUNK])
        running.stdin.flush()
        time.sleep(0.1)
        running.send_signal(number)
        assert running.wait() == status
        assert sorted(os.listdir(place)) == before
        assert b"Traceback" not in running.stderr.read()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_gets_through_while_nobody_reads(place: Path, number: int) -> None:
    """While the pipe that it writes to is full."""
    (place / "plain").write_bytes(pattern(40 * CHUNK))
    with started("seal", "--key", "key", "plain", "-o", "-", cwd=place) as running:
        assert running.stdout and running.stderr
        running.stdout.read(10)
        time.sleep(0.5)
        running.send_signal(number)
        assert running.wait() == 128 + number


# -- limits of the system --------------------------------------------------------------------
def test_a_full_disk(place: Path) -> None:
    """A limit on the size of files stops a write as a full disk does."""
    made = sealed(place, 20 * CHUNK)
    before = sorted(os.listdir(place))

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (9 * CHUNK, 9 * CHUNK))

    for verb, name in (("seal", "plain"), ("open", "sealed")):
        done = roundworks(verb, "--key", "key", name, "-o", "out", cwd=place, preexec_fn=limit)
        assert done.returncode == 2
        assert done.stderr.decode() == "roundworks: error: out: File too large\n"
    assert sorted(os.listdir(place)) == before and len(made) > 9 * CHUNK
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            command("open", "--key", "key", "sealed", "-o", "-"),
            cwd=place,
            stdout=full,
            stderr=subprocess.PIPE,
            check=False,
        )
    assert done.returncode == 2
    assert done.stderr == b"roundworks: error: standard output: No space left on device\n"


def test_force_replaces_only_at_the_end(place: Path) -> None:
    made = bytearray(sealed(place, 10 * CHUNK))
    (place / "out").write_bytes(b"before")
    made[-1] ^= 1
    (place / "broken").write_bytes(made)
    done = roundworks("open", "--key", "key", "broken", "-o", "out", "--force", cwd=place)
    assert done.returncode == 1 and (place / "out").read_bytes() == b"before"
    done = roundworks("open", "--key", "key", "sealed", "-o", "out", "--force", cwd=place)
    assert done.returncode == 0 and (place / "out").read_bytes() == pattern(10 * CHUNK)


def test_standard_input_is_not_replaced(place: Path) -> None:
    (place / "plain").write_bytes(pattern(10))
    with (place / "plain").open("rb") as plain:
        done = roundworks("seal", "--key", "key", "-o", "plain", "--force", cwd=place, stdin=plain)
    assert done.returncode == 2
    assert done.stderr == b"roundworks: error: plain: is the input; want another output\n"
    assert (place / "plain").read_bytes() == pattern(10)


def peak_kib(place: Path, *args: str) -> int:
    """Maximum memory of a run."""
    # Of a small process in between: a child starts with the peak of its parent.
    measure = (
        "import resource, subprocess, sys; subprocess.run(sys.argv[1:], check=True);"
        " print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"
    )
    argv = [sys.executable, "-c", measure, *command(*args)]
    done = subprocess.run(argv, cwd=place, check=True, capture_output=True, text=True)
    return int(done.stdout)


@pytest.mark.parametrize("size_mib", [1, 128])
def test_memory_does_not_grow(place: Path, size_mib: int) -> None:
    """All holes, so that the disk has little to do; `make files-4g` takes the long way."""
    (place / "plain").touch()
    os.truncate(place / "plain", size_mib << 20)
    for args in (["seal", "plain", "-o", "sealed"], ["open", "sealed", "-o", "out"]):
        assert peak_kib(place, *args, "--key", "key", "--no-sync") < 64 << 10
    assert (place / "out").stat().st_size == size_mib << 20


def test_it_starts_without_what_it_does_not_need(place: Path) -> None:
    """Starting up counts in a command of a third of a second."""
    (place / "plain").write_bytes(b"x")
    loaded = subprocess.run(
        [command()[0], "-X", "importtime", *command("seal", "--key", "key", "plain")[1:]],
        cwd=place,
        capture_output=True,
        text=True,
        check=True,
    ).stderr
    names = {line.split("|")[-1].strip().split(".")[0] for line in loaded.splitlines()}
    assert "click" in names and not names & {
        "numpy",
        "rich",
        "jsonschema",
        "jsonschema_rs",
        "altair",
        "jinja2",
    }


def test_the_speed_of_files_is_rows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    rows = measured(1, rounds=1)
    results = [(r["place"], r["synced"], r["operation"]) for r in rows]
    kinds = [("memory", False), ("disk", False), ("disk", True)]
    assert results == [(*kind, what) for kind in kinds for what in ("cp", "seal", "open")]
    assert len(file_ratios(rows)) == 6 and len({r["run"] for r in rows}) == 1
