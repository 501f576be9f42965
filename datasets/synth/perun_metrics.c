/* perun stores a metric as a group without members: its value and what is known about it are attributes, the numbers in
 * float32. Energy, power and their parts are sums over what lies below, the run time is the longest; CO2 and money
 * follow from the energy of a run by fixed factors (417.8 g and 0.3251 EUR per kWh are the defaults of 0.8.10). */
#include "datasets/synth/perun_metrics.h"

#include <float.h>

static const double joule_per_kwh = 3.6e6, co2_g_per_kwh = 417.8, price_per_kwh = 0.3251;

typedef struct metric {
    const char *group, *type, *unit, *aggregation;
    double fill, value;
} metric;

void ws_synth_perun_sums_add(ws_synth_perun_sums *sums, const ws_synth_perun_sums *part)
{
    for (int d = WS_GPU; d <= WS_DRAM; d++) {
        sums->energy_j[d] += part->energy_j[d];
        sums->power_w[d] += part->power_w[d];
        sums->has[d] |= part->has[d];
    }
    if (part->runtime_s > sums->runtime_s)
        sums->runtime_s = part->runtime_s;
}

static void write_metric(ws_synth_hdf5 *out, hid_t metrics, const metric *m, ws_synth_perun_level level)
{
    hid_t group = ws_synth_hdf5_group(out, metrics, m->group);
    ws_synth_hdf5_text(out, group, "type", m->type);
    if (level == WS_SYNTH_PERUN_STATS) {
        static const char *const statistics[] = {"sum", "mean", "max", "min"};
        for (size_t i = 0; i < sizeof statistics / sizeof *statistics; i++)
            ws_synth_hdf5_scalar(out, group, statistics[i], H5T_IEEE_F32LE, m->value);
        ws_synth_hdf5_scalar(out, group, "std", H5T_IEEE_F32LE, 0);
    } else {
        ws_synth_hdf5_scalar(out, group, "value", H5T_IEEE_F32LE, m->value);
        ws_synth_hdf5_text(out, group, "agg_type", m->aggregation);
    }
    ws_synth_hdf5_text(out, group, "unit", m->unit);
    ws_synth_hdf5_double(out, group, "mag", 1);
    ws_synth_hdf5_text(out, group, "dtype", "float32");
    ws_synth_hdf5_scalar(out, group, "valid_min", H5T_IEEE_F32LE, 0);
    ws_synth_hdf5_scalar(out, group, "valid_max", H5T_IEEE_F32LE, FLT_MAX);
    ws_synth_hdf5_scalar(out, group, "fill", H5T_IEEE_F32LE, m->fill);
    ws_synth_hdf5_end_group(out, group);
}

void ws_synth_perun_metrics(ws_synth_hdf5 *out, hid_t parent, const ws_synth_perun_sums *sums,
                            ws_synth_perun_level level)
{
    static const struct {
        const char *energy, *energy_type, *power, *power_type;
    } parts[] = {[WS_GPU] = {"GPU_ENERGY", "gpu_energy", "GPU_POWER", "gpu_power"},
                 [WS_CPU] = {"CPU_ENERGY", "cpu_energy", "CPU_POWER", "cpu_power"},
                 [WS_DRAM] = {"DRAM_ENERGY", "dram_energy", "DRAM_POWER", "dram_power"}};
    hid_t metrics = ws_synth_hdf5_group(out, parent, "metrics");
    double energy_j = 0, power_w = 0;
    for (int d = WS_GPU; d <= WS_DRAM; d++) {
        if (!sums->has[d])
            continue;
        energy_j += sums->energy_j[d];
        power_w += sums->power_w[d];
        write_metric(out, metrics, &(metric){parts[d].energy, parts[d].energy_type, "J", "sum", -1, sums->energy_j[d]},
                     level);
        write_metric(out, metrics, &(metric){parts[d].power, parts[d].power_type, "W", "sum", -1, sums->power_w[d]},
                     level);
    }
    write_metric(out, metrics, &(metric){"RUNTIME", "runtime", "s", "max", -1, sums->runtime_s}, level);
    write_metric(out, metrics, &(metric){"ENERGY", "energy", "J", "sum", -1, energy_j}, level);
    write_metric(out, metrics, &(metric){"POWER", "power", "W", "sum", -1, power_w}, level);
    if (level != WS_SYNTH_PERUN_DEVICES) {
        double kwh = energy_j / joule_per_kwh;
        write_metric(out, metrics, &(metric){"CO2", "co2", "g", "sum", 0, kwh * co2_g_per_kwh}, level);
        write_metric(out, metrics, &(metric){"MONEY", "money", "", "sum", 0, kwh * price_per_kwh}, level);
    }
    ws_synth_hdf5_end_group(out, metrics);
}
