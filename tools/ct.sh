#!/usr/bin/env bash
# Secrets tracked through the compiled code by valgrind, and times compared on the back ends that it cannot
# follow: tools/ct.sh [MEASUREMENTS]. A row of each, in the folder ROUNDWORKS_RESULTS if that is set.
set -uo pipefail
cd "$(dirname "$0")/.."
log=$(mktemp) failed=0
trap 'rm -f "$log"' EXIT

check() { # WHAT COMMAND...
  local what=$1 began=$SECONDS status
  shift
  "$@" 2>&1 | tee "$log"
  status=$?
  [ $status -eq 0 ] || failed=1
  .venv/bin/python -m roundworks.bench.checked "$what" "$log" $((SECONDS - began)) $status || failed=1
}

if command -v valgrind > /dev/null; then
  check memcheck cargo test --release --locked --quiet -p roundworks-ct --test memcheck -- --nocapture
else
  echo "ct: NOT RUN: secrets tracked; wants valgrind" >&2
fi
check timing cargo run --release --locked --quiet -p roundworks-ct --features timing --bin ct-timing -- "$@"
exit $failed
