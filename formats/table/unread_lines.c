#include "formats/table/unread_lines.h"

/* So many lines of a kind are no summary. */
enum { LEAST_ALIKE = 3 };

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* A number is one sign, whatever it is, and so are bytes that are no text. */
static uint64_t hash_kind(uint64_t hash, ws_span text)
{
    char before = 0;
    for (size_t i = 0; i < text.n; i++) {
        char c = text.p[i];
        if (is_digit(c) || (c == '.' && before == '0'))
            c = '0';
        else if ((unsigned char)c < ' ' || (unsigned char)c > '~')
            c = '\1';
        bool is_same_run = c == before && (c == '0' || c == '\1');
        if (!is_same_run)
            hash = (hash ^ (unsigned char)c) * UINT64_C(0x100000001b3);
        before = c;
    }
    return (hash ^ 0x100) * UINT64_C(0x100000001b3);
}

static ws_line_kind *find_kind(const ws_line_stretch *s, uint64_t hash)
{
    for (size_t i = 0; i < s->n_kinds; i++)
        if (s->kind[i].hash == hash)
            return (ws_line_kind *)&s->kind[i];
    return NULL;
}

static void count_kind(ws_line_stretch *s, uint64_t hash, int64_t line)
{
    ws_line_kind *kind = find_kind(s, hash);
    if (kind)
        kind->count++;
    else if (s->n_kinds < WS_LINE_KINDS)
        s->kind[s->n_kinds++] = (ws_line_kind){hash, 1, line};
}

void ws_unread_line(ws_unread_lines *u, const ws_row *row)
{
    if (row->unfinished)
        return;
    bool is_usual = ws_unread_is_usual(u);
    u->current.n++;
    if (is_usual)
        return;
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (uint32_t c = 0; c < row->n_cells; c++)
        hash = hash_kind(hash, row->cells[c]);
    count_kind(&u->current, hash, row->line);
}

static void clear(ws_line_stretch *s)
{
    s->n = s->n_kinds = 0;
}

void ws_unread_forget(ws_unread_lines *u)
{
    clear(&u->current);
}

void ws_unread_end_stretch(ws_unread_lines *u)
{
    uint64_t n = u->current.n;
    if (!u->has_reading)
        u->start = u->current;
    else {
        for (size_t i = 0; i < u->current.n_kinds && u->n_between < WS_LINES_LOOKED_AT; i++)
            count_kind(&u->between, u->current.kind[i].hash, 0);
        u->n_between += n;
        u->n_places++;
        u->least_between = u->least_between && u->least_between < n ? u->least_between : n;
    }
    u->has_reading = true;
    clear(&u->current);
}

bool ws_unread_has_any(const ws_unread_lines *u)
{
    return u->start.n >= LEAST_ALIKE || u->current.n > 0;
}

double ws_unread_readings_a_line(const ws_unread_lines *u)
{
    return u->n_read ? (double)u->n_read / (double)(u->n_read + u->n_between) : 1;
}

static void note_stretch(const ws_unread_lines *u, const ws_line_stretch *s, double readings_a_line, const char *where,
                         ws_notes *notes, const char *source)
{
    static const double several = 0.75; /* a poll has lines without a reading */
    uint64_t usual = 0, others = 0, most = 0;
    int64_t line = 0;
    for (size_t i = 0; i < s->n_kinds; i++) {
        const ws_line_kind *kind = &s->kind[i];
        if (kind->count < LEAST_ALIKE)
            continue;
        line = line ? line : kind->line;
        bool is_known = find_kind(&u->between, kind->hash) || u->between.n_kinds == WS_LINE_KINDS;
        *(is_known ? &usual : &others) += kind->count;
        most = !is_known && kind->count > most ? kind->count : most;
    }
    uint64_t beyond = usual > u->least_between ? usual - u->least_between : 0;
    double readings = (double)beyond * readings_a_line;
    readings += readings_a_line < several ? (double)most : (double)others * readings_a_line;
    ws_notes_add_many(notes, (uint64_t)readings, WS_FINDING_UNREAD_LINES, source, "", line,
                      "lines that are alike hold no reading %s: a logger that went on without any?", where);
}

void ws_unread_note(const ws_unread_lines *u, double readings_a_line, ws_notes *notes, const char *source)
{
    if (!u->has_reading)
        return;
    note_stretch(u, &u->start, readings_a_line, "before the first one", notes, source);
    note_stretch(u, &u->current, readings_a_line, "behind the last one", notes, source);
}
