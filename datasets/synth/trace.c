#include "datasets/synth/trace.h"

#include "core/exactsum.h"
#include "datasets/synth/power_profile.h"
#include "datasets/synth/rng.h"

#include <math.h>

enum { STREAM_STAMPS = 1, STREAM_DEVICE = 100 };

/* Counters of the sizes that servers have: 2^32 units of 2^-14 J, less a little. */
static const uint64_t package_range_uj = 262143328850, dram_range_uj = 65712999613;

/* Depth of the dips of the power, by domain: validation idles a GPU more than a socket. */
static double depth_of(const ws_synth_series *series, ws_domain domain)
{
    return domain == WS_GPU ? series->gpu_dip : domain == WS_CPU ? 0.05 : 0.02;
}

/* GPUs of one node differ a little; over the GPUs that a node uses the factors average to one. */
static double device_factor(const ws_synth_run *run, ws_domain domain, int index)
{
    static const double spread[WS_SYNTH_GPUS_PER_NODE] = {1.012, 0.996, 1.004, 0.988};
    if (domain != WS_GPU)
        return 1;
    int used = run->gpus < WS_SYNTH_GPUS_PER_NODE ? run->gpus : WS_SYNTH_GPUS_PER_NODE;
    double sum = 0;
    for (int i = 0; i < used; i++)
        sum += spread[i];
    return spread[index] * used / sum;
}

static uint64_t run_seed(const ws_synth_campaign *campaign, const ws_synth_run *run)
{
    return campaign->seed ^ ((uint64_t)run->job << 20);
}

/* perun samples all sensors of a host together, and its hosts stop one after the other; a powercap poll runs beside
 * nvidia-smi. First and last stamps of CSV traces agree, so that the span of a run is beyond doubt. */
static void make_stamps(ws_synth_device *device, const ws_synth_campaign *campaign, const ws_synth_run *run,
                        ws_arena *arena)
{
    bool perun = run->series->layout == WS_SYNTH_PERUN;
    int64_t grid_ns = run->grid_ns;
    int64_t period_ns = llround(run->series->period_s * 1e9);
    int64_t last_ns = run->wall_ns - (perun ? device->node * 3 * grid_ns : 0);
    int64_t offset_ns = perun || device->domain != WS_GPU ? 0 : device->index * grid_ns;
    uint64_t poll = !perun && device->domain != WS_GPU;
    ws_synth_rng rng;
    ws_synth_rng_init(&rng, run_seed(campaign, run), STREAM_STAMPS + 2 * (uint64_t)device->node + poll);
    device->t_ns = ws_arena_alloc(arena, ((size_t)(last_ns / period_ns) + 2) * sizeof *device->t_ns);
    device->n = 1;
    for (int64_t t = period_ns; t + period_ns / 4 < last_ns; t += period_ns) {
        int64_t late_ns = (int64_t)ws_synth_rng_uniform(&rng, 0, (double)period_ns / 16);
        device->t_ns[device->n++] = (t + late_ns) / grid_ns * grid_ns + offset_ns;
    }
    device->t_ns[device->n++] = last_ns;
}

/* The energy that a device of a pinned run has to hold; 0 where the model of the series holds. */
static double pinned_j(const ws_synth_run *run, const ws_synth_device *device)
{
    int count = device->domain == WS_GPU ? run->gpus : run->nodes * WS_SYNTH_SOCKETS;
    return run->energy_j[device->domain] * device_factor(run, device->domain, device->index) / count;
}

static void add_trapezoid(ws_sum *twice_mw_ns, const ws_synth_device *device)
{
    for (size_t i = 1; i < device->n; i++)
        ws_sum_add_times(twice_mw_ns, (double)(device->reading[i - 1] + device->reading[i]),
                         device->t_ns[i] - device->t_ns[i - 1]);
}

/* Noise and coarse samples move the trapezoid: one factor on all readings brings it back, within their rounding. */
static void pin_power(ws_synth_device *device, double energy_j)
{
    ws_sum twice_mw_ns = {{0}};
    add_trapezoid(&twice_mw_ns, device);
    double factor = energy_j * 2e12 / ws_sum_value(&twice_mw_ns);
    for (size_t i = 0; i < device->n; i++)
        device->reading[i] = (uint64_t)llround((double)device->reading[i] * factor);
}

static void read_power(ws_synth_device *device, const ws_synth_run *run, const ws_synth_profile *profile,
                       ws_synth_rng *rng)
{
    double step_mw = run->series->layout == WS_SYNTH_PERUN ? 1 : 10; /* nvidia-smi prints hundredths of a watt */
    for (size_t i = 0; i < device->n; i++) {
        double power_w = ws_synth_profile_power(profile, (double)device->t_ns[i] / 1e9);
        power_w *= 1 + run->series->reading_sd * ws_synth_rng_normal(rng);
        device->reading[i] = power_w > 0 ? (uint64_t)(llround(power_w * 1000 / step_mw) * llround(step_mw)) : 0;
    }
}

/* The first repeat lets package 0 wrap on its way, the second one the memory of the last socket. */
static uint64_t counter_start(const ws_synth_device *device, const ws_synth_run *run, double energy_uj,
                              ws_synth_rng *rng)
{
    bool wraps = (device->domain == WS_CPU && run->repeat == 1 && device->index == 0) ||
                 (device->domain == WS_DRAM && run->repeat == 2 && device->index == WS_SYNTH_SOCKETS - 1);
    double share = ws_synth_rng_uniform(rng, 0.1, 0.5);
    if (wraps)
        return device->range_uj - (uint64_t)(share * energy_uj) % device->range_uj;
    return (uint64_t)(share * (double)device->range_uj);
}

static void read_counter(ws_synth_device *device, const ws_synth_run *run, const ws_synth_profile *profile,
                         ws_synth_rng *rng)
{
    double target_j = pinned_j(run, device), factor = 1;
    double planted_uj = ws_synth_device_w(run->series, device->domain) * (double)run->wall_ns / 1e3;
    if (target_j > 0) {
        factor = target_j / ws_synth_profile_energy(profile, (double)device->t_ns[device->n - 1] / 1e9);
        planted_uj = target_j * 1e6;
    }
    device->range_uj = device->domain == WS_CPU ? package_range_uj : dram_range_uj;
    if (target_j > 0 && run->series->period_s > 1) /* readings that are further apart hide no wrap of a wider counter */
        device->range_uj *= (uint64_t)ceil(run->series->period_s);
    uint64_t start = counter_start(device, run, planted_uj, rng);
    for (size_t i = 0; i < device->n; i++) {
        double energy_j = ws_synth_profile_energy(profile, (double)device->t_ns[i] / 1e9);
        device->reading[i] = (start + (uint64_t)llround(energy_j * factor * 1e6)) % device->range_uj;
    }
}

/* Validation after every epoch, or after every few where epochs are short: dips that last a few samples at least leave
 * the trapezoid of the samples close to the planted energy. */
static int validation_rounds(const ws_synth_run *run)
{
    double most = (double)run->wall_ns / 1e9 / (10 * run->series->period_s);
    return most < 1 ? 1 : most < run->epochs ? (int)most : run->epochs;
}

static void make_device(ws_synth_device *device, const ws_synth_campaign *campaign, const ws_synth_run *run,
                        ws_arena *arena)
{
    make_stamps(device, campaign, run, arena);
    device->reading = ws_arena_alloc(arena, device->n * sizeof *device->reading);
    double wall_s = (double)run->wall_ns / 1e9, target_j = pinned_j(run, device);
    double mean_w = ws_synth_device_w(run->series, device->domain) * run->power_factor *
                    device_factor(run, device->domain, device->index);
    ws_synth_profile profile;
    (run->series->base_line ? ws_synth_profile_base_line : ws_synth_profile_training)(
        &profile, wall_s, validation_rounds(run), target_j > 0 ? target_j / wall_s : mean_w,
        depth_of(run->series, device->domain));
    ws_synth_rng rng;
    uint64_t place = ((uint64_t)device->node * WS_DOMAIN_N + (uint64_t)device->domain) * 64 + (uint64_t)device->index;
    ws_synth_rng_init(&rng, run_seed(campaign, run), STREAM_DEVICE + (place << 32));
    if (device->domain == WS_GPU)
        read_power(device, run, &profile, &rng);
    else
        read_counter(device, run, &profile, &rng);
    if (device->domain == WS_GPU && target_j > 0)
        pin_power(device, target_j);
    ws_synth_profile_free(&profile);
}

void ws_synth_trace_make(ws_synth_trace *trace, const ws_synth_campaign *campaign, const ws_synth_run *run)
{
    static const ws_domain domains[] = {WS_GPU, WS_CPU, WS_DRAM};
    *trace = (ws_synth_trace){0};
    size_t per_node = WS_SYNTH_GPUS_PER_NODE + 2 * WS_SYNTH_SOCKETS;
    trace->devices = ws_arena_alloc(&trace->arena, (size_t)run->nodes * per_node * sizeof *trace->devices);
    for (int node = 0; node < run->nodes; node++)
        for (size_t d = 0; d < sizeof domains / sizeof *domains; d++) {
            int rest = run->gpus - node * WS_SYNTH_GPUS_PER_NODE;
            int gpus = rest < WS_SYNTH_GPUS_PER_NODE ? rest : WS_SYNTH_GPUS_PER_NODE;
            int count = domains[d] == WS_GPU ? gpus : WS_SYNTH_SOCKETS;
            for (int index = 0; index < count; index++) {
                ws_synth_device *device = &trace->devices[trace->n++];
                *device = (ws_synth_device){.domain = domains[d], .node = node, .index = index};
                make_device(device, campaign, run, &trace->arena);
            }
        }
}

void ws_synth_trace_free(ws_synth_trace *trace)
{
    ws_arena_free(&trace->arena);
    *trace = (ws_synth_trace){0};
}

uint64_t ws_synth_counter_step(const ws_synth_device *device, size_t i)
{
    uint64_t before = device->reading[i - 1], now = device->reading[i];
    return now >= before ? now - before : now + device->range_uj - before;
}

double ws_synth_trace_energy_j(const ws_synth_trace *trace, ws_domain domain)
{
    ws_sum twice_mw_ns = {{0}};
    int64_t uj = 0;
    for (size_t d = 0; d < trace->n; d++) {
        const ws_synth_device *device = &trace->devices[d];
        if (device->domain != domain)
            continue;
        if (domain == WS_GPU)
            add_trapezoid(&twice_mw_ns, device);
        else
            for (size_t i = 1; i < device->n; i++)
                uj += (int64_t)ws_synth_counter_step(device, i);
    }
    return domain == WS_GPU ? ws_sum_value(&twice_mw_ns) / 2e12 : (double)uj / 1e6;
}

double ws_synth_trace_wall_s(const ws_synth_trace *trace)
{
    int64_t longest_ns = 0;
    for (size_t d = 0; d < trace->n; d++) {
        const ws_synth_device *device = &trace->devices[d];
        int64_t span_ns = device->t_ns[device->n - 1] - device->t_ns[0];
        longest_ns = span_ns > longest_ns ? span_ns : longest_ns;
    }
    return (double)longest_ns / 1e9;
}

const ws_synth_device *ws_synth_trace_find(const ws_synth_trace *trace, int node, ws_domain domain, int index)
{
    for (size_t d = 0; d < trace->n; d++) {
        const ws_synth_device *device = &trace->devices[d];
        if (device->node == node && device->domain == domain && device->index == index)
            return device;
    }
    return NULL;
}
