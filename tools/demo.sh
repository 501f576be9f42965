#!/usr/bin/env bash
# The main job on the bundled campaign and on published numbers: tables on the screen, and in a folder in every digit.
set -eu
program=$1 out=$2
rm -f "$out"/*.csv "$out"/*.md # what an earlier version left where only a report may be

say() { printf '\n\033[1m%s\033[0m\n' "$*"; }
[ -t 1 ] || say() { printf '\n%s\n' "$*"; }
show() { # NAME ARGUMENT...: to the screen as text, to out/tables/NAME.csv and .md
    local name=$1
    shift
    echo "\$ wattscale $*"
    "$program" "$@" -q
    "$program" "$@" -q --format csv -o "$out/tables/$name.csv" --force
    "$program" "$@" -q --format md -o "$out/tables/$name.md" --force
}

say "A report of a synthetic campaign: page, figures, tables, data, provenance"
echo "\$ wattscale report datasets/demo -o $out"
"$program" report datasets/demo -o "$out" -q --force
say "The same campaign at the terminal: three series, 1 to 16 GPUs, perun HDF5, nvidia-smi and RAPL logs"
show scaling table campaign/scaling datasets/demo
say "How much of it is GPU, CPU and DRAM"
show domains table campaign/domains datasets/demo
say "kWh per GPUh (whole nodes only), and how time falls with GPUs"
show factor fit origin datasets/demo --x gpu_h --y energy_kwh --by series --exclude 'gpus<4'
show exponent fit powerlaw datasets/demo --x gpus --y wall_s --by series
say "Published: Huber et al. 2025, Table 1, and the factor of their 18 scaled-data-set points"
show table1 table huber/table1 datasets/huber2025/table1.csv
show huber-factor fit origin datasets/huber2025/scaled.csv --x gpu_h --y energy_kwh --by series --exclude 'gpus<4'
say "Open $out/index.html: the story, the figures and every table. Tables lie in $out/tables/, the runs in" \
    "$out/data/runs.csv"
