/* What the files of the measure share. Inside analyze/measure/ only. */
#ifndef WS_ANALYZE_MEASURE_STEPS_H
#define WS_ANALYZE_MEASURE_STEPS_H

#include "analyze/measure/measure.h"

/* Texts are copied, but for `source`, which lies in the measure's arena. The channel is good until the next one comes. */
ws_measured *ws_measure_add_channel(ws_measure *measure, const ws_channel *channel, const char *source, ws_rule rule);
void ws_measure_add_fact(ws_measure *measure, const ws_fact *fact, const char *source);

/* Stretches of what a measure takes, metered by the threads that read them: fork, join and drop of its sink. */
void *ws_measure_fork(void *measure);
void ws_measure_join_stretch(void *measure, void *stretch, int64_t lines);
void ws_measure_drop_stretch(void *stretch);

#endif
