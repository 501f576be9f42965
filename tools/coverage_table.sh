#!/bin/bash
# usage: tools/coverage_table.sh [NAME...]
#
# Draws the campaigns of tests/fit/test_NAME.c (coverage_defaults, coverage, levels) three times SOAK_SETS (10000)
# times and writes what came out into the table of docs/methods.md between the lines "<!-- NAME -->" and
# "<!-- end of NAME -->"; where the page has none, it prints the rows. Every seed alone has to keep its bounds, or the
# page stays as it is and the exit status is 1. Needs `make tests`.
set -eu
cd "$(dirname "$0")/.."
page=docs/methods.md
for name in "${@:-coverage_defaults}"; do
    rows=$(mktemp)
    CK_FORK=no COVERAGE_SETS="${SOAK_SETS:-10000}" "${BUILD:-build/release}/tests/fit/test_$name" >"$rows" 2>&1 ||
        true # the rows say what failed
    grep -q '^100%' "$rows" || { cat "$rows"; exit 1; }
    grep '^| ' "$rows" >"$rows.table"
    if ! grep -qxF "<!-- $name -->" "$page"; then
        cat "$rows.table"
        rm -f "$rows" "$rows.table"
        continue
    fi
    awk -v name="$name" -v rows="$rows.table" '
        $0 == "<!-- end of " name " -->" { inside = 0 }
        !inside { print }
        $0 == "<!-- " name " -->" { inside = 1; found = 1; head = 1 }
        inside && head { getline; while ($0 !~ /^\| ---/) { print; getline } print; head = 0
            while ((getline line < rows) > 0) print line }
        END { exit !found }' "$page" >"$rows.page"
    cat "$rows.page" >"$page"
    rm -f "$rows" "$rows.table" "$rows.page"
done
