#!/usr/bin/env bash
# libFuzzer on the readers: tools/fuzz.sh SECONDS [FORMAT...]; "campaign" among them is the reader of campaign
# descriptions, "records" that of the records of a store.
# Every reader gets that long for itself. It begins with the seeds that are named after it, its sample lines, those
# of its kind
# in docs/formats.md and the small files of its kind in tests, datasets and CORPUS, and knows the words of its
# source (of HDF5
# files the content is made, not the bytes). What it finds stays in build/fuzz/found-FORMAT-*. Exit status 1 where
# something was found.
set -u
seconds=$1
shift
build=build/fuzz
sanitize="-fsanitize=fuzzer-no-link,address,undefined,float-cast-overflow -fno-sanitize-recover=all"
make -s BUILD=$build CC=clang OPT="-O1 -g" EXTRA="$sanitize" $build/libwattscale.a $build/libwattscale-hdf5.a \
    $build/wattscale $build/wattscale-hdf5 >/dev/null || exit 1
libs=$(make -s BUILD=$build print-libs)
headers=$(pkg-config --cflags hdf5)
for target in fuzz_formats fuzz_hdf5 fuzz_records; do
    # shellcheck disable=SC2086
    clang -std=c11 -I. -Itests $headers -D_POSIX_C_SOURCE=200809L -DWS_LIBFUZZER -O1 -g \
        -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all -o $build/$target tests/fuzz/$target.c \
        $build/libwattscale-hdf5.a $build/libwattscale.a $libs || exit 1
done
# shellcheck disable=SC2046 # names of formats are single words
[ $# -gt 0 ] || set -- $($build/wattscale formats --format csv | tail -n +2 | cut -d, -f1) campaign records

# The sample lines of a format, with the escapes of JSON undone.
example_of() {
    printf '%b\n' "$($build/wattscale formats -v --format jsonl | grep "^{\"name\":\"$1\"," |
        sed -e 's/.*"example":"\(.*\)"}$/\1/' -e 's/\\"/"/g')"
}

# The blocks of docs/formats.md as files.
split_docs() {
    mkdir -p $build/docs
    awk -v folder=$build/docs '/^```/ { inside = !inside; n += inside; next }
        inside { print > (folder "/" n) }' docs/formats.md
}

# "FORMAT PATH" of every small file that is recognised.
list_files() {
    find $build/docs tests/cli datasets ${CORPUS:+"$CORPUS"} -type f -size -24k -not -name '* *' -not -name '*,*' \
        -exec $build/wattscale inspect -q --format csv {} + 2>/dev/null |
        awk -F, '$2 != "format" && $1 !~ /\.zip\/|\.tar/ { print $2, $1 }' | sort
    find tests/cli datasets -name campaign.json | sed 's/^/campaign /'
}

# Long inputs are slow: of a text that is read line by line the beginning will do.
copy_short() { # FROM TO
    case $1 in
    *.json | *.xml | *.pt) cp "$1" "$2" ;;
    *) head -c 4000 "$1" >"$2" ;;
    esac
}

copy_seeds() { # FORMAT
    mkdir -p "$build/$1"
    cp tests/fuzz/seeds/"$1"* "$build/$1/" 2>/dev/null
    example_of "$1" >"$build/$1/example"
    awk -v format="$1" '$1 == format { print $2 }' $build/files | head -n 20 |
        while read -r path; do copy_short "$path" "$build/$1/$(echo "$path" | cksum | cut -d' ' -f1)"; done
}

# The words in the source files that name the format.
write_words() { # FORMAT
    local files
    case $1 in
    campaign) files=formats/campaign_json.c ;;
    records) files=analyze/measure/pack_fields_internal.h ;;
    *) files=$(grep -l "\"$1\"" formats/readers/*.c formats/hdf5/*.c formats/hdf5/library/*.c) ;;
    esac
    # shellcheck disable=SC2086
    grep -ohE '"[^"\\%]{2,40}"' $files | sort -u >"$build/$1.words"
}

# Of the small traces, one of each kind.
make_records() {
    # shellcheck disable=SC2086 # words
    cc -std=c11 -I. -Itests -D_POSIX_C_SOURCE=200809L -O1 -o $build/make_records tests/fuzz/fuzz_records.c \
        build/release/libwattscale.a $libs &&
        sort -u -k1,1 $build/files | cut -d' ' -f2 | xargs $build/make_records --write "$build/records" >/dev/null
}

split_docs
list_files >$build/files
found=0
for format in "$@"; do
    copy_seeds "$format"
    write_words "$format"
    target=fuzz_formats
    [ "$format" != perun-hdf5 ] || target=fuzz_hdf5
    if [ "$format" = records ]; then
        target=fuzz_records
        make_records
    fi
    WS_FUZZ_FORMAT=$format $build/$target -max_total_time="$seconds" -timeout=10 -rss_limit_mb=1024 -max_len=65536 \
        -dict="$build/$format.words" -print_final_stats=1 -artifact_prefix="$build/found-$format-" \
        "$build/$format" >"$build/$format.log" 2>&1 || found=1
    echo "$format: $(grep -E '^Done|ERROR|SUMMARY' "$build/$format.log" | tail -n 1)," \
        "$(grep -o 'cov: [0-9]*' "$build/$format.log" | sed -n '1p;$p' | paste -sd ' ')"
done
exit $found
