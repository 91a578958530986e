"""The notebooks run from their first cell to the last, and are stored without outputs."""

from __future__ import annotations

import ast
import importlib
import json
import re
from pathlib import Path
from typing import Any

import pytest

from roundworks import spec, studies
from roundworks.cli.main import VERBS
from roundworks.errors import DescriptionError
from roundworks.generate import Generated

FOLDER = spec.root() / "examples"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))


def shown(source: str, names: dict[str, Any], place: str) -> object:
    """Run a cell; the value of its last line, which a notebook would show."""
    tree = ast.parse(source, place)
    last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, place, "exec"), names)
    if last is None:
        return None
    return eval(compile(ast.Expression(last.value), place, "eval"), names)


@pytest.mark.parametrize("file", NOTEBOOKS, ids=lambda file: file.stem)
def test_a_notebook_runs(file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ROUNDWORKS_RESULTS", str(tmp_path / "results"))
    monkeypatch.chdir(FOLDER)  # as a notebook runs
    names: dict[str, Any] = {"__name__": "__main__"}
    cells = json.loads(file.read_text(encoding="utf-8"))["cells"]
    code = [cell for cell in cells if cell["cell_type"] == "code"]
    assert code and all(cell["outputs"] == [] and cell["execution_count"] is None for cell in code)
    values = [shown("".join(cell["source"]), names, f"{file.name}[{n}]") for n, cell in enumerate(code)]
    generated = [value for value in values if isinstance(value, Generated)]
    assert bool(generated) == (file.stem == "own_cipher")
    assert all(value.proofs and "<td>update</td>" in value._repr_html_() for value in generated)
    results = [value for value in values if isinstance(value, studies.Result)]
    assert results
    for result in results:
        assert len(result) and all(row.command.startswith("roundworks ") for row in result)
        html = result._repr_html_()
        assert html.count("<tr>") == sum(len(table.lines) + 1 for table in result.tables)
        assert html.startswith(("<table>", "<pre>"))


def test_three_notebooks() -> None:
    assert [file.stem for file in NOTEBOOKS] == ["own_cipher", "permutations", "speed"]


def test_a_file_is_one_object_with_every_study() -> None:
    toy = studies.Cipher.load(FOLDER / "toy.py")
    assert [row.rounds for row in toy.bound(4)][-1] == 4
    assert any(row.verdict == "forgery" for row in toy.audit())
    assert "toy" in toy.describe()._repr_html_()
    with pytest.raises(LookupError, match="target 'fortran': not known"):
        toy.generate("fortran")
    with pytest.raises(DescriptionError, match="no such file"):
        studies.Cipher.load(FOLDER / "absent.py")


def test_every_verb_is_a_function() -> None:
    """`docs/how-to/notebook.md` names those that are no function of `studies` with the verb's name."""
    table = (spec.root() / "docs/how-to/notebook.md").read_text(encoding="utf-8")
    named = re.findall(r"^\| (`.*`) \| (`.*`) \|$", table, re.M)
    verbs = {verb for listed, _ in named for verb in re.findall("`([^`]+)`", listed)}
    places = [place for _, listed in named for place in re.findall("`([^`]+)`", listed)]
    for verb in set(VERBS) - verbs - {"completion"}:
        places.append(f"studies.{verb}")
    for place in places:
        module, _, name = place.rpartition(".")
        assert callable(getattr(importlib.import_module(f"roundworks.{module}"), name)), place
