#!/usr/bin/env bash
# Every AEAD core by each driver that is not its own bench, cheapest first; what has a row of its source is not run
# again, so a run that was interrupted goes on.
#   DRIVERS  symbolic, control and cpp unless set
#   LIMIT    seconds after which a core and driver is given up and named; 600 unless set
#   CORES    names; every AEAD core unless set
set -uo pipefail
cd "$(dirname "$0")/.."
failed=0

wanted=$(.venv/bin/python - <<'PYTHON'
import os
import sys
from pathlib import Path

from roundworks.hardware import cores
from roundworks.hardware.formal.control import PROPERTIES
from roundworks.hardware.generate.rav import rav_cores
from roundworks.rows import Store

done = {
    (row.core, row.get("driver"), row.source_sha256)
    for row in Store(Path("results")).read("simulation")
    if " --test " not in row.command and all(test["passed"] for test in row.tests)
    # A row of before a property was added is not of all.
    and (row.get("driver") != "control" or {test["name"] for test in row.tests} >= PROPERTIES.keys())
}
chosen = os.environ.get("CORES", "").split()
every = (*cores.cores(), *rav_cores().values())
if unknown := set(chosen) - {core.name for core in every}:
    sys.exit(f"prove-cores: {min(unknown)}: no such core; `roundworks list cores` prints them")
for driver in os.environ.get("DRIVERS", "symbolic control cpp").split():
    for core in every:
        key = core.name, driver, core.source_sha256({})
        if core.bench == "aead" and (core.name in chosen or not chosen) and key not in done:
            print(driver, core.name)
PYTHON
) || exit 2

while read -r driver core; do
  [ -n "$core" ] || continue
  echo "prove-cores: $core, $driver"
  timeout --signal=INT "${LIMIT:-600}" .venv/bin/roundworks --results results sim "$core" --driver "$driver" >/dev/null
  code=$?
  case $code in
    0) ;;
    124) failed=$((failed + 1)); echo "prove-cores: $core, $driver: not done after ${LIMIT:-600} s" >&2 ;;
    129 | 130 | 143) echo "prove-cores: stopped in: $core, $driver" >&2; exit "$code" ;;
    *) failed=$((failed + 1)); echo "prove-cores: failed: $core, $driver" >&2 ;;
  esac
done <<< "$wanted"
[ "$failed" -eq 0 ] || { echo "prove-cores: $failed not done" >&2; exit 1; }
