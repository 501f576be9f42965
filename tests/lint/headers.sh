#!/bin/bash
# usage: tests/lint/headers.sh HEADER...
#
# Each header that is installed compiles by itself, with no more than what is installed beside it, and so do all of them
# in one file: a program may need any two. Prints what does not; exit status 1 if anything does not.
set -u
export LC_ALL=C
cd "$(dirname "$0")/../.." || exit 2
bad=0
read -ra cc <<<"${CC:-cc}"
installed=$(mktemp -d)
trap 'rm -rf "$installed"' EXIT
for header in "$@"; do
    mkdir -p "$installed/${header%/*}"
    ln -s "$PWD/$header" "$installed/$header"
done
flags=(-std=c11 -D_POSIX_C_SOURCE=200809L -fsyntax-only -Wall -Wextra -Wpedantic -Werror)
# Many to a compiler, which is quick; only where one does not compile each is tried by itself, to name it.
if printf '%s\n' "$@" |
    (cd "$installed" && xargs -P "$(nproc)" -n 64 "${cc[@]}" "${flags[@]}" -I. -x c) >/dev/null 2>&1; then
    if ! message=$(printf '#include "%s"\n' "$@" | "${cc[@]}" "${flags[@]}" -I"$installed" -x c - 2>&1); then
        echo "two headers cannot stand in one file: $(grep -m 1 error <<<"$message")"
        exit 1
    fi
    echo "$# headers compile by themselves, and all in one file"
    exit 0
fi
for header in "$@"; do
    if ! message=$("${cc[@]}" "${flags[@]}" -I"$installed" -x c - <<<"#include \"$header\"" 2>&1); then
        echo "$header does not compile by itself: $(head -n 1 <<<"$message")"
        bad=1
    fi
done
[ $bad -eq 0 ] && echo "$# headers compile by themselves"
exit $bad
