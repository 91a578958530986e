#!/usr/bin/env bash
# usage: part.sh NAME COMMAND...: run one part of a longer job and print the minutes it took.
# After PART_DEADLINE, in seconds since 1970, no part is begun: it says that it is left out.
set -u
name=$1
shift
if [ "$EPOCHSECONDS" -gt "${PART_DEADLINE:-$EPOCHSECONDS}" ]; then
  echo "$name: left out, 1 part skipped: the time for all parts is over; run 'make test-all' for it"
  exit 0
fi
started=${EPOCHREALTIME/[.,]/}
"$@"
code=$?
tenths=$(((${EPOCHREALTIME/[.,]/} - started + 3000000) / 6000000))
printf '%s: %d.%d min\n' "$name" $((tenths / 10)) $((tenths % 10))
exit $code
