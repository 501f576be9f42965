#!/usr/bin/python3
"""usage: tests/bench/run.py PROGRAM DIR [DOCUMENT]

Times the program and its peers on the same inputs in interleaved rounds: each round runs every program once, in turn,
so that what else the machine does hits all alike. Figures are medians over the rounds, ratios medians of the ratios
within a round. Answers are compared before anything is timed. Inputs, and the peers that peers.sh installed, are in
DIR; the tables go to standard output and, unless a peer is missing, between the marks of DOCUMENT.

BENCH_MB is the size of the inputs (100), BENCH_ROUNDS the number of rounds (5). BENCH_ONLY=counters, logs, jobs, store
or campaign takes those rows alone, and writes no document. The campaign takes 3 GB."""
import datetime
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field

import inputs
from inputs import HERE
from peers import COUNTER_HDF5_PEERS, COUNTER_PEERS, HDF5_PEERS, JOB, OURS, PEERS, Bench, energy, versions

MB = float(os.environ.get("BENCH_MB", "100"))
ROUNDS = int(os.environ.get("BENCH_ROUNDS", "5"))
TOLERANCE = 1e-9
MOST_HDF5_MB = 300  # of power; the files hold three such quantities
SMALL_MB, LARGE_MB = 100, 1000  # between which memory does not grow
JOBS = 30000
SMALL_SERIES = 512  # 256 GPUs, a data set of times and one of powers each
SCRATCH = bytearray(1 << 20)
MARKS = "<!-- tables of make bench -->", "<!-- end of the tables -->"


@dataclass
class Use:
    wall: float
    cpu: float
    peak_mb: float
    text: str = ""


@dataclass
class Result:
    peer: str
    mb: float
    difference: float = None
    uses: list = field(default_factory=list)

    def median(self, what):
        return statistics.median(getattr(use, what) for use in self.uses)

    def over(self, ours, what):
        """Median of the ratios within a round, per byte."""
        ratios = [getattr(a, what) / max(getattr(b, what), 1e-9) for a, b in zip(self.uses, ours.uses)]
        return statistics.median(ratios) * ours.mb / self.mb


def timed(bench, command, environment=(), allowed=(0,)):
    everywhere = {"LC_ALL": "C", "PEER_NODE": os.path.abspath(f"{bench.dir}/node")}
    with tempfile.NamedTemporaryFile("r") as figures, tempfile.TemporaryFile("w+") as out:
        status = subprocess.run([f"{bench.dir}/timed", figures.name, *command], stdin=subprocess.DEVNULL, stdout=out,
                                stderr=subprocess.PIPE, env={**os.environ, **everywhere, **dict(environment)})
        if status.returncode not in allowed:
            sys.exit(f"{' '.join(command)[:300]}: exit status {status.returncode}\n{status.stderr.decode()[-2000:]}")
        wall, user, system, peak = map(float, figures.read().split())
        out.seek(0)
        return Use(wall, user + system, peak * 1024 / 1e6, out.read())


def largest_difference(found, expected):
    if not found or found.keys() != expected.keys():
        return float("inf")
    pairs = [(a, b) for key in found for a, b in zip(found[key], expected[key])]
    return max(abs(a - b) / max(abs(b), 1e-300) for a, b in pairs)


def expected_answers(bench, peers, data):
    """Of the first program that is not ours: the loop on libcsv, h5py."""
    peer = next(p for p in peers if p.answers and not p.name.startswith(OURS))
    text = timed(bench, peer.command(bench, data), peer.environment).text
    return peer.answers(text, len(data.paths) > 1)


def warm(paths):
    """Into the page cache: between two turns of a program the system may have taken a file out again."""
    for path in paths:
        with open(path, "rb", buffering=0) as f:
            while f.readinto(SCRATCH):
                pass


def compare(bench, peers, data):
    """Each peer's Result on this input, ours first."""
    ready, results, expected = [], [], {}
    for peer in peers:
        if not peer.command(bench, data):
            continue
        part = data.part(peer.share)
        command = peer.command(bench, part)
        result = Result(peer.name, part.mb)
        first = timed(bench, command, peer.environment)
        if peer.answers:
            if peer.share not in expected:
                expected[peer.share] = expected_answers(bench, peers, part)
            result.difference = largest_difference(peer.answers(first.text, len(part.paths) > 1), expected[peer.share])
        ready.append((peer, command, part.paths, result))
        results.append(result)
    for _ in range(ROUNDS):
        for peer, command, paths, result in ready:
            warm(paths)
            result.uses.append(timed(bench, command, peer.environment))
    return results


def row(*cells):
    return "| " + " | ".join(cells) + " |"


def digits(x):
    """Three significant digits, no exponent."""
    return f"{x:.0f}" if x >= 100 else f"{x:.1f}" if x >= 10 else f"{x:.2f}" if x >= 0.1 else f"{x:.3f}"


def peers_table(title, results):
    ours = results[0]
    yield from (f"**{title}**", "",
                row("", "MB/s", "wall s", "CPU s", "peak MB", "x wall", "x CPU", "largest difference"),
                "| --- |" + " ---: |" * 7)
    for r in results:
        wall, cpu = r.median("wall"), r.median("cpu")
        difference = "" if r.difference is None else f"{r.difference:.0e}"
        part = f" ({r.mb:.0f} MB)" if r.mb < 0.99 * ours.mb else ""
        peak = max(u.peak_mb for u in r.uses)
        yield row(r.peer + part, f"{r.mb / wall:.0f}", digits(wall), digits(cpu), f"{peak:.0f}",
                  digits(r.over(ours, "wall")), digits(r.over(ours, "cpu")), difference)
    yield ""


@dataclass
class Measure:
    what: str
    least: float
    aim: float
    value: float
    unit: str
    more_is_better: bool

    def verdict(self):
        reaches = (lambda asked: self.value >= asked) if self.more_is_better else (lambda asked: self.value <= asked)
        return "aim reached" if reaches(self.aim) else "reached" if reaches(self.least) else "missed"


def at_least(what, least, aim, value, unit="x"):
    return Measure(what, least, aim, value, unit, True)


def at_most(what, most, aim, value, unit):
    return Measure(what, most, aim, value, unit, False)


def measures_table(measures):
    yield from (row("measure", "asked", "aim", "here", ""), "| --- | ---: | ---: | ---: | --- |")
    for m in measures:
        yield row(m.what, f"{m.least:g} {m.unit}", f"{m.aim:g} {m.unit}", f"{digits(m.value)} {m.unit}", m.verdict())
    yield ""


FORMS = [("smi", "nvidia-smi CSV with units"), ("nounits", "nvidia-smi CSV without units"),
         ("supercloud", "SuperCloud form")]


def against_peers(form, title, results):
    """Measures of one of the three forms; of peers that are missing there is none."""
    by = {r.peer: r for r in results}
    ours, all_columns = by[OURS], by["wattscale, all columns"]
    least, aim = (12, 20) if form == "supercloud" else (10, 18)
    if "DuckDB, 2 threads" in by:
        duckdb = by["DuckDB, 2 threads"]
        yield at_least(f"{title} against DuckDB, wall", least, aim, duckdb.over(ours, "wall"))
        yield at_least(f"{title} against DuckDB, CPU", least, aim, duckdb.over(ours, "cpu"))
        yield at_least(f"{title}, all columns, against DuckDB, wall", 5, 5, duckdb.over(all_columns, "wall"))
    if "Polars, 2 threads" in by:
        yield at_least(f"{title} against Polars, wall", 12, 20, by["Polars, 2 threads"].over(ours, "wall"))
    if "pandas" in by:
        yield at_least(f"{title} against pandas, wall", 25, 40, by["pandas"].over(ours, "wall"))
    yield at_least(f"{title} against the libcsv loop, CPU", 5, 9, by["libcsv loop"].over(ours, "cpu"))
    yield at_least(f"{title}, two threads over one", 1.6, 1.85, by["wattscale, one thread"].over(ours, "wall"))


def repeated(bench, command, times=ROUNDS, allowed=(0,)):
    timed(bench, command, allowed=allowed)
    return Result(OURS, 0, uses=[timed(bench, command, allowed=allowed) for _ in range(times)])


def instructions(bench, form):
    command = [f"{HERE}/instructions.sh", bench.program, f"{bench.dir}/gen_trace", form]
    out = subprocess.run(command, capture_output=True, text=True)
    return float(out.stdout.split()[1]) if out.returncode == 0 else None


def of_the_program(bench, data):
    """Start-up and memory beside those of a file that is nothing but its header."""
    empty = repeated(bench, [bench.program, "energy", inputs.header_only(data), *JOB, "-q"], times=21, allowed=(0, 3))
    yield at_most("start-up: a file of nothing but its header", 15, 8, empty.median("wall") * 1e3, "ms")
    peaks = []
    for mb in SMALL_MB, LARGE_MB:
        use = repeated(bench, energy(*JOB)(bench, inputs.trace(data, "smi", mb)))
        peaks.append(use.median("peak_mb"))
        yield at_most(f"peak memory above that, {mb:g} MB", 8, 2, peaks[-1] - empty.median("peak_mb"), "MB")
    yield at_most(f"peak memory, {LARGE_MB} MB less {SMALL_MB} MB", 1, 1, peaks[1] - peaks[0], "MB")
    for form, title in FORMS:
        count = instructions(bench, form)
        if count:
            yield at_most(f"{title}, instructions a byte", 10, 5, count, "")


def of_figures_and_fits(bench, data):
    plot = [bench.program, "plot", "trace/profile", *inputs.trace(data, "smi", MB).paths, "-q", "--force"]
    for suffix in ("pdf", "svg", "png"):
        plot += ["-o", f"{data}/profile.{suffix}"]
    yield at_most(f"trace/profile of {MB:g} MB ({MB / 100:.1f} million samples) as PDF, SVG and PNG",
                  MB / 1000, MB / 1000, repeated(bench, plot).median("wall"), "s")
    fit = [bench.program, "fit", "line", inputs.points_table(data, 50), "--x", "x", "--y", "y", "-q"]
    fit += ["--bootstrap", "pairs", "--resamples", "10000"]
    yield at_most("line through 50 points with 10,000 BCa resamples, CPU", 0.2, 0.2,
                  repeated(bench, fit).median("cpu"), "s")
    choose = [bench.program, "fit", "choose", inputs.runs_table(data, 3400, 60)]
    choose += ["--x", "gpus", "--y", "wall_s", "--by", "experiment", "--laws", inputs.LAWS, "-q"]
    yield at_most("choice among 8 laws, 3,400 runs in 60 groups", 1, 1, repeated(bench, choose).median("wall"), "s")


STORE_FILES, LOG_MB = 2000, 1000


def store_campaign(bench, data, apart):
    """Small files of four GPUs with power and utilisation, each in a folder of its own or all in one."""
    folder = f"{data}/store-{'apart' if apart else 'together'}"
    if not os.path.isdir(folder):
        with tempfile.TemporaryDirectory(dir=data) as part:
            subprocess.run([f"{bench.dir}/gen_trace", "-g", "4", "-b", "14k", "-c", str(STORE_FILES), "-o", part],
                           check=True)
            os.makedirs(folder)
            for i, name in enumerate(sorted(os.listdir(part))):
                path = f"{folder}/r{i}/gpu.csv" if apart else f"{folder}/r{i}.csv"
                os.makedirs(os.path.dirname(path), exist_ok=True)
                with open(f"{part}/{name}") as full, open(path, "w") as out:
                    for line in full:
                        cells = line.rstrip("\n").split(", ")
                        print(", ".join(cells[k] for k in (0, 1, 3, 4)), file=out)
                os.utime(path, ns=(1767261600123456789, 1767261600123456789))
        with open(f"{folder}/campaign.json", "w") as out:
            match = "r{job}/gpu.csv" if apart else "r{job}.csv"
            out.write('{"schema": "wattscale.campaign/1", "paths": [{"match": "%s"}]}' % match)
    return folder


def grown_log(bench, data):
    """A log whose last hundredth is new to the store, against reading all of it: CPU of ingest."""
    log = inputs.trace(data, "smi", LOG_MB).paths[0]
    folder = f"{data}/grown"
    store, part, copy = f"{folder}/campaign.wattscale", f"{folder}/4g/log.csv", f"{data}/grown.store"
    os.makedirs(os.path.dirname(part), exist_ok=True)
    with open(f"{folder}/campaign.json", "w") as out:
        out.write('{"schema": "wattscale.campaign/1", "paths": [{"match": "{gpus}g/{log}.csv"}]}')
    ingest = [bench.program, "ingest", folder, "-q", "-j", "1"]

    def forget():
        if os.path.exists(store):
            os.remove(store)

    forget()
    shutil.copy(log, part)
    os.truncate(part, os.path.getsize(log) * 100 // 101)
    timed(bench, ingest)
    shutil.copy(store, copy)
    shutil.copy(log, part)
    pairs = []
    for _ in range(ROUNDS):
        forget()
        whole = timed(bench, ingest)
        shutil.copy(copy, store)
        pairs.append((whole, timed(bench, ingest)))
    share = statistics.median(b.cpu / a.cpu for a, b in pairs) * 100
    yield at_most(f"a log of {LOG_MB} MB grown by 1 % against reading it whole, CPU", 3, 1.5, share, "%")


def into_store(bench, folder):
    store = f"{folder}/campaign.wattscale"
    if os.path.exists(store):
        os.remove(store)
    return timed(bench, [bench.program, "ingest", folder, "-q", "-j", "1"])


def as_where_a_scan_is_fast(bench, data, command):
    """Milliseconds of a command as on a machine where a newline scan reads 5 GB/s: of a file in a file system in
    memory, as that was measured (a page cache with larger pages hands it on up to half again as fast). The scan runs
    once in each round, so that what else the machine does hits both."""
    trace = inputs.trace(data, "smi", MB)
    memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) and shutil.disk_usage("/dev/shm").free > 2e6 * MB else data
    with tempfile.TemporaryDirectory(dir=memory) as folder:
        scan = [f"{bench.dir}/nlscan", *(shutil.copy(path, folder) for path in trace.paths)]
        warm(scan[1:])
        rounds = [(timed(bench, scan), timed(bench, command)) for _ in range(1 + 4 * ROUNDS)][1:]
    return statistics.median(ours.wall / (5e3 / (trace.mb / ruler.cpu)) for ruler, ours in rounds) * 1e3


def of_the_store(bench, data):
    yield from grown_log(bench, data)
    for apart, where, most, aim in (True, f"{STORE_FILES:,} folders", 120, 60), (False, "one folder", 50, 20):
        folder = store_campaign(bench, data, apart)
        store = f"{folder}/campaign.wattscale"
        pairs = [(timed(bench, [bench.program, "runs", "--no-store", folder, "-q", "-j", "1"]),
                  into_store(bench, folder)) for _ in range(ROUNDS)]
        again = as_where_a_scan_is_fast(bench, data, [bench.program, "runs", folder, "-q"])
        over = statistics.median(b.cpu / a.cpu for a, b in pairs) * 100 - 100
        yield at_most(f"second runs of {STORE_FILES:,} unchanged files in {where}, as where a scan reads 5 GB/s",
                      most, aim, again, "ms")
        yield at_most(f"ingest of these files of 6 KB over reading them, CPU, {where}", 10, 3, over, "%")
    yield at_most("store of 100,000 files of 4 GPUs, power and utilisation", 400, 150,
                  os.path.getsize(store) * 100000 / STORE_FILES / 1e6, "MB")


def sections(bench, peers, data):
    """The tables of peers, and the measures that follow from them."""
    for form, title in FORMS:
        results = compare(bench, peers, inputs.trace(data, form, MB))
        yield title, results, list(against_peers(form, title, results))
    files = compare(bench, peers, inputs.many_files(data, MB))
    share = MB / 1000
    yield (f"{MB * 2:.0f} files of 500 KB", files,
           [at_most(f"{MB * 2:.0f} files of 500 KB", 0.5 * share, 0.25 * share, files[0].median("wall"), "s")])
    for suffix, command in (("gz", ["gzip", "-6c"]), ("zst", ["zstd", "-qc"])):
        results = compare(bench, peers, inputs.packed(data, MB, suffix, *command))
        speed = results[0].mb / 1e3 / results[0].median("cpu")
        measured = [at_least("gzip'd CSV, decoded, a core", 0.4, 0.9, speed, "GB/s")] if suffix == "gz" else []
        yield f"{FORMS[0][1]}, .{suffix}", results, measured


def hdf5_sections(bench, data):
    peers = [p for p in HDF5_PEERS if p.probe(bench)]
    if len(peers) < 2:
        return
    mb = min(MB, MOST_HDF5_MB)
    for kind, title, least, aim in (("contig", "contiguous", 1.5, 3), ("gzipshuf", "gzip+shuffle", 0.3, 0.55)):
        results = compare(bench, peers, inputs.long_hdf5(data, kind, mb))
        speed = results[0].mb / 1e3 / results[0].median("wall")
        yield f"perun HDF5, {title}", results, [at_least(f"HDF5 {title}", least, aim, speed, "GB/s")]
    small = compare(bench, peers, inputs.hdf5(data, "contig", 32, 3000))
    micros = small[0].median("wall") * 1e6 / SMALL_SERIES
    yield (f"perun HDF5, {SMALL_SERIES} small data sets", small,
           [at_most("HDF5, a small data set, start-up included", 80, 50, micros, "µs")])


def counter_sections(bench, data):
    """Counters: the whole job with wrap-aware differences; seconds a reading of perun's are of the processor."""
    present = [p for p in COUNTER_PEERS if p.probe(bench)]
    if not any(p.answers and not p.name.startswith(OURS) for p in present):
        return
    results = compare(bench, present, inputs.powercap(data, MB))
    by = {r.peer: r for r in results}
    ours, one, title = by[OURS], by["wattscale, one thread"], "RAPL counters, powercap CSV"
    scans = 5e3 / (by["newline scan"].mb / by["newline scan"].median("cpu"))  # where a scan reads 5 GB/s
    measured = [at_least(f"{title}, one thread, CPU, as where a newline scan reads 5 GB/s", 800, 1500,
                         one.mb / one.median("cpu") * scans, "MB/s"),
                at_least(f"{title}, two threads over one", 1.5, 1.8, one.over(ours, "wall"))]
    if "DuckDB, 2 threads" in by:
        measured.append(at_least(f"{title} against DuckDB, wall", 10, 18, by["DuckDB, 2 threads"].over(ours, "wall")))
    yield title, results, measured
    peers = [p for p in COUNTER_HDF5_PEERS if p.probe(bench)]
    if len(peers) < 2:
        return
    counters = inputs.counters_hdf5(data, min(MB, MOST_HDF5_MB))
    results = compare(bench, peers, counters)
    nanos = results[0].median("cpu") * 1e9 / scans / (counters.mb * 1e6 / inputs.COUNTER_BYTES)
    yield ("perun HDF5, counters", results,
           [at_most("perun's counters, a reading, CPU, as where a newline scan reads 5 GB/s", 20, 12, nanos, "ns")])


LOGS = [("rapl-interval-csv", 30, 15), ("gmt-log", 30, 15), ("dmon", 30, 30), ("tegrastats", 30, 30),
        ("dcgm-csv", 30, 30), ("perf-stat-csv", 30, 30), ("mllog-power", 30, 30), ("slurm-series", 60, 30),
        ("ear-eacct", 30, 30), ("perf-stat-text", 60, 30), ("turbostat", 60, 30)]


def counted(program, path):
    command = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", program, "energy", path, "-j", "1",
               "-q"]
    text = subprocess.run(command, capture_output=True, text=True).stderr
    return next((int(line.split()[-1]) for line in text.splitlines() if "Collected" in line), None)


def of_logs(bench, data):
    """Instructions a byte: what 2 MB cost above 1 MB of the same log."""
    if not shutil.which("valgrind"):
        return
    for form, most, aim in LOGS:
        small, large = inputs.log(data, form, 1), inputs.log(data, form, 2)
        counts = [counted(bench.program, i.paths[0]) for i in (small, large)]
        if None not in counts:
            each = (counts[1] - counts[0]) / (large.mb - small.mb) / 1e6
            yield at_most(f"{form}, instructions a byte", most, aim, each, "")


def of_jobs(bench, data):
    """A table whose rows are runs of their own."""
    path = inputs.jobs(data, JOBS)
    for command in "energy", "runs":
        use = repeated(bench, [bench.program, command, path, "-q"], times=3)
        yield at_most(f"{command} of a table of {JOBS:,} jobs, CPU", 5, 2, use.median("cpu"), "s")


def in_memory(bench):
    program = f"{bench.dir}/counter_readings"
    if not os.path.exists(program):
        return
    nanos = [float(subprocess.run([program], capture_output=True, text=True, check=True).stdout)
             for _ in range(ROUNDS)]
    yield at_most("a counter's reading, in memory", 12, 6, statistics.median(nanos), "ns")


def of_campaign(bench, data):
    """Runs of a campaign beside a scan of its bytes, wall time of both with one thread, and of the processor; reading
    it into a store, and its report by one."""
    folder, traces = inputs.campaign(data, bench.program)
    scan, runs, ingest = Result("newline scan", traces.mb), Result(OURS, traces.mb), Result(OURS, traces.mb)
    for _ in range(ROUNDS):
        warm(traces.paths)
        scan.uses.append(timed(bench, [f"{bench.dir}/nlscan", *traces.paths]))
        runs.uses.append(timed(bench, [bench.program, "runs", folder, "-q", "-j", "1", "--no-store"]))
        ingest.uses.append(into_store(bench, folder))
    title = f"runs of Huber's campaign, {traces.mb / 1e3:.1f} GB, against a scan of its bytes"
    yield at_most(f"{title}, CPU", 8, 4, runs.over(scan, "cpu"), "x")
    yield at_most(f"{title}, wall", 8, 4, runs.over(scan, "wall"), "x")
    yield at_most("ingest of Huber's campaign over reading it, CPU", 10, 3,
                  ingest.median("cpu") / runs.median("cpu") * 100 - 100, "%")
    pages = f"{data}/report"
    reports = []
    for _ in range(ROUNDS + 1):
        shutil.rmtree(pages, ignore_errors=True)
        reports.append(timed(bench, [bench.program, "report", folder, "-o", pages, "-q"]).wall)
    slower = 5e3 / (traces.mb / scan.median("cpu"))
    yield at_most("second report of Huber's campaign, drawing included, as where a scan reads 5 GB/s", 2.5, 1.5,
                  statistics.median(reports[1:]) / slower, "s")


def machine():
    with open("/proc/cpuinfo") as f:
        models = [line.split(":", 1)[1].strip() for line in f if line.startswith("model name")]
    model, system = models[0] if models else os.uname().machine, os.uname()
    return f"{os.cpu_count()} cores ({model}), {system.sysname} {system.release}"


def head(bench, load):
    today = datetime.datetime.now(datetime.timezone.utc).date().isoformat()
    named = ", ".join(f"{name} {version}" for name, version in versions(bench))
    yield (f"{today}; {machine()}; load {load:.1f} at the start; inputs of {MB:g} MB, warm; "
           f"medians of {ROUNDS} interleaved rounds. Beside wattscale: {named}. "
           "x: times as much as wattscale; MB: 10^6 bytes.")
    yield ""


def into_document(document, lines):
    with open(document) as f:
        before, _, rest = f.read().partition(MARKS[0])
    after = rest.partition(MARKS[1])[2]
    with open(document, "w") as f:
        f.write(before + "\n".join([MARKS[0], *lines, MARKS[1]]) + after)


def main():
    bench = Bench(*sys.argv[1:3])
    data = f"{bench.dir}/data"
    os.makedirs(data, exist_ok=True)
    load = os.getloadavg()[0]
    missing = [p.name for p in PEERS + HDF5_PEERS + COUNTER_PEERS if not p.probe(bench)]
    present = [p for p in PEERS if p.name not in missing]
    tables, measures, agree = [], [], True
    only = os.environ.get("BENCH_ONLY")
    every = [lambda b, d: sections(b, present, d), hdf5_sections, counter_sections]
    others = {"logs": of_logs, "jobs": of_jobs, "campaign": of_campaign, "store": of_the_store,
              "counters": lambda b, _: in_memory(b)}
    chosen = {"counters": [counter_sections]}.get(only, []) if only else every
    found = [section for part in chosen for section in part(bench, data)]
    for title, results, measured in found:
        tables += peers_table(title, results)
        measures += measured
        agree = agree and all(r.difference is None or r.difference <= TOLERANCE for r in results)
    if not only:
        measures += [*of_the_program(bench, data), *of_figures_and_fits(bench, data)]
    for name, part in others.items():
        measures += part(bench, data) if only in (None, name) else []
    lines = [*head(bench, load), *measures_table(measures), *tables]
    print("\n".join(lines))
    if missing:
        print(f"missing: {', '.join(missing)}; nothing is written without them")
    elif agree and len(sys.argv) > 3 and not only:
        into_document(sys.argv[3], lines)
    if not agree:
        sys.exit(f"answers differ by more than {TOLERANCE:g}")


if __name__ == "__main__":
    main()
