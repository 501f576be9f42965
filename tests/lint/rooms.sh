#!/bin/bash
# usage: tests/lint/rooms.sh [LIBRARY.a|OBJECT.o...]
#
# The rooms of a pillar and the files in them, held against docs/design.md:
#   - an arrow between rooms of a pillar points downwards only; what lies in the pillar itself serves all its rooms
#   - no files include each other in a circle; x.c, x.h and x_internal.h are one file here
#   - no files need each other's symbols in a circle: of the library, the child, the generator and the commands
#   - no two files of the tree have one name
#   - no room holds more than forty .c files but those that hold one file an entry
# Prints what breaks them; exit status 1 if anything does.
set -u
export LC_ALL=C
cd "$(dirname "$0")/../.." || exit 2

# From the ground up.
orders=(
    "formats/input formats/table formats/hdf5 formats/readers"
    "fit/linear fit/tests fit/laws fit/choice"
    "report/table report/figure report/draw report/page"
    "analyze/measure analyze/regions analyze/identity analyze/store analyze/ingest analyze/scaling \
     analyze/recipes analyze/explain analyze/commands"
)
one_file_an_entry="formats/readers analyze/commands fit/laws analyze/recipes"
most_files=40

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bad=0
complain() {
    echo "$1"
    bad=$((bad + 1))
}

# Lines "FROM TO", both without their ending.
list_includes() {
    find core formats fit report analyze datasets/synth -name '*.[ch]' 2>/dev/null | sort |
        xargs -r grep -H '^[[:space:]]*#[[:space:]]*include "' |
        sed -E 's|^([^:]*)\.[ch]:[^"]*"([^"]*)\.h".*|\1 \2|; s/_internal( |$)/\1/g' | awk '$1 != $2' | sort -u
}

# nm names the object without its folder in an archive: file names are unique in the tree.
list_symbols() { # LIBRARY.a|OBJECT.o...
    nm -gA "$@" |
        awk -F: 'NF > 1 { n = split($(NF - 1), path, "/"); split(path[n], object, "."); n = split($NF, word, " ")
                          print object[1], word[n - 1], word[n] }' |
        awk '$2 == "U" { needs[NR] = $1 " " $3; next } { owner[$3] = $1 }
             END { for (i in needs) {
                       split(needs[i], w, " ")
                       if (w[2] in owner && owner[w[2]] != w[1]) print w[1], owner[w[2]] } }' | sort -u
}

# tsort says where it had to break a loop: a line "tsort: -: input contains a loop:", then a file a line.
check_circles() { # WHAT; edges on standard input
    tsort 2>&1 >/dev/null |
        sed -n 's/^tsort: -: input contains a loop://; t start; s/^tsort: //p; b; :start; s/.*/circle/p' >"$work/loops"
    while read -r -d '|' loop; do
        complain "circle by $1: $loop"
    done < <(awk '/^circle$/ { if (n++) print "|"; next } { printf "%s ", $0 } END { if (n) print "|" }' "$work/loops")
}

check_order() { # edges on standard input
    local from to order room rank_from rank_to rank
    while read -r from to; do
        for order in "${orders[@]}"; do
            rank=0 rank_from=0 rank_to=0
            for room in $order; do
                rank=$((rank + 1))
                [[ $from != "$room"/* ]] || rank_from=$rank
                [[ $to != "$room"/* ]] || rank_to=$rank
            done
            [ $rank_from -eq 0 ] || [ $rank_to -eq 0 ] || [ $rank_from -ge $rank_to ] ||
                complain "$from: ${from%/*} lies below ${to%/*} and must not include $to.h"
        done
    done
}

check_fullness() {
    local room n
    while read -r n room; do
        [[ " $one_file_an_entry " == *" $room "* ]] || [ "$n" -le $most_files ] ||
            complain "$room: $n .c files in one room"
    done < <(find core formats fit report analyze datasets/synth -name '*.c' 2>/dev/null | sed 's|/[^/]*$||' |
        sort | uniq -c)
}

list_files() { # NAME
    find core formats fit report analyze datasets tests -name "$1" -not -path 'tests/bench/*' 2>/dev/null | sort
}

check_names() {
    local name
    while read -r name; do
        complain "$name: several files have this name: $(list_files "$name" | tr '\n' ' ' | sed 's/ $//')"
    done < <(list_files '*.[ch]' | sed 's|.*/||' | sort | uniq -d)
}

list_includes >"$work/includes"
check_circles includes <"$work/includes"
check_order <"$work/includes"
check_fullness
check_names
if [ $# -gt 0 ]; then
    list_symbols "$@" >"$work/symbols"
    check_circles symbols <"$work/symbols"
fi
echo "$(wc -l <"$work/includes") includes between files followed, $bad against the rooms"
[ "$bad" -eq 0 ]
