#!/usr/bin/env bash
# usage: tests/faults/store_faults.sh PROGRAM writes|kills|full STEP_OR_ROUNDS
#
# A store under what may befall its writer. After each fault the store is the one that was there before or the new one,
# whole; every command on it answers as the files do; and the next ingest goes through and leaves nothing beside it.
#   writes N  ingest and merge, whose every N-th writing call fails, one run a call
#   ends N    the same, and there the writer is killed
#   kills N   N times killed at a random moment
#   full N    no file may grow beyond so many KiB, from 8 on in N steps
set -eu
program=$(realpath "$1")
what=$2
n=$3
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cc -shared -fPIC -o "$work/shim.so" "$here/store_shim.c" -ldl
export ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}verify_asan_link_order=0
cd "$work"
cp -a "$here/../../datasets/demo" campaign
rm -r campaign/gbs1024
find campaign -type f -exec touch -d '2026-01-01 10:00:00.123456789' {} +
changing=campaign/gbs256/1g256b4w10e/9000016/gpu_node1.csv
store=campaign/campaign.wattscale
runs() { "$program" runs campaign -q --format csv "$@"; }
ingest() { "$program" ingest campaign -q; }

die() {
    echo "$*"
    exit 1
}

# The old store with one file that has changed since, so that the next ingest has something to do.
"$program" ingest campaign -q --shard 1/2 --store part1.wattscale >/dev/null
"$program" ingest campaign -q --shard 2/2 --store part2.wattscale >/dev/null
runs >wanted.old
ingest >/dev/null
cp -a $store old.wattscale
sed '$d' $changing >shorter && cp shorter $changing && rm shorter
runs --no-store >wanted.new
merge() { "$program" merge part1.wattscale part2.wattscale -o joined.wattscale --force; }

# Whole, and used: nothing is said of it.
check_store() { # STORE
    [ ! -e "$1" ] || [ "$(sqlite_ok "$1")" = ok ] || die "$1 is damaged after $at"
    runs >got 2>said || die "runs fails after $at: $(cat said)"
    cmp -s got wanted.new || die "another answer after $at"
    [ ! -s said ] || die "after $at: $(cat said)"
}

sqlite_ok() { # STORE
    if command -v sqlite3 >/dev/null; then sqlite3 "$1" 'PRAGMA integrity_check'; else echo ok; fi
}

check_after() {
    [ -z "$(find campaign . -maxdepth 1 -name '*-journal')" ] || die "a journal of SQLite is left after $at"
    [ ! -e $store ] || cmp -s $store old.wattscale || check_store $store
    check_store $store
    ingest >said 2>&1 || die "no ingest after $at: $(cat said)"
    check_store $store
    [ "$(find campaign -name '.*wattscale*' | wc -l)" -eq 0 ] || die "left behind after $at"
    grep -q ' 0 read' <("$program" ingest campaign -q) || die "something was lost after $at"
}

tables_of() { # STORE
    if command -v sqlite3 >/dev/null; then
        sqlite3 "$1" 'SELECT * FROM runs; SELECT * FROM devices; SELECT * FROM findings'
    fi
}

# The one that was there, or the joined one with all that belongs to it.
check_merge() {
    if [ -e joined.wattscale ] && ! cmp -s joined.wattscale old.wattscale; then
        [ "$(sqlite_ok joined.wattscale)" = ok ] || die "a damaged store after $at"
        tables_of joined.wattscale 2>&1 | cmp -s - wanted.tables || die "a store without its tables after $at"
    fi
    merge >said 2>&1 || die "$at: $(cat said)"
    tables_of joined.wattscale 2>&1 | cmp -s - wanted.tables || die "other tables after $at"
    [ "$(find . -maxdepth 1 -name '.*wattscale*' | wc -l)" -eq 0 ] || die "left behind after $at"
}

merge >/dev/null
tables_of joined.wattscale >wanted.tables

prepare() { # WITH OR WITHOUT an old store, by turns
    rm -f $store
    rm -f joined.wattscale
    [ $((round % 3)) -eq 0 ] || cp -a old.wattscale $store
    [ $((round % 3)) -eq 0 ] || cp -a old.wattscale joined.wattscale
}

count_calls() { # COMMAND...
    WS_COUNT=$work/count LD_PRELOAD=$work/shim.so "$@" >/dev/null
    cat "$work/count"
}

each_call() { # VARIABLE STEP
    local command calls status left
    for command in "ingest campaign" "merge part1.wattscale part2.wattscale -o joined.wattscale --force"; do
        round=1 && prepare
        # shellcheck disable=SC2086 # words
        calls=$(count_calls "$program" $command -q)
        for ((call = 1; call <= calls; call += $2)); do
            at="call $call of $calls of ${command%% *}"
            prepare
            status=0
            # shellcheck disable=SC2086 # words
            env "$1=$call" LD_PRELOAD="$work/shim.so" "$program" $command -q >said 2>&1 || status=$?
            if [ "$1" = WS_FAIL_AT ] && [ $status -ne 0 ]; then
                [ $status -eq 3 ] && grep -q 'cannot be written' said || die "$at: status $status, $(cat said)"
                for left in $store joined.wattscale; do
                    [ ! -e $left ] || cmp -s $left old.wattscale || die "$at changed the store"
                done
            fi
            if [ "${command%% *}" = ingest ]; then check_after; else check_merge; fi
            round=$((round + 1)) done=$((done + 1))
        done
    done
}

kills() {
    for ((round = 0; round < n; round++)); do
        prepare
        at="kill $round"
        if [ $((round % 4)) -eq 3 ]; then
            "$program" merge part1.wattscale part2.wattscale -o joined.wattscale --force >/dev/null 2>&1 &
        else
            "$program" ingest campaign -q >/dev/null 2>&1 &
        fi
        sleep "0.0$((RANDOM % 90 + 10))"
        kill -9 $! 2>/dev/null || true
        wait $! 2>/dev/null || true
        if [ $((round % 4)) -eq 3 ]; then check_merge; else check_after; fi
        done=$((done + 1))
    done
}

full() {
    local size=8
    for ((round = 0; round < n; round++)); do
        prepare
        at="a disk of $size KiB"
        (
            trap '' XFSZ
            ulimit -f $size
            exec "$program" ingest campaign -q
        ) >said 2>&1 || grep -q 'cannot be written' said || die "$at: $(cat said)"
        check_after
        size=$((size * 3 / 2)) done=$((done + 1))
    done
}

done=0
case $what in
writes) each_call WS_FAIL_AT "$n" ;;
ends) each_call WS_KILL_AT "$n" ;;
kills) kills 2>/dev/null ;;
full) full ;;
*) die "writes, ends, kills or full" ;;
esac
echo "$done times $what: nothing lost or half"
