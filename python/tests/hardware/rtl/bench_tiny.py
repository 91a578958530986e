"""The bench of the small core with registers; runs inside a simulator."""

import cocotb

from roundworks.hardware.benches.common import Bench, no_stall, parameters, random_stall, report


def wanted(data: int, key: int) -> int:
    return data ^ key if parameters()["Kind"] == "xor" else (data + key) % 256


async def passes(dut, stall) -> None:
    bench = Bench(dut, stall.__name__)
    req = bench.sender("req", ("data", "key"), stall)
    rsp = bench.receiver("rsp", ("data",), stall)
    await bench.start()
    sent = [(bench.rng.randrange(256), bench.rng.randrange(256)) for _ in range(50)]
    for again in range(2):
        transfers = [req.send(data=d, key=k) for d, k in sent]
        if not again:  # a reset in the middle: nothing of it may come out later
            await bench.done(transfers[20])
            await bench.reset()
            continue
        values = [await bench.take(rsp) for _ in sent]
        assert [t.fields["data"] for t in values] == [wanted(d, k) for d, k in sent]
        if stall is no_stall:
            depth = int(parameters()["Depth"])
            taken, last = transfers[0].cycle, values[-1].cycle
            assert last - taken == len(sent) - 1 + depth
            report(messages=len(sent), cycles=last - taken)


@cocotb.test()
async def without_stalls(dut) -> None:
    await passes(dut, no_stall)


@cocotb.test()
async def with_stalls(dut) -> None:
    await passes(dut, random_stall)
