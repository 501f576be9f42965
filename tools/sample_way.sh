#!/usr/bin/env bash
# usage: tools/sample_way.sh FILE [FORMAT]
#
# The source files that a power sample runs through: those with lines that run in `energy FILE --as FORMAT` in a
# build that counts them, without core/, analyze/commands/ and report/. --as keeps the scores of all other formats out.
# Ends with their number; x.c, x.h and x_internal.h are one.
set -euo pipefail
file=$(realpath "$1")
format=${2:-nvidia-smi-csv}
cd "$(dirname "$0")/.."
build=build/way
make --no-print-directory -s BUILD=$build OPT="-O0 -g" EXTRA="--coverage" $build/wattscale >/dev/null
find $build -name '*.gcda' -delete
$build/wattscale energy "$file" --as "$format" >/dev/null 2>&1
find $build/obj/formats $build/obj/analyze $build/obj/fit -name '*.gcda' 2>/dev/null | sort | while read -r data; do
    gcov -n -o "$(dirname "$data")" "$data" 2>/dev/null
done | awk '
    /^File / { file = substr($0, 7, length($0) - 7); next }
    /^Lines executed:/ && file ~ /^(formats|analyze|fit)\// && file !~ /^analyze\/(commands|main)/ {
        split(substr($0, 16), part, "% of ")
        if (part[1] > 0) { sub(/(_internal)?\.[ch]$/, "", file); seen[file] = 1 }
    }
    { file = "" } # the last such line of an object is about all of its files
    END { for (f in seen) print f }' | sort | awk '{ print; n++ } END { print n + 0 " files" }'
