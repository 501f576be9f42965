#!/bin/bash
# usage: tests/lint/layers.sh [LIBRARY.a]
#
# Holds every #include against the layers of docs/design.md, and every external symbol of the library against its
# prefix. Prints what breaks them; exit status 1 if anything does.
set -u
export LC_ALL=C
cd "$(dirname "$0")/../.." || exit 2

# folder: folders that it may include
declare -A may_include=(
    [core]="core"
    [formats]="core formats"
    [fit]="core fit"
    [report]="core report"
    [analyze]="core formats fit report analyze"
    [datasets]="core datasets"
)

# header of a package: files that may include it. Other <headers> are the system's and free to all.
packages=(
    "gsl/*: fit/*"
    "plplot*: report/draw/*"
    "cairo*: report/draw/*"
    "pango*: report/draw/*"
    "hdf5*: formats/hdf5/library/* datasets/synth/*"
    "H5*: formats/hdf5/library/* datasets/synth/*"
    "mpi.h: analyze/mpi/*"
    "csv.h: formats/*"
    "jansson.h: formats/* report/*"
    "archive*.h: formats/input/unpack/unpack.c datasets/synth/*"
    "expat*.h: formats/*"
    "libdeflate.h: formats/*"
    "sqlite3.h: analyze/store/*"
    "zlib.h: formats/input/unpack*"
)

own_is_allowed() { # FILE HEADER
    [[ $2 == */* && " ${may_include[${1%%/*}]} " == *" ${2%%/*} "* ]]
}

package_is_allowed() { # FILE HEADER
    local package place
    for package in "${packages[@]}"; do
        # shellcheck disable=SC2053 # patterns are meant
        [[ $2 == ${package%%:*} ]] || continue
        for place in ${package#*: }; do
            # shellcheck disable=SC2053
            [[ $1 == $place ]] && return 0
        done
        return 1
    done
    return 0
}

bad=0 seen=0
complain() {
    echo "$1"
    bad=$((bad + 1))
}

check_include() { # FILE LINE TEXT
    local header=${3#*[<\"]}
    header=${header%%[>\"]*}
    seen=$((seen + 1))
    if [[ $3 == *\"* ]]; then
        own_is_allowed "$1" "$header" || complain "$1:$2: ${1%%/*} must not include \"$header\""
    else
        package_is_allowed "$1" "$header" || complain "$1:$2: <$header> has no place in this file"
    fi
}

set -f # patterns in `packages` are no file names
while IFS=: read -r file line text; do
    check_include "$file" "$line" "$text"
done < <(find core formats fit report analyze datasets/synth -name '*.[ch]' 2>/dev/null | sort |
    xargs -r grep -nH '^[[:space:]]*#[[:space:]]*include')

if [ $# -gt 0 ]; then
    symbols=$(nm -g --defined-only "$1") || exit 2
    while read -r _ _ symbol; do
        # Two underscores are the compiler's own, as sanitizers leave them.
        [[ -z ${symbol:-} || $symbol == ws_* || $symbol == __* ]] ||
            complain "$1: symbol $symbol does not begin with ws_"
    done <<<"$symbols"
fi

echo "$seen includes checked, $bad out of place"
[ "$bad" -eq 0 ]
