/* A column of stamps: its form is settled over some first cells, then every cell is read in that form. */
#ifndef WS_FORMATS_TIMECOL_H
#define WS_FORMATS_TIMECOL_H

#include "core/note.h"
#include "formats/table/stamp_cache.h"
#include "core/unit.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct ws_timecol {
    ws_stamp_form form;
    bool form_is_given;  /* by the user or by the file: no stamp changes it */
    bool is_guessed;     /* day first for want of a stamp that says so */
    bool contradicts;    /* the last stamp read shows that the guess was wrong */
    bool may_have_comma; /* for the decimals of plain numbers: the delimiter is another sign */
    int32_t zone;        /* core/zone.h */
    const ws_unit *unit; /* of plain numbers, where the column's name has one; NULL: seconds */
    ws_time_base base;   /* of the first stamp read */
    int64_t passed_ns;   /* midnights passed by a column that holds the time of day alone */
    int64_t last_ns;
    bool has_ambiguous_zone; /* the first stamp read has such an abbreviation (core/zone.h) */
    int64_t month_first_ns;  /* the last stamp by the other guess */
    ws_stamp_cache cache;
} ws_timecol;

/* The two cells of "04-03-2021" and "13:32:39" as one stamp in `buffer`; `time` alone where there is no date. */
enum { WS_STAMP_CELLS = 96 };
ws_span ws_timecol_join(char *buffer, ws_span date, ws_span time);

/* "1770796800,25" of a column that may have such as "1770796800.25", in `buffer`; any other stamp as it is. */
ws_span ws_timecol_point(const ws_timecol *column, char *buffer, ws_span stamp);

/* One more cell of the sample. False when it is no stamp that fits the ones before. */
bool ws_timecol_settle(ws_timecol *column, ws_span stamp);

/* True when day and month of this stamp could be the other way round. */
bool ws_timecol_is_ambiguous(const ws_timecol *column, ws_span stamp);

/* False where it is no stamp, or `contradicts`: behind a guess, one that can only be month first, or whose day would be
 * weeks off and is the same or the next with the month first. */
bool ws_timecol_read(ws_timecol *column, ws_span stamp, int64_t *ns);

/* Does every stamp depend on the one before: a time of day alone, a repeated hour, a guess that may be wrong? */
bool ws_timecol_is_serial(const ws_timecol *column);

/* Notes of a file's first stamp without a zone that there is none; *is_noted is false before. */
void ws_note_naive_time(ws_notes *notes, const char *source, int64_t line, ws_time_base base, bool *is_noted);

/* Notes once of a column whose zone was guessed from its abbreviation. */
void ws_note_ambiguous_zone(ws_notes *notes, const char *source, int64_t line, ws_timecol *column);

/* Why a file cannot be read on behind a stamp that contradicts. */
#define WS_MONTH_FIRST_REMEDY                                                                                         \
    "speaks for the month being first, and the stamps before it were read day first: --columns dates=month-first or " \
    "dates=day-first says which"

#endif
