#!/usr/bin/env bash
# Every test of the crates but that of the header, which `make check` runs.
set -euo pipefail
cd "$(dirname "$0")/.."
all=(cargo test --workspace --exclude roundworks-py --release --locked --quiet)
"${all[@]}" --exclude roundworks --exclude roundworks-header --tests
"${all[@]}" --test suite --test summary --test heap
"${all[@]}" --doc
# For these the core is compiled once more: not optimised, which takes a fifth of the time, and with overflow checked.
# What it is built on is not.
core=profile.release.package.roundworks
cargo test -p roundworks --lib --release --locked --quiet --config $core.opt-level=0 --config $core.codegen-units=256 \
  --config $core.debug-assertions=true --config $core.overflow-checks=true
