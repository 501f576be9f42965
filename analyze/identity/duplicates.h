/* Devices that were read more than once: by several ranks of a job, by two loggers, as slices of one card, in a copy of
 * a file.
 *
 * Two device entries are compared by their names, their times and their readings (likeness.h). One table in
 * duplicates.c decides:
 *
 *     names                         times      readings     verdict
 *     one device (a)                together   any          counts once (measured-twice)
 *                                   no dates   an export,   counts once
 *                                              equal
 *                                   no dates   others       both count, in doubt (maybe-measured-twice)
 *     one name, a file each (b)     together,  equal        counts once
 *                                   no dates   an export,   both count, in doubt unless `gpus` fits
 *                                              alike
 *                                              others       two devices (file-a-device)
 *     slices of a card (c)          together   equal (e)    counts once
 *                                              alike        both count, in doubt unless copies prove both to be cards
 *     a sum and its part (d)        together   any          the part counts (nested-sensor)
 *     other names                   the same   equal        both count, with a note (same-readings)
 *     any but one device            any        copies (f)   both count, with a note (same-readings)
 *
 * (a) The same uuid, or the same name on one node. (b) One name on one node, each device alone in its file, and the
 * names of the files differ in numbers. (c) Two MIG instances of one source: the power of a card cannot be split. (d)
 * Sensors of one node, such as "cpu" beside "cpu0". (e) Whatever their stamps: the rows of one poll have stamps of
 * their own. (f) ws_devices_are_copies: a log in another zone, or one that ends earlier, lacks rows or digits.
 *
 * Logs of ranks that name no node are compared as a whole first (rank_logs.h); slices and copies inside one file
 * are settled when its meters are read (measure/slices.h). */
#ifndef WS_ANALYZE_DUPLICATES_H
#define WS_ANALYZE_DUPLICATES_H

#include "analyze/measure/likeness.h"
#include "analyze/measure/measure_groups.h"

typedef enum ws_duplicates {
    WS_DUPLICATES_NONE = 0, /* each device is in the sums once */
    WS_DUPLICATES_DOUBT,    /* the sums may hold a device twice */
    WS_DUPLICATES_ASK /* nothing proves whether logs are from one node or several: no sum before the user says so */
} ws_duplicates;

/* The devices of each two files of a run, by the table above; logs of ranks come before (rank_logs.h). `gpus_fit`: the
 * run has as many GPUs as all files together. */
ws_duplicates ws_settle_pairs(ws_measure *measure, bool gpus_fit, ws_notes *notes);

/* Takes the entry with fewer readings out of the sums. */
void ws_count_device_once(const ws_measure *m, ws_device *a, ws_device *b, ws_notes *notes);

/* How many different GPUs a run has, over all files. */
size_t ws_measure_count_gpus(const ws_measure *measure, const ws_measure_group *run);

#endif
