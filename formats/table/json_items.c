#include "formats/table/json_items.h"

#include "core/arena.h"
#include "formats/table/json_file.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

enum { LARGEST_ITEM = 64 * 1024 * 1024 };

void ws_json_items_init(ws_json_items *items, ws_input *input)
{
    *items = (ws_json_items){.input = input, .line = 1};
}

void ws_json_items_free(ws_json_items *items)
{
    free(items->item);
    *items = (ws_json_items){.input = NULL};
}

static ws_status fail(const ws_json_items *items, int64_t line, const char *why, ws_error *error)
{
    return ws_fail_at(error, WS_FORMAT, ws_input_path(items->input), line, "is no valid JSON: %s", why);
}

/* False at the end of the input, or with *status set. */
static bool has_bytes(ws_json_items *items, ws_status *status, ws_error *error)
{
    if (!items->piece.n)
        *status = ws_input_read(items->input, &items->piece, error);
    return *status == WS_OK && items->piece.n;
}

static char take_byte(ws_json_items *items)
{
    char c = *items->piece.p++;
    items->piece.n--;
    items->line += c == '\n';
    return c;
}

/* A line of text, of which `first` was taken, up to its end or the object behind it. */
static ws_status take_text(ws_json_items *items, char first, ws_error *error)
{
    ws_status status = WS_OK;
    items->text[0] = first;
    items->text_n = 1;
    while (has_bytes(items, &status, error) && *items->piece.p != '{' && *items->piece.p != '\n') {
        char c = take_byte(items);
        if (items->text_n < sizeof items->text)
            items->text[items->text_n++] = c;
    }
    items->has_new_text = true;
    if (items->unread)
        ws_unread_text(items->unread, (ws_span){items->text, items->text_n}, items->line);
    return status;
}

/* Up to the brace that opens the next object. */
static ws_status skip_to_item(ws_json_items *items, bool *found, ws_error *error)
{
    ws_status status = WS_OK;
    char before = '\n';
    *found = items->has_new_text = false;
    while (status == WS_OK && has_bytes(items, &status, error) && *items->piece.p != '{') {
        char c = take_byte(items);
        if (strchr(" \t\r\n,[]", c) && c) {
            items->open += c == '[' ? 1 : c == ']' ? -1 : 0;
            before = c == ' ' ? before : c;
            continue;
        }
        if (!items->takes_text || !c)
            return fail(items, items->line, "an object or a list of objects is wanted", error);
        items->open -= before == '['; /* "[2026-02-11 08:00:00]" opens no list */
        status = take_text(items, c, error);
        before = '\n';
    }
    *found = status == WS_OK && items->piece.n > 0;
    return status;
}

/* How deep the object is open behind the next byte, which may stand in a text. */
typedef struct scan {
    int64_t depth;
    bool in_text, is_escaped;
} scan;

static void pass(scan *s, char c)
{
    bool ends_text = s->in_text && c == '"' && !s->is_escaped;
    s->is_escaped = s->in_text && c == '\\' && !s->is_escaped;
    if (s->in_text) {
        s->in_text = !ends_text;
        return;
    }
    s->in_text = c == '"';
    s->depth += c == '{' || c == '[' ? 1 : c == '}' || c == ']' ? -1 : 0;
}

static ws_status collect_item(ws_json_items *items, ws_error *error)
{
    scan s = {.depth = 0};
    ws_status status = WS_OK;
    items->n = 0;
    items->item_line = items->line;
    do {
        if (!has_bytes(items, &status, error)) {
            items->is_cut = status == WS_OK;
            items->n = 0;
            return status;
        }
        if (items->n == LARGEST_ITEM)
            return fail(items, items->item_line, "one object of more than 64 MiB", error);
        items->item = ws_grow(items->item, &items->capacity, items->n + 1, 1);
        items->item[items->n++] = take_byte(items);
        pass(&s, items->item[items->n - 1]);
    } while (s.depth > 0);
    return WS_OK;
}

static ws_status parse_item(ws_json_items *items, json_t **item, ws_error *error)
{
    char *copy;
    json_error_t why;
    ws_span bytes = ws_json_without_nan((ws_span){items->item, items->n}, &copy);
    *item = json_loadb(bytes.p, bytes.n, 0, &why);
    free(copy);
    return *item ? WS_OK : fail(items, items->item_line + why.line - 1, why.text, error);
}

ws_status ws_json_items_next(ws_json_items *items, json_t **item, ws_error *error)
{
    bool found;
    *item = NULL;
    ws_status status = skip_to_item(items, &found, error);
    if (status == WS_OK && found)
        status = collect_item(items, error);
    if (status != WS_OK)
        return status;
    items->is_cut |= !found && items->open > 0;
    return items->is_cut || !found ? WS_OK : parse_item(items, item, error);
}
