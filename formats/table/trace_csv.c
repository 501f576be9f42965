#include "formats/table/trace_csv.h"

#include "core/arena.h"
#include "formats/table/trace_head.h"
#include "formats/table/trace_parallel.h"
#include "formats/table/trace_section.h"

#include <stdlib.h>

static ws_status flush_sections(ws_trace *t, ws_error *error)
{
    ws_status status = WS_OK;
    for (size_t i = 0; i < t->n_sections; i++) {
        ws_status flushed = ws_trace_section_flush(t->sections[i], error);
        status = status == WS_OK ? flushed : status;
    }
    return status;
}

static ws_status read_rows(ws_trace *t, ws_input *input, ws_error *error)
{
    ws_status status =
        ws_trace_may_read_ahead(t, input) ? ws_trace_read_ahead(t, input, error) : ws_trace_take_rows(t, error);
    ws_status flushed = flush_sections(t, status == WS_OK ? error : NULL);
    return status == WS_OK ? flushed : status;
}

static ws_status prepare(ws_trace *t, ws_input *input, ws_error *error)
{
    ws_trace_section *s = ws_trace_section_add(t);
    ws_status status =
        ws_plan_of_head(&s->plan, &t->context, ws_input_head(input), t->delimiter, &t->options->rows, error);
    if (status != WS_OK)
        return status;
    ws_trace_section_start(s);
    if (!s->plan.header)
        t->current = s;
    return ws_rows_open(&t->rows, input, t->delimiter, &t->options->rows, error);
}

static void free_trace(ws_trace *t)
{
    for (size_t i = 0; i < t->n_sections; i++)
        ws_trace_section_free(t->sections[i]);
    free(t->sections);
    ws_line_layouts_free(&t->shapes);
    ws_trace_devices_free(&t->devices);
    ws_rows_close(t->rows);
}

ws_status ws_trace_csv_read(ws_input *input, const ws_read_options *options, const ws_sink *sink, ws_notes *notes,
                            ws_error *error)
{
    ws_map map;
    ws_arena arena = {0};
    ws_status status = ws_map_parse(&map, options->columns, error);
    if (status != WS_OK)
        return status;
    ws_trace t = {.options = options, .sink = sink, .devices.arena = &arena};
    t.delimiter = map.delimiter ? map.delimiter : ws_delimiter_guess(ws_input_head(input));
    t.context = (ws_plan_context){.source = ws_input_path(input),
                                  .map = &map,
                                  .delimiter = t.delimiter,
                                  .zone = options->zone,
                                  .notes = notes,
                                  .arena = &arena};
    t.policy = (ws_row_policy){
        .source = t.context.source, .notes = notes, .last_line = WS_LAST_LINE_ALIKE, .keeps_short = true};
    status = prepare(&t, input, error);
    if (status == WS_OK)
        status = read_rows(&t, input, error);
    free_trace(&t);
    ws_map_free(&map);
    ws_arena_free(&arena);
    return status;
}
