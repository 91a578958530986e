"""What a result row says about where it was made: machine, commit, tools."""

import functools
import hashlib
import os
import platform
import re
import subprocess
from pathlib import Path
from typing import Any

from ._native import rustc_version

# The instruction sets a back end or a timer may depend on; the rest of the flags are noise here.
_OF_THE_SLUG = (
    "sse2",
    "ssse3",
    "sse4_1",
    "sse4_2",
    "aes",
    "pclmulqdq",
    "avx",
    "avx2",
    "bmi1",
    "bmi2",
    "gfni",
    "vaes",
    "vpclmulqdq",
    "avx512f",
    "avx512bw",
    "avx512dq",
    "avx512vl",
    "avx512vbmi",
    "avx512_vbmi2",
    "sha_ni",
    "constant_tsc",
    "nonstop_tsc",
    "hypervisor",
    "neon",
    "asimd",
    "sha2",
    "pmull",
    "sve",
)
# Flags that differ between cores (`spec.profile_of`) but decides no back end: outside the slug, so that rows of
# before keep their folder.
_OF_THE_CORE = ("avx_vnni", "avx512_bf16", "avx512_fp16", "amx_tile", "sve2")


def _run(*argv: str, cwd: Path | None = None) -> str | None:
    """Standard output of a command, or None where the tool is missing or says no."""
    try:
        done = subprocess.run(argv, cwd=cwd, capture_output=True, text=True, timeout=20)
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout.strip() if done.returncode == 0 else None


def _key_values(path: str, separator: str) -> dict[str, str]:
    """First value of each ``key<separator>value`` line; empty where the file does not exist."""
    results: dict[str, str] = {}
    try:
        text = Path(path).read_text(encoding="utf-8", errors="replace")
    except OSError:
        return results
    for line in text.splitlines():
        key, mark, value = line.partition(separator)
        if mark:
            results.setdefault(key.strip(), value.strip().strip('"'))
    return results


@functools.cache
def describe() -> dict[str, Any]:
    """The facts of machine.json. No host name, no user, no path: the file is published."""
    return facts_of(_key_values("/proc/cpuinfo", ":"))


def facts_of(cpu: dict[str, str]) -> dict[str, Any]:
    """The facts where /proc/cpuinfo says this of the first CPU."""
    memory_kib = _key_values("/proc/meminfo", ":").get("MemTotal", "").split()
    flags = set((cpu.get("flags") or cpu.get("Features") or "").split())
    return {
        "cpu": cpu.get("model name") or platform.processor() or platform.machine(),
        # Of Arm implementer, architecture, part, and variant with revision.
        "vendor": cpu.get("vendor_id") or cpu.get("CPU implementer", "unknown"),
        "family": cpu.get("cpu family") or cpu.get("CPU architecture", "unknown"),
        "model": cpu.get("model") or cpu.get("CPU part", "unknown"),
        "stepping": cpu.get("stepping")
        or " ".join(cpu[key] for key in ("CPU variant", "CPU revision") if key in cpu)
        or "unknown",
        "architecture": platform.machine(),
        "cores": os.cpu_count() or 1,
        "flags": [flag for flag in (*_OF_THE_SLUG, *_OF_THE_CORE) if flag in flags],
        "memory_gib": round(int(memory_kib[0]) / 2**20) if memory_kib else None,
        "os": _key_values("/etc/os-release", "=").get("PRETTY_NAME", platform.system()),
        # The number only: what a provider appends to it names the provider.
        "kernel": f"{platform.system()} {platform.release().partition('-')[0]}",
    }


@functools.cache
def slug() -> str:
    """A short stable name, such as ``intel-xeon-2c-3fa9c1``.

    The hash covers what decides speed and available back ends. Memory and kernel are left out:
    both change under the same processor and would scatter its rows over several folders.
    """
    facts = describe()
    words = re.sub(
        r"\((r|tm|c)\)|\b(cpu|processor|core|with|gen|\d+-core)\b|@.*", " ", str(facts["cpu"]).lower()
    )
    name = "-".join(re.findall(r"[a-z0-9]+", words)[:3]) or facts["architecture"].lower()
    decisive = [facts[k] for k in ("cpu", "family", "model", "stepping", "cores")]
    decisive.append([flag for flag in facts["flags"] if flag in _OF_THE_SLUG])
    digest = hashlib.sha256(repr(decisive).encode()).hexdigest()[:6]
    return f"{name.replace('_', '-')}-{facts['cores']}c-{digest}"


@functools.cache
def code(package: Path = Path(__file__).parent) -> str:
    """A digest of the code that computes: the package without command line and report, and the native module.

    Workers of one study have the same, whatever their commits say.
    """
    files = [file for suffix in ("*.py", "*.so") for file in package.rglob(suffix)]
    names = sorted((file.relative_to(package).as_posix(), file) for file in files)
    digest = hashlib.sha256()
    for name, file in names:
        if not name.startswith(("cli/", "report/", "data/")):
            digest.update(f"{name}\n".encode() + hashlib.sha256(file.read_bytes()).digest())
    return digest.hexdigest()[:12]


def outdated(built: Path, root: Path) -> bool:
    """Whether a source of the core is newer than a file that was built with it: what runs is then not what stands
    there."""
    if not built.exists():
        return False
    made = built.stat().st_mtime
    return any(file.stat().st_mtime > made for file in (root / "crates" / "roundworks" / "src").rglob("*.rs"))


@functools.cache
def commit(root: Path) -> str:
    """Hash of HEAD, with ``-dirty`` if tracked code differs from it, or the native module is older than its
    sources; ``unknown`` outside git.

    ``results/`` does not count as dirt: appending one row would taint every later one.
    """
    if not (root / ".git").exists():  # a package may lie within somebody else's repository
        return "unknown"
    head = _run("git", "rev-parse", "--short=12", "HEAD", cwd=root)
    if head is None or not re.fullmatch(r"[0-9a-f]{7,40}", head):
        return "unknown"
    changes = _run(
        "git", "status", "--porcelain", "--untracked-files=no", "--", ".", ":(exclude)results", cwd=root
    )
    modules = (root / "python" / "roundworks").glob("_native*.so")
    return f"{head}-dirty" if changes or any(outdated(file, root) for file in modules) else head


@functools.cache
def tools(version: str) -> dict[str, str]:
    """Versions of what made a row: this package, Python, and the compiler of the native module."""
    return {"roundworks": version, "python": platform.python_version(), "rustc": rustc_version()}
