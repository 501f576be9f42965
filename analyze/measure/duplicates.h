/* Devices that were read more than once: by several ranks of a job, by two loggers, as slices of one card, in a copy of
 * a file.
 *
 * Two device entries are compared by their names, their times and their readings (ws_likeness). One table in
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
 *                                              alike        both count, in doubt unless copies prove both to be cards
 *     a sum and its part (d)        together   any          the part counts (nested-sensor)
 *     other names                   the same   equal        both count, with a note (same-readings)
 *
 * (a) The same uuid, or the same name on one node. (b) One name on one node, each device alone in its file, and the
 * names of the files differ in numbers. (c) Two MIG instances of one source: the power of a card cannot be split. (d)
 * Sensors of one node, such as "cpu" beside "cpu0". (e) Whatever their stamps: the rows of one poll have stamps of
 * their own.
 *
 * Several ranks of a job may each have logged all GPUs of their node. Logs that overlap in time and hold GPUs of the
 * same names are therefore compared as a whole first, unless both have uuids (ws_measure_find_duplicates). */
#ifndef WS_ANALYZE_DUPLICATES_H
#define WS_ANALYZE_DUPLICATES_H

#include "analyze/measure/metered.h"

/* How similar the summaries of two channels are: samples, lowest and highest reading, spread, energy and time. */
typedef enum ws_likeness {
    WS_READINGS_DIFFER = 0,
    WS_READINGS_ALIKE,  /* the mean powers agree to 2 % */
    WS_READINGS_EXPORT, /* all figures agree but for digits lost in an export; at least 20 readings */
    WS_READINGS_EQUAL /* all figures agree, and the readings vary, so that it is not by chance; at least 20 readings */
} ws_likeness;

ws_likeness ws_compare_readings(const ws_channel_summary *a, const ws_channel_summary *b);

/* Compares the devices of each source; part of ws_measure_finish. A slice that repeats its card loses its energy
 * (status "measured-twice") and leaves the sums; one that perhaps does gets the status "maybe-measured-twice". */
void ws_measure_find_duplicates_inside(ws_measure *measure, ws_notes *notes);

typedef enum ws_duplicates {
    WS_DUPLICATES_NONE = 0, /* each device is in the sums once */
    WS_DUPLICATES_DOUBT,    /* the sums may hold a device twice */
    WS_DUPLICATES_ASK /* nothing proves whether logs are from one node or several: no sum before the user says so */
} ws_duplicates;

/* Compares the sources of a run; after ws_measure_finish. `gpus`: as the run is described; NaN if it is not. Of the
 * entries that count once, the one with the most readings stays, and the others become alternatives.
 *
 * Logs that name no node are from one node if their GPUs have `gpus` different names, and from several if there are
 * `gpus` GPUs altogether. Otherwise the readings of the GPUs that they share decide: One node: all readings are equal;
 * or the mean powers of the GPUs are twenty times closer between the logs than within one, and GPUs as different as
 * those of one log would agree as well by a chance of at most a millionth (the product over the GPUs of |difference| /
 * (sqrt(pi) spread) of mean and standard deviation, each factor at least 0.01). Several nodes: some mean power differs
 * by more than 2 % and more than the time that only one of the two logs holds can explain; or each log has one GPU, and
 * the names of the files differ in numbers. In between nothing is proven: the verdict is WS_DUPLICATES_ASK. Logs that
 * name different nodes but would be from one by their readings stay in the sums, in doubt unless `gpus` fits. Whatever
 * else logs of one node hold counts once, too; of logs without GPUs, equal ones count once. */
ws_duplicates ws_measure_find_duplicates(ws_measure *measure, double gpus, ws_notes *notes);

/* Takes the entry with fewer readings out of the sums. */
void ws_count_device_once(ws_device *a, ws_device *b, ws_notes *notes);

/* How many different GPUs the run has, over all files. */
size_t ws_measure_count_gpus(const ws_measure *measure, const char *run);

#endif
