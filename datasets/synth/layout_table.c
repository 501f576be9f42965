/* The layouts: as people call their folders, with where such names stand. A new one is a row here.
 *
 * Tools' own names come from their documentation; others were seen in public repositories, which are named; "common" ones
 * are what a loop of a few lines of shell writes. Nothing but the shape of the names is taken from any of them. */
#include "datasets/synth/layout.h"

/* clang-format off */
#define MODELS {"model", {"resnet50", "vit-b16"}}
#define GPUS {"gpus", {"1", "2", "4"}}
#define BATCHES {"gbs", {"64", "128"}}
#define REPEATS {"repeat", {"1", "2", "3"}}
#define FROM_ZERO {"repeat", {"0", "1", "2"}}
#define TWICE {"repeat", {"1", "2"}}
#define SEEDS {"seed", {"1", "2", "42"}}

const ws_layout ws_layouts[] = {
    /* name=value */
    {"hive", "{model}/gpus={gpus}/batch={gbs}/run{repeat}/nvidia-smi.csv",
     "Hive's partitions, as pyarrow and Spark write them",
     .axes = {MODELS, {"gpus", {"1", "2", "4", "8"}}, BATCHES, REPEATS}},
    {"hydra-overrides", "multirun/{day}/{clock_time}/{n}_batch_size={gbs},gpus={gpus},seed={seed}/gpu.csv",
     "Hydra: sweep.subdir with job.num and override_dirname",
     .axes = {GPUS, BATCHES, SEEDS}},
    {"hydra-numbers", "multirun/{day}/12-30-00/{n}/nvidia-smi.csv", "Hydra: the default of sweep.subdir",
     .axes = {GPUS, BATCHES, TWICE}, .flags = WS_LAYOUT_UNSAID},
    {"snakemake", "results/model~{model}/gpus~{gpus}/batch_size~{gbs}/rep~{repeat}/power.csv",
     "Snakemake: Paramspace with its separator ~",
     .axes = {MODELS, GPUS, BATCHES, TWICE}},
    {"dashes-named", "pytorch/run-{repeat}_device-gpu_epoch-10_batchsize-{gbs}_framework-pytorch.csv",
     "names parsed in public notebooks: run-1_device-gpu_epoch-10_batchsize-128_framework-pytorch",
     .axes = {BATCHES, REPEATS}, .gpus = 1},
    {"ray-tune", "train_2025-11-21_12-30-00/train_{uid}_000{n1}_{n1}_batch_size={gbs},lr=0.1000_{day}_{clock_time}/gpu.csv", "Ray Tune: names of trials in docs.ray.io",
     .axes = {BATCHES, REPEATS}, .gpus = 2},

    /* Words with numbers */
    {"worded-folders", "{model}_{gpus}gpu_bs{gbs}_rep{repeat}/gpu.csv", "common",
     .axes = {MODELS, GPUS, BATCHES, REPEATS}},
    {"worded-files", "{model}-{gpus}GPUs-B{gbs}-Trial{repeat}.csv", "common",
     .axes = {MODELS, GPUS, BATCHES, TWICE}},
    {"times-device", "{model}_{gpus}xA100_bs{gbs}_run{repeat}.csv", "common",
     .axes = {MODELS, GPUS, BATCHES, TWICE}},
    {"tensor-parallel", "llama/13B/fp16/{gpus}-gpu-{gbs}-batch/nvsmi_iter100_max1000_{repeat}.out",
     "edwinlim0919/sustainable-deep-learning: N-gpu-N-batch folders",
     .axes = {GPUS, {"gbs", {"1", "4"}}, TWICE}},
    {"rate-and-seed", "{model}_lr0.1_np{gpus}_seed{seed}/power.csv", "common",
     .axes = {MODELS, GPUS, SEEDS}},
    {"learning-rates", "{model}/lr{lr}_wd1e-4_seed{seed}.csv", "common",
     .axes = {MODELS, {"lr", {"0.1", "0.01", "3e-4"}}, SEEDS}, .gpus = 2},
    {"nested-words", "{model}/gpus_{gpus}/batch_{gbs}/rep_{repeat}.csv", "common",
     .axes = {MODELS, GPUS, BATCHES, REPEATS}},
    {"huber-letters", "{gpus}g{lbs}b4w10e/{job}/nvidia-smi.csv", "RAI-SCC/ResNet",
     .axes = {GPUS, {"lbs", {"64", "128"}}, TWICE}},
    {"threads", "perf/{benchmark}_t{threads}_r{repeat}.txt", "common",
     .axes = {{"benchmark", {"lu", "cg"}}, {"threads", {"1", "8", "16"}}, TWICE}, .kind = WS_LAYOUT_PERF},

    /* Caps */
    {"clock-sweep", "clk{clock}_r{repeat}_{date}_{time}_power.csv", "common for sweeps of nvidia-smi -lgc",
     .axes = {{"clock", {"825", "1065", "1410"}}, REPEATS}, .gpus = 1},
    {"clock-folders", "freq_sweep_nnodes1/maxsclk_{clock}/rep{repeat}/power.csv", "bvillasen/energy_efficiency_tools",
     .axes = {{"clock", {"900", "1300", "1700"}}, TWICE}, .gpus = 1},
    {"power-caps", "{model}/pl{cap}W_run{repeat}.csv", "common for sweeps of nvidia-smi -pl",
     .axes = {MODELS, {"cap", {"150", "200", "250"}}, TWICE}, .gpus = 1},
    {"power-limits", "{model}_{cap}w_{repeat}.csv", "common",
     .axes = {MODELS, {"cap", {"150", "200", "250"}}, TWICE}, .gpus = 2},

    /* Bare numbers */
    {"flat-numbers", "nvsmi_{model}_n1_g{gpus}_{repeat}_{job}_{number}.csv", "common",
     .axes = {MODELS, GPUS, {"number", {"64", "128"}}, TWICE}},
    {"two-files", "resnet_g{gpus}_64.csv", "common",
     .axes = {{"gpus", {"1", "4"}}}},
    {"bare-batch", "power_data_{number}.log", "loops over batch sizes in public scripts",
     .axes = {{"number", {"64", "128"}}}, .gpus = 1},
    {"experiment-n", "{framework}/experiment-{repeat}.csv", "loops of nvidia-smi over {1..8} in public scripts",
     .axes = {{"framework", {"pytorch", "tensorflow"}}, REPEATS}, .gpus = 1},
    {"titles", "gemm_{library}_fp16_{shape}_nvml_log.csv", "SiyuanMa0316/CUDA_Bench",
     .axes = {{"library", {"cublas", "cutlass"}}, {"shape", {"4096x4096x4096", "32x16384x4096"}}}, .gpus = 1},

    /* Dates and jobs */
    {"dated-files", "traces/power-trace_{gpus}gpu_{day}-{clock_time}.csv", "grantwilkins/training_profile",
     .axes = {GPUS, TWICE}},
    {"dated-folders", "{model}_{day}_{clock_time}/gpu_power.csv", "common",
     .axes = {MODELS, REPEATS}, .gpus = 2},
    {"dated-copies", "{model}/gpu_power_{date}-{time}.csv", "a logger started again for each run",
     .axes = {MODELS, REPEATS}, .gpus = 2},
    {"slurm-array", "logs/power-{job}_{n}.csv", "Slurm: --output=%A_%a",
     .axes = {GPUS, TWICE}, .flags = WS_LAYOUT_UNSAID, .beside = ws_layout_array_out},
    {"submitit", "{job}/gpu.csv", "facebookincubator/submitit: a folder %j with %j_0_log.out",
     .axes = {GPUS, TWICE}, .flags = WS_LAYOUT_UNSAID, .beside = ws_layout_submitit},
    {"sacct-folders", "traces/{job}/gpu.csv", "a dump of sacct beside the jobs' folders",
     .axes = {GPUS, TWICE}, .flags = WS_LAYOUT_UNSAID, .above = ws_layout_sacct},
    {"sacct-files", "{model}_{job}.csv", "a dump of sacct beside the jobs' logs",
     .axes = {MODELS, GPUS, TWICE}, .above = ws_layout_sacct},

    /* Trackers of experiments */
    {"wandb-offline", "wandb/offline-run-{date}_{time}-{uid}/files/gpu_power.csv", "W&B: WANDB_MODE=offline",
     .axes = {GPUS, TWICE}, .flags = WS_LAYOUT_UNSAID, .beside = ws_layout_wandb},
    {"mlflow", "mlruns/0/{uid}{uid}{uid}{uid}/artifacts/power.csv", "MLflow: a local tracking folder",
     .axes = {GPUS, TWICE}, .flags = WS_LAYOUT_UNSAID},
    {"lightning", "lightning_logs/version_{n}/gpu.csv", "Lightning: CSVLogger",
     .axes = {GPUS, TWICE}, .flags = WS_LAYOUT_UNSAID, .beside = ws_layout_metrics},
    {"dvc", "experiments/exp-{uid}/dvclive/power.csv", "DVC: names of experiments, DVCLive's folder",
     .axes = {GPUS, TWICE}, .flags = WS_LAYOUT_UNSAID},

    /* Several files a run */
    {"gpu-and-cpu", "{model}/{gpus}gpus/run_{repeat}/gpu.csv", "common",
     .axes = {MODELS, GPUS, TWICE}, .beside = ws_layout_rapl},
    {"hosts", "{model}/{nodes}nodes/{job}/gpu_{node}.csv", "common: gpu_$(hostname).csv",
     .axes = {MODELS, {"nodes", {"1", "2", "4"}}, TWICE}, .gpus = 4},
    {"hosts-flat", "{model}_n{nodes}_{job}_{node}.csv", "common: ..._$SLURM_JOB_ID_$(hostname).csv",
     .axes = {MODELS, {"nodes", {"1", "2"}}, TWICE}, .gpus = 4},
    {"node-numbers", "{model}/n{nodes}/run{repeat}/node{node1}.csv", "common",
     .axes = {MODELS, {"nodes", {"1", "2"}}, TWICE}, .gpus = 4},
    {"gpu-files", "{model}_bs{gbs}_rep{repeat}/gpu{rank}.csv", "a logger for each GPU: nvidia-smi -i $i",
     .axes = {MODELS, BATCHES, TWICE}, .gpus = 4, .flags = WS_LAYOUT_OWN_GPU},
    {"rank-files", "{model}/gpus{gpus}/run{repeat}/gpu_rank{rank}.csv", "each rank of torchrun starts nvidia-smi",
     .axes = {MODELS, {"gpus", {"2", "4"}}, TWICE}},
    {"rank-own", "{model}/gpus{gpus}/run{repeat}/power_rank{rank}.csv", "each rank logs its own GPU with pynvml",
     .axes = {MODELS, {"gpus", {"2", "4"}}, TWICE}, .flags = WS_LAYOUT_OWN_GPU},
    {"local-ranks", "{model}_{gpus}gpus_run{repeat}/gpu_local_rank_{rank}.csv", "LOCAL_RANK of torchrun in the name",
     .axes = {MODELS, {"gpus", {"2", "4"}}, TWICE}},
    {"rank-folders", "{model}_{gpus}gpus_{repeat}/r{rank}/gpu.csv", "a folder a rank",
     .axes = {MODELS, {"gpus", {"2", "4"}}, TWICE}},
    {"rotated", "{model}/run{repeat}/gpu_part{part}.csv", "a log that is rotated",
     .axes = {MODELS, TWICE}, .gpus = 2},
    {"compressed", "{model}_{gpus}gpu_rep{repeat}.csv.gz", "common",
     .axes = {MODELS, GPUS, TWICE}},

    /* Tools */
    {"dmon", "{model}_g{gpus}_b{gbs}_r{repeat}.dmon.log", "nvidia-smi dmon -o DT -f",
     .axes = {MODELS, GPUS, BATCHES, TWICE}, .kind = WS_LAYOUT_DMON},
    {"perun", "{model}/{gpus}gpus/run{repeat}/perun_results/train_{day}.hdf5",
     "perun: app name and date of its results",
     .axes = {MODELS, {"gpus", {"1", "4"}}, TWICE}, .kind = WS_LAYOUT_PERUN},
    {"zeus", "{model}/bs{gbs}/gpus{gpus}/zeus_{repeat}.csv", "Zeus: log_file of ZeusMonitor",
     .axes = {MODELS, BATCHES, GPUS, TWICE}, .kind = WS_LAYOUT_ZEUS},
    {"codecarbon-folders", "{model}_{gpus}gpus_seed{seed}/emissions.csv", "CodeCarbon: output_dir for each run",
     .axes = {MODELS, GPUS, SEEDS}, .kind = WS_LAYOUT_CODECARBON},
    {"codecarbon-flat", "emissions_{model}_bs{gbs}_run{repeat}.csv", "CodeCarbon: output_file for each run",
     .axes = {MODELS, BATCHES, REPEATS}, .gpus = 1, .kind = WS_LAYOUT_CODECARBON},
    {"experiment-runner", "experiments/compress_20251121-123000/run_{n}_repetition_{repeat}/energibridge.csv",
     "S2-group/experiment-runner: run folders and run_table.csv",
     .axes = {{"algorithm", {"huffman", "lz4"}}, {"size", {"small", "large"}}, FROM_ZERO}, .kind = WS_LAYOUT_BRIDGE, .above = ws_layout_run_table},
    {"mlperf-results", "results/sys8/{model}/power/result_{repeat}/node_{node1}.txt",
     "MLPerf training: power of nodes beside result logs",
     .axes = {{"model", {"bert", "resnet"}}, {"nodes", {"2"}}, REPEATS}, .kind = WS_LAYOUT_MLPERF, .beside = ws_layout_mlperf_result},
    {"mlperf-folders", "{model}_{nodes}x_{repeat}/power/node_{node1}.txt", "MLPerf training: a folder a result",
     .axes = {{"model", {"bert", "resnet"}}, {"nodes", {"1", "2"}}, TWICE}, .kind = WS_LAYOUT_MLPERF, .beside = ws_layout_mlperf_result},
    {"mlperf-times", "results/sys8/{model}/result_{repeat}.txt",
     "mlcommons/training_results_v4.0: result logs without power",
     .axes = {{"model", {"bert", "resnet"}}, REPEATS}, .kind = WS_LAYOUT_TIMES, .beside = ws_layout_mlperf_result},

    /* Other files among them */
    {"clutter", "{model}/{gpus}gpus/seed{seed}/power.csv",
     "figures, output of programs, notes, scripts beside the traces",
     .axes = {MODELS, GPUS, SEEDS}, .beside = ws_layout_clutter},
    {"clutter-flat", "{model}_g{gpus}_run{repeat}_power.csv", "the same in one folder",
     .axes = {MODELS, GPUS, TWICE}, .beside = ws_layout_clutter},
    {"hand-made", "2025 {model} measurements/{gpus} GPUs, batch {gbs}/try {repeat}.csv",
     "typed by hand: blanks and commas",
     .axes = {MODELS, GPUS, BATCHES, TWICE}},
};
/* clang-format on */
const size_t ws_layout_count = sizeof ws_layouts / sizeof *ws_layouts;
