#!/usr/bin/env bash
# usage: tests/bench/mpi.sh PROGRAM FOLDER
#
# What several ranks gain and what the first one pays, as a table in Markdown: few large files and many small ones, read
# by BENCH_RANKS ranks of one thread (-j 1). Seconds are those between MPI_Init and MPI_Finalize; of one rank, which has
# neither, those of the program. BENCH_MB: of the large files together; BENCH_FILES: how many small ones; LAUNCH: what
# starts ranks, followed by their number (default: mpirun --bind-to none -n); of BENCH_ROUNDS the fastest counts.
set -eu
program=$(realpath "$1")
mkdir -p "$2"
folder=$(cd "$2" && pwd)
ranks=${BENCH_RANKS:-1 2}
mb=${BENCH_MB:-400}
files=${BENCH_FILES:-10000}
launch=${LAUNCH:-mpirun --bind-to none -n}
rounds=${BENCH_ROUNDS:-3}
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
export WATTSCALE_MPI=time

here=$(cd "$(dirname "$0")" && pwd)
cc -O2 -o "$folder/gen_trace" "$here/gen_trace.c"
make_inputs() { # NAME FILES BYTES
    [ -d "$folder/$1-$2-$3" ] || {
        rm -rf "$folder/part" && mkdir "$folder/part"
        "$folder/gen_trace" -g 4 -b "$3" -c "$2" -o "$folder/part"
        mv "$folder/part" "$folder/$1-$2-$3"
    }
    find "$folder/$1-$2-$3" -type f -exec cat {} + >/dev/null
}

once() { # RANKS COMMAND...: seconds of it, and what the first rank says
    local n=$1 begin end
    shift
    begin=$EPOCHREALTIME
    if [ "$n" -eq 1 ]; then
        "$program" "$@" >"$folder/out" 2>"$folder/err"
    else
        # shellcheck disable=SC2086 # words
        $launch "$n" "$program" "$@" >"$folder/out" 2>"$folder/err"
    fi
    end=$EPOCHREALTIME
    cmp -s "$folder/out" "$folder/first" || {
        echo "$n ranks print something else: $*" >&2
        exit 1
    }
    awk -v begin="$begin" -v end="$end" '
        /^wattscale: [0-9]+ ranks,/ { seconds = $4; here = $6; there = $13; bytes = $18
                                      memory = $(NF - 6); cpu = $(NF - 4) }
        END { if (seconds == "") print end - begin, "- - - - -"; else print seconds, here, there, bytes, memory, cpu }
    ' "$folder/err"
}

row() { # WHAT RANKS COMMAND...
    local what=$1 n=$2 best
    shift 2
    best=$(for ((i = 0; i < rounds; i++)); do once "$n" "$@"; done | sort -n | head -n 1)
    [ "$n" -gt 1 ] || one=${best%% *}
    read -r seconds here there bytes memory cpu <<<"$best"
    printf '| %s | %d | %.2f | %s | %s | %s | %s | %s | %s |\n' "$what" "$n" "$seconds" \
        "$(awk -v a="$one" -v b="$seconds" 'BEGIN { printf "%.2f", a / b }')" "$here" "$there" "$bytes" "$memory" "$cpu"
}

make_inputs large 8 $((mb * 1000000 / 8))
make_inputs small "$files" 14000
echo "| what | ranks | s | times one | units here | elsewhere | bytes of records | MB of the first rank | its CPU s |"
echo "| :--- | --: | --: | --: | --: | --: | --: | --: | --: |"
for kind in "large-8-$((mb * 1000000 / 8))" "small-$files-14000"; do
    "$program" energy "$folder/$kind" -q -j 1 --format csv >"$folder/first"
    for n in $ranks; do
        row "energy, ${kind%%-*} files" "$n" energy "$folder/$kind" -q -j 1 --format csv
    done
    "$program" runs "$folder/$kind" -q -j 1 --format csv >"$folder/first"
    for n in $ranks; do
        row "runs, ${kind%%-*} files" "$n" runs "$folder/$kind" -q -j 1 --format csv
    done
done
