"""What every bench shares: clock, reset, ready/valid channels with random stalls, reports.

All is driven at the falling edge and looked at once the logic has settled; a transfer happens at the
rising edge that follows. So both simulators see the same, whichever of them runs registers first.
"""

from __future__ import annotations

import json
import os
import random
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge, ReadOnly, Timer

from roundworks.hardware.cores import Core, core

PERIOD_NS = 10
Stall = Callable[[random.Random], bool]


# What a generated core does before anything else is made of it.
BRIEF = bool(os.environ.get("ROUNDWORKS_BRIEF"))


def no_stall(rng: random.Random) -> bool:
    """Never stalls."""
    return False


def random_stall(rng: random.Random) -> bool:
    """Stalls two cycles of five, at random."""
    return rng.random() < 0.4


def parameters() -> dict[str, str]:
    """The names of the parameters' values, as `roundworks sim --parameter` takes them."""
    chosen: dict[str, str] = json.loads(os.environ["ROUNDWORKS_PARAMETERS"])
    return chosen


def core_name() -> str:
    """Name of the core under test, as the flow passes it."""
    return os.environ["ROUNDWORKS_CORE"]


def this_core() -> Core:
    """The core, of ours or of the user's list."""
    file = os.environ.get("ROUNDWORKS_CORES", "")
    return core(core_name(), Path(file) if file else None)


def on_netlist() -> bool:
    """Whether this is a synthesised netlist, in which only ports keep their names."""
    return bool(os.environ["ROUNDWORKS_NETLIST"])


def randomness(name: str) -> random.Random:
    """Random numbers of this run's seed, others for every name; the seed is in the log."""
    cocotb.log.info("%s: seed %s", name, cocotb.RANDOM_SEED)
    return random.Random(f"{cocotb.RANDOM_SEED}/{name}")


def report(**fields: Any) -> None:
    """A fact of this run, such as cycles: one JSON object, which the caller of the bench gets."""
    with open(os.environ["ROUNDWORKS_REPORT"], "a", encoding="utf-8") as sink:
        sink.write(json.dumps(fields) + "\n")


async def settle() -> None:
    """Let combinational logic come to rest after its inputs were driven."""
    await Timer(1, units="ns")


@dataclass(eq=False)
class Transfer:
    """Fields of one transfer; ``cycle`` is that of its rising edge, None before."""

    fields: dict[str, int]
    cycle: int | None = None


@dataclass(eq=False)
class Sender:
    """Drives valid and fields of a channel into the core; reads its ready.

    While it has nothing to send, and while it stalls, the fields hold noise.
    """

    bench: Bench
    valid: Any
    ready: Any
    pins: Mapping[str, Any]
    stall: Stall = no_stall
    waiting: deque[Transfer] = field(default_factory=deque)
    offered: bool = False

    def send(self, **fields: int) -> Transfer:
        """Queue one transfer; a field that is not named gets random bits."""
        transfer = Transfer(fields)
        self.waiting.append(transfer)
        return transfer

    def drive(self) -> None:
        """Before the clock edge: offer the next transfer unless stalled."""
        # What was offered stays offered until it is taken.
        self.offered = bool(self.waiting) and (self.offered or not self.stall(self.bench.rng))
        transfer = self.waiting[0] if self.offered else None
        if not self.bench.changes(self.valid, transfer) and transfer:
            return
        self.valid.value = int(self.offered)
        fields = transfer.fields if transfer else {}
        for name, pin in self.pins.items():
            pin.value = fields[name] if name in fields else self.bench.rng.getrandbits(len(pin))

    def look(self) -> None:
        """After the clock edge: take back the transfer that the core accepted."""
        if self.offered and int(self.ready.value):
            done = self.waiting.popleft()
            done.cycle = self.bench.cycle
            self.offered = False

    def clear(self) -> None:
        """Drop what waits, as after a reset."""
        self.waiting.clear()
        self.offered = False
        self.bench.changes(self.valid, None)
        self.valid.value = 0


@dataclass(eq=False)
class Receiver:
    """Drives ready of a channel out of the core; keeps what it takes, in order.

    A value that waits must not change: that is looked at in every cycle.
    """

    bench: Bench
    valid: Any
    ready: Any
    pins: Mapping[str, Any]
    stall: Stall = no_stall
    taken: deque[Transfer] = field(default_factory=deque)
    waiting: dict[str, int] | None = None
    open: bool = False

    def drive(self) -> None:
        """Before the clock edge: be ready unless stalled."""
        self.open = not self.stall(self.bench.rng)
        if self.bench.changes(self.ready, self.open):
            self.ready.value = int(self.open)

    def look(self) -> None:
        """After the clock edge: keep what the core gave; `AssertionError` if it changed while it waited."""
        valid = int(self.valid.value)
        if self.waiting is not None:
            assert valid, f"{self.valid._name}: fell in cycle {self.bench.cycle} before ready"
        if not valid:
            return
        fields = {name: int(pin.value) for name, pin in self.pins.items()}
        if self.waiting is not None:
            assert fields == self.waiting, f"{self.valid._name}: data changed while it waited"
        self.waiting = None if self.open else fields
        if self.open:
            self.taken.append(Transfer(fields, self.bench.cycle))

    def clear(self) -> None:
        """Drop what was taken, as after a reset."""
        self.taken.clear()
        self.waiting = None
        self.bench.changes(self.ready, False)
        self.ready.value = 0


class Bench:
    """Clock, reset and channels of a core. ``cycle`` counts rising edges since `start`."""

    def __init__(self, dut: Any, name: str) -> None:
        self.dut = dut
        self.rng = randomness(name)
        self.clock = getattr(dut, os.environ["ROUNDWORKS_CLOCK"])
        self.reset_pin = getattr(dut, os.environ["ROUNDWORKS_RESET"])
        self.channels: list[Sender | Receiver] = []
        self.cycle = 0
        self._driven: dict[str, object] = {}

    def sender(self, prefix: str, fields: Iterable[str], stall: Stall = no_stall) -> Sender:
        """``req`` and ``key`` -> req_valid_i, req_ready_o, req_key_i."""
        made = Sender(
            self,
            self._pin(f"{prefix}_valid_i"),
            self._pin(f"{prefix}_ready_o"),
            {name: self._pin(f"{prefix}_{name}_i") for name in fields},
            stall,
        )
        self.channels.append(made)
        return made

    def receiver(self, prefix: str, fields: Iterable[str], stall: Stall = no_stall) -> Receiver:
        """``out`` and ``data`` -> out_valid_o, out_ready_i, out_data_o."""
        made = Receiver(
            self,
            self._pin(f"{prefix}_valid_o"),
            self._pin(f"{prefix}_ready_i"),
            {name: self._pin(f"{prefix}_{name}_o") for name in fields},
            stall,
        )
        self.channels.append(made)
        return made

    async def start(self) -> None:
        """Start the clock and reset; the channels must have been made before."""
        self.reset_pin.value = 0
        for channel in self.channels:
            channel.clear()
        cocotb.start_soon(Clock(self.clock, PERIOD_NS, units="ns").start())
        await self.reset()

    async def reset(self, cycles: int = 2) -> None:
        """In the middle of whatever runs; every channel forgets what it had."""
        await FallingEdge(self.clock)
        self.reset_pin.value = 0
        for channel in self.channels:
            channel.clear()
        for _ in range(cycles):
            await FallingEdge(self.clock)
            self.cycle += 1
        self.reset_pin.value = 1

    async def step(self, cycles: int = 1) -> None:
        """Run this number of cycles; every channel is driven and read in each."""
        for _ in range(cycles):
            for channel in self.channels:
                channel.drive()
            await ReadOnly()
            for channel in self.channels:
                channel.look()
            await FallingEdge(self.clock)
            self.cycle += 1

    async def until(self, done: Callable[[], object], limit: int = 100_000) -> None:
        """Run until `done`; an error after `limit` clocks, for the core then hangs."""
        for _ in range(limit):
            if done():
                return
            await self.step()
        raise AssertionError(f"still waiting after {limit} cycles (seed {cocotb.RANDOM_SEED})")

    async def done(self, transfer: Transfer, limit: int = 100_000) -> int:
        """Run until a transfer has happened, and tell the cycle of its rising edge."""
        await self.until(lambda: transfer.cycle is not None, limit)
        assert transfer.cycle is not None
        return transfer.cycle

    async def take(self, receiver: Receiver, limit: int = 100_000) -> Transfer:
        """Run until something has been received, and take it from the queue."""
        await self.until(lambda: receiver.taken, limit)
        return receiver.taken.popleft()

    def changes(self, pin: Any, to: object) -> bool:
        """Whether a channel was last driven otherwise. Driving a pin again takes most of a cycle's time."""
        before = self._driven.get(pin._name)
        self._driven[pin._name] = to
        return before is not to

    def _pin(self, name: str) -> Any:
        return getattr(self.dut, name)
