/* Meters traces that stand in the test: times in seconds, values in SI. */
#ifndef WS_TESTS_ANALYZE_METERING_H
#define WS_TESTS_ANALYZE_METERING_H

#include "harness.h"
#include "note_named.h"

#include "analyze/measure/meter.h"

#include <math.h>

enum { METERING_MOST = 2048 };

/* A trace and how it is metered. */
typedef struct metering {
    ws_rule rule;
    ws_meter_options options;
    double range_j;
    bool from_zero; /* of a counter */
    ws_domain domain;
    size_t n;
    const double *t_s, *value, *interval_s; /* interval_s may be NULL; without t_s the trace has no time */
} metering;

#define COUNT(array) (sizeof(array) / sizeof *(array))

static inline int64_t ns_of(double seconds)
{
    return llround(seconds * 1e9);
}

static inline ws_meter_options window(double start_s, double end_s)
{
    return (ws_meter_options){.has_window = true, .window_start_ns = ns_of(start_s), .window_end_ns = ns_of(end_s)};
}

/* Pushes blocks of `piece` samples; sample i stands in line i + 1. */
static inline ws_meter meter_in_pieces(const metering *m, size_t piece)
{
    static int64_t t_ns[METERING_MOST], interval_ns[METERING_MOST], line[METERING_MOST];
    ws_channel channel = {
        .domain = m->domain, .rule = m->rule, .counter_range_j = m->range_j, .counter_from_zero = m->from_zero};
    channel.time = m->t_s ? WS_TIME_UTC : WS_TIME_NONE;
    ck_assert_uint_le(m->n, METERING_MOST);
    for (size_t i = 0; i < m->n; i++) {
        line[i] = (int64_t)i + 1;
        t_ns[i] = m->t_s ? ns_of(m->t_s[i]) : 0;
        interval_ns[i] = m->interval_s ? ns_of(m->interval_s[i]) : 0;
    }
    ws_meter meter;
    ws_meter_init(&meter, &channel, m->rule, &m->options);
    for (size_t i = 0; i < m->n; i += piece) {
        ws_block block = {.n = m->n - i < piece ? m->n - i : piece, .value = m->value + i, .line = line + i};
        block.t_ns = m->t_s ? t_ns + i : NULL;
        block.interval_ns = m->interval_s ? interval_ns + i : NULL;
        ws_meter_push(&meter, &block);
    }
    return meter;
}

/* `notes` may be NULL. */
static inline ws_channel_summary meter_notes(const metering *m, ws_notes *notes)
{
    ws_meter meter = meter_in_pieces(m, METERING_MOST);
    ws_channel_summary summary;
    ws_meter_read(&meter, &summary);
    if (notes)
        ws_meter_notes(&meter, &summary, "a.csv", "gpu0", notes);
    ws_meter_free(&meter);
    return summary;
}

static inline ws_channel_summary meter(const metering *m)
{
    return meter_notes(m, NULL);
}

static inline void ck_note(const ws_notes *notes, const char *code, uint64_t count, int64_t line)
{
    const ws_note *note = note_named(notes, code);
    ck_assert_msg(note != NULL, "there is no note '%s'", code);
    ck_assert_uint_eq(note->count, count);
    ck_assert_int_eq(note->line, line);
}

#endif
