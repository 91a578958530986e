#!/usr/bin/env bash
# Checks what the system must have and installs missing Debian packages, as root or through sudo.
# With the word `page`, only what `make report` runs.
set -euo pipefail
PYTHON=${PYTHON:-python3}
what=${1:-all}

fail() { echo "setup: $*" >&2; exit 2; }

command -v "$PYTHON" >/dev/null || fail "$PYTHON not found: want Python 3.11 or newer; set PYTHON=/path/to/python"
"$PYTHON" -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
  || fail "$PYTHON: want Python 3.11 or newer, got $("$PYTHON" --version 2>/dev/null || echo one that does not run); set PYTHON=/path/to/python"

oldest=$(sed -n 's/^rust-version = "\(.*\)"/\1/p' "$(dirname "$0")/../Cargo.toml")
command -v cargo >/dev/null || fail "cargo not found: want Rust $oldest or newer, as from rustup"
rust=$(rustc --version | cut -d' ' -f2 | cut -d- -f1)
[ "$(printf '%s\n' "$oldest" "$rust" | sort -V | head -1)" = "$oldest" ] \
  || fail "rustc $rust is too old: want $oldest or newer; run: rustup update stable"
[ "$what" = page ] || { cargo clippy --version >/dev/null 2>&1 && cargo fmt --version >/dev/null 2>&1; } \
  || echo "setup: note: clippy or rustfmt is missing; 'make check' needs them (rustup component add clippy rustfmt)" >&2

# command that proves a package -> the package
missing=()
need() { command -v "$1" >/dev/null || missing+=("$2"); }
need dot graphviz
if [ "$what" = page ]; then
  need cc gcc
  [ -e /usr/include/stdlib.h ] || missing+=(libc6-dev)
else
  need cc build-essential
  need c++ build-essential
  need pkg-config pkgconf
  need chromium chromium
  need chromedriver chromium-driver
  need dieharder dieharder
fi
"$PYTHON" -c 'import ensurepip, venv' 2>/dev/null || missing+=(python3-venv)
[ ${#missing[@]} -eq 0 ] && exit 0

command -v apt-get >/dev/null \
  || fail "missing: ${missing[*]} (Debian names); this system has no apt-get: install them by hand, then run make again"
if [ "$(id -u)" -eq 0 ]; then as_root=()
elif command -v sudo >/dev/null; then as_root=(sudo)
else fail "missing packages: ${missing[*]}; run as root: apt-get install ${missing[*]}"
fi
echo "setup: installing Debian packages: ${missing[*]}"
"${as_root[@]}" apt-get update -qq
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null \
  || fail "apt-get could not install ${missing[*]}; install them by hand, then run make again"
