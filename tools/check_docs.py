"""Tables in documents are those of spec/ and results/, and no document has a measured number of its own.

Every public method has a docstring, or overrides one that has; ruff checks functions and classes.
A command `python -m roundworks...` of a document, a script or the Makefile names a module that runs.

A table between ``<!-- generated: NAME -->`` and ``<!-- end -->`` is made here. `--write` writes it again.
"""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from roundworks import spec
from roundworks.rows import Store

ROOT = Path(__file__).resolve().parent.parent
BLOCK = re.compile(r"(<!-- generated: ([a-z-]+) -->\n)(.*?)(<!-- end -->)", re.S)
# Numbers with these units are measured. They belong to the report, which knows their run.
_UNITS = (
    r"%|[mµun]?s|seconds|minutes|hours|[mµn]W|[pnf]J|[MGT]bit/s|[kMG]i?B/s|k?GE|ps|toggles|"
    r"cycles (?:a|per) byte|times (?:as|less|more|faster|smaller)"
)
MEASURED = re.compile(rf"(?<![\w^-])\d[\d.,]*[  ]?(?:{_UNITS})(?![\w/-])")
MODULE = re.compile(r"(?<=-m )roundworks(?:\.\w+)*")
CODE = re.compile(r"```.*?```|`[^`\n]*`", re.S)
Function = ast.FunctionDef | ast.AsyncFunctionDef


def table(head: Sequence[str], rows: Iterator[Sequence[str]]) -> str:
    """A table in Markdown."""
    lines = [head, ["---"] * len(head), *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def ciphers() -> str:
    """Ciphers, the back ends that run them, and what the newest stored audit found."""
    facts = spec.ciphers()
    named = [name for each in facts for name in each.backends]
    schema = json.loads((ROOT / "spec" / "schema" / "cipher.json").read_text())
    backends = [name for name in _backends(schema) if name in named]
    rows = Store(ROOT / "results").read("audit")
    newest = {(row["cipher"], row["check"]): row for row in rows}
    forged = {cipher for (cipher, _), row in newest.items() if row["verdict"] == "forgery"}
    audited = {cipher for cipher, _ in newest}

    def lines() -> Iterator[list[str]]:
        order = ["standard", "published", "study"]
        for each in sorted(facts, key=lambda f: (f.status not in order, not f.backends)):
            audit = "**forged**" if each.name in forged else "no forgery found"
            status = {"study": "for study only"}.get(each.status, each.status)
            status += f": {each.library}" if each.library else ""
            yield [
                f"`{each.name}`",
                *("yes" if name in each.backends else "-" for name in backends),
                audit if each.name in audited else "-",
                f"{status} [{each.citations[0]}]",
            ]

    return table(["cipher", *backends, "audit", "status"], lines())


def _backends(schema: Any) -> list[str]:
    """The order of the schema, which is the order in which a CPU prefers them within a family."""
    if isinstance(schema, dict):
        if "portable" in schema.get("enum", ()):
            return list(schema["enum"])
        schema = list(schema.values())
    lists = (_backends(each) for each in schema) if isinstance(schema, list) else ()
    return next((names for names in lists if names), [])


def permutations() -> str:
    """Permutations with a name of their own."""

    def lines() -> Iterator[list[str]]:
        for each in spec.permutations():
            size = str(each.words * each.word_bytes)
            source = ", ".join(f"[{key}]" for key in each.citations)
            yield [f"`{each.name}`", each.title, size, str(each.rounds), f"{each.most_rounds:g}", source]

    return table(["name", "permutation", "bytes", "rounds", "rounds at most", "source"], lines())


def permutation_sources() -> str:
    """The file of the core for each family of permutations, and its length."""

    def lines() -> Iterator[list[str]]:
        of: dict[str, list[str]] = {}
        for each in spec.permutations():
            of.setdefault(each.family, []).append(f"`{each.name}`")
        for family, names in of.items():
            source = (ROOT / "crates" / "roundworks" / "src" / f"{family}.rs").read_text(encoding="utf-8")
            of_all = names if len(names) <= 2 else [f"{len(names)} with a name in `spec/`"]
            yield [f"`{family}.rs`", str(len(source.splitlines())), ", ".join(of_all)]

    return table(["source", "lines", "permutations"], lines())


def cpus() -> str:
    """Profiles of the cycle model: latency and throughput of `aesenc` on each register width."""

    def lines() -> Iterator[list[str]]:
        for each in spec.cpus():
            widths = ", ".join(str(bits) for bits in each.widths)
            latency = "; ".join(f"{each.timing('aesenc', bits).latency:g}" for bits in each.widths)
            rate = "; ".join(f"{each.timing('aesenc', bits).throughput:g}" for bits in each.widths)
            yield [f"`{each.name}`", widths, latency, rate, str(each.registers)]

    head = ["profile", "register bits with AES", "latency of `aesenc`", "cycles per `aesenc`", "registers"]
    return table(head, lines())


def vectors() -> str:
    """Files of test vectors, with the facts that each states of itself."""

    def lines() -> Iterator[list[str]]:
        for path in sorted((ROOT / "spec").glob("*/*.json")):
            facts = json.loads(path.read_text(encoding="utf-8"))
            if "vectors" in facts:
                invalid = sum(not vector.get("valid", True) for vector in facts["vectors"])
                cases = f"{facts['count']}, {invalid} invalid" if invalid else str(facts["count"])
                name = f"`{path.parent.name}/{path.name}`"
                yield [name, cases, facts["origin"], "; ".join(facts["verified_by"]), facts["licence"]]

    return table(["file", "cases", "origin", "verified by", "licence"], lines())


TABLES: dict[str, Callable[[], str]] = {
    "ciphers": ciphers,
    "permutations": permutations,
    "permutation-sources": permutation_sources,
    "cpus": cpus,
    "vectors": vectors,
}


def files(pattern: str) -> list[Path]:
    """Files of the checkout whose name matches."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", pattern]
    listed = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    return [path for path in (ROOT / name for name in listed.splitlines()) if path.is_file()]


def problems(path: Path, write: bool) -> Iterator[str]:
    """Tables that are not current, or are written again, and measured numbers."""
    text = path.read_text(encoding="utf-8")
    name = path.relative_to(ROOT)

    def current(match: re.Match[str]) -> str:
        return match[1] + TABLES[match[2]]() + match[4]

    again = BLOCK.sub(current, text)
    if write and again != text:
        path.write_text(again, encoding="utf-8")
    elif again != text:
        yield f"{name}: a generated table is not current; run `make tables`"
    if name.name != "CHANGELOG.md":
        prose = CODE.sub(
            lambda m: "\n" * m[0].count("\n"), BLOCK.sub(lambda m: "\n" * m[0].count("\n"), text)
        )
        for number, line in enumerate(prose.splitlines(), 1):
            for match in MEASURED.finditer(line):
                yield f"{name}:{number}: {match[0]}: a measured number; the report shows it with its run"


def undocumented(sources: Iterable[Path]) -> Iterator[str]:
    """Public methods of public classes without a docstring, of their own or of a base class in the tree."""
    trees = {path: ast.parse(path.read_text(encoding="utf-8")) for path in sources}
    classes: dict[str, list[tuple[Path, ast.ClassDef]]] = {}
    modules: dict[tuple[Path, str], str] = {}
    for path, tree in trees.items():
        for each in ast.walk(tree):
            if isinstance(each, ast.ClassDef):
                classes.setdefault(each.name, []).append((path, each))
            elif isinstance(each, ast.ImportFrom):
                module = (each.module or "").rpartition(".")[2]
                modules |= {(path, name.name): module for name in each.names}

    def bases(path: Path, of: ast.ClassDef) -> Iterator[tuple[Path, ast.ClassDef]]:
        """The classes of the tree that it derives from; of several of one name that of its file or its imports."""
        for name in map(_class_name, of.bases):
            named = [each for each in classes.get(name, ()) if each[1] is not of]
            near = [each for each in named if each[0] == path or each[0].stem == modules.get((path, name))]
            yield from near or named

    def documented(path: Path, of: ast.ClassDef, name: str) -> bool:
        named = [each for each in of.body if isinstance(each, Function) and each.name == name]
        return any(ast.get_docstring(each) for each in named) or any(
            documented(*base, name) for base in bases(path, of)
        )

    for path, tree in trees.items():
        for each in tree.body:
            if isinstance(each, ast.ClassDef) and not each.name.startswith("_"):
                for method in each.body:
                    if not isinstance(method, Function) or method.name.startswith("_"):
                        continue
                    if not documented(path, each, method.name):
                        yield f"{path.relative_to(ROOT)}:{method.lineno}: {each.name}.{method.name}: no docstring"


def _class_name(base: ast.expr) -> str:
    """Of `name`, `module.name` or `name[parameter]`."""
    text = ast.unparse(base.value if isinstance(base, ast.Subscript) else base)
    return text.rpartition(".")[2]


def not_programs(path: Path) -> Iterator[str]:
    """Commands `python -m` of our own modules that do not exist, or do nothing when run."""
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        for match in MODULE.finditer(line):
            module = ROOT / "python" / match[0].replace(".", "/")
            source = module / "__main__.py" if module.is_dir() else module.with_suffix(".py")
            if not source.is_file() or 'if __name__ == "__main__":' not in source.read_text(encoding="utf-8"):
                yield f"{path.relative_to(ROOT)}:{number}: python -m {match[0]}: no module that runs"


def main() -> int:
    """Prints the problems of documents, commands and docstrings; 1 if there are any."""
    write = "--write" in sys.argv
    all_problems = [each for path in files("*.md") for each in problems(path, write)]
    commands = [
        path for name in ("*.md", "*.sh", "Makefile", "python/roundworks/*.py") for path in files(name)
    ]
    tests = ROOT / "python" / "tests"
    all_problems += [each for path in commands for each in not_programs(path)]
    all_problems += undocumented(path for path in files("*.py") if tests not in path.parents)
    for each in all_problems:
        print(f"docs: {each}", file=sys.stderr)
    return 1 if all_problems else 0


if __name__ == "__main__":
    sys.exit(main())
