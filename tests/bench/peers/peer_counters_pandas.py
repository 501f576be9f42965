#!/usr/bin/python3
"""usage: peer_counters_pandas.py FILE
Of each counter of powercap's polls the readings, the duration and the energy, a fall being a wrap at the least range of
RAPL that holds the counter: pandas with its C engine."""
import sys

import numpy as np
import pandas as pd

RANGES_UJ = [65532610987, 65712999613, 262143328850]
frame = pd.read_csv(sys.argv[1], engine="c", dtype={"timestamp": "f8"}, float_precision="high")
time_ms = np.rint(frame.pop("timestamp").to_numpy() * 1000)
for name in frame:
    counter = frame[name].to_numpy()
    size = next(r for r in RANGES_UJ if r >= counter.max())
    rise = np.diff(counter)
    energy_uj = rise.sum() + size * int((rise < 0).sum())
    duration_s = (time_ms[-1] - time_ms[0]) / 1000
    print(name, len(counter), format(duration_s, ".17g"), format(energy_uj / 1e6, ".17g"), sep="\t")
