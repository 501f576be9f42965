#!/usr/bin/env bash
# usage: tools/mutants.sh [--check] [FILTER]
#
# Would the tests notice? tests/mutants.txt lists changes of constants, comparisons and divisors, and the tests that
# have to fail for each. One after the other is made in a copy of the sources (build/mutants/ holds the copies and their
# builds), its object is rebuilt, the named tests are linked with it and run. Survivors are printed; the last lines
# count by folder.
# FILTER (an extended regular expression) takes the mutants whose 'FILE: OLD -> NEW' matches. --check only looks whether
# each old text still stands in its file exactly once. CORPUS=DIR is handed to the tests.
# Exit status: 1 where a mutant survives without a reason in the list, or an entry does not fit the sources.
#
# The list, one file after the other:
#   FILE: TEST...        tests/TEST.c, or cli/CASE; they hold for the entries below
#   - OLD                exact text of the file, without the blanks at the ends; it stands there once
#   + NEW
#   ? TEST...            other tests for this entry
#   = REASON             why nothing can tell the difference: the entry is equivalent, and is not run
set -u
export LC_ALL=C
cd "$(dirname "$0")/.." || exit 2
list=$PWD/tests/mutants.txt
copies=$PWD/build/mutants
workers=2

# One line a mutant: FILE, OLD, NEW, TESTS, REASON, with tabs between them.
entries() {
    awk -v OFS='\t' '
        function flush() {
            if (old != "") print file, old, new, (own != "" ? own : tests), reason
            old = new = own = reason = ""
        }
        /^#/ || /^$/ { next }
        /^- /   { flush(); old = substr($0, 3); next }
        /^\+/   { new = substr($0, 3); next }
        /^\? /  { own = substr($0, 3); next }
        /^= /   { reason = substr($0, 3); next }
        /^[^ ]+\.[ch]: / { flush(); file = $1; sub(/:$/, "", file); tests = substr($0, length(file) + 3); next }
        { print "tests/mutants.txt:" NR ": neither file nor entry: " $0 >"/dev/stderr"; exit 2 }
        END { flush() }' "$list"
}

# mutate FILE OLD NEW: writes the changed file to standard output; false where OLD does not stand there once
mutate() {
    OLD=$2 NEW=$3 awk 'BEGIN { RS = "\001"; old = ENVIRON["OLD"] }
        { text = $0; at = index(text, old); if (!at || index(substr(text, at + 1), old)) exit 1
          printf "%s%s%s", substr(text, 1, at - 1), ENVIRON["NEW"], substr(text, at + length(old)); found = 1 }
        END { exit !found }' "$1"
}

check_list() {
    local file old new tests reason stale=0
    while IFS=$'\t' read -r file old new tests reason; do
        [ -f "$file" ] && mutate "$file" "$old" "$new" >/dev/null && continue
        echo "STALE $file: $old"
        stale=1
    done
    return $stale
}

# A copy of what git knows or would take, in the folder $1; files that did not change keep their time.
copy_sources() {
    local path
    mkdir -p "$1"
    git ls-files -co --exclude-standard >"$1/.files"
    [ -f "$1/Makefile" ] || tar -c -T "$1/.files" --ignore-failed-read | tar -x -C "$1"
    while read -r path; do
        [ -f "$path" ] || continue
        cmp -s "$path" "$1/$path" && continue
        mkdir -p "$1/$(dirname "$path")"
        cp "$path" "$1/$path"
    done <"$1/.files"
    (cd "$1" && find . -path ./build -prune -o -type f ! -name .files -printf '%P\n' | sort |
        comm -23 - <(sort .files) | xargs -r -d '\n' rm -f)
}

# run_tests TEST...: in a copy; true where all pass
run_tests() {
    local test status=0
    for test in "$@"; do
        case $test in
        cli/*) tests/cli/run.sh build/release/wattscale "${test#cli/}" ;;
        *) timeout "${WS_TIMEOUT:-120}" "build/release/tests/$test" ;;
        esac >build/test.log 2>&1 </dev/null || { status=1; break; }
    done
    return $status
}

# A command is in the program alone.
targets() { # FILE TEST...
    local test file=$1
    shift
    [[ $file != analyze/commands/* ]] || set -- cli/any "$@"
    for test in "$@"; do
        case $test in
        cli/*) echo build/release/wattscale ;;
        *) echo "build/release/tests/$test" ;;
        esac
    done | sort -u
}

name_programs() {
    export BIN=$PWD/build/release/wattscale SYNTH=$PWD/build/release/wattscale-synth DATASETS=$PWD/datasets
}

# What has to be compiled again: of a .c file its object; of a header whose change is one of a named bound the objects
# of the files that name it. Nothing where another header names it, too: then make has to find them.
objects() { # FILE OLD
    local word headers
    case $1 in *.c) echo "$1" ;; *)
        word=$(grep -oEm 1 '\bWS_[A-Z0-9_]+' <<<"$2") || return
        mapfile -t headers < <(grep '\.h$' .files | grep -vxF "$1")
        ! grep -qw "$word" "${headers[@]}" || return
        grep '\.c$' .files | xargs -d '\n' grep -lw "$word"
        ;;
    esac | sed -E 's|^tests/|build/release/tests/|; t o; s|^|build/release/obj/|; :o; s|c$|o|'
}

# judge FILE OLD NEW TESTS REASON: prints a verdict and the entry
judge() {
    local file=$1 verdict object compiled
    # shellcheck disable=SC2086 # a list of tests
    set -- "$1" "$2" "$3" "$4" "$5" $4
    if [ -n "$5" ]; then
        printf 'equivalent\t%s: %s -> %s\n' "$1" "$2" "$3"
        return
    fi
    mutate "$file" "$2" "$3" >build/mutant || { printf 'stale\t%s: %s\n' "$1" "$2"; return; }
    mapfile -t compiled < <(objects "$file" "$2")
    cp -p "$file" build/original
    cat build/mutant >"$file"
    [ ${#compiled[@]} -eq 0 ] || touch -r build/original "$file"
    for object in "${compiled[@]}"; do [ ! -f "$object" ] || mv "$object" "$object.kept"; done
    # shellcheck disable=SC2046 # a list of files
    if ! make -s $(targets "$file" "${@:6}") >build/make.log 2>&1; then
        verdict=broken
    elif run_tests "${@:6}"; then
        verdict=SURVIVED
    else
        verdict=killed
    fi
    cat build/original >"$file"
    [ ${#compiled[@]} -eq 0 ] || touch -r build/original "$file"
    for object in "${compiled[@]}"; do
        rm -f "$object"
        [ ! -f "$object.kept" ] || { mv "$object.kept" "$object" && touch "$object"; }
    done
    printf '%s\t%s: %s -> %s\n' "$verdict" "$1" "$2" "$3"
}

if [ "${1:-}" = --some ]; then # inside: judges what it is handed, in the copy named first
    cd "$2" || exit 2
    export CORPUS=${CORPUS-} CK_FORK=no
    name_programs
    [ -n "$CORPUS" ] || unset CORPUS
    ulimit -c 0 -v 8000000
    while IFS=$'\x1f' read -r file old new tests reason; do judge "$file" "$old" "$new" "$tests" "$reason"; done
    exit
fi
if [ "${1:-}" = --check ]; then
    entries | check_list
    exit
fi

filter=${1:-.}
[ -z "${CORPUS:-}" ] || CORPUS=$(realpath "$CORPUS") && export CORPUS
mkdir -p "$copies"
entries | awk -F'\t' -v filter="$filter" '$1 ": " $2 " -> " $3 ~ filter' >"$copies/entries"
tests=$(awk -F'\t' '$5 == "" { print $4 }' "$copies/entries" | tr ' ' '\n' | sort -u)
copy_sources "$copies/0"
# shellcheck disable=SC2046,SC2086 # lists of files and tests
make -s -C "$copies/0" -j2 build/release/wattscale{,-synth} $(targets "" $tests) >"$copies/make.log" 2>&1 ||
    { tail -n 20 "$copies/make.log"; exit 1; }
for ((w = 1; w < workers; w++)); do
    rm -rf "${copies:?}/$w"
    cp -a "$copies/0" "$copies/$w"
done
for test in $tests; do # each has to pass without a change
    (cd "$copies/0" && name_programs && CK_FORK=no run_tests "$test") ||
        { echo "$test fails on the unchanged sources: $copies/0/build/test.log"; exit 1; }
done
for ((w = 0; w < workers; w++)); do
    # A unit separator, since the shell takes two tabs for one.
    awk -F'\t' -v OFS=$'\x1f' -v w=$w -v n=$workers 'NR % n == w { $1 = $1; print }' "$copies/entries" |
        bash "$PWD/tools/mutants.sh" --some "$copies/$w" >"$copies/said-$w" &
done
wait
sort -k2 "$copies"/said-? | grep -vE '^(killed|equivalent)'
awk -F'\t' '{ split($2, at, ": "); sub(/\/[^\/]*$/, "", at[1]); count[at[1]]++; by[at[1], $1]++; all[$1]++ }
    END { for (f in count)
              printf "%-18s %3d mutants: %3d killed, %d equivalent, %d survived, %d entries that do not fit\n",
                  f, count[f], by[f, "killed"], by[f, "equivalent"], by[f, "SURVIVED"],
                  by[f, "stale"] + by[f, "broken"] | "sort"
          close("sort")
          printf "%d mutants: %d killed, %d equivalent, %d survived\n",
              NR, all["killed"], all["equivalent"], all["SURVIVED"]
          exit all["SURVIVED"] + all["stale"] + all["broken"] > 0 }' "$copies"/said-?
