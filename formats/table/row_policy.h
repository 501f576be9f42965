/* What comes of a row that is not as its header says, decided once for all readers of tables: a last line that may be cut,
 * a row that is too short or too long, a cell that cannot be read, a header that comes again. Inside formats/ only. */
#ifndef WS_FORMATS_ROW_POLICY_H
#define WS_FORMATS_ROW_POLICY_H

#include "core/arena.h"
#include "core/note.h"
#include "formats/table/row.h"

/* When a last line without a line end counts. What a logger was killed in the middle of may look whole: "90" of "90098". */
typedef enum ws_last_line {
    WS_LAST_LINE_NEVER = 0,
    WS_LAST_LINE_ALIKE, /* when its last cell is written like that of the row before: as many decimals, the same unit */
    WS_LAST_LINE_CLOSED, /* when a delimiter stands behind its last cell, as in the header or behind every word */
    WS_LAST_LINE_KEPT    /* when it has all cells, as editors leave the line end out, too: its last cell is doubted */
} ws_last_line;

typedef struct ws_row_policy {
    const char *source; /* good as long as the policy */
    ws_notes *notes;
    ws_last_line last_line;
    bool keeps_short; /* a short row counts with the cells that it has; else it is left out */
    bool scrolls;     /* the tool prints its header again and again: no finding */
    bool is_of_runs;  /* a table of runs: a row with another number of cells is a ragged one, whichever it is */

    /* Kept by the functions below. */
    uint32_t n_columns; /* of the header; 0: none yet */
    const char **header;
    char last_cell[64]; /* of the row before */
    size_t last_cell_n;
} ws_row_policy;

typedef enum ws_header_kind { WS_HEADER_FIRST, WS_HEADER_AGAIN, WS_HEADER_CHANGED } ws_header_kind;

/* A row that is a header; what is kept of it lives in the arena. */
ws_header_kind ws_row_policy_header(ws_row_policy *policy, ws_arena *arena, const ws_row *row);

/* Is the row the header once more? Then it is told, where that is a finding. */
bool ws_row_is_header_again(const ws_row_policy *policy, const ws_row *row);

/* The last cell of a row that was read, which the end of the file is judged by. */
void ws_row_policy_remember(ws_row_policy *policy, ws_span last_cell);

/* Can the cells of a row of data be used? The reason why not goes to the notes. */
bool ws_row_policy_judge(const ws_row_policy *policy, const ws_row *row);

static inline bool ws_row_is_usable(const ws_row_policy *policy, const ws_row *row)
{
    return (row->n_cells == policy->n_columns && !row->unfinished) || ws_row_policy_judge(policy, row);
}

/* The end of the file alone, for a reader whose rows do not have the cells of their header: was the row cut? Then it is told. */
bool ws_row_is_cut(const ws_row_policy *policy, const ws_row *row);

/* For a note: the row's cells with blanks between, as many as there is room for. */
enum { WS_ROW_TEXT = 80 };
ws_span ws_row_text(const ws_row *row, char buffer[WS_ROW_TEXT]);

/* The findings of the rules above, for a reader that comes to them by itself: a header again, a last line that may be cut, a
 * last cell that may (nothing where a line end follows), a line that is no row of the table (cut where the file ends inside it,
 * else passed over). */
void ws_row_note_header_again(const ws_row_policy *policy, const ws_row *row);
void ws_row_note_doubt(const ws_row_policy *policy, const ws_row *row);
void ws_row_note_cut(const ws_row_policy *policy, const ws_row *row);
void ws_row_note_no_data(const ws_row_policy *policy, const ws_row *row);

/* Notes that the last line of a file, which has no line end, is cut and was refused: for lines that are no rows, too. `subject` may be
 * "". */
void ws_note_cut_line(ws_notes *notes, const char *source, const char *subject, int64_t line);

/* Notes that a cell of `column` holds no number, and counts as missing; that one holds no stamp. */
void ws_note_unreadable_cell(ws_notes *notes, const char *source, const char *column, int64_t line, ws_span cell);
void ws_note_bad_stamp(ws_notes *notes, const char *source, int64_t line, ws_span stamp);

#endif
