#!/bin/bash
# usage: tests/cli/run.sh BIN [--update] [CASE...]
#
# Runs the command-line cases: each folder tests/cli/CASE holds
#   cmd           a bash snippet; `wattscale` in it is BIN; it runs in a copy of in/, or in an empty folder
#   stdout stderr what it must print, byte for byte; a missing file stands for nothing
#   status        what it must exit with; a missing file stands for 0
#   needs-corpus  (empty) the case is skipped where CORPUS is not set
#   needs-mpi     (empty) the case is skipped where there is no mpirun, or BIN has no module for it;
#                 `ranks N ARGUMENT...` in it runs wattscale as N processes, and leaves out what mpirun itself says
#   wanted        one line, why the case does not pass yet: the rest says what is wanted and not what is. The case
#                 runs, and counts as skipped with that reason as long as it fails; once it passes it counts as failed
#                 until the file is removed.
# `try ARGUMENT...` in it runs wattscale and shows the command line, what came on both streams, and a status other
# than 0.
# `columns NAME...` in it prints these columns of the CSV without quotes on its standard input, with blanks between,
# numbers to six
# digits and `-` for an empty cell: for expectations that are worked out by hand.
# $program is BIN, $DATASETS the project's datasets folder. The values of $DATASETS, $CORPUS and $PWD appear in
# stdout and stderr
# under these names, so that the expectations hold on every machine. --update writes what was printed as what is
# expected, except
# for wanted cases, whose expectations are written by hand.
# WS_LONG=yes runs the long form of those that have one, with the same expectations: `make soak` does.
# WS_WRAP="valgrind -q --error-exitcode=99" runs BIN under another program; WS_TIMEOUT is in seconds.
set -u
export LC_ALL=C NO_COLOR=1
unset CDPATH

die() {
    echo "tests/cli/run.sh: $*" >&2
    exit 2
}

try() {
    local status
    printf '$ wattscale%s\n' "$(printf ' %s' "$@")"
    wattscale "$@" 2>&1
    status=$?
    [ "$status" -eq 0 ] || echo "= $status"
}

columns() {
    awk -F, -v wanted="$*" '
        NR == 1 { n = split(wanted, name, " "); for (i = 1; i <= NF; i++) at[$i] = i; next }
        {
            for (i = 1; i <= n; i++) {
                cell = name[i] in at ? $at[name[i]] : "?"
                if (cell ~ /^-?[0-9.]+(e[-+]?[0-9]+)?$/) cell = sprintf("%.6g", cell)
                printf "%s%s", cell == "" ? "-" : cell, i < n ? " " : "\n"
            }
        }'
}

ranks() {
    local n=$1 status
    shift
    OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1 \
        mpirun -n "$n" wattscale "$@" 2>"$PWD/.mpirun"
    status=$?
    awk '/^-----/ { skip = !skip; next } !skip && NF' "$PWD/.mpirun" >&2
    rm -f "$PWD/.mpirun"
    return $status
}
export -f try columns ranks

# Paths become names. The dot keeps the line ends that $(...) would strip.
name_paths() {
    local file text
    grep -lF -e "$PWD" -e "$DATASETS" -e "${CORPUS:-$PWD}" "$@" | while IFS= read -r file; do
        text=$(cat "$file" && echo .)
        text=${text//"$PWD"/"\$PWD"}
        text=${text//"$DATASETS"/"\$DATASETS"}
        text=${text//"${CORPUS:-}"/"\$CORPUS"}
        printf '%s' "${text%.}" >"$file"
    done
}

# run_case CASE: leaves $work/CASE.got/{stdout,stderr,status}
run_case() {
    local got=$work/$1.got
    mkdir "$got" "$work/$1.cwd"
    [ ! -d "$cases/$1/in" ] || cp -a "$cases/$1/in/." "$work/$1.cwd"
    cd "$work/$1.cwd" || exit 1
    # What Open MPI itself keeps to the end is no leak of the program, and has no name once its modules are gone.
    [ ! -e "$cases/$1/needs-mpi" ] || export ASAN_OPTIONS="${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0"
    PATH=$work/bin:$PATH HOME=$PWD timeout "${WS_TIMEOUT:-600}" bash "$cases/$1/cmd" \
        >"$got/stdout" 2>"$got/stderr" </dev/null &
    trap 'kill "$!"; wait "$!"; exit 1' TERM
    wait "$!"
    echo $? >"$got/status"
    name_paths "$got/stdout" "$got/stderr"
}

# Without a process where both are empty, as standard error mostly is, or hold a status.
are_equal() { # WANT GOT
    local one two
    [ -s "$1" ] || [ -s "$2" ] || return 0
    if [[ $2 == */status ]]; then
        read -r one <"$1"
        read -r two <"$2"
        [ "$one" = "$two" ]
    else
        cmp -s "$1" "$2"
    fi
}

# set_want CASE FILE: want is the path of what FILE must hold
set_want() {
    if [ -f "$cases/$1/$2" ]; then
        want=$cases/$1/$2
    elif [ "$2" = status ]; then
        want=$work/zero
    else
        want=/dev/null
    fi
}

update() {
    local want
    for file in stdout stderr status; do
        set_want "$1" "$file"
        are_equal "$want" "$work/$1.got/$file" && continue
        echo "UPDATED cli/$1/$file"
        rm -f "$cases/$1/$file"
        set_want "$1" "$file"
        cmp -s "$want" "$work/$1.got/$file" || cp "$work/$1.got/$file" "$cases/$1/$file"
    done
}

compare() {
    local want differing=()
    for file in stdout stderr status; do
        set_want "$1" "$file"
        are_equal "$want" "$work/$1.got/$file" || differing+=("$file")
    done
    [ ${#differing[@]} -gt 0 ] || return 0
    echo "FAIL cli/$1: ${differing[*]} not as expected"
    for file in "${differing[@]}"; do
        set_want "$1" "$file"
        diff -u --label "$1/$file expected" --label "$1/$file" "$want" "$work/$1.got/$file"
    done
    return 1
}

# Sets outcome of judge.
judge_wanted() {
    if compare "$1" >/dev/null; then
        echo "FAIL cli/$1: passes now: remove $1/wanted"
        outcome=failed
    else
        echo "SKIP cli/$1: wanted: $(head -n 1 "$cases/$1/wanted")"
        outcome=skipped
    fi
}

# Another program around BIN would see MPI's own errors.
has_mpi() {
    command -v mpirun >/dev/null && [ -f "$(dirname "$program")/wattscale-mpi.so" ] && [ -z "${WS_WRAP:-}" ]
}

# In a process of its own: leaves $work/CASE.outcome.
judge() {
    local outcome=passed
    if [ ! -f "$cases/$1/cmd" ]; then
        echo "FAIL cli/$1: there is no file cmd"
        outcome=failed
    elif [ -e "$cases/$1/needs-corpus" ] && [ -z "${CORPUS:-}" ]; then
        echo "SKIP cli/$1: CORPUS is not set"
        outcome=skipped
    elif [ -e "$cases/$1/needs-mpi" ] && ! has_mpi; then
        echo "SKIP cli/$1: no MPI here"
        outcome=skipped
    else
        run_case "$1"
        if [ -e "$cases/$1/wanted" ]; then
            judge_wanted "$1"
        elif [ "$updating" = yes ]; then
            update "$1"
        else
            compare "$1" || outcome=failed
        fi
    fi
    echo "$outcome" >"$work/$1.outcome"
}

# What ends the runner ends its cases first, which would go on writing into what is removed.
end_cases() { # STATUS
    # shellcheck disable=SC2046 # a number each
    kill $(jobs -p) 2>/dev/null
    wait
    exit "$1"
}

[ $# -ge 1 ] || die "usage: tests/cli/run.sh BIN [--update] [CASE...]"
if [ ! -f "$1" ] || [ ! -x "$1" ]; then
    die "$1 is no program"
fi
program=$(realpath "$1")
shift
updating=no
if [ "${1:-}" = --update ]; then
    updating=yes
    shift
fi
cases=$(cd "$(dirname "$0")" && pwd)
DATASETS=$(realpath -m "$cases/../../datasets")
work=$(mktemp -d)
trap 'chmod -R u+w "$work"; rm -rf "$work"' EXIT
trap 'end_cases 129' HUP
trap 'end_cases 130' INT
trap 'end_cases 143' TERM
export program DATASETS

echo 0 >"$work/zero"
mkdir "$work/bin"
# The cases run it some thousand times, and a shell before it costs as much as its own start.
if [ -z "${WS_WRAP:-}" ]; then
    ln -s "$program" "$work/bin/wattscale"
else
    printf '#!/bin/bash\nexec %s %q "$@"\n' "$WS_WRAP" "$program" >"$work/bin/wattscale"
    chmod +x "$work/bin/wattscale"
fi

if [ $# -gt 0 ]; then
    names=("$@")
else
    names=()
    for folder in "$cases"/*/; do
        [ ! -d "$folder" ] || { folder=${folder%/} && names+=("${folder##*/}"); }
    done
fi
printf 'cli/%s\n' ${names[@]+"${names[@]}"} | bash "$cases/../longest_first.sh" >"$work/order"
running=0
while read -r name; do
    name=${name#cli/}
    [ "$running" -lt 2 ] || { wait -n; running=$((running - 1)); }
    running=$((running + 1))
    judge "$name" >"$work/$name.report" 2>&1 &
done <"$work/order"
wait

declare -A count=([passed]=0 [failed]=0 [skipped]=0)
for name in ${names[@]+"${names[@]}"}; do
    [ ! -s "$work/$name.report" ] || cat "$work/$name.report"
    outcome=failed
    [ ! -e "$work/$name.outcome" ] || read -r outcome <"$work/$name.outcome"
    count[$outcome]=$((count[$outcome] + 1))
done
echo "${count[passed]} passed, ${count[failed]} failed, ${count[skipped]} skipped"
[ "${count[failed]}" -eq 0 ]
