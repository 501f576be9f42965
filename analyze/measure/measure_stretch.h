/* Stretches of what a measure takes, metered by the threads that read them: fork, join and drop of its sink. Inside analyze/measure/
 * only. */
#ifndef WS_ANALYZE_MEASURE_STRETCH_H
#define WS_ANALYZE_MEASURE_STRETCH_H

#include <stdint.h>

void *ws_measure_fork(void *measure);
void ws_measure_join_stretch(void *measure, void *stretch, int64_t lines);
void ws_measure_drop_stretch(void *stretch);

#endif
