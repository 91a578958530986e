#!/usr/bin/env bash
# What the tests on emulated CPUs, under valgrind, of two compilers, of the C library's files, of completion and of Slurm want:
# Debian packages and a Rust library.
# Nothing else wants them. What cannot be installed here is named and setup goes on; the tests that
# want it then count themselves as skipped. With ROUNDWORKS_REQUIRE_TOOLS=1, as in CI, setup fails,
# and so do they.
set -euo pipefail
cd "$(dirname "$0")/.."
AARCH64=aarch64-unknown-linux-gnu
status=0
lacking() {
  if [ "${ROUNDWORKS_REQUIRE_TOOLS:-}" = 1 ]; then
    echo "setup: $1, and ROUNDWORKS_REQUIRE_TOOLS is set" >&2
    status=2
  else
    echo "setup: $1; the tests that want it will be skipped" >&2
  fi
}

missing=()
need() { command -v "$1" >/dev/null || missing+=("${@:2}"); }
need clang clang
need cmake cmake
need mandoc mandoc
need man man-db
need zsh zsh
need fish fish
need munged munge
need slurmctld slurmctld
need slurmd slurmd
need sbatch slurm-client
if [ "$(uname -m)" = x86_64 ]; then
  need qemu-x86_64-static qemu-user-static
  need aarch64-linux-gnu-gcc gcc-aarch64-linux-gnu libc6-dev-arm64-cross
  need valgrind valgrind
fi
if [ ${#missing[@]} -gt 0 ]; then
  if [ "$(id -u)" -eq 0 ]; then as_root=()
  else as_root=(sudo -n)
  fi
  if ! command -v apt-get >/dev/null; then
    lacking "no apt-get here to install ${missing[*]} (Debian names)"
  else
    echo "setup: installing Debian packages: ${missing[*]}"
    "${as_root[@]}" apt-get update -qq \
      && "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
        "${missing[@]}" >/dev/null \
      || lacking "apt-get could not install ${missing[*]}"
  fi
fi

if [ "$(uname -m)" = x86_64 ] && [ ! -d "$(rustc --print sysroot)/lib/rustlib/$AARCH64/lib" ]; then
  if command -v rustup >/dev/null; then
    echo "setup: installing the Rust library for $AARCH64"
    rustup --quiet target add "$AARCH64" || lacking "rustup could not add the target $AARCH64"
  else
    lacking "no rustup here to add the target $AARCH64"
  fi
fi
exit $status
