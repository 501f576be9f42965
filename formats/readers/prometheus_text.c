/* Pages of exporters as Prometheus scrapes them, one below the other, as `curl .../metrics >>log` leaves them in a
 * loop:
 *
 *   # HELP node_rapl_package_joules_total Current RAPL package value in joules
 *   # TYPE node_rapl_package_joules_total counter
 *   node_rapl_package_joules_total{index="0",path="/sys/class/powercap/intel-rapl:0"} 258218.293244
 *   node_time_seconds 1.7707968005e+09
 *
 * A page ends where a series comes again, at "# EOF" of OpenMetrics, or at a line with a date. Its time is the
 * sample's own, which the format allows behind the value (ms; seconds in OpenMetrics), that of a line with a date
 * above it, or node_exporter's node_time_seconds. Which metrics are read, and whose they are: prometheus_metric.h.
 *
 * A device may have several series in a page that differ in other labels, as a GPU has one for each of its instances
 * (GPU_I_ID) and for each pod that shares it: the first counts.
 * */
#include "formats/readers/dcgm_field.h"
#include "formats/readers/prometheus_metric.h"
#include "formats/table/date_lines.h"
#include "formats/table/row_trace.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST_LABELS = 64, MOST_IN_PAGE = 4096 };

/* --- one line --- */

typedef struct prom_label {
    const char *name, *text;
} prom_label;

typedef struct prom_line {
    const char *name; /* texts in the arena */
    prom_label labels[MOST_LABELS + 1];
    size_t n;
    ws_span head; /* name and labels as they stand; of the line, as the next two */
    ws_span value, stamp;
} prom_line;

static const char *text_of_label(const void *labels, const char *name)
{
    const prom_line *line = labels;
    for (size_t i = 0; i < line->n; i++)
        if (strcmp(line->labels[i].name, name) == 0)
            return line->labels[i].text;
    return "";
}

static size_t name_length(ws_span text)
{
    size_t n = 0;
    while (n < text.n && (text.p[n] == '_' || text.p[n] == ':' || (text.p[n] >= '0' && text.p[n] <= '9') ||
                          ((text.p[n] | 32) >= 'a' && (text.p[n] | 32) <= 'z')))
        n++;
    return n;
}

/* The end of a text that begins behind its quote. */
static size_t text_length(ws_span text)
{
    size_t n = 0;
    while (n < text.n && text.p[n] != '"')
        n += text.p[n] == '\\' ? 2 : 1;
    return n;
}

/* "{a="b",c="d"} ..." off the front of *rest. */
static bool take_labels(ws_arena *arena, ws_span *rest, prom_line *l)
{
    while (rest->n && *rest->p != '}') {
        rest->p++, rest->n--; /* { or , */
        while (rest->n && *rest->p == ' ')
            rest->p++, rest->n--;
        size_t name = name_length(*rest);
        if (rest->n && *rest->p == '}')
            break;
        if (!name || name + 2 >= rest->n || rest->p[name] != '=' || rest->p[name + 1] != '"')
            return false;
        ws_span text = {rest->p + name + 2, rest->n - name - 2};
        size_t length = text_length(text);
        if (length >= text.n)
            return false;
        if (l->n < MOST_LABELS && arena)
            l->labels[l->n++] =
                (prom_label){ws_arena_strndup(arena, rest->p, name), ws_arena_strndup(arena, text.p, length)};
        *rest = (ws_span){text.p + length + 1, text.n - length - 1};
    }
    if (!rest->n)
        return false;
    rest->p++, rest->n--;
    return true;
}

/* NULL arena: only looks. */
static bool read_series(ws_arena *arena, ws_span line, prom_line *l)
{
    line = ws_span_trim(line);
    size_t name = name_length(line);
    ws_span rest = {line.p + name, line.n - name};
    double value;
    l->n = 0;
    if (!name || !rest.n || !ws_prom_is_known((ws_span){line.p, name}) ||
        (*rest.p == '{' && !take_labels(arena, &rest, l)))
        return false;
    l->head = (ws_span){line.p, (size_t)(rest.p - line.p)};
    if (!ws_span_word(&rest, &l->value))
        return false;
    l->stamp = (ws_span){"", 0};
    ws_span_word(&rest, &l->stamp);
    l->name = arena ? ws_arena_strndup(arena, line.p, name) : "";
    return arena || ws_span_double(l->value, &value) || ws_span_is_missing(l->value);
}

/* --- a page --- */

typedef struct prom_sample {
    ws_prom_about about;
    const char *column, *head; /* the metric; the metric and its labels as they stand */
    int64_t own_ns, line;
    int64_t group; /* how many comments stood in front of it in the page */
    bool has_own;
    bool is_repeated; /* another series of the device counts */
    double value;
} prom_sample;

/* Series of a device behind its first one in a page: those of the instances of a GPU are that of the card, and others
 * are of another device, which nothing tells apart. Of the whole file. */
typedef struct prom_repeated {
    uint64_t n, n_other;
    int64_t line; /* of the first */
    char name[128];
} prom_repeated;

typedef struct prom_pages {
    prom_sample *samples;
    size_t n, capacity;
    ws_arena arena; /* of the page */
    ws_timecol own; /* stamps behind values */
    int64_t date_ns, clock_ns, pages, group;
    prom_repeated repeated;
    ws_time_base date_base;
    bool has_date, date_is_new, has_clock, has_stamps;
} prom_pages;

static bool is_same(const prom_sample *a, const prom_sample *b)
{
    return strcmp(a->column, b->column) == 0 && strcmp(a->about.id, b->about.id) == 0 &&
           strcmp(a->about.node, b->about.node) == 0 && strcmp(a->about.part, b->about.part) == 0 &&
           a->about.domain == b->about.domain;
}

/* The parts of a device as one: what has the same channel and time. */
static void add_parts(prom_pages *p)
{
    for (size_t i = 0; i < p->n; i++) {
        for (size_t j = i + 1; j < p->n && *p->samples[i].about.part && !p->samples[i].is_repeated;) {
            prom_sample whole = p->samples[j];
            whole.about.part = p->samples[i].about.part;
            if (whole.is_repeated || !is_same(&p->samples[i], &whole)) {
                j++;
                continue;
            }
            p->samples[i].value += p->samples[j].value;
            memmove(&p->samples[j], &p->samples[j + 1], (--p->n - j) * sizeof *p->samples);
        }
    }
}

static bool page_time(ws_row_trace *t, prom_pages *p, int64_t *t_ns, ws_time_base *base)
{
    bool has_time = true;
    if (p->has_date && p->date_is_new)
        *t_ns = p->date_ns, *base = p->date_base;
    else if (p->has_clock)
        *t_ns = p->clock_ns, *base = WS_TIME_UTC;
    else if (p->has_stamps)
        has_time = false;
    else
        *t_ns = ws_period_time(t->options, p->pages, base);
    p->has_stamps |= p->has_date || p->has_clock;
    p->pages++;
    return has_time;
}

static ws_status push_sample(ws_row_trace *t, const prom_sample *s, int64_t t_ns, ws_time_base base, ws_error *error)
{
    ws_samples_key key = ws_prom_key(&t->samples, &s->about, s->column, s->has_own ? WS_TIME_UTC : base);
    ws_samples_reading reading = {.t_ns = s->has_own ? s->own_ns : t_ns, .value = s->value, .line = s->line};
    return ws_samples_push(&t->samples, &key, &reading, error);
}

static ws_status end_page(ws_row_trace *t, ws_error *error)
{
    prom_pages *p = t->state;
    int64_t t_ns = 0;
    ws_time_base base = WS_TIME_NONE;
    ws_status status = WS_OK;
    ws_prom_sources sources = {.n = 0};
    if (!p->n)
        return WS_OK;
    add_parts(p);
    bool has_time = page_time(t, p, &t_ns, &base);
    for (size_t i = 0; i < p->n; i++)
        ws_prom_sources_add(&sources, &p->samples[i].about);
    for (size_t i = 0; i < p->n && status == WS_OK; i++) {
        prom_sample *s = &p->samples[i];
        if (s->is_repeated)
            continue;
        ws_prom_leave_out(&sources, &s->about, s->column, &p->arena, t->samples.source, t->samples.notes);
        if (has_time || s->has_own)
            status = push_sample(t, s, t_ns, base, error);
    }
    if (!has_time && !p->samples[0].has_own)
        ws_notes_add(t->samples.notes, WS_FINDING_BAD_STAMP, t->samples.source, "", p->samples[0].line,
                     "a page has no time, as others have (a date above it or node_time_seconds), and was left out");
    ws_prom_sources_free(&sources);
    p->n = 0;
    p->group = 0;
    p->has_clock = p->date_is_new = false;
    ws_arena_free(&p->arena);
    return status;
}

/* --- lines --- */

static double read_value(ws_row_trace *t, const prom_line *l, const ws_prom_about *about)
{
    double written;
    if (about->family == WS_PROM_DCGM && ws_span_double(l->value, &written) &&
        ws_dcgm_is_blank(about->quantity, written))
        return NAN;
    return ws_samples_number(&t->samples, l->value, about->quantity, about->unit, l->name, t->line);
}

/* The first series of its device in the page, NULL where it is that. */
static const prom_sample *find_first(const prom_pages *p, const prom_sample *sample)
{
    for (size_t i = 0; i < p->n; i++)
        if (is_same(&p->samples[i], sample))
            return &p->samples[i];
    return NULL;
}

static bool comes_again(const prom_pages *p, const prom_sample *sample)
{
    for (size_t i = 0; i < p->n; i++)
        if (strcmp(p->samples[i].head, sample->head) == 0)
            return true;
    return false;
}

/* All lines of a metric stand together in a page, so that with comments or a date between pages a device's further
 * series is of the same one. Without them it may be a later page's, under another pod, unless its value is the same. */
static bool is_of_page_of(const prom_pages *p, const prom_sample *first, const prom_sample *sample)
{
    if (first->has_own && sample->has_own)
        return first->own_ns == sample->own_ns;
    bool is_equal = first->value == sample->value || (isnan(first->value) && isnan(sample->value));
    return first->group == p->group && (p->group || (p->has_date && p->date_is_new) || is_equal);
}

static void count_repeated(prom_pages *p, const prom_sample *first, prom_sample *sample)
{
    prom_repeated *r = &p->repeated;
    sample->is_repeated = true;
    if (!ws_quantity_gives_energy(sample->about.quantity))
        return;
    if (!r->n++) {
        r->line = sample->line;
        snprintf(r->name, sizeof r->name, "%s", sample->column);
    }
    r->n_other += fabs(sample->value - first->value) > 0;
}

static bool read_sample(ws_row_trace *t, prom_pages *p, ws_span line, prom_sample *sample)
{
    prom_line l;
    *sample = (prom_sample){.line = t->line, .group = p->group};
    if (!read_series(&p->arena, line, &l) || !ws_prom_find(&p->arena, l.name, text_of_label, &l, &sample->about))
        return false;
    sample->column = l.name;
    sample->head = ws_arena_strndup(&p->arena, l.head.p, l.head.n);
    sample->value = read_value(t, &l, &sample->about);
    sample->has_own = l.stamp.n && ws_timecol_settle(&p->own, l.stamp) &&
                      ws_timecol_read(&p->own, l.stamp, &sample->own_ns) && p->own.base == WS_TIME_UTC;
    return true;
}

static ws_status take_series(ws_row_trace *t, prom_pages *p, ws_span line, ws_error *error)
{
    prom_sample sample;
    ws_status status = WS_OK;
    if (!read_sample(t, p, line, &sample))
        return WS_OK;
    const prom_sample *first = find_first(p, &sample);
    if (first && !comes_again(p, &sample) && is_of_page_of(p, first, &sample))
        count_repeated(p, first, &sample);
    else if (first) {
        status = end_page(t, error); /* takes the texts of the line with it */
        read_sample(t, p, line, &sample);
    }
    if (p->n == MOST_IN_PAGE)
        return ws_fail_at(error, WS_FORMAT, t->samples.source, t->line, "one page has more than %d series",
                          MOST_IN_PAGE);
    p->has_stamps |= sample.has_own;
    p->samples = ws_grow(p->samples, &p->capacity, p->n + 1, sizeof *p->samples);
    p->samples[p->n++] = sample;
    return status;
}

/* "node_time_seconds 1.7707968005e+09" */
static bool take_clock(prom_pages *p, ws_span line)
{
    double seconds;
    ws_span rest = line, word;
    if (!ws_span_word(&rest, &word) || !ws_span_eq(word, "node_time_seconds") || !ws_span_word(&rest, &word) ||
        !ws_span_double(word, &seconds) || !(seconds > 1e9 && seconds < 7e9))
        return false;
    p->clock_ns = llround(seconds * 1e6) * 1000;
    p->has_clock = true;
    return true;
}

/* A date alone, as `date` prints it above each page, also behind a "#". */
static bool is_date(ws_span line, ws_span *stamp)
{
    bool is_name = *line.p == '_' || ((*line.p | 32) >= 'a' && (*line.p | 32) <= 'z' && name_length(line) > 4);
    if (is_name || ws_span_has_prefix(line, "# HELP") || ws_span_has_prefix(line, "# TYPE"))
        return false;
    while (line.n && (*line.p == '#' || *line.p == ' '))
        line.p++, line.n--;
    return ws_text_is_date_line(line, stamp);
}

static void take_date(ws_row_trace *t, prom_pages *p, ws_span stamp)
{
    if (t->stamps.form == WS_STAMP_NONE)
        ws_timecol_settle(&t->stamps, stamp);
    p->has_date = p->date_is_new = ws_timecol_read(&t->stamps, stamp, &p->date_ns);
    p->date_base = t->stamps.base;
}

static ws_status prometheus_text_take_line(ws_row_trace *t, const ws_row *row, ws_error *error)
{
    ws_span line = *row->cells;
    prom_pages *p = t->state;
    line = ws_span_trim(line);
    if (ws_row_trace_is_cut(t))
        return WS_OK;
    ws_span stamp;
    bool has_date = is_date(line, &stamp);
    if (has_date || ws_span_eq(line, "# EOF")) {
        ws_status status = end_page(t, error);
        if (has_date)
            take_date(t, p, stamp);
        return status;
    }
    p->group += *line.p == '#';
    return *line.p == '#' || take_clock(p, line) ? WS_OK : take_series(t, p, line, error);
}

static void note_repeated(const prom_repeated *r, const char *source, ws_notes *notes)
{
    if (2 * r->n_other > r->n)
        ws_notes_add_many(notes, r->n_other, WS_FINDING_SHARED_STAMPS, source, r->name, r->line,
                          "readings of '%s' at one time differ, and no label tells their devices apart: the first of "
                          "each time counts, and the energy lacks the others",
                          r->name);
    ws_notes_add_many(notes, r->n, WS_FINDING_DUPLICATE_SERIES, source, r->name, r->line,
                      "a device has two series of '%s' at one time, as for the instances of a GPU: the first counts",
                      r->name);
}

static ws_status read_prometheus_text(ws_input *input, const ws_read_options *options, const ws_sink *sink,
                                      ws_notes *notes, ws_error *error)
{
    prom_pages pages = {.n = 0};
    static const ws_row_trace_kind kind = {.delimiter = WS_LINES,
                                           .holds_rows_alone = true,
                                           .take = prometheus_text_take_line,
                                           .end = end_page,
                                           .what = "no metric of an exporter that is known here"};
    ws_status status = ws_row_trace_read(&kind, input, options, sink, notes, &pages, error);
    note_repeated(&pages.repeated, ws_input_path(input), notes);
    free(pages.samples);
    ws_arena_free(&pages.arena);
    return status;
}

/* "name{labels} value" of any metric, or what may stand between such lines. */
static bool is_of_page(ws_span line)
{
    ws_span rest, value, stamp;
    prom_line l = {.n = 0};
    double number;
    line = ws_span_trim(line);
    size_t name = name_length(line);
    if (!line.n || *line.p == '#' || is_date(line, &stamp))
        return true;
    rest = (ws_span){line.p + name, line.n - name};
    return name && rest.n && (*rest.p != '{' || take_labels(NULL, &rest, &l)) && ws_span_word(&rest, &value) &&
           (ws_span_double(value, &number) || ws_span_is_missing(value) || ws_span_has_suffix(value, "Inf"));
}

/* A page of Markdown shows such lines, too, between others. node_exporter's pages of large nodes have their power
 * behind the head. */
static int score_prometheus_text(const char *path, ws_span head)
{
    (void)path;
    ws_span line, all = head;
    prom_line l;
    while (ws_span_split(&head, '\n', &line) && (is_of_page(line) || (!head.n && all.n == WS_HEAD_SIZE)))
        if (read_series(NULL, line, &l))
            return 94;
    return !head.n && all.n == WS_HEAD_SIZE && ws_span_contains(all, "\nnode_cpu_seconds_total{") ? 90 : 0;
}

const ws_format ws_format_prometheus_text = {
    .name = "prometheus-text",
    .title = "pages of node_exporter, Kepler, Scaphandre, DCGM's and other exporters, one below the other",
    .example = "node_rapl_package_joules_total{index=\"0\",path=\"/sys/class/powercap/intel-rapl:0\"} 258218.293244",
    .tier = 3,
    .gives = WS_GIVES_POWER | WS_GIVES_COUNTER | WS_GIVES_UTIL | WS_GIVES_MEM_UTIL | WS_GIVES_MEM_USED |
             WS_GIVES_CLOCK | WS_GIVES_TEMP | WS_GIVES_LIMIT,
    .tried = WS_TRIED_HAND_MADE,
    .score = score_prometheus_text,
    .read = read_prometheus_text,
};
