"""What crates.io takes: the fields of each crate that is published, and its archive."""

from __future__ import annotations

import json
import subprocess
import tarfile
import tomllib
from pathlib import Path
from typing import Any

import pytest

from places import ROOT

PUBLISHED = ("roundworks", "roundworks-files", "roundworks-lrat", "roundworks-search")
WORKSPACE = tomllib.loads((ROOT / "Cargo.toml").read_text())["workspace"]


def cargo(*command: str | Path) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(["cargo", *command], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done


@pytest.fixture(scope="module")
def packages() -> dict[str, dict[str, Any]]:
    said = cargo("metadata", "--format-version=1", "--no-deps", "--locked").stdout
    return {package["name"]: package for package in json.loads(said)["packages"]}


@pytest.fixture(scope="module")
def archives(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tarfile.TarFile]:
    """Packed, not compiled: that is `make crates`."""
    target = tmp_path_factory.mktemp("packages")
    chosen = [word for name in PUBLISHED for word in ("-p", name)]
    done = cargo("package", *chosen, "--no-verify", "--allow-dirty", "--locked", "--target-dir", target)
    assert "warning" not in done.stderr, done.stderr
    made = {
        name: target / "package" / f"{name}-{WORKSPACE['package']['version']}.crate" for name in PUBLISHED
    }
    return {name: tarfile.open(path) for name, path in made.items()}


def test_these_are_published(packages: dict[str, dict[str, Any]]) -> None:
    assert f"CRATES := {' '.join(PUBLISHED)}\n" in (ROOT / "Makefile").read_text()
    assert {name for name, p in packages.items() if p["publish"] is None} == set(PUBLISHED)


@pytest.mark.parametrize("name", PUBLISHED)
def test_fields(packages: dict[str, dict[str, Any]], name: str) -> None:
    package = packages[name]
    assert package["license"] == "Apache-2.0 OR MIT"
    assert package["documentation"] == f"https://docs.rs/{name}"
    assert package["rust_version"] == WORKSPACE["package"]["rust-version"]
    assert package["readme"] == "README.md"
    assert package["authors"] == WORKSPACE["package"]["authors"]
    assert package["categories"] and 1 <= len(package["keywords"]) <= 5
    assert package["metadata"]["docs"]["rs"]["all-features"] is True


@pytest.mark.parametrize("name", PUBLISHED)
def test_a_published_crate_uses_published_ones(packages: dict[str, dict[str, Any]], name: str) -> None:
    used = [d for d in packages[name]["dependencies"] if d["kind"] != "dev"]
    ours = {d["name"]: d["req"] for d in used if d["name"] in packages}
    assert set(ours) <= set(PUBLISHED)
    assert all(req == f"={WORKSPACE['package']['version']}" for req in ours.values())


@pytest.mark.parametrize("name", PUBLISHED)
def test_archive_holds_readme_and_licences(archives: dict[str, tarfile.TarFile], name: str) -> None:
    home = f"{name}-{WORKSPACE['package']['version']}"
    for file, source in (
        ("LICENSE-MIT", ROOT / "LICENSE-MIT"),
        ("LICENSE-APACHE", ROOT / "LICENSE-APACHE"),
        ("README.md", ROOT / "crates" / name / "README.md"),
    ):
        member = archives[name].getmember(f"{home}/{file}")
        assert member.isfile(), f"{file}: a link, which nothing is behind once it is unpacked"
        packed = archives[name].extractfile(member)
        assert packed is not None and packed.read() == source.read_bytes()


def test_citation_is_of_this_version() -> None:
    lines = (ROOT / "CITATION.cff").read_text().splitlines()
    assert f"version: {WORKSPACE['package']['version']}" in lines
    assert "cff-version: 1.2.0" in lines


def test_changelog_is_kept_in_order() -> None:
    """keepachangelog: one heading a version, and under it known kinds of change."""
    lines = (ROOT / "CHANGELOG.md").read_text().splitlines()
    versions = [line for line in lines if line.startswith("## ")]
    assert versions[0] == "## [Unreleased]"
    kinds = {line[4:] for line in lines if line.startswith("### ")}
    assert kinds and kinds <= {"Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"}
