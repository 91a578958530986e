#!/usr/bin/env bash
# What `roundworks sim`, `synth`, `power` and `fpga` run: simulators, OpenSTA, place and route, and a
# cell library, all Debian packages. Nothing else wants them. What cannot be installed here is named
# and setup goes on; the tests that want it then count themselves as skipped. With
# ROUNDWORKS_REQUIRE_TOOLS=1, as in CI, setup fails, and so do they.
set -euo pipefail
lacking() {
  if [ "${ROUNDWORKS_REQUIRE_TOOLS:-}" = 1 ]; then
    echo "setup: $1, and ROUNDWORKS_REQUIRE_TOOLS is set" >&2
    exit 2
  fi
  echo "setup: $1; the tests that want it will be skipped" >&2
  exit 0
}

missing=()
need() { command -v "$1" >/dev/null || missing+=("$2"); }
need verilator verilator
need iverilog iverilog
need sta opensta
need nextpnr-ice40 nextpnr-ice40
need icepack fpga-icestorm
need make make
[ -e /usr/share/qflow/tech/osu018/osu018_stdcells.lib ] || missing+=(qflow-tech-osu018)
[ ${#missing[@]} -eq 0 ] && exit 0

if [ "$(id -u)" -eq 0 ]; then as_root=()
else as_root=(sudo -n)
fi
command -v apt-get >/dev/null || lacking "no apt-get here to install ${missing[*]} (Debian names)"
echo "setup: installing Debian packages: ${missing[*]}"
"${as_root[@]}" apt-get update -qq \
  && "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
    "${missing[@]}" >/dev/null \
  || lacking "apt-get could not install ${missing[*]}"
