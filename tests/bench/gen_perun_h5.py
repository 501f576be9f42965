#!/usr/bin/python3
"""usage: gen_perun_h5.py OUT contig|gzip|gzipshuf NODES GPUS SAMPLES
       gen_perun_h5.py OUT counters NODES PACKAGES SAMPLES

A file as perun writes it, from a fixed seed: application, run, nodes, GPUs, and of each GPU the sensors POWER, UTIL and
MEM with raw_data/{timesteps,values} and metrics. 4 nodes of 8 GPUs with 1,800,000 samples (50 h at 10 Hz) make
2 GB. counters: of packages instead, each the sensor cpu_N_package-N, a counter of microjoules that wraps."""
import sys

import h5py
import numpy as np

CHUNK = 16384
RANGE_UJ = 262143328850  # as Linux states it
SENSORS = {"POWER": "W", "UTIL": "%", "MEM": "B"}


def describe(item, unit, dtype):
    item.attrs.update({"unit": unit, "mag": 1, "dtype": dtype})
    for name, value in (("valid_min", 0), ("valid_max", 1e6), ("fill", -1)):
        item.attrs.create(name, value, dtype=dtype)


def child(parent, name, kind):
    """A node of perun's tree: its kind, its metrics; its children go into its group `nodes`."""
    group = parent.create_group(name)
    group.attrs["type"] = kind
    group.create_group("metrics")
    return group, group.create_group("nodes")


def add_metrics(sensor, unit, names):
    for name in names:
        metric = sensor["metrics"].create_group(name)
        describe(metric, unit, "float32")
        metric.attrs.update({"type": name, "agg_type": "mean"})
        metric.attrs.create("value", 1.0, dtype="float32")


def add_series(sensor, unit, samples, random, storage):
    raw = sensor.create_group("raw_data")
    at = np.arange(samples, dtype="f8")
    times = at * 0.1 + random.uniform(-0.003, 0.003, samples).round(6)
    values = (250 + 50 * np.sin(at / 300) + random.normal(0, 5, samples)).round(3).astype("f4")
    describe(raw.create_dataset("timesteps", data=times, **storage), "s", "float64")
    describe(raw.create_dataset("values", data=values, **storage), unit, "float32")


def add_counter(sensor, samples, random):
    raw = sensor.create_group("raw_data")
    times = np.arange(samples, dtype="f8") * 0.1 + random.uniform(-0.003, 0.003, samples).round(6)
    values = random.integers(5_000_000, 25_000_000, samples).cumsum() % RANGE_UJ
    describe(raw.create_dataset("timesteps", data=times), "s", "float64")
    counter = raw.create_dataset("values", data=values.astype("u8"))
    counter.attrs.update({"unit": "J", "mag": 1e-6, "dtype": "uint64"})
    for name, value in (("valid_min", 0), ("valid_max", RANGE_UJ), ("fill", 0)):
        counter.attrs.create(name, value, dtype="uint64")


def add_packages(node, packages, samples, random):
    _, devices = child(node, "cpu", "device_group")
    for package in range(packages):
        sensor, _ = child(devices, f"cpu_{package}_package-{package}", "sensor")
        sensor.attrs["device_type"] = "cpu"
        add_counter(sensor, samples, random)


def main():
    out, kind = sys.argv[1:3]
    nodes, gpus, samples = map(int, sys.argv[3:6])
    random = np.random.default_rng(7)
    storage = {}
    if kind.startswith("gzip"):
        storage = {"chunks": (min(samples, CHUNK),), "compression": "gzip", "compression_opts": 4,
                   "shuffle": kind == "gzipshuf"}
    with h5py.File(out, "w") as file:
        _, runs = child(file, "app", "app")
        _, hosts = child(runs, "0", "run")
        for node in range(nodes):
            _, kinds = child(hosts, f"node{node:04d}", "node")
            if kind == "counters":
                add_packages(kinds, gpus, samples, random)
                continue
            _, devices = child(kinds, "gpu", "device_group")
            for gpu in range(gpus):
                for name, unit in SENSORS.items():
                    sensor, _ = child(devices, f"CUDA:{gpu}_{name}", "sensor")
                    sensor.attrs["device_type"] = "gpu"
                    add_metrics(sensor, unit, ("MEAN", "MAX", "MIN", "STD") if name == "POWER" else ("MEAN",))
                    add_series(sensor, unit, samples, random, storage)


if __name__ == "__main__":
    main()
