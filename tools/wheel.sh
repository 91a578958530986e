#!/usr/bin/env bash
# One wheel for Python 3.11 and later, the same bytes whoever builds it: the folders of this machine
# do not get into it. What it is made of is listed in it, and next to it. tools/wheel.sh [OUT]
set -euo pipefail
cd "$(dirname "$0")/.."
out=${1:-dist}
maturin=${MATURIN:-.venv/bin/maturin}
target=target/wheel # apart: other flags would build all of it again, and what `make test` uses
home=${CARGO_HOME:-$HOME/.cargo}

# The lock file of an sdist also names the crates that the sdist leaves out: cargo drops those.
locked=(--locked)
[ -e PKG-INFO ] && locked=()

cargo fetch "${locked[@]}" --quiet
# The sources of crates lie in a folder whose name depends on the registry's address.
crates=("$home"/registry/src/*)
rust=() c=()
map() { rust+=("--remap-path-prefix=$1=$2") c+=("-ffile-prefix-map=$1=$2"); }
map "$home" /cargo
for folder in "${crates[@]}"; do map "$folder" /crates; done
map "$(rustc --print sysroot)" /rust
map "$PWD" /roundworks

export SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-315532800} # 1980, the first year of a zip file
export CFLAGS="${c[*]}" CXXFLAGS="${c[*]}"
CARGO_ENCODED_RUSTFLAGS=$(IFS=$'\x1f'; echo "${rust[*]}")
export CARGO_ENCODED_RUSTFLAGS
version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -1)
sbom=$target/roundworks.cdx.json
mkdir -p "$target" "$out"
bash tools/sbom.sh roundworks-py "pkg:pypi/roundworks@$version" --features pyo3/extension-module > "$sbom"
"$maturin" build --release "${locked[@]}" --quiet --target-dir "$target" --out "$out" --sbom-include "$sbom"
cp "$sbom" "$out/roundworks-$version.cdx.json"
