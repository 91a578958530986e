"""The bench of the small core without registers; runs inside a simulator."""

import cocotb

from roundworks.hardware.benches.common import parameters, randomness, settle


@cocotb.test()
async def adds(dut) -> None:
    rng = randomness("adds")
    for _ in range(100):
        data, key = rng.randrange(256), rng.randrange(256)
        dut.data_i.value, dut.key_i.value = data, key
        await settle()
        want = data ^ key if parameters()["Kind"] == "xor" else (data + key) % 256
        assert int(dut.data_o.value) == want
