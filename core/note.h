/* Findings that do not stop the work: skipped rows, refused cells, gaps, counter wraps, assumptions.
 *
 * A note is one kind of finding in one source, counted, with its first place and a text a person can act on. Notes keep
 * the order of first appearance, so the same input gives the same list. */
#ifndef WS_CORE_NOTE_H
#define WS_CORE_NOTE_H

#include "core/arena.h"
#include "core/finding.h"
#include "core/status.h"

#include <stddef.h>
#include <stdint.h>

typedef struct ws_note {
    ws_finding finding;
    const char *source;  /* file as the user named it; "" where there is none */
    const char *subject; /* device, column or run that it touches; "" where there is none */
    int64_t line;        /* line of the first one, 0 where lines mean nothing */
    uint64_t count;
    const char *text;       /* of the first one */
    const char *chosen;     /* of rows that were left out since others were chosen: the condition; else NULL */
    size_t n_chosen, n_all; /* how many rows that left, and of how many */
    const char *lacking;    /* of a recipe that was left out: what it lacks; else NULL */
} ws_note;

/* Of a hash table by finding, source and subject. */
typedef struct ws_note_slot {
    size_t place; /* of the note, + 1; 0: the slot is empty */
    uint64_t hash;
} ws_note_slot;

typedef struct ws_notes {
    ws_note *items;
    size_t n, capacity;
    ws_note_slot *slots;
    size_t n_slots;
    ws_arena arena; /* owns every text of the items */
} ws_notes;

/* Count one finding. The text is formatted for the first of its (finding, source, subject) only. NULL notes: no effect.
 */
void ws_notes_add(ws_notes *notes, ws_finding finding, const char *source, const char *subject, int64_t line,
                  const char *format, ...) __attribute__((format(printf, 6, 7)));

/* The same for `count` findings at once; count 0 has no effect. */
void ws_notes_add_many(ws_notes *notes, uint64_t count, ws_finding finding, const char *source, const char *subject,
                       int64_t line, const char *format, ...) __attribute__((format(printf, 7, 8)));

/* The same where several channels tell of the same rows: the largest count stands, not their sum. */
void ws_notes_add_most(ws_notes *notes, uint64_t count, ws_finding finding, const char *source, const char *subject,
                       int64_t line, const char *format, ...) __attribute__((format(printf, 7, 8)));

/* WS_FINDING_EXCLUDED of all rows but those of a condition: "not model=bert", "420 of 476 rows are left out (--only)".
 */
void ws_notes_add_choice(ws_notes *notes, const char *source, const char *chosen, size_t n_chosen, size_t n_all,
                         const char *reason);

/* WS_FINDING_NO_DATA_FOR_RECIPE: "is left out: ..." of a failure. */
void ws_notes_add_lacking(ws_notes *notes, const char *recipe, const ws_error *why);

const ws_note *ws_notes_find(const ws_notes *notes, ws_finding finding); /* the first of that kind, or NULL */
void ws_notes_append(ws_notes *notes, const ws_notes *from);             /* copies */
void ws_notes_move(ws_notes *notes, ws_notes *from);                     /* the same, and leaves `from` empty */

/* Makes one note of those of a kind that say the same of several sources: the first, which says of how many, with the
 * counts of all. */
void ws_notes_gather(ws_notes *notes, ws_finding finding);

void ws_notes_free(ws_notes *notes); /* leaves a valid empty list */

#endif
