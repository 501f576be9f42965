#!/usr/bin/python3
"""usage: peer_h5py.py [--counters] FILE...
The number of power sensors of perun's files and the sum of their energies by the trapezoid, with h5py and NumPy; of
counters of microjoules by their differences, a fall being a wrap at their valid_max."""
import sys

import h5py
import numpy as np


def energies(group):
    for name, item in group.items():
        if name.endswith("_POWER"):
            raw = item["raw_data"]
            yield np.trapz(raw["values"][:].astype("f8"), raw["timesteps"][:])
        elif name != "metrics" and not name.endswith(("_UTIL", "_MEM")) and isinstance(item, h5py.Group):
            yield from energies(item)


def counted(group):
    for name, item in group.items():
        if "_package-" in name:
            values = item["raw_data"]["values"]
            rise = np.diff(values[:].astype("i8"))
            yield (rise.sum() + int(values.attrs["valid_max"]) * int((rise < 0).sum())) / 1e6
        elif name != "metrics" and isinstance(item, h5py.Group):
            yield from counted(item)


def of_file(path):
    with h5py.File(path, "r") as file:
        return list(find(file))


find = counted if sys.argv[1] == "--counters" else energies
found = [energy for path in sys.argv[1 + (find is counted):] for energy in of_file(path)]
print(len(found), format(sum(found), ".17g"))
