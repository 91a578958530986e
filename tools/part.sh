#!/usr/bin/env bash
# usage: part.sh NAME COMMAND...: run one part of a longer job and print the minutes it took.
set -u
name=$1
shift
started=${EPOCHREALTIME/[.,]/}
"$@"
code=$?
tenths=$(((${EPOCHREALTIME/[.,]/} - started + 3000000) / 6000000))
printf '%s: %d.%d min\n' "$name" $((tenths / 10)) $((tenths % 10))
exit $code
