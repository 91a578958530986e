"""`roundworks seal` and `open` with standard streams that are closed or full, pipes that nobody feeds, and names and
passphrases that a terminal would change."""

from __future__ import annotations

import os
import signal
import subprocess
import threading
import time
from pathlib import Path

import pytest

from sealed_files import KEY, at_a_terminal, command, pattern, roundworks, sealed, started


def without(number: int, *args: str, cwd: Path) -> subprocess.CompletedProcess[bytes]:
    """Run with a standard stream closed."""
    return subprocess.run(
        command(*args),
        cwd=cwd,
        capture_output=True,
        stdin=subprocess.DEVNULL,
        preexec_fn=lambda: os.close(number),
        check=False,
    )


def test_a_key_goes_to_a_file(place: Path) -> None:
    done = roundworks("keygen", "-", cwd=place)
    assert done.returncode == 2 and not (place / "-").exists()
    assert done.stderr.startswith(
        b"roundworks: error: want the name of a file; no key is written to standard output"
    )


# -- streams ---------------------------------------------------------------------------------
def test_what_is_said_never_goes_into_the_data(place: Path) -> None:
    """A warning of the key file, and an error behind what was verified, with standard error closed."""
    whole = sealed(place, 200_000)
    (place / "key").chmod(0o644)
    done = without(2, "open", "--key", "key", "sealed", "-o", "-", cwd=place)
    assert (done.returncode, done.stdout) == (0, pattern(200_000))
    done = without(2, "seal", "--key", "key", "plain", "-o", "-", cwd=place)
    (place / "again").write_bytes(done.stdout)
    done = roundworks("open", "--key", "key", "again", "-o", "-", cwd=place)
    assert (done.returncode, done.stdout) == (0, pattern(200_000))
    (place / "sealed").write_bytes(whole[:-1] + bytes([whole[-1] ^ 1]))
    done = without(2, "open", "--key", "key", "sealed", "-o", "-", cwd=place)
    assert done.returncode == 1 and pattern(200_000).startswith(done.stdout)


def test_a_closed_or_full_stream_is_one_line_and_no_other_code(place: Path) -> None:
    sealed(place, 10)
    # Nothing was to be written there.
    for number in (0, 1, 2):
        done = without(number, "open", "--key", "key", "sealed", "-o", f"out{number}", cwd=place)
        assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
        assert (place / f"out{number}").read_bytes() == pattern(10)
    for args in (["open", "--key", "key", "sealed", "-o", "-"], ["list"]):
        done = without(1, *args, cwd=place)
        assert done.returncode == 2
        assert done.stderr == b"roundworks: error: standard output: Bad file descriptor\n"
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(command("keygen", "new"), cwd=place, stdout=full, stderr=full, check=False)
        assert done.returncode == 0 and (place / "new").exists()
        done = subprocess.run(command("seal", "none", "--key", "key"), cwd=place, stderr=full, check=False)
        assert done.returncode == 2
        done = subprocess.run(command("list"), cwd=place, stdout=full, stderr=subprocess.PIPE, check=False)
        assert done.returncode == 2
        assert done.stderr == b"roundworks: error: standard output: No space left on device\n"


def test_a_stream_that_does_not_block_is_waited_for(place: Path) -> None:
    """As a program that reads and writes several at once makes its pipes."""
    plain = pattern(300_000)
    (source, feed), (output, sink) = os.pipe(), os.pipe()
    os.set_blocking(source, False)
    os.set_blocking(sink, False)
    run = command("seal", "--key", "key", "-", "-o", "-")
    with subprocess.Popen(run, cwd=place, stdin=source, stdout=sink, stderr=subprocess.PIPE) as running:
        os.close(source)
        os.close(sink)

        def give() -> None:
            with os.fdopen(feed, "wb") as stream:
                for at in range(0, len(plain), 100_000):
                    time.sleep(0.5)  # the program finds nothing
                    stream.write(plain[at : at + 100_000])

        giving = threading.Thread(target=give)
        giving.start()
        time.sleep(2.5)  # it finds no space
        with os.fdopen(output, "rb") as stream:
            (place / "sealed").write_bytes(stream.read())
        giving.join()
        assert running.stderr is not None and running.stderr.read() == b""
    assert running.returncode == 0
    assert roundworks("open", "--key", "key", "sealed", "-o", "-", cwd=place).stdout == plain


# -- waiting ---------------------------------------------------------------------------------
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize(
    "args",
    [
        ["seal", "--key", "pipe", "plain"],
        ["seal", "--passphrase-file", "pipe", "plain"],
        ["seal", "--key", "key", "pipe", "-o", "out"],
        ["open", "--key", "key", "-", "-o", "out"],
        ["inspect", "pipe"],
        ["inspect", "-"],
    ],
    ids=" ".join,
)
def test_a_signal_ends_the_wait_for_a_pipe(place: Path, args: list[str], number: int) -> None:
    """One that nobody opens for writing, and one that is open and has nothing."""
    (place / "plain").write_bytes(b"x")
    os.mkfifo(place / "pipe")
    before = sorted(os.listdir(place))
    with started(*args, cwd=place) as running:
        time.sleep(1.0)
        assert running.poll() is None
        running.send_signal(number)
        assert running.wait(timeout=20) == 128 + number
        assert running.stderr and b"Traceback" not in running.stderr.read()
    assert sorted(os.listdir(place)) == before


# -- names and passphrases -------------------------------------------------------------------
def test_a_name_is_printed_without_what_a_terminal_obeys(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("ROUNDWORKS_PASSPHRASE", raising=False)
    name = "p\x1b]0;title\x07\nx"
    (place / name).write_bytes(b"x")
    status, screen = at_a_terminal(place, [b"a\n", b"b\n"], "seal", "-p", name)
    assert status == 2 and "\x1b" not in screen and "\x07" not in screen
    assert screen.startswith(r"passphrase for p\u{1b}]0;title\u{7}\nx: ")
    done = roundworks("keygen", "k\x1b[31m\nroundworks: x", cwd=place)
    assert done.returncode == 0 and done.stderr.count(b"\n") == 1 and b"\x1b" not in done.stderr


def test_the_advice_for_a_key_that_others_read_can_be_pasted(place: Path) -> None:
    (place / "plain").write_bytes(b"x")
    (place / "my key; ls").write_text(KEY)
    (place / "my key; ls").chmod(0o644)
    done = roundworks("seal", "--key", "my key; ls", "plain", cwd=place)
    assert done.stderr.decode().endswith("run: chmod 600 'my key; ls'\n")
    # What is no file is not to be changed.
    for other in (".", "/dev/zero"):
        done = roundworks("seal", "--key", other, "plain", "-o", "out", cwd=place)
        assert done.returncode == 2 and b"chmod" not in done.stderr


def test_a_passphrase_that_a_terminal_would_cut_is_refused(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("ROUNDWORKS_PASSPHRASE", raising=False)
    (place / "plain").write_bytes(b"x")
    status, screen = at_a_terminal(place, [b"a" * 4100 + b"\n"], "seal", "-p", "plain")
    assert status == 2 and "longer than a terminal's line of 4094 bytes; use --passphrase-file" in screen
    assert not (place / "plain.roundworks").exists()
    longest = b"a" * 4094 + b"\n"
    status, screen = at_a_terminal(place, [longest, longest], "seal", "-p", "plain")
    assert status == 0, screen
    (place / "phrase").write_bytes(longest)
    (place / "phrase").chmod(0o600)
    done = roundworks("open", "--passphrase-file", "phrase", "plain.roundworks", "-o", "-", cwd=place)
    assert (done.returncode, done.stdout) == (0, b"x")
