/* Dates and times in names: 20260418_230816, 2026-04-18T23.08, 12-30-00, seconds since the epoch. */
#ifndef WS_ANALYZE_PATH_DATES_H
#define WS_ANALYZE_PATH_DATES_H

#include "core/text.h"

/* The bytes of the date that begins there, with its time; 0: none does. */
size_t ws_date_in_path(ws_span text, size_t at);

#endif
