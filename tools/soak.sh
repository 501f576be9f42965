#!/usr/bin/env bash
# What takes longer than `make check`: the tests under the sanitizers, command line cases under valgrind, every reader
# on damaged input. Ends with a summary that also goes to docs/soak.md. At most an hour; `make soak-long` sets
# SOAK_LONG=yes: every case under valgrind, ten times the damaged input, hours.
set -u
corpus=${1:-}
long=${SOAK_LONG:-}
[ -z "$long" ] || export SOAK_ROUNDS=${SOAK_ROUNDS:-2000} WS_FUZZ_SECONDS=${WS_FUZZ_SECONDS:-3600}
report=docs/soak.md
jobs=2
failed=0
lines=()

step() { # NAME COMMAND...: run it, keep its last line
    local name=$1 log last
    shift
    log=$(mktemp)
    echo "== $name"
    if "$@" >"$log" 2>&1; then last="passed: $(tail -n 1 "$log")"; else
        failed=1
        last="FAILED: $(tail -n 1 "$log")"
        tail -n 40 "$log"
    fi
    echo "$last"
    lines+=("| $name | $last |")
    rm -f "$log"
}

build_fuzz() { # NAME: the driver tests/fuzz/NAME.c under sanitizers
    local build=build/asan
    # shellcheck disable=SC2046
    cc -std=c11 -I. -Itests -D_POSIX_C_SOURCE=200809L $(pkg-config --cflags hdf5) -O1 -g \
        -fsanitize=address,undefined -fno-sanitize-recover=all -o "$build/$1" "tests/fuzz/$1.c" \
        $build/libwattscale-hdf5.a $build/libwattscale.a $(make -s print-libs)
}

fuzz() {
    build_fuzz fuzz_formats || return 1
    find datasets tests/data -type f \
        \( -name '*.csv' -o -name '*.json' -o -name '*.txt' -o -name 'slurm_*' -o -name '*.pt' \) |
        sort | awk 'NR % 5 == 1' >build/fuzz-seeds
    if [ -n "$corpus" ]; then
        find "$corpus/fixtures" -type f -size -200k -not -name '*.hdf5*' -not -name '*.md' | sort >>build/fuzz-seeds
    fi
    xargs -a build/fuzz-seeds -d '\n' -n 8 -P $jobs build/asan/fuzz_formats --rounds "${SOAK_ROUNDS:-200}" \
        >build/fuzz.log || return 1
    awk '{ files += $1; inputs += $3 } END { print files " files, " inputs " inputs, no finding" }' build/fuzz.log
}

records() {
    build_fuzz fuzz_records || return 1
    xargs -a build/fuzz-seeds -d '\n' build/asan/fuzz_records --rounds "${SOAK_ROUNDS:-200}"
}

without_options() {
    local build=build/plain
    make --no-print-directory BUILD=$build SQLITE='' MPI='' $build/wattscale $build/wattscale-hdf5 >/dev/null ||
        return 1
    cmp <($build/wattscale runs datasets/demo -q --format csv) \
        <(build/release/wattscale runs datasets/demo -q --format csv) || return 1
    $build/wattscale ingest datasets/demo --store build/none.wattscale 2>&1 | grep 'built without SQLite'
}

# Every tenth call that writes, every third one that kills, 200 kills at random moments, disks of 20 sizes.
store_faults() {
    local what
    for what in "writes 10" "ends 3" "kills 200" "full 20"; do
        # shellcheck disable=SC2086 # words
        tests/faults/store_faults.sh build/release/wattscale $what 2>/dev/null || return 1
    done | paste -sd ';'
}

# WS_FUZZ_SECONDS=3600 goes on for an hour.
same_rows() {
    local end=$((SECONDS + ${WS_FUZZ_SECONDS:-120})) seed=1 total=0 said
    build_fuzz fuzz_readers || return 1
    while [ $SECONDS -lt $end ]; do
        said=$(build/asan/fuzz_readers --seed $seed --rounds 20) || return 1
        total=$((total + ${said%% *}))
        seed=$((seed + 100000))
    done
    echo "$total made and damaged files, the same by every reader"
}

round_trip() {
    local test=build/release/tests/analyze/test_planted_papers
    make --no-print-directory build/release/wattscale-synth $test >/dev/null &&
        WS_PLANTED_SEEDS="1 2 3" DATASETS=datasets $test
}

# Folders of other names and numbers than `make check` draws, and damage to more bytes.
other_seeds() {
    local seed
    make --no-print-directory build/release/wattscale{,-synth} build/release/tests/datasets/test_layouts \
        build/release/tests/formats/test_perun_damage build/release/tests/corpus/test_packed >/dev/null || return 1
    WS_LONG=yes CORPUS="$corpus" build/release/tests/corpus/test_packed | grep '100%' || return 1
    for seed in 1 2 7 11 13; do
        LAYOUT_SEED=$seed build/release/tests/datasets/test_layouts | grep '100%' || return 1
    done
    CK_FORK=no DAMAGE_STEP=13 CORPUS="$corpus" build/release/tests/formats/test_perun_damage | grep 'bits of lists'
}

# Cases that try fewer threads, ranks, faults and recipes in `make check`.
long_cases() {
    local cases
    mapfile -t cases < <(grep -l WS_LONG tests/cli/*/cmd | cut -d/ -f3)
    WS_LONG=yes tests/cli/run.sh build/release/wattscale "${cases[@]}"
}

# Valgrind computes long double in 64 bits, so last digits may differ and only its own findings count. Every eighth
# case, or all.
valgrind_cases() {
    local logs found options cases=()
    [ -n "$long" ] || mapfile -t cases < <(cd tests/cli && printf '%s\n' */ | tr -d / | awk 'NR % 8 == 4')
    logs=$(pwd)/build/valgrind
    options="--leak-check=full --show-leak-kinds=definite --errors-for-leak-kinds=definite"
    rm -rf "$logs" && mkdir -p "$logs"
    WS_WRAP="valgrind -q $options --suppressions=$(pwd)/tests/valgrind.supp --log-file=$logs/%p.log" \
        WS_TIMEOUT=1800 CORPUS="$corpus" tests/cli/run.sh build/release/wattscale ${cases[@]+"${cases[@]}"} >/dev/null
    found=$(find "$logs" -name '*.log' -size +0 | head -n 1)
    if [ -n "$found" ]; then
        cat "$found"
        echo "a finding"
        return 1
    fi
    echo "$(find "$logs" -name '*.log' | wc -l) runs of the program, no finding"
}

# Every seed alone has to keep its bounds; the table is that of docs/methods.md.
coverage() {
    local name fit=build/release/tests/fit/all analyze=build/release/tests/analyze/all table=build/coverage.md
    make --no-print-directory $fit $analyze >/dev/null || return 1
    : >$table
    for name in coverage_defaults coverage levels; do
        CK_FORK=no COVERAGE_SETS="${SOAK_SETS:-10000}" $fit "test_$name" | tee -a $table |
            grep '100%' || return 1
    done
    ADVISE_CAMPAIGNS=300 $analyze test_advise_campaigns | grep '100%' || return 1
    ADVISE_CAMPAIGNS=500 $analyze test_advise_cap_campaigns | grep '100%' || return 1
    CK_FORK=no SAMPLING_SETS=2000 $analyze test_sampling | grep '100%' || return 1
    echo "$(grep -c '^| ' $table) intervals and tests, three times ${SOAK_SETS:-10000} campaigns each: table in $table"
}

# More than 10 instructions a byte of the peers' job would mean that a trace left the fast path.
instructions() {
    cc -O2 -o build/gen_trace tests/bench/gen_trace.c &&
        tests/bench/instructions.sh build/release/wattscale build/gen_trace smi 10
}

# How many files a reader has to know to follow a sample (docs/design.md): of a log without an index column at most 24;
# without the corpus, of one with two devices in a campaign that is synthetic, which is asked for more.
sample_way() {
    local log=$corpus/fixtures/nvidia-smi-csv/rtx4090_units.csv most=24 way
    [ -f "$log" ] || { log=$(find datasets/demo -name 'gpu_*.csv' | sort | head -n 1) && most=33; }
    way=$(tools/sample_way.sh "$log" | tail -n 1)
    echo "$way"
    [ "${way% files}" -le $most ]
}

step "tests" make --no-print-directory check CORPUS="$corpus"
step "tests under address and undefined-behaviour sanitizers" make --no-print-directory asan CORPUS="$corpus"
step "would the tests notice: changed constants, comparisons and divisors" \
    make --no-print-directory mutants CORPUS="$corpus"
step "command line cases under valgrind" valgrind_cases
step "coverage of intervals and levels of tests" coverage
step "readers on damaged input, under sanitizers" fuzz
step "built without SQLite and MPI" without_options
step "records that somebody damaged, under sanitizers" records
step "stores whose writers fail or are killed" store_faults
step "the scanner against libcsv, under sanitizers" same_rows
step "files made to exhaust a reader" tests/soak/bombs.sh build/release/wattscale
step "instructions a byte" instructions
step "files on a power sample's way" sample_way
step "both papers' synthetic campaigns, whole, from three seeds" round_trip
step "folders of other seeds, and more damage to lists of HDF5" other_seeds
step "cases in their long form: one to eight ranks of MPI, more threads, faults and recipes" long_cases
step "the scripts of docs/cluster.md under Slurm" tests/soak/slurm.sh build/release/wattscale
step "the tables and views of a store in DuckDB's SQL" tests/soak/duckdb.sh build/release/wattscale
step "the page of a report in Chromium" tests/soak/page.sh build/release/wattscale
{
    echo "# Last soak"
    echo
    echo "\`make soak${long:+-long}\`: what takes longer than \`make check\`. Written by tools/soak.sh after"
    echo "\"$(git log -1 --format=%s)\"; fuzzing is in docs/fuzzing.md."
    echo
    echo "| what | result |"
    echo "| --- | --- |"
    printf '%s\n' "${lines[@]}"
    echo
    echo "$(cc --version | head -n 1); $(uname -m); $(valgrind --version 2>/dev/null || echo 'no valgrind')"
} >$report
echo "written to $report"
exit $failed
