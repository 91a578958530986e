#!/usr/bin/env bash
# The portable path under miri: Rust's own rules about memory, checked instruction by instruction.
# Short tests only, as it runs about a thousand times slower. Wants rustup; installs a nightly toolchain with miri if
# there is none.
set -euo pipefail
cd "$(dirname "$0")/.."
fail() { echo "miri: $*" >&2; exit 2; }
command -v rustup >/dev/null || fail "rustup not found: want it to install a nightly toolchain with miri"
rustup toolchain list | grep -q '^nightly' || rustup toolchain install nightly --profile minimal \
  || fail "rustup could not install a nightly toolchain"
rustup component list --toolchain nightly | grep -q '^miri.*(installed)' \
  || rustup component add --toolchain nightly miri rust-src || fail "rustup could not add miri"
# Arguments are names of tests. Without any: those that were written with miri in mind, less those of
# ciphers that are another's code with other sizes; eight minutes of CPU.
tests=("$@")
[ $# -gt 0 ] || tests=(keyed incremental registry surface::slices lengths:: splits:: errors
  back_ends --skip X2 --skip Tag32 --skip known_answers)
# cpufeatures finds none under miri, so the portable back end is what runs.
export ROUNDWORKS_REQUIRE_BACKENDS=portable ROUNDWORKS_NO_OTHER_BACKENDS=1
MIRIFLAGS="-Zmiri-env-forward=ROUNDWORKS_REQUIRE_BACKENDS -Zmiri-env-forward=ROUNDWORKS_NO_OTHER_BACKENDS" \
  cargo +nightly miri test --locked -p roundworks --lib --test suite --test summary -- "${tests[@]}"
