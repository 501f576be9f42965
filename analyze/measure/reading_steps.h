/* How far readings of a channel lie apart, in time and in the last digit of what they say. */
#ifndef WS_ANALYZE_READING_STEPS_H
#define WS_ANALYZE_READING_STEPS_H

#include "analyze/measure/metered.h"

/* The time that a reading stands for, on average; 0 where nothing says it. */
double ws_usual_s(const ws_metered_channel *channel);

/* Of how many watts a power is a multiple, as it is written: 1, 0.1, 0.01 or 0.001. */
double ws_step_of(double power_w);

/* The same of readings, as far as some of them and their sum tell: 1, 0.1, 0.01 or 0.001. */
double ws_step_of_readings(const ws_metered_channel *powers);

#endif
