#include "formats/table/json_file.h"

#include "core/arena.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

static const char *const words[] = {"NaN", "-Infinity", "Infinity"};
enum { WORDS = sizeof words / sizeof *words };

/* The word that begins there, WORDS for none. */
static size_t word_at(ws_span rest)
{
    size_t w = 0;
    while (w < WORDS && !ws_span_has_prefix(rest, words[w]))
        w++;
    return w;
}

static char *copy_without_nan(ws_span bytes, size_t *n)
{
    char *copy = ws_alloc(bytes.n + bytes.n / 3 + 2);
    bool quoted = false;
    *n = 0;
    for (size_t i = 0; i < bytes.n; i++) {
        ws_span rest = {bytes.p + i, bytes.n - i};
        size_t w = quoted ? WORDS : word_at(rest);
        if (w < WORDS) {
            memcpy(copy + *n, "null", 4);
            *n += 4;
            i += strlen(words[w]) - 1;
            continue;
        }
        quoted ^= *rest.p == '"';
        copy[(*n)++] = *rest.p;
        if (quoted && *rest.p == '\\' && rest.n > 1)
            copy[(*n)++] = bytes.p[++i];
    }
    return copy;
}

ws_span ws_json_without_nan(ws_span bytes, char **copy)
{
    *copy = NULL;
    if (!ws_span_contains(bytes, "NaN") && !ws_span_contains(bytes, "Infinity"))
        return bytes;
    size_t n;
    *copy = copy_without_nan(bytes, &n);
    return (ws_span){*copy, n};
}

ws_status ws_json_read(ws_input *input, size_t limit, size_t flags, json_t **root, ws_error *error)
{
    ws_span bytes;
    char *copy;
    json_error_t why;
    ws_status status = ws_input_read_all(input, limit, &bytes, error);
    if (status != WS_OK)
        return status;
    bytes = ws_json_without_nan(bytes, &copy);
    *root = json_loadb(bytes.p, bytes.n, flags, &why);
    free(copy);
    return *root ? WS_OK
                 : ws_fail_at(error, WS_FORMAT, ws_input_path(input), why.line,
                              "is no valid JSON: %s; the file is cut or was edited: export it again", why.text);
}
