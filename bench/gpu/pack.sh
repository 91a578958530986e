#!/bin/bash
# What run.sh needs, compiled, in one archive: for a machine without this checkout, or without nvcc.
#
#   bench/gpu/pack.sh ARCHIVE.tar.gz
set -euo pipefail

root=$(cd "$(dirname "$0")/../.." && pwd)
archive=$(realpath -m "${1:?want the name of an archive, as in: bench/gpu/pack.sh gpu.tar.gz}")
python=${PYTHON:-$root/.venv/bin/python}
cd "$root"
[ -e python/roundworks/_native.abi3.so ] || { echo "pack.sh: no native module in python/roundworks; make setup" >&2; exit 2; }

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
PYTHONPATH="$root/python${PYTHONPATH:+:$PYTHONPATH}" ROUNDWORKS_BUILD="$folder/build" "$python" -c '
import sys
from roundworks.errors import RoundworksError
from roundworks.gpu import build
try:
    for family in build.families():
        print(f"{family}: {build.fat_binary(family).stat().st_size:,} bytes")
except RoundworksError as error:
    sys.exit(f"pack.sh: {error}")
'
git describe --always --abbrev=12 --dirty --exclude "*" >"$folder/COMMIT"
tar -czf "$archive" --exclude=__pycache__ \
  bench/gpu kernels spec python/roundworks -C "$folder" COMMIT build
echo "$archive: $(stat -c %s "$archive") bytes"
