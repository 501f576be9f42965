#include "report/figure/figure_text.h"

#include "report/figure/figure_style.h"
#include "report/utf8.h"

#include <string.h>

#define ASCENT 0.74 /* em, of capitals and what is a little higher */
#define DESCENT 0.22
#define ELLIPSIS "\xe2\x80\xa6"
enum { LONGEST = 400 }; /* code points: no line on paper holds more */

static double fixed_width(void *state, ws_span text, double pt, bool bold)
{
    (void)state;
    size_t points = 0;
    for (size_t i = 0; i < text.n; i++)
        points += ((unsigned char)text.p[i] & 0xc0) != 0x80;
    return (double)points * (bold ? 0.65 : 0.6) * pt * WS_MM_PER_PT;
}

ws_text_measure ws_text_measure_fixed(void)
{
    return (ws_text_measure){NULL, fixed_width, NULL};
}

/* A script begins here: where its text ends, or NULL. */
static const char *script_end(const char *at)
{
    return (*at == '^' || *at == '_') && at[1] == '{' ? strchr(at + 2, '}') : NULL;
}

bool ws_text_next_run(const char **rest, ws_text_run *run)
{
    const char *at = *rest, *end = script_end(at);
    if (!*at)
        return false;
    if (end) {
        *run = (ws_text_run){{at + 2, (size_t)(end - at) - 2}, *at == '^' ? 1 : -1};
        *rest = end + 1;
        return true;
    }
    do
        at++;
    while (*at && !script_end(at));
    *run = (ws_text_run){{*rest, (size_t)(at - *rest)}, 0};
    *rest = at;
    return true;
}

double ws_text_width(const ws_text_measure *measure, const char *text, double pt, bool bold)
{
    double width = 0;
    ws_text_run run;
    while (ws_text_next_run(&text, &run))
        if (run.text.n)
            width += measure->width_mm(measure->state, run.text, run.script ? pt * WS_SCRIPT_SIZE : pt, bold);
    return width;
}

size_t ws_text_missing(const ws_text_measure *measure, const char *text)
{
    size_t missing = 0;
    ws_text_run run;
    while (measure->missing && ws_text_next_run(&text, &run))
        missing += measure->missing(measure->state, run.text);
    return missing;
}

static bool has_script(const char *text, int script)
{
    ws_text_run run;
    while (ws_text_next_run(&text, &run))
        if (run.script == script)
            return true;
    return false;
}

double ws_text_above(const char *text, double pt)
{
    return (has_script(text, 1) ? WS_SCRIPT_UP + WS_SCRIPT_SIZE * ASCENT : ASCENT) * pt * WS_MM_PER_PT;
}

double ws_text_below(const char *text, double pt)
{
    return (has_script(text, -1) ? WS_SCRIPT_DOWN + WS_SCRIPT_SIZE * DESCENT : DESCENT) * pt * WS_MM_PER_PT;
}

const char *ws_text_clean(ws_arena *arena, const char *text)
{
    if (!text)
        return NULL;
    char *clean = ws_arena_alloc(arena, 3 * strlen(text) + 1), *to = clean;
    while (*text) {
        const char *from = text;
        uint32_t point = ws_utf8_next(&text);
        bool is_control = point < 0x20 || (point >= 0x7f && point <= 0x9f) || point == 0x2028 || point == 0x2029;
        const char *written = is_control ? " " : point == WS_NOT_UTF8 ? "\xef\xbf\xbd" : NULL;
        size_t n = written ? strlen(written) : (size_t)(text - from);
        memcpy(to, written ? written : from, n);
        to += n;
    }
    return clean;
}

/* The bytes of the first `points` code points. */
static size_t bytes_of(ws_span text, size_t points)
{
    size_t i = 0;
    while (i < text.n && ((((unsigned char)text.p[i] & 0xc0) == 0x80) || points-- > 0))
        i++;
    return i;
}

static size_t count_points(const char *text, size_t most)
{
    size_t n = 0;
    for (; *text && n <= most; text++)
        n += ((unsigned char)*text & 0xc0) != 0x80;
    return n;
}

/* The first `points` visible code points and an ellipsis, scripts closed again. `to` holds the whole text and that. */
static void write_beginning(char *to, const char *text, size_t points)
{
    ws_text_run run;
    char *out = to;
    while (points && ws_text_next_run(&text, &run)) {
        size_t n = bytes_of(run.text, points);
        ws_span taken = {run.text.p, n};
        for (size_t i = 0; i < n; i++)
            points -= ((unsigned char)taken.p[i] & 0xc0) != 0x80;
        if (run.script)
            memcpy(out, run.script > 0 ? "^{" : "_{", 2), out += 2;
        memcpy(out, taken.p, n), out += n;
        if (run.script)
            *out++ = '}';
    }
    while (out > to && out[-1] == ' ')
        out--;
    strcpy(out, ELLIPSIS);
}

const char *ws_text_fit(ws_arena *arena, const ws_text_measure *measure, const char *text, double pt, bool bold,
                        double room_mm)
{
    size_t points = count_points(text, LONGEST);
    if (points <= LONGEST && ws_text_width(measure, text, pt, bold) <= room_mm)
        return text;
    if (ws_text_width(measure, ELLIPSIS, pt, bold) > room_mm)
        return "";
    char *cut = ws_arena_alloc(arena, strlen(text) + sizeof ELLIPSIS);
    size_t fits = 0, too_many = points;
    while (too_many - fits > 1) {
        size_t middle = fits + (too_many - fits) / 2;
        write_beginning(cut, text, middle);
        *(ws_text_width(measure, cut, pt, bold) <= room_mm ? &fits : &too_many) = middle;
    }
    write_beginning(cut, text, fits);
    return cut;
}

/* May a line end before text[end]? A unit stays with the stroke before it, as in "Energy / kWh". */
static bool may_break(const char *text, size_t end, const char *behind)
{
    return !text[end] || (text[end] == ' ' && text[end - 1] != '/') || strchr(behind, text[end - 1]);
}

/* The longest beginning after which a line may end and that fits; 0 when not even the first word does. */
static size_t line_length(const ws_text_measure *measure, ws_arena *arena, const char *text, double pt, double room_mm,
                          const char *behind)
{
    size_t best = 0, n = strlen(text);
    for (size_t end = 1; end <= n && end < 4 * LONGEST; end++) {
        if (!may_break(text, end, behind))
            continue;
        if (ws_text_width(measure, ws_arena_strndup(arena, text, end), pt, false) > room_mm)
            break;
        best = end;
    }
    return best;
}

size_t ws_text_wrap(ws_arena *arena, const ws_text_measure *measure, const char *text, double pt, double room_mm,
                    const char **lines, size_t most)
{
    return ws_text_wrap_behind(arena, measure, text, pt, room_mm, "", lines, most);
}

size_t ws_text_wrap_behind(ws_arena *arena, const ws_text_measure *measure, const char *text, double pt, double room_mm,
                           const char *behind, const char **lines, size_t most)
{
    size_t n = 0;
    while (*text && n < most) {
        size_t length = n + 1 < most ? line_length(measure, arena, text, pt, room_mm, behind) : 0;
        lines[n++] =
            length ? ws_arena_strndup(arena, text, length) : ws_text_fit(arena, measure, text, pt, false, room_mm);
        if (!length)
            break;
        text += length;
        text += strspn(text, " ");
    }
    return n;
}
