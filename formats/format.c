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
    X(rocm_smi_json)        \
    X(amd_smi_json)         \
    X(amd_smi_text)         \
    X(prometheus_json)      \
    X(prometheus_csv)       \
    X(prometheus_text)      \
    X(gpu_summary_csv)      \
    X(generic_csv)          \
    X(json_trace)           \
    X(line_protocol)        \
    X(tidy_csv)             \
    X(powercap_csv)         \
    X(rapl_interval_csv)    \
    X(gmt_log)              \
    X(perf_stat_csv)        \
    X(perf_stat_text)       \
    X(wandb_system)         \
    X(mlflow_metric)        \
    X(turbostat)            \
    X(power_gadget)         \
    X(slurm_series)         \
    X(slurm_energy)         \
    X(zeus_windows)         \
    X(pyjoules)             \
    X(pcm_csv)              \
    X(alumet_csv)           \
    X(geopm_report)         \
    X(geopm_trace)          \
    X(powermetrics)         \
    X(powermetrics_plist)   \
    X(clustercockpit)       \
    X(ear_eacct)            \
    X(tegrastats)           \
    X(supercloud_gpu)       \
    X(likwid_power)         \
    X(likwid_timeline)      \
    X(scaphandre_json)      \
    X(carbontracker_log)    \
    X(ptdaemon)             \
    X(mllog_power)          \
    X(mllog_power_csv)      \
    X(total_power)          \
    X(ipmi_dcmi)            \
    X(ipmi_sdr)             \
    X(pm_counters)          \
    X(redfish_json)         \
    X(variorum_json)        \
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
    X(clustercockpit_meta)  \
    X(torch_list)           \
    X(mllog)                \
    X(trainer_state)        \
    X(settings)

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

/* A runner-up within this many points of the best score makes the choice doubtful. */
enum { NEAR = 10 };

static const ws_format *recognise(const char *path, ws_span head, int *best_score, const ws_format **runner_up)
{
    const ws_format *best = NULL, *second = NULL;
    int second_score = 0;
    *best_score = 0;
    for (const ws_format *const *f = formats; *f; f++) {
        if ((*f)->highest_score && (*f)->highest_score + NEAR < *best_score)
            continue;
        if ((*f)->holds && !ws_span_contains(head, (*f)->holds))
            continue;
        int score = (*f)->score(path, head);
        if (score > *best_score) {
            second = best, second_score = *best_score;
            best = *f, *best_score = score;
        } else if (score > second_score) {
            second = *f, second_score = score;
        }
    }
    *runner_up = second && *best_score - second_score <= NEAR ? second : NULL;
    return best;
}

/* The whole lines among the first max_bytes. */
static ws_span first_lines(ws_span head, size_t max_bytes)
{
    size_t n = head.n < max_bytes ? head.n : max_bytes;
    while (n < head.n && n && head.p[n - 1] != '\n')
        n--;
    return (ws_span){head.p, n};
}

bool ws_format_is_tar(ws_span head)
{
    enum { MAGIC_AT = 257 };
    return head.n > MAGIC_AT && ws_span_has_prefix((ws_span){head.p + MAGIC_AT, head.n - MAGIC_AT}, "ustar");
}

static ws_span without_blank_lines(ws_span head)
{
    ws_span line, rest = head;
    while (ws_span_split(&rest, '\n', &line) && !ws_span_trim(line).n)
        head = rest;
    return head;
}

/* Figures, checkpoints and databases are stored beside traces. Text has hardly any control bytes apart from white
 * space, line ends and colour codes, and zero bytes after a crash; of compressed bytes one in ten is a control byte. */
static bool is_binary(ws_span head)
{
    enum { LOOKED_AT = 4096, ONE_OF = 50 };
    size_t n = head.n < LOOKED_AT ? head.n : LOOKED_AT, control = 0;
    for (size_t i = 0; i < n; i++) {
        unsigned char c = (unsigned char)head.p[i];
        control += c && c < ' ' && !strchr("\t\n\v\f\r\033", c);
    }
    return control * ONE_OF > n;
}

static const ws_format *recognise_binary(const char *path, ws_span head)
{
    static const ws_format *const binary[] = {&ws_format_perun_hdf5, &ws_format_torch_list};
    for (size_t i = 0; i < sizeof binary / sizeof *binary; i++)
        if (binary[i]->score(path, head) > 0)
            return binary[i];
    return NULL;
}

/* Archives come first: an archive of logs looks much like a log. The only ZIP that a reader takes is a saved tensor. A
 * header in the first lines is certain enough: to try every format on the whole head takes longer than to read a small
 * file. */
const ws_format *ws_format_recognise(const ws_input *input, const ws_format **runner_up)
{
    enum { FIRST_LOOK_BYTES = 512, SURE = 90 };
    ws_span head = without_blank_lines(ws_input_head(input));
    const ws_format *rival;
    int score;
    if (runner_up)
        *runner_up = NULL;
    if (ws_format_is_tar(head))
        return NULL;
    if (ws_span_has_prefix(head, "PK\003\004"))
        return ws_format_torch_list.score(ws_input_path(input), head) > 0 ? &ws_format_torch_list : NULL;
    if (is_binary(head))
        return recognise_binary(ws_input_path(input), head);
    const ws_format *best = recognise(ws_input_path(input), first_lines(head, FIRST_LOOK_BYTES), &score, &rival);
    if (score < SURE || rival)
        best = recognise(ws_input_path(input), head, &score, &rival);
    if (runner_up)
        *runner_up = rival;
    return best;
}
