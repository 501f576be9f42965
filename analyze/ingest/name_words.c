#include "analyze/ingest/name_words.h"

#include <ctype.h>
#include <string.h>

/* The first entry of a word holds. Where such names were seen stands in datasets/synth/layout_table.c, beside campaigns
 * made of them. "batch" is a field of its own: whether it is meant for each GPU (lbs) or for all of them (gbs), a
 * factor of the number of GPUs, is for people to say. */
static const ws_name_word words[] = {
    /* devices and processes */
    {"gpu", "gpus", WS_USE_SETTING, "gpu", true},
    {"gpus", "gpus", WS_USE_SETTING, NULL, true},
    {"ngpu", "gpus", WS_USE_SETTING, NULL, false},
    {"ngpus", "gpus", WS_USE_SETTING, NULL, false},
    {"numgpu", "gpus", WS_USE_SETTING, NULL, false},
    {"numgpus", "gpus", WS_USE_SETTING, NULL, false},
    {"gpucount", "gpus", WS_USE_SETTING, NULL, false},
    {"gpuspernode", "gpus_per_node", WS_USE_SETTING, NULL, false},
    {"gpupernode", "gpus_per_node", WS_USE_SETTING, NULL, false},
    {"gpn", "gpus_per_node", WS_USE_SETTING, NULL, false},
    {"g", "gpus", WS_USE_SETTING, "gpu", false},
    {"gcd", "gpus", WS_USE_SETTING, "gpu", true},
    {"gcds", "gpus", WS_USE_SETTING, NULL, true},
    {"cuda", "gpu_number", WS_USE_IDENTITY, "gpu", false},
    {"device", "gpu_number", WS_USE_IDENTITY, "gpu", false},
    {"dev", "gpu_number", WS_USE_IDENTITY, "gpu", false},
    {"card", "gpu_number", WS_USE_IDENTITY, "gpu", false},
    {"node", "nodes", WS_USE_SETTING, "node", true},
    {"nodes", "nodes", WS_USE_SETTING, NULL, true},
    {"nnode", "nodes", WS_USE_SETTING, NULL, false},
    {"nnodes", "nodes", WS_USE_SETTING, NULL, false},
    {"numnodes", "nodes", WS_USE_SETTING, NULL, false},
    {"n", "nodes", WS_USE_SETTING, "node", false},
    {"n", "nodes", WS_USE_SETTING, NULL, true},
    {"nodeid", "host", WS_USE_IDENTITY, "node", false},
    {"host", "host", WS_USE_IDENTITY, "node", false},
    {"server", "host", WS_USE_IDENTITY, "node", false},
    {"nid", "host", WS_USE_IDENTITY, "node", false}, /* Cray's nid001234 */
    {"knoten", "nodes", WS_USE_SETTING, "node", true},
    {"np", "ranks", WS_USE_SETTING, NULL, false},
    {"nproc", "ranks", WS_USE_SETTING, NULL, false},
    {"nprocs", "ranks", WS_USE_SETTING, NULL, false},
    {"procs", "ranks", WS_USE_SETTING, NULL, true},
    {"proc", "ranks", WS_USE_SETTING, "rank", true},
    {"process", "ranks", WS_USE_SETTING, "rank", false},
    {"nprocpernode", "ranks_per_node", WS_USE_SETTING, NULL, false},
    {"procspernode", "ranks_per_node", WS_USE_SETTING, NULL, false},
    {"rankspernode", "ranks_per_node", WS_USE_SETTING, NULL, false},
    {"ntaskspernode", "ranks_per_node", WS_USE_SETTING, NULL, false},
    {"taskspernode", "ranks_per_node", WS_USE_SETTING, NULL, false},
    {"ppn", "ranks_per_node", WS_USE_SETTING, NULL, false},
    {"ranks", "ranks", WS_USE_SETTING, NULL, true},
    {"ntasks", "ranks", WS_USE_SETTING, NULL, false},
    {"ws", "ranks", WS_USE_SETTING, NULL, false},
    {"worldsize", "ranks", WS_USE_SETTING, NULL, false},
    {"rank", "rank", WS_USE_FILE, "rank", false},
    {"localrank", "rank", WS_USE_FILE, "rank", false},
    {"globalrank", "rank", WS_USE_FILE, "rank", false},
    {"local", "rank", WS_USE_FILE, "rank", false},
    {"localid", "rank", WS_USE_FILE, "rank", false},
    {"procid", "rank", WS_USE_FILE, "rank", false},
    {"threads", "threads", WS_USE_SETTING, NULL, true},
    {"thread", "threads", WS_USE_SETTING, NULL, true},
    {"nthreads", "threads", WS_USE_SETTING, NULL, false},
    {"omp", "threads", WS_USE_SETTING, NULL, false},
    {"t", "threads", WS_USE_SETTING, NULL, false},
    {"cores", "cores", WS_USE_SETTING, NULL, true},
    {"ncores", "cores", WS_USE_SETTING, NULL, false},

    {"x", "multiple", WS_USE_SETTING, NULL, false}, /* of what is seen from the files: 4x, x4 */
    {"x", "multiple", WS_USE_SETTING, NULL, true},

    /* work */
    {"batch", "batch", WS_USE_SETTING, NULL, true},
    {"batchsize", "batch", WS_USE_SETTING, NULL, false},
    {"bs", "batch", WS_USE_SETTING, NULL, true},
    {"bsz", "batch", WS_USE_SETTING, NULL, false},
    {"bsize", "batch", WS_USE_SETTING, NULL, false},
    {"b", "batch", WS_USE_SETTING, NULL, false},
    {"lbs", "lbs", WS_USE_SETTING, NULL, false},
    {"localbatch", "lbs", WS_USE_SETTING, NULL, false},
    {"localbatchsize", "lbs", WS_USE_SETTING, NULL, false},
    {"perdevicebatchsize", "lbs", WS_USE_SETTING, NULL, false},
    {"perdevicetrainbatchsize", "lbs", WS_USE_SETTING, NULL, false},
    {"gbs", "gbs", WS_USE_SETTING, NULL, false},
    {"globalbatch", "gbs", WS_USE_SETTING, NULL, false},
    {"globalbatchsize", "gbs", WS_USE_SETTING, NULL, false},
    {"epochs", "epochs", WS_USE_SETTING, NULL, true},
    {"epoch", "epochs", WS_USE_SETTING, NULL, true},
    {"ep", "epochs", WS_USE_SETTING, NULL, true},
    {"e", "epochs", WS_USE_SETTING, NULL, false},
    {"workers", "workers", WS_USE_SETTING, NULL, true},
    {"worker", "workers", WS_USE_SETTING, "rank", false},
    {"w", "workers", WS_USE_SETTING, NULL, false},
    {"lr", "lr", WS_USE_SETTING, NULL, false},
    {"learningrate", "lr", WS_USE_SETTING, NULL, false},
    {"wd", "weight_decay", WS_USE_SETTING, NULL, false},
    {"weightdecay", "weight_decay", WS_USE_SETTING, NULL, false},
    {"seq", "seq_len", WS_USE_SETTING, NULL, false},
    {"seqlen", "seq_len", WS_USE_SETTING, NULL, false},
    {"steps", "steps", WS_USE_SETTING, NULL, true},
    {"iters", "iterations", WS_USE_SETTING, NULL, true},
    {"iter", "iterations", WS_USE_SETTING, NULL, true},
    {"iteration", "iterations", WS_USE_SETTING, NULL, false},
    {"tp", "tensor_parallel", WS_USE_SETTING, NULL, false},
    {"pp", "pipeline_parallel", WS_USE_SETTING, NULL, false},
    {"dp", "data_parallel", WS_USE_SETTING, NULL, false},

    /* caps: W and MHz */
    {"pl", "power_cap_w", WS_USE_SETTING, NULL, false},
    {"cap", "power_cap_w", WS_USE_SETTING, NULL, false},
    {"pcap", "power_cap_w", WS_USE_SETTING, NULL, false},
    {"powercap", "power_cap_w", WS_USE_SETTING, NULL, false},
    {"powerlimit", "power_cap_w", WS_USE_SETTING, NULL, false},
    {"w", "power_cap_w", WS_USE_SETTING, NULL, true},
    {"watt", "power_cap_w", WS_USE_SETTING, NULL, true},
    {"watts", "power_cap_w", WS_USE_SETTING, NULL, true},
    {"clk", "clock_cap_mhz", WS_USE_SETTING, NULL, false},
    {"clock", "clock_cap_mhz", WS_USE_SETTING, NULL, false},
    {"freq", "clock_cap_mhz", WS_USE_SETTING, NULL, false},
    {"lgc", "clock_cap_mhz", WS_USE_SETTING, NULL, false},
    {"sclk", "clock_cap_mhz", WS_USE_SETTING, NULL, false},
    {"maxsclk", "clock_cap_mhz", WS_USE_SETTING, NULL, false},
    {"smclk", "clock_cap_mhz", WS_USE_SETTING, NULL, false},
    {"mhz", "clock_cap_mhz", WS_USE_SETTING, NULL, true},

    /* repeats */
    {"repeat", "repeat", WS_USE_REPEAT, NULL, true},
    {"repetition", "repeat", WS_USE_REPEAT, NULL, true},
    {"rep", "repeat", WS_USE_REPEAT, NULL, true},
    {"run", "repeat", WS_USE_REPEAT, NULL, true},
    {"trial", "repeat", WS_USE_REPEAT, NULL, true},
    {"try", "repeat", WS_USE_REPEAT, NULL, false},
    {"attempt", "repeat", WS_USE_REPEAT, NULL, false},
    {"fold", "repeat", WS_USE_REPEAT, NULL, false},   /* of cross-validation */
    {"result", "repeat", WS_USE_REPEAT, NULL, false}, /* of MLPerf: runs of one benchmark on one system */
    {"r", "repeat", WS_USE_REPEAT, "rank", false},
    {"seed", "seed", WS_USE_REPEAT, NULL, true},

    /* the same in other languages */
    {"wiederholung", "repeat", WS_USE_REPEAT, NULL, false},
    {"durchlauf", "repeat", WS_USE_REPEAT, NULL, false},
    {"lauf", "repeat", WS_USE_REPEAT, NULL, false},
    {"versuch", "repeat", WS_USE_REPEAT, NULL, false},
    {"essai", "repeat", WS_USE_REPEAT, NULL, false},
    {"passe", "repeat", WS_USE_REPEAT, NULL, false},
    {"ejecucion", "repeat", WS_USE_REPEAT, NULL, false},
    {"repeticion", "repeat", WS_USE_REPEAT, NULL, false},
    {"prueba", "repeat", WS_USE_REPEAT, NULL, false},
    {"corrida", "repeat", WS_USE_REPEAT, NULL, false},
    {"intento", "repeat", WS_USE_REPEAT, NULL, false},
    {"execucao", "repeat", WS_USE_REPEAT, NULL, false},
    {"tentativa", "repeat", WS_USE_REPEAT, NULL, false},
    {"poging", "repeat", WS_USE_REPEAT, NULL, false},
    {"herhaling", "repeat", WS_USE_REPEAT, NULL, false},
    {"proba", "repeat", WS_USE_REPEAT, NULL, false},
    {"pokus", "repeat", WS_USE_REPEAT, NULL, false},
    {"forsok", "repeat", WS_USE_REPEAT, NULL, false},
    {"prova", "repeat", WS_USE_REPEAT, NULL, false},
    {"zapusk", "repeat", WS_USE_REPEAT, NULL, false},

    /* numbers that count something, whatever it is */
    {"test", "", WS_USE_IDENTITY, NULL, false},
    {"exp", "", WS_USE_IDENTITY, NULL, false},
    {"experiment", "", WS_USE_IDENTITY, NULL, false},
    {"case", "", WS_USE_IDENTITY, NULL, false},
    {"sample", "", WS_USE_IDENTITY, NULL, false},
    {"measurement", "", WS_USE_IDENTITY, NULL, false},

    /* identities */
    {"job", "job", WS_USE_IDENTITY, NULL, false},
    {"jobid", "job", WS_USE_IDENTITY, NULL, false},
    {"slurm", "job", WS_USE_IDENTITY, NULL, false},
    {"version", "run_number", WS_USE_IDENTITY, NULL, false}, /* Lightning counts its runs so */
    {"part", "part", WS_USE_FILE, "part", false},
    {"chunk", "part", WS_USE_FILE, "part", false},
    {"segment", "part", WS_USE_FILE, "part", false},
};

/* Fields that no word stands for, and what the campaign does with them; others are settings. */
static const struct {
    const char *field;
    ws_field_use use;
} uses[] = {{"node", WS_USE_FILE},          {"gpu", WS_USE_FILE},      {"rank", WS_USE_FILE},
            {"part", WS_USE_FILE},          {"job", WS_USE_IDENTITY},  {"task", WS_USE_IDENTITY},
            {"id", WS_USE_IDENTITY},        {"host", WS_USE_IDENTITY}, {"repeat", WS_USE_REPEAT},
            {"repeat_name", WS_USE_REPEAT}, {"seed", WS_USE_REPEAT},   {"gpu_number", WS_USE_IDENTITY}};

static bool is_between_letters(char c)
{
    return c == '_' || c == '-' || c == ' ' || c == '.';
}

static bool same_letters(ws_span text, const char *word)
{
    size_t at = 0;
    for (size_t i = 0; i < text.n; i++) {
        if (is_between_letters(text.p[i]))
            continue;
        if (word[at] == '\0' || tolower((unsigned char)text.p[i]) != word[at])
            return false;
        at++;
    }
    return at > 0 && word[at] == '\0';
}

const ws_name_word *ws_name_word_find(ws_span text, bool number_first)
{
    size_t first = 0;
    while (first < text.n && is_between_letters(text.p[first]))
        first++;
    int letter = first < text.n ? tolower((unsigned char)text.p[first]) : 0;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (words[i].word[0] == letter && words[i].behind >= number_first && same_letters(text, words[i].word) &&
            !(words[i].behind && !number_first && words[i].word[1] == '\0'))
            return &words[i];
    return NULL;
}

ws_field_use ws_name_use(const char *field)
{
    for (size_t i = 0; i < sizeof uses / sizeof *uses; i++)
        if (strcmp(uses[i].field, field) == 0)
            return uses[i].use;
    return strncmp(field, "run_number", 10) == 0 || strncmp(field, "run_date", 8) == 0 ? WS_USE_IDENTITY
                                                                                       : WS_USE_SETTING;
}

static bool begins_with(ws_span text, const char *word)
{
    size_t n = strlen(word);
    for (size_t i = 0; i < n; i++)
        if (i == text.n || tolower((unsigned char)text.p[i]) != word[i])
            return false;
    return true;
}

bool ws_name_is_device(ws_span text)
{
    static const char *const names[] = {"a100",  "h100",  "h200", "h800",  "b200",  "gh200",  "v100",  "p100",
                                        "a800",  "a30",   "a40",  "a10",   "a16",   "a6000",  "l40",   "l4",
                                        "t4",    "rtx",   "gtx",  "titan", "tesla", "mi100",  "mi210", "mi250",
                                        "mi300", "mi355", "k80",  "gaudi", "tpu",   "jetson", "orin"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        size_t n = strlen(names[i]);
        bool ends = text.n == n || (text.n > n && !islower((unsigned char)text.p[n])) ||
                    isdigit((unsigned char)text.p[text.n - 1]);
        if (begins_with(text, names[i]) && ends)
            return true;
    }
    return false;
}

bool ws_name_is_gpu_id(ws_span text)
{
    enum { LEAST = 12 };
    return text.n >= LEAST && ws_span_has_prefix(text, "GPU-") && strspn(text.p + 4, "0123456789abcdef-") >= text.n - 4;
}

bool ws_name_is_part(ws_span text)
{
    static const char *const parts[] = {
        "gpu",     "gpus",   "cpu",      "cpus",    "dram",      "ram",        "mem",        "memory",    "rapl",
        "nvidia",  "smi",    "nvsmi",    "nvml",    "dcgm",      "dcgmi",      "dmon",       "perun",     "ipmi",
        "node",    "nodes",  "host",     "server",  "rank",      "n",          "nid",        "compute",   "log",
        "logs",    "power",  "energy",   "trace",   "traces",    "wall",       "out",        "output",    "data",
        "results", "result", "util",     "usage",   "stats",     "metrics",    "monitor",    "turbostat", "perf",
        "pdu",     "meter",  "psu",      "bmc",     "redfish",   "psys",       "package",    "pkg",       "socket",
        "system",  "sys",    "rocm",     "amd",     "xpu",       "tegrastats", "scaphandre", "kepler",    "alumet",
        "likwid",  "zeus",   "draw",     "files",   "artifacts", "total",      "csv",        "txt",       "accel",
        "craypm",  "pm",     "counters", "counter", "params"};
    ws_span rest = text, word;
    bool any = false;
    while (rest.n) {
        size_t n = 0;
        while (n < rest.n && isalpha((unsigned char)rest.p[n]))
            n++;
        word = (ws_span){rest.p, n};
        bool known = !n;
        for (size_t i = 0; i < sizeof parts / sizeof *parts && !known; i++)
            known = ws_span_eq_nocase(word, parts[i]);
        if (!known)
            return false;
        any |= n > 0;
        n += n < rest.n;
        rest = (ws_span){rest.p + n, rest.n - n};
    }
    return any;
}

bool ws_name_is_host_like(ws_span a, ws_span b)
{
    size_t i = 0, k = 0;
    bool digits = false;
    if (!a.n || !b.n || !isalpha((unsigned char)a.p[0]))
        return false;
    while (i < a.n && k < b.n) {
        bool number = isdigit((unsigned char)a.p[i]), other = isdigit((unsigned char)b.p[k]);
        if (number != other || (!number && a.p[i] != b.p[k]))
            return false;
        digits |= number;
        while (i < a.n && number && isdigit((unsigned char)a.p[i]))
            i++;
        while (k < b.n && number && isdigit((unsigned char)b.p[k]))
            k++;
        i += !number;
        k += !number;
    }
    return digits && i == a.n && k == b.n;
}
