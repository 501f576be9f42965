#include "formats/input/lines.h"

#include "core/arena.h"

#include <stdlib.h>
#include <string.h>

enum { LONGEST_LINE = 16 * 1024 * 1024 };

void ws_lines_init(ws_lines *lines, ws_input *input)
{
    ws_span head = ws_input_head(input);
    bool has_lf = head.n && memchr(head.p, '\n', head.n), has_cr = head.n && memchr(head.p, '\r', head.n);
    *lines = (ws_lines){.input = input, .end = has_cr && !has_lf ? '\r' : '\n'};
}

void ws_lines_free(ws_lines *lines)
{
    free(lines->joined);
    *lines = (ws_lines){0};
}

static ws_status lines_keep(ws_lines *lines, ws_span piece, ws_error *error)
{
    if (piece.n > LONGEST_LINE - lines->joined_n)
        return ws_fail_at(error, WS_FORMAT, ws_input_path(lines->input), lines->number + 1,
                          "the line does not end within %d bytes, so this is no text file", LONGEST_LINE);
    lines->joined = ws_grow(lines->joined, &lines->joined_capacity, lines->joined_n + piece.n + 1, 1);
    if (piece.n)
        memcpy(lines->joined + lines->joined_n, piece.p, piece.n);
    lines->joined_n += piece.n;
    return WS_OK;
}

static ws_span lines_finish(ws_lines *lines, ws_span line)
{
    if (line.n && line.p[line.n - 1] == '\r')
        line.n--;
    lines->number++;
    return line;
}

bool ws_lines_at_hand(ws_lines *lines, ws_span *line)
{
    const char *end = lines->rest.n ? memchr(lines->rest.p, lines->end, lines->rest.n) : NULL;
    if (!end)
        return false;
    ws_span whole = {lines->rest.p, (size_t)(end - lines->rest.p)};
    lines->rest = (ws_span){end + 1, lines->rest.n - whole.n - 1};
    *line = lines_finish(lines, whole);
    return true;
}

ws_status ws_lines_next(ws_lines *lines, ws_span *line, ws_error *error)
{
    ws_status status;
    lines->joined_n = 0;
    *line = (ws_span){NULL, 0};
    for (;;) {
        const char *end = lines->rest.n ? memchr(lines->rest.p, lines->end, lines->rest.n) : NULL;
        ws_span piece = {lines->rest.p, end ? (size_t)(end - lines->rest.p) : lines->rest.n};
        if (end) {
            lines->rest = (ws_span){end + 1, lines->rest.n - piece.n - 1};
            if (lines->joined_n == 0) {
                *line = lines_finish(lines, piece);
                return WS_OK;
            }
        }
        if ((status = lines_keep(lines, piece, error)) != WS_OK)
            return status;
        if (end)
            break;
        if ((status = ws_input_read(lines->input, &lines->rest, error)) != WS_OK)
            return status;
        if (lines->rest.n == 0) {
            if (lines->joined_n == 0)
                return WS_OK;
            lines->unfinished = true;
            break;
        }
    }
    *line = lines_finish(lines, (ws_span){lines->joined, lines->joined_n});
    return WS_OK;
}
