#include "analyze/same_rows.h"

#include "core/arena.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *text_at(const ws_column *c, size_t row)
{
    return c->text[row] ? c->text[row] : "";
}

static const char *last_part(const ws_column *name, size_t row)
{
    const char *text = text_at(name, row), *slash = strrchr(text, '/');
    return slash ? slash + 1 : text;
}

bool ws_same_cell(const ws_table *table, size_t column, size_t a, size_t b)
{
    const ws_column *c = &table->columns[column];
    if (c->kind == WS_TEXT)
        return strcmp(text_at(c, a), text_at(c, b)) == 0;
    if (c->kind == WS_INTEGER)
        return c->integer[a] == c->integer[b];
    return c->number[a] == c->number[b] || (isnan(c->number[a]) && isnan(c->number[b]));
}

static uint64_t add_bytes(uint64_t hash, const void *bytes, size_t n)
{
    const unsigned char *b = bytes;
    for (size_t i = 0; i < n; i++)
        hash = (hash ^ b[i]) * UINT64_C(0x100000001b3);
    return hash ^ hash >> 29;
}

static uint64_t add_word(uint64_t hash, uint64_t word)
{
    hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
    return hash ^ hash >> 29;
}

static uint64_t add_number(uint64_t hash, double number)
{
    uint64_t word;
    number = isnan(number) ? NAN : number == 0 ? 0 : number; /* one of each */
    memcpy(&word, &number, sizeof word);
    return add_word(hash, word);
}

static uint64_t hash_of(const ws_same_rows *index, size_t row)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < index->n_columns; i++) {
        const ws_column *c = &index->table->columns[index->columns[i]];
        if (c->kind == WS_TEXT)
            hash = add_bytes(hash, text_at(c, row), strlen(text_at(c, row)) + 1);
        else if (c->kind == WS_INTEGER)
            hash = add_word(hash, (uint64_t)c->integer[row]);
        else
            hash = add_number(hash, c->number[row]);
    }
    if (index->name)
        hash = add_bytes(hash, last_part(index->name, row), strlen(last_part(index->name, row)) + 1);
    return hash;
}

static bool is_same(const ws_same_rows *index, size_t a, size_t b)
{
    for (size_t i = 0; i < index->n_columns; i++)
        if (!ws_same_cell(index->table, index->columns[i], a, b))
            return false;
    return !index->name || strcmp(last_part(index->name, a), last_part(index->name, b)) == 0;
}

/* Numbers that count up differ in few bits: the product spreads them (Murmur 3's last step). */
static uint64_t mix(uint64_t hash)
{
    hash = (hash ^ hash >> 33) * UINT64_C(0xff51afd7ed558ccd);
    return hash ^ hash >> 33;
}

/* Where the kind of a row with this hash stands, or would stand. */
static size_t slot_of(const ws_same_rows *index, size_t row, uint64_t hash)
{
    size_t at = (size_t)hash & (index->n_slots - 1);
    while (index->slots[at]) {
        const struct ws_same_kind *kind = &index->kinds[index->slots[at] - 1];
        if (kind->hash == hash && is_same(index, kind->first, row))
            break;
        at = (at + 1) & (index->n_slots - 1);
    }
    return at;
}

static void grow(ws_same_rows *index)
{
    enum { LEAST_SLOTS = 16 };
    free(index->slots);
    index->n_slots = index->n_slots ? 2 * index->n_slots : LEAST_SLOTS;
    index->slots = ws_alloc(index->n_slots * sizeof *index->slots);
    for (size_t k = 0; k < index->n; k++) {
        size_t at = (size_t)index->kinds[k].hash & (index->n_slots - 1);
        while (index->slots[at])
            at = (at + 1) & (index->n_slots - 1);
        index->slots[at] = k + 1;
    }
}

void ws_same_rows_init(ws_same_rows *index, const ws_table *table, const size_t *columns, size_t n)
{
    ws_same_rows_init_named(index, table, columns, n, NULL);
}

void ws_same_rows_init_named(ws_same_rows *index, const ws_table *table, const size_t *columns, size_t n,
                             const ws_column *name)
{
    *index = (ws_same_rows){.table = table, .columns = columns, .n_columns = n, .name = name};
    grow(index);
}

void ws_same_rows_free(ws_same_rows *index)
{
    free(index->slots);
    free(index->kinds);
    *index = (ws_same_rows){.table = NULL};
}

size_t ws_same_rows_number(ws_same_rows *index, size_t row)
{
    uint64_t hash = mix(hash_of(index, row));
    if (2 * (index->n + 1) > index->n_slots)
        grow(index);
    size_t at = slot_of(index, row, hash);
    if (index->slots[at])
        return index->slots[at] - 1;
    index->kinds = ws_grow(index->kinds, &index->capacity, index->n + 1, sizeof *index->kinds);
    index->kinds[index->n++] = (struct ws_same_kind){row, hash};
    index->slots[at] = index->n;
    return index->n - 1;
}

size_t ws_same_rows_first(ws_same_rows *index, size_t row)
{
    size_t number = ws_same_rows_number(index, row); /* which may move the array */
    return index->kinds[number].first;
}

bool ws_column_varies(const ws_table *table, size_t column)
{
    for (size_t row = 1; row < table->n_rows; row++)
        if (!ws_same_cell(table, column, 0, row))
            return true;
    return false;
}
