#include "report/utf8.h"

#include <stdbool.h>

/* Table 3-7 of the Unicode Standard: well-formed sequences by their first byte. Overlong forms, surrogates and what
 * lies above U+10FFFF have no row. */
static const struct {
    unsigned char first_lo, first_hi, second_lo, second_hi, length;
} sequences[] = {
    {0xc2, 0xdf, 0x80, 0xbf, 2}, {0xe0, 0xe0, 0xa0, 0xbf, 3}, {0xe1, 0xec, 0x80, 0xbf, 3}, {0xed, 0xed, 0x80, 0x9f, 3},
    {0xee, 0xef, 0x80, 0xbf, 3}, {0xf0, 0xf0, 0x90, 0xbf, 4}, {0xf1, 0xf3, 0x80, 0xbf, 4}, {0xf4, 0xf4, 0x80, 0x8f, 4},
};

static uint32_t next_long(const char **at, size_t row)
{
    const unsigned char *p = (const unsigned char *)*at;
    size_t length = sequences[row].length;
    uint32_t point = *p & (0x7fu >> length);
    for (size_t i = 1; i < length; i++) {
        unsigned char lo = i == 1 ? sequences[row].second_lo : 0x80, hi = i == 1 ? sequences[row].second_hi : 0xbf;
        if (p[i] < lo || p[i] > hi) {
            *at += i;
            return WS_NOT_UTF8;
        }
        point = point << 6 | (p[i] & 0x3fu);
    }
    *at += length;
    return point;
}

uint32_t ws_utf8_next(const char **at)
{
    unsigned char first = (unsigned char)**at;
    for (size_t i = 0; first >= 0x80 && i < sizeof sequences / sizeof *sequences; i++)
        if (first >= sequences[i].first_lo && first <= sequences[i].first_hi)
            return next_long(at, i);
    ++*at;
    return first < 0x80 ? first : WS_NOT_UTF8;
}

/* The ranges that matter in names and units, not all of UAX #11. */
static const struct {
    uint32_t lo, hi;
    unsigned width;
} widths[] = {
    {0x0300, 0x036f, 0},   {0x200b, 0x200f, 0}, {0x202a, 0x202e, 0},   {0x2060, 0x2064, 0},   {0x20d0, 0x20ff, 0},
    {0xfe00, 0xfe0f, 0},   {0xfe20, 0xfe2f, 0}, {0xfeff, 0xfeff, 0},   {0x1100, 0x115f, 2},   {0x2e80, 0x303e, 2},
    {0x3041, 0xa4cf, 2},   {0xa960, 0xa97f, 2}, {0xac00, 0xd7a3, 2},   {0xf900, 0xfaff, 2},   {0xfe30, 0xfe6f, 2},
    {0xff00, 0xff60, 2},   {0xffe0, 0xffe6, 2}, {0x1f300, 0x1f64f, 2}, {0x1f680, 0x1f6ff, 2}, {0x1f900, 0x1f9ff, 2},
    {0x20000, 0x3fffd, 2},
};

static size_t point_width(uint32_t point)
{
    if (point < widths[0].lo)
        return 1;
    for (size_t i = 0; i < sizeof widths / sizeof *widths; i++)
        if (point >= widths[i].lo && point <= widths[i].hi)
            return widths[i].width;
    return 1;
}

size_t ws_utf8_width(const char *text)
{
    size_t width = 0;
    while (*text) {
        bool is_ascii = (unsigned char)*text < 0x80;
        width += is_ascii ? 1 : point_width(ws_utf8_next(&text));
        text += is_ascii;
    }
    return width;
}

static bool is_control(uint32_t point)
{
    return point < 0x20 || (point >= 0x7f && point <= 0x9f);
}

void ws_utf8_put(FILE *stream, const char *text, ws_escape *escape)
{
    const char *from = text; /* not written yet */
    while (*text) {
        const char *at = text;
        if (!escape && *at >= ' ' && *at < 0x7f) {
            text++;
            continue;
        }
        uint32_t point = ws_utf8_next(&text);
        const char *written = is_control(point) ? " " : escape ? escape(point, text) : NULL;
        if (!written && point == WS_NOT_UTF8)
            written = "\xef\xbf\xbd";
        if (!written)
            continue;
        fwrite(from, 1, (size_t)(at - from), stream);
        fputs(written, stream);
        from = text;
    }
    fwrite(from, 1, (size_t)(text - from), stream);
}

/* The blocks of scripts from right to left, and the marks, overrides and isolates that turn other text. */
static bool turns_direction(uint32_t point)
{
    static const uint32_t ranges[][2] = {{0x590, 0x8ff},   {0x200f, 0x200f}, {0x202a, 0x202e},   {0x2066, 0x2069},
                                         {0xfb1d, 0xfdff}, {0xfe70, 0xfeff}, {0x10800, 0x10fff}, {0x1e800, 0x1efff}};
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++)
        if (point >= ranges[i][0] && point <= ranges[i][1])
            return true;
    return false;
}

const char *ws_isolated(ws_arena *arena, const char *text)
{
    bool is_turned = false;
    for (const char *at = text; *at;)
        is_turned |= turns_direction(ws_utf8_next(&at));
    return is_turned ? ws_arena_printf(arena, "\u2068%s\u2069", text) : text;
}

const char *ws_label_before(ws_arena *arena, const char *label)
{
    return label && *label ? ws_arena_printf(arena, "%s: ", ws_isolated(arena, label)) : "";
}

const char *ws_utf8_shorten(ws_arena *arena, const char *text, size_t most)
{
    const char *at = text, *cut = text;
    for (size_t n = 0; *at && n < most; n++) {
        cut = at;
        ws_utf8_next(&at);
    }
    return *at ? ws_arena_printf(arena, "%.*s\u2026", (int)(cut - text), text) : text;
}
