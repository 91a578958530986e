"""The bench of the AES cores: every one has the interface of rtl/aes/aes_pkg.sv."""

from __future__ import annotations

import random
from typing import Any

import cocotb

from roundworks import spec
from roundworks.hardware.cores import core
from roundworks.hardware.cycles.aes import FORMULAS, BlockCycles, total
from roundworks.reference.gcm import Aes128Gcm, round_keys

from .common import Bench, Stall, core_name, no_stall, parameters, random_stall, report

BLOCKS = 24
Case = tuple[bytes, bytes, bytes, bool]  # key, block, result, whether to decrypt


def key_bits() -> int:
    """Size of the key that the core was built for."""
    return int(parameters()["KeyBits"])


def decrypts() -> bool:
    """Whether the core was built to decrypt, too."""
    return parameters().get("Decrypt") == "1"


def formula(decrypt: bool) -> BlockCycles:
    """The core's formula of cycles for this direction."""
    return FORMULAS[core(core_name()).cycles](key_bits(), decrypt)


def encrypted(key: bytes, block: bytes) -> bytes:
    """The block under AES, by the description."""
    (found,) = Aes128Gcm().cipher(round_keys(key), [int.from_bytes(block, "big")])
    return found.to_bytes(16, "big")


def cases(rng: random.Random, count: int, *, both: bool) -> list[Case]:
    """Random blocks; the key changes with every third, and with every fifth in one bit alone."""
    cases = []
    key = rng.randbytes(key_bits() // 8)
    for i in range(count):
        if i % 3 == 0:
            key = rng.randbytes(key_bits() // 8)
        if i % 5 == 0:
            bit = rng.randrange(key_bits())
            key = (int.from_bytes(key, "little") ^ 1 << bit).to_bytes(len(key), "little")
        plain = rng.randbytes(16)
        cipher, decrypt = encrypted(key, plain), both and rng.random() < 0.5
        cases.append((key, cipher, plain, True) if decrypt else (key, plain, cipher, False))
    return cases


class AesBench(Bench):
    """Requests in, responses out. Byte 0 of a block or key stands in its lowest bits."""

    def __init__(self, dut: Any, name: str, stall: Stall = no_stall) -> None:
        super().__init__(dut, name)
        self.req = self.sender("req", ("decrypt", "key", "block"), stall)
        self.rsp = self.receiver("rsp", ("block",), stall)

    def send(self, cases: list[Case]) -> list[Any]:
        """Queue a request for each case."""
        return [
            self.req.send(
                key=int.from_bytes(key, "little"), block=int.from_bytes(block, "little"), decrypt=int(decrypt)
            )
            for key, block, _, decrypt in cases
        ]

    async def check(self, cases: list[Case]) -> list[int]:
        """The cycles in which the responses were taken; all must be right."""
        cycles = []
        for key, block, want, decrypt in cases:
            response = await self.take(self.rsp)
            block_got = response.fields["block"].to_bytes(16, "little")
            assert block_got == want, (
                f"{'decrypt' if decrypt else 'encrypt'} key {key.hex()} block {block.hex()}:"
                f" want {want.hex()}, got {block_got.hex()}"
            )
            cycles.append(response.cycle or 0)
        return cycles


async def stream(dut: Any, name: str, stall: Stall) -> None:
    """Random blocks one after another under a pattern of stalls; every response must be right."""
    bench = AesBench(dut, name, stall)
    await bench.start()
    wanted = cases(bench.rng, BLOCKS, both=decrypts())
    bench.send(wanted)
    await bench.check(wanted)


@cocotb.test()
async def standard_vectors(dut: Any) -> None:
    """[FIPS197, appendix B] [FIPS197, appendix C]"""
    bench = AesBench(dut, "standard_vectors")
    await bench.start()
    wanted: list[Case] = []
    for v in spec.function_vectors(f"aes-{key_bits()}-gcm"):
        wanted.append((v.parts["key"], v.parts["block"], v.output, False))
        if decrypts():
            wanted.append((v.parts["key"], v.output, v.parts["block"], True))
    assert wanted
    bench.send(wanted)
    await bench.check(wanted)


@cocotb.test()
async def without_stalls(dut: Any) -> None:
    """Random blocks, offered and taken in every cycle."""
    await stream(dut, "without_stalls", no_stall)


@cocotb.test()
async def with_stalls(dut: Any) -> None:
    """Random blocks, offered and taken in random cycles."""
    await stream(dut, "with_stalls", random_stall)


@cocotb.test()
async def reset_in_the_middle(dut: Any) -> None:
    """At any cycle of a block: what was under way never comes out, and the next block is right."""
    bench = AesBench(dut, "reset_in_the_middle")
    await bench.start()
    for _ in range(12):
        lost, kept = cases(bench.rng, 3, both=decrypts()), cases(bench.rng, 2, both=decrypts())
        bench.send(lost)
        await bench.step(1 + bench.rng.randrange(formula(decrypts()).latency + 2))
        await bench.reset()
        bench.send(kept)
        await bench.check(kept)
        assert not bench.rsp.taken


@cocotb.test()
async def ignores_what_it_cannot(dut: Any) -> None:
    """A core without decryption encrypts, whatever req_decrypt_i says."""
    if decrypts():
        return
    bench = AesBench(dut, "ignores_what_it_cannot")
    await bench.start()
    wanted = cases(bench.rng, 3, both=False)
    bench.send([(key, block, want, True) for key, block, want, _ in wanted])
    await bench.check(wanted)


@cocotb.test()
async def cycles(dut: Any) -> None:
    """One block, and many with requests waiting, take what the formula says."""
    bench = AesBench(dut, "cycles")
    await bench.start()
    for decrypt in (False, True)[: 1 + decrypts()]:
        formed = formula(decrypt)
        for count in (1, 2, BLOCKS):
            wanted = cases(bench.rng, count, both=False)
            if decrypt:
                wanted = [(key, want, block, True) for key, block, want, _ in wanted]
            first, *_ = bench.send(wanted)
            *_, last = await bench.check(wanted)
            assert first.cycle is not None
            took = last - first.cycle
            assert took == total(formed, count), f"{count} blocks: {took} cycles, not {formed}"
            report(blocks=count, decrypt=decrypt, cycles=took)
