"""The ceilings compute what they count, and nothing of it can be left out."""

from __future__ import annotations

import numpy as np

from gpu_tools import on_cpu

CHAINS, STEPS, ENTRIES, BANKS = 8, 32, 256, 32


def ran(entry: str, turns: int) -> list[int]:
    device = on_cpu()
    out = device.zeros(4 * 256)
    device.launch("ceilings", f"ceilings_{entry}", 256, out, turns)
    return np.frombuffer(out.read(4 * 256), np.uint32).tolist()


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
    device, data = on_cpu(), bytes(range(256)) * 3
    given, out = device.put(data), device.zeros(len(data))
    device.launch("ceilings", "ceilings_copy", 64, given, out, len(data) // 4)
    assert out.read(len(data)) == data
