#!/usr/bin/env bash
# What we take from others: licences and SBOMs by our own check, then cargo-deny (deny.toml, RustSec's advisories) and
# pip-audit (PyPI's). A row is stored, in the folder ROUNDWORKS_RESULTS if that is set. A
# part whose advisories cannot be had is named, and fails: nothing is claimed of it. Git's own url.<clone>.insteadOf
# gives cargo-deny a clone of RustSec's advisory-db that is already here.
set -uo pipefail
cd "$(dirname "$0")/.."
: "${DENY:=cargo-deny}"
log=$(mktemp) said=$(mktemp) failed=0
trap 'rm -f "$log" "$said"' EXIT
say() { echo "supply: $*" | tee -a "$said"; }

if .venv/bin/python tools/check_supply.py 2> "$log"; then
  say "licences of $(grep -c '^| [a-zA-Z0-9]' THIRD_PARTY.md) packages, and the notices of what is shipped: clean"
else
  cat "$log"
  say "licences: NOT clean"
  failed=1
fi
for crate in roundworks-py:pypi/roundworks roundworks-capi:generic/libroundworks roundworks:cargo/roundworks; do
  if parts=$(bash tools/sbom.sh "${crate%%:*}" "pkg:${crate#*:}@0" 2> "$log" |
      .venv/bin/python -c 'import json, sys; print(len(json.load(sys.stdin)["components"]))'); then
    say "SBOM of ${crate#*:}, $parts components: clean"
  else
    cat "$log"
    say "SBOM of ${crate#*:}: NOT made"
    failed=1
  fi
done

workspaces=(. crates/roundworks-peers) files=(requirements/*.txt)
if ! command -v "$DENY" > /dev/null; then
  say "bans and sources of crates, and known vulnerabilities in them: NOT RUN, no cargo-deny"
  workspaces=() failed=1
fi
if [ ! -x .venv/bin/pip-audit ]; then
  say "known vulnerabilities in ${#files[@]} lists of Python packages: NOT RUN, no pip-audit"
  files=() failed=1
fi

for workspace in "${workspaces[@]}"; do
  # Ours alone is kept from double and from banned crates.
  checks="licenses sources"
  [ "$workspace" = . ] && checks+=" bans"
  deny() { "$DENY" --config deny.toml --manifest-path "$workspace/Cargo.toml" check --allow license-not-encountered \
    --allow license-exception-not-encountered "$@" > "$log" 2>&1; }
  # shellcheck disable=SC2086
  if deny $checks; then
    say "$workspace: $checks: clean"
  else
    cat "$log"
    say "$workspace: $checks: NOT clean"
    failed=1
  fi
  if deny advisories; then
    say "$workspace: no crate has a known vulnerability"
  elif grep -q "failed to fetch advisory database" "$log"; then
    say "$workspace: NOT CHECKED for known vulnerabilities: RustSec's advisories cannot be had"
    failed=1
  else
    cat "$log"
    say "$workspace: crates with a known vulnerability, or not checked"
    failed=1
  fi
done

for file in "${files[@]}"; do
  found=$(.venv/bin/pip-audit --require-hashes --disable-pip --progress-spinner off -f json -r "$file" 2> "$log")
  if ! counts=$(.venv/bin/python tools/audited.py <<< "$found"); then
    [ -n "$found" ] || tail -1 "$log"
    failed=1
  fi
  say "$file: ${counts:-NOT CHECKED for known vulnerabilities: pip-audit ended with an error}"
done
.venv/bin/python -m roundworks.bench.checked supply "$said" $SECONDS $failed
exit $failed
