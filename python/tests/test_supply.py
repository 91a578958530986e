"""What we take from others: its licences, and what is made of it."""

from __future__ import annotations

import io
import json
import subprocess
import tomllib
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator

from loaded import tool
from places import ROOT

ARTEFACTS = (
    ("roundworks-py", "pkg:pypi/roundworks@1.2.3", "--features", "pyo3/extension-module"),
    ("roundworks-capi", "pkg:generic/libroundworks@1.2.3"),
    ("roundworks-search", "pkg:cargo/roundworks-search@1.2.3", "--all-features"),
)


@pytest.fixture(scope="module")
def check() -> ModuleType:
    return tool("check_supply", ROOT)


def sbom(*of: str) -> str:
    return subprocess.run(
        ["bash", "tools/sbom.sh", *of], cwd=ROOT, check=True, capture_output=True, text=True
    ).stdout


@pytest.fixture(scope="module")
def resolved() -> dict[str, dict[str, Any]]:
    """Cargo's own graph of the whole workspace: package URL -> manifest."""
    command = ["cargo", "metadata", "--format-version", "1", "--locked", "--all-features"]
    graph = json.loads(subprocess.run(command, cwd=ROOT, check=True, capture_output=True).stdout)
    return {url(one): one for one in graph["packages"]}


def url(of: dict[str, Any]) -> str:
    return f"pkg:cargo/{of['name']}@{of['version']}".replace("+", "%2B")


@pytest.mark.parametrize("of", ARTEFACTS, ids=lambda of: of[0])
def test_an_sbom_is_valid_and_of_the_manifests(of: tuple[str, ...], resolved: dict[str, Any]) -> None:
    text = sbom(*of)
    assert sbom(*of) == text
    assert JsonStrictValidator(SchemaVersion.V1_6).validate_str(text) is None
    bom = json.loads(text)
    assert bom["metadata"]["component"]["purl"] == of[1]
    components = {one["bom-ref"]: one for one in bom["components"]}
    lock = tomllib.loads((ROOT / "Cargo.lock").read_text())["package"]
    checksums = {url(one): one.get("checksum") for one in lock}
    for ref, one in components.items():
        if ref != "rust-std":
            stated = one["hashes"][0]["content"] if "hashes" in one else None
            assert stated == checksums[ref], ref
            assert one["licenses"][0]["expression"] == resolved[ref]["license"].replace("/", " OR "), ref
    edges = {one["ref"]: set(one.get("dependsOn", [])) - {"rust-std"} for one in bom["dependencies"]}
    root = f"pkg:cargo/{of[0]}@{resolved_version()}"
    assert set(edges) == set(components) - {"rust-std"} | {root}
    for ref, below in edges.items():
        manifest = [d for d in resolved[ref]["dependencies"] if d["kind"] != "dev"]
        may = {d["name"] for d in manifest}
        must = {d["name"] for d in manifest if not d["optional"] and d["target"] is None}
        have = {resolved[one]["name"] for one in below}
        assert must <= have <= may, ref


def resolved_version() -> str:
    return str(tomllib.loads((ROOT / "Cargo.toml").read_text())["workspace"]["package"]["version"])


def test_a_proc_macro_is_no_part_of_what_is_shipped() -> None:
    scopes = {one["name"]: one["scope"] for one in json.loads(sbom(*ARTEFACTS[0]))["components"]}
    assert scopes["aws-lc-sys"] == scopes["libc"] == scopes["std"] == "required"
    assert scopes["pyo3-macros"] == scopes["proc-macro2"] == scopes["cc"] == "excluded"


@pytest.mark.parametrize(
    ("expression", "met"),
    [
        ("MIT", True),
        ("GPL-3.0-or-later", False),
        ("MIT OR GPL-3.0-or-later", True),
        ("MIT AND GPL-3.0-or-later", False),
        ("(MIT OR Apache-2.0) AND Unicode-3.0", True),
        ("(MIT OR Apache-2.0) AND NCSA", False),
        ("Apache-2.0 WITH LLVM-exception", True),
        ("GPL-2.0-only WITH Classpath-exception-2.0", False),
    ],
)
def test_an_expression_is_met_or_not(check: ModuleType, expression: str, met: bool) -> None:
    allowed = {"Apache-2.0", "Apache-2.0 WITH LLVM-exception", "MIT", "Unicode-3.0"}
    assert check.satisfied(expression, allowed) == met


def test_what_may_not_be_taken_is_refused(check: ModuleType) -> None:
    """One of each: no licence known, none that is allowed, allowed for Python alone, an exception."""
    package = check.Package
    taken = [
        package("crate", "one", "1.0", "", ""),
        package("crate", "two", "1.0", "GPL-3.0-or-later", ""),
        package("crate", "three", "1.0", "MPL-2.0", ""),
        package("python", "three", "1.0", "MPL-2.0", ""),
        package("python", "liberty-parser", "1.0", "GPL-3.0-or-later", ""),
        package("python", "liberty-parser", "2.0", "LicenseRef-Sold", ""),
    ]
    assert [line.partition(":")[0] for line in check.refused(taken)] == [
        "crate one 1.0",
        "crate two 1.0",
        "crate three 1.0",
        "python liberty-parser 2.0",
    ]


def crates(*named: str) -> str:
    return "".join(
        f'[[package]]\nname = "{name}"\nversion = "{version}"\nsource = "registry"\n'
        for name, version in (one.split("@") for one in named)
    )


def test_banned_and_doubled_crates(check: ModuleType) -> None:
    have = set(check.banned((ROOT / "Cargo.lock").read_text()))
    assert have == set()
    more = (ROOT / "Cargo.lock").read_text() + crates("openssl-sys@0.9.1", "zeroize@0.1.0", "syn@1.0.0")
    assert set(check.banned(more)) == {
        "crate openssl-sys: banned by deny.toml",
        "crate zeroize: 2 versions; deny.toml excuses all but one",
        "crate syn: 2 versions; deny.toml excuses all but one",
    }
    alone = set(check.banned(crates("syn@2.0.119")))
    assert "deny.toml: syn@2: there are no two versions of it" in alone


def test_the_list_is_read_as_it_is_written(check: ModuleType, tmp_path: Path, monkeypatch: Any) -> None:
    packages = [
        check.Package("crate", "a", "1", "MIT", "wheel"),
        check.Package("python", "b", "2", "ISC", "x"),
    ]
    (tmp_path / "THIRD_PARTY.md").write_text(check.listing(packages))
    monkeypatch.setattr(check, "ROOT", tmp_path)
    assert check.listed() == {("crate", "a", "1"): "MIT", ("python", "b", "2"): "ISC"}


@pytest.mark.parametrize(
    ("packages", "said"),
    [
        ([{"name": "a", "version": "1", "vulns": []}], "1 of 1 packages checked for known vulnerabilities"),
        (
            [{"name": "a", "version": "1", "vulns": [{"id": "PYSEC-1"}]}],
            "1 of 1 packages checked for known vulnerabilities; a 1: PYSEC-1",
        ),
        (
            [{"name": "a", "skip_reason": "none"}, {"name": "b", "version": "1", "vulns": []}],
            "1 of 2 packages checked for known vulnerabilities; NOT CHECKED, as PyPI gave no advisories: a",
        ),
    ],
)
def test_a_package_that_was_not_checked_is_named(
    packages: Any, said: str, monkeypatch: Any, capsys: Any
) -> None:
    audited = tool("audited", ROOT)
    monkeypatch.setattr("sys.stdin", io.StringIO(json.dumps({"dependencies": packages})))
    assert audited.main() == (said != "1 of 1 packages checked for known vulnerabilities")
    assert capsys.readouterr().out == f"{said}\n"
    monkeypatch.setattr("sys.stdin", io.StringIO(""))
    assert audited.main() == 1 and capsys.readouterr().out == ""
