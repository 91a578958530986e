"""The core's tests on CPUs that this machine is not, under qemu-user.

`--short` lets few cases stand for all, on CPUs of this machine's kind, for which nothing is compiled; `make test` runs
it so. Each CPU must have the back ends named here and no other, so a detection that sees too little or too much fails.
Not in the list: a CPU with AVX-512, which qemu 7.2 does not have. It has VAES, but computes it wrongly, so there only
detection and choice are tested.

What cannot run here is a printed, counted skip; with ROUNDWORKS_REQUIRE_TOOLS=1, as in CI, a failure.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import re
import shutil
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
AARCH64 = "aarch64-unknown-linux-gnu"
# The core's own test programs; every other crate reaches a CPU's instructions through it.
PACKAGE = "roundworks"
# Tests of every pair of lengths: minutes for one emulated CPU. Of this machine's kind they are left out always: the
# same code runs them on the machine itself.
LONG_TESTS = ("on_all_pairs_of_lengths",)
# Which back ends a CPU has, and which is taken.
DETECTION = ("back_ends", "new_takes_the_fastest_back_end")
# What a program of another machine can do otherwise than this one's: what its back ends compute, and
# which they are. The unit tests, for which the core is compiled once more, wait for the long form.
SHORT_PROGRAMS = ("suite", "summary")


@dataclass(frozen=True, slots=True)
class EmulatedCpu:
    """A model of qemu-user, and the back ends it must have: these and no other."""

    model: str
    machine: str
    backends: str
    # Features of the model that qemu does not emulate and would warn about in every line.
    without: tuple[str, ...] = ()
    # Names of the tests to run, and those of the short form; all if there is none.
    only: tuple[str, ...] = ()
    only_short: tuple[str, ...] = ()


CPUS = (
    EmulatedCpu("cortex-a72", "aarch64", "portable,aarch64"),
    # In short little where this machine runs the same code itself: of Westmere it has none, for a CPU with AVX takes
    # instructions of three operands.
    EmulatedCpu("qemu64", "x86_64", "portable", only_short=DETECTION),
    EmulatedCpu("Westmere", "x86_64", "portable,aesni"),
    EmulatedCpu(
        "Haswell",
        "x86_64",
        "portable,aesni,avx2",
        without=("pcid", "x2apic", "tsc-deadline", "hle", "invpcid", "rtm"),
        only_short=(*DETECTION, "vectors"),
    ),
    EmulatedCpu("max", "x86_64", "portable,aesni,avx2,vaes256", only=DETECTION),
)


class Skip(Exception):
    """This machine cannot run the tests; says why, and what to do."""


class Failure(Exception):
    """The tests ran and failed, or would not build."""


def main() -> int:
    """Runs the tests on every CPU; 1 if one failed, or was skipped where tools are required."""
    parser = argparse.ArgumentParser(description="the core's tests on emulated CPUs")
    parser.add_argument("--short", action="store_true", help="few cases, on CPUs of this machine's kind")
    short = parser.parse_args().short
    required = os.environ.get("ROUNDWORKS_REQUIRE_TOOLS") == "1"
    ran, skipped, failed = 0, 0, 0
    for cpu in CPUS:
        if short and cpu.machine != platform.machine():
            print(
                f"cpus: {cpu.model}: left to the long form, for the core would be compiled for {cpu.machine}"
            )
            continue
        start = time.monotonic()
        try:
            count = run(cpu, short)
        except Skip as reason:
            skipped += 1
            print(f"cpus: {cpu.model}: skipped: {reason}", file=sys.stderr)
        except Failure as reason:
            failed += 1
            print(f"cpus: {cpu.model}: failed: {reason}", file=sys.stderr)
        else:
            ran += 1
            seconds = time.monotonic() - start
            print(f"cpus: {cpu.model}: {count} tests passed on {cpu.backends}; {seconds:.0f} s")
    print(f"cpus: {ran} ran, {skipped} skipped, {failed} failed")
    return 1 if failed or (required and skipped) else 0


def run(cpu: EmulatedCpu, short: bool) -> int:
    """The number of tests that passed."""
    qemu = emulated(cpu)
    environment = dict(os.environ, ROUNDWORKS_REQUIRE_BACKENDS=cpu.backends, ROUNDWORKS_NO_OTHER_BACKENDS="1")
    arguments = ["--quiet", *(cpu.only_short if short and cpu.only_short else cpu.only)]
    if short:
        environment["ROUNDWORKS_SHORT_TESTS"] = "1"
    if short or cpu.machine == platform.machine():
        arguments += [word for name in LONG_TESTS for word in ("--skip", name)]
    passed = 0
    for program in programs(cpu.machine, short):
        done = subprocess.run(
            [*qemu, program, *arguments],
            cwd=ROOT / "crates" / PACKAGE,
            env=environment,
            capture_output=True,
            text=True,
        )
        counts = re.findall(r"^test result: ok\. (\d+) passed", done.stdout, re.MULTILINE)
        if done.returncode or not counts:
            sys.stderr.write(done.stdout + done.stderr)
            raise Failure(f"{Path(program).name}: exit status {done.returncode}")
        passed += sum(map(int, counts))
    if not passed:
        raise Failure("no test ran")
    return passed


def emulated(cpu: EmulatedCpu) -> list[str]:
    """The command that runs a program on that CPU."""
    return [*emulator(cpu.machine), "-cpu", ",-".join((cpu.model, *cpu.without))]


def emulator(machine: str) -> list[str]:
    """The command that runs a program of that machine."""
    qemu = shutil.which(f"qemu-{machine}-static") or shutil.which(f"qemu-{machine}")
    if qemu is None:
        raise Skip(f"qemu-{machine} not found; apt-get install qemu-user-static")
    if machine == platform.machine():
        return [qemu]
    library = Path(f"/usr/{machine}-linux-gnu")
    return [qemu, "-L", str(library)] if library.is_dir() else [qemu]


def programs(machine: str, short: bool) -> list[str]:
    """The test programs of the core, built for that machine."""
    environment = dict(os.environ)
    chosen = [word for name in SHORT_PROGRAMS for word in ("--test", name)] if short else []
    if machine == platform.machine():
        # As `make test` builds them, so that nothing is built twice.
        build = ["--workspace", "--exclude", "roundworks-py", "--release"]
    elif machine == "aarch64":
        linker = "aarch64-linux-gnu-gcc"
        if shutil.which(linker) is None:
            raise Skip(f"{linker} not found; apt-get install gcc-aarch64-linux-gnu")
        if AARCH64 not in installed_targets():
            raise Skip(f"no Rust library for {AARCH64}; rustup target add {AARCH64}")
        environment["CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER"] = linker
        build = ["-p", PACKAGE, "--profile", "emulated", "--target", AARCH64]
    else:
        raise Skip(f"programs for {machine} are built on {machine} only, this is {platform.machine()}")
    done = subprocess.run(
        ["cargo", "test", "--no-run", "--locked", "--quiet", "--message-format=json", *build, *chosen],
        cwd=ROOT,
        env=environment,
        stdout=subprocess.PIPE,
        text=True,
    )
    if done.returncode:
        raise Failure("the tests do not build")
    messages = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    home = str(ROOT / "crates" / PACKAGE) + os.sep
    built = [
        m["executable"]
        for m in messages
        if m["reason"] == "compiler-artifact" and m["executable"] and m["target"]["src_path"].startswith(home)
    ]
    if not built:
        raise Failure(f"cargo built no test program of {PACKAGE}")
    return built


def installed_targets() -> set[str]:
    """Those whose standard library is next to the compiler, whoever put it there."""
    sysroot = subprocess.run(
        ["rustc", "--print", "sysroot"], cwd=ROOT, check=True, capture_output=True, text=True
    ).stdout.strip()
    return {path.name for path in (Path(sysroot) / "lib" / "rustlib").iterdir()}


if __name__ == "__main__":
    sys.exit(main())
