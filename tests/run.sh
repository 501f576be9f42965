#!/bin/bash
# usage: tests/run.sh [--cli BIN] TEST...
#
# Runs the tests, as many at once as there are cores, then the command-line cases against BIN, and sums up. A TEST is a
# program, or PROGRAM:SUITE for one of its suites, which runs in a process of its own.
# Those that take longest (tests/longest.txt) begin, so that no core waits for one at the end. Of a test that passes
# only the reasons of its skipped cases are shown. One that crashes, hangs or prints no summary counts as one failure.
# WS_WRAP and WS_TIMEOUT as in tests/cli/run.sh.
set -u
export LC_ALL=C
[ -n "${CORPUS:-}" ] || unset CORPUS # empty is as good as unset
# The leak checker of gcc 12 now and then crashes over the thread-local data of loaded modules where it tracks them.
export ASAN_OPTIONS=${ASAN_OPTIONS:-intercept_tls_get_addr=0}
export LSAN_OPTIONS=${LSAN_OPTIONS:-suppressions=$(realpath "$(dirname "$0")")/lsan.supp:print_suppressions=0}

# Tests make and remove files by the thousand, some campaigns of 100 MB: in memory where there is plenty of it.
free_mb=$(df --output=avail -B1M /dev/shm 2>/dev/null | tail -n 1)
if [ -z "${TMPDIR:-}" ] && [ -w /dev/shm ] && [ "${free_mb:-0}" -gt 4096 ] &&
    awk '/^MemAvailable:/ { exit $2 < 6 * 1024 * 1024 }' /proc/meminfo 2>/dev/null; then
    export TMPDIR=/dev/shm
fi

passed=0 failed=0 skipped=0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

add() { # PASSED FAILED SKIPPED
    passed=$((passed + $1))
    failed=$((failed + $2))
    skipped=$((skipped + $3))
}

# Runs a test in a process of its own; leaves $work/NAME.out and $work/NAME.status.
start_test() {
    local name=${1##*[/:]} program=${1%%:*} arguments=()
    [ "$program" = "$1" ] || arguments=("$name")
    # shellcheck disable=SC2086 # WS_WRAP is a command with its arguments
    timeout "${WS_TIMEOUT:-600}" ${WS_WRAP:-} "$program" ${arguments[@]+"${arguments[@]}"} \
        >"$work/$name.out" 2>&1 </dev/null
    echo $? >"$work/$name.status"
}

# Of builtins alone: one test follows the other here, and most cores have nothing else to do.
judge_test() {
    local name=${1##*[/:]} status=1 line skips=0 summary='' checks=0 bad=0 shown=() output=$work/${1##*[/:]}.out
    local suite='^[0-9]*%: Checks: ([0-9]*), Failures: ([0-9]*), Errors: ([0-9]*)$'
    read -r status <"$work/$name.status"
    while IFS= read -r line || [ -n "$line" ]; do
        if [[ $line == 'SKIP '* ]]; then
            skips=$((skips + 1))
            shown+=("SKIP $name: ${line#SKIP }")
        elif [[ $line == 'compared '* ]]; then
            shown+=("$name: $line")
        elif [[ $line =~ $suite ]]; then
            # A program may run several suites: one line each.
            summary=yes
            checks=$((checks + BASH_REMATCH[1]))
            bad=$((bad + BASH_REMATCH[2] + BASH_REMATCH[3]))
        fi
    done <"$output"
    if [ -n "$summary" ]; then
        [ "$status" -eq 0 ] || [ "$bad" -gt 0 ] || bad=1 checks=$((checks + 1)) # failed after the last case
    else
        skips=0 checks=1 bad=1
    fi
    add $((checks - bad - skips)) "$bad" "$skips"
    if [ "$bad" -gt 0 ]; then
        echo "FAIL $name: exit status $status"
        cat "$output"
    elif [ ${#shown[@]} -gt 0 ]; then
        printf '%s\n' "${shown[@]}"
    fi
}

judge_cli() {
    local last output=$work/cli.out
    last=$(tail -n 1 "$output")
    if [[ $last =~ ^([0-9]+)\ passed,\ ([0-9]+)\ failed,\ ([0-9]+)\ skipped$ ]]; then
        sed '$d' "$output"
        add "${BASH_REMATCH[1]}" "${BASH_REMATCH[2]}" "${BASH_REMATCH[3]}"
    else
        echo "FAIL tests/cli/run.sh: no summary"
        cat "$output"
        add 0 1 0
    fi
}

cli=
if [ "${1:-}" = --cli ]; then
    cli=${2:?--cli needs a program}
    shift 2
fi
cores=$(nproc)
running=0
printf '%s\n' "$@" | bash "$(dirname "$0")/longest_first.sh" >"$work/tests"
while read -r test; do
    [ "$running" -lt "$cores" ] || { wait -n; running=$((running - 1)); }
    start_test "$test" &
    running=$((running + 1))
done <"$work/tests"
[ -z "$cli" ] || bash "$(dirname "$0")/cli/run.sh" "$cli" >"$work/cli.out" 2>&1 </dev/null & # beside the last test
wait
for test in "$@"; do
    judge_test "$test"
done
[ -z "$cli" ] || judge_cli
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
