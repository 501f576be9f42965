/* perun's CSV export, a line a reading (0.4.0 on, and up to 0.3.3):
 *
 *   ,run id,hostname,device_group,sensor,unit,magnitude,timestep,value
 *   0,0,node0001.cluster,gpu,CUDA:0_POWER,W,0.001,0.0,61554.0
 *
 *   ,app_name,run_id,hostname,device_group,sensor,unit,magnitude,timestep,value
 *   0,perun,2025-03-18T19:21:59.082046,node0004.cluster,gpu,CUDA:0,W,0.001,0.0,62652.0
 *
 * Columns are found by name. The sensors follow each other; energy counters come without their range, so a counter is
 * kept whole until its sensor ends, and the range told by where it wrapped. */
#include "core/arena.h"
#include "formats/format.h"
#include "formats/hdf5/perun_sensor.h"
#include "formats/table/rows.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { RUN = 0, HOST, GROUP, SENSOR, UNIT, MAGNITUDE, TIME, VALUE, COLUMNS, KEYS = UNIT };

static const char *const names[COLUMNS][2] = {
    [RUN] = {"run id", "run_id"}, [HOST] = {"hostname", NULL}, [GROUP] = {"device_group", NULL},
    [SENSOR] = {"sensor", NULL},  [UNIT] = {"unit", NULL},     [MAGNITUDE] = {"magnitude", NULL},
    [TIME] = {"timestep", NULL},  [VALUE] = {"value", NULL},
};

enum { FLUSH_AT = 8192 };

/* A sensor of a host in a run. */
typedef struct series {
    uint64_t hash;
    const char *key[KEYS];
    ws_channel channel;
    double to_si;
    bool announced;
    int id;
} series;

typedef struct reader {
    const char *source;
    const ws_sink *sink;
    ws_notes *notes;
    ws_row_policy policy;
    uint32_t column[COLUMNS];
    series *all;
    size_t n_all, all_capacity, now; /* `now`: whose readings are waiting */
    ws_perun_gpus gpus;
    ws_arena arena;
    size_t n, capacity[3];
    int64_t *t_ns, *line;
    double *value;
} reader;

static bool find_column(const ws_row *header, const char *name, uint32_t *column)
{
    for (uint32_t i = 0; name && i < header->n_cells; i++) {
        if (ws_span_eq(header->cells[i], name)) {
            *column = i;
            return true;
        }
    }
    return false;
}

/* What a job printed may stand in front. */
static void look_for_header(reader *r, const ws_row *row)
{
    size_t found = 0;
    while (found < COLUMNS && (find_column(row, names[found][0], &r->column[found]) ||
                               find_column(row, names[found][1], &r->column[found])))
        found++;
    if (found == COLUMNS)
        ws_row_policy_header(&r->policy, &r->arena, row);
    else if (row->n_cells > 1 || ws_span_trim(row->cells[0]).n)
        ws_notes_add(r->notes, WS_FINDING_SKIPPED_LINE, r->source, "", row->line,
                     "the line stands before the column names and was passed over: '%.*s'", WS_SPAN_ARG(row->cells[0]));
}

static ws_span cell(const reader *r, const ws_row *row, int column)
{
    return row->cells[r->column[column]];
}

static ws_status perun_csv_announce(reader *r, series *s, ws_error *error)
{
    s->announced = true;
    if (s->channel.quantity == WS_ENERGY_COUNTER) {
        s->channel.counter_range_j = ws_perun_assume_range(r->t_ns, r->value, r->n);
        if (s->channel.counter_range_j > 0)
            ws_notes_add(
                r->notes, WS_FINDING_ASSUMED_COUNTER_RANGE, r->source, s->channel.column, r->line[0],
                "the export does not state where the counter wraps: %.6f J is assumed, the usual range that fits "
                "its falls best; the HDF5 file states it",
                s->channel.counter_range_j);
    }
    ws_perun_note_sensor(r->notes, r->source, &s->channel);
    return r->sink->channel(r->sink->state, &s->channel, &s->id, error);
}

static ws_status flush(reader *r, ws_error *error)
{
    if (!r->n)
        return WS_OK;
    series *s = &r->all[r->now];
    ws_status status = s->announced ? WS_OK : perun_csv_announce(r, s, error);
    if (status == WS_OK && s->id >= 0) {
        ws_block block = {.n = r->n, .t_ns = r->t_ns, .value = r->value, .line = r->line};
        status = r->sink->block(r->sink->state, s->id, &block, error);
    }
    r->n = 0;
    return status;
}

/* FNV-1a */
static uint64_t hash_keys(const reader *r, const ws_row *row)
{
    uint64_t hash = UINT64_C(14695981039346656037);
    for (int c = 0; c < KEYS; c++) {
        ws_span key = cell(r, row, c);
        for (size_t i = 0; i <= key.n; i++)
            hash = (hash ^ (i < key.n ? (unsigned char)key.p[i] : 0xffu)) * UINT64_C(1099511628211);
    }
    return hash;
}

static bool is_of(const reader *r, const series *s, const ws_row *row)
{
    for (int c = KEYS; c-- > 0;)
        if (!ws_span_eq(cell(r, row, c), s->key[c]))
            return false;
    return true;
}

static void add_series(reader *r, const ws_row *row, uint64_t hash)
{
    r->all = ws_grow(r->all, &r->all_capacity, r->n_all + 1, sizeof *r->all);
    series *s = &r->all[r->n_all++];
    *s = (series){.hash = hash};
    for (int c = 0; c < KEYS; c++)
        s->key[c] = ws_arena_strndup(&r->arena, cell(r, row, c).p, cell(r, row, c).n);
    const series *before = r->n_all > 1 ? s - 1 : NULL;
    if (before && (strcmp(before->key[HOST], s->key[HOST]) != 0 || strcmp(before->key[RUN], s->key[RUN]) != 0))
        ws_perun_gpus_reset(&r->gpus);
    s->channel = (ws_channel){.run = s->key[RUN], .node = s->key[HOST]};
    const char *unit = ws_arena_strndup(&r->arena, cell(r, row, UNIT).p, cell(r, row, UNIT).n);
    double magnitude;
    if (!ws_span_double(cell(r, row, MAGNITUDE), &magnitude))
        magnitude = NAN; /* every value is then refused */
    s->to_si = ws_perun_describe(&r->gpus, &r->arena, s->key[GROUP], s->key[SENSOR], unit, &s->channel) * magnitude;
}

/* Make the row's series the one that is filled. */
static ws_status turn_to(reader *r, const ws_row *row, ws_error *error)
{
    if (r->n_all && is_of(r, &r->all[r->now], row))
        return WS_OK;
    ws_status status = flush(r, error);
    uint64_t hash = hash_keys(r, row);
    for (r->now = 0; r->now < r->n_all; r->now++)
        if (r->all[r->now].hash == hash && is_of(r, &r->all[r->now], row))
            return status;
    add_series(r, row, hash);
    return status;
}

static ws_status take_reading(reader *r, const ws_row *row, ws_error *error)
{
    int64_t t_ns;
    if (ws_row_is_header_again(&r->policy, row) || !ws_row_is_usable(&r->policy, row))
        return WS_OK;
    if (!ws_seconds_to_ns(cell(r, row, TIME), &t_ns)) {
        ws_notes_add(r->notes, WS_FINDING_BAD_TIME, r->source, "", row->line,
                     "time step '%.*s' is not a number of seconds; the line is left out",
                     WS_SPAN_ARG(cell(r, row, TIME)));
        return WS_OK;
    }
    ws_status status = turn_to(r, row, error);
    if (status != WS_OK)
        return status;
    const series *s = &r->all[r->now];
    double value;
    r->t_ns = ws_grow(r->t_ns, &r->capacity[0], r->n + 1, sizeof *r->t_ns);
    r->line = ws_grow(r->line, &r->capacity[1], r->n + 1, sizeof *r->line);
    r->value = ws_grow(r->value, &r->capacity[2], r->n + 1, sizeof *r->value);
    r->t_ns[r->n] = t_ns;
    r->line[r->n] = row->line;
    r->value[r->n++] = ws_span_double(cell(r, row, VALUE), &value) ? value * s->to_si : NAN;
    bool keep_whole = s->channel.quantity == WS_ENERGY_COUNTER && !s->announced;
    return r->n >= FLUSH_AT && !keep_whole ? flush(r, error) : WS_OK;
}

static ws_status perun_csv_take_row(void *state, const ws_row *row, ws_error *error)
{
    reader *r = state;
    if (r->policy.n_columns)
        return take_reading(r, row, error);
    look_for_header(r, row);
    return WS_OK;
}

static ws_status read_csv(ws_input *input, const ws_read_options *options, const ws_sink *sink, ws_notes *notes,
                          ws_error *error)
{
    ws_rows *rows;
    ws_status status = ws_rows_open(&rows, input, ',', &options->rows, error);
    if (status != WS_OK)
        return status;
    reader r = {.source = ws_input_path(input), .sink = sink, .notes = notes};
    r.policy = (ws_row_policy){.source = r.source, .notes = notes};
    status = ws_rows_take(rows, perun_csv_take_row, &r, error);
    ws_status flushed = flush(&r, error);
    status = status == WS_OK ? flushed : status;
    if (status == WS_OK && !r.policy.n_columns)
        status =
            ws_fail_at(error, WS_FORMAT, r.source, 0,
                       "there is no line with the columns of perun's CSV export (hostname, device_group, sensor, unit, "
                       "magnitude, timestep, value); read other tables with --columns");
    if (status == WS_OK && !r.n_all)
        status = ws_fail_at(error, WS_DATA, r.source, 0, "holds no reading");
    ws_rows_close(rows);
    ws_perun_gpus_free(&r.gpus);
    ws_arena_free(&r.arena);
    free(r.all);
    free(r.t_ns);
    free(r.line);
    free(r.value);
    return status;
}

static bool has_names(ws_span line)
{
    for (int c = HOST; c < COLUMNS; c++)
        if (!ws_span_contains(line, names[c][0]))
            return false;
    return true;
}

static int score_perun_csv(const char *path, ws_span head)
{
    (void)path;
    ws_span line;
    bool is_behind = false;
    if (!ws_span_contains(head, names[GROUP][0]))
        return 0;
    while (ws_span_split(&head, '\n', &line)) {
        if (has_names(line))
            return is_behind ? WS_SCORE_BEHIND : 97;
        is_behind = true;
    }
    return 0;
}

const ws_format ws_format_perun_csv = {
    .name = "perun-csv",
    .title = "perun, CSV export of a run",
    .example = ",run id,hostname,device_group,sensor,unit,magnitude,timestep,value\n"
               "0,0,node0001,gpu,CUDA:0_POWER,W,0.001,0.0,61554.0",
    .tier = 1,
    .gives = WS_GIVES_POWER | WS_GIVES_COUNTER | WS_GIVES_UTIL | WS_GIVES_MEM_USED | WS_GIVES_CLOCK,
    .tried = WS_TRIED_REAL,
    .score = score_perun_csv,
    .read = read_csv,
};
