#include "core/note.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT_SIZE = 500 };

static ws_note *find_same(ws_notes *notes, const char *code, const char *source, const char *subject)
{
    /* Findings of one kind come in runs, so the search starts at the end. */
    for (size_t i = notes->n; i-- > 0;) {
        ws_note *note = &notes->items[i];
        if (strcmp(note->code, code) == 0 && strcmp(note->subject, subject) == 0 && strcmp(note->source, source) == 0)
            return note;
    }
    return NULL;
}

static void add(ws_notes *notes, uint64_t count, const char *code, const char *source, const char *subject,
                int64_t line, const char *format, va_list args)
{
    if (!notes || !count)
        return;
    source = source ? source : "";
    subject = subject ? subject : "";
    ws_note *same = find_same(notes, code, source, subject);
    if (same) {
        same->count += count;
        return;
    }
    char text[TEXT_SIZE];
    vsnprintf(text, sizeof text, format, args);
    for (unsigned char *c = (unsigned char *)text; *c; c++)
        if (*c < 0x20 || *c == 0x7f)
            *c = ' ';
    notes->items = ws_grow(notes->items, &notes->capacity, notes->n + 1, sizeof *notes->items);
    notes->items[notes->n++] = (ws_note){.code = ws_arena_strdup(&notes->arena, code),
                                         .source = ws_arena_strdup(&notes->arena, source),
                                         .subject = ws_arena_strdup(&notes->arena, subject),
                                         .line = line,
                                         .count = count,
                                         .text = ws_arena_strdup(&notes->arena, text)};
}

void ws_notes_add(ws_notes *notes, const char *code, const char *source, const char *subject, int64_t line,
                  const char *format, ...)
{
    va_list args;
    va_start(args, format);
    add(notes, 1, code, source, subject, line, format, args);
    va_end(args);
}

void ws_notes_add_many(ws_notes *notes, uint64_t count, const char *code, const char *source, const char *subject,
                       int64_t line, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    add(notes, count, code, source, subject, line, format, args);
    va_end(args);
}

const ws_note *ws_notes_find(const ws_notes *notes, const char *code)
{
    for (size_t i = 0; i < notes->n; i++)
        if (strcmp(notes->items[i].code, code) == 0)
            return &notes->items[i];
    return NULL;
}

void ws_notes_append(ws_notes *notes, const ws_notes *from)
{
    for (size_t i = 0; i < from->n; i++) {
        const ws_note *note = &from->items[i];
        ws_notes_add_many(notes, note->count, note->code, note->source, note->subject, note->line, "%s", note->text);
    }
}

void ws_notes_free(ws_notes *notes)
{
    free(notes->items);
    ws_arena_free(&notes->arena);
    *notes = (ws_notes){0};
}
