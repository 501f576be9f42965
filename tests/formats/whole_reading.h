/* Everything that a reader says about some bytes as one text, to compare its ways of cutting lines. */
#ifndef WS_TESTS_WHOLE_READING_H
#define WS_TESTS_WHOLE_READING_H

#include "core/arena.h"
#include "formats/format.h"
#include "formats/recorder.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static inline void say_notes(FILE *out, const ws_notes *notes)
{
    for (size_t i = 0; i < notes->n; i++) {
        const ws_note *n = &notes->items[i];
        fprintf(out, "note %s|%s|%s|%" PRId64 "|%" PRIu64 "|%s\n", ws_finding_code(n->finding), n->source, n->subject,
                n->line, n->count, n->text);
    }
}

static inline void say_trace(FILE *out, const recorder *r)
{
    for (size_t i = 0; i < r->n; i++) {
        const recorded *c = &r->channels[i];
        fprintf(out, "channel %s|%s|%s|%s|%s|%d|%d|%d|%d|%g\n", c->channel.run, c->channel.node, c->channel.device,
                c->channel.device_id, c->channel.column, (int)c->channel.quantity, (int)c->channel.rule,
                (int)c->channel.time, c->channel.preference, c->channel.counter_range_j);
        for (size_t s = 0; s < c->n; s++)
            fprintf(out, "%" PRId64 " %" PRId64 " %a %" PRId64 "\n", c->t_ns[s], c->interval_ns[s], c->value[s],
                    c->line[s]);
    }
    for (size_t i = 0; i < r->n_facts; i++)
        fprintf(out, "fact %s|%s|%s|%a\n", r->facts[i].device, r->facts[i].key,
                r->facts[i].text ? r->facts[i].text : "", r->facts[i].number);
}

static inline void say_table(FILE *out, const ws_table *table)
{
    char buffer[WS_DOUBLE_TEXT];
    for (size_t c = 0; c < table->n_columns; c++)
        for (size_t row = 0; row < table->n_rows; row++)
            fprintf(out, "%s:%s\n", table->columns[c].name, ws_table_cell_text(table, c, row, buffer));
}

/* What `format` says about the input with these options to one who leaves out `unwanted` quantities, as bits; closes
 * the input, the caller frees. */
static inline char *read_input_as_text(const ws_format *format, ws_input *input, unsigned unwanted,
                                       const ws_rows_options *rows)
{
    char *text = NULL;
    size_t n = 0;
    FILE *out = open_memstream(&text, &n);
    ws_read_options options = WS_READ_DEFAULTS;
    options.rows = *rows;
    ws_error error = {0};
    if (format->is_record) {
        ws_table table;
        ws_table_init(&table, "record");
        int status = format->read_table(input, &options, &table, &error);
        fprintf(out, "status %d %s\n", status, error.message);
        say_table(out, &table);
        say_notes(out, &table.notes);
        ws_table_free(&table);
    } else {
        recorder r = {.unwanted = unwanted};
        ws_sink sink = recorder_sink(&r);
        int status = format->read(input, &options, &sink, &r.notes, &error);
        fprintf(out, "status %d %s\n", status, error.message);
        say_trace(out, &r);
        say_notes(out, &r.notes);
        recorder_free(&r);
    }
    ws_input_close(input);
    fclose(out);
    return text;
}

static inline char *read_as_text(const ws_format *format, ws_span bytes, unsigned unwanted, const ws_rows_options *rows)
{
    return read_input_as_text(format, ws_input_from_memory("t", bytes.p, bytes.n), unwanted, rows);
}

/* The caller frees what it returns. */
static inline char *compare_texts(const char *got, const char *want, const char *what)
{
    char *difference = NULL;
    size_t same = 0, size;
    while (got[same] && got[same] == want[same])
        same++;
    if (got[same] == want[same])
        return NULL;
    size_t from = same > 60 ? same - 60 : 0;
    FILE *out = open_memstream(&difference, &size);
    fprintf(out, "%s: '%.160s', not '%.160s'", what, got + from, want + from);
    fclose(out);
    return difference;
}

/* The same for a file on disk that threads read in parts. */
static inline char *find_thread_difference(const ws_format *format, const char *path, unsigned unwanted,
                                           const size_t *parts, size_t n_parts)
{
    ws_input *input;
    if (ws_input_open(&input, path, NULL) != WS_OK)
        return NULL;
    char *want = read_input_as_text(format, input, unwanted, &(ws_rows_options){.reader = WS_READER_CSV}),
         *difference = NULL;
    for (size_t p = 0; p < n_parts && !difference; p++) {
        ws_rows_options rows = {.threads = 3, .part = parts[p]};
        char what[100];
        snprintf(what, sizeof what, "%s by threads in parts of %zu", format->name, parts[p]);
        if (ws_input_open(&input, path, NULL) != WS_OK)
            break;
        char *got = read_input_as_text(format, input, unwanted, &rows);
        difference = compare_texts(got, want, what);
        free(got);
    }
    free(want);
    return difference;
}

/* NULL where all ways of cutting lines, in pieces of several sizes, say the same; else what differs, which the caller
 * frees. */
static inline char *find_difference(const ws_format *format, ws_span bytes, unsigned unwanted, const size_t *pieces,
                                    size_t n_pieces)
{
    static const char *const names[] = {"fast", "portable", "csv"};
    char *want = read_as_text(format, bytes, unwanted, &(ws_rows_options){.reader = WS_READER_CSV}), *difference = NULL;
    for (int reader = WS_READER_FAST; reader <= WS_READER_CSV && !difference; reader++) {
        for (size_t p = 0; p < n_pieces && !difference; p++) {
            ws_rows_options rows = {.reader = (ws_reader)reader, .piece = pieces[p]};
            char *got = read_as_text(format, bytes, unwanted, &rows);
            char what[100];
            snprintf(what, sizeof what, "%s by %s in pieces of %zu", format->name, names[reader], pieces[p]);
            difference = compare_texts(got, want, what);
            free(got);
        }
    }
    free(want);
    return difference;
}

#endif
