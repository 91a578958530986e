"""Several bounds as a study: those that each gives alone, on whatever runs them."""

from __future__ import annotations

import json
import sys


def test_several_views_are_the_bounds_of_each_alone(run) -> None:  # type: ignore[no-untyped-def]
    alone = []
    for view in ("linear", "differential"):
        done = run("bound", "aes", "--rounds", "3", "--view", view, "--json", "--no-store")
        alone += [json.loads(line) for line in done.stdout.splitlines()]
    words = (
        "bound",
        "aes",
        "--rounds",
        "3",
        "--view",
        "linear",
        "--view",
        "differential",
        "--json",
        "--no-store",
    )
    both = run(*words)
    assert both.returncode == 0, both.stderr
    rows = [json.loads(line) for line in both.stdout.splitlines()]
    facts = ("view", "rounds", "value", "side", "certainty", "fingerprint", "command")
    assert [[r[f] for f in facts] for r in rows] == [[r[f] for f in facts] for r in alone]
    again = run(*words, "--at-least", "10")
    assert again.returncode == 1 and "2 of 2 were in the ledger" in again.stderr
    assert run(*words, "--at-least", "9").returncode == 0
    twice = run(*words, "--view", "linear")
    assert "2 of 2 were in the ledger" in twice.stderr


_OWN = """
import sys, pathlib
sys.path.insert(0, str(pathlib.Path(__file__).parent))
from boxes_of_own import TABLE
from roundworks.reference import BlockCipher, CellPermutation, Sbox
B, P = Sbox("b", TABLE), CellPermutation("p", tuple(i * 4 % 15 if i < 15 else 15 for i in range(16)), 1)
class Own(BlockCipher):
    name, words, word_bits, rounds, key_words = "own", 1, 16, 4, 1
    def schedule(self, K):
        for i in range(self.rounds):
            yield K[0] ^ i
    def encrypt(self, S, subkeys):
        (x,) = S
        for k in subkeys:
            x = (x ^ k).sub(B).permute(P)
        return [x]
"""
_PRESENT = (12, 5, 6, 11, 9, 0, 10, 13, 3, 14, 15, 8, 4, 7, 1, 2)


def test_what_a_file_imports_is_of_its_units(run, tmp_path, monkeypatch) -> None:  # type: ignore[no-untyped-def]
    monkeypatch.setattr(sys, "path", list(sys.path))
    (tmp_path / "own.py").write_text(_OWN)
    words = ("bound", str(tmp_path / "own.py"), "--measure", "trail", "--rounds", "2", "--json", "--no-store")
    both = (*words, "--view", "differential", "--view", "linear", "--ledger", str(tmp_path / "own.sqlite"))
    values = []
    for table, known in ((_PRESENT, 0), (_PRESENT, 2), (tuple(range(16)), 0)):
        (tmp_path / "boxes_of_own.py").write_text(f"TABLE = {table}{' ' * len(values)}")
        sys.modules.pop("boxes_of_own", None)
        done = run(*both)
        assert done.returncode == 0, done.stderr
        assert not known or f"{known} of 2 were in the ledger" in done.stderr
        values.append([json.loads(line)["value"] for line in done.stdout.splitlines()])
    assert values[0] == values[1] and values[0][-1] > 0
    assert set(values[2]) == {0}


def test_what_a_study_cannot_do_is_refused(run, tmp_path) -> None:  # type: ignore[no-untyped-def]
    done = run("bound", "aes", "--view", "linear", "--view", "differential", "--proof", str(tmp_path / "p"))
    assert done.returncode == 2 and "--proof, --dot: of one bound in this process" in done.stderr
    done = run("bound", "aes", "--measure", "trail", "--measure", "integral", "--view", "linear")
    assert done.returncode == 2 and "view: does nothing for integral" in done.stderr
