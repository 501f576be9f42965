#!/usr/bin/python3
"""usage: gen_logs.py FORMAT BYTES >OUT

A log of about that many bytes as the tools of the formats below write them, from a fixed seed, with readings that
change in every row. Without BYTES: the names of the formats."""
import datetime
import sys

START = 1700000000
DAY = datetime.datetime(2026, 2, 11, 8, 0, 0)


class Random:
    """A linear congruential generator: 31 bits a draw."""

    def __init__(self, seed):
        self.state = seed

    def draw(self, below):
        self.state = (self.state * 6364136223846793005 + 1442695040888963407) % 2**64
        return (self.state >> 33) % below


R = Random(12345)


def dmon():
    names = "#Date       Time        gpu    pwr  gtemp  mtemp     sm    mem   mclk   pclk     fb   bar1\n"
    units = "#YYYYMMDD   HH:MM:SS    Idx      W      C      C      %      %    MHz    MHz     MB     MB\n"
    i = 0
    while True:
        if i % 40 == 0:
            yield names + units
        t = DAY + datetime.timedelta(seconds=i // 8)
        yield (f" {t:%Y%m%d   %H:%M:%S}  {i % 8:5d}  {200 + R.draw(100):5d}  {50 + R.draw(20):5d}      -"
               f"  {R.draw(101):5d}  {R.draw(60):5d}   1593   {1300 + R.draw(110)}  {71210 + R.draw(90)}      5\n")
        i += 1


def tegrastats():
    i = 0
    while True:
        t = DAY + datetime.timedelta(seconds=i)
        cores = ",".join(f"{R.draw(101)}%@1189" for _ in range(4))
        yield (f"{t:%m-%d-%Y %H:%M:%S} RAM {2000 + R.draw(900)}/6834MB (lfb 27x4MB) SWAP 542/3417MB (cached 2MB) "
               f"CPU [{cores},off,off] EMC_FREQ 0% GR3D_FREQ {R.draw(100)}% AUX@36.5C CPU@40C thermal@37.{R.draw(10)}C "
               f"AO@37.5C GPU@{38 + R.draw(5)}C PMIC@50C VDD_IN {5000 + R.draw(999)}mW/5542mW "
               f"VDD_CPU_GPU_CV {1000 + R.draw(999)}mW/1594mW VDD_SOC {1200 + R.draw(90)}mW/1234mW\n")
        i += 1


def dcgm_csv():
    yield "GPUId,TimeStampUs,Field,Values\n"
    i = 0
    while True:
        for gpu in range(4):
            t = START * 1000000 + i * 100000 + R.draw(900)
            yield f"{gpu},{t},power_usage_instant,{60 + R.draw(300)}.{R.draw(100):02d}\n"
            yield f"{gpu},{t + R.draw(90)},gpu_utilization,{R.draw(101)}\n"
        i += 1


def rapl_interval_csv():
    yield "#timestamp,interval,socket,domain,energy,power\n"
    i = 1
    while True:
        for k in range(4):
            us = i * 5000 + k * 100 + R.draw(90)
            j = R.draw(2000) + (900 if k % 2 == 0 else 0)
            yield (f"{us / 1e6:.6f},0.005{R.draw(400):03d},N{k // 2},{('package', 'ram')[k % 2]},{j / 1e4:.4f},"
                   f"{j / 5e1:.4f}\n")
        i += 1


def gmt_log():
    i = 0
    while True:
        for k in range(2):
            yield f"{START * 1000000 + i * 99000 + R.draw(900)} {300000 + R.draw(99999)} Package_{k}\n"
        i += 1


def perf_stat_csv():
    i = 1
    while True:
        s = f"{i + i * 0.0013:.9f}".rjust(15)
        for event, low in (("power/energy-pkg/", 1900), ("power/energy-ram/", 300)):
            j = low + R.draw(900)
            yield f"{s},{j / 100:.2f},Joules,{event},{2002000000 + R.draw(900000)},100.00,,\n"
        i += 1


def perf_stat_text():
    i = 1
    yield "# started on Wed Feb 11 08:00:00 2026\n\n#           time             counts unit events\n"
    while True:
        s = f"{i + i * 0.0013:.9f}".rjust(16)
        for event, low in (("power/energy-pkg/", 1900), ("power/energy-ram/", 300)):
            j = low + R.draw(900)
            yield f"{s} {j / 100:18.2f} Joules power/energy-{event[13:16]}/\n"
        i += 1


EAR_HEAD = ("JOBID;STEPID;APPID;JOBNAME;JOB_END_TIME;NODENAME;TIME_SEC;DC_NODE_POWER_W;DRAM_POWER_W;PCK_POWER_W;"
            "GPU0_POWER_W;GPU0_UTIL_PERC\n")


def ear_means():
    return (f"{410 + R.draw(37)}.{R.draw(10)};22.{R.draw(9)};{180 + R.draw(21)}.1;{250 + R.draw(50)}.0;"
            f"{60 + R.draw(40)}\n")


def ear_eacct():
    """A job on sixteen nodes, asked for again and again."""
    yield EAR_HEAD
    i = 0
    while True:
        yield f"4100000;0;0;train;{START + i // 16 * 600};node{i % 16};600.0;{ear_means()}"
        i += 1


def ear_jobs():
    yield EAR_HEAD
    i = 0
    while True:
        yield (f"{4100000 + i};0;0;train{i % 7};{START + i * 600};node{i % 16};{3600 + R.draw(100)}.0;{ear_means()}")
        i += 1


def turbostat():
    yield "Core\tCPU\tAvg_MHz\tBusy%\tBzy_MHz\tPkgTmp\tPkgWatt\tCorWatt\tRAMWatt\n"
    while True:
        w = R.draw(3000)
        yield (f"-\t-\t{R.draw(900)}\t{R.draw(100)}.{R.draw(100):02d}\t{1200 + R.draw(900)}\t{40 + R.draw(30)}\t"
               f"{w / 100 + 3:.2f}\t{w / 150:.2f}\t1.{R.draw(100):02d}\n")
        for cpu in range(4):
            yield (f"{cpu}\t{cpu}\t{R.draw(900)}\t{R.draw(100)}.{R.draw(100):02d}\t{1200 + R.draw(900)}\t"
                   f"{40 + R.draw(30)}\n")


def slurm_series():
    yield ("Step,Node,Series,ElapsedTime,EpochTime,CPUFrequency,CPUTime,CPUUtilization,RSS,VMSize,Pages,ReadMB,"
           "WriteMB\n")
    i = 0
    while True:
        yield (f"-1,node1,0,{10 * i},{START + 10 * i},{2400 + R.draw(999)},{R.draw(100)}.{R.draw(10)},"
               f"{R.draw(100)}.{R.draw(10)},{800 + R.draw(99)},{7776 + R.draw(99)},0,0.00{R.draw(90):02d},0.0022\n")
        i += 1


def mllog_power():
    i = 0
    while True:
        yield (f':::MLLOG {{"namespace": "", "time_ms": {START * 1000 + i * 1000 + R.draw(9)}, "event_type": '
               f'"POINT_IN_TIME", "key": "power_reading", "value": {5000 + R.draw(4000)}.{R.draw(100):02d}, '
               f'"metadata": ""}}\n')
        i += 1


FORMATS = {f.__name__.replace("_", "-"): f
           for f in (mllog_power, slurm_series, perf_stat_text, turbostat, dcgm_csv, tegrastats, dmon, perf_stat_csv,
                     gmt_log, rapl_interval_csv, ear_eacct, ear_jobs)}

if len(sys.argv) < 3:
    print(*FORMATS, sep="\n")
    sys.exit()
left = int(sys.argv[2])
for line in FORMATS[sys.argv[1]]():
    sys.stdout.write(line)
    left -= len(line)
    if left <= 0:
        break
