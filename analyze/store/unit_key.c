#include "analyze/store/unit_key.h"

#include "analyze/measure/pack.h"
#include "core/zone.h"

#include <string.h>

/* The sources of the readers and meters, summed up by the Makefile: whatever changes there may change what they read.
 */
#ifndef WS_READER_REVISION
#error "the Makefile sets WS_READER_REVISION"
#endif

const char *ws_reader_revision(void)
{
    return WS_READER_REVISION;
}

enum { KEY_DIGITS = 16 }; /* of the hash: a store has a handful of keys, whose rows stand beside each record */
enum { MOST_NUMBERS = 16 };

static void hash_bytes(ws_unit_key *key)
{
    ws_sha256_add(&key->hash, key->bytes, key->n);
    key->n = 0;
}

static void add_bytes(ws_unit_key *key, const void *bytes, size_t n)
{
    if (n > sizeof key->bytes - key->n) {
        hash_bytes(key);
        key->is_long = true;
    }
    if (n > sizeof key->bytes) {
        ws_sha256_add(&key->hash, bytes, n);
        return;
    }
    memcpy(key->bytes + key->n, bytes, n);
    key->n += n;
}

static void add_numbers(ws_unit_key *key, const int64_t *numbers, size_t n)
{
    unsigned char bytes[8 * MOST_NUMBERS];
    for (size_t i = 0; i < 8 * n; i++)
        bytes[i] = (unsigned char)((uint64_t)numbers[i / 8] >> (8 * (i % 8)));
    add_bytes(key, bytes, 8 * n);
}

static void add_number(ws_unit_key *key, int64_t number)
{
    add_numbers(key, &number, 1);
}

void ws_unit_key_add_word(ws_unit_key *key, const char *word)
{
    add_number(key, word ? (int64_t)strlen(word) : -1);
    if (word)
        add_bytes(key, word, strlen(word));
}

void ws_unit_key_begin(ws_unit_key *key, const ws_measure_options *o)
{
    ws_sha256_init(&key->hash);
    key->n = 0;
    key->is_long = false;
    ws_unit_key_add_word(key, WS_READER_REVISION);
    const int64_t numbers[] = {WS_RECORD_VERSION,
                               o->rule,
                               o->quantities,
                               o->every_fact,
                               o->back_steps,
                               o->without_glitches,
                               o->meter.gaps,
                               o->meter.edges,
                               o->meter.has_window,
                               o->meter.window_is_relative,
                               o->meter.window_start_ns,
                               o->meter.window_end_ns};
    _Static_assert(sizeof numbers <= MOST_NUMBERS * sizeof *numbers, "more numbers than have room");
    add_numbers(key, numbers, sizeof numbers / sizeof *numbers);
}

void ws_unit_key_add_file(ws_unit_key *key, const ws_source_options *o, const char *node)
{
    ws_unit_key_add_word(key, "file");
    ws_unit_key_add_word(key, o->as);
    ws_unit_key_add_word(key, o->read.columns);
    ws_unit_key_add_word(key, node);
    const char *zone = ws_zone_name(o->read.zone);
    ws_unit_key_add_word(key, zone);
    ws_unit_key_add_word(key, ws_zone_sha256(o->read.zone));
    const int64_t numbers[] = {o->read.period_ns, zone ? 0 : o->read.zone, o->read.described_devices,
                               o->read.node_is_given, o->read.rule_order};
    _Static_assert(sizeof numbers <= MOST_NUMBERS * sizeof *numbers, "more numbers than have room");
    add_numbers(key, numbers, sizeof numbers / sizeof *numbers);
}

void ws_unit_key_add_window(ws_unit_key *key, const ws_cut *cut)
{
    ws_unit_key_add_word(key, "window");
    add_number(key, cut->start_ns);
    add_number(key, cut->end_ns);
    add_number(key, cut->is_relative);
    ws_unit_key_add_word(key, cut->run);
    add_number(key, (int64_t)cut->n_nodes);
    for (size_t i = 0; i < cut->n_nodes; i++)
        ws_unit_key_add_word(key, cut->nodes[i]);
}

/* Most files of a campaign are read in the same way: the last key holds for the same bytes again. */
void ws_unit_key_end(ws_unit_key *key, char text[WS_SHA256_TEXT])
{
    static _Thread_local struct {
        unsigned char bytes[WS_KEY_BYTES];
        size_t n;
        char text[WS_SHA256_TEXT];
    } last;
    size_t n = key->n;
    if (!key->is_long && last.n == n && memcmp(last.bytes, key->bytes, n) == 0) {
        memcpy(text, last.text, sizeof last.text);
        return;
    }
    hash_bytes(key);
    ws_sha256_text(&key->hash, text);
    text[KEY_DIGITS] = '\0';
    if (key->is_long)
        return;
    memcpy(last.bytes, key->bytes, n);
    last.n = n;
    memcpy(last.text, text, sizeof last.text);
}
