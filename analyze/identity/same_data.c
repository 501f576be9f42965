#include "analyze/identity/same_data.h"

#include "core/name_index.h"
#include "core/unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What is equal comes together, in the order in which it was read. */
static int by_figures(const void *left, const void *right)
{
    const ws_seen_device *a = *(ws_seen_device *const *)left, *b = *(ws_seen_device *const *)right;
    int order = (a->domain > b->domain) - (a->domain < b->domain);
    order = order ? order : (a->start_ns > b->start_ns) - (a->start_ns < b->start_ns);
    order = order ? order : (a->readings.samples > b->readings.samples) - (a->readings.samples < b->readings.samples);
    order =
        order ? order : (a->readings.energy_j > b->readings.energy_j) - (a->readings.energy_j < b->readings.energy_j);
    return order ? order : (a->order > b->order) - (a->order < b->order);
}

static bool are_same(const ws_seen_device *a, const ws_seen_device *b)
{
    return a->domain == b->domain && a->has_date && b->has_date && a->start_ns == b->start_ns &&
           strcmp(a->source, b->source) != 0 &&
           ws_compare_kept_readings(&a->readings, &b->readings) == WS_READINGS_EQUAL;
}

static int by_order(const void *left, const void *right)
{
    const ws_seen_device *a = *(ws_seen_device *const *)left, *b = *(ws_seen_device *const *)right;
    return (a->order > b->order) - (a->order < b->order);
}

/* Spreads and extremes of a power that is shown as it is and of its means over a second are not like for like. */
static void note_domain(const ws_seen_devices *seen, ws_domain domain, ws_notes *notes)
{
    const ws_seen_device *short_one = NULL, *long_one = NULL;
    for (size_t i = 0; i < seen->n; i++) {
        const ws_seen_device *d = seen->items[i];
        if (d->domain != domain || isnan(d->window_s))
            continue;
        short_one = !short_one || d->window_s < short_one->window_s ? d : short_one;
        long_one = !long_one || d->window_s > long_one->window_s ? d : long_one;
    }
    if (short_one && long_one->window_s > 2 * short_one->window_s)
        ws_notes_add(notes, WS_FINDING_SENSORS_DIFFER, long_one->source, long_one->device, 0,
                     "its readings are means over %.3g s, those of %s in %s over %.3g s: lowest and highest powers and "
                     "spreads of the two are not like for like",
                     long_one->window_s, short_one->device, short_one->source, short_one->window_s);
}

void ws_seen_devices_note_sensors(const ws_seen_devices *seen, ws_notes *notes)
{
    for (int d = 0; d < WS_DOMAIN_N; d++)
        note_domain(seen, (ws_domain)d, notes);
}

/* By order: the source that holds the same data, too; NULL: none does. The caller frees the list. */
static const char **find_same_data(ws_seen_devices *seen)
{
    const char **same = ws_alloc((seen->n + 1) * sizeof *same);
    if (seen->n)
        qsort(seen->items, seen->n, sizeof *seen->items, by_figures);
    for (size_t i = 1; i < seen->n; i++) {
        const ws_seen_device *before = seen->items[i - 1], *d = seen->items[i];
        if (are_same(before, d))
            same[d->order] = same[before->order] ? same[before->order] : before->source;
    }
    if (seen->n)
        qsort(seen->items, seen->n, sizeof *seen->items, by_order);
    return same;
}

/* A source whose rows are doubtful. */
typedef struct doubted {
    const char *source;
    ws_finding finding;
} doubted;

typedef struct twice {
    ws_table *table;
    const ws_seen_devices *seen;
    const char *const *same;
    const ws_finding_set *ignored;
    doubted *doubted;
    size_t n_doubted, capacity;
    ws_name_index index; /* of them */
} twice;

typedef struct doubt_search {
    const twice *t;
    const char *source;
} doubt_search;

static bool is_doubted(const void *state, size_t place)
{
    const doubt_search *s = state;
    return strcmp(s->t->doubted[place].source, s->source) == 0;
}

static size_t find_doubted(const twice *t, const char *source)
{
    return ws_name_find(&t->index, ws_name_hash(0, source), is_doubted, &(doubt_search){t, source});
}

static void doubt(twice *t, const char *source, ws_finding finding)
{
    if (ws_finding_set_has(t->ignored, finding) || find_doubted(t, source) != WS_NO_PLACE)
        return;
    ws_name_add(&t->index, ws_name_hash(0, source), t->n_doubted);
    t->doubted = ws_grow(t->doubted, &t->capacity, t->n_doubted + 1, sizeof *t->doubted);
    t->doubted[t->n_doubted++] = (doubted){source, finding};
}

/* Behind those that its verdict has named. */
static void name_finding(ws_table *table, size_t row, ws_finding finding)
{
    const char *code = ws_finding_code(finding);
    size_t column;
    if (!ws_table_find(table, "energy_findings", &column))
        return;
    const char *before = table->columns[column].text[row];
    ws_table_set_text(table, column, row, before ? ws_arena_printf(&table->arena, "%s,%s", before, code) : code);
}

static void doubt_rows(const twice *t, const char *column)
{
    ws_table *table = t->table;
    size_t sources, verdicts;
    if (!t->n_doubted || !ws_table_find(table, column, &sources) || !ws_table_find(table, "energy_verdict", &verdicts))
        return;
    for (size_t row = 0; row < table->n_rows; row++) {
        const char *name = table->columns[sources].text[row], *verdict = table->columns[verdicts].text[row];
        size_t place =
            name && ws_energy_verdict_named(verdict) == WS_ENERGY_VERDICT_OK ? find_doubted(t, name) : WS_NO_PLACE;
        if (place == WS_NO_PLACE)
            continue;
        ws_table_set_text(table, verdicts, row, ws_energy_verdict_name(WS_ENERGY_VERDICT_DOUBTFUL));
        name_finding(table, row, t->doubted[place].finding);
        table->columns[verdicts].detail = false;
    }
}

/* Whoever adds the rows of both counts it twice. */
static void note_same_data(twice *t)
{
    for (size_t i = 0; i < t->seen->n; i++) {
        const ws_seen_device *d = t->seen->items[i];
        if (!t->same[i])
            continue;
        ws_notes_add(&t->table->notes, WS_FINDING_SAME_READINGS, d->source, d->device, 0,
                     "every reading is that of %s at the same time: the same data under two names (%s stand in "
                     "the rows of both)",
                     t->same[i], ws_joules(d->readings.energy_j).text);
        doubt(t, d->source, WS_FINDING_SAME_READINGS);
        doubt(t, t->same[i], WS_FINDING_SAME_READINGS);
    }
}

static double energy_of(const ws_seen_devices *seen, const ws_seen_device *of)
{
    double sum = 0;
    for (size_t i = 0; i < seen->n; i++) {
        const ws_seen_device *d = seen->items[i];
        bool counts = d->owner == of->owner && (of->uuid ? d == of : d->domain == WS_GPU && !d->uuid);
        sum += counts ? d->readings.energy_j : 0;
    }
    return sum;
}

static void note_twice(twice *t, const ws_seen_device *a, const ws_seen_device *b)
{
    ws_notes_add(&t->table->notes, WS_FINDING_MAYBE_MEASURED_TWICE, b->source, b->uuid ? b->device : "", 0,
                 "%s %s: whoever adds their rows counts %s twice ('runs' counts logs of one run once)", a->source,
                 b->uuid ? "reads the same device at the same time"
                         : "has the same readings of the same GPUs at the same time, by more than chance",
                 ws_joules(energy_of(t->seen, b)).text);
    doubt(t, a->source, WS_FINDING_MAYBE_MEASURED_TWICE);
    doubt(t, b->source, WS_FINDING_MAYBE_MEASURED_TWICE);
}

/* But for those of which it is said already, and files without dates, as tools write one beside its export. */
static void note_pair(void *state, const ws_seen_device *const *a, size_t n, const ws_seen_device *b)
{
    twice *t = state;
    if (!b->has_date)
        return;
    for (size_t i = 0; i < n && !t->same[b->order]; i++)
        if (!t->same[a[i]->order])
            note_twice(t, a[i], b);
}

void ws_seen_devices_note_twice(ws_seen_devices *seen, ws_table *table, const char *column,
                                const ws_finding_set *ignored)
{
    const char **same = find_same_data(seen);
    twice t = {.table = table, .seen = seen, .same = same, .ignored = ignored};
    note_same_data(&t);
    ws_seen_devices_pairs(seen, note_pair, &t);
    doubt_rows(&t, column);
    ws_name_index_free(&t.index);
    free(t.doubted);
    free(same);
    ws_seen_devices_free(seen);
}

void ws_seen_devices_note(ws_seen_devices *seen, ws_table *table, const ws_finding_set *ignored)
{
    ws_seen_devices_note_sensors(seen, &table->notes);
    ws_seen_devices_note_twice(seen, table, "source", ignored);
}
