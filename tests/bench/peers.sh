#!/usr/bin/env bash
# usage: tests/bench/peers.sh DIR
#
# Installs what `make bench` compares with, by package name, and builds the C programs of the bench into DIR. What
# cannot be
# had is named, and the bench goes on without it.
set -u
mkdir -p "$1/node" || exit 1
dir=$(realpath "$1")
here=$(cd "$(dirname "$0")" && pwd)

"$here/../../tools/deps.sh" mawk miller python3-pandas python3-h5py valgrind zstd || echo "going on without them"
case $(uname -m) in
    aarch64) polars=nodejs-polars-linux-arm64-gnu ;;
    *) polars=nodejs-polars-linux-x64-gnu ;;
esac
if command -v npm >/dev/null 2>&1; then
    [ -f "$dir/node/package.json" ] || echo '{"private":true}' >"$dir/node/package.json"
    [ -d "$dir/node/node_modules/nodejs-polars" ] ||
        (cd "$dir/node" && npm install --no-audit --no-fund --silent @duckdb/node-api nodejs-polars "$polars") ||
        echo "npm could not install DuckDB and Polars; going on without them"
else
    echo "there is no npm to install DuckDB and Polars with (it comes with nodejs); going on without them"
fi

set -e
cc -O2 -o "$dir/timed" "$here/timed.c"
cc -O2 -o "$dir/gen_trace" "$here/gen_trace.c"
cc -O2 -o "$dir/nlscan" "$here/peers/nlscan.c"
[ ! -f build/release/libwattscale.a ] ||
    cc -std=gnu11 -O2 -I. -o "$dir/counter_readings" "$here/counter_readings.c" build/release/libwattscale.a \
        -lm -lpthread
cc -O2 -o "$dir/libcsv" "$here/peers/peer_libcsv.c" -lcsv -lm
