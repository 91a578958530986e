"""One way of flow between crates and folders; Python's layers are import-linter's, in pyproject.

spec -> roundworks -> baselines, bench, files, gpu, search -> py, capi, peers   (crates)
spec holds data only; the report does not use the native module, which import-linter does not see
A kernel includes common and its own family; CUDA comes in at one place.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

# crate -> our crates it may use; for tests only, behind the bar.
CRATES = {
    "roundworks": (set(), {"roundworks-vectors"}),
    "roundworks-vectors": (set(), set()),
    "roundworks-search": (set(), set()),
    "roundworks-forms": (set(), set()),
    "roundworks-lrat": (set(), set()),
    "roundworks-baselines": ({"roundworks"}, {"roundworks-vectors"}),
    "roundworks-bench": ({"roundworks"}, set()),
    "roundworks-ct": ({"roundworks"}, set()),
    "roundworks-fuzz": ({"roundworks", "roundworks-files"}, set()),
    "roundworks-files": ({"roundworks"}, set()),
    "roundworks-gpu": ({"roundworks"}, set()),
    "roundworks-py": (
        {
            "roundworks",
            "roundworks-baselines",
            "roundworks-search",
            "roundworks-bench",
            "roundworks-files",
            "roundworks-forms",
            "roundworks-gpu",
            "roundworks-lrat",
        },
        set(),
    ),
    "roundworks-capi": ({"roundworks", "roundworks-gpu"}, set()),
    "roundworks-header": (set(), set()),
}
SPEC_SUFFIXES = {".toml", ".json", ".md"}
UNSAFE_HOMES = {
    # The tests look at the dead stack, and at what is freed.
    "roundworks": ("src/arch/", "tests/suite/stack.rs", "tests/suite/remains.rs", "tests/heap.rs"),
    "roundworks-bench": "src/clock",
    "roundworks-ct": "src/machine.rs",
    "roundworks-gpu": "src/",
    "roundworks-peers": "src/libsodium.rs",
    "roundworks-py": ("src/buffer.rs", "src/gpu.rs", "src/gpu_aead.rs"),
    "roundworks-capi": "src/",
}
# family of kernels -> the other families it may include, in addition to common.
KERNELS: dict[str, set[str]] = {"aegis": {"aes"}, "gcm": {"aes", "ghash"}, "rocca": {"aes"}}


def main() -> int:
    """Prints what is against the flow; 1 if anything is."""
    problems = crate_problems() + spec_problems() + report_problems() + unsafe_problems() + kernel_problems()
    for problem in problems:
        print(f"layers: {problem}", file=sys.stderr)
    return 1 if problems else 0


def crate_problems() -> list[str]:
    """Crates that use another one to which no arrow leads."""
    command = ["cargo", "metadata", "--format-version", "1", "--no-deps", "--locked"]
    metadata = json.loads(subprocess.run(command, cwd=ROOT, check=True, capture_output=True).stdout)
    problems = []
    for package in metadata["packages"]:
        name = package["name"]
        if name not in CRATES:
            problems.append(f"crate {name}: not in tools/check_layers.py; say what it may use")
            continue
        allowed, tests = CRATES[name]
        for dependency in package["dependencies"]:
            other = dependency["name"]
            legal = allowed | tests if dependency["kind"] == "dev" else allowed
            if other in CRATES and other not in legal:
                problems.append(f"crate {name} uses {other}: against the flow")
    return problems


def spec_problems() -> list[str]:
    """spec/ is data: nothing in it runs."""
    return [
        f"{path.relative_to(ROOT)}: spec/ holds data only ({', '.join(sorted(SPEC_SUFFIXES))})"
        for path in sorted((ROOT / "spec").rglob("*"))
        if path.is_file() and path.suffix not in SPEC_SUFFIXES
    ]


def report_problems() -> list[str]:
    """The report shows rows, and computes none."""
    return [
        f"{path.relative_to(ROOT)}: the report uses the native module: against the flow"
        for path in sorted((ROOT / "python" / "roundworks" / "report").rglob("*.py"))
        if re.search(r"^ *(?:from|import) .*\b_native\b", path.read_text(), re.M)
    ]


def unsafe_problems() -> list[str]:
    """`unsafe` has few homes."""
    problems = []
    for path in sorted((ROOT / "crates").rglob("*.rs")):
        crate = path.relative_to(ROOT / "crates").parts[0]
        inside = str(path.relative_to(ROOT / "crates" / crate))
        home = UNSAFE_HOMES.get(crate)
        for number, line in enumerate(path.read_text().splitlines(), 1):
            code = line.split("//")[0]
            if ("unsafe {" in code or "unsafe fn" in code or "unsafe impl" in code) and not (
                home and inside.startswith(home)
            ):
                where = f"crates/{crate}/{inside}:{number}"
                problems.append(f"{where}: unsafe outside {home or 'any home of it'}")
    return problems


def kernel_problems() -> list[str]:
    """common includes itself, a family itself and common, and platform.hpp alone includes CUDA."""
    problems = []
    for path in sorted((ROOT / "kernels").rglob("*.[ch]*")):
        family = path.parent.name
        legal = {family, "common"} | KERNELS.get(family, set()) if family != "common" else {family}
        where = path.relative_to(ROOT)
        text = path.read_text()
        for name in re.findall(r'^#include "(.*)"', text, re.M):
            other = (path.parent / name).resolve().parent.name
            if other not in legal:
                problems.append(f"{where}: includes {other}: against the flow")
        if path.name != "platform.hpp" and re.search(r"^#include <cu", text, re.M):
            problems.append(f"{where}: includes CUDA; common/platform.hpp is the place")
    return problems


if __name__ == "__main__":
    sys.exit(main())
