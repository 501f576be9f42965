/* Series of readings on their way to the sink: one for each run, device, quantity and column of a file. The door for
 * every reader that knows what its columns mean. */
#ifndef WS_FORMATS_SAMPLES_H
#define WS_FORMATS_SAMPLES_H

#include "core/note.h"
#include "core/unit.h"
#include "formats/table/trace_section.h"

/* What a series is about. Texts need only last for the call. */
typedef struct ws_samples_key {
    const char *run;      /* inside a file of several; NULL: none */
    ws_span node, id;     /* id: tells devices of a node and domain apart; none, with "index": the number does */
    const char *identity; /* what kind of id; see ws_channel; NULL: none */
    int64_t number;       /* in the device's name, 3 of "gpu3"; -1: the next free one */
    const char *device;   /* the device's name, good as long as the samples; NULL: by domain and number */
    ws_domain domain;
    ws_quantity quantity;
    const char *column;
    ws_rule rule; /* WS_RULE_NONE: the usual one of the quantity */
    int preference;
    bool counter_from_zero, are_windows; /* see ws_channel */
    ws_energy_status assumed;            /* of the first reading, as in ws_channel */
    bool has_intervals;                  /* its readings state their intervals, even if that of the first one is 0 */
    ws_time_base time;                   /* that of the first reading counts */
} ws_samples_key;

typedef struct ws_samples_reading {
    int64_t t_ns, interval_ns; /* interval_ns 0: not known */
    double value;              /* SI; NaN is missing */
    int64_t line;
} ws_samples_reading;

/* Keeps the readings that wait for the next push; the other members tell series apart. */
typedef struct ws_samples_series {
    ws_lane lane;
    size_t device, next; /* next: the series that followed last time */
    ws_span node, id;
    ws_domain domain;
    ws_quantity quantity;
    const char *run, *column;
    uint64_t hash;
} ws_samples_series;

typedef struct ws_samples {
    const char *source;
    const ws_sink *sink;
    ws_notes *notes;
    const ws_unit *usual[WS_QUANTITY_N]; /* ws_usual_unit of each */
    ws_trace_devices devices;
    ws_samples_series *series;
    uint64_t n_added;         /* readings, also missing ones */
    size_t n, capacity, last; /* last: the series found last; it or the one that followed it is likely to come next */
    size_t *slots;            /* of a hash table by key: place of the series + 1, 0 for an empty slot */
    size_t n_slots;           /* a power of two */
    const char **names;
    size_t n_names, name_capacity;
    bool is_naive_noted;
    ws_arena arena;
} ws_samples;

/* In place: the samples must not be moved afterwards. */
void ws_samples_init(ws_samples *samples, const char *source, const ws_sink *sink, ws_notes *notes);

/* The series of a key, begun if it is new; its number stays good, so that a reader whose rows take turns looks it up
 * once. `interval_ns` and `line` are those of the reading at hand. WS_FORMAT when there are more devices than any
 * machine has, or more series than a file of many runs. */
#define WS_NO_SERIES SIZE_MAX /* of a name with a zero byte: its readings are left out, which is noted */
ws_status ws_samples_begin(ws_samples *samples, const ws_samples_key *key, int64_t interval_ns, int64_t line,
                           size_t *series, ws_error *error);

/* Is there such a series already? */
bool ws_samples_has(ws_samples *samples, const ws_samples_key *key);

/* Adds a reading to a series. */
static inline ws_status ws_samples_add(ws_samples *samples, size_t series, const ws_samples_reading *reading,
                                       ws_error *error)
{
    if (series == WS_NO_SERIES)
        return WS_OK;
    samples->n_added++;
    return ws_lane_add_one(&samples->series[series].lane, reading->t_ns, reading->interval_ns, reading->line,
                           reading->value, error);
}

/* Both at once, for readers of few readings. */
ws_status ws_samples_push(ws_samples *samples, const ws_samples_key *key, const ws_samples_reading *reading,
                          ws_error *error);

/* Series by names of the reader's own, for lines that are read without making a key. They take turns. {0} is empty. */
typedef struct ws_samples_turns {
    struct ws_samples_turn {
        ws_span name; /* in the arena of the samples */
        size_t series;
    } * items;
    size_t n, capacity, next; /* next: the one behind the one found last */
} ws_samples_turns;

/* The place of a name, or WS_NO_TURN. */
#define WS_NO_TURN SIZE_MAX
static inline size_t ws_samples_turn(ws_samples_turns *turns, ws_span name)
{
    for (size_t i = 0; i < turns->n; i++) {
        size_t at = turns->next + i < turns->n ? turns->next + i : turns->next + i - turns->n;
        if (!ws_span_same(name, turns->items[at].name))
            continue;
        turns->next = at + 1 < turns->n ? at + 1 : 0;
        return at;
    }
    return WS_NO_TURN;
}

/* Begins the series of the key under that name, which is not there yet. */
ws_status ws_samples_add_turn(ws_samples *samples, ws_samples_turns *turns, ws_span name, const ws_samples_key *key,
                              const ws_samples_reading *reading, ws_error *error);

/* A copy of the text for ws_samples_key.column, made once. Searches all copies: for a handful of different texts. */
const char *ws_samples_name(ws_samples *samples, ws_span name);

/* Tells the sink a fact about a device that has a series: "gpu.name", "gpu.driver". Nothing where `text` is missing.
 */
void ws_samples_push_text(ws_samples *samples, const ws_samples_key *key, const char *fact, ws_span text);

/* A cell in SI. Its own unit wins over `unit` (NULL: the usual one of the quantity). A cell without a reading is NaN,
 * and so is one that cannot be read, which is noted. */
double ws_samples_odd_number(ws_samples *samples, ws_span cell, ws_quantity quantity, const ws_unit *unit,
                             const char *column, int64_t line);

static inline double ws_samples_number(ws_samples *samples, ws_span cell, ws_quantity quantity, const ws_unit *unit,
                                       const char *column, int64_t line)
{
    double number;
    size_t n = cell.n ? ws_span_decimal(cell, &number) : 0;
    if (!n || n != cell.n) /* nearly all cells are the number alone */
        return ws_samples_odd_number(samples, cell, quantity, unit, column, line);
    unit = unit ? unit : samples->usual[quantity];
    return number * (unit ? unit->to_si : 1);
}

ws_status ws_samples_flush(ws_samples *samples, ws_error *error);
void ws_samples_free(ws_samples *samples);

#endif
