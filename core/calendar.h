/* Days and dates of the proleptic Gregorian calendar. */
#ifndef WS_CORE_CALENDAR_H
#define WS_CORE_CALENDAR_H

#include <stdint.h>

/* Days since 1970-01-01; month 1 to 12, day 1 to 31. */
int64_t ws_days_from_civil(int64_t year, unsigned month, unsigned day);
void ws_civil_from_days(int64_t days, int64_t *year, int64_t *month, int64_t *day);

#endif
