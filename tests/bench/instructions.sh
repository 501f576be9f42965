#!/usr/bin/env bash
# usage: tests/bench/instructions.sh PROGRAM GEN_TRACE FORM [MOST]
#
# Instructions a byte of `energy --quantity power,util` in one thread, by callgrind: what 4 MB cost above 2 MB of
# the same
# trace. Fails where it is more than MOST.
set -eu
program=$1 gen_trace=$2 form=$3 most=${4:-}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
if ! command -v valgrind >/dev/null 2>&1; then
    echo "there is no valgrind"
    exit 1
fi

count() { # BYTES: instructions
    "$gen_trace" -f "$form" -b "$1" -s 1 -o "$work/trace.csv"
    valgrind --tool=callgrind --callgrind-out-file=/dev/null \
        "$program" energy "$work/trace.csv" --quantity power,util -j 1 -q 2>&1 >/dev/null |
        awk '/Collected/ { print $NF }'
}
small=$(count 2m)
large=$(count 4m)
echo "$form $small $large ${most:-0}" | awk '{
    each = ($3 - $2) / 2e6
    printf "%s %.2f instructions a byte\n", $1, each
    exit each <= 0 || ($4 > 0 && each > $4) }'
