#!/usr/bin/python3
"""usage: peer_h5py.py FILE...
The number of power sensors of perun's files and the sum of their energies by the trapezoid, with h5py and NumPy."""
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


def of_file(path):
    with h5py.File(path, "r") as file:
        return list(energies(file))


found = [energy for path in sys.argv[1:] for energy in of_file(path)]
print(len(found), format(sum(found), ".17g"))
