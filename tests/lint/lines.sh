#!/bin/bash
# usage: tests/lint/lines.sh
#
# No line of code, of a script or of the Makefile is longer than 120 bytes. Prints those that are; exit status 1 if any.
set -u
export LC_ALL=C
cd "$(dirname "$0")/../.." || exit 2

git ls-files -z '*.c' '*.h' '*.sh' '*.py' '*.mjs' Makefile .ci/run | xargs -0 awk '
    FNR == 1 { files++ }
    length > 120 { print FILENAME ":" FNR ": a line of " length " bytes"; long++ }
    END { print files " files, " long + 0 " lines longer than 120 bytes"; exit long > 0 }'
