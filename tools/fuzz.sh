#!/usr/bin/env bash
# Each fuzz target for some seconds (60), from the committed corpus on: tools/fuzz.sh [SECONDS] [TARGET...]
# A row of each is stored, in the folder ROUNDWORKS_RESULTS if that is set; its seconds are those that
# the processor spent, so that a run in parallel with others counts for what it was.
# FUZZ_PACK=1 makes the smallest set of inputs with the coverage reached the new committed corpus.
# FUZZ_TOOLCHAIN=nightly adds AddressSanitizer; without it any compiler will do, as coverage is a
# pass of LLVM that stable rustc can run.
set -euo pipefail
cd "$(dirname "$0")/.."
seconds=${1:-60}
[ $# -gt 0 ] && shift
toolchain=${FUZZ_TOOLCHAIN:+"+$FUZZ_TOOLCHAIN"}
host=$(rustc -vV | sed -n 's/^host: //p')
built=${CARGO_TARGET_DIR:-target}
work=$built/fuzz-work

sanitizer=none failed=""
flags="--cfg fuzzing -Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4"
flags+=" -Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table"
flags+=" -Cllvm-args=-sanitizer-coverage-trace-compares"
if [ "${FUZZ_TOOLCHAIN:-}" = nightly ]; then flags+=" -Zsanitizer=address" sanitizer=address; fi

echo "fuzz: building (a minute or two the first time)"
# --target: the flags are for what is fuzzed, not for build scripts.
RUSTFLAGS=$flags cargo ${toolchain:+"$toolchain"} build --quiet --locked --profile fuzz --target "$host" \
  -p roundworks-fuzz --bin fuzz --features engine
cargo build --quiet --locked --profile emulated -p roundworks-fuzz --bin fuzz-corpus --features corpus
corpus=$built/emulated/fuzz-corpus
[ $# -gt 0 ] || mapfile -t targets < <("$corpus" targets)
[ $# -gt 0 ] && targets=("$@")

for target in "${targets[@]}"; do
  inputs=$work/$target found=$work/found-$target/$(date +%s)
  mkdir -p "$inputs" "$found"
  "$corpus" unpack "$target" "$inputs"
  export ROUNDWORKS_FUZZ_TARGET=$target
  TIMEFORMAT=%U
  spent=$({ time "$built/$host/fuzz/fuzz" "$inputs" -max_total_time="$seconds" -max_len=4096 \
    -print_final_stats=1 -artifact_prefix="$found/" > "$work/$target.log" 2>&1; } 2>&1) || failed=1
  # An input that was slow, and is not when it is run by itself, had waited for a processor that others used.
  for unit in "$found"/slow-unit-*; do
    [ -e "$unit" ] && timeout 10 "$built/$host/fuzz/fuzz" "$unit" 2> /dev/null && rm "$unit"
  done
  .venv/bin/python -m roundworks.bench.fuzz \
    "$target" "$seconds" "$spent" "$work/$target.log" "$found" "$sanitizer"
  if [ -n "$failed" ]; then
    tail -40 "$work/$target.log" >&2
    echo "fuzz: $target: failed; the input is in $found" >&2
    exit 1
  fi
  rmdir "$found"
  if [ "${FUZZ_PACK:-}" = 1 ]; then
    rm -rf "$inputs.min" && mkdir "$inputs.min"
    "$built/$host/fuzz/fuzz" -merge=1 -max_len=600 "$inputs.min" "$inputs" 2> "$work/$target.merge.log"
    "$corpus" pack "$target" "$inputs.min"
  fi
done
