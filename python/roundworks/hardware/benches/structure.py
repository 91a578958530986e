"""The bench of a round of a searched structure, compared with the reference of its inner function.

ROUNDWORKS_STRUCTURE says the words, the structure as the search gives it, and the inner function.
"""

from __future__ import annotations

import json
import os
from typing import Any

import cocotb

from roundworks.hardware.generate.components import functions
from roundworks.reference import IntWord

from .aes_cells import bit_reversed
from .common import randomness, settle

ROUNDS = 20


@cocotb.test()
async def one_round(dut: Any) -> None:
    """A round of random states and blocks, compared with the structure's definition."""
    given = json.loads(os.environ["ROUNDWORKS_STRUCTURE"])
    words, (positions, pi) = given["words"], given["structure"]
    f, rng = functions()[given["inner"]], randomness("one_round")
    for _ in range(ROUNDS):
        state = [rng.getrandbits(128) for _ in range(words)]
        blocks = [rng.getrandbits(128) for _ in positions]
        dut.state_i.value = sum(bit_reversed(x) << 128 * i for i, x in enumerate(state))
        dut.block_i.value = sum(bit_reversed(x) << 128 * i for i, x in enumerate(blocks))
        await settle()
        got, other, block = int(dut.state_o.value), iter(pi), iter(blocks)
        for i in range(words):
            added = next(block) if i in positions else state[next(other)]
            want = f(IntWord(state[(i - 1) % words], 128)).value ^ added  # type: ignore[arg-type,attr-defined]
            word = bit_reversed(got >> 128 * i & (1 << 128) - 1)
            assert word == want, f"word {i}: want {want:032x}, got {word:032x}"
