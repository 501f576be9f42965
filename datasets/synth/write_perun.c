/* perun.hdf5 as perun 0.8.10 writes it:
 *
 *     /perun                               type 1   APP           metrics nodes
 *       nodes/9000007                      type 2   MULTI_RUN     metrics nodes
 *         nodes/0                          type 3   RUN           metrics nodes regions
 *           nodes/node1                    type 4   NODE          metrics nodes
 *             nodes/{cpu,gpu,ram}          type 5   DEVICE_GROUP  metrics nodes
 *               nodes/CUDA:0_POWER         type 6   SENSOR        metrics nodes raw_data
 *                 raw_data/timesteps       float32 s since the first sample of the host
 *                 raw_data/values          uint32 mW of a GPU; float32 W that perun derived from a RAPL counter
 *                 raw_data/alt_values      uint64 uJ, the RAPL counter itself
 *
 * The psutil sensors and the clocks and memory of the GPUs are left out, as `monitor.exclude_sensors` can do. */
#include "datasets/synth/hdf5_out.h"
#include "datasets/synth/outfile.h"
#include "datasets/synth/perun_metrics.h"
#include "datasets/synth/write.h"

#include <float.h>
#include <inttypes.h>
#include <stdlib.h>

enum node_type { APP = 1, MULTI_RUN, RUN, NODE, DEVICE_GROUP, SENSOR };

static const char perun_version[] = "0.8.10";

typedef struct writer {
    ws_synth_hdf5 out;
    const ws_synth_job *job;
} writer;

typedef struct attribute {
    const char *name, *value;
} attribute;

static void write_texts(writer *w, hid_t object, const attribute *texts, size_t n)
{
    for (size_t i = 0; i < n; i++)
        ws_synth_hdf5_text(&w->out, object, texts[i].name, texts[i].value);
}

/* What stands beside the numbers of a dataset. Limits are stored in the type of the dataset. */
static void describe(writer *w, hid_t dataset, const char *unit, double mag, hid_t type, const char *dtype, double max,
                     double fill)
{
    ws_synth_hdf5_text(&w->out, dataset, "unit", unit);
    ws_synth_hdf5_double(&w->out, dataset, "mag", mag);
    ws_synth_hdf5_text(&w->out, dataset, "dtype", dtype);
    ws_synth_hdf5_scalar(&w->out, dataset, "valid_min", type, 0);
    ws_synth_hdf5_scalar(&w->out, dataset, "valid_max", type, max);
    ws_synth_hdf5_scalar(&w->out, dataset, "fill", type, fill);
    ws_synth_hdf5_end_dataset(&w->out, dataset);
}

static void write_floats(writer *w, hid_t raw, const char *name, const char *unit, const double *values, size_t n)
{
    hid_t dataset = ws_synth_hdf5_dataset(&w->out, raw, name, H5T_IEEE_F32LE, H5T_NATIVE_DOUBLE, values, n);
    describe(w, dataset, unit, 1, H5T_IEEE_F32LE, "float32", FLT_MAX, -1);
}

/* perun turns a counter into power: the step over the time since the sample before, the first value repeated. Where the
 * counter wraps its unsigned arithmetic gives 1 uJ too much. */
static void fill_powers(const ws_synth_device *device, double *power_w)
{
    for (size_t i = 1; i < device->n; i++) {
        double step_uj = (double)ws_synth_counter_step(device, i) + (device->reading[i] < device->reading[i - 1]);
        power_w[i] = (float)(step_uj * 1e3 / (double)(device->t_ns[i] - device->t_ns[i - 1]));
    }
    power_w[0] = power_w[1];
}

static ws_synth_perun_sums sums_of(const ws_synth_device *device, const double *t_s, const double *power_w)
{
    ws_synth_perun_sums sums = {.runtime_s = t_s[device->n - 1]};
    double energy_j = 0, total_w = power_w[0];
    for (size_t i = 1; i < device->n; i++) {
        energy_j += (power_w[i - 1] + power_w[i]) / 2 * (t_s[i] - t_s[i - 1]);
        total_w += power_w[i];
    }
    sums.has[device->domain] = true;
    sums.energy_j[device->domain] = energy_j;
    sums.power_w[device->domain] = total_w / (double)device->n;
    return sums;
}

static ws_synth_perun_sums write_raw_data(writer *w, hid_t sensor, const ws_synth_device *device)
{
    hid_t raw = ws_synth_hdf5_group(&w->out, sensor, "raw_data");
    double *t_s = ws_alloc(device->n * sizeof *t_s), *power_w = ws_alloc(device->n * sizeof *power_w);
    for (size_t i = 0; i < device->n; i++) {
        t_s[i] = (double)device->t_ns[i] / 1e9;
        power_w[i] = (double)device->reading[i] / 1e3;
    }
    write_floats(w, raw, "timesteps", "s", t_s, device->n);
    if (device->domain == WS_GPU) {
        hid_t values =
            ws_synth_hdf5_dataset(&w->out, raw, "values", H5T_STD_U32LE, H5T_NATIVE_UINT64, device->reading, device->n);
        describe(w, values, "W", 1e-3, H5T_STD_U32LE, "uint32", 1000 * w->job->run->series->hardware->gpu_limit_w, 0);
    } else {
        double range_uj = (double)device->range_uj;
        fill_powers(device, power_w);
        write_floats(w, raw, "values", "W", power_w, device->n);
        hid_t counter = ws_synth_hdf5_dataset(&w->out, raw, "alt_values", H5T_STD_U64LE, H5T_NATIVE_UINT64,
                                              device->reading, device->n);
        describe(w, counter, "J", 1e-6, H5T_STD_U64LE, "uint64", range_uj, range_uj);
    }
    ws_synth_hdf5_end_group(&w->out, raw);
    ws_synth_perun_sums sums = sums_of(device, t_s, power_w);
    free(t_s);
    free(power_w);
    return sums;
}

static void describe_gpu(writer *w, hid_t sensor, const ws_synth_device *device)
{
    const attribute texts[] = {{"device_type", "gpu"},
                               {"uuid", ws_synth_gpu_uuid(w->job->arena, device->node, device->index)},
                               {"name", w->job->run->series->hardware->gpu},
                               {"cuda_version", "12020"},
                               {"driver_version", "535.129.03"},
                               {"source", "Nvidia Managment Library"}}; /* spelled so by perun */
    write_texts(w, sensor, texts, sizeof texts / sizeof *texts);
}

static void describe_rapl(writer *w, hid_t sensor, const char *device_type)
{
    const ws_synth_hardware *hardware = w->job->run->series->hardware;
    const attribute texts[] = {{"device_type", device_type},
                               {"python_version", "3.11.2.final.0 (64 bit)"},
                               {"cpuinfo_version", "[9, 0, 0]"},
                               {"arch", "X86_64"},
                               {"bits", "64"},
                               {"count", ws_arena_printf(w->job->arena, "%d", hardware->threads)},
                               {"brand_raw", hardware->cpu},
                               {"flags", "['aes', 'avx', 'avx2', 'avx512f', 'fma', 'sse4_2']"}};
    write_texts(w, sensor, texts, sizeof texts / sizeof *texts);
}

/* Device groups, in the order of their names. */
static const struct {
    ws_domain domain;
    const char *name;
} groups[] = {{WS_CPU, "cpu"}, {WS_GPU, "gpu"}, {WS_DRAM, "ram"}};

static const char *sensor_name(ws_arena *arena, const ws_synth_device *device)
{
    if (device->domain == WS_GPU)
        return ws_arena_printf(arena, "CUDA:%d_POWER", device->index);
    if (device->domain == WS_CPU)
        return ws_arena_printf(arena, "cpu_%d_package-%d", device->index, device->index);
    return ws_arena_printf(arena, "ram_%d_dram", device->index);
}

/* Two thirds of the time that writing takes. */
static void write_device_metrics(writer *w, hid_t parent, const ws_synth_perun_sums *sums)
{
    if (!w->job->campaign->raw)
        ws_synth_perun_metrics(&w->out, parent, sums, WS_SYNTH_PERUN_DEVICES);
}

static ws_synth_perun_sums write_sensor(writer *w, hid_t nodes, const ws_synth_device *device, const char *device_type)
{
    hid_t sensor = ws_synth_hdf5_group(&w->out, nodes, sensor_name(w->job->arena, device));
    ws_synth_hdf5_integer(&w->out, sensor, "type", SENSOR);
    if (device->domain == WS_GPU)
        describe_gpu(w, sensor, device);
    else
        describe_rapl(w, sensor, device_type);
    ws_synth_perun_sums sums = write_raw_data(w, sensor, device);
    write_device_metrics(w, sensor, &sums);
    ws_synth_hdf5_empty_group(&w->out, sensor, "nodes");
    ws_synth_hdf5_end_group(&w->out, sensor);
    return sums;
}

static ws_synth_perun_sums write_device_group(writer *w, hid_t parent, int node, size_t g)
{
    ws_synth_perun_sums sums = {0};
    hid_t group = ws_synth_hdf5_group(&w->out, parent, groups[g].name);
    ws_synth_hdf5_integer(&w->out, group, "type", DEVICE_GROUP);
    ws_synth_hdf5_text(&w->out, group, "device_type", groups[g].name);
    hid_t nodes = ws_synth_hdf5_group(&w->out, group, "nodes");
    const ws_synth_device *device;
    for (int i = 0; (device = ws_synth_trace_find(w->job->trace, node, groups[g].domain, i)); i++) {
        ws_synth_perun_sums part = write_sensor(w, nodes, device, groups[g].name);
        ws_synth_perun_sums_add(&sums, &part);
    }
    ws_synth_hdf5_end_group(&w->out, nodes);
    write_device_metrics(w, group, &sums);
    ws_synth_hdf5_end_group(&w->out, group);
    return sums;
}

static ws_synth_perun_sums write_host(writer *w, hid_t parent, int node)
{
    ws_synth_perun_sums sums = {0};
    hid_t host = ws_synth_hdf5_group(&w->out, parent, ws_synth_node_name(w->job->arena, node));
    ws_synth_hdf5_integer(&w->out, host, "type", NODE);
    int64_t ranks[WS_SYNTH_GPUS_PER_NODE];
    size_t n = 0;
    while (ws_synth_trace_find(w->job->trace, node, WS_GPU, (int)n)) {
        ranks[n] = node * WS_SYNTH_GPUS_PER_NODE + (int)n;
        n++;
    }
    ws_synth_hdf5_integers(&w->out, host, "mpi_ranks", ranks, n);
    hid_t nodes = ws_synth_hdf5_group(&w->out, host, "nodes");
    for (size_t g = 0; g < sizeof groups / sizeof *groups; g++) {
        ws_synth_perun_sums part = write_device_group(w, nodes, node, g);
        ws_synth_perun_sums_add(&sums, &part);
    }
    ws_synth_hdf5_end_group(&w->out, nodes);
    write_device_metrics(w, host, &sums);
    ws_synth_hdf5_end_group(&w->out, host);
    return sums;
}

static ws_synth_perun_sums write_run(writer *w, hid_t parent)
{
    const attribute texts[] = {{"perun_version", perun_version},
                               {"platform", "Linux-5.14.0-x86_64-with-glibc2.34"},
                               {"hostname", "node1"},
                               {"python", "3.11.2 (main)"},
                               {"processor", w->job->run->series->hardware->cpu},
                               {"mpi_version", "Open MPI v4.1.4"}};
    ws_synth_perun_sums sums = {0};
    hid_t run = ws_synth_hdf5_group(&w->out, parent, "0");
    ws_synth_hdf5_integer(&w->out, run, "type", RUN);
    ws_synth_hdf5_integer(&w->out, run, "core_count", w->job->run->series->hardware->cores);
    write_texts(w, run, texts, sizeof texts / sizeof *texts);
    hid_t nodes = ws_synth_hdf5_group(&w->out, run, "nodes");
    for (int node = 0; node < w->job->run->nodes; node++) {
        ws_synth_perun_sums part = write_host(w, nodes, node);
        ws_synth_perun_sums_add(&sums, &part);
    }
    ws_synth_hdf5_end_group(&w->out, nodes);
    ws_synth_perun_metrics(&w->out, run, &sums, WS_SYNTH_PERUN_RUN);
    ws_synth_hdf5_empty_group(&w->out, run, "regions");
    ws_synth_hdf5_end_group(&w->out, run);
    return sums;
}

static void describe_multi_run(writer *w, hid_t multi_run, const char *id, const char *start)
{
    ws_synth_text period = {0};
    ws_synth_print_double(&period, w->job->run->series->period_s);
    const attribute texts[] = {{"app_name", "perun"},
                               {"perun_version", perun_version},
                               {"execution_dt", start},
                               {"n_runs", "1"},
                               {"post-processing.power_overhead", "0"},
                               {"post-processing.pue", "1.0"},
                               {"post-processing.emissions_factor", "417.8"},
                               {"post-processing.price_factor", "0.3251"},
                               {"post-processing.price_unit", "\xe2\x82\xac"},
                               {"monitor.sampling_period", period.p},
                               {"monitor.include_backends", ""},
                               {"monitor.include_sensors", ""},
                               {"monitor.exclude_backends", "PSUTIL"},
                               {"monitor.exclude_sensors", "CUDA:\\d_MEM CUDA:\\d_CLOCK_.*"},
                               {"output.app_name", "perun"},
                               {"output.run_id", id},
                               {"output.format", "hdf5"},
                               {"output.data_out", "./perun"},
                               {"output.starttime", start},
                               {"benchmarking.rounds", "1"},
                               {"benchmarking.warmup_rounds", "0"},
                               {"benchmarking.metrics", "runtime,energy"},
                               {"benchmarking.region_metrics", "runtime,power"},
                               {"benchmarking.units.joule", "k"},
                               {"benchmarking.units.second", ""},
                               {"benchmarking.units.percent", ""},
                               {"benchmarking.units.watt", ""},
                               {"benchmarking.units.byte", "G"},
                               {"debug.log_lvl", "WARNING"}};
    ws_synth_hdf5_integer(&w->out, multi_run, "type", MULTI_RUN);
    write_texts(w, multi_run, texts, sizeof texts / sizeof *texts);
    ws_synth_text_free(&period);
}

static void write_app(writer *w)
{
    const char *id = ws_arena_printf(w->job->arena, "%" PRId64, w->job->run->job);
    ws_synth_text start = {0};
    ws_synth_print_time(&start, w->job->run->job_start_ns + w->job->run->setup_ns, '-', 'T');
    ws_synth_print(&start, ".%06d", (int)(w->job->run->setup_ns / 1000 % 1000000));
    hid_t app = ws_synth_hdf5_group(&w->out, w->out.file, "perun");
    ws_synth_hdf5_integer(&w->out, app, "type", APP);
    write_texts(w, app, (attribute[]){{"creation_dt", start.p}, {"last_execution_dt", start.p}}, 2);
    hid_t app_nodes = ws_synth_hdf5_group(&w->out, app, "nodes");
    hid_t multi_run = ws_synth_hdf5_group(&w->out, app_nodes, id);
    describe_multi_run(w, multi_run, id, start.p);
    hid_t nodes = ws_synth_hdf5_group(&w->out, multi_run, "nodes");
    ws_synth_perun_sums sums = write_run(w, nodes);
    ws_synth_hdf5_end_group(&w->out, nodes);
    ws_synth_perun_metrics(&w->out, multi_run, &sums, WS_SYNTH_PERUN_STATS);
    ws_synth_hdf5_end_group(&w->out, multi_run);
    ws_synth_hdf5_end_group(&w->out, app_nodes);
    ws_synth_perun_metrics(&w->out, app, &sums, WS_SYNTH_PERUN_STATS);
    ws_synth_hdf5_end_group(&w->out, app);
    ws_synth_text_free(&start);
}

ws_status ws_synth_write_perun(const ws_synth_job *job, ws_error *error)
{
    if (job->run->same_as && !job->run->same_as->left_out) {
        const char *from =
            ws_arena_printf(job->arena, "%s/perun/perun.hdf5", ws_synth_run_path(job->arena, job->run->same_as));
        return ws_synth_copy(job->dir, from, ws_arena_printf(job->arena, "%s/perun/perun.hdf5", job->path), error);
    }
    writer w = {.job = job};
    const char *path = ws_arena_printf(job->arena, "%s/%s/perun/perun.hdf5", job->dir, job->path);
    ws_status status = ws_synth_make_folders(path, error);
    if (status == WS_OK)
        status = ws_synth_hdf5_create(&w.out, path, error);
    if (status != WS_OK)
        return status;
    write_app(&w);
    return ws_synth_hdf5_close(&w.out, path, error);
}
