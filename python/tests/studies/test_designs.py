"""Designs compared, inner functions ranked, and the page that shows them."""

from __future__ import annotations

import dataclasses
import json

import pytest

from made_rows import made
from roundworks import spec
from roundworks.errors import DescriptionError
from roundworks.ratios import GENERATED
from roundworks.report.designs import compared_designs
from roundworks.rows import BenchRow, DesignRow, InnerRow, PowerRow, SynthesisRow
from roundworks.studies.designs import Designs
from roundworks.studies.inner import Inner
from roundworks.studies.study import conduct

CANDIDATES = spec.root() / "examples" / "candidates"


@pytest.mark.long
def test_ten_words_have_what_their_page_says() -> None:
    study = Designs((str(CANDIDATES / "ten_words.py"),), samples=0)
    (row,) = [row for row in conduct(study).rows if isinstance(row, DesignRow)]
    assert (row.collision, row.bias, row.init_rounds, row.init_active) == (11, 13, 20, 75)
    assert row.f_per_block == pytest.approx(10 / 3) and row.forgeries == 0 and row.guessed is None
    assert row.differential == pytest.approx(-14) and row.correlation == pytest.approx(-14)
    assert row.command == "roundworks designs ten_words.py --samples 0"
    assert any("F(S9) ^ X0" in line for line in row.equations)


@pytest.mark.long  # its paths are over 2^15 states; ten words have 2^10
def test_fifteen_words_have_what_their_page_says() -> None:
    study = Designs((str(CANDIDATES / "fifteen_words.py"),), samples=0)
    (row,) = [row for row in conduct(study).rows if isinstance(row, DesignRow)]
    assert (row.collision, row.bias, row.init_active, row.f_per_block) == (10, 13, 84, 3)
    assert row.forgeries == 0 and row.guessed is None and row.diffusion_rounds == 8


def test_the_verb_refuses_what_does_not_absorb_and_prints_its_rows(run) -> None:
    done = run("designs", "aes")
    assert done.returncode == 2 and "aes" in done.stderr
    done = run("designs", str(spec.root() / "examples" / "toy.py"), "--samples", "0", "--json")
    (row,) = [json.loads(line) for line in done.stdout.splitlines()]
    assert row["kind"] == "design" and row["guessed"] == 2
    assert row["forgeries"] > 0 and done.returncode == 1


def test_an_f_of_another_form_has_an_empty_cell(run) -> None:
    """The round of the AES is no S-boxes, matrix, S-boxes; all else of the page is there."""
    done = run("designs", "aegis-128", "--samples", "0", "--json", "--no-store")
    (row,) = [json.loads(line) for line in done.stdout.splitlines()]
    assert (row["differential"], row["correlation"]) == (None, None)
    assert (row["collision"], row["init_rounds"], row["forgeries"]) == (11, 10, 0)
    assert done.returncode == 0


def test_a_cipher_without_f_has_none(run) -> None:
    """Whose rounds are AND and rotations: there is nothing to count, and the rest of the row is there."""
    done = run("designs", str(spec.root() / "examples" / "and_rotate.py"), "--samples", "0", "--json")
    assert done.returncode == 0, done.stderr
    (row,) = [json.loads(line) for line in done.stdout.splitlines()]
    assert (row["f_per_block"], row["collision"], row["differential"], row["init_rounds"]) == (0, 0, None, 16)


def test_inner_functions_are_of_nibbles() -> None:
    units = Inner("aether").plan()
    assert [unit.title for unit in units][15:17] == ["class G15", "orthros"]
    with pytest.raises(DescriptionError, match="S-box layer"):
        Inner("aegis-128l")


def design(cipher: str, collision: int, f_per_block: float) -> DesignRow:
    return DesignRow.make(
        command="roundworks designs x",
        seconds=1.0,
        cipher=cipher,
        source=f"{cipher}.py",
        words=9,
        inputs=3,
        state_bits=1152,
        block_bytes=48,
        f_per_block=f_per_block,
        collision=collision,
        bias=13,
        differential=-14.0,
        correlation=-14.0,
        init_rounds=20,
        init_active=60,
        diffusion_rounds=6,
        guessed=None,
        forgeries=0,
        equations=["S'0 = F(S1) ^ X0"],
    )


def test_the_front_has_what_nothing_dominates() -> None:
    rows = [design("aether-lb", 8, 4.0), design("better", 10, 3.0), design("cheap", 7, 2.5)]
    page = compared_designs(rows, list[BenchRow](), list[SynthesisRow](), list[PowerRow](), list[InnerRow]())
    assert page.front == {"better", "cheap"}
    assert page.designs[1].collision_log2 == -140
    assert "from every library: no design." in page.sentence
    assert [figure.name for figure in page.figures] == ["designs-f", "designs-cycles", "designs-energy"]
    assert page.figures[0].finding == "cheap takes the fewest F for each block"
    assert page.figures[1].chart is None


def test_margins_are_of_one_back_end_and_of_one_library() -> None:
    """The energy of a design comes from one library for all, not from the best of each."""

    def speed(cipher: str, backend: str, cycles: float) -> BenchRow:
        more = {"run": "a", "library": GENERATED, "data_bytes": 16384, "samples_cycles": [cycles * 16384]}
        return made(more | {"cipher": cipher, "backend": backend, "command": "roundworks designs x"}, "bench")

    def power(core: str, library: str, pj: float) -> PowerRow:
        more = {"model": "glitch", "message_bytes": 1024, "cycles": 100, "energy_pj": pj * 8192}
        return made(more | {"core": core, "library": library, "pj_per_bit": pj}, "power")

    rows = [design("aether-lb", 8, 4.0), design("better", 10, 3.0)]
    speeds = [speed("aether-lb", "a", 2.0), speed("aether-lb", "b", 3.0), speed("aether-lb", "only", 1.9)]
    speeds += [speed("better", "a", 1.8), speed("better", "b", 1.5)]
    powers = [power("aether-lb-generated", "x", 20.0), power("aether-lb-generated", "z", 1.0)]
    powers += [power("better", "x", 19.0)]
    page = compared_designs(rows, speeds, list[SynthesisRow](), powers, list[InnerRow]())
    assert page.figures[2].finding == "better takes the lowest energy of long messages"
    assert page.library == "x" and [one.pj_per_bit for one in page.designs] == [20.0, 19.0]
    assert [(m.where, m.ratio) for m in page.margins] == [("a", 0.9), ("b", 0.5), ("x", 0.95)]
    assert page.sentence.endswith("from every library: no design.")
    powers[2] = power("better", "x", 18.0)
    rows[1] = dataclasses.replace(rows[1], bias=14)
    page = compared_designs(rows, speeds, list[SynthesisRow](), powers, list[InnerRow]())
    assert "from every library: better." in page.sentence
    assert (
        "better, 0.50 to 0.90 of the cycles on 2 back ends, 0.90 of the energy from 1 library"
        in page.sentence
    )
    # One back end on which it is no faster is enough, whatever its fastest one does.
    speeds[3] = speed("better", "a", 1.99)
    page = compared_designs(rows, speeds, list[SynthesisRow](), powers, list[InnerRow]())
    assert "from every library: no design." in page.sentence and "0.50 to 0.99" in page.sentence
