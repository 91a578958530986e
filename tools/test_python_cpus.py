"""The Python tests that reach the CPU, on CPUs that this machine is not.

Under qemu-user, on a CPU without AES and on one without AVX-512: the files below must pass there, on
exactly the back ends named. And here with the CPU's vendor, family, model and name hidden, as on one that
nobody has entered in spec/cpus.toml. `--hidden` runs that alone, on the words for pytest that follow:

    tools/test_python_cpus.py --hidden -n 2                    # the whole suite

A command that a test starts is not emulated: qemu-user runs it on this CPU. What cannot run is a
printed, counted skip; with ROUNDWORKS_REQUIRE_TOOLS=1, as in CI, a missing emulator is a failure. To
hide the name takes a mount namespace, which a container may refuse: that stays a skip.
"""

from __future__ import annotations

import argparse
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from test_cpus import CPUS, EmulatedCpu, Failure, Skip, emulated

ROOT = Path(__file__).resolve().parent.parent
# What may differ from CPU to CPU: back ends, the clock, and what is said of a CPU. Not
# aead/test_backends.py, nearly all of whose time is the description on numpy: the Rust tests compare the
# back ends on more lengths, and on these CPUs too.
EMULATED = (
    "aead/test_aead.py",
    "aead/test_into.py",
    "aead/test_many.py",
    "aead/test_incremental.py",
    "native/test_permutations.py",
    "reference/test_permutations.py",
    "bench/test_selftest.py",
    "cli/test_files.py",
    "cli/test_memory.py",
    "test_rows.py",
    "analysis/test_cpu_profiles.py",
    "report/test_permutations.py",
)
# What may differ with the name: the folder of rows, the profile of the cycle model.
UNNAMED = (
    "analysis/test_cpu_profiles.py",
    "analysis/test_cycles.py",
    "cli/test_fastest.py",
    "report/test_permutations.py",
    "test_rows.py",
)
# numpy wants x86-64-v2, which Nehalem is: it has no AES.
ON = (EmulatedCpu("Nehalem", "x86_64", "portable"), next(cpu for cpu in CPUS if cpu.model == "Haswell"))
# A machine's own choice of numpy's kernels, which may be instructions that the emulated CPU lacks.
KERNELS = ("OPENBLAS_CORETYPE", "NPY_ENABLE_CPU_FEATURES", "NPY_DISABLE_CPU_FEATURES")
NAMES = re.compile(r"^(vendor_id|cpu family|model|model name|stepping|CPU \w+)(\s*):.*$", re.MULTILINE)
THERE = (
    "from roundworks import aead, spec\n"
    "found = [b for f in spec.ciphers() if f.backends for b in aead.get(f.name).backends()]\n"
    "print(','.join(dict.fromkeys(name for name, there in found if there)))"
)


class Refused(Skip):
    """Nothing that could be installed would change it."""


def main() -> int:
    """Runs the Python tests on every CPU; 1 if one failed, or was skipped where tools are required."""
    parser = argparse.ArgumentParser(description="the Python tests that reach the CPU, on others")
    parser.add_argument("--hidden", action="store_true", help="only with the CPU's name hidden")
    arguments, words = parser.parse_known_args()
    if words and not arguments.hidden:
        parser.error(f"{words[0]}: want --hidden with words for pytest")
    runs: dict[str, Callable[[], str]] = {"a CPU without a name": lambda: hidden(words)}
    if not arguments.hidden:
        runs |= {cpu.model: lambda cpu=cpu: on(cpu) for cpu in ON}  # type: ignore[misc]
    ran, skipped, failed = 0, [], 0
    for name, run in runs.items():
        start = time.monotonic()
        try:
            result = run()
        except Skip as reason:
            skipped.append(reason)
            print(f"cpus: Python on {name}: skipped: {reason}", file=sys.stderr)
        except Failure as reason:
            failed += 1
            print(f"cpus: Python on {name}: failed: {reason}", file=sys.stderr)
        else:
            ran += 1
            print(f"cpus: Python on {name}: {result}; {time.monotonic() - start:.0f} s")
    print(f"cpus: Python: {ran} ran, {len(skipped)} skipped, {failed} failed")
    missing = [reason for reason in skipped if not isinstance(reason, Refused)]
    required = os.environ.get("ROUNDWORKS_REQUIRE_TOOLS") == "1"
    return 1 if failed or (required and missing) else 0


def on(cpu: EmulatedCpu) -> str:
    """The tests of `EMULATED` on an emulated CPU, after a look at the back ends that it has."""
    if platform.machine() != cpu.machine:
        raise Refused(f"this Python is of {platform.machine()}, not of {cpu.machine}")
    qemu = emulated(cpu)
    variables = {name: "" for name in KERNELS if name in os.environ}
    there = subprocess.run(
        [*qemu, sys.executable, "-c", THERE], capture_output=True, text=True, env=os.environ | variables
    )
    if there.returncode or there.stdout.strip() != cpu.backends:
        sys.stderr.write(there.stderr)
        raise Failure(f"back ends: want {cpu.backends}, got {there.stdout.strip() or 'none'}")
    # One process: what a test starts is not emulated.
    variables["ROUNDWORKS_REQUIRE_BACKENDS"] = cpu.backends
    return pytest([*qemu, sys.executable], ["-n", "0", *files(EMULATED)], variables)


def hidden(words: Sequence[str]) -> str:
    """Tests where /proc/cpuinfo names neither vendor nor model, and what it names stands for nothing."""
    text = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace")
    # Nobody else's namespace is changed; without root it takes one of users too.
    unshare = ["unshare", "--mount"] if os.geteuid() == 0 else ["unshare", "--mount", "--map-root-user"]
    if shutil.which("unshare") is None or subprocess.run([*unshare, "true"]).returncode:
        raise Refused("no mount namespace is to be had here")
    with tempfile.NamedTemporaryFile("w", suffix=".cpuinfo") as file:
        file.write(NAMES.sub(r"\1\2: unknown", text))
        file.flush()
        mount = f'mount --bind {file.name} /proc/cpuinfo && exec "$@"'
        return pytest([*unshare, "sh", "-c", mount, "sh", sys.executable], words or files(UNNAMED))


def files(names: Sequence[str]) -> list[str]:
    """Paths of test files, from the root of the checkout."""
    return [f"python/tests/{name}" for name in names]


def pytest(python: Sequence[str], words: Sequence[str], variables: Mapping[str, str] | None = None) -> str:
    """The line of pytest that counts."""
    done = subprocess.run(
        [*python, "-m", "pytest", "-q", "-p", "no:cacheprovider", *words],
        cwd=ROOT,
        text=True,
        env=os.environ | dict(variables or {}),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    last = (done.stdout.strip().splitlines() or ["nothing was said"])[-1]
    if done.returncode:
        sys.stderr.write(done.stdout)
        raise Failure(last)
    return last


if __name__ == "__main__":
    sys.exit(main())
