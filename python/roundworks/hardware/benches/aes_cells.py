"""The bench of AES's combinational parts, each against the description."""

from __future__ import annotations

from typing import Any

import cocotb

from roundworks.reference import IntWord
from roundworks.reference.aes import MIX_COLUMNS, SUB_BYTES, aes_last_round, aes_round

from .common import parameters, randomness, settle

BLOCKS = 50


def bytes_of(value: int, count: int) -> list[int]:
    """Bytes of a number, the least significant first."""
    return list(value.to_bytes(count, "little"))


def number(values: list[int]) -> int:
    """The number with these bytes, the least significant first."""
    return int.from_bytes(bytes(values), "little")


def bit_reversed(block: int) -> int:
    """Byte 0 from the lowest bits of a port to the highest of a description's word, or back."""
    return int.from_bytes(block.to_bytes(16, "little"), "big")


@cocotb.test()
async def sbox(dut: Any) -> None:
    """The S-box on all 256 bytes."""
    for x, want in enumerate(SUB_BYTES.table):
        dut.data_i.value = x
        await settle()
        assert int(dut.data_o.value) == want, f"S-box of {x:02x}: want {want:02x}"


@cocotb.test()
async def inverse_sbox(dut: Any) -> None:
    """The inverse S-box on all 256 bytes."""
    for want, x in enumerate(SUB_BYTES.table):
        dut.data_i.value = x
        await settle()
        assert int(dut.data_o.value) == want, f"inverse S-box of {x:02x}: want {want:02x}"


@cocotb.test()
async def mix_column(dut: Any) -> None:
    """It is linear: every bit alone, then random columns."""
    rng = randomness("mix_column")
    columns = [1 << i for i in range(32)] + [rng.getrandbits(32) for _ in range(BLOCKS)]
    for column in columns:
        dut.data_i.value = column
        await settle()
        want = number(MIX_COLUMNS.apply(bytes_of(column, 4)))
        assert int(dut.data_o.value) == want, f"column {column:08x}: want {want:08x}"


@cocotb.test()
async def one_round(dut: Any) -> None:
    """A round of random states and keys, compared with the description."""
    rng = randomness("one_round")
    for _ in range(BLOCKS):
        state, key = rng.getrandbits(128), rng.getrandbits(128)
        dut.state_i.value, dut.key_i.value = state, key
        await settle()
        want = aes_round(IntWord(bit_reversed(state), 128), bit_reversed(key)).value
        assert bit_reversed(int(dut.state_o.value)) == want, f"round of {state:032x}, key {key:032x}"


@cocotb.test()
async def cipher_round(dut: Any) -> None:
    """Forward against the description; backward it must undo that, key before columns."""
    rng = randomness("cipher_round")
    for i in range(BLOCKS):
        state, key, last = rng.getrandbits(128), rng.getrandbits(128), i % 2
        word = IntWord(bit_reversed(state), 128)
        forward = (aes_last_round if last else aes_round)(word, bit_reversed(key)).value
        dut.key_i.value, dut.last_i.value, dut.decrypt_i.value = key, last, 0
        dut.state_i.value = state
        await settle()
        assert bit_reversed(int(dut.state_o.value)) == forward, f"round of {state:032x}, last {last}"
        if parameters()["Decrypt"] != "1":
            continue
        # Of ShiftRows(SubBytes(x)) it makes x ^ key, or what MixColumns turns into that.
        plain = IntWord(rng.getrandbits(128), 128)
        dut.state_i.value, dut.decrypt_i.value = bit_reversed(aes_last_round(plain, 0).value), 1
        await settle()
        back = IntWord(bit_reversed(int(dut.state_o.value)), 128)
        inverse = back if last else back.mix(MIX_COLUMNS)
        assert inverse.value == plain.value ^ bit_reversed(key), f"inverse round, last {last}"
