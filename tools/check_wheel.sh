#!/usr/bin/env bash
# The wheel of this checkout, and the wheel of its sdist in a folder elsewhere and without a network,
# are the same bytes, and hold no path of this machine. Some minutes: both are compiled whole; with
# CARGO_PROFILE_RELEASE_OPT_LEVEL=0 fewer.
set -euo pipefail
cd "$(dirname "$0")/.."
maturin=$PWD/.venv/bin/maturin
elsewhere=$(mktemp -d)
trap 'kill $(jobs -p) 2>/dev/null || true; rm -rf "$elsewhere"' EXIT
fail() { echo "wheel: $*" >&2; exit 1; }

"$maturin" sdist --out "$elsewhere" > "$elsewhere/sdist.log" 2>&1 || { cat "$elsewhere/sdist.log"; exit 1; }
tar xzf "$elsewhere"/roundworks-*.tar.gz -C "$elsewhere"
bash tools/wheel.sh "$elsewhere/here" &
MATURIN=$maturin CARGO_NET_OFFLINE=true bash "$elsewhere"/roundworks-*/tools/wheel.sh "$elsewhere/there" &
wait -n || fail "a build failed"
wait -n || fail "a build failed"

cmp "$elsewhere"/here/*.whl "$elsewhere"/there/*.whl || fail "two builds differ"
.venv/bin/python -m zipfile -e "$elsewhere"/here/*.whl "$elsewhere/wheel"
for place in "$HOME" "$PWD" "$elsewhere" "${CARGO_HOME:-$HOME/.cargo}"; do
  if grep -rlF "$place/" "$elsewhere/wheel"; then fail "$place/ stands in these files"; fi
done
echo "wheel: two builds are the same, $(stat -c %s "$elsewhere"/here/*.whl) bytes, without a path of this machine"
