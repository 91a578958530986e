#!/usr/bin/env bash
# The wheel of this checkout, and the wheel of its sdist in a folder elsewhere and without a network,
# are the same bytes, and hold no path of this machine. Some minutes: both are compiled whole; with
# CARGO_PROFILE_RELEASE_OPT_LEVEL=0 fewer. With ROUNDWORKS_RESULTS a row is stored in that folder.
set -euo pipefail
cd "$(dirname "$0")/.."
maturin=$PWD/.venv/bin/maturin
elsewhere=$(mktemp -d)
trap 'kill $(jobs -p) 2>/dev/null || true; rm -rf "$elsewhere"' EXIT
say() {
  echo "wheel: $1" | tee "$elsewhere/said"
  [ -z "${ROUNDWORKS_RESULTS:-}" ] || .venv/bin/python -m roundworks.bench.checked wheel "$elsewhere/said" $SECONDS "$2"
}
fail() { say "$*" 1 >&2; exit 1; }

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
say "two builds are the same, $(stat -c %s "$elsewhere"/here/*.whl) bytes, without a path of this machine" 0
