/* Findings by the letters of their codes, as scripts know them. */
#ifndef WS_TESTS_NOTE_NAMED_H
#define WS_TESTS_NOTE_NAMED_H

#include "harness.h"

#include "core/note.h"

static inline const ws_note *note_named(const ws_notes *notes, const char *code)
{
    ws_finding finding;
    ck_assert_msg(ws_finding_named(code, &finding), "no finding is called '%s'", code);
    return ws_notes_find(notes, finding);
}

#endif
