/* A list of floats saved with torch.save(list, path), as one error or loss an epoch (valid_top1.pt): an uncompressed
 * ZIP with the member <stem>/data.pkl, which is a pickle:
 *
 *   80 02                     protocol 2
 *   5d 71 00 28               ] q 0 (      an empty list, remembered as 0, and a mark
 *   47 40 35 8a 3d 70 a3 d7 0a             G and a big-endian double, each number
 *   65 2e                     e .          append all since the mark, stop
 *
 * A plain pickle.dump of such a list is read, too. A pickle is a program: only these instructions are followed,
 * anything else (tensors, objects, dictionaries) is refused. */
#include "formats/format.h"

#include "core/arena.h"
#include "formats/input/unpack/unpack.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BYTES_LIMIT = 256 * 1024 * 1024 };

static const char zip_magic[] = "PK\x03\x04";

static bool is_zip(ws_span bytes)
{
    return bytes.n >= 4 && memcmp(bytes.p, zip_magic, 4) == 0;
}

/* Protocol 2 or later and, behind a frame's head, an empty list. */
static bool is_pickled_list(ws_span bytes)
{
    if (bytes.n < 3 || bytes.p[0] != '\x80' || bytes.p[1] < 2 || bytes.p[1] > 5)
        return false;
    size_t at = bytes.p[2] == '\x95' ? 2 + 9 : 2;
    return at < bytes.n && bytes.p[at] == ']';
}

static int score_torch_list(const char *path, ws_span head)
{
    (void)path;
    if (is_zip(head))
        return ws_span_contains(head, "/data.pkl") ? 90 : 0;
    return is_pickled_list(head) ? 80 : 0;
}

/* The pickle */

typedef struct pickle {
    ws_span rest;
    bool has_list, has_mark, stopped;
    double *value;
    size_t n, capacity;
    size_t pending; /* values behind the list that no append has taken yet */
} pickle;

static uint64_t torch_list_take_bytes(pickle *p, size_t n, bool big_endian)
{
    uint64_t v = 0;
    for (size_t i = 0; i < n; i++) {
        unsigned char byte = (unsigned char)p->rest.p[i];
        v = big_endian ? v << 8 | byte : v | (uint64_t)byte << (8 * i);
    }
    p->rest.p += n, p->rest.n -= n;
    return v;
}

static bool put(pickle *p, double value)
{
    p->value = ws_grow(p->value, &p->capacity, p->n + 1, sizeof *p->value);
    p->value[p->n++] = value;
    p->pending++;
    return p->has_list;
}

static bool skip(pickle *p, size_t n)
{
    p->rest.p += n, p->rest.n -= n;
    return true;
}

static bool do_protocol(pickle *p)
{
    return torch_list_take_bytes(p, 1, false) <= 5;
}

static bool do_frame(pickle *p)
{
    return skip(p, 8);
}

static bool do_memoize(pickle *p)
{
    (void)p;
    return true;
}

static bool do_put(pickle *p)
{
    return skip(p, 1);
}

static bool do_long_put(pickle *p)
{
    return skip(p, 4);
}

static bool do_empty_list(pickle *p)
{
    bool first = !p->has_list;
    p->has_list = true;
    return first;
}

static bool do_mark(pickle *p)
{
    bool fits = p->has_list && !p->has_mark && !p->pending;
    p->has_mark = true;
    return fits;
}

static bool do_appends(pickle *p)
{
    bool fits = p->has_mark;
    p->has_mark = false;
    p->pending = 0;
    return fits;
}

static bool do_append(pickle *p)
{
    bool fits = !p->has_mark && p->pending == 1;
    p->pending = 0;
    return fits;
}

static bool do_float(pickle *p)
{
    uint64_t bits = torch_list_take_bytes(p, 8, true);
    double value;
    memcpy(&value, &bits, sizeof value);
    return put(p, isfinite(value) ? value : NAN);
}

static bool do_int32(pickle *p)
{
    return put(p, (double)(int32_t)(uint32_t)torch_list_take_bytes(p, 4, false));
}

static bool do_uint16(pickle *p)
{
    return put(p, (double)torch_list_take_bytes(p, 2, false));
}

static bool do_uint8(pickle *p)
{
    return put(p, (double)torch_list_take_bytes(p, 1, false));
}

static bool do_none(pickle *p)
{
    return put(p, NAN);
}

static bool do_stop(pickle *p)
{
    p->stopped = true;
    return p->has_list && !p->has_mark && !p->pending;
}

static const struct {
    char code;
    size_t argument; /* bytes */
    bool (*run)(pickle *);
} instructions[] = {
    {'\x80', 1, do_protocol}, {'\x95', 8, do_frame},   {'\x94', 0, do_memoize}, {'q', 1, do_put},
    {'r', 4, do_long_put},    {']', 0, do_empty_list}, {'(', 0, do_mark},       {'e', 0, do_appends},
    {'a', 0, do_append},      {'G', 8, do_float},      {'J', 4, do_int32},      {'M', 2, do_uint16},
    {'K', 1, do_uint8},       {'N', 0, do_none},       {'.', 0, do_stop},
};

/* False where an instruction is not known, does not fit or is cut. */
static bool run_next(pickle *p)
{
    char code = *p->rest.p;
    for (size_t i = 0; i < sizeof instructions / sizeof *instructions; i++) {
        if (instructions[i].code != code)
            continue;
        skip(p, 1);
        return p->rest.n >= instructions[i].argument && instructions[i].run(p);
    }
    return false;
}

static ws_status run_pickle(pickle *p, ws_span bytes, const char *source, ws_error *error)
{
    p->rest = bytes;
    while (!p->stopped && p->rest.n) {
        size_t at = bytes.n - p->rest.n;
        unsigned char code = (unsigned char)*p->rest.p;
        if (!run_next(p))
            return ws_fail_at(error, WS_FORMAT, source, 0,
                              "byte %zu of the pickle (0x%02x) belongs to no plain list of numbers; save the list as "
                              "[float(x) for x in values]",
                              at, code);
    }
    if (!p->stopped)
        return ws_fail_at(error, WS_FORMAT, source, 0,
                          "the pickle ends after %zu bytes without its end mark: the file is cut", bytes.n);
    return WS_OK;
}

/* The ZIP around it */

static ws_status fail_zip(const ws_unpack *unpack, const char *source, ws_error *error)
{
    return ws_fail_at(error, WS_FORMAT, source, 0, "the ZIP that torch.save writes cannot be read (%s)",
                      ws_unpack_why(unpack));
}

static ws_status read_member(ws_unpack *unpack, const char *source, char **data, size_t *n, ws_error *error)
{
    size_t capacity = 0;
    *n = 0;
    for (;;) {
        *data = ws_grow(*data, &capacity, *n + 4096, 1);
        ssize_t got = ws_unpack_read(unpack, *data + *n, capacity - *n);
        if (got < 0)
            return fail_zip(unpack, source, error);
        if (got == 0)
            return WS_OK;
        *n += (size_t)got;
        if (*n > BYTES_LIMIT)
            return ws_fail_at(error, WS_FORMAT, source, 0,
                              "data.pkl is larger than %d bytes: it is not a list of results", BYTES_LIMIT);
    }
}

static bool is_pickle(const ws_unpack_file *file)
{
    ws_span name = ws_span_of(file->name ? file->name : "");
    return ws_span_has_suffix(name, "/data.pkl") || ws_span_eq(name, "data.pkl");
}

/* The member named data.pkl; the caller frees *data. */
static ws_status unzip(ws_span bytes, const char *source, char **data, size_t *n, ws_error *error)
{
    ws_unpack *unpack = ws_unpack_zip(source, bytes, error);
    ws_unpack_file file;
    if (!unpack)
        return WS_IO;
    int found = ws_unpack_next(unpack, &file);
    while (found > 0 && !is_pickle(&file))
        found = ws_unpack_next(unpack, &file);
    ws_status status =
        found > 0   ? read_member(unpack, source, data, n, error)
        : found < 0 ? fail_zip(unpack, source, error)
                    : ws_fail_at(error, WS_FORMAT, source, 0, "the ZIP holds no data.pkl as torch.save writes it");
    ws_unpack_close(unpack);
    return status;
}

static void fill_table(ws_table *table, const pickle *p)
{
    size_t index = ws_table_add_column(table, "index", WS_INTEGER),
           value = ws_table_add_column(table, "value", WS_NUMBER);
    for (size_t i = 0; i < p->n; i++) {
        size_t row = ws_table_add_row(table);
        ws_table_set_integer(table, index, row, (int64_t)i);
        ws_table_set_number(table, value, row, p->value[i]);
    }
}

static ws_status read_torch_list(ws_input *input, const ws_read_options *options, ws_table *table, ws_error *error)
{
    (void)options;
    const char *source = ws_input_path(input);
    ws_span bytes;
    char *member = NULL;
    table->source = ws_arena_strdup(&table->arena, source);
    ws_status status = ws_input_read_all(input, BYTES_LIMIT, &bytes, error);
    if (status == WS_OK && is_zip(bytes)) {
        status = unzip(bytes, source, &member, &bytes.n, error);
        bytes.p = member;
    }
    pickle p = {0};
    if (status == WS_OK)
        status = run_pickle(&p, bytes, source, error);
    if (status == WS_OK)
        fill_table(table, &p);
    free(p.value);
    free(member);
    return status;
}

const ws_format ws_format_torch_list = {
    .name = "torch-list",
    .title = "list of numbers, saved by PyTorch or pickle",
    .example = "PK\\x03\\x04 ... valid_top1/data.pkl: \\x80\\x02]q\\x00(G@5\\x8a=p\\xa3\\xd7\\n...e.",
    .is_record = true,
    .tier = 3,
    .tried = WS_TRIED_HAND_MADE,
    .score = score_torch_list,
    .read_table = read_torch_list,
};
