#include "formats/format.h"

#include <string.h>

/* One line a format: declared by its own file, listed in the order of the documentation. */
#define FORMATS(X)          \
    X(nvidia_smi_csv)       \
    X(nvidia_smi_dmon)      \
    X(nvidia_smi_pmon)      \
    X(nvidia_smi_xml)       \
    X(nvidia_smi_text)      \
    X(nvidia_smi_table)     \
    X(dcgmi_dmon)           \
    X(dcgm_long_csv)        \
    X(prometheus_json)      \
    X(gpu_summary_csv)      \
    X(generic_csv)          \
    X(powercap_csv)         \
    X(rapl_interval_csv)    \
    X(gmt_log)              \
    X(perf_stat_csv)        \
    X(perf_stat_text)       \
    X(wandb_system)         \
    X(turbostat)            \
    X(power_gadget)         \
    X(slurm_series)         \
    X(zeus_windows)         \
    X(ear_eacct)            \
    X(tegrastats)           \
    X(supercloud_gpu)       \
    X(likwid_power)         \
    X(likwid_timeline)      \
    X(scaphandre_json)      \
    X(carbontracker_log)    \
    X(ptdaemon)             \
    X(mllog_power)          \
    X(total_power)          \
    X(ipmi_dcmi)            \
    X(ipmi_sdr)             \
    X(perun_hdf5)           \
    X(perun_csv)            \
    X(perun_json)           \
    X(table_csv)            \
    X(table_json)           \
    X(sacct)                \
    X(slurm_log)            \
    X(codecarbon)           \
    X(zeus_sweep)           \
    X(carbontracker_output) \
    X(job_log)              \
    X(torch_list)           \
    X(mllog)                \
    X(trainer_state)

#define DECLARE(name) extern const ws_format ws_format_##name;
FORMATS(DECLARE)

#define POINTER(name) &ws_format_##name,
static const ws_format *const formats[] = {FORMATS(POINTER) NULL};

const ws_format *const *ws_formats(void)
{
    return formats;
}

const ws_format *ws_format_by_name(const char *name)
{
    for (const ws_format *const *f = formats; *f; f++)
        if (strcmp((*f)->name, name) == 0)
            return *f;
    return NULL;
}

const ws_format *ws_format_recognise(const ws_input *input, const ws_format **runner_up)
{
    const ws_format *best = NULL, *second = NULL;
    int best_score = 0, second_score = 0;
    for (const ws_format *const *f = formats; *f; f++) {
        int score = (*f)->score(ws_input_path(input), ws_input_head(input));
        if (score > best_score) {
            second = best, second_score = best_score;
            best = *f, best_score = score;
        } else if (score > second_score) {
            second = *f, second_score = score;
        }
    }
    if (runner_up)
        *runner_up = second && best_score - second_score <= 10 ? second : NULL;
    return best;
}
