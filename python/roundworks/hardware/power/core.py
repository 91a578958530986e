"""The power of a core's netlist while it works on a message."""

from __future__ import annotations

import hashlib
import random
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ... import cache
from ...errors import HardwareError
from ..cores import Core
from ..flow import opensta
from ..flow.simulate import simulate as simulate_source
from ..library import Library
from . import activity
from .gates import CellCircuit, read
from .loads import cells_of, loads
from .responses import responses
from .traffic import Traffic

if TYPE_CHECKING:  # numpy takes a tenth of a second, which `--help` need not wait for
    from .measured import Breakdown

_BENCH = "traffic"
_MARGIN = 1.1  # of the simulated period over OpenSTA's minimum: its paths start at an ideal clock
_MINIMUM_CYCLES = 64  # of a combinational core


@dataclass(frozen=True, slots=True)
class Settings:
    """How power is estimated: the toggle model, bytes of the message and of associated data, the seed of
    both, and the clock in MHz, the maximum of the netlist unless set. A combinational core is given
    random words instead of a message."""

    model: str = "glitch"
    message: int = 1024
    ad: int = 0
    seed: int = 1
    clock_mhz: float | None = None

    @property
    def words(self) -> str:
        """Model, message and seed, for a table."""
        return f"{self.model}, message of {self.message} bytes, seed {self.seed}"


@dataclass(frozen=True, slots=True)
class PowerWork:
    """Traffic that is the same for every netlist of a core; ``what`` it is, and how many ``bits``,
    in messages of ``message`` bytes."""

    traffic: Traffic
    what: str
    message: int
    bits: int


@dataclass(frozen=True, slots=True)
class CorePower:
    """``breakdown`` is at the simulated period, ``fields`` at ``period``; periods in seconds, ``minimum``
    that of OpenSTA."""

    core: str
    parameters: dict[str, str]
    library: Library
    netlist: Path
    script: str
    settings: Settings
    work: PowerWork
    period: float
    minimum: float
    simulated: float
    nets: int
    activity: activity.Activity
    breakdown: Breakdown

    @property
    def cycles(self) -> int:
        """Cycles of the window in which energy is counted."""
        return len(self.work.traffic.window)

    @property
    def fields(self) -> dict[str, Any]:
        """The fields of a row of kind power."""
        power = self.breakdown.at(self.period, self.simulated)
        energy = power.total * self.cycles * self.period
        return {
            "core": self.core,
            "parameters": self.parameters,
            "library": self.library.name,
            "library_sha256": self.library.sha256,
            "netlist_sha256": hashlib.sha256(self.netlist.read_bytes()).hexdigest(),
            "script": self.script,
            "model": self.settings.model,
            "traffic": self.work.what,
            "activity": self.activity.toggles_per_cycle / self.nets,
            "toggles": self.activity.toggles_per_cycle,
            "cycles": self.cycles,
            "period_ps": round(self.minimum * 1e12, 3),
            "clock_mhz": 1e-6 / self.period,
            **self.library.condition_fields,
            "leakage_mw": power.leakage * 1e3,
            "internal_mw": power.internal * 1e3,
            "switching_mw": power.switching * 1e3,
            "total_mw": power.total * 1e3,
            "inputs_mw": power.inputs * 1e3,
            "energy_pj": energy * 1e12,
            "bits": self.work.bits,
            "message_bytes": self.work.message,
            "ad_bytes": self.settings.ad,
            "pj_per_bit": energy * 1e12 / self.work.bits,
            "seconds": self.activity.seconds,
        }


def core_power(
    core: Core,
    parameters: Mapping[str, str],
    library: Library,
    netlist: Path,
    settings: Settings = Settings(),
    *,
    script: str = "given",
    work: PowerWork | None = None,
) -> CorePower:
    """Simulate the source with a message, replay it on the gates, and sum the energy of every toggle.

    `script` is what made the netlist, for the row; `work` what was simulated before.

    Raises
    ------
    HardwareError
        ``aes-round: clock: want at most 437.5 MHz, which OpenSTA allows, got 500; give a lower one``
    """
    chosen = core.chosen(parameters)
    circuit = read(netlist, core.top, clock=core.clock, reset=core.reset)
    cells_of(circuit, library)  # a cell that the library lacks is named before OpenSTA skips it
    conditions = library.conditions
    minimum = minimum_period(core, netlist, library)
    period = 1e-6 / settings.clock_mhz if settings.clock_mhz else minimum
    if period < minimum:
        raise HardwareError(
            f"{core.name}: clock: want at most {1e-6 / minimum:.6g} MHz, which OpenSTA "
            f"allows, got {1e-6 / period:.6g}; give a lower one"
        )
    simulated = max(period, _MARGIN * minimum)
    work = work or work_of(core, chosen, circuit, settings)
    activity_ = activity.simulate(circuit, library, work.traffic, simulated, conditions, model=settings.model)
    from .measured import measured

    breakdown = measured(circuit, library, activity_, conditions, loads(circuit, library, conditions))
    return CorePower(
        core=core.name,
        parameters=chosen,
        library=library,
        netlist=netlist,
        script=script,
        settings=settings,
        work=work,
        period=period,
        minimum=minimum,
        simulated=simulated,
        nets=len(circuit.nets),
        activity=activity_,
        breakdown=breakdown,
    )


def work_of(core: Core, chosen: Mapping[str, str], circuit: CellCircuit, settings: Settings) -> PowerWork:
    """A message for a clocked core, random inputs for a combinational one."""
    if settings.ad and "blk_valid_i" not in {port.name for port in circuit.inputs}:
        raise HardwareError(
            f"{core.name}: associated data: want none, for it has no port blk_valid_i, got {settings.ad} bytes"
        )
    return (_recorded if core.clock else _random)(core, chosen, circuit, settings)


def minimum_period(core: Core, netlist: Path, library: Library) -> float:
    """Seconds, by OpenSTA: the period of the netlist's row of synthesis."""
    with tempfile.TemporaryDirectory(prefix="roundworks-") as name:
        log = cache.home() / "logs" / f"power-{core.name}-period.log"
        log.parent.mkdir(parents=True, exist_ok=True)
        subject = opensta.MappedNetlist(netlist, core.top, core.clock, core.reset)
        timed = opensta.timing(subject, library, name=core.name, folder=Path(name), log=log)
    return timed.period_ps * 1e-12


def _recorded(core: Core, chosen: Mapping[str, str], circuit: CellCircuit, settings: Settings) -> PowerWork:
    message, ad, seed = settings.message, settings.ad, settings.seed
    # Not Verilator, which cannot record every core.
    with tempfile.TemporaryDirectory(prefix="roundworks-") as name:
        file = Path(name) / "ports.vcd"
        ran = simulate_source(
            replace(core, bench=_BENCH),
            chosen,
            simulator="icarus",
            seed=seed,
            tests=("message",),
            waves=file,
            env={"ROUNDWORKS_MESSAGE": str(message), "ROUNDWORKS_AD": str(ad)},
        )
        if ran.failed:
            raise HardwareError(
                f"{core.name}: traffic: {ran.failed[0].message}; does it have the ports req_* and rsp_*?"
            )
        inputs = [p.name for p in circuit.inputs if p.name != core.clock]
        outputs = [p.name for p in circuit.outputs]
        from . import waves

        samples = waves.samples(file, core.clock, [*inputs, *outputs])
    window = _busy(core, samples)
    shown = {name: _shown(name, samples, window.start) for name in outputs}
    # The bench sends one message for each that the core interleaves.
    interleaved = int(ran.reports[0]["messages"])
    many = "one message" if interleaved == 1 else f"{interleaved} messages interleaved, each"
    before = f"{ad} bytes of associated data" if ad else "no associated data"
    what = f"{many} of {message} bytes, encrypted, {before}, no stalls"
    if "blk_valid_i" not in inputs:
        data = circuit.port("req_block_i" if "req_block_i" in inputs else "req_data_i")
        message = -(-8 * message // len(data.nets)) * len(data.nets) // 8
        what = f"{message} bytes in blocks one after another, one key, no stalls"
    cycles = len(samples[inputs[0]])
    traffic = Traffic(core.clock, cycles, {n: samples[n] for n in inputs}, shown, window)
    return PowerWork(traffic, what, message, 8 * message * interleaved)


def _busy(core: Core, found: Mapping[str, list[int | None]]) -> range:
    """From the clock in which the first request is offered to that of the last response: a core
    that has no register for the key takes the request at the end of its initialisation."""
    offered = [k for k, valid in enumerate(found["req_valid_i"]) if valid == 1]
    pairs = zip(found["rsp_valid_o"], found["rsp_ready_i"], strict=True)
    given = [k for k, pair in enumerate(pairs) if pair == (1, 1)]
    if not offered or not given:
        raise HardwareError(f"{core.name}: traffic: no request got a response; does its bench pass?")
    return range(offered[0], given[-1] + 1)


def _shown(name: str, found: Mapping[str, list[int | None]], start: int) -> list[int | None]:
    """What an output must be: data only while it is valid, and nothing before the first request."""
    valid = found.get(f"{name.split('_')[0]}_valid_o")
    return [
        value
        if k >= start
        and (valid is None or valid[k] == 1 or value is None or name.endswith(("_valid_o", "_ready_o")))
        else None
        for k, value in enumerate(found[name])
    ]


def _random(core: Core, chosen: Mapping[str, str], circuit: CellCircuit, settings: Settings) -> PowerWork:
    """New inputs in every cycle."""
    message, seed = settings.message, settings.seed
    wide = sum(len(port.nets) for port in circuit.inputs)
    cycles = max(_MINIMUM_CYCLES, -(-8 * message // wide))
    rng = random.Random(seed)
    inputs = {
        port.name: [rng.getrandbits(len(port.nets)) for _ in range(cycles + 3)] for port in circuit.inputs
    }
    what = "random inputs, new in every cycle"
    outputs = responses(core, chosen, circuit, inputs)
    traffic = Traffic(None, cycles + 3, inputs, outputs, range(2, cycles + 2))
    return PowerWork(traffic, what, cycles * wide // 8, cycles * wide)
