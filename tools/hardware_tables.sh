#!/usr/bin/env bash
# Every row that the report's section Hardware is made of: cores synthesised, their power estimated, routed,
# simulated and drawn. Takes hours with PROFILE=full; what was synthesised before is not made again, so
# a run that was interrupted goes on.
#   LIBRARIES  Liberty files in addition to Debian's OSU 018, blanks between; `+` joins files that make one library
#   PROFILE    quick, energy or full portfolio of scripts; quick unless set, energy for parts
#   CHECK      structures of each class and inner function that are synthesised and compared with their estimate; 1
#   MODELS     activity of whole ciphers: zero-delay, or glitch, which takes minutes a netlist, or both
set -uo pipefail
cd "$(dirname "$0")/.."
roundworks=.venv/bin/roundworks
aegis=(aegis128-base aegis128-ao1 aegis128-ao2 aegis128-to1 aegis128-to2)
estimated=("${aegis[@]}" aegis128-interleaved aes-iterative aes-stepped aes-pipelined aes-unrolled)
cores=("${estimated[@]}" aether ascon128a-2 ascon128a-4)  # the other ciphers are those of figure 6
# Of a short message: the energy of a cycle counts, and the report has the cycles.
bytes=32
failed=0

step() {
  echo "hardware: $*"
  "$roundworks" --results results "$@" >/dev/null
  local code=$?
  case $code in
    0) ;;
    # Stopped, as by Ctrl-C, and so are we.
    129 | 130 | 143) echo "hardware: stopped in: $*" >&2; exit "$code" ;;
    *) failed=$((failed + 1)); echo "hardware: failed: $*" >&2 ;;
  esac
}

for library in "" ${LIBRARIES:-}; do
  named=()
  for file in ${library//+/ }; do named+=(--library "$file"); done
  for core in "${cores[@]}"; do
    step synth "$core" "${named[@]}" --profile "${PROFILE:-quick}"
  done
  power=(--goal delay --goal area --goal area-delay --model glitch --message "$bytes")
  for core in "${estimated[@]}"; do
    step power "$core" "${named[@]}" "${power[@]}"
  done
  # AO2 and TO1 with a small S-box, for libraries whose flip-flops are large.
  for core in aegis128-ao2 aegis128-to1; do
    small=("$core" "${named[@]}" --parameter Sbox=maximov-ekdahl-fast)
    step synth "${small[@]}" --profile "${PROFILE:-quick}"
    step power "${small[@]}" "${power[@]}"
  done
done

# Tables 3 to 5 and figure 6 of [AETHER], and what searched structures cost.
for library in "" ${LIBRARIES:-}; do
  named=()
  for file in ${library//+/ }; do named+=(--library "$file"); done
  for table in 3 4 5; do
    step hw-table "$table" "${named[@]}" --profile "${PROFILE:-energy}" --script speed
  done
  for model in ${MODELS:-zero-delay}; do
    step hw-table figure-6 "${named[@]}" --profile "${PROFILE:-quick}" --model "$model" --steady
  done
  for class in "4 1" "6 2" "9 3"; do
    read -r words inputs <<<"$class"
    step hw-estimate --words "$words" --inputs "$inputs" --check "${CHECK:-1}" "${named[@]}"
  done
done

for core in aes-stepped aes-iterative aegis128-base; do step fpga "$core" --family ecp5; done
step fpga aes-stepped --family ice40
step fpga aes-iterative --parameter Sbox=boyar-peralta --parameter Decrypt=0 --family ice40
# Every core of rtl/cores.toml that has a bench, and one that holds back what it decrypts.
benches=$(.venv/bin/python -c '
from roundworks.hardware.cores import cores
print(*(core.name for core in cores() if core.bench))') || { failed=$((failed + 1)); benches=""; }
for core in $benches aegis128-to2-rav; do step sim "$core"; done
step hw-report --drawings
echo "hardware: done, $failed steps failed"
[ "$failed" -eq 0 ]
