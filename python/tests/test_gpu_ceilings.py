"""The ceilings do what they are told, and nothing of it can be left out."""

from __future__ import annotations

import numpy as np

from gpu_tools import need
from roundworks.gpu.machine import Host

CHAINS, STEPS, ENTRIES, BANKS = 8, 32, 256, 32


def ran(entry: str, turns: int) -> list[int]:
    need("g++")
    host = Host()
    out = host.zeros(4 * 256)
    host.call("ceilings", f"ceilings_{entry}", 256, out, np.uint32(turns))
    return np.frombuffer(host.get(out, 4 * 256), np.uint32).tolist()


def test_logic() -> None:
    for turns in (0, 1, 3):
        want = []
        for at in range(256):
            x = [at + i for i in range(CHAINS)]
            for _ in range(turns * STEPS):
                for i in range(CHAINS):
                    a, b, c = x[i], x[(i + 1) % CHAINS], x[(i + 3) % CHAINS]
                    x[i] = ~((a & b) ^ c) & 0xFFFFFFFF
            total = 0
            for one in x:
                total ^= one
            want.append(total)
        assert ran("lop3", turns) == want


def test_look_ups_walk_the_whole_table_in_the_lanes_own_bank() -> None:
    for turns in (0, 1, 5):
        want = []
        for at in range(256):
            bank, total = at % BANKS, 0
            for i in range(CHAINS):
                x = i
                for _ in range(turns * STEPS):
                    x = (5 * x + 1) % ENTRIES
                total += x * BANKS + bank
            want.append(total)
        assert ran("look_ups", turns) == want


def test_copy() -> None:
    need("g++")
    host, data = Host(), bytes(range(256)) * 3
    out = host.zeros(len(data))
    host.call("ceilings", "ceilings_copy", 64, host.put(data), out, np.uint64(len(data) // 4))
    assert host.get(out, len(data)) == data
