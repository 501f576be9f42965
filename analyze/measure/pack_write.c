#define WS_PACKER_ONLY_WRITES true
#include "analyze/measure/pack_fields_internal.h"

#include <stdlib.h>

static void write_notes(ws_packer *p, const ws_notes *notes)
{
    size_t n = notes->n;
    ws_pack_count(p, &n);
    for (size_t i = 0; i < n; i++) {
        ws_note note = notes->items[i];
        pack_note(p, &note);
    }
}

bool ws_record_pack(const ws_record *record, ws_packed *packed)
{
    ws_packer p = {.writes = true, .paths = record->paths, .n_paths = record->n_paths};
    for (size_t i = 0; i < sizeof magic; i++)
        ws_put_byte(&p, magic[i]);
    uint64_t damaged = record->damaged;
    size_t n = record->n_measures;
    ws_pack_u64(&p, &damaged);
    ws_pack_size(&p, &n);
    for (size_t i = 0; i < n; i++)
        pack_measure(&p, record->measures[i]);
    ws_begin_texts(&p, NULL);
    write_notes(&p, record->notes);
    uint64_t sum = ws_record_sum(p.bytes, p.n);
    for (int i = 0; i < CHECKSUM; i++)
        ws_put_byte(&p, (unsigned)(sum >> (8 * i)) & 0xff);
    free(p.texts);
    *packed = p.failed ? (ws_packed){0} : (ws_packed){p.bytes, p.n};
    if (p.failed)
        free(p.bytes);
    return !p.failed;
}
