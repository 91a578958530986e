#!/usr/bin/env bash
# What an artefact is made of, as CycloneDX 1.6: tools/sbom.sh CRATE PURL [OPTION OF cargo tree...]
# The crates that CRATE is built from, as Cargo.lock has them, on this target. Those that only run while
# it is compiled are "excluded". The same sources and toolchain give the same bytes. Wants cargo alone.
set -euo pipefail
cd "$(dirname "$0")/.."
export LC_ALL=C
crate=$1 purl=$2
shift 2
options=("$@")
[ -e PKG-INFO ] || options+=(--locked) # the lock file of an sdist names more than the sdist has
crates() {
  cargo tree -p "$crate" --prefix depth --format '|{p}|{l}' -e "$2" "${options[@]}" |
    sed -E "s/ \(\*\)$//; s/^([0-9]+)\|([^ ]+) v([^ |]+)[^|]*\|/$1|\1|\2 \3|/"
}
{
  rustc --version | awk '{ print "rust|" $2 }'
  awk -F'"' '$1 == "name = " { name = $2 } $1 == "version = " { version = $2 }
    $1 == "checksum = " { print "sum|" name " " version "|" $2 }' Cargo.lock
  crates linked normal,no-proc-macro
  crates built normal,build
} | awk -v purl="$purl" -f tools/sbom.awk
