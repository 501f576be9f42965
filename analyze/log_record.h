/* What a store keeps of a log that may grow, beside its record: a record up to the last whole line, and how to know the
 * log again up to there, so that only what is new has to be read (formats/log_place.h). */
#ifndef WS_ANALYZE_LOG_RECORD_H
#define WS_ANALYZE_LOG_RECORD_H

#include "analyze/measure/pack.h"
#include "formats/log_place.h"

/* Smaller ones are read whole: knowing a log again takes a tenth of a millisecond. */
#define WS_LOG_LEAST_BYTES UINT64_C(4194304)

/* False: the log cannot be read. The caller frees the bytes. */
bool ws_log_record_pack(const char *path, const ws_log_place *place, const ws_packed *record, ws_packed *packed);

/* False: the log is another one before the place, or the bytes are no such record. *record lies in `packed`. */
bool ws_log_record_unpack(const char *path, const ws_packed *packed, ws_log_place *place, ws_packed *record);

#endif
