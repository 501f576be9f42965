/* Time stamps as tools write them, to int64 nanoseconds. Never through a double: a 19-digit count of nanoseconds keeps
 * all its digits. Range 1700 to 2200; beyond that a stamp is refused. */
#ifndef WS_CORE_STAMP_H
#define WS_CORE_STAMP_H

#include "core/text.h"

#include <stdbool.h>
#include <stdint.h>

typedef enum ws_stamp_form {
    WS_STAMP_NONE = 0,
    WS_STAMP_YMD,     /* 2023/07/14 10:12:46.483, 2025-09-08T17:26:50+08:00, 2026-01-15, 20260314T092701Z */
    WS_STAMP_DMY,     /* 04-03-2021 13:32:39, 16/06/2020 09:59: day first */
    WS_STAMP_MDY,     /* 02-17-2022 13:17:14.749, 3/14/2026 9:27:01 AM: month first */
    WS_STAMP_CTIME,   /* Wed Jan  5 15:09:50 2022, Wed Feb 26 01:50:18 PM EST 2025 */
    WS_STAMP_EPOCH,   /* 1763638585.215; s, ms, us or ns told by magnitude */
    WS_STAMP_ELAPSED, /* seconds since the trace's start: 0.08 */
    WS_STAMP_CLOCK    /* time of day 18:51:13:298; can pass midnight */
} ws_stamp_form;

/* What the nanoseconds count from. */
typedef enum ws_time_base {
    WS_TIME_NONE = 0, /* no time at all: values have an order only */
    WS_TIME_UTC,      /* since the epoch; the zone was written or given */
    WS_TIME_NAIVE,    /* since the epoch, read as UTC because no zone was written */
    WS_TIME_RELATIVE  /* since the start of the trace */
} ws_time_base;

typedef struct ws_stamp {
    int64_t ns;
    ws_time_base base;
} ws_stamp;

/* The form of a single stamp. A date like 04-03-2021 is WS_STAMP_DMY unless its first part cannot be a day or its
 * second cannot be a month; use ws_stamp_settle over several stamps of one file to decide. */
ws_stamp_form ws_stamp_guess(ws_span text);

/* Given the form so far and one more stamp of the same column, the form that fits both (DMY and MDY decide by the first
 * part above 12); WS_STAMP_NONE when the stamp fits none. */
ws_stamp_form ws_stamp_settle(ws_stamp_form so_far, ws_span text);

/* Read `text` in that form. The zone (core/zone.h) is applied to naive stamps and to those of an ambiguous
 * abbreviation; of a named one's repeated hour the first counts. Pass WS_ZONE_NONE to read them as UTC and get
 * WS_TIME_NAIVE back. */
#define WS_ZONE_NONE INT32_MIN
bool ws_stamp_parse(ws_stamp_form form, ws_span text, int32_t zone, ws_stamp *stamp);

/* "2025-10-04T15:37:27.529773Z": UTC, the fraction without trailing zeros. Returns the length; the buffer must hold
 * WS_STAMP_TEXT bytes. */
enum { WS_STAMP_TEXT = 40 };
size_t ws_stamp_text(char *buffer, int64_t ns);

/* Decimal seconds to nanoseconds, exact to the ninth decimal, the tenth rounded half up: "1.001048308". */
bool ws_seconds_to_ns(ws_span text, int64_t *ns);

/* Durations of schedulers: [DD-]HH:MM:SS[.fff], MM:SS[.fff], or plain seconds; and of Python: "2 days, H:MM:SS[.fff]".
 */
bool ws_duration_parse(ws_span text, int64_t *ns);

#endif
