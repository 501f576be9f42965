/* Devices that were read more than once: by the ranks of a job, by two loggers, as slices of one card, in a copy of a
 * file.
 *
 * Two entries are compared by what names them, by their times and by their readings (ws_likeness); one table in
 * duplicates.c decides:
 *
 *     names                         times      readings     verdict
 *     one device (a)                together   any          counts once (measured-twice)
 *                                   no dates   an export    counts once
 *                                   no dates   others       both count, in doubt (maybe-measured-twice)
 *     one name, a file each (b)     together,  equal        counts once
 *                                   no dates   alike        both count, in doubt unless `gpus` fits
 *                                              others       two devices (file-a-device)
 *     slices of a card (c)          together   equal (e)    counts once
 *                                              alike        both count, in doubt unless both are cards by such copies
 *     a sum and its part (d)        together   any          the part counts (nested-sensor)
 *     other names                   the same   equal        both count, and are told (same-readings)
 *
 * (a) its uuid, or its name on one node. (b) One name on one node, each alone in a file, and the files' names differ in
 * numbers. (c) Two MIG instances of one source: the power of a card has no parts. (d) Sensors of one node, as "cpu"
 * beside "cpu0". (e) Whatever their stamps: rows of a poll have their own.
 *
 * Logs of a run that hold GPUs of the same names, have no uuids and overlap in time may be those of ranks that each
 * logged their whole node. They are compared as wholes (ws_measure_find_duplicates). */
#ifndef WS_ANALYZE_DUPLICATES_H
#define WS_ANALYZE_DUPLICATES_H

#include "analyze/measure/metered.h"

/* How near two channels' figures come to each other: samples, lowest and highest reading, spread, energy and time. */
typedef enum ws_likeness {
    WS_READINGS_DIFFER = 0,
    WS_READINGS_ALIKE,  /* the mean powers, to 2 % */
    WS_READINGS_EXPORT, /* each figure but for digits that were cut when one file was written from the other; 20
                           readings or more */
    WS_READINGS_EQUAL   /* each figure, and they vary: not by chance; 20 readings or more */
} ws_likeness;

ws_likeness ws_compare_readings(const ws_channel_summary *a, const ws_channel_summary *b);

/* Among the devices of each source. A slice that repeats its card loses its energy (status "measured-twice") and is in
 * no sum; one that may has the status "maybe-measured-twice". Part of ws_measure_finish. */
void ws_measure_find_duplicates_inside(ws_measure *measure, ws_notes *notes);

typedef enum ws_duplicates {
    WS_DUPLICATES_NONE = 0, /* each device is in the sums once */
    WS_DUPLICATES_DOUBT,    /* the sums may hold a device twice */
    WS_DUPLICATES_ASK       /* nothing says whether logs are of one node or of several: no sum is right before that */
} ws_duplicates;

/* Among the sources of a run, after ws_measure_finish; `gpus` as the run is described, NaN where it is not. Of entries
 * that count once the one with the most readings stays, the others become alternatives.
 *
 * Logs that name no node are of one node where their GPUs have `gpus` names, of different ones where they hold so many.
 * Otherwise the readings of the GPUs that they share decide. One node: all are equal, or the GPUs' mean powers are
 * twenty times closer between the logs than within one and so alike as GPUs that are as different as those of one log
 * are by a chance of a millionth at most (the product over GPUs of |difference| / (sqrt(pi) spread) of mean and
 * standard deviation, each at least 0.01). Different nodes: a mean power differs by more than 2 % and the time that
 * only one of the two holds can explain, or each has one GPU and their files' names differ in numbers. Between these
 * nothing is proven. Logs of differently named nodes that would be one by the same rule stay in the sums, in doubt
 * unless `gpus` fits. What else logs of one node read counts once with their GPUs; of logs without GPUs those that are
 * equal count once. */
ws_duplicates ws_measure_find_duplicates(ws_measure *measure, double gpus, ws_notes *notes);

/* Of two entries of a device the one with fewer readings goes out of the sums. */
void ws_count_device_once(ws_device *a, ws_device *b, ws_notes *notes);

/* GPUs, each once, however many files it is spread over. */
size_t ws_measure_count_gpus(const ws_measure *measure, const char *run);

#endif
