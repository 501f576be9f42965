#!/usr/bin/env bash
# libFuzzer on the readers: tools/fuzz.sh SECONDS [FORMAT...]. Every reader gets that long for itself, with the seeds that
# are named after it and its sample lines (of HDF5 files the content is made, not the bytes); what it finds stays in
# build/fuzz/FORMAT. Exit status 1 where something was found.
set -u
seconds=$1
shift
build=build/fuzz
sanitize="-fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all"
make -s BUILD=$build CC=clang OPT="-O1 -g" EXTRA="$sanitize" $build/libwattscale.a $build/wattscale >/dev/null || exit 1
libs=$(make -s BUILD=$build print-libs)
headers=$(pkg-config --cflags hdf5)
for target in fuzz_formats fuzz_hdf5; do
    # shellcheck disable=SC2086
    clang -std=c11 -I. -Itests $headers -D_POSIX_C_SOURCE=200809L -DWS_LIBFUZZER -O1 -g \
        -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all -o $build/$target tests/fuzz/$target.c \
        $build/libwattscale.a $libs || exit 1
done
# shellcheck disable=SC2046 # names of formats are single words
[ $# -gt 0 ] || set -- $($build/wattscale formats --format csv | tail -n +2 | cut -d, -f1)
# The sample lines of a format, with the escapes of JSON undone.
example_of() {
    printf '%b\n' "$($build/wattscale formats -v --format jsonl | grep "^{\"name\":\"$1\"," |
        sed -e 's/.*"example":"\(.*\)"}$/\1/' -e 's/\\"/"/g')"
}

found=0
for format in "$@"; do
    mkdir -p "$build/$format"
    cp tests/fuzz/seeds/"$format"* "$build/$format/" 2>/dev/null
    example_of "$format" >"$build/$format/example"
    target=fuzz_formats
    [ "$format" != perun-hdf5 ] || target=fuzz_hdf5
    WS_FUZZ_FORMAT=$format $build/$target -max_total_time="$seconds" -timeout=10 -rss_limit_mb=1024 -max_len=65536 \
        -artifact_prefix="$build/found-$format-" "$build/$format" >"$build/$format.log" 2>&1 || found=1
    echo "$format: $(grep -E '^Done|ERROR|SUMMARY' "$build/$format.log" | tail -n 1)"
done
exit $found
