/* What clients of DCGM's API log: a row a reading, several fields mixed, each at its own time:
 *
 *   GPUId,TimeStampUs,Field,Values
 *   0,1770796800120331,power_usage_instant,251.20
 *   0,1770796800120474,gpu_utilization,97
 *
 * Power in W, energy in mJ since the driver was loaded. */
#include "formats/table/columnmap.h"
#include "formats/readers/dcgm_field.h"
#include "formats/table/feed.h"
#include "formats/format.h"
#include "formats/table/rows.h"
#include "formats/table/timecol.h"

#include <math.h>

enum { GPU, TIME, FIELD, VALUE, NODE, COLUMNS, NAMES = NODE /* that a header must have */ };
static const struct {
    const char *name; /* as ws_plain_name writes it */
    int column;
} names[] = {
    {"gpuid", GPU},         {"gpu_id", GPU},     {"gpu", GPU},     {"entity_id", GPU}, {"timestampus", TIME},
    {"timestamp_us", TIME}, {"timestamp", TIME}, {"time", TIME},   {"field", FIELD},   {"field_name", FIELD},
    {"field_id", FIELD},    {"fieldid", FIELD},  {"value", VALUE}, {"values", VALUE},  {"hostname", NODE},
    {"host", NODE},         {"node", NODE},
};

/* A word of the column of fields; NULL: of no use here. */
typedef struct field_word {
    ws_span word;
    const ws_dcgm_field *field;
    const ws_unit *unit;
    const char *name; /* as spelled */
} field_word;

enum { FIELD_WORDS = 64 }; /* as many are kept */

typedef struct long_reader {
    ws_feed feed;
    ws_timecol stamps;
    int32_t column[COLUMNS];           /* -1: not there */
    field_word words[FIELD_WORDS + 1]; /* the last one is not kept */
    size_t n_words, last_word;
    size_t n_used;
    bool has_header;
    uint32_t n_columns;
} long_reader;

static bool dcgm_long_csv_find_columns(const ws_span *cells, uint32_t n, int32_t column[COLUMNS])
{
    for (int i = 0; i < COLUMNS; i++)
        column[i] = -1;
    for (uint32_t c = 0; c < n; c++) {
        char buffer[WS_PLAIN_NAME];
        ws_span plain = ws_plain_name(buffer, cells[c]);
        for (size_t i = 0; i < sizeof names / sizeof *names; i++)
            if (ws_span_eq(plain, names[i].name) && column[names[i].column] < 0)
                column[names[i].column] = (int32_t)c;
    }
    return column[GPU] >= 0 && column[TIME] >= 0 && column[FIELD] >= 0 && column[VALUE] >= 0;
}

static ws_span cell_of(const long_reader *r, const ws_row *row, int which)
{
    int32_t column = r->column[which];
    return column >= 0 && (uint32_t)column < row->n_cells ? row->cells[column] : (ws_span){"", 0};
}

/* Fields take turns, so that the one behind the last is likely to come next. */
static const field_word *find_field(long_reader *r, ws_span word)
{
    for (size_t i = 1; i <= r->n_words; i++) {
        size_t at = r->last_word + i < r->n_words ? r->last_word + i : r->last_word + i - r->n_words;
        if (ws_span_same(word, r->words[at].word)) {
            r->last_word = at;
            return &r->words[at];
        }
    }
    const ws_dcgm_field *field = ws_dcgm_field_find(word);
    field_word *added = &r->words[r->n_words];
    *added = (field_word){.field = field,
                          .unit = field ? ws_dcgm_unit(field) : NULL,
                          .name = field ? ws_feed_name(&r->feed, word) : NULL};
    if (r->n_words < FIELD_WORDS) {
        const char *kept = ws_arena_strndup(&r->feed.arena, word.p, word.n);
        added->word = (ws_span){kept, word.n};
        r->last_word = r->n_words++;
    }
    return added;
}

static double read_value(long_reader *r, const ws_row *row, const field_word *field)
{
    double written;
    ws_span cell = cell_of(r, row, VALUE);
    if (ws_span_double(cell, &written) && ws_dcgm_is_blank(field->field->quantity, written))
        return NAN;
    return ws_feed_number(&r->feed, cell, field->field->quantity, field->unit, field->field->name, row->line);
}

static ws_status push(long_reader *r, const ws_row *row, const field_word *field, int64_t t_ns, ws_error *error)
{
    ws_feed_key key = {.node = cell_of(r, row, NODE),
                       .id = cell_of(r, row, GPU),
                       .identity = "index",
                       .number = -1,
                       .domain = WS_GPU,
                       .quantity = field->field->quantity,
                       .column = field->name,
                       .preference = field->field->preference,
                       .time = r->stamps.base};
    ws_span_i64(key.id, &key.number);
    ws_feed_reading reading = {.t_ns = t_ns, .value = read_value(r, row, field), .line = row->line};
    return ws_feed_push(&r->feed, &key, &reading, error);
}

static ws_status dcgm_long_csv_take_data(long_reader *r, const ws_row *row, ws_error *error)
{
    int64_t t_ns;
    const field_word *field = find_field(r, cell_of(r, row, FIELD));
    ws_span stamp = cell_of(r, row, TIME);
    ws_finding why;
    bool is_misfit = ws_row_is_misfit(row, r->n_columns, &why);
    if (is_misfit || !cell_of(r, row, GPU).n) {
        ws_notes_add(r->feed.notes, is_misfit ? why : WS_FINDING_SHORT_ROW, r->feed.source, "", row->line,
                     "a row that is not GPU, time, field and value was left out");
        return WS_OK;
    }
    if (!field->field)
        return WS_OK;
    if (!ws_timecol_settle(&r->stamps, stamp) || !ws_timecol_read(&r->stamps, stamp, &t_ns)) {
        ws_notes_add(r->feed.notes, WS_FINDING_BAD_STAMP, r->feed.source, "", row->line, "no stamp: '%.*s'",
                     stamp.n > 80 ? 80 : (int)stamp.n, stamp.p);
        return WS_OK;
    }
    r->n_used++;
    return push(r, row, field, t_ns, error);
}

static ws_status dcgm_long_csv_take_row(void *state, const ws_row *row, ws_error *error)
{
    long_reader *r = state;
    int32_t column[COLUMNS];
    if (ws_row_may_name(row, NAMES) && dcgm_long_csv_find_columns(row->cells, row->n_cells, column)) {
        for (int i = 0; i < COLUMNS; i++)
            r->column[i] = column[i];
        r->n_columns = row->n_cells;
        if (r->has_header)
            ws_notes_add(r->feed.notes, WS_FINDING_REPEATED_HEADER, r->feed.source, "", row->line,
                         "the header is repeated inside the file");
        r->has_header = true;
        return WS_OK;
    }
    if (!r->has_header)
        return ws_fail_at(error, WS_FORMAT, r->feed.source, row->line,
                          "no header with GPU, time, field and value before this row");
    return dcgm_long_csv_take_data(r, row, error);
}

static ws_status dcgm_long_csv_take_rows(long_reader *r, ws_rows *rows, ws_error *error)
{
    ws_status status = ws_rows_take(rows, dcgm_long_csv_take_row, r, error);
    if (status == WS_OK)
        status = ws_feed_flush(&r->feed, error);
    if (status == WS_OK && !r->n_used)
        status = ws_fail_at(error, WS_DATA, r->feed.source, 0, "no row with a field of DCGM that is known here");
    return status;
}

static ws_status read_long(ws_input *input, const ws_read_options *options, const ws_sink *sink, ws_notes *notes,
                           ws_error *error)
{
    ws_rows *rows;
    long_reader r = {.stamps.zone = options->zone};
    ws_feed_init(&r.feed, ws_input_path(input), sink, notes);
    ws_status status = ws_rows_open(&rows, input, ',', &options->rows, error);
    if (status == WS_OK)
        status = dcgm_long_csv_take_rows(&r, rows, error);
    ws_rows_close(rows);
    ws_feed_free(&r.feed);
    return status;
}

static int score_dcgm_long_csv(const char *path, ws_span head)
{
    (void)path;
    enum { MOST = 32 };
    ws_span line, cells[MOST];
    int32_t column[COLUMNS];
    uint32_t n = 0;
    bool has_field = false;
    if (!ws_span_split(&head, '\n', &line))
        return 0;
    while (n < MOST && ws_span_split(&line, ',', &cells[n])) {
        cells[n] = ws_span_trim(cells[n]);
        n++;
    }
    if (!dcgm_long_csv_find_columns(cells, n, column))
        return 0;
    while (!has_field && ws_span_split(&head, '\n', &line))
        for (int32_t c = 0; ws_span_split(&line, ',', &cells[0]); c++)
            has_field |= c == column[FIELD] && ws_dcgm_field_find(ws_span_trim(cells[0])) != NULL;
    return has_field ? 93 : 0;
}

const ws_format ws_format_dcgm_long_csv = {
    .name = "dcgm-csv",
    .title = "log of an NVIDIA DCGM client, a row a reading: GPU, time, field, value",
    .example = "GPUId,TimeStampUs,Field,Values\n0,1770796800120331,power_usage_instant,251.20",
    .tier = 2,
    .gives = WS_GIVES_POWER | WS_GIVES_COUNTER | WS_GIVES_UTIL | WS_GIVES_MEM_UTIL | WS_GIVES_MEM_USED |
             WS_GIVES_CLOCK | WS_GIVES_TEMP | WS_GIVES_LIMIT,
    .tried = WS_TRIED_REAL,
    .score = score_dcgm_long_csv,
    .read = read_long,
};
