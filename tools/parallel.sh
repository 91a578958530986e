#!/usr/bin/env bash
# usage: parallel.sh NAME COMMAND... -- COMMAND...: run one part of a longer job while the rest of it runs.
# What the part prints follows the rest. If the rest fails, the part is ended.
set -u
part=()
while [ "$1" != -- ]; do part+=("$1"); shift; done
shift
log=$(mktemp)
# In a session of its own, so that it is ended with all that it started.
setsid bash "$(dirname "$0")/part.sh" "${part[@]}" > "$log" 2>&1 < /dev/null &
other=$!
end() { kill -- -"$other" 2> /dev/null; cat "$log"; rm -f "$log"; }
trap end EXIT
trap 'exit 130' INT TERM
"$@" || exit
wait "$other"
