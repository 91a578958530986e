"""Messages for a core to work on while its power is measured: no stalls, nothing checked.

That the core is right is for its bench to show; here its ports are recorded, and the gates
must then do what the source did. ROUNDWORKS_MESSAGE says how many bytes a message has, ROUNDWORKS_AD
how many of associated data come before them; a core that serves several in slot is given one for each.
"""

from __future__ import annotations

import os
from typing import Any

import cocotb
from cocotb.triggers import FallingEdge, ReadOnly

from roundworks.hardware.benches.common import Bench, Receiver, Sender, report, this_core
from roundworks.hardware.cycles.aead import of


class _Interleaved(Bench):
    """In each cycle the channels of the message whose slot it is, and no others."""

    def __init__(self, dut: Any, name: str, slots: int) -> None:
        super().__init__(dut, name)
        self.slots: list[list[Sender | Receiver]] = [[] for _ in range(slots)]

    async def step(self, cycles: int = 1) -> None:
        for _ in range(cycles):
            slot = self.slots[int(self.dut.slot_o.value)]
            for channel in slot:
                channel.drive()
            await ReadOnly()
            for channel in slot:
                channel.look()
            await FallingEdge(self.clock)
            self.cycle += 1


@cocotb.test()
async def message(dut: Any) -> None:
    """One message in each slot, for power estimation: its toggles are recorded, and nothing is compared."""
    size = int(os.environ["ROUNDWORKS_MESSAGE"])
    slots = of(this_core()).interleaved if hasattr(dut, "slot_o") else 1
    bench = _Interleaved(dut, "message", slots) if slots > 1 else Bench(dut, "message")
    if hasattr(dut, "blk_valid_i"):
        await _aead(dut, bench, int(os.environ.get("ROUNDWORKS_AD", "0")), size)
    else:
        await _blocks(dut, bench, size)
    await bench.step(4)
    report(kind="traffic", messages=slots)


async def _aead(dut: Any, bench: Bench, ad: int, size: int) -> None:
    """A message for each slot, encrypted."""
    dut.tag_i.value = 0
    slots = bench.slots if isinstance(bench, _Interleaved) else [bench.channels]
    streams = []
    for slot in slots:
        before = len(bench.channels)
        streams.append(
            (
                bench.sender("req", ("decrypt", "ad", "msg", "key", "nonce")),
                bench.sender("blk", ("data", "bytes", "last")),
                bench.receiver("out", ()),
                bench.receiver("rsp", ()),
            )
        )
        if slot is not bench.channels:
            slot += bench.channels[before:]
    await bench.start()
    for req, blk, _, _ in streams:
        _offer(dut, bench, ad, size, req, blk)
    for *_, rsp in streams:
        await bench.take(rsp)


def _offer(dut: Any, bench: Bench, ad: int, size: int, req: Sender, blk: Sender) -> None:
    rate = len(dut.blk_data_i) // 8
    key, nonce = (bench.rng.getrandbits(len(p)) for p in (dut.req_key_i, dut.req_nonce_i))
    req.send(decrypt=0, ad=int(ad > 0), msg=int(size > 0), key=key, nonce=nonce)
    for whole in (ad, size):
        for at in range(0, whole, rate):
            part = min(rate, whole - at)
            blk.send(data=bench.rng.getrandbits(8 * part), bytes=part, last=int(at + rate >= whole))


async def _blocks(dut: Any, bench: Bench, size: int) -> None:
    """Blocks one after another, under one key."""
    names = [n for n in ("decrypt", "key", "block", "data") if hasattr(dut, f"req_{n}_i")]
    req = bench.sender("req", names)
    rsp = bench.receiver("rsp", ())
    await bench.start()
    constant = {"decrypt": 0, "key": bench.rng.getrandbits(len(dut.req_key_i))}
    wide = len(req.pins[names[-1]])
    count = -(-size * 8 // wide)
    for _ in range(count):
        req.send(**constant, **{names[-1]: bench.rng.getrandbits(wide)})
    for _ in range(count):
        await bench.take(rsp)
