/* tegrastats of NVIDIA's Jetson boards:
 *
 *   02-11-2026 08:00:00 RAM 2274/6834MB (lfb 27x4MB) CPU [99%@1189,off] GR3D_FREQ 22% GPU@38C VDD_IN 5542mW/5500mW ...
 *   RAM 2274/6834MB (lfb 27x4MB) CPU [99%@1189,off] GR3D_FREQ 39%@[305,0] GPU@38C VDD_IN 5542/5500
 *
 * Month first; older boards write neither stamp nor mW. For each rail there are its present power, which is the
 * reading, and its mean since the start; JetPack 7 writes its maximum behind them, and that of temperatures. VDD_IN
 * feeds the whole board, including the other rails. NC is not connected. */
#include "formats/table/dictionary.h"
#include "formats/table/row_trace.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool read_milliwatts(ws_span text, double *power)
{
    ws_span rest;
    return ws_span_number(text, power, &rest) && (!rest.n || ws_span_eq(rest, "mW"));
}

/* "5542mW/5500mW", "5542/5500" or, of JetPack 7, "5542mW/5500mW/5600mW": the power now, in W. */
static bool read_rail(ws_span word, double *power_w)
{
    ws_span now, others, mean, most;
    double value, other;
    if (!ws_span_cut(word, "/", &now, &others) || !read_milliwatts(now, &value))
        return false;
    bool has_most = ws_span_cut(others, "/", &mean, &most);
    if (!read_milliwatts(has_most ? mean : others, &other) || (has_most && !read_milliwatts(most, &other)))
        return false;
    *power_w = value / 1e3;
    return true;
}

typedef struct tegra_reader {
    ws_samples_turns rails; /* that had a power once; all lines have the same ones, one after the other */
    int64_t lines;
} tegra_reader;

typedef struct tegra_line {
    ws_row_trace *trace;
    int64_t t_ns;
    ws_time_base base;
    bool has_rail;
} tegra_line;

static ws_samples_key key_of(const tegra_line *l, ws_domain domain, ws_quantity quantity, ws_span column)
{
    return (ws_samples_key){.id = domain == WS_GPU   ? ws_span_of("GPU")
                                  : domain == WS_CPU ? ws_span_of("CPU")
                                                     : column,
                            .identity = "name",
                            .number = 0,
                            .domain = domain,
                            .quantity = quantity,
                            .column = ws_samples_name(&l->trace->samples, column),
                            .time = l->base};
}

/* "VDD_IN 5542mW/5500mW", and a rail whose power is no number in this line. */
static ws_status take_rail(tegra_line *l, ws_span name, ws_span word, ws_error *error)
{
    ws_samples_turns *rails = &((tegra_reader *)l->trace->state)->rails;
    ws_samples_reading reading = {.t_ns = l->t_ns, .line = l->trace->line};
    ws_status status = WS_OK;
    bool is_rail = read_rail(word, &reading.value);
    size_t rail = ws_samples_turn(rails, name);
    if (!is_rail && rail == WS_NO_TURN)
        return WS_OK;
    l->has_rail = true;
    if (ws_span_eq(name, "NC"))
        return WS_OK;
    if (!is_rail) {
        ws_row_trace_note(l->trace, WS_FINDING_UNREADABLE_CELL, "no power in milliwatts, counted as missing:", word);
        reading.value = NAN;
    }
    if (rail == WS_NO_TURN) {
        ws_samples_key key = key_of(l, ws_board_rail_domain(name), WS_POWER, name);
        rail = rails->n;
        status = ws_samples_add_turn(&l->trace->samples, rails, name, &key, &reading, error);
    }
    return status == WS_OK ? ws_samples_add(&l->trace->samples, rails->items[rail].series, &reading, error) : status;
}

/* "GR3D_FREQ 39%@[305,0]" is the GPU's utilisation, "GPU@38C" its temperature. */
static ws_status take_gpu(tegra_line *l, ws_span name, ws_span word, ws_error *error)
{
    double value;
    ws_span rest;
    ws_samples_key key;
    if (ws_span_eq(name, "GR3D_FREQ")) {
        if (!ws_span_number(word, &value, &rest) || !ws_span_has_prefix(rest, "%"))
            return WS_OK;
        key = key_of(l, WS_GPU, WS_UTIL, name);
        return ws_row_trace_push(l->trace, &key, l->t_ns, value / 100, error);
    }
    if (word.n < 4 || word.p[3] != '@' || !ws_span_eq_nocase((ws_span){word.p, 3}, "GPU"))
        return WS_OK;
    if (!ws_span_number((ws_span){word.p + 4, word.n - 4}, &value, &rest) ||
        !(ws_span_eq(rest, "C") || ws_span_has_prefix(rest, "C/")))
        return WS_OK;
    key = key_of(l, WS_GPU, WS_TEMPERATURE, (ws_span){word.p, 3});
    return ws_row_trace_push(l->trace, &key, l->t_ns, value, error);
}

static bool has_ram(const ws_row *row)
{
    bool has = false;
    for (uint32_t w = 0; w < row->n_cells && !has; w++)
        has = ws_span_eq(row->cells[w], "RAM");
    return has;
}

/* Reads the stamp in front of the line, which *first words belong to; without one, the sampling period gives the time.
 * False: it cannot be read. */
static bool read_stamp(ws_row_trace *t, const ws_row *row, uint32_t *first, tegra_line *l)
{
    tegra_reader *r = t->state;
    const ws_span *words = row->cells;
    *first = 0;
    l->t_ns = ws_period_time(t->options, r->lines++, &l->base);
    if (*words->p < '0' || *words->p > '9')
        return t->stamps.base == WS_TIME_NONE || !has_ram(row); /* beside lines with stamps it lost its own */
    if (row->n_cells < 2)
        return false;
    *first = 2;
    ws_span stamp = {words[0].p, (size_t)(words[1].p + words[1].n - words[0].p)};
    bool is_read = ws_timecol_read(&t->stamps, stamp, &l->t_ns);
    l->base = t->stamps.base;
    return is_read;
}

static ws_status tegrastats_take(ws_row_trace *t, const ws_row *row, ws_error *error)
{
    tegra_line l = {.trace = t};
    ws_span name = {"", 0};
    ws_status status = WS_OK;
    uint32_t first;
    if (ws_row_trace_is_cut(t))
        return WS_OK;
    if (!read_stamp(t, row, &first, &l)) {
        ws_row_trace_note(t, WS_FINDING_BAD_STAMP, "no stamp:", ws_row_line(row));
        return WS_OK;
    }
    for (uint32_t w = first; w < row->n_cells && status == WS_OK; w++) {
        ws_span word = row->cells[w];
        if (memchr(word.p, '/', word.n) && !memchr(word.p, '@', word.n))
            status = take_rail(&l, name, word, error);
        else
            status = take_gpu(&l, name, word, error);
        name = word;
    }
    if (!l.has_rail)
        ws_row_trace_note(t, WS_FINDING_SKIPPED_LINE, "no power in this line:", ws_row_line(row));
    return status;
}

static ws_status read_tegrastats(ws_input *input, const ws_read_options *options, const ws_sink *sink, ws_notes *notes,
                                 ws_error *error)
{
    static const ws_row_trace_kind kind = {.delimiter = WS_WORDS,
                                           .form = WS_STAMP_MDY,
                                           .holds_rows_alone = true,
                                           .take = tegrastats_take,
                                           .what = "no lines of tegrastats"};
    tegra_reader reader = {.lines = 0};
    ws_status status = ws_row_trace_read(&kind, input, options, sink, notes, &reader, error);
    free(reader.rails.items);
    return status;
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
