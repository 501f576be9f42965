#!/usr/bin/env bash
# Time `wattscale energy` against a newline scan and a libcsv loop on the same generated trace, in interleaved rounds.
set -eu
program=$1
here=$(dirname "$0")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
size=${BENCH_SIZE:-100m}
rounds=${BENCH_ROUNDS:-5}

cc -O2 -o "$work/gen" "$here/gen_trace.c"
cc -O2 -o "$work/nlscan" "$here/nlscan.c"
cc -O2 -o "$work/libcsv" "$here/peer_libcsv.c" -lcsv -lm

run() { # NAME COMMAND...: seconds of this run to NAME.times
    local name=$1 start end
    shift
    start=$(date +%s%N)
    "$@" >"$work/$name.out" 2>/dev/null
    end=$(date +%s%N)
    echo $((end - start)) >>"$work/$name.times"
}
median() { sort -n "$work/$1.times" | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] / 1e9 }'; }

for form in smi nounits; do
    "$work/gen" -f $form -b "$size" -s 1 -o "$work/trace.csv"
    rm -f "$work"/*.times
    for _ in $(seq "$rounds"); do
        run scan "$work/nlscan" "$work/trace.csv"
        run libcsv "$work/libcsv" $form "$work/trace.csv"
        run ours "$program" energy "$work/trace.csv" -q --format csv
    done
    awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) h[$i] = i; next } { print $h["energy_j"] }' "$work/ours.out" | sort -g >"$work/a"
    cut -f5 "$work/libcsv.out" | sort -g >"$work/b"
    paste "$work/a" "$work/b" | awk -v form=$form '
        { d = ($1 - $2) / $2; if (d < 0) d = -d; if (d > worst) worst = d; n++ }
        END { printf "%s: %d devices, largest relative difference of the energies %.1e\n", form, n, worst; exit n == 0 || worst > 1e-9 }'
    bytes=$(stat -c %s "$work/trace.csv")
    for name in scan libcsv ours; do
        echo "$form $name $(median $name) $bytes" | awk '{ printf "  %-8s %-8s %7.3f s  %8.0f MB/s\n", $1, $2, $3, $4 / $3 / 1e6 }'
    done
done

cc -O2 -I"$here/../.." -o "$work/bca" "$here/bca.c" "$(dirname "$program")/libwattscale.a" -lgsl -lgslcblas -lm
"$work/bca"
