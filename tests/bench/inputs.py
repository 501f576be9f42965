"""The inputs of the bench, made once from a fixed seed into DIR/data. MB is 10^6 bytes, of what a reader decodes."""
import glob
import os
import subprocess
from dataclasses import dataclass

HERE = os.path.dirname(os.path.abspath(__file__))
PYTHON = os.environ.get("PYTHON", "/usr/bin/python3")
FILE_KB = 500
SAMPLE_BYTES = 12  # HDF5: a time of 8 bytes and a power of 4
COUNTER_BYTES = 16  # a time and a counter of 8 bytes each
NODES, GPUS, COUNTERS = 4, 8, 4  # of the HDF5 files with long series
LAWS = "line,origin,powerlaw,floor,amdahl,gustafson,usl,breakpoint"


@dataclass
class Input:
    form: str  # how a row looks: smi, nounits, supercloud, powercap or hdf5
    packed: str  # "", gz or zst
    paths: list
    mb: float

    def part(self, share):
        """A smaller input of the same kind for slow programs."""
        if share == 1:
            return self
        if len(self.paths) > 1:
            paths = self.paths[: max(2, int(len(self.paths) * share))]
            return Input(self.form, self.packed, paths, sum(map(os.path.getsize, paths)) / 1e6)
        return trace(os.path.dirname(self.paths[0]), self.form, self.mb * share)


def make(path, *command, to_stdout=False):
    """Run the command that writes path + '.part', unless path is there."""
    if not os.path.exists(path):
        with open(path + ".part", "wb") as out:
            subprocess.run(command, check=True, stdout=out if to_stdout else None)
        os.rename(path + ".part", path)
    return path


def generator(data):
    return os.path.join(data, "..", "gen_trace")


def trace(data, form, mb):
    path = f"{data}/{form}-{mb:g}.csv"
    make(path, generator(data), "-f", form, "-b", str(int(mb * 1e6)), "-s", "1", "-o", path + ".part")
    return Input(form, "", [path], os.path.getsize(path) / 1e6)


def packed(data, mb, suffix, *command):
    plain = trace(data, "smi", mb)
    path = make(f"{plain.paths[0]}.{suffix}", *command, plain.paths[0], to_stdout=True)
    return Input("smi", suffix, [path], plain.mb)


def many_files(data, mb):
    count = int(mb * 1000 / FILE_KB)
    folder = f"{data}/files-{count}"
    if not os.path.isdir(folder):
        os.makedirs(folder + ".part")
        size = ["-c", str(count), "-b", f"{FILE_KB}k"]
        subprocess.run([generator(data), *size, "-s", "1", "-o", folder + ".part"], check=True)
        os.rename(folder + ".part", folder)
    paths = sorted(glob.glob(folder + "/*.csv"))
    return Input("smi", "", paths, sum(map(os.path.getsize, paths)) / 1e6)


def hdf5(data, kind, nodes, samples):
    path = f"{data}/{kind}-{nodes}x{samples}.h5"
    make(path, PYTHON, f"{HERE}/gen_perun_h5.py", path + ".part", kind, str(nodes), str(GPUS), str(samples))
    return Input("hdf5", "", [path], nodes * GPUS * samples * SAMPLE_BYTES / 1e6)


def long_hdf5(data, kind, mb):
    return hdf5(data, kind, NODES, int(mb * 1e6 / SAMPLE_BYTES / NODES / GPUS))


def powercap(data, mb):
    path = f"{data}/powercap-{mb:g}.csv"
    make(path, PYTHON, f"{HERE}/gen_powercap.py", str(int(mb * 1e6)), to_stdout=True)
    return Input("powercap", "", [path], os.path.getsize(path) / 1e6)


def log(data, form, mb):
    path = f"{data}/{form}-{mb:g}.log"
    make(path, PYTHON, f"{HERE}/gen_logs.py", form, str(int(mb * 1e6)), to_stdout=True)
    return Input(form, "", [path], os.path.getsize(path) / 1e6)


def campaign(data, program):
    """The synthetic campaign of Huber et al. at full length, 3 GB."""
    folder = f"{data}/huber2025"
    if not os.path.isdir(folder):
        subprocess.run([program, "dataset", "make", "huber2025", folder + ".part", "-q"], check=True,
                       stdout=subprocess.DEVNULL)
        os.rename(folder + ".part", folder)
    paths = sorted(glob.glob(f"{folder}/*/*/*/perun/*.hdf5"))
    return folder, Input("hdf5", "", paths, sum(map(os.path.getsize, paths)) / 1e6)


def jobs(data, n):
    """A table of EAR: each job is a run of its own."""
    path = f"{data}/jobs-{n}.csv"
    make(path, PYTHON, f"{HERE}/gen_logs.py", "ear-jobs", str(70 * n), to_stdout=True)
    return path


def counters_hdf5(data, mb):
    samples = int(mb * 1e6 / COUNTER_BYTES / NODES / COUNTERS)
    path = f"{data}/counters-{samples}.h5"
    make(path, PYTHON, f"{HERE}/gen_perun_h5.py", path + ".part", "counters", str(NODES), str(COUNTERS), str(samples))
    return Input("hdf5", "", [path], NODES * COUNTERS * samples * COUNTER_BYTES / 1e6)


def header_only(data):
    path = f"{data}/header.csv"
    with open(trace(data, "smi", 0.1).paths[0]) as f, open(path, "w") as out:
        out.write(f.readline())
    return path


def runs_table(data, runs, groups):
    """Runs of `groups` experiments with times that fall with the GPUs; no two are alike."""
    path = f"{data}/runs-{runs}-{groups}.csv"
    with open(path, "w") as out:
        out.write("experiment,gpus,wall_s\n")
        for i in range(runs):
            gpus = 1 << (i // groups % 8)
            wall = 40 + (3000 + 17 * (i % groups)) / gpus * (1 + ((i * 7919) % 97 - 48) / 1000)
            out.write(f"e{i % groups:02d},{gpus},{wall:.3f}\n")
    return path


def points_table(data, points):
    path = f"{data}/points-{points}.csv"
    with open(path, "w") as out:
        out.write("x,y\n")
        for i in range(1, points + 1):
            out.write(f"{i},{3 + 0.25 * i + (i * 37 % 11) * 0.1:.3f}\n")
    return path
