"""Wrong input for the command line: whatever is read ends with an exit code and without a traceback."""

from __future__ import annotations

import random
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

PROGRAM = (sys.executable, "-c", "from roundworks.cli import main; main()")
SECONDS = 20.0
# Verbs that end soon whatever they are given.
_VERBS = (
    "list",
    "describe",
    "inspect",
    "check",
    "cycles",
    "table",
    "completion",
    "study",
    "results",
    "seal",
    "open",
    "keygen",
    "sheet",
    "audit",
    "generate",
    "prove",
)
_WORDS = (
    "",
    "-",
    "--",
    "-1",
    "0",
    "1e999",
    "nan",
    "9" * 300,
    "aether",
    "aegis-128l",
    "haraka-256",
    "no-such",
    "toy.py",
    "x.json",
    "../x",
    "/",
    "/dev/null",
    "é\u202e",
    "\x1b[31m",
    "--file",
    "--json",
    "--results",
    "--key",
    "-o",
    "key",
    "--rounds",
    "--cipher",
    "--to",
    "c",
    "--cpu",
    "status",
    "select 1",
    "--backend",
    "portable",
    "--help",
    "%s",
    "$(x)",
    "[bold]",
    "a b",
    "'",
)
_LIBERTY = """library (small) {
  time_unit : "1ns"; capacitive_load_unit (1, pf); nom_voltage : 1.2;
  lu_table_template (t) { variable_1 : input_net_transition; variable_2 : total_output_net_capacitance;
    index_1 ("0.1, 0.5"); index_2 ("0.01, 0.1"); }
  cell (INV) { area : 1.5;
    pin (A) { direction : input; capacitance : 0.002; }
    pin (Y) { direction : output; function : "!A";
      timing () { related_pin : "A"; timing_sense : negative_unate;
        cell_rise (t) { values ("0.1, 0.2", "0.3, 0.4"); }
        cell_fall (t) { values ("0.1, 0.2", "0.3, 0.4"); }
        rise_transition (t) { values ("0.1, 0.2", "0.3, 0.4"); }
        fall_transition (t) { values ("0.1, 0.2", "0.3, 0.4"); } } } }
}
"""
_LOAD = """
import sys
from pathlib import Path
from roundworks.errors import RoundworksError
from roundworks.hardware.library import load
try:
    load([Path("x.lib")])
except RoundworksError as error:
    print(error, file=sys.stderr)
    sys.exit(2)
"""
_DESCRIPTION = '''"""Small."""
from roundworks.reference import CellPermutation, Matrix, Sbox, Permutation
S = Sbox("S", (12, 5, 6, 11, 9, 0, 10, 13, 3, 14, 15, 8, 4, 7, 1, 2))
P = CellPermutation("P", tuple((4 * i) % 15 if i < 15 else 15 for i in range(16)), 4)
class Small(Permutation):
    name = "small"
    words, word_bits, rounds = 2, 64, 5
    def round(self, S_, i):
        a, b = S_
        return [b, a ^ b.sub(S).permute(P) ^ i]
'''


def changed(rng: random.Random, data: bytes) -> bytes:
    """The same bytes with one to four places changed, cut out, doubled or moved."""
    out = bytearray(data)
    for _ in range(rng.randint(1, 4)):
        at, count = rng.randrange(len(out) + 1), rng.choice((1, 1, 2, 8, 60))
        part = bytes(out[at : at + count])
        match rng.randrange(6):
            case 0:
                out[at : at + count] = rng.randbytes(len(part))
            case 1:
                del out[at : at + count]
            case 2:
                out[at:at] = part * rng.choice((1, 2, 50))
            case 3:
                out[at : at + 1] = rng.choice(
                    (b"0", b"-1", b'"', b"{", b"}", b",", b"\n", b"\0", b"\xff", b"99999999")
                )
            case 4:
                other = rng.randrange(len(out) + 1)
                out[other:other] = part
            case 5:
                del out[at:]
    return bytes(out)


def _run(words: Sequence[str], folder: Path) -> str:
    """What went wrong, or nothing."""
    shown = " ".join(words[2:])[:120]
    try:
        done = subprocess.run(
            words, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, timeout=SECONDS, check=False
        )
    except subprocess.TimeoutExpired:
        return f"{shown!r}: no end after {SECONDS:g} s"
    said = done.stderr.decode(errors="replace")
    if done.returncode not in (0, 1, 2) or "Traceback" in said or "panicked" in said:
        return f"{shown!r}: status {done.returncode}, {said.strip()[-200:]!r}"
    return ""


def command_line(rng: random.Random, folder: Path, number: int) -> str:
    """Random words behind a verb."""
    words = [word for word in rng.choices(_WORDS, k=rng.randint(0, 5)) if "\0" not in word]
    return _run([*PROGRAM, "--results", "rows", rng.choice(_VERBS), *words], folder)


def description(rng: random.Random, folder: Path, number: int) -> str:
    """Describe a file whose description was changed at random."""
    (folder / "toy.py").write_bytes(changed(rng, _DESCRIPTION.encode()))
    return _run([*PROGRAM, "--results", "rows", "describe", "--file", "toy.py"], folder)


def liberty(rng: random.Random, folder: Path, number: int) -> str:
    """Read a cell library that was changed at random."""
    (folder / "x.lib").write_bytes(changed(rng, _LIBERTY.encode()))
    return _run([sys.executable, "-c", _LOAD], folder)


def rows(rng: random.Random, folder: Path, number: int) -> str:
    """Read a file of rows that was changed at random."""
    place = folder / "spoilt" / "some-machine" / "2026-01-01"
    place.mkdir(parents=True, exist_ok=True)
    row = (
        b'{"kind": "trial", "time": "2026-01-01T00:00:00Z", "machine": "some-machine", "commit": "unknown",'
        b' "tools": {}, "command": "x", "seconds": 1, "part": "files", "name": "n", "about": "a", "tried": 1,'
        b' "passed": 1, "failed": [], "seed": 1}\n'
    )
    (place / "trial.jsonl").write_bytes(changed(rng, row * 2))
    return _run([*PROGRAM, "--results", "spoilt", "results", "select count(*) from trial"], folder)


def ledger(rng: random.Random, folder: Path, number: int) -> str:
    """Read a ledger that was changed at random."""
    from ..ledger import Ledger

    path = folder / "x.sqlite"
    path.unlink(missing_ok=True)
    with Ledger(path):
        pass
    data = path.read_bytes()
    for extra in folder.glob("x.sqlite?*"):
        extra.unlink()
    path.write_bytes(changed(rng, data))
    return _run([*PROGRAM, "study", "status", "--ledger", path.name], folder)


def certificate(rng: random.Random, folder: Path, number: int) -> str:
    """A certificate, a key and a sealed file, each read by its verb."""
    texts = {
        "x.json": b'{"claim": "c", "problem": "p", "formula": "x.cnf", "proof": "x.lrat", "schema": "certificate-v1"}',
        "key": b"roundworks-key-1\n" + b"0123456789abcdef" * 4 + b"\n",
        "x.roundworks": b"\x89RWK\r\n\x1a\n\x01\x00\x00\x10aegis-128l" + bytes(90),
    }
    name = rng.choice(sorted(texts))
    (folder / name).write_bytes(changed(rng, texts[name]))
    (folder / "plain").write_bytes(b"text")
    (folder / "plain.roundworks").unlink(missing_ok=True)
    words = {
        "x.json": ("check", "x.json"),
        "key": ("seal", "--key", "key", "plain"),
        "x.roundworks": ("inspect", "x.roundworks"),
    }
    return _run([*PROGRAM, *words[name]], folder)


TARGETS: dict[str, Callable[[random.Random, Path, int], str]] = {
    "command line": command_line,
    "descriptions": description,
    "libraries": liberty,
    "rows": rows,
    "ledgers": ledger,
    "certificates, keys, sealed files": certificate,
}
