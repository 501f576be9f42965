#!/usr/bin/env bash
# usage: tests/soak/bombs.sh BIN
#
# Files made to exhaust a reader: each must be refused, or read, in bounded memory and time, with a word on standard
# error.
# Memory is held to 1 GiB of address space and time to a minute; both are far above what a refusal needs.
set -u
bin=$(realpath "$1")
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 1
tried=0
failed=0

# NAME STATUSES COMMAND...: the exit status must be one of them, and whatever is refused must be explained
expect() {
    local name=$1 allowed=$2 status
    shift 2
    (ulimit -v 1048576 && exec timeout 60 "$@") >out 2>err
    status=$?
    tried=$((tried + 1))
    case " $allowed " in *" $status "*) ;; *)
        failed=$((failed + 1))
        echo "$name: status $status, not $allowed: $(head -c 300 err)"
        return
        ;;
    esac
    if [ "$status" -ne 0 ] && ! [ -s err ]; then
        failed=$((failed + 1))
        echo "$name: refused without a word"
    fi
}

repeat() { # TEXT TIMES
    local chunk
    chunk=$(printf "%${3:-10000}s" "" | sed "s|.|$1|g")
    for ((i = 0; i < $2 / ${3:-10000}; i++)); do printf '%s' "$chunk"; done
}

# A million brackets, by every reader that takes JSON.
{ repeat '[' 1000000; } >deep.json
{ printf '{"log_history":'; repeat '[' 1000000; } >deep2.json
{ printf '{"global_step":1,"log_history":'; repeat '{"a":' 1000000; } >deep3.json
{ printf ':::MLLOG '; repeat '{"key":' 1000000; echo; } >deep.log
for format in table-json perun-json trainer-state prometheus-json scaphandre-json; do
    "$bin" formats --format csv | grep -q "^$format," || continue
    for file in deep.json deep2.json deep3.json; do
        expect "$format on nested JSON" "3" "$bin" inspect --as "$format" $file
    done
done
expect "mllog on nested JSON" "0 3" "$bin" inspect --as mllog deep.log
cp deep.json campaign.json
expect "campaign.json of brackets" "3" "$bin" runs .
rm campaign.json
{ printf '{"schema": "wattscale.figure/1", "panels": '; repeat '[' 1000000; } >fig.json
expect "figure of brackets" "2 3" "$bin" plot --spec fig.json -o fig.svg

# A line without end, from a pipe and compressed a thousandfold.
expect "4 GB in one line" "3" bash -c "head -c 4G /dev/zero | tr '\0' a | '$bin' energy -"
expect "4 GB in one cell under a header" "3" \
    bash -c "{ printf 'timestamp, index, power.draw [W]\n2025/01/01 00:00:00.000, 0, '
        head -c 4G /dev/zero | tr '\0' 1; } | '$bin' energy -"
expect "4 GB in one quoted cell" "3" \
    bash -c "{ printf 'timestamp, index, power.draw [W]\n\"'; head -c 4G /dev/zero | tr '\0' a; } | '$bin' energy -"
head -c 4G /dev/zero | tr '\0' a | gzip -1 >line.csv.gz
expect "4 GB in one line, gzip" "3" "$bin" energy line.csv.gz
head -c 4G /dev/zero | gzip -1 | gzip -1 >zeros.gz.gz
expect "gzip in gzip" "3" "$bin" energy zeros.gz.gz
head -c 4G /dev/zero | gzip -1 >zeros.json.gz
expect "4 GB of zeros as JSON" "3" "$bin" inspect --as table-json zeros.json.gz

# Entities that grow a billionfold, and one that names a file.
{
    echo '<?xml version="1.0"?><!DOCTYPE nvidia_smi_log ['
    echo '<!ENTITY a0 "aaaaaaaaaa">'
    for i in 1 2 3 4 5 6 7 8 9; do
        printf '<!ENTITY a%d "' $i
        for _ in 1 2 3 4 5 6 7 8 9 10; do printf '&a%d;' $((i - 1)); done
        echo '">'
    done
    echo ']><nvidia_smi_log><timestamp>&a9;</timestamp></nvidia_smi_log>'
} >laughs.xml
{
    printf '<?xml version="1.0"?><!DOCTYPE nvidia_smi_log [<!ENTITY x SYSTEM "file:///etc/passwd">]>'
    echo '<nvidia_smi_log><driver_version>&x;</driver_version></nvidia_smi_log>'
} >outside.xml
{ repeat '<a>' 1000000; } >deep.xml
for file in laughs.xml outside.xml deep.xml; do
    expect "nvidia-smi-xml on $file" "0 3" "$bin" inspect --facts --as nvidia-smi-xml $file
    if grep -q 'root:' out; then
        failed=$((failed + 1))
        echo "outside.xml: an external entity was read"
    fi
done

# Columns and cells by the million.
{ repeat 'a,' 4000000; echo; repeat '1,' 4000000; echo; } >wide.csv
expect "four million columns" "0 3" "$bin" inspect wide.csv
{
    echo 'timestamp, index, power.draw [W]'
    seq 1 2000000 | awk '{ print "2025/01/01 00:00:00.000, " $1 ", 100.00 W" }'
} >devices.csv
expect "two million devices" "0 3" "$bin" energy --by source devices.csv

echo "$tried hostile files, $((tried - failed)) as they should"
[ "$failed" -eq 0 ]
