#!/usr/bin/env bash
# Share of lines that the tests ran through, a line a file, the least covered first. Needs gcov of the compiler used.
set -eu
build=$1
find "$build/obj" -name '*.gcda' | sort | while read -r data; do
    gcov -n -o "$(dirname "$data")" "$data" 2>/dev/null
done | awk '
    /^File / { file = substr($0, 7, length($0) - 7); next }
    /^Lines executed:/ && file !~ /^\/usr/ {
        split(substr($0, 16), part, "% of ")
        if (!(file in lines) || part[1] > share[file]) { share[file] = part[1]; lines[file] = part[2] }
    }
    END {
        for (f in lines) {
            printf "%6.1f %%  %5d  %s\n", share[f], lines[f], f
            total += lines[f]
            run += lines[f] * share[f] / 100
        }
        printf "%6.1f %%  %5d  all\n", 100 * run / total, total
    }' | sort -n
