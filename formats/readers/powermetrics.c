/* powermetrics of macOS, as text and as property lists:
 *
 *   *** Sampled system activity (Wed Feb 11 08:00:01 2026 +0100) (1010.09ms elapsed) ***
 *   CPU Power: 823 mW
 *   GPU Power: 26 mW
 *   ANE Power: 0 mW
 *   Combined Power (CPU + GPU + ANE): 849 mW
 *   GPU HW active residency:   5.32% (444 MHz: 4.1% ...)
 *
 *   <key>elapsed_ns</key><integer>1010090000</integer> ... <key>timestamp</key><date>2026-02-11T07:00:01Z</date> ...
 *   <key>processor</key><dict> ... <key>cpu_power</key><real>823.1</real><key>gpu_power</key><real>26.4</real> ...
 *
 * Powers are means of the time that elapsed before the stamp; those of property lists are in mW, too. The combined
 * power holds the others, and so does the package power of the first M1 systems; clusters lie inside the CPU. On
 * Intel processors there is the package alone. Samples of property lists follow each other with a zero byte between.
 * A power that a second sampler prints again counts once. */
#include "formats/table/row_trace.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { KEY = 64 };

/* `name` in front of the colon of a line, `key` of a property list. */
static const struct apple_value {
    const char *name, *key, *device;
    ws_domain domain;
    const char *unit; /* of the property list */
} powers[] = {
    {"CPU Power", "cpu_power", "CPU", WS_CPU, "mW"},
    {"Intel energy model derived package power (CPUs+GT+SA)", "package_watts", "package", WS_CPU, "W"},
    {"GPU Power", "gpu_power", "GPU", WS_GPU, "mW"},
    {"DRAM Power", "dram_power", "DRAM", WS_DRAM, "mW"},
    {"ANE Power", "ane_power", "ANE", WS_OTHER, "mW"},
    {"Combined Power (CPU + GPU + ANE)", "combined_power", "combined", WS_PSYS, "mW"},
    {"Package Power", "package_power", "combined", WS_PSYS, "mW"},
};
enum { POWERS = sizeof powers / sizeof *powers };

typedef struct apple_sample {
    double power_w[POWERS], gpu_util;
    bool has[POWERS], has_util, has_time;
    int64_t t_ns, interval_ns;
    ws_time_base base;
} apple_sample;

typedef struct apple_reader {
    apple_sample sample;
    int64_t n; /* samples without a stamp */
    char key[KEY];
    size_t key_n;
    int depth, gpu_depth; /* of the property list; gpu_depth 0: not inside of "gpu" */
} apple_reader;

static ws_status push_value(ws_row_trace *t, const apple_sample *s, const struct apple_value *v, ws_quantity quantity,
                            double value, ws_error *error)
{
    ws_samples_key key = {.id = ws_span_of(v->device),
                          .identity = "name",
                          .number = 0,
                          .domain = v->domain,
                          .quantity = quantity,
                          .column = quantity == WS_UTIL ? "GPU active residency" : v->name,
                          .rule = quantity == WS_POWER ? WS_RULE_RECTANGLE : WS_RULE_NONE,
                          .time = s->base};
    ws_samples_reading reading = {.t_ns = s->t_ns, .interval_ns = s->interval_ns, .value = value, .line = t->line};
    return ws_samples_push(&t->samples, &key, &reading, error);
}

static ws_status end_sample(ws_row_trace *t, ws_error *error)
{
    apple_reader *r = t->state;
    apple_sample *s = &r->sample;
    const struct apple_value *gpu = &powers[2];
    ws_status status = WS_OK;
    bool is_sample = s->has_util;
    for (size_t i = 0; i < POWERS; i++)
        is_sample |= s->has[i];
    if (is_sample && !s->has_time) {
        s->t_ns = ws_period_time(t->options, r->n++, &s->base);
        s->interval_ns = s->interval_ns ? s->interval_ns : t->options->period_ns;
    }
    for (size_t i = 0; i < POWERS && status == WS_OK; i++)
        if (s->has[i])
            status = push_value(t, s, &powers[i], WS_POWER, s->power_w[i], error);
    if (status == WS_OK && s->has_util)
        status = push_value(t, s, gpu, WS_UTIL, s->gpu_util, error);
    *s = (apple_sample){.has_time = false};
    return status;
}

static void take_power(ws_row_trace *t, apple_sample *s, size_t i, ws_span text, const char *unit)
{
    if (s->has[i])
        return;
    s->power_w[i] =
        ws_samples_number(&t->samples, text, WS_POWER, ws_unit_find(ws_span_of(unit)), powers[i].name, t->line);
    s->has[i] = true;
}

static void take_stamp(ws_row_trace *t, apple_sample *s, ws_span text)
{
    ws_timecol_settle(&t->stamps, text);
    s->has_time = ws_timecol_read(&t->stamps, text, &s->t_ns);
    s->base = t->stamps.base;
    if (!s->has_time)
        ws_row_trace_note(t, WS_FINDING_BAD_STAMP, "no stamp:", text);
}

/* --- text --- */

static const char sample_start[] = "*** Sampled system activity (";

/* "*** Sampled system activity (DATE) (1010.09ms elapsed) ***" */
static void take_head(ws_row_trace *t, apple_sample *s, ws_span line)
{
    ws_span date, rest, elapsed = {"", 0}, before;
    double ms;
    line = (ws_span){line.p + sizeof sample_start - 1, line.n - (sizeof sample_start - 1)};
    if (!ws_span_cut(line, ")", &date, &rest))
        return;
    take_stamp(t, s, date);
    if (ws_span_cut(rest, "(", &before, &elapsed) && ws_span_number(elapsed, &ms, &rest) && ms > 0 && ms < 1e9)
        s->interval_ns = llround(ms * 1e6);
}

static bool take_power_line(ws_row_trace *t, apple_sample *s, ws_span line)
{
    for (size_t i = 0; i < POWERS; i++) {
        size_t n = strlen(powers[i].name);
        if (!ws_span_has_prefix(line, powers[i].name) || line.n <= n || line.p[n] != ':')
            continue;
        take_power(t, s, i, ws_span_trim((ws_span){line.p + n + 1, line.n - n - 1}), powers[i].unit);
        return true;
    }
    return false;
}

/* "GPU HW active residency:   5.32% (444 MHz: 4.1% ...)" */
static void take_residency(apple_sample *s, ws_span line)
{
    ws_span name, value, rest;
    double percent;
    if ((ws_span_has_prefix(line, "GPU HW active residency:") || ws_span_has_prefix(line, "GPU active residency:")) &&
        ws_span_cut(line, ":", &name, &value) && ws_span_number(value, &percent, &rest) && !s->has_util) {
        s->gpu_util = percent / 100;
        s->has_util = true;
    }
}

static ws_status powermetrics_take_line(ws_row_trace *t, const ws_row *row, ws_error *error)
{
    ws_span line = *row->cells;
    apple_reader *r = t->state;
    ws_status status = WS_OK;
    if (t->row->unfinished) {
        ws_row_trace_note(t, WS_FINDING_TRUNCATED_LINE, "the last line may be cut and was left out:", line);
        return WS_OK;
    }
    line = ws_span_trim(line);
    if (ws_span_has_prefix(line, sample_start)) {
        status = end_sample(t, error);
        take_head(t, &r->sample, line);
    } else if (!take_power_line(t, &r->sample, line)) {
        take_residency(&r->sample, line);
    }
    return status;
}

static ws_status read_powermetrics(ws_input *input, const ws_read_options *options, const ws_sink *sink,
                                   ws_notes *notes, ws_error *error)
{
    apple_reader reader = {.n = 0};
    static const ws_row_trace_kind kind = {.delimiter = WS_LINES,
                                           .holds_rows_alone = true,
                                           .take = powermetrics_take_line,
                                           .end = end_sample,
                                           .what = "no sample of powermetrics with a power"};
    return ws_row_trace_read(&kind, input, options, sink, notes, &reader, error);
}

static int score_powermetrics(const char *path, ws_span head)
{
    (void)path;
    ws_span line;
    while (ws_span_split(&head, '\n', &line))
        if (ws_span_has_prefix(line, sample_start) && ws_span_contains(line, "elapsed) ***"))
            return 96;
    return 0;
}

/* --- property lists --- */

static void take_key_value(ws_row_trace *t, apple_reader *r, ws_span text)
{
    apple_sample *s = &r->sample;
    ws_span key = {r->key, r->key_n};
    double number;
    int64_t ns;
    for (size_t i = 0; i < POWERS; i++)
        if (ws_span_eq(key, powers[i].key))
            take_power(t, s, i, text, powers[i].unit);
    if (ws_span_eq(key, "timestamp") && !s->has_time)
        take_stamp(t, s, text);
    else if (ws_span_eq(key, "elapsed_ns") && ws_span_i64(text, &ns) && ns > 0)
        s->interval_ns = ns;
    else if (ws_span_eq(key, "idle_ratio") && r->gpu_depth && r->depth == r->gpu_depth && !s->has_util &&
             ws_span_double(text, &number)) {
        s->gpu_util = 1 - number;
        s->has_util = true;
    }
}

static void open_section(apple_reader *r)
{
    r->depth++;
    if (!r->gpu_depth && ws_span_eq_nocase((ws_span){r->key, r->key_n}, "gpu"))
        r->gpu_depth = r->depth;
    r->key_n = 0;
}

static void close_section(apple_reader *r)
{
    r->gpu_depth = r->depth == r->gpu_depth ? 0 : r->gpu_depth;
    r->depth -= r->depth > 0;
}

/* What stands behind "<", up to the next one: "key>cpu_power", "/dict>". */
static ws_status take_tag(ws_row_trace *t, apple_reader *r, ws_span piece, ws_error *error)
{
    ws_span tag, text;
    if (!ws_span_cut(piece, ">", &tag, &text))
        return WS_OK;
    if (ws_span_eq(tag, "/plist")) {
        r->depth = r->gpu_depth = 0;
        return end_sample(t, error);
    }
    if (ws_span_eq(tag, "key")) {
        r->key_n = text.n < KEY ? text.n : 0;
        memcpy(r->key, text.p, r->key_n);
    } else if (ws_span_eq(tag, "real") || ws_span_eq(tag, "integer") || ws_span_eq(tag, "date")) {
        take_key_value(t, r, ws_span_trim(text));
        r->key_n = 0;
    } else if (ws_span_eq(tag, "dict") || ws_span_eq(tag, "array")) {
        open_section(r);
    } else if (ws_span_eq(tag, "/dict") || ws_span_eq(tag, "/array")) {
        close_section(r);
    }
    return WS_OK;
}

/* A sample that the end of the file cuts is left out. */
static ws_status powermetrics_plist_take_line(ws_row_trace *t, const ws_row *row, ws_error *error)
{
    ws_span line = *row->cells;
    ws_span piece;
    ws_status status = WS_OK;
    bool is_first = true;
    while (status == WS_OK && ws_span_split(&line, '<', &piece)) {
        status = is_first ? WS_OK : take_tag(t, t->state, piece, error);
        is_first = false;
    }
    return status;
}

static ws_status read_powermetrics_plist(ws_input *input, const ws_read_options *options, const ws_sink *sink,
                                         ws_notes *notes, ws_error *error)
{
    apple_reader reader = {.n = 0};
    static const ws_row_trace_kind kind = {.delimiter = WS_LINES,
                                           .take = powermetrics_plist_take_line,
                                           .what = "no whole sample of powermetrics with a power"};
    ws_status status = ws_row_trace_read(&kind, input, options, sink, notes, &reader, error);
    if (reader.depth > 0 && status == WS_OK)
        ws_notes_add(notes, WS_FINDING_TRUNCATED_DOCUMENT, ws_input_path(input), "", 0,
                     "the last property list is cut and was left out");
    return status;
}

static int score_powermetrics_plist(const char *path, ws_span head)
{
    (void)path;
    bool has_power = ws_span_contains(head, "<key>cpu_power</key>") ||
                     ws_span_contains(head, "<key>combined_power</key>") ||
                     ws_span_contains(head, "<key>package_watts</key>");
    ws_span start = ws_span_trim(head);
    return start.n && *start.p == '<' && ws_span_contains(head, "<plist") &&
                   (has_power || ws_span_contains(head, "<key>elapsed_ns</key>"))
               ? 96
               : 0;
}

const ws_format ws_format_powermetrics = {
    .name = "powermetrics",
    .title = "powermetrics of macOS as text: CPU, GPU and others",
    .example =
        "*** Sampled system activity (Wed Feb 11 08:00:01 2026 +0100) (1010.09ms elapsed) ***\nCPU Power: 823 mW",
    .tier = 3,
    .gives = WS_GIVES_POWER | WS_GIVES_UTIL,
    .tried = WS_TRIED_HAND_MADE,
    .score = score_powermetrics,
    .read = read_powermetrics,
};

const ws_format ws_format_powermetrics_plist = {
    .name = "powermetrics-plist",
    .title = "powermetrics of macOS as property lists",
    .example = "<plist version=\"1.0\"><dict><key>elapsed_ns</key><integer>1010090000</integer>\n"
               "<key>processor</key><dict><key>cpu_power</key><real>823.1</real></dict></dict></plist>",
    .tier = 3,
    .gives = WS_GIVES_POWER | WS_GIVES_UTIL,
    .tried = WS_TRIED_HAND_MADE,
    .score = score_powermetrics_plist,
    .read = read_powermetrics_plist,
};
