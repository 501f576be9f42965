/* Time zones by name, "Europe/Berlin", from the system's time zone database (TZif files, RFC 8536, below $TZDIR or
 * /usr/share/zoneinfo), and with daylight saving.
 *
 * A zone is one int32: seconds east of UTC for a fixed offset, or a number from WS_ZONE_NAMED on that stands for a zone
 * which this process has read. The C library knows one zone a process, which changes for all threads; these are read
 * once and then never change. */
#ifndef WS_CORE_ZONE_H
#define WS_CORE_ZONE_H

#include "core/text.h"

#include <stdbool.h>
#include <stdint.h>

#define WS_ZONE_NAMED 1000000

/* "UTC", "Z", "+02:00", "-0500", "+8", "CET" and a few other abbreviations; seconds east. */
bool ws_zone_parse(ws_span text, int32_t *offset_s);

/* An abbreviation of several zones, for which ws_zone_parse takes one: "CST" is -06:00, and China's too. */
bool ws_zone_is_ambiguous(ws_span word);

/* A fixed offset as ws_zone_parse reads it, or the name of a zone of the database. Any thread may call. */
bool ws_zone_find(ws_span text, int32_t *zone);

static inline bool ws_zone_is_named(int32_t zone)
{
    return zone >= WS_ZONE_NAMED;
}

/* The name of a named zone, good for ever; NULL for a fixed offset. */
const char *ws_zone_name(int32_t zone);

/* Of what the database says of a named zone, which another release of it may say otherwise; likewise. */
const char *ws_zone_sha256(int32_t zone);

/* Seconds east at an instant of UTC. */
int32_t ws_zone_offset_at(int32_t zone, int64_t utc_s);

/* The instant of a local time, both in ns since the epoch. Of the two that a repeated hour has (autumn) the one nearer
 * to `near_ns`, without it (NULL) the first; a local time that was skipped (spring) counts on from before the change.
 */
int64_t ws_zone_to_utc(int32_t zone, int64_t local_ns, const int64_t *near_ns);

#endif
