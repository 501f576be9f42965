/* The rows of one log, measured, and the verdict on its first device. */
#ifndef WS_TESTS_ANALYZE_ONE_LOG_H
#define WS_TESTS_ANALYZE_ONE_LOG_H

#include "harness.h"
#include "note_named.h"

#include "analyze/measure/measure.h"

#define S INT64_C(1000000000)

static ws_measure measure; /* of the log that was read last, */
static ws_notes notes;     /* and the notes on it */

static inline ws_sink begin_log(const ws_measure_options *options)
{
    ws_notes_free(&notes);
    ws_measure_free(&measure);
    ws_measure_init(&measure, options);
    ws_measure_begin(&measure, "a.csv", "");
    return ws_measure_sink(&measure);
}

static inline ws_channel channel_of_gpu(ws_quantity quantity, ws_rule rule)
{
    return (ws_channel){.device = "gpu0",
                        .identity = "index",
                        .column = "x",
                        .domain = WS_GPU,
                        .quantity = quantity,
                        .rule = rule,
                        .time = WS_TIME_UTC};
}

static inline int announce(ws_sink *sink, const ws_channel *channel)
{
    int id = -1;
    ck_assert_int_eq(sink->channel(sink->state, channel, &id, NULL), WS_OK);
    return id;
}

/* `interval_ns`: NULL where rows state none. */
static inline void push_row(ws_sink *sink, int id, int64_t t_ns, double value, const int64_t *interval_ns, int64_t line)
{
    ck_assert_int_eq(sink->block(sink->state, id, &(ws_block){1, &t_ns, &value, interval_ns, &line}, NULL), WS_OK);
}

static inline ws_energy_verdict verdict(void)
{
    return ws_energy_verdict_of(&measure.devices[0].stake, measure.devices[0].energy->summary.energy_j,
                                &measure.options.verdict);
}

static inline ws_energy_verdict finish_log(void)
{
    ws_measure_finish(&measure, &notes);
    return verdict();
}

#endif
