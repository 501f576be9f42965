#!/usr/bin/python3
"""usage: gen_powercap.py BYTES >OUT

Polls of RAPL's counters every 100 ms, from a fixed seed: a time and four counters of microjoules, which wrap at the
ranges that Linux states for them, and a header that states none. 160 MB are 2.5 million rows with 440 wraps."""
import sys

RANGES = {"package-0": 262143328850, "package-1": 262143328850, "dram-0": 65712999613, "dram-1": 65712999613}
ROW_BYTES, ROWS_A_WRAP = 64, 22700
START_MS, STEP_MS, JITTER_MS = 1700000000000, 100, 3


class Random:
    """A linear congruential generator: 31 bits a draw."""

    def __init__(self, seed):
        self.state = seed

    def draw(self):
        self.state = (self.state * 6364136223846793005 + 1442695040888963407) % 2**64
        return self.state >> 33


def rows(n):
    random = Random(12345)
    ranges = list(RANGES.values())
    counters = [random.draw() * size >> 31 for size in ranges]
    for i in range(n):
        t = START_MS + i * STEP_MS + random.draw() % JITTER_MS
        yield f"{t // 1000}.{t % 1000:03d}," + ",".join(map(str, counters)) + "\n"
        for k, size in enumerate(ranges):
            mean = size // ROWS_A_WRAP
            counters[k] = (counters[k] + mean // 2 + (random.draw() * mean >> 31)) % size


sys.stdout.write("timestamp," + ",".join(RANGES) + "\n")
sys.stdout.writelines(rows(int(sys.argv[1]) // ROW_BYTES))
