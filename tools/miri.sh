#!/usr/bin/env bash
# The portable path under miri: Rust's own rules about memory, checked instruction by instruction.
# Short tests only, as it runs about a thousand times slower. Wants rustup and a nightly toolchain.
set -euo pipefail
cd "$(dirname "$0")/.."
fail() { echo "miri: $*" >&2; exit 2; }
command -v rustup >/dev/null || fail "rustup not found: want it to install a nightly toolchain with miri"
rustup toolchain list | grep -q '^nightly' || rustup toolchain install nightly --profile minimal \
  || fail "rustup could not install a nightly toolchain"
rustup component list --toolchain nightly | grep -q '^miri.*(installed)' \
  || rustup component add --toolchain nightly miri rust-src || fail "rustup could not add miri"
# cpufeatures finds none under miri, so the portable back end is what runs.
export ROUNDWORKS_REQUIRE_BACKENDS=portable ROUNDWORKS_NO_OTHER_BACKENDS=1
MIRIFLAGS="-Zmiri-env-forward=ROUNDWORKS_REQUIRE_BACKENDS -Zmiri-env-forward=ROUNDWORKS_NO_OTHER_BACKENDS" \
  cargo +nightly miri test --locked -p roundworks --lib --test suite --test summary -- "$@" \
  keyed incremental registry surface:: lengths:: splits:: errors associated back_ends
