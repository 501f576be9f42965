#include "formats/hdf5/perun_facts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void tell(const ws_sink *sink, const ws_fact *about, const char *key, const char *text, double number)
{
    ws_fact fact = *about;
    fact.key = key;
    fact.text = text;
    fact.number = number;
    sink->fact(sink->state, &fact);
}

/* perun's names of what it computes. Units are read from the file: GPU_MEM was a percentage once. */
static const char *const metric_names[] = {
    "RUNTIME",     "ENERGY",     "POWER",        "CPU_ENERGY",  "CPU_POWER", "GPU_ENERGY", "GPU_POWER",
    "DRAM_ENERGY", "DRAM_POWER", "OTHER_ENERGY", "OTHER_POWER", "CPU_UTIL",  "GPU_UTIL",   "MEM_UTIL",
    "GPU_MEM",     "DRAM_MEM",   "NET_READ",     "NET_WRITE",   "DISK_READ", "DISK_WRITE",
};

/* "perun.stored." "GPU_ENERGY" in "J" makes perun.stored.gpu_energy_j; a percentage becomes a ratio. */
static void metric_key(char *key, size_t size, const char *name, const char *unit)
{
    int n = snprintf(key, size, "perun.stored.%s%s%s", name, strcmp(unit, "%") != 0 && *unit ? "_" : "",
                     strcmp(unit, "%") != 0 ? unit : "");
    for (int i = 0; i < n && i < (int)size; i++)
        key[i] = key[i] >= 'A' && key[i] <= 'Z' ? (char)(key[i] - 'A' + 'a') : key[i];
}

void ws_perun_metric_facts(const ws_perun_tree *tree, ws_perun_ref place, const ws_sink *sink, const ws_fact *about)
{
    for (size_t i = 0; i < sizeof metric_names / sizeof *metric_names; i++) {
        ws_perun_metric metric;
        char key[64];
        if (!ws_perun_metric_of(tree, place, metric_names[i], &metric) || !isfinite(metric.value))
            continue;
        metric_key(key, sizeof key, metric_names[i], metric.unit);
        tell(sink, about, key, NULL, strcmp(metric.unit, "%") == 0 ? metric.value / 100 : metric.value);
    }
}

/* b'NVIDIA A100' of an old pynvml is NVIDIA A100. */
static const char *without_b_quotes(const char *text, ws_arena *arena)
{
    size_t n = strlen(text);
    bool quoted = n >= 3 && text[0] == 'b' && (text[1] == '\'' || text[1] == '"') && text[n - 1] == text[1];
    return quoted ? ws_arena_strndup(arena, text + 2, n - 3) : text;
}

void ws_perun_device_facts(const ws_perun_tree *tree, ws_perun_ref sensor, const ws_sink *sink,
                           const ws_channel *channel)
{
    static const struct {
        ws_domain domain;
        const char *attribute, *key;
    } facts[] = {{WS_GPU, "name", "gpu.name"}, {WS_GPU, "uuid", "gpu.uuid"}, {WS_CPU, "brand_raw", "cpu.name"}};
    ws_arena arena = {0};
    ws_fact about = {.run = channel->run, .node = channel->node, .device = channel->device};
    for (size_t i = 0; i < sizeof facts / sizeof *facts; i++) {
        const char *text =
            facts[i].domain == channel->domain ? tree->text(tree->state, sensor, facts[i].attribute, &arena) : NULL;
        if (text && *text)
            tell(sink, &about, facts[i].key, without_b_quotes(text, &arena), NAN);
    }
    ws_arena_free(&arena);
}

/* "[0, 1, 2, 3]", and "[0 1]" of a file that perun 0.9.1 wrote again: whole numbers, whatever stands between. */
static size_t count_integers(const char *text)
{
    size_t n = 0;
    for (bool inside = false; *text; text++) {
        bool digit = *text >= '0' && *text <= '9';
        n += digit && !inside;
        inside = digit;
    }
    return n;
}

void ws_perun_host_facts(const ws_perun_tree *tree, ws_perun_ref host, const ws_sink *sink, const ws_fact *about,
                         ws_arena *arena)
{
    const char *ranks = tree->text(tree->state, host, "mpi_ranks", arena);
    if (ranks)
        tell(sink, about, "perun.mpi_ranks", NULL, (double)count_integers(ranks));
    ws_perun_metric_facts(tree, host, sink, about);
}

void ws_perun_rank_facts(const ws_perun_tree *tree, ws_perun_ref host, const ws_sink *sink, const ws_fact *about,
                         ws_arena *arena)
{
    const char *ranks = tree->text(tree->state, host, "mpi_ranks", arena);
    if (ranks)
        tell(sink, about, "perun.ranks", ranks, NAN);
}

void ws_perun_run_facts(const ws_perun_tree *tree, ws_perun_ref run, const ws_perun_ref *multi_run, const ws_sink *sink,
                        const ws_fact *about, ws_arena *arena)
{
    /* The name a setting has now, and those it had. */
    static const struct {
        const char *key, *attributes[3];
        bool is_number;
    } settings[] = {
        {"perun.version", {"perun_version"}, false},
        {"perun.app", {"app_name"}, false},
        {"perun.start", {"execution_dt", "startime"}, false},
        {"perun.pue", {"post-processing.pue", "pue"}, true},
        {"perun.power_overhead_w", {"post-processing.power_overhead"}, true},
        {"perun.sampling_period_s", {"monitor.sampling_period", "monitor.sampling_rate", "sampling_rate"}, true},
    };
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
        const char *text = NULL;
        for (size_t j = 0; !text && j < 3 && settings[i].attributes[j]; j++) {
            text = tree->text(tree->state, run, settings[i].attributes[j], arena);
            if (!text && multi_run)
                text = tree->text(tree->state, *multi_run, settings[i].attributes[j], arena);
        }
        double number = NAN;
        if (text && (!settings[i].is_number || ws_span_double(ws_span_of(text), &number)))
            tell(sink, about, settings[i].key, settings[i].is_number ? NULL : text, number);
    }
    ws_perun_metric_facts(tree, run, sink, about);
}

enum { MOST_EVENTS = 10000000 };

/* Numbers and the sign between two of them. */
static char *passes_text(const double *event, size_t n)
{
    char *text = ws_alloc(n * (WS_DOUBLE_TEXT + 1) + 1), *end = text;
    for (size_t i = 0; i < n; i++) {
        if (i && i % 2 == 0)
            *end++ = ' ';
        end += ws_double_text(end, event[i]);
        if (i % 2 == 0)
            *end++ = ':';
    }
    *end = '\0';
    return text;
}

typedef struct region {
    const ws_perun_tree *tree;
    ws_perun_ref place;
    const char *name;
    const ws_sink *sink;
    const ws_fact *about;
    ws_notes *notes;
    ws_arena *arena;
} region;

static ws_status tell_rank(const region *r, const char *rank, const ws_perun_series *series, ws_error *error)
{
    if (series->n > MOST_EVENTS) {
        ws_notes_add(r->notes, WS_FINDING_REGION_TOO_LONG, r->tree->source, r->name, 0,
                     "more than %d events of one rank: they are left out", MOST_EVENTS);
        return WS_OK;
    }
    size_t n = (size_t)series->n;
    double *event = ws_alloc((n + 1) * sizeof *event);
    ws_status status = r->tree->read(r->tree->state, series, 0, n, event, error);
    if (status == WS_OK) {
        if (n % 2)
            ws_notes_add(r->notes, WS_FINDING_REGION_UNFINISHED, r->tree->source, r->name, 0,
                         "rank %s entered the region and did not leave it", rank);
        char *text = passes_text(event, n);
        tell(r->sink, r->about, ws_arena_printf(r->arena, "perun.region.%s.rank.%s", r->name, rank), text, NAN);
        free(text);
    }
    free(event);
    return status;
}

static ws_status tell_region(const region *r, ws_error *error)
{
    static const struct {
        const char *metric, *key;
    } results[] = {{"N_RUNS", "runs"}, {"RUNTIME", "runtime_s"}, {"POWER", "power_w"}};
    const ws_perun_tree *tree = r->tree;
    for (size_t i = 0; i < sizeof results / sizeof *results; i++) {
        ws_perun_metric metric;
        if (ws_perun_metric_of(tree, r->place, results[i].metric, &metric) && isfinite(metric.value))
            tell(r->sink, r->about, ws_arena_printf(r->arena, "perun.region.%s.%s", r->name, results[i].key), NULL,
                 metric.value);
    }
    ws_perun_names ranks = ws_perun_children(tree, r->place, WS_PERUN_RAW_DATA, r->arena);
    ws_status status = WS_OK;
    if (ranks.is_damaged)
        ws_notes_add(
            r->notes, WS_FINDING_DAMAGED_OBJECT, tree->source, r->name, 0,
            "the list of the ranks of region '%s' cannot be read in full: the file is damaged; copy it again from "
            "where it was written",
            r->name);
    for (size_t i = 0; status == WS_OK && i < ranks.n; i++) {
        ws_perun_series series;
        if (!tree->series(tree->state, r->place, ranks.items[i], &series))
            continue;
        status = tell_rank(r, ranks.items[i], &series, error);
        tree->close_series(tree->state, &series);
    }
    return status;
}

ws_status ws_perun_region_facts(const ws_perun_tree *tree, ws_perun_ref run, const ws_sink *sink, const ws_fact *about,
                                ws_notes *notes, ws_error *error)
{
    ws_arena arena = {0};
    ws_perun_names regions = ws_perun_children(tree, run, WS_PERUN_REGIONS, &arena);
    ws_status status = WS_OK;
    if (regions.is_damaged)
        ws_notes_add(
            notes, WS_FINDING_DAMAGED_OBJECT, tree->source, about->run, 0,
            "the list of the regions of run %s cannot be read in full: the file is damaged; copy it again from "
            "where it was written",
            about->run);
    for (size_t i = 0; status == WS_OK && i < regions.n; i++) {
        region r = {
            .tree = tree, .name = regions.items[i], .sink = sink, .about = about, .notes = notes, .arena = &arena};
        if (tree->open(tree->state, run, WS_PERUN_REGIONS, regions.items[i], &r.place)) {
            status = tell_region(&r, error);
            tree->close(tree->state, r.place);
        }
    }
    ws_arena_free(&arena);
    return status;
}
