/* Counters of HPE Cray nodes, /sys/cray/pm_counters, read again and again:
 *
 *   316 W 1770796800123456 us
 *   3849123 J 1770796800123456 us
 *
 * A counter is a file of one line, and a log is its lines one below the other; which counter it is says the name of
 * the log (power, node_energy, gpu0_power.txt, CRAYPM_accl1_0.txt), or, as grep and tail print it, the line or a
 * line before:
 *
 *   /sys/cray/pm_counters/accel0_power:93 W 1770796800123456 us
 *   ==> /sys/cray/pm_counters/accel0_energy <==
 *
 * power and energy are the node's and hold the others (HPE's documentation of pm_counters); cpu_power is the sum of
 * cpu0_power, cpu1_power ... where a node has these. Energies count from the start of the node. A counter is renewed
 * ten times a second. */
#include "formats/table/columnmap.h"
#include "formats/table/row_trace.h"

#include <stdio.h>
#include <string.h>

enum { NAME = 96 };

typedef struct pm_counter {
    ws_domain domain;
    int64_t number;  /* -1: none */
    bool is_named;   /* the name says what it is */
    bool is_reading; /* a power or an energy, no cap */
} pm_counter;

typedef struct pm_reader {
    char name[NAME]; /* of the counter; the log's until a line gives one */
    bool is_named_inside, is_looked_at;
    bool has_numbered_cpus, has_numbered_accels;
    bool is_domain_noted;
    ws_map map;
    int64_t last_ns[2]; /* of nameless lines, W and J */
    double last[2];
    bool has_last[2];
} pm_reader;

static ws_span letters_of(ws_span word, int64_t *number)
{
    ws_span letters = word;
    while (letters.n && letters.p[letters.n - 1] >= '0' && letters.p[letters.n - 1] <= '9')
        letters.n--;
    *number = -1;
    ws_span_i64((ws_span){word.p + letters.n, word.n - letters.n}, number);
    return letters;
}

static bool find_domain(ws_span letters, ws_domain *domain)
{
    static const struct {
        const char *word;
        ws_domain domain;
    } words[] = {{"accel", WS_GPU},       {"accl", WS_GPU}, {"acc", WS_GPU},  {"gpu", WS_GPU},
                 {"accelerator", WS_GPU}, {"cpu", WS_CPU},  {"mem", WS_DRAM}, {"memory", WS_DRAM}};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (ws_span_eq(letters, words[i].word)) {
            *domain = words[i].domain;
            return true;
        }
    }
    return false;
}

/* "accel0_power", "run7_gpu0_energy", "CRAYPM_pwr_0", "node_power" */
static pm_counter counter_of(const char *name)
{
    char plain[WS_PLAIN_NAME];
    ws_span rest = ws_plain_name(plain, ws_span_of(name)), word;
    pm_counter c = {.domain = WS_NODE, .number = -1, .is_reading = true};
    while (ws_span_split(&rest, '_', &word)) {
        int64_t number;
        ws_span letters = letters_of(word, &number);
        ws_domain domain;
        if (c.domain == WS_NODE && find_domain(letters, &domain))
            c.domain = domain, c.number = number, c.is_named = true;
        c.is_named |= ws_span_eq(letters, "node") || ws_span_eq(letters, "power") || ws_span_eq(letters, "energy") ||
                      ws_span_eq(letters, "pwr");
        c.is_reading &= !ws_span_eq(letters, "cap") && !ws_span_eq(letters, "temp");
    }
    return c;
}

static void set_name(pm_reader *r, ws_span path)
{
    for (size_t i = path.n; i-- > 0;)
        if (path.p[i] == '/') {
            path = (ws_span){path.p + i + 1, path.n - i - 1};
            break;
        }
    snprintf(r->name, sizeof r->name, "%.*s", path.n < NAME ? (int)path.n : NAME - 1, path.p);
}

/* "==> /sys/cray/pm_counters/power <==" */
static bool is_heading(ws_span line, ws_span *path)
{
    line = ws_span_trim(line);
    if (!ws_span_has_prefix(line, "==> ") || !ws_span_has_suffix(line, " <=="))
        return false;
    *path = (ws_span){line.p + 4, line.n - 8};
    return true;
}

typedef struct pm_line {
    ws_span name, stamp;
    double value;
    char unit; /* W or J, 0: another */
} pm_line;

/* "[NAME:]VALUE UNIT STAMP us" */
static bool read_line(ws_span line, pm_line *l)
{
    enum { WORDS = 5 };
    ws_span word[WORDS], rest;
    size_t n = 0;
    for (rest = line; n < WORDS && ws_span_word(&rest, &word[n]);)
        n++;
    if (n < 4 || n == WORDS || !ws_span_eq(word[3], "us"))
        return false;
    l->name = (ws_span){word[0].p, 0};
    for (size_t i = 0; i < word[0].n; i++)
        if (word[0].p[i] == ':')
            l->name = (ws_span){word[0].p, i};
    size_t skip = l->name.n ? l->name.n + 1 : 0;
    int64_t us;
    l->stamp = word[2];
    l->unit = ws_span_eq(word[1], "W") ? 'W' : ws_span_eq(word[1], "J") ? 'J' : '\0';
    return ws_span_double((ws_span){word[0].p + skip, word[0].n - skip}, &l->value) && ws_span_i64(word[2], &us) &&
           us > INT64_C(1000000000000000);
}

static void look(ws_row_trace *t, pm_reader *r)
{
    ws_span head = ws_input_head(t->input);
    r->is_looked_at = true;
    set_name(r, ws_file_stem(t->samples.source));
    r->has_numbered_cpus = ws_span_contains(head, "cpu0_power") || ws_span_contains(head, "cpu0_energy");
    r->has_numbered_accels = ws_span_contains(head, "accel0_power") || ws_span_contains(head, "accel0_energy");
}

/* Lines of one counter lie a tenth of a second apart or are the same: other lines are of several counters. */
static ws_status check_one_counter(ws_row_trace *t, pm_reader *r, const pm_line *l, int64_t t_ns, ws_error *error)
{
    const int64_t shortest_ns = 50 * 1000 * 1000;
    int unit = l->unit == 'J';
    int64_t step_ns = t_ns - r->last_ns[unit];
    bool is_other = r->has_last[unit] && step_ns > -shortest_ns && step_ns < shortest_ns &&
                    (l->value < r->last[unit] || l->value > r->last[unit]);
    r->last_ns[unit] = t_ns;
    r->last[unit] = l->value;
    r->has_last[unit] = true;
    return !is_other ? WS_OK
                     : ws_fail_at(error, WS_FORMAT, t->samples.source, t->line,
                                  "lines of several counters do not say which is which: log them with 'grep . "
                                  "/sys/cray/pm_counters/*', or each counter to a file of its name");
}

static ws_status push_counter(ws_row_trace *t, pm_reader *r, const pm_line *l, int64_t t_ns, ws_error *error)
{
    pm_counter c = counter_of(r->name);
    bool holds_others = c.number < 0 && ((c.domain == WS_CPU && r->has_numbered_cpus) ||
                                         (c.domain == WS_GPU && r->has_numbered_accels));
    bool is_stated = !r->is_named_inside && r->map.gives_domain;
    if (!c.is_reading)
        return WS_OK;
    if (!c.is_named && !is_stated && !r->is_domain_noted) {
        ws_row_trace_note(t, WS_FINDING_ASSUMED_DOMAIN,
                          "neither the lines nor the name of the file say which counter this is: taken for the node's "
                          "(--columns domain=gpu says another):",
                          ws_span_of(r->name));
        r->is_domain_noted = true;
    }
    char id[WS_DOUBLE_TEXT + 8];
    const char *part = c.domain == WS_GPU    ? "accel"
                       : c.domain == WS_CPU  ? "cpu"
                       : c.domain == WS_DRAM ? "memory"
                                             : "node";
    int n = snprintf(id, sizeof id, "%s", part);
    if (c.number >= 0)
        ws_integer_text(id + n, c.number);
    ws_samples_key key = {.id = ws_span_of(id),
                          .identity = "sensor",
                          .number = c.number >= 0 ? c.number : 0,
                          .domain = holds_others ? WS_OTHER
                                    : is_stated  ? r->map.domain
                                                 : c.domain,
                          .quantity = l->unit == 'J' ? WS_ENERGY_COUNTER : WS_POWER,
                          .column = ws_samples_name(&t->samples, ws_span_of(r->name)),
                          .time = t->stamps.base};
    return ws_row_trace_push(t, &key, t_ns, l->value, error);
}

static ws_status pm_take_line(ws_row_trace *t, const ws_row *row, ws_error *error)
{
    ws_span line = *row->cells;
    pm_reader *r = t->state;
    pm_line l;
    ws_span path;
    int64_t t_ns;
    if (!r->is_looked_at)
        look(t, r);
    if (is_heading(line, &path)) {
        set_name(r, path);
        r->is_named_inside = true;
        return WS_OK;
    }
    if (!read_line(line, &l)) {
        bool is_other = ws_span_contains(line, "pm_counters/") || r->is_named_inside; /* freshness, version ... */
        if (!ws_row_trace_is_cut(t) && !is_other)
            ws_row_trace_note(t, WS_FINDING_SKIPPED_LINE, "no reading of a counter:", line);
        return WS_OK;
    }
    if (!l.unit)
        return WS_OK;
    if (!ws_timecol_read(&t->stamps, l.stamp, &t_ns)) {
        ws_row_trace_note(t, WS_FINDING_BAD_STAMP, "no stamp:", l.stamp);
        return WS_OK;
    }
    if (l.name.n) {
        set_name(r, l.name);
        r->is_named_inside = true;
    }
    ws_status status = r->is_named_inside ? WS_OK : check_one_counter(t, r, &l, t_ns, error);
    return status == WS_OK ? push_counter(t, r, &l, t_ns, error) : status;
}

static ws_status read_pm_counters(ws_input *input, const ws_read_options *options, const ws_sink *sink, ws_notes *notes,
                                  ws_error *error)
{
    static const ws_row_trace_kind kind = {.delimiter = WS_LINES,
                                           .form = WS_STAMP_EPOCH,
                                           .holds_rows_alone = true,
                                           .take = pm_take_line,
                                           .what = "no reading of a power or energy counter"};
    pm_reader reader = {.is_looked_at = false};
    ws_status status = ws_map_parse(&reader.map, options->columns, error);
    if (status == WS_OK)
        status = ws_row_trace_read(&kind, input, options, sink, notes, &reader, error);
    ws_map_free(&reader.map);
    return status;
}

static int score_pm_counters(const char *path, ws_span head)
{
    (void)path;
    enum { LINES = 40 };
    ws_span line, name;
    pm_line l;
    for (int i = 0; i < LINES && ws_span_split(&head, '\n', &line); i++) {
        bool is_reading = read_line(line, &l) && l.unit;
        if (is_reading || (is_heading(line, &name) && ws_span_contains(name, "/pm_counters/")))
            return 96;
        if (ws_span_trim(line).n && !ws_span_contains(line, "/pm_counters/"))
            return 0;
    }
    return 0;
}

const ws_format ws_format_pm_counters = {
    .name = "pm-counters",
    .title = "power and energy counters of HPE Cray nodes (/sys/cray/pm_counters)",
    .example = "316 W 1770796800123456 us\n318 W 1770796801123456 us",
    .tier = 2,
    .gives = WS_GIVES_POWER | WS_GIVES_COUNTER,
    .tried = WS_TRIED_HAND_MADE,
    .score = score_pm_counters,
    .read = read_pm_counters,
};
