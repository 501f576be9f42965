#include "core/note.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT_SIZE = 500, CAPTION_SIZE = 8000 /* of ten panels, each with what it shows */ };

/* FNV-1a over the kind, and two texts with the zeros behind them. */
static uint64_t hash_of(ws_finding finding, const char *source, const char *subject)
{
    const char *const texts[] = {source, subject};
    uint64_t hash = (UINT64_C(0xcbf29ce484222325) ^ finding) * UINT64_C(0x100000001b3);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        for (const char *c = texts[i];; c++) {
            hash = (hash ^ (unsigned char)*c) * UINT64_C(0x100000001b3);
            if (!*c)
                break;
        }
    return hash;
}

/* The slot of that finding, or the empty one where it belongs, which gets its hash. */
static ws_note_slot *slot_of(const ws_notes *notes, ws_finding finding, const char *source, const char *subject)
{
    uint64_t hash = hash_of(finding, source, subject);
    size_t at = (size_t)hash & (notes->n_slots - 1);
    for (; notes->slots[at].place; at = (at + 1) & (notes->n_slots - 1)) {
        const ws_note *note = &notes->items[notes->slots[at].place - 1];
        if (notes->slots[at].hash == hash && note->finding == finding && strcmp(note->subject, subject) == 0 &&
            strcmp(note->source, source) == 0)
            break;
    }
    notes->slots[at].hash = hash;
    return &notes->slots[at];
}

/* At most half of the slots are taken. */
static void make_room(ws_notes *notes)
{
    if (notes->n * 2 < notes->n_slots)
        return;
    ws_note_slot *old = notes->slots;
    size_t n_old = notes->n_slots;
    notes->n_slots = n_old ? n_old * 2 : 32;
    notes->slots = ws_alloc(notes->n_slots * sizeof *notes->slots);
    for (size_t i = 0; i < n_old; i++) {
        size_t at = (size_t)old[i].hash & (notes->n_slots - 1);
        while (old[i].place && notes->slots[at].place)
            at = (at + 1) & (notes->n_slots - 1);
        if (old[i].place)
            notes->slots[at] = old[i];
    }
    free(old);
}

static uint64_t larger(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* Counts it. The note if it is the first of its kind, still without a text; else NULL. */
static ws_note *count_note(ws_notes *notes, bool is_sum, uint64_t count, ws_finding finding, const char *source,
                           const char *subject, int64_t line)
{
    if (!notes || !count)
        return NULL;
    make_room(notes);
    ws_note_slot *slot = slot_of(notes, finding, source, subject);
    if (slot->place) {
        ws_note *note = &notes->items[slot->place - 1];
        note->count = is_sum ? note->count + count : larger(note->count, count);
        return NULL;
    }
    const char *last = notes->n ? notes->items[notes->n - 1].source : NULL;
    notes->items = ws_grow(notes->items, &notes->capacity, notes->n + 1, sizeof *notes->items);
    notes->items[notes->n++] =
        (ws_note){.finding = finding,
                  .source = last && strcmp(source, last) == 0 ? last : ws_arena_strdup(&notes->arena, source),
                  .subject = ws_arena_strdup(&notes->arena, subject),
                  .line = line,
                  .count = count};
    slot->place = notes->n;
    return &notes->items[notes->n - 1];
}

/* Of many files they are mostly the same. */
static void set_text(ws_notes *notes, ws_note *note, const char *text)
{
    const char *last = notes->n > 1 ? note[-1].text : NULL;
    note->text = last && strcmp(text, last) == 0 ? last : ws_arena_strdup(&notes->arena, text);
}

static void note_add(ws_notes *notes, bool is_sum, uint64_t count, ws_finding finding, const char *source,
                     const char *subject, int64_t line, const char *format, va_list args)
{
    ws_note *note = count_note(notes, is_sum, count, finding, source ? source : "", subject ? subject : "", line);
    if (!note)
        return;
    char text[CAPTION_SIZE];
    vsnprintf(text, finding == WS_FINDING_CAPTION ? CAPTION_SIZE : TEXT_SIZE, format, args);
    for (unsigned char *c = (unsigned char *)text; *c; c++)
        if (*c < 0x20 || *c == 0x7f)
            *c = ' ';
    set_text(notes, note, text);
}

void ws_notes_add(ws_notes *notes, ws_finding finding, const char *source, const char *subject, int64_t line,
                  const char *format, ...)
{
    va_list args;
    va_start(args, format);
    note_add(notes, true, 1, finding, source, subject, line, format, args);
    va_end(args);
}

void ws_notes_add_many(ws_notes *notes, uint64_t count, ws_finding finding, const char *source, const char *subject,
                       int64_t line, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    note_add(notes, true, count, finding, source, subject, line, format, args);
    va_end(args);
}

void ws_notes_add_most(ws_notes *notes, uint64_t count, ws_finding finding, const char *source, const char *subject,
                       int64_t line, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    note_add(notes, false, count, finding, source, subject, line, format, args);
    va_end(args);
}

static void set_choice(ws_notes *notes, ws_note *note, const char *chosen, size_t n_chosen, size_t n_all)
{
    note->chosen = ws_arena_strdup(&notes->arena, chosen);
    note->n_chosen = n_chosen;
    note->n_all = n_all;
}

void ws_notes_add_choice(ws_notes *notes, const char *source, const char *chosen, size_t n_chosen, size_t n_all,
                         const char *reason)
{
    ws_arena arena = {0};
    const char *subject = ws_arena_printf(&arena, "not %s", chosen);
    ws_note *note = count_note(notes, true, 1, WS_FINDING_EXCLUDED, source ? source : "", subject, 0);
    if (note) {
        set_text(notes, note,
                 ws_arena_printf(&arena, "%zu of %zu rows are left out (%s)", n_all - n_chosen, n_all, reason));
        set_choice(notes, note, chosen, n_chosen, n_all);
    }
    ws_arena_free(&arena);
}

void ws_notes_add_lacking(ws_notes *notes, const char *recipe, const ws_error *why)
{
    ws_arena arena = {0};
    ws_note *note = count_note(notes, true, 1, WS_FINDING_NO_DATA_FOR_RECIPE, "", recipe, 0);
    if (note) {
        set_text(notes, note, ws_arena_printf(&arena, "is left out: %s", why->message));
        note->lacking = ws_arena_strndup(&notes->arena, why->message + why->said, why->n_said);
    }
    ws_arena_free(&arena);
}

const ws_note *ws_notes_find(const ws_notes *notes, ws_finding finding)
{
    for (size_t i = 0; i < notes->n; i++)
        if (notes->items[i].finding == finding)
            return &notes->items[i];
    return NULL;
}

void ws_notes_move(ws_notes *notes, ws_notes *from)
{
    if (notes && !notes->n && !notes->n_slots) {
        *notes = *from;
        *from = (ws_notes){0};
        return;
    }
    ws_notes_append(notes, from);
    ws_notes_free(from);
}

/* Notes that follow each other mostly share a text: the copy of the one before serves this one, too. */
static const char *copy_text(ws_arena *arena, const char *from, const char *from_before, const char *before)
{
    if (!from)
        return NULL;
    return from == from_before ? before : ws_arena_strdup(arena, from);
}

/* Into a list that is empty: nothing has to be looked for. */
static void copy_all(ws_notes *notes, const ws_notes *from)
{
    const ws_note none = {0}, *before = &none, *copied = &none;
    notes->items = ws_grow(notes->items, &notes->capacity, from->n, sizeof *notes->items);
    notes->slots = ws_alloc(from->n_slots * sizeof *notes->slots);
    memcpy(notes->slots, from->slots, from->n_slots * sizeof *notes->slots);
    notes->n_slots = from->n_slots;
    notes->n = from->n;
    for (size_t i = 0; i < from->n; i++) {
        const ws_note *note = &from->items[i];
        ws_note *copy = &notes->items[i];
        *copy = *note;
        copy->source = copy_text(&notes->arena, note->source, before->source, copied->source);
        copy->subject = copy_text(&notes->arena, note->subject, before->subject, copied->subject);
        copy->text = copy_text(&notes->arena, note->text, before->text, copied->text);
        copy->chosen = copy_text(&notes->arena, note->chosen, before->chosen, copied->chosen);
        copy->lacking = copy_text(&notes->arena, note->lacking, before->lacking, copied->lacking);
        before = note;
        copied = copy;
    }
}

void ws_notes_append(ws_notes *notes, const ws_notes *from)
{
    if (notes && !notes->n && !notes->n_slots && from->n) {
        copy_all(notes, from);
        return;
    }
    for (size_t i = 0; i < from->n; i++) {
        const ws_note *note = &from->items[i];
        ws_note *new = count_note(notes, true, note->count, note->finding, note->source, note->subject, note->line);
        if (new)
            set_text(notes, new, note->text);
        if (new && note->chosen)
            set_choice(notes, new, note->chosen, note->n_chosen, note->n_all);
        if (new && note->lacking)
            new->lacking = ws_arena_strdup(&notes->arena, note->lacking);
    }
}

static void index_again(ws_notes *notes)
{
    if (notes->n_slots)
        memset(notes->slots, 0, notes->n_slots * sizeof *notes->slots);
    for (size_t i = 0; i < notes->n; i++)
        slot_of(notes, notes->items[i].finding, notes->items[i].source, notes->items[i].subject)->place = i + 1;
}

void ws_notes_gather(ws_notes *notes, ws_finding finding)
{
    size_t kept = 0, first = SIZE_MAX, sources = 0;
    for (size_t i = 0; i < notes->n; i++) {
        const ws_note *note = &notes->items[i];
        bool is_another =
            first != SIZE_MAX && note->finding == finding && strcmp(note->text, notes->items[first].text) == 0;
        if (is_another) {
            notes->items[first].count += note->count;
            sources++;
            continue;
        }
        if (note->finding == finding && first == SIZE_MAX)
            first = kept;
        notes->items[kept++] = *note;
    }
    if (sources)
        notes->items[first].text = ws_arena_printf(&notes->arena, "%s, here and in %zu other source%s",
                                                   notes->items[first].text, sources, sources > 1 ? "s" : "");
    notes->n = kept;
    index_again(notes);
}

void ws_notes_free(ws_notes *notes)
{
    free(notes->items);
    free(notes->slots);
    ws_arena_free(&notes->arena);
    *notes = (ws_notes){0};
}
