"""A core under a load of many blocks, in a simulation without a bench: millions of cycles."""

from __future__ import annotations

import re
from dataclasses import dataclass

from ... import cache, spec
from ...errors import HardwareError
from ..cores import core
from . import tools

CORE = "aes-stepped"
_TOP = "aes_workload"
_SAID = re.compile(r"workload blocks=(\d+) cycles=(\d+) repeated=(\d+) digest=([0-9a-f]{32})")


@dataclass(frozen=True, slots=True)
class Workload:
    """``repeated``: cycles of the rounds between the first key and the last round, all blocks
    together. ``digest``: XOR of all ciphertexts, byte 0 first."""

    blocks: int
    cycles: int
    repeated: int
    digest: str
    version: str


def workload(blocks: int) -> Workload:
    """Counter blocks under the key 00 01 .. 0f through aes-stepped, nothing waiting."""
    files = [*core(CORE).files, spec.root() / "rtl" / "aes" / "tb" / f"{_TOP}.sv"]
    version = tools.version("verilator")
    name = f"{_TOP}-{cache.key(files, {'blocks': blocks, 'verilator': version})}"
    folder, log = cache.home() / "sim" / name, cache.home() / "logs" / f"{name}.log"
    log.parent.mkdir(parents=True, exist_ok=True)
    if not folder.is_dir():
        with cache.making(folder) as part:
            tools.run(
                [
                    tools.find("verilator"),
                    "--binary",
                    "-O3",
                    "--Mdir",
                    "work",
                    "-Wno-fatal",
                    "-Wno-lint",
                    "-Wno-style",
                    "--top-module",
                    _TOP,
                    f"-GBlocks={blocks}",
                    "-o",
                    "../simulation",
                    *files,
                ],
                part,
                log=log,
                what=f"{_TOP}: verilator",
            )
    text = tools.run([folder / "simulation"], folder, log=log.with_suffix(".run.log"), what=_TOP, limit=3600)
    printed = _SAID.search(text)
    if not printed:
        raise HardwareError(f"{_TOP}: ended without its line; {log.with_suffix('.run.log')}")
    blocks_done, cycles, repeated = map(int, printed.groups()[:3])
    digest = bytes.fromhex(printed[4])[::-1].hex()  # printed as a number, byte 15 first
    return Workload(blocks_done, cycles, repeated, digest, version)
