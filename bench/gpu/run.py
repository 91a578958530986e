"""What run.sh calls: build, check on the host, find a device, check it, measure it, write rows."""

from __future__ import annotations

import importlib.util
import json
import secrets
import sys
import time
import types
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
# Steps begin within this; the longest takes less than the rest of run.sh's nine minutes.
SECONDS = 400


def without_extras() -> None:
    """A bare machine has numpy alone. What jsonschema-rs would check was checked where this was packed,
    and rows are checked when they are merged; no row goes to a folder of the user's."""

    class Validator:
        def __init__(self, *_: Any, **__: Any) -> None:
            pass

        def is_valid(self, row: Any) -> bool:
            return True

        def iter_errors(self, row: Any) -> list[Any]:
            return []

    for name, holds in {"jsonschema_rs": {"Draft202012Validator": Validator}, "platformdirs": {}}.items():
        if not importlib.util.find_spec(name):
            sys.modules[name] = types.ModuleType(name)
            vars(sys.modules[name]).update(holds)


def main(out: Path) -> int:
    """Builds, checks and measures the kernels, and writes their rows to ``out``; 2 where no device can be used."""
    begin = time.monotonic()
    without_extras()
    from roundworks import machine, rows
    from roundworks.errors import DeviceUnavailable, RoundworksError
    from roundworks.gpu import build, checks, measure
    from roundworks.gpu import device as devices
    from roundworks.gpu.bench import DeviceBench

    def say(text: str) -> None:
        print(f"{time.monotonic() - begin:6.1f} s  {text}", flush=True)

    try:
        for family in build.families():
            size = build.fat_binary(family).stat().st_size
            say(f"built {family}: {size:,} bytes of machine code")
        for name, check in checks.CHECKS.items():
            say(f"on the host {name}: {check(devices.host())} right")
        try:
            device = devices.Device()
        except DeviceUnavailable as error:
            print(f"run.sh: {error}", file=sys.stderr)
            return 2
        say(
            f"{device.name}, {device.architecture}, {device.multiprocessors} multiprocessors,"
            f" {device.clock_mhz:.0f} MHz, driver {device.driver_version}"
        )
        for name, check in checks.CHECKS.items():
            say(f"on the device {name}: {check(device)} right")
        bench = DeviceBench(device, say, begin + SECONDS, secrets.token_hex(6))
        common: dict[str, Any] = {"commit": commit(machine, ROOT), "command": "bench/gpu/run.sh"}
        tools = {"gpu": device.name, "cuda driver": device.driver_version}
        (out / "machine.json").write_text(json.dumps(machine.describe(), indent=2) + "\n")
        file = out / "gpu.jsonl"
        file.unlink(missing_ok=True)
        written = 0
        for name in measure.measure(bench):
            with file.open("a", encoding="utf-8") as sink:
                for fields in bench.rows[written:]:
                    row = rows.row("gpu", tools=tools, **common, **fields)
                    sink.write(json.dumps(row.as_json()) + "\n")
            written = len(bench.rows)
            say(f"{name}: {written} rows")
    except RoundworksError as error:
        print(f"run.sh: {error}", file=sys.stderr)
        return 1
    say(f"{file}: {written} rows; take them with: roundworks gpu --merge {out}")
    return 0


def commit(machine: Any, root: Path) -> str:
    """As packed, or as git has it."""
    packed = root / "COMMIT"
    return packed.read_text().strip() if packed.is_file() else str(machine.commit(root))


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
