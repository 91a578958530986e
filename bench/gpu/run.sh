#!/bin/bash
# Builds, checks and measures every kernel on a machine with a GPU, in one call of under nine minutes.
#
#   bench/gpu/run.sh [FOLDER]       rows to FOLDER, else to $OUT, else to gpu-rows/
#
# Wants Python 3.11 with numpy, g++, and what pack.sh compiled, or else the native module and nvcc; no network. `roundworks gpu
# --merge FOLDER` takes the rows. Exit 0 done, 1 a kernel is wrong, 2 something is missing.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
out=${1:-${OUT:-gpu-rows}}

fail() {
  echo "run.sh: $1" >&2
  exit 2
}

python=
for name in "${PYTHON:-python3}" python3.13 python3.12 python3.11; do
  if command -v "$name" >/dev/null && "$name" -c 'import sys; sys.exit(sys.version_info < (3, 11))'; then
    python=$name
    break
  fi
done
[ -n "$python" ] || fail "python: want 3.11 or newer with numpy; name one as PYTHON="
"$python" -c 'import numpy' 2>/dev/null || fail "numpy: not found by $python; name another as PYTHON="
command -v g++ >/dev/null || fail "g++: not found; it compiles the thread code that kernels are compared with"
mkdir -p "$out" || fail "$out: cannot be made; name another folder"

export PYTHONPATH="$root/python${PYTHONPATH:+:$PYTHONPATH}" PYTHONDONTWRITEBYTECODE=1
"$python" -c 'import roundworks._native' || fail "roundworks._native: cannot be loaded; make setup, or unpack what pack.sh made"
exec timeout --kill-after=10 530 "$python" "$here/run.py" "$out"
