#!/bin/bash
# usage: tests/lint/runners.sh
#
# Tests of tests/run.sh, tests/cli/run.sh and of layers.sh, rooms.sh and headers.sh beside this file, in a small
# project of their own whose programs and
# sources are wrong on purpose. Silent when all is well.
set -u
export LC_ALL=C
unset CORPUS
here=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work"/tests/{cli,lint} "$work/core" "$work/fit" "$work/report" "$work/datasets"
cp "$here"/{run.sh,longest_first.sh,longest.txt} "$work/tests"
cp "$here/cli/run.sh" "$work/tests/cli"
cp "$here"/lint/{layers,rooms,headers}.sh "$work/tests/lint"
cd "$work" || exit 2
read -ra cc <<<"${CC:-cc}"

failures=0
expect() { # WHAT WANT GOT
    [ "$2" = "$3" ] && return
    printf 'FAIL %s\n--- wanted\n%s\n--- got\n%s\n' "$1" "$2" "$3"
    failures=$((failures + 1))
}

program() { # NAME BODY
    printf '#!/bin/bash\n%s\n' "$2" >"$1"
    chmod +x "$1"
}

new_case() { # NAME CMD
    mkdir "tests/cli/$1"
    echo "$2" >"tests/cli/$1/cmd"
}

test_cli() {
    # shellcheck disable=SC2016 # the program expands them
    program fake 'case $1 in say) echo "$2" ;; read) cat "$2" ;; fail) echo "no: $PWD" >&2; exit 3 ;; esac'
    new_case b-passes 'wattscale say hi && wattscale fail'
    echo hi >tests/cli/b-passes/stdout
    # shellcheck disable=SC2016 # the runner writes the name
    echo 'no: $PWD' >tests/cli/b-passes/stderr
    echo 3 >tests/cli/b-passes/status
    new_case a-differs 'wattscale read note; echo changed >note'
    mkdir tests/cli/a-differs/in
    echo new >tests/cli/a-differs/in/note
    echo old >tests/cli/a-differs/stdout
    # shellcheck disable=SC2016 # the case expands it
    new_case c-corpus 'wattscale say "$CORPUS/x"'
    touch tests/cli/c-corpus/needs-corpus
    new_case d-wanted 'wattscale say is'
    echo "of no use yet" >tests/cli/d-wanted/wanted
    echo ought >tests/cli/d-wanted/stdout

    expect "differing case" "FAIL cli/a-differs: stdout not as expected
--- a-differs/stdout expected
+++ a-differs/stdout
@@ -1 +1 @@
-old
+new
SKIP cli/c-corpus: CORPUS is not set
SKIP cli/d-wanted: wanted: of no use yet
1 passed, 1 failed, 2 skipped
status 1" "$(tests/cli/run.sh fake; echo "status $?")"
    expect "update" "UPDATED cli/c-corpus/stdout
1 passed, 0 failed, 0 skipped" "$(CORPUS=/data tests/cli/run.sh fake --update c-corpus)"
    # shellcheck disable=SC2016
    expect "names for paths" '$CORPUS/x' "$(cat tests/cli/c-corpus/stdout)"
    expect "inputs stay" new "$(cat tests/cli/a-differs/in/note)"
    expect "no wrapper, no pass" "0 passed, 1 failed, 0 skipped" \
        "$(WS_WRAP=false tests/cli/run.sh fake b-passes | tail -n 1)"
    expect "no update of what is wanted" ought \
        "$(tests/cli/run.sh fake --update d-wanted >/dev/null; cat tests/cli/d-wanted/stdout)"
    echo is >tests/cli/d-wanted/stdout
    expect "wanted no more" "FAIL cli/d-wanted: passes now: remove d-wanted/wanted
0 passed, 1 failed, 0 skipped" "$(tests/cli/run.sh fake d-wanted)"
    rm -r tests/cli/d-wanted
}

# The case writes for as long as it may.
test_ended() {
    local signal runner status
    mkdir ended
    mkfifo begun
    # shellcheck disable=SC2016 # the case expands it
    new_case writes 'echo >"$BEGUN"; while mkdir a && rmdir a; do :; done'
    for signal in TERM HUP; do
        BEGUN=$PWD/begun TMPDIR=$PWD/ended tests/cli/run.sh fake writes >/dev/null 2>&1 &
        runner=$!
        read -r _ <begun
        kill "-$signal" "$runner"
        wait "$runner"
        status=$?
        expect "ended by $signal" "status $((128 + $(kill -l $signal))), left:" "status $status, left:$(ls ended)"
    done
    rm -r tests/cli/writes
}

test_programs() {
    program good 'echo "SKIP no corpus"; echo "100%: Checks: 3, Failures: 0, Errors: 0"'
    program bad 'echo "25%: Checks: 4, Failures: 2, Errors: 1"; exit 1'
    program silent 'true'
    program late 'echo "100%: Checks: 5, Failures: 0, Errors: 0"; exit 1'
    expect "passing program" "SKIP good: no corpus
2 passed, 0 failed, 1 skipped" "$(tests/run.sh ./good)"
    program all 'echo "100%: Checks: ${#1}, Failures: 0, Errors: 0"; [ "$1" != test_bad ]'
    expect "suites of a program" "FAIL test_bad: exit status 1
100%: Checks: 8, Failures: 0, Errors: 0
14 passed, 1 failed, 0 skipped" "$(tests/run.sh ./all:test_a ./all:test_bad)"
    expect "failing programs" "FAIL bad: exit status 1
25%: Checks: 4, Failures: 2, Errors: 1
FAIL silent: exit status 0
FAIL late: exit status 1
100%: Checks: 5, Failures: 0, Errors: 0
6 passed, 5 failed, 0 skipped
status 1" "$(tests/run.sh ./bad ./silent ./late; echo "status $?")"
    expect "with command line" "1 passed, 1 failed, 1 skipped" "$(tests/run.sh --cli ./fake | tail -n 1)"
}

test_layers() {
    printf '#include "core/b.h"\n#include <stdio.h>\n#  include "fit/fit.h"\n' >core/a.c
    printf '#include "core/b.h"\n#include <gsl/gsl_cdf.h>\n#include "b.h"\n' >fit/a.c
    mkdir -p report/draw report/page
    printf '#include <plplot/plplot.h>\n#include <jansson.h>\n' >report/draw/draw.c
    printf '#include <plplot/plplot.h>\n#include <hdf5.h>\n' >report/page/page.c
    expect "layers" 'core/a.c:3: core must not include "fit/fit.h"
fit/a.c:3: fit must not include "b.h"
report/page/page.c:1: <plplot/plplot.h> has no place in this file
report/page/page.c:2: <hdf5.h> has no place in this file
10 includes checked, 4 out of place
status 1' "$(tests/lint/layers.sh; echo "status $?")"
    rm fit/a.c report/page/page.c
    printf '%s\n' 'int ws_good(void);' 'int ws_good(void) { return 0; }' 'int bad_one;' \
        'static int own = 1;' 'int *ws_p = &own;' >core/a.c
    "${cc[@]}" -c -o a.o core/a.c && ar rc lib.a a.o
    expect "symbols" "lib.a: symbol bad_one does not begin with ws_
2 includes checked, 1 out of place" "$(tests/lint/layers.sh lib.a)"
}

test_rooms() {
    rm -rf core fit report
    mkdir -p core formats/input formats/table fit/laws
    printf '#include "core/b.h"\n' >core/a.h
    printf '#include "core/a.h"\n' >core/b.h
    printf '#include "formats/table/rows.h"\n' >formats/input/bytes.c
    touch core/b.c formats/table/{rows,b}.h
    for i in {1..41}; do touch "formats/table/t$i.c" "fit/laws/l$i.c"; done
    expect "rooms" 'circle by includes: core/a core/b
formats/input/bytes: formats/input lies below formats/table and must not include formats/table/rows.h
formats/table: 41 .c files in one room
b.h: several files have this name: core/b.h formats/table/b.h
3 includes between files followed, 4 against the rooms
status 1' "$(tests/lint/rooms.sh; echo "status $?")"
    rm -r core/a.h formats fit/laws
    printf 'int ws_b(void);\nint ws_a(void) { return ws_b(); }\n' >core/a.c
    printf 'int ws_a(void);\nint ws_b(void) { return ws_a(); }\n' >core/b.c
    rm core/b.h
    "${cc[@]}" -c -o a.o core/a.c && "${cc[@]}" -c -o b.o core/b.c
    expect "circle of symbols" 'circle by symbols: a b
0 includes between files followed, 1 against the rooms' "$(tests/lint/rooms.sh a.o b.o)"
    expect "sound rooms" '0 includes between files followed, 0 against the rooms
status 0' "$(tests/lint/rooms.sh a.o; echo "status $?")"
}

test_headers() {
    mkdir -p core
    printf 'typedef int ws_count;\n' >core/count.h
    printf '#include "core/count.h"\nws_count ws_n(void);\n' >core/n.h
    printf 'size_t ws_size(void);\n' >core/size.h
    expect "headers" "2 headers compile by themselves, and all in one file" \
        "$(tests/lint/headers.sh core/count.h core/n.h)"
    expect "a header without what it needs" "core/n.h does not compile by itself
core/size.h does not compile by itself" "$(tests/lint/headers.sh core/n.h core/size.h | sed 's/:.*//')"
}

test_cli
test_ended
test_programs
test_layers
test_rooms
test_headers
[ "$failures" -eq 0 ]
