"""Designs compared, inner functions ranked, and the page that shows them."""

from __future__ import annotations

import json

import pytest

from roundworks import spec
from roundworks.errors import DescriptionError
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
    assert page.sentence.startswith("No design has a better figure than aether-lb in all")
    assert [figure.name for figure in page.figures] == ["designs-f", "designs-cycles", "designs-energy"]
    assert page.figures[0].finding == "cheap takes the fewest F for each block"
    assert page.figures[1].chart is None
