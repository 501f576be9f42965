/* What to do with a row that does not fit its header, decided once for all readers of tables: a last line that may be
 * cut, a row that is too short or too long, a cell that cannot be read, a repeated header. */
#ifndef WS_FORMATS_ROW_POLICY_H
#define WS_FORMATS_ROW_POLICY_H

#include "core/arena.h"
#include "core/note.h"
#include "formats/table/rows.h"

/* When a last line without a line end counts. A row that was cut as its logger was killed may look complete: "90"
 * instead of "90098". */
typedef enum ws_last_line {
    WS_LAST_LINE_NEVER = 0,
    WS_LAST_LINE_ALIKE,  /* if its last cell looks like that of the row before: as many decimals, the same unit */
    WS_LAST_LINE_CLOSED, /* if a delimiter follows its last cell, as in the header or after every word */
    WS_LAST_LINE_KEPT    /* if it has all cells, since editors omit the line end too; a note doubts the last cell */
} ws_last_line;

typedef struct ws_row_policy {
    const char *source; /* must outlive the policy */
    ws_notes *notes;
    ws_last_line last_line;
    bool keeps_short; /* a short row counts with the cells that it has; otherwise it is left out */
    bool scrolls;     /* the tool repeats its header regularly: not worth a note */
    bool is_of_runs;  /* a table of runs: a row with too few or too many cells is noted as ragged */

    /* State of the functions below. */
    uint32_t n_columns; /* of the header; 0: none yet */
    const char **header;
    char last_cell[64]; /* of the row before */
    size_t last_cell_n;
} ws_row_policy;

typedef enum ws_header_kind { WS_HEADER_FIRST, WS_HEADER_AGAIN, WS_HEADER_CHANGED } ws_header_kind;

/* Takes a row as the header; its names are copied into the arena. A changed header is noted, and so is a repeated one
 * unless the policy scrolls. */
ws_header_kind ws_row_policy_header(ws_row_policy *policy, ws_arena *arena, const ws_row *row);

/* Does the row repeat the header? Adds a note unless the policy scrolls. */
bool ws_row_is_header_again(const ws_row_policy *policy, const ws_row *row);

/* Remembers the last cell of a row: WS_LAST_LINE_ALIKE compares the end of the file with it. */
void ws_row_policy_remember(ws_row_policy *policy, ws_span last_cell);

bool ws_row_policy_check(const ws_row_policy *policy, const ws_row *row); /* the slow path of ws_row_is_usable */

/* Can the cells of a data row be used? If not, a note says why. */
static inline bool ws_row_is_usable(const ws_row_policy *policy, const ws_row *row)
{
    return (row->n_cells == policy->n_columns && !row->unfinished) || ws_row_policy_check(policy, row);
}

/* Was the last row cut, as far as `last_line` of the policy can tell? Adds a note. For readers whose rows need not have
 * as many cells as the header. */
bool ws_row_is_cut(const ws_row_policy *policy, const ws_row *row);

/* For notes: the cells of the row with blanks between them, cut to WS_ROW_TEXT bytes. */
enum { WS_ROW_TEXT = 80 };
ws_span ws_row_text(const ws_row *row, char buffer[WS_ROW_TEXT]);

/* The notes of the rules above, for readers that make the decision themselves. */
void ws_row_note_header_again(const ws_row_policy *policy, const ws_row *row);
void ws_row_note_doubt(const ws_row_policy *policy, const ws_row *row); /* the last cell of an unfinished row */
void ws_row_note_cut(const ws_row_policy *policy, const ws_row *row);
void ws_row_note_no_data(const ws_row_policy *policy, const ws_row *row); /* a cut line, or one that is not a row */

/* The last line of a file has no line end, and is cut and refused. Also for lines that are not rows. `subject` may be
 * "". */
void ws_note_cut_line(ws_notes *notes, const char *source, const char *subject, int64_t line);

/* A cell of `column` is not a number and counts as missing; a cell is not a time stamp. */
void ws_note_unreadable_cell(ws_notes *notes, const char *source, const char *column, int64_t line, ws_span cell);
void ws_note_bad_stamp(ws_notes *notes, const char *source, int64_t line, ws_span stamp);

#endif
