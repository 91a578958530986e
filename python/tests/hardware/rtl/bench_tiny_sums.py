"""The bench of sums with negations inside; runs inside a simulator."""

import cocotb

from roundworks.hardware.benches.common import settle


@cocotb.test()
async def keeps_every_negation(dut) -> None:
    for data in range(256):
        x = [data >> i & 1 for i in range(8)]
        dut.data_i.value = data
        await settle()
        want = x[0] ^ x[1] & x[2] ^ x[3], x[4] ^ x[5] & x[6] ^ x[7]
        value = int(dut.data_o.value)
        assert (value >> 1, value & 1) == want, f"data {data:02x}"
