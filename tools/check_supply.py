"""What we take from others: its licences, and of crates the banned and the doubled ones.

deny.toml and tools/licences.toml say what may be taken. THIRD_PARTY.md lists every package of the lock
files, and LICENSE-THIRD-PARTY has the notices of the crates whose code is in what we ship; `--write` makes
both again. The licence of a package that is not on this machine in that version is the listed one.
`make supply` adds what a network is needed for: known vulnerabilities.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import Any

from license_expression import ExpressionError, LicenseExpression, Licensing, get_spdx_licensing

ROOT = Path(__file__).resolve().parent.parent
PEERS = "crates/roundworks-peers"
TARGETS = ("x86_64-unknown-linux-gnu", "aarch64-unknown-linux-gnu")
SHIPPED = {
    "wheel": ("roundworks-py", "pkg:pypi/roundworks@0", "--features", "pyo3/extension-module"),
    "C library": ("roundworks-capi", "pkg:generic/libroundworks@0"),
}
"""Artefacts with compiled code -> how tools/sbom.sh is called for each."""
REQUIREMENTS = ("run", "page", "dev", "docs", "supply")
NOTICE = re.compile(r"(?i)(licen[cs]e|copying|copyright|notice|unlicense)([-._].*)?$")
UNKNOWN = ""


@dataclass(frozen=True, slots=True, order=True)
class Package:
    """A package of a lock file; ``licence`` is an SPDX expression, empty where nothing states one."""

    kind: str
    name: str
    version: str
    licence: str
    place: str


@cache
def policy() -> tuple[dict[str, frozenset[str]], dict[str, frozenset[str]], dict[str, Any], dict[str, Any]]:
    """Kind -> licences that are allowed, name -> further ones; deny.toml, tools/licences.toml."""
    deny = tomllib.loads((ROOT / "deny.toml").read_text(encoding="utf-8"))
    python = tomllib.loads((ROOT / "tools" / "licences.toml").read_text(encoding="utf-8"))
    allowed = {"crate": frozenset(deny["licenses"]["allow"])}
    allowed["python"] = allowed["crate"] | frozenset(python["allow"])
    further = {one["crate"]: frozenset(one["allow"]) for one in deny["licenses"]["exceptions"]}
    further |= {name: frozenset([one["licence"]]) for name, one in python["exceptions"].items()}
    return allowed, further, deny, python


@cache
def spdx() -> Licensing:
    """The identifiers that SPDX has; reading them takes a while."""
    return get_spdx_licensing()


def satisfied(expression: str, allowed: Iterable[str]) -> bool:
    """Whether an SPDX expression can be met with licences that are allowed."""

    def met(node: LicenseExpression) -> bool:
        if node.isliteral:
            return str(node) in allowed
        parts = [met(one) for one in node.args]
        return all(parts) if isinstance(node, licensing.AND) else any(parts)

    licensing = spdx()
    tree = licensing.parse(expression)
    return tree is not None and met(tree)


def locked(text: str) -> list[tuple[str, str]]:
    """Name and version of each crate of a Cargo.lock that comes from a registry."""
    return [(one["name"], one["version"]) for one in tomllib.loads(text)["package"] if "source" in one]


def crates(listed: Mapping[tuple[str, str, str], str]) -> Iterator[Package]:
    """Those of the workspace, and those of the other libraries that we are measured with."""
    shipped, seen = {where: contents(where) for where in SHIPPED}, set[tuple[str, str]]()
    for folder, place in ((".", "tools and tests"), (PEERS, "measured next to ours")):
        # What the peers need is not fetched by set-up.
        offline = ["--offline"] if folder == PEERS else []
        command = ["cargo", "metadata", "--format-version", "1", "--locked", "--all-features", *offline]
        done = subprocess.run(command, cwd=ROOT / folder, capture_output=True, check=False)
        stated = {}
        if done.returncode == 0:
            for one in json.loads(done.stdout)["packages"]:
                stated[one["name"], one["version"]] = (one["license"] or UNKNOWN).replace("/", " OR ")
        for name, version in locked((ROOT / folder / "Cargo.lock").read_text(encoding="utf-8")):
            licence = stated.get((name, version)) or listed.get(("crate", name, version), UNKNOWN)
            if folder == PEERS and (name, version) in seen:
                continue
            seen.add((name, version))
            within = [where for where, names in shipped.items() if (name, version) in names]
            yield Package("crate", name, version, licence, ", ".join(within) or place)


@cache
def contents(artefact: str) -> frozenset[tuple[str, str]]:
    """Name and version of the crates whose code is in an artefact, on any of the targets."""
    members = set()
    for target in TARGETS:
        command = ["bash", "tools/sbom.sh", *SHIPPED[artefact], "--target", target]
        bom = json.loads(subprocess.run(command, cwd=ROOT, check=True, capture_output=True).stdout)
        members |= {(c["name"], c["version"]) for c in bom["components"] if c["scope"] == "required"}
    return frozenset(members)


def pinned(text: str) -> list[tuple[str, str]]:
    """Name and version of each package of a requirements file."""
    return re.findall(r"^([a-z0-9][a-z0-9._-]*)==([^\s;\\]+)", text, re.M)


def python_packages(listed: Mapping[tuple[str, str, str], str]) -> Iterator[Package]:
    """Those of requirements/, each with the first file that has it."""
    seen = set()
    for file in REQUIREMENTS:
        for name, version in pinned((ROOT / "requirements" / f"{file}.txt").read_text(encoding="utf-8")):
            if (name, version) not in seen:
                seen.add((name, version))
                licence = stated_licence(name, version) or listed.get(("python", name, version), UNKNOWN)
                yield Package("python", name, version, licence, f"requirements/{file}.txt")


def stated_licence(name: str, version: str) -> str:
    """What the installed package states, as SPDX; empty where it is not installed or is not plain."""
    *_, python = policy()
    if name in python["stated"]:
        return str(python["stated"][name])
    try:
        facts = metadata.metadata(name)
    except metadata.PackageNotFoundError:
        return UNKNOWN
    if facts["Version"] != version:
        return UNKNOWN
    if expression := facts.get("License-Expression"):
        return str(expression)
    classifiers = [
        c.rsplit(" :: ", 1)[1] for c in facts.get_all("Classifier") or () if c.startswith("License ::")
    ]
    for text in (facts.get("License") or "", *classifiers):
        if text in python["spellings"] or is_spdx(text):
            return str(python["spellings"].get(text, text))
    return UNKNOWN


def is_spdx(text: str) -> bool:
    """Whether a text is an expression of identifiers that SPDX has."""
    try:
        return spdx().parse(text, validate=True) is not None
    except ExpressionError:
        return False


def refused(packages: Iterable[Package]) -> Iterator[str]:
    """Packages whose licence is not known, or is none that we take."""
    allowed, further, *_ = policy()
    for one in packages:
        title = f"{one.kind} {one.name} {one.version}"
        if one.licence == UNKNOWN:
            yield f"{title}: its licence is not known here; run `make licences`, or state it in tools/licences.toml"
        elif not satisfied(one.licence, allowed[one.kind] | further.get(one.name, frozenset())):
            yield f"{title}: {one.licence}: not a licence of deny.toml or tools/licences.toml"


def banned(lock: str) -> Iterator[str]:
    """Crates that deny.toml forbids, those of two versions that it does not excuse, and excuses for nothing."""
    *_, deny, _ = policy()
    forbidden = {one["crate"] for one in deny["bans"]["deny"]}
    excused = [tuple(one["crate"].split("@")) for one in deny["bans"]["skip"]]
    names = locked(lock)
    often = Counter(name for name, _ in names)
    used = set()
    for name, version in names:
        if name in forbidden:
            yield f"crate {name}: banned by deny.toml"
        fits = [e for e in excused if e[0] == name and f"{version}.".startswith(f"{e[1]}.")]
        if often[name] > 1 and fits:
            used.add(fits[0])
            often[name] -= 1
    yield from (
        f"crate {name}: {n} versions; deny.toml excuses all but one" for name, n in often.items() if n > 1
    )
    yield from (
        f"deny.toml: {'@'.join(e)}: there are no two versions of it" for e in excused if e not in used
    )


def listing(packages: Iterable[Package]) -> str:
    """THIRD_PARTY.md."""
    every = sorted(packages, key=lambda one: (one.kind, one.name, one.version))
    lines = [
        "# What Roundworks takes from others",
        "",
        "Written by `make licences`, from the lock files and what each package states; `make check` compares it",
        "with deny.toml and tools/licences.toml. Of crates, the last column says what their code is part of: their",
        "notices are in LICENSE-THIRD-PARTY, which comes with the wheel and the C library. Python packages are part",
        "of neither: a user installs them by an extra (requirements/run.txt), a developer all of them.",
    ]
    for kind, title, head in (("crate", "Crates", "part of"), ("python", "Python packages", "pinned in")):
        lines += [
            "",
            f"## {title}",
            "",
            f"| {kind} | version | licence | {head} |",
            "| --- | --- | --- | --- |",
        ]
        lines += [f"| {p.name} | {p.version} | {p.licence} | {p.place} |" for p in every if p.kind == kind]
    return "\n".join(lines) + "\n"


def listed() -> dict[tuple[str, str, str], str]:
    """Kind, name and version -> licence, of THIRD_PARTY.md."""
    path, kind, licences = ROOT / "THIRD_PARTY.md", "", {}
    for line in path.read_text(encoding="utf-8").splitlines() if path.is_file() else ():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if cells[0] in ("crate", "python"):
            kind = cells[0]
        elif kind and len(cells) == 4 and not cells[0].startswith("-"):
            licences[kind, cells[0], cells[1]] = cells[2]
    return licences


def notices() -> str:
    """LICENSE-THIRD-PARTY: of each crate in an artefact its notices, the same text once."""
    command = ["cargo", "metadata", "--format-version", "1", "--locked"]
    packages = json.loads(subprocess.run(command, cwd=ROOT, check=True, capture_output=True).stdout)[
        "packages"
    ]
    shipped = frozenset[tuple[str, str]]().union(*(contents(where) for where in SHIPPED))
    texts: dict[str, list[str]] = {}
    for one in sorted(packages, key=lambda one: (one["name"], one["version"])):
        if one["source"] is None or (one["name"], one["version"]) not in shipped:
            continue
        folder = Path(one["manifest_path"]).parent
        files = sorted(file for file in folder.iterdir() if file.is_file() and NOTICE.match(file.name))
        # Where MIT is enough, its notice is all that has to be kept.
        mit = [file for file in files if "mit" in file.name.lower()]
        if mit and satisfied((one["license"] or "").replace("/", " OR "), {"MIT"}):
            files = mit
        if not files:
            texts.setdefault(
                f"(the archive of the crate has no text; it states {one['license']})", []
            ).append(f"{one['name']} {one['version']}")
        for file in files:
            text = "\n".join(line.rstrip() for line in file.read_text(encoding="utf-8").strip().splitlines())
            texts.setdefault(text, []).append(f"{one['name']} {one['version']}")
    head = (
        "Notices of the crates whose code is part of the wheel and of the C library of Roundworks, written by\n"
        "`make licences`. Both contain functions of the Rust standard library too, by the Rust project, under\n"
        "Apache-2.0 (LICENSE-APACHE) or MIT.\n"
    )
    bar = "=" * 80
    return head + "".join(f"\n{bar}\n{', '.join(names)}\n{bar}\n\n{text}\n" for text, names in texts.items())


def main() -> int:
    """Prints what may not be taken, or is not listed; 1 if anything is. ``--write`` lists it again."""
    packages = [*crates(listed()), *python_packages(listed())]
    problems = [*refused(packages), *banned((ROOT / "Cargo.lock").read_text(encoding="utf-8"))]
    for name, text in (("THIRD_PARTY.md", listing(packages)), ("LICENSE-THIRD-PARTY", notices())):
        path = ROOT / name
        if "--write" in sys.argv:
            path.write_text(text, encoding="utf-8")
        elif not path.is_file() or path.read_text(encoding="utf-8") != text:
            problems.append(f"{name}: not current; run `make licences`")
    for problem in problems:
        print(f"supply: {problem}", file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
