/* What the files of a run hold, device by device: which file has it, and when. Two files with one device and with dates
 * go together by their times:
 *
 *     their times                               verdict
 *     follow each other                         one trace, including the interval between them (joins.h, continued)
 *     share less than half of the shorter one   one trace: the earlier file counts up to its end, the later one after
 *     (nine tenths for the same uuid)           it (seams.h, overlap-cut); such files are read twice
 *     share more                                the same time measured twice (duplicates.h)
 *
 * One device is the same uuid, or the same name on one node. Given totals, and counters that begin at zero, never go
 * on in another file. */
#ifndef WS_ANALYZE_ENTRIES_H
#define WS_ANALYZE_ENTRIES_H

#include "analyze/measure/metered.h"

/* A device in one file. */
typedef struct ws_device_entry {
    const ws_channel *names; /* of one of its channels: it names the device */
    const char *source;
    int64_t start_ns, end_ns; /* of its readings; INT64_MAX and INT64_MIN: it has none */
    bool can_go_on;
    size_t energies;               /* how many of its channels are powers or energies */
    ws_metered_channel **channels; /* of all measures */
    size_t n, capacity;
    size_t order; /* in which the files showed it */
} ws_device_entry;

typedef struct ws_device_entries {
    ws_device_entry *items; /* by device, and those of one device by their starts */
    size_t n;
} ws_device_entries;

/* Lists what these measures hold, those of the windows of one run or one measure. Everything in the list is theirs. The
 * caller frees it. */
ws_device_entries ws_list_entries(ws_measure *const *measures, size_t n);
void ws_entries_free(ws_device_entries *entries);

/* An order of devices; 0 if both channels are of the same hardware in the same run. */
int ws_compare_hardware(const ws_channel *a, const ws_channel *b);

bool ws_names_uuid(const ws_channel *channel);

typedef enum ws_succession { WS_FOLLOWS, WS_OVERLAPS, WS_AT_ONE_TIME } ws_succession;

/* By the table, of two entries of one device with readings; `next` starts later. */
ws_succession ws_succession_of(const ws_device_entry *before, const ws_device_entry *next);

#endif
