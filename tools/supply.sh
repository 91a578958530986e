#!/usr/bin/env bash
# What we take from others, by cargo-deny (deny.toml, RustSec's advisories) and pip-audit (PyPI's). A
# part whose advisories cannot be had is named, and fails: nothing is claimed of it. Git's own url.<clone>.insteadOf
# gives cargo-deny a clone of RustSec's advisory-db that is already here.
set -uo pipefail
cd "$(dirname "$0")/.."
: "${DENY:=cargo-deny}"
log=$(mktemp) failed=0
trap 'rm -f "$log"' EXIT
say() { echo "supply: $*"; }

for workspace in . crates/roundworks-peers; do
  # Ours alone is kept from double and from banned crates.
  checks="licenses sources"
  [ "$workspace" = . ] && checks+=" bans"
  deny() { "$DENY" --config deny.toml --manifest-path "$workspace/Cargo.toml" check --allow license-not-encountered \
    --allow license-exception-not-encountered "$@" > "$log" 2>&1; }
  # shellcheck disable=SC2086
  if deny $checks; then say "$workspace: $checks: clean"; else cat "$log"; failed=1; fi
  if deny advisories; then
    say "$workspace: no crate has a known vulnerability"
  elif grep -q "failed to fetch advisory database" "$log"; then
    say "$workspace: NOT CHECKED for known vulnerabilities: RustSec's advisories cannot be had"
    failed=1
  else
    cat "$log"
    failed=1
  fi
done

for file in requirements/*.txt; do
  found=$(.venv/bin/pip-audit --require-hashes --disable-pip --progress-spinner off -f json -r "$file" 2> "$log")
  if ! counts=$(.venv/bin/python tools/audited.py <<< "$found"); then
    [ -n "$found" ] || tail -1 "$log"
    failed=1
  fi
  say "$file: ${counts:-NOT CHECKED for known vulnerabilities: pip-audit ended with an error}"
done
exit $failed
