/* tegrastats of NVIDIA's Jetson boards:
 *
 *   02-11-2026 08:00:00 RAM 2274/6834MB (lfb 27x4MB) CPU [99%@1189,off] GR3D_FREQ 22% GPU@38C VDD_IN 5542mW/5500mW ...
 *   RAM 2274/6834MB (lfb 27x4MB) CPU [99%@1189,off] GR3D_FREQ 39%@[305,0] GPU@38C VDD_IN 5542/5500
 *
 * Month first; older boards write neither stamp nor mW. For each rail there are its present power, which is the
 * reading, and its mean since the start. VDD_IN feeds the whole board, including the other rails. NC is not
 * connected. */
#include "formats/table/dictionary.h"
#include "formats/table/row_trace.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* "5542mW/5500mW" or "5542/5500": the power now, in W. */
static bool read_rail(ws_span word, double *power_w)
{
    ws_span now, mean, rest;
    double value, mean_value;
    if (!ws_span_cut(word, "/", &now, &mean) || !ws_span_number(now, &value, &rest) ||
        (rest.n && !ws_span_eq(rest, "mW")) || !ws_span_number(mean, &mean_value, &rest) ||
        (rest.n && !ws_span_eq(rest, "mW")))
        return false;
    *power_w = value / 1e3;
    return true;
}

typedef struct tegra_line {
    ws_row_trace *trace;
    int64_t t_ns;
    ws_time_base base;
    bool has_rail;
} tegra_line;

static ws_samples_key key_of(const tegra_line *l, ws_domain domain, ws_quantity quantity, ws_span column, char name[64])
{
    snprintf(name, 64, "%.*s", WS_SPAN_ARG(column));
    return (ws_samples_key){.id = domain == WS_GPU   ? ws_span_of("GPU")
                                  : domain == WS_CPU ? ws_span_of("CPU")
                                                     : column,
                            .identity = "name",
                            .number = 0,
                            .domain = domain,
                            .quantity = quantity,
                            .column = name,
                            .time = l->base};
}

static ws_status tegrastats_push(tegra_line *l, ws_domain domain, ws_quantity quantity, ws_span column, double value,
                                 ws_error *error)
{
    char name[64];
    ws_samples_key key = key_of(l, domain, quantity, column, name);
    return ws_row_trace_push(l->trace, &key, l->t_ns, value, error);
}

/* Is it a known rail whose power is not a number in this line? */
static bool is_lost_rail(const tegra_line *l, ws_span name, ws_span word)
{
    char text[64];
    ws_samples_key key = key_of(l, ws_board_rail_domain(name), WS_POWER, name, text);
    return memchr(word.p, '/', word.n) && ws_samples_has(&l->trace->samples, &key);
}

/* "GR3D_FREQ 39%@[305,0]" is the GPU's utilisation, "GPU@38C" its temperature. */
static ws_status take_pair(tegra_line *l, ws_span name, ws_span word, ws_error *error)
{
    double value;
    ws_span rest;
    bool is_rail = read_rail(word, &value);
    if (is_rail || is_lost_rail(l, name, word)) {
        l->has_rail = true;
        if (ws_span_eq(name, "NC"))
            return WS_OK;
        if (!is_rail)
            ws_row_trace_note(l->trace, WS_FINDING_UNREADABLE_CELL,
                              "no power in milliwatts, counted as missing:", word);
        return tegrastats_push(l, ws_board_rail_domain(name), WS_POWER, name, is_rail ? value : NAN, error);
    }
    bool is_temperature = ws_span_cut(word, "@", &name, &rest) && ws_span_eq_nocase(name, "GPU") &&
                          ws_span_number(rest, &value, &rest) && ws_span_eq(rest, "C");
    if (is_temperature)
        return tegrastats_push(l, WS_GPU, WS_TEMPERATURE, name, value, error);
    return WS_OK;
}

static ws_status take_util(tegra_line *l, ws_span name, ws_span word, ws_error *error)
{
    double value;
    ws_span rest;
    if (!ws_span_eq(name, "GR3D_FREQ") || !ws_span_number(word, &value, &rest) || !ws_span_has_prefix(rest, "%"))
        return WS_OK;
    return tegrastats_push(l, WS_GPU, WS_UTIL, name, value / 100, error);
}

/* Takes the stamp off the front of the line; without one, the sampling period gives the time. False: it cannot be
 * read. */
static bool read_stamp(ws_row_trace *t, ws_span *line, tegra_line *l)
{
    int64_t *n = t->state;
    ws_span rest = *line, date, time;
    l->t_ns = ws_period_time(t->options, (*n)++, &l->base);
    if (!ws_span_word(&rest, &date) || *date.p < '0' || *date.p > '9')
        return true;
    if (!ws_span_word(&rest, &time))
        return false;
    *line = rest;
    ws_span stamp = {date.p, (size_t)(time.p + time.n - date.p)};
    bool is_read = ws_timecol_read(&t->stamps, stamp, &l->t_ns);
    l->base = t->stamps.base;
    return is_read;
}

static ws_status tegrastats_take_line(ws_row_trace *t, const ws_row *row, ws_error *error)
{
    ws_span line = *row->cells;
    tegra_line l = {.trace = t};
    ws_span rest = line, name = {"", 0}, word;
    ws_status status = WS_OK;
    if (ws_row_trace_is_cut(t))
        return WS_OK;
    if (!read_stamp(t, &rest, &l)) {
        ws_row_trace_note(t, WS_FINDING_BAD_STAMP, "no stamp:", line);
        return WS_OK;
    }
    while (status == WS_OK && ws_span_word(&rest, &word)) {
        status = take_pair(&l, name, word, error);
        if (status == WS_OK)
            status = take_util(&l, name, word, error);
        name = word;
    }
    if (!l.has_rail)
        ws_row_trace_note(t, WS_FINDING_SKIPPED_LINE, "no power in this line:", line);
    return status;
}

static ws_status read_tegrastats(ws_input *input, const ws_read_options *options, const ws_sink *sink, ws_notes *notes,
                                 ws_error *error)
{
    int64_t n = 0;
    static const ws_row_trace_kind kind = {
        .delimiter = WS_LINES, .form = WS_STAMP_MDY, .take = tegrastats_take_line, .what = "no lines of tegrastats"};
    return ws_row_trace_read(&kind, input, options, sink, notes, &n, error);
}

static int score_tegrastats(const char *path, ws_span head)
{
    (void)path;
    enum { LINES = 5 };
    ws_span line;
    for (int i = 0; i < LINES && ws_span_split(&head, '\n', &line); i++)
        if (ws_span_contains(line, "RAM ") && ws_span_contains(line, " CPU [") && ws_span_contains(line, "_FREQ "))
            return 95;
    return 0;
}

const ws_format ws_format_tegrastats = {
    .name = "tegrastats",
    .title = "tegrastats of NVIDIA Jetson boards: power of each rail",
    .example = "02-11-2026 08:00:00 RAM 2274/6834MB CPU [99%@1189,off] GR3D_FREQ 22% GPU@38C VDD_IN 5542mW/5500mW",
    .tier = 3,
    .gives = WS_GIVES_POWER | WS_GIVES_UTIL | WS_GIVES_TEMP,
    .tried = WS_TRIED_REAL,
    .score = score_tegrastats,
    .read = read_tegrastats,
};
