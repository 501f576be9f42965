"""The programs that the bench compares, one entry each: a new peer is one more line of PEERS.

The job: of each GPU the samples, the duration, the mean power, the energy by the trapezoid, the mean and the
coefficient of variation of the utilisation. Peers print it as seven columns between tabs, with %.17g."""
import csv
import io
import json
import os
import subprocess
from dataclasses import dataclass
from typing import Callable

from inputs import HERE, PYTHON

UNPACK = {"gz": "gzip -dc", "zst": "zstd -dcq"}


@dataclass
class Peer:
    name: str
    command: Callable  # (bench, input) -> the command line, or None where the program does not read the input
    probe: Callable = lambda bench: True  # is it there?
    answers: Callable = None  # what it printed -> {device: [numbers]}; None for a yardstick
    environment: tuple = ()
    share: float = 1  # slow programs read this part of the input


@dataclass
class Bench:
    program: str
    dir: str


def runs(*command, cwd=None):
    try:
        return subprocess.run(command, cwd=cwd, capture_output=True, stdin=subprocess.DEVNULL).returncode == 0
    except OSError:
        return False


def has_node_package(name):
    return lambda bench: runs("node", "-e", f"require.resolve('{name}')", cwd=f"{bench.dir}/node")


def of_lines(text, _):
    rows = (line.split("\t") for line in text.splitlines())
    return {row[0]: [float(x) for x in row[1:]] for row in rows if len(row) == 7}


COLUMNS = "samples duration_s plain_mean_power_w energy_j plain_util_mean plain_util_cv".split()


def of_wattscale(text, many):
    found = {}
    for row in csv.DictReader(io.StringIO(text)):
        key = row["device"].removeprefix("gpu")
        key = f"{row['node']}/{key}" if row["node"] else key
        key = f"{os.path.basename(row['source'])}:{key}" if many else key
        values = [float(row[c]) for c in COLUMNS]
        values[4] *= 100  # a fraction here, percent in the file
        found[key] = values
    return found


def hdf5_of_wattscale(text, _):
    rows = list(csv.DictReader(io.StringIO(text)))
    return {"sum": [len(rows), sum(float(row["energy_j"]) for row in rows)]}


def counters_of_wattscale(text, _):
    rows = csv.DictReader(io.StringIO(text))
    return {row["column"]: [float(row[c]) for c in ("samples", "duration_s", "energy_j")] for row in rows}


def of_counters(text, _):
    rows = (line.split("\t") for line in text.splitlines())
    return {row[0]: [float(x) for x in row[1:]] for row in rows if len(row) == 4}


def energy(*options):
    return lambda bench, i: [bench.program, "energy", *i.paths, *options, "-q", "--format", "csv"]


def on(reads, command):
    return lambda bench, i: command(bench, i) if reads(i) else None


def plain(i):
    return not i.packed


def script(interpreter, name):
    return lambda bench, i: [interpreter, f"{HERE}/peers/{name}", i.form, *i.paths]


def libcsv(bench, i):
    if i.packed:
        return ["sh", "-c", f"{UNPACK[i.packed]} '{i.paths[0]}' | {bench.dir}/libcsv {i.form} /dev/stdin"]
    return [f"{bench.dir}/libcsv", i.form, *i.paths]


def unpack(_, i):
    return ["sh", "-c", f"{UNPACK[i.packed]} '{i.paths[0]}' >/dev/null"]


OURS = "wattscale"
JOB = ("--quantity", "power,util")
PEERS = [
    Peer(OURS, energy(*JOB), answers=of_wattscale),
    Peer("wattscale, one thread", energy(*JOB, "-j", "1"), answers=of_wattscale),
    Peer("wattscale, all columns", energy(), answers=of_wattscale),
    Peer("newline scan", on(plain, lambda bench, i: [f"{bench.dir}/nlscan", *i.paths])),
    Peer("unpacking alone", on(lambda i: i.packed, unpack)),
    Peer("libcsv loop", libcsv, answers=of_lines),
    Peer("DuckDB, 2 threads", script("node", "peer_duckdb.mjs"), has_node_package("@duckdb/node-api"), of_lines,
         (("THREADS", "2"),)),
    Peer("Polars, 2 threads", on(lambda i: i.packed != "zst", script("node", "peer_polars.mjs")),
         has_node_package("nodejs-polars"), of_lines, (("POLARS_MAX_THREADS", "2"),)),
    Peer("pandas", on(lambda i: i.packed != "zst", script(PYTHON, "peer_pandas.py")),
         lambda _: runs(PYTHON, "-c", "import pandas"), of_lines),
    Peer("mawk", on(plain, script("sh", "peer_mawk.sh")), lambda _: runs("mawk", "-W", "version"), of_lines),
    Peer("Miller", on(plain, script("sh", "peer_miller.sh")), lambda _: runs("mlr", "--version"), of_lines, share=0.1),
]
HDF5_PEERS = [
    Peer(OURS, energy("--quantity", "power"), answers=hdf5_of_wattscale),
    Peer("h5py and NumPy", lambda _, i: [PYTHON, f"{HERE}/peers/peer_h5py.py", *i.paths],
         lambda _: runs(PYTHON, "-c", "import h5py"), lambda text, _: {"sum": [float(x) for x in text.split()]}),
]


COUNTER_PEERS = [
    Peer(OURS, energy(), answers=counters_of_wattscale),
    Peer("wattscale, one thread", energy("-j", "1"), answers=counters_of_wattscale),
    Peer("newline scan", lambda bench, i: [f"{bench.dir}/nlscan", *i.paths]),
    Peer("DuckDB, 2 threads", lambda _, i: ["node", f"{HERE}/peers/peer_counters_duckdb.mjs", *i.paths],
         has_node_package("@duckdb/node-api"), of_counters, (("THREADS", "2"),)),
    Peer("pandas", lambda _, i: [PYTHON, f"{HERE}/peers/peer_counters_pandas.py", *i.paths],
         lambda _: runs(PYTHON, "-c", "import pandas"), of_counters),
]
COUNTER_HDF5_PEERS = [
    Peer(OURS, energy("--quantity", "energy-counter"), answers=hdf5_of_wattscale),
    Peer("h5py and NumPy", lambda _, i: [PYTHON, f"{HERE}/peers/peer_h5py.py", "--counters", *i.paths],
         lambda _: runs(PYTHON, "-c", "import h5py"), lambda text, _: {"sum": [float(x) for x in text.split()]}),
]


def first_line(*command, cwd=None):
    try:
        out = subprocess.run(command, cwd=cwd, capture_output=True, text=True, stdin=subprocess.DEVNULL).stdout
    except OSError:
        return ""
    return out.splitlines()[0].strip() if out else ""


def versions(bench):
    def node(name):
        try:
            with open(f"{bench.dir}/node/node_modules/{name}/package.json", encoding="utf-8") as package:
                return json.load(package)["version"]
        except OSError:
            return "missing"

    def python(name):
        return first_line(PYTHON, "-c", f"import {name}; print({name}.__version__)") or "missing"

    return [("DuckDB", node("@duckdb/node-api")), ("nodejs-polars", node("nodejs-polars")),
            ("pandas", python("pandas")),
            ("mawk", first_line("mawk", "-W", "version").split(",")[0].removeprefix("mawk ") or "missing"),
            ("Miller", first_line("mlr", "--version").removeprefix("mlr ") or "missing"), ("h5py", python("h5py"))]
