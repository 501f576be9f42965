#define WS_PACKER_ONLY_WRITES false
#include "analyze/measure/pack_fields_internal.h"

#include <stdlib.h>

static void read_notes(ws_packer *p, ws_notes *notes)
{
    size_t n = 0;
    ws_pack_count(p, &n);
    for (size_t i = 0; i < n && !p->failed; i++) {
        ws_note note = {.source = ""};
        pack_note(p, &note);
        if (!p->failed)
            ws_notes_add_many(notes, note.count, note.finding, note.source, note.subject, note.line, "%s", note.text);
    }
}

static bool is_whole(const unsigned char *bytes, size_t n)
{
    if (n < sizeof magic + CHECKSUM || memcmp(bytes, magic, sizeof magic) != 0)
        return false;
    uint64_t sum = 0;
    for (int i = 0; i < CHECKSUM; i++)
        sum |= (uint64_t)bytes[n - CHECKSUM + (size_t)i] << (8 * i);
    return sum == ws_record_sum(bytes, n - CHECKSUM);
}

bool ws_record_unpack(ws_record *record, const unsigned char *bytes, size_t n)
{
    if (!is_whole(bytes, n))
        return false;
    ws_arena arena = {0};
    ws_notes notes = {0};
    size_t n_measures = 0;
    ws_packer p = {
        .at = bytes + sizeof magic, .end = bytes + n - CHECKSUM, .paths = record->paths, .n_paths = record->n_paths};
    ws_pack_u64(&p, &record->damaged);
    ws_pack_size(&p, &n_measures);
    p.failed |= n_measures != record->n_measures;
    for (size_t i = 0; i < record->n_measures && !p.failed; i++)
        pack_measure(&p, record->measures[i]);
    ws_begin_texts(&p, &arena);
    read_notes(&p, &notes);
    p.failed |= p.at != p.end;
    if (!p.failed && record->notes)
        ws_notes_move(record->notes, &notes);
    ws_notes_free(&notes);
    ws_arena_free(&arena);
    free(p.texts);
    return !p.failed;
}
