#include "analyze/ingest/path_endings.h"

#include "core/text.h"

#include <ctype.h>
#include <string.h>

static size_t without_compression(const char *name, size_t n)
{
    static const char *const endings[] = {".gz", ".zst", ".xz", ".bz2"};
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        size_t length = strlen(endings[i]);
        if (n > length && strncmp(name + n - length, endings[i], length) == 0)
            return n - length;
    }
    return n;
}

size_t ws_path_stem(const char *path, size_t n)
{
    size_t end = without_compression(path, n), dot = end;
    while (dot > 0 && path[dot - 1] != '.' && path[dot - 1] != '/')
        dot--;
    bool has_ending = dot > 1 && path[dot - 1] == '.' && path[dot - 2] != '/';
    return has_ending ? dot - 1 : end;
}

/* "power.log.1", "power.log-20260418". */
size_t ws_path_before_rotation(const char *path)
{
    enum { MOST_COUNTED = 3, DATE = 8 };
    static const char *const endings[] = {".log", ".csv", ".txt", ".out", ".tsv", ".dat", ".json", ".jsonl"};
    size_t n = without_compression(path, strlen(path)), digits = 0;
    while (digits < n && isdigit((unsigned char)path[n - 1 - digits]))
        digits++;
    char sign = digits && digits < n ? path[n - 1 - digits] : '\0';
    bool fits = (sign == '.' && digits <= MOST_COUNTED) || ((sign == '.' || sign == '-') && digits >= DATE);
    ws_span front = {path, fits ? n - digits - 1 : 0};
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
        if (front.n > strlen(endings[i]) && ws_span_has_suffix(front, endings[i]))
            return front.n;
    return 0;
}

const char *ws_path_without_raw(ws_arena *arena, const char *text)
{
    static const char signs[] = "_-. ";
    const char *raw = strstr(text, "raw");
    while (raw && !((raw == text || strchr(signs, raw[-1])) && strchr(signs, raw[3])))
        raw = strstr(raw + 1, "raw");
    if (!raw)
        return text;
    bool is_middle = raw[3] && (raw == text || strchr("_- ", raw[3]));
    return ws_arena_printf(arena, "%.*s%s", (int)(raw - text - (!is_middle && raw > text)), text, raw + 3 + is_middle);
}
