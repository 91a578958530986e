"""A message for a core to work on while its power is measured: no stalls, nothing checked.

That the core answers rightly is for its bench to show; here its ports are recorded, and the gates
must then answer as the source did. ROUNDWORKS_MESSAGE says how many bytes, ROUNDWORKS_AD how many of
associated data come before them.
"""

from __future__ import annotations

import os
from typing import Any

import cocotb

from roundworks.hardware.benches.common import Bench


@cocotb.test()
async def message(dut: Any) -> None:
    size = int(os.environ["ROUNDWORKS_MESSAGE"])
    bench = Bench(dut, "message")
    if hasattr(dut, "blk_valid_i"):
        await _aead(dut, bench, int(os.environ.get("ROUNDWORKS_AD", "0")), size)
    else:
        await _blocks(dut, bench, size)
    await bench.step(4)


async def _aead(dut: Any, bench: Bench, ad: int, size: int) -> None:
    """One message, encrypted."""
    rate = len(dut.blk_data_i) // 8
    req = bench.sender("req", ("decrypt", "ad", "msg", "key", "nonce"))
    blk = bench.sender("blk", ("data", "bytes", "last"))
    bench.receiver("out", ())
    rsp = bench.receiver("rsp", ())
    dut.tag_i.value = 0
    await bench.start()
    key, nonce = (bench.rng.getrandbits(len(p)) for p in (dut.req_key_i, dut.req_nonce_i))
    req.send(decrypt=0, ad=int(ad > 0), msg=int(size > 0), key=key, nonce=nonce)
    for whole in (ad, size):
        for at in range(0, whole, rate):
            part = min(rate, whole - at)
            blk.send(data=bench.rng.getrandbits(8 * part), bytes=part, last=int(at + rate >= whole))
    await bench.take(rsp)


async def _blocks(dut: Any, bench: Bench, size: int) -> None:
    """Blocks one after another, under one key."""
    names = [n for n in ("decrypt", "key", "block", "data") if hasattr(dut, f"req_{n}_i")]
    req = bench.sender("req", names)
    rsp = bench.receiver("rsp", ())
    await bench.start()
    held = {"decrypt": 0, "key": bench.rng.getrandbits(len(dut.req_key_i))}
    wide = len(req.pins[names[-1]])
    count = -(-size * 8 // wide)
    for _ in range(count):
        req.send(**held, **{names[-1]: bench.rng.getrandbits(wide)})
    for _ in range(count):
        await bench.take(rsp)
