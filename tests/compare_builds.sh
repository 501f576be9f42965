#!/bin/bash
# usage: [CORPUS=DIR] tests/compare_builds.sh OLD NEW [FILTER]
#
# Does the wattscale NEW say what the wattscale OLD says? Compares standard output, notes (code, place, count; not their
# wording), other lines on standard error, and exit status of
#   energy, inspect --channels   with -j1, with -j2 and with --reader csv
#   runs, scale, scan            with -j1 and with -j2 (scan: folders only)
# on every file and folder of CORPUS/fixtures, campaigns and sweeps, on the cases that CORPUS/faults makes (they need
# /usr/bin/python3 with numpy and h5py), on tests/data, on the seeds of the fuzz targets and on the campaign demo.
# FILTER (an extended regular expression) takes only the lines 'COMMAND PATH' that match: 'energy -j1 .*perun', '^scan'.
# A difference is one line, 'COMMAND PATH: what: old | new' with the first lines that differ; the last line counts.
# Exit status: 0 equal, 1 different, 2 usage.
# KEEP=DIR keeps the made cases and what OLD says in DIR, which halves the time of the next comparison with this OLD;
# delete DIR when the inputs change. A command may take a minute of processor time, a batch of sixty ten minutes.
set -u
export LC_ALL=C NO_COLOR=1

commands=('energy -j1' 'energy -j2' 'energy -j1 --reader csv' 'inspect --channels -j1' 'inspect --channels -j2'
    'inspect --channels -j1 --reader csv' 'runs -j1' 'runs -j2' 'scale -j1' 'scale -j2' 'scan -j1' 'scan -j2')

# say PROGRAM PREFIX COMMAND PATH: leaves PREFIX.out and PREFIX.err; returns the program's exit status
say() {
    local form=(--format json -q) # the notes are in the JSON text
    [[ $3 != scan* ]] || form=(-v)
    # shellcheck disable=SC2086 # a command with its options
    "$1" $3 "${form[@]}" -- "$4" >"$2.out" 2>"$2.err" </dev/null
}

# Notes without their words: a note may be reworded, but it must not come, go or move.
without_words() {
    sed -E -e '/^\{"code":/s/,"text":"([^"\\]|\\.)*"\},?$//' -e 's/^(.*: \[[a-z0-9-]+\]) .*[^)]$/\1/' \
        -e 's/^(.*: \[[a-z0-9-]+\]) .*( \([0-9]+ times\))$/\1\2/' -e 's/^(.*: \[[a-z0-9-]+\]) .*\)$/\1/' "$1"
}

# first_difference OLD NEW: 'old line | new line', shortened around where they part
first_difference() {
    local line old new from=0
    line=$(cmp "$1" "$2" 2>&1 | sed -n 's/.* line \([0-9]*\).*/\1/p')
    old=$(sed -n "${line:-1}p" "$1")
    new=$(sed -n "${line:-1}p" "$2")
    while [ "${old:from:32}" = "${new:from:32}" ] && [ "$from" -lt "${#old}" ]; do from=$((from + 32)); done
    echo "${old:from:100} | ${new:from:100}"
}

differs() { printf '%s\n' "$*" >>"$scratch/differences"; }

compare() { # COMMAND PATH
    local what old=$said/${1// /_}_${2//\//%} new=$scratch/$$.new old_status new_status
    if [ -f "$old.status" ]; then
        old_status=$(<"$old.status")
    else
        say "$OLD" "$old" "$1" "$2"
        old_status=$?
        echo $old_status >"$old.status"
    fi
    say "$NEW" "$new" "$1" "$2"
    new_status=$?
    [ $old_status -eq $new_status ] || differs "$1 $2: exit status: $old_status | $new_status"
    for what in out err; do
        [ "$(<"$old.$what")" = "$(<"$new.$what")" ] && continue
        without_words "$old.$what" >"$scratch/$$.old"
        without_words "$new.$what" >"$new"
        cmp -s "$scratch/$$.old" "$new" || differs "$1 $2: std$what: $(first_difference "$scratch/$$.old" "$new")"
    done
}

if [ "${1:-}" = --some ]; then # inside: compares what it is handed, a tab between command and path
    shift
    ulimit -t 60 -c 0
    for pair in "$@"; do compare "${pair%%$'\t'*}" "${pair#*$'\t'}"; done
    exit
fi

[ $# -ge 2 ] && [ -x "$1" ] && [ -x "$2" ] || { sed -n '2,15s/^# \{0,1\}//p' "$0" >&2; exit 2; }
OLD=$(realpath "$1") NEW=$(realpath "$2") filter=${3:-.}
self=$(realpath "$0")
cd "$(dirname "$self")/.." || exit 2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
keep=$(realpath -m "${KEEP:-$scratch/keep}") said=$keep/said-$(sha256sum <"$OLD" | cut -c-16)
mkdir -p "$said"
export OLD NEW scratch said
: >"$scratch/differences"

make_faults() {
    local part
    for part in faults extra; do
        [ -d "$keep/$part" ] ||
            FAULTS_OUT=$keep/$part WATTSCALE=$OLD /usr/bin/python3 -B "$CORPUS/faults/$part.py" >"$scratch/log" 2>&1 ||
            echo "no cases of $part.py: $(tail -n 1 "$scratch/log")"
        rm -f "$keep/$part/faults.json"
    done
    find "$keep/faults" "$keep/extra" -mindepth 1 -maxdepth 1 | sort
}
paths() {
    find tests/data tests/fuzz/seeds datasets/demo | sort
    [ -z "${CORPUS:-}" ] || { find "$CORPUS/fixtures" "$CORPUS/campaigns" "$CORPUS/sweeps" | sort && make_faults; }
}

paths >"$scratch/paths"
while read -r path; do
    for command in "${commands[@]}"; do
        [[ $command == scan* && ! -d $path ]] || printf '%s\t%s\n' "$command" "$path"
    done
done <"$scratch/paths" >"$scratch/all"
grep '^no cases of' "$scratch/paths" && sed -i '/^no cases of/d' "$scratch/paths" "$scratch/all"
tr '\t' ' ' <"$scratch/all" | grep -nE -e "$filter" | cut -d: -f1 >"$scratch/taken"
awk 'NR == FNR { taken[$1]; next } FNR in taken' "$scratch/taken" "$scratch/all" >"$scratch/pairs"
tr '\n' '\0' <"$scratch/pairs" | xargs -0 -r -n 60 -P 2 timeout 600 bash "$self" --some ||
    differs "a batch did not end in ten minutes"
sort "$scratch/differences" | sed "s|$keep/||g"
count=$(wc -l <"$scratch/differences")
echo "$count differences in $(wc -l <"$scratch/pairs") commands on $(cut -f2 "$scratch/pairs" | sort -u | wc -l) paths"
[ "$count" -eq 0 ]
