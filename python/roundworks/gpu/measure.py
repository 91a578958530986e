"""Everything that a GPU is asked in one call: checks, ceilings, the paper's tables, sizes.

Nothing is timed before the device gave the bytes of the vectors and of the host's thread code. A
sample is of all of its work, and every one is kept.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

import numpy as np

from .. import spec
from ..errors import InvalidTag, KernelError
from . import measure_bus, measure_gcm, measure_streams
from .bench import PARTS_BLOCKS, SIZES, Bench, digest, paper_counts, pattern
from .device import Device, Memory, Pinned
from .long import PIECE
from .machine import Host, Machine
from .minalpher import BLOCK, FACTS, MESSAGE, Minalpher
from .minalpher_many import Minalpher as ManyOfMinalpher
from .pieces import Piece, cut

_KEY, _NONCE = bytes(range(16)), bytes(range(13))
_TAG = FACTS.tag_bytes
_CHAINED = 8 * 32  # LOP3 or look-ups of a turn in kernels/ceilings


# -- right before fast -------------------------------------------------------------------------
def check_minalpher(machine: Machine) -> int:
    """All vectors of the AEAD; returns how many."""
    seen = 0
    for v in spec.aead_vectors("minalpher"):
        cipher = Minalpher(v.key, machine)
        if v.valid and cipher.encrypt(v.nonce, v.pt, v.ad) != v.ct + v.tag:
            raise KernelError(f"minalpher: vector {v.id}: the kernel gives other bytes")
        try:
            right = cipher.decrypt(v.nonce, v.ct + v.tag, v.ad) == v.pt
        except InvalidTag:
            right = not v.valid
        if not right:
            raise KernelError(f"minalpher: vector {v.id}: the kernel decides otherwise")
        seen += 1
    return seen


def check_batch(machine: Machine) -> int:
    """Messages side by side give what one launch gives; a wrong tag nothing."""
    cipher, sizes = Minalpher(_KEY, machine), (0, 31, 32, 1023, 1024, 3000, 70_000)
    nonces = [_NONCE[:-1] + bytes((i,)) for i in range(len(sizes))]
    data = [pattern(size).tobytes() for size in sizes]
    ads = [pattern(33 * i).tobytes() for i in range(len(sizes))]
    many = ManyOfMinalpher(_KEY, machine)
    sealed = many.seal_lists(nonces, data, ads)
    if sealed != [cipher.encrypt(*one) for one in zip(nonces, data, ads, strict=True)]:
        raise KernelError("minalpher: a batch gives other bytes")
    sealed[2] = sealed[2][:-1] + bytes((sealed[2][-1] ^ 1,))
    if many.open_lists(nonces, sealed, ads)[0] != [*data[:2], None, *data[3:]]:
        raise KernelError("minalpher: a batch decides otherwise")
    return len(sizes)


def check_ceilings(machine: Machine) -> int:
    """Both give on a device what they give on the host."""
    for entry in ("ceilings_lop3", "ceilings_look_ups"):
        found = []
        for one in (machine, Host()):
            out = one.zeros(4 * 256)
            one.call("ceilings", entry, 256, out, np.uint32(3))
            found.append(one.get(out, 4 * 256))
        if found[0] != found[1]:
            raise KernelError(f"{entry}: the device gives other words than the host")
    return 2


CHECKS: dict[str, Callable[[Machine], int]] = {
    "ceilings": check_ceilings,
    "minalpher": check_minalpher,
    "minalpher, many messages": check_batch,
    **measure_gcm.CHECKS,
    **measure_streams.CHECKS,
}


# -- a message that stays on the device ----------------------------------------------------------
class Resident(Minalpher):
    """Minalpher on memory of a device, in pieces that can be timed."""

    def __init__(self, key: bytes, device: Device) -> None:
        super().__init__(key, device)
        self.device = device

    def tweaks(self, blocks: int) -> Memory:
        made: Memory = self._sequence(MESSAGE, _NONCE, 2 * blocks)
        return made

    def seal(self, sequence: Memory, data: Memory, size_bytes: int, out: Memory) -> None:
        """Ciphertext, and the tag behind it."""
        blocks = size_bytes // BLOCK + 1
        sums, none = self.device.zeros(BLOCK), self.device.zeros(BLOCK)
        self._call("encrypt", blocks, sequence, data, np.uint64(size_bytes), out, sums)
        self._finish(
            sequence, 2 * blocks - 1, 1, sums, none, out, BLOCK * blocks, False, blocks - 1,
            out.at(BLOCK * blocks),
        )  # fmt: skip

    def authenticate(self, sequence: Memory, data: Memory, blocks: int) -> None:
        self._call("tag", blocks, sequence, data, np.uint64(blocks), self.device.zeros(BLOCK))


def ceilings(bench: Bench, turns: int = 4096, copied: int = 1 << 29) -> None:
    """LOP3, look-ups, and copies: within memory, over the bus from and to pinned memory, and both of
    these at once, by a pipeline without work."""
    device = bench.device
    threads = 2048 * device.driver.multiprocessors
    out = device.room(4 * threads)
    for entry, unit in (("lop3", "lop3"), ("look_ups", "look-ups")):
        name = f"ceilings_{entry}"

        def work(name: str = name) -> None:
            device.call("ceilings", name, threads, out, np.uint32(turns))

        # As many threads as the device holds of it, which is what `call` starts.
        running = device.running("ceilings", name, threads)
        bench.add(unit, "ceiling", name, bench.on_device(work), place="device", data_bytes=0,
                  work=float(running * turns * _CHAINED), unit=unit)  # fmt: skip
    first, second = device.zeros(copied), device.zeros(copied)
    words = np.uint64(copied // 4)
    taken = bench.on_device(
        lambda: device.call("ceilings", "ceilings_copy", threads, first, second, words)
    )
    bench.add("memory", "ceiling", "ceilings_copy", taken, place="device", data_bytes=copied)
    pinned = Pinned(device, copied)
    pinned.array.fill(1)
    for subject, copy in (
        ("upload", lambda: device.copy_in(first, pinned.array)),
        ("download", lambda: device.copy_out(pinned.array, first)),
    ):
        bench.add(subject, "ceiling", "copy", bench.on_device(copy), place="host",
                  data_bytes=copied)  # fmt: skip
    back = Pinned(device, copied)

    def both_ways() -> None:
        pieces = cut(pinned.array, back.array, PIECE)
        device.pipeline(pieces, lambda *_: None, in_bytes=PIECE, out_bytes=PIECE)

    bench.add("both ways", "ceiling", "pipeline", bench.by_the_wall(both_ways), place="host",
              data_bytes=copied)  # fmt: skip


def paper_blocks(bench: Bench, counts: Sequence[int] = ()) -> None:
    """The paper's numbers of blocks: bytes in, ciphertext and tag out."""
    cipher = Minalpher(_KEY, bench.device)
    for count in counts or paper_counts():
        data = pattern(count * BLOCK).tobytes()
        sealed = cipher.encrypt(_NONCE, data)
        taken = bench.by_the_wall(lambda data=data: cipher.encrypt(_NONCE, data))  # type: ignore[misc]
        bench.add("minalpher", "whole", "minalpher_encrypt", taken, place="host",
                  data_bytes=len(data), digest=digest(sealed))  # fmt: skip


def paper_parts(bench: Bench, blocks: int = PARTS_BLOCKS) -> None:
    """The parts of 40,000 blocks, as in [MINALPHER-GPU, table 4]."""
    device, size = bench.device, blocks * BLOCK
    cipher, message = Resident(_KEY, device), pattern(size)
    sealed_bytes = size + BLOCK + _TAG
    data, out = device.put(message), device.room(sealed_bytes + BLOCK)
    sequence = cipher.tweaks(blocks + 1)
    host = Pinned(device, sealed_bytes)

    def copies() -> None:
        device.copy_in(data, host.array[:size])
        device.copy_out(host.array, out)

    host.array[:size] = message
    whole = bench.on_device(lambda: cipher.seal(sequence, data, size, out))
    tag = bench.on_device(lambda: cipher.authenticate(sequence, out, blocks + 1))
    parts = {
        "tweaks": bench.on_device(lambda: cipher.tweaks(blocks + 1)),
        "authentication": tag,
        "encryption": [max(1.0, w - float(np.median(tag))) for w in whole],
        "copy": bench.on_device(copies),
        "set": bench.on_device(lambda: device.zeros(sealed_bytes)),
    }
    for stage, taken in parts.items():
        bench.add("minalpher", stage, "minalpher", taken, place="host", data_bytes=size)


def sizes(bench: Bench, bits: Iterable[int] = SIZES) -> None:
    """One message that stays on the device, 16 KiB to 1 GiB, tweaks and tag with it."""
    device, cipher = bench.device, Resident(_KEY, bench.device)
    for size in (1 << n for n in bits):
        if bench.late() or 6 * size > device.driver.free_bytes():
            bench.say(f"  {size:,} bytes and more: left out")
            return
        data, out = device.put(pattern(size)), device.room(size + 2 * BLOCK)

        def work(data: Memory = data, out: Memory = out, size: int = size) -> None:
            cipher.seal(cipher.tweaks(size // BLOCK + 1), data, size, out)

        taken = bench.on_device(work)
        found = digest(device.get(out, size + BLOCK + _TAG))
        bench.add("minalpher", "whole", "minalpher_encrypt", taken, place="device",
                  data_bytes=size, digest=found)  # fmt: skip


def streamed(bench: Bench, size: int = 1 << 24, messages: int = 64) -> None:
    """A batch from pinned memory and back, copies beside the work; each message has its tweaks made."""
    device, cipher = bench.device, Resident(_KEY, bench.device)
    # As long as its ciphertext and tag, rounded up: what comes in is what goes out.
    room = size + 2 * BLOCK
    data, out = Pinned(device, messages * room), Pinned(device, messages * room)
    data.array[:] = np.resize(pattern(size), messages * room)

    def seal(into: Memory, to: Memory, piece: Piece) -> None:
        # One nonce for all, as nothing of this is kept.
        cipher.seal(cipher.tweaks(size // BLOCK + 1), into, size, to)

    def work() -> None:
        pieces = list(cut(data.array, out.array, room))
        device.pipeline(pieces, seal, in_bytes=room, out_bytes=room)

    taken = bench.by_the_wall(work)
    want = cipher.encrypt(_NONCE, data.array[:size].tobytes())
    if out.array[: len(want)].tobytes() != want:
        raise KernelError("minalpher: a pipeline gives other bytes than one call")
    bench.add("minalpher", "whole", "minalpher_encrypt", taken, place="host", data_bytes=size,
              messages=messages, digest=digest(want))  # fmt: skip


STEPS: dict[str, Callable[[Bench], None]] = {
    "ceilings": ceilings,
    "Minalpher, one message on the device": sizes,
    "Minalpher, the paper's parts": paper_parts,
    "Minalpher, the paper's block counts": paper_blocks,
    "Minalpher, a batch over the bus": streamed,
    **measure_gcm.STEPS,
    **measure_bus.STEPS,
    **measure_streams.STEPS,
}


def measure(bench: Bench) -> Iterator[str]:
    """Names of the steps as they are done."""
    for name, step in STEPS.items():
        if bench.late():
            bench.say(f"{name}: left out, the time is over")
            continue
        step(bench)
        yield name
