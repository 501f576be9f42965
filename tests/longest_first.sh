#!/bin/bash
# usage: tests/longest_first.sh <NAMES
#
# Names of tests (PATH/tests/ROOM/all:test_x, PATH/tests/ROOM/test_x, cli/CASE), a line each: those of tests/longest.txt
# first, in its order.
export LC_ALL=C
awk 'NR == FNR { if (!/^#/) place[$1] = FNR; next }
    { name = $0; sub(/^.*\/tests\//, "", name); sub(/all:/, "", name)
      print (name in place ? place[name] : 1e6) "\t" FNR "\t" $0 }
    ' "$(dirname "$0")/longest.txt" - | sort -k1,1n -k2,2n | cut -f3
