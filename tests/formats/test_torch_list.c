/* Lists of numbers as torch.save and pickle.dump write them, byte by byte. */
#include "core/arena.h"
#include "harness.h"
#include "record.h"

#include <stdlib.h>

extern const ws_format ws_format_torch_list;

/* pickle.dumps([21.34, 0.5, -3.0], protocol=2), as pickletools.dis shows it */
static const char three[] = "\x80\x02]q\x00("
                            "G\x40\x35\x57\x0a\x3d\x70\xa3\xd7"
                            "G\x3f\xe0\x00\x00\x00\x00\x00\x00"
                            "G\xc0\x08\x00\x00\x00\x00\x00\x00"
                            "e.";

typedef struct bytes {
    unsigned char at[2048];
    size_t n;
} bytes;

static void put(bytes *b, const void *data, size_t n)
{
    ck_assert_uint_le(b->n + n, sizeof b->at);
    memcpy(b->at + b->n, data, n);
    b->n += n;
}

static void put_number(bytes *b, size_t size, uint64_t value)
{
    for (size_t i = 0; i < size; i++)
        b->at[b->n++] = (unsigned char)(value >> (8 * i));
}

static uint32_t crc32_of(const char *data, size_t n)
{
    uint32_t crc = 0xffffffff;
    for (size_t i = 0; i < n; i++) {
        crc ^= (unsigned char)data[i];
        for (int bit = 0; bit < 8; bit++)
            crc = crc >> 1 ^ (crc & 1 ? 0xedb88320 : 0);
    }
    return ~crc;
}

/* Version, flags, method, time and date, checksum and both sizes: alike in the local and the central header. */
static void put_sizes(bytes *b, bool later, uint32_t crc, size_t n)
{
    put_number(b, 2, later ? 0x0808 : 0);
    put_number(b, 2, 0);
    put_number(b, 4, 0);
    put_number(b, 4, crc);
    put_number(b, 4, n);
    put_number(b, 4, n);
}

/* A ZIP of one uncompressed member. `later`: sizes behind the data, as torch.save writes them. */
static bytes zip_of(const char *name, const char *data, size_t n, bool later)
{
    bytes b = {.n = 0};
    uint32_t crc = crc32_of(data, n);
    put(&b, "PK\3\4", 4);
    put_number(&b, 2, 20);
    put_sizes(&b, later, later ? 0 : crc, later ? 0 : n);
    put_number(&b, 2, strlen(name));
    put_number(&b, 2, 0);
    put(&b, name, strlen(name));
    put(&b, data, n);
    if (later) {
        put(&b, "PK\7\x08", 4);
        put_number(&b, 4, crc);
        put_number(&b, 4, n);
        put_number(&b, 4, n);
    }
    size_t directory = b.n;
    put(&b, "PK\1\2", 4);
    put_number(&b, 4, 20 | 20 << 16);
    put_sizes(&b, later, crc, n);
    put_number(&b, 2, strlen(name));
    put_number(&b, 8, 0); /* no extra field, no comment, disk 0, no attributes inside */
    put_number(&b, 4, 0);
    put_number(&b, 4, 0); /* where the local header is */
    put(&b, name, strlen(name));
    size_t end = b.n;
    put(&b, "PK\5\6", 4);
    put_number(&b, 4, 0);
    put_number(&b, 4, 1 | 1 << 16);
    put_number(&b, 4, end - directory);
    put_number(&b, 4, directory);
    put_number(&b, 2, 0);
    return b;
}

static ws_status read_bytes(ws_table *table, const void *data, size_t n, ws_error *error)
{
    ws_error_clear(error);
    return record_read_input(table, &ws_format_torch_list, ws_input_from_memory("top1.pt", data, n), error);
}

static void check_three(const ws_table *table)
{
    ck_assert_uint_eq(table->n_columns, 2);
    ck_assert_uint_eq(table->n_rows, 3);
    ck_assert_str_eq(record_cell(table, 0, "index"), "0");
    ck_assert_str_eq(record_cell(table, 2, "index"), "2");
    ck_assert_str_eq(record_cell(table, 0, "value"), "21.34");
    ck_assert_str_eq(record_cell(table, 1, "value"), "0.5");
    ck_assert_str_eq(record_cell(table, 2, "value"), "-3");
}

START_TEST(a_list_in_the_zip_of_torch_save)
{
    for (int later = 0; later < 2; later++) {
        bytes zip = zip_of("valid_top1/data.pkl", three, sizeof three - 1, later);
        ws_table table;
        ws_error error;
        ck_assert_int_gt(ws_format_torch_list.score("top1.pt", (ws_span){(const char *)zip.at, zip.n}), 80);
        ck_assert_msg(read_bytes(&table, zip.at, zip.n, &error) == WS_OK, "%s", error.message);
        check_three(&table);
        ws_table_free(&table);
    }
}
END_TEST

START_TEST(a_plain_pickle_of_protocol_2_and_4)
{
    /* pickle.dumps([1, 300, -2, None], protocol=4) */
    static const char four[] = "\x80\x04\x95\x10\0\0\0\0\0\0\0]\x94(K\x01M\x2c\x01J\xfe\xff\xff\xffNe.";
    ws_table table;
    ws_error error;
    ck_assert_int_gt(ws_format_torch_list.score("x", (ws_span){three, sizeof three - 1}), 0);
    ck_assert_int_eq(read_bytes(&table, three, sizeof three - 1, &error), WS_OK);
    check_three(&table);
    ws_table_free(&table);
    ck_assert_int_gt(ws_format_torch_list.score("x", (ws_span){four, sizeof four - 1}), 0);
    ck_assert_msg(read_bytes(&table, four, sizeof four - 1, &error) == WS_OK, "%s", error.message);
    ck_assert_uint_eq(table.n_rows, 4);
    ck_assert_str_eq(record_cell(&table, 1, "value"), "300");
    ck_assert_str_eq(record_cell(&table, 2, "value"), "-2");
    ck_assert_str_eq(record_cell(&table, 3, "value"), "");
    ws_table_free(&table);
}
END_TEST

START_TEST(one_number_none_and_several_batches)
{
    static const struct {
        const char *text;
        size_t n, rows;
    } lists[] = {
        {"\x80\x02]q\0.", 6, 0},
        {"\x80\x02]q\0K\x07"
         "a.",
         9, 1},
        {"\x80\x02]q\0(K\1K\2e(K\3K\4e.", 18, 4},
        {"\x80\x02]r\0\1\0\0(K\1K\2eK\3a.", 18, 3},
    };
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        ws_table table;
        ws_error error;
        ck_assert_msg(read_bytes(&table, lists[i].text, lists[i].n, &error) == WS_OK, "%zu: %s", i, error.message);
        ck_assert_uint_eq(table.n_rows, lists[i].rows);
        ws_table_free(&table);
    }
}
END_TEST

START_TEST(anything_but_a_list_of_numbers_is_refused)
{
    static const struct {
        const char *text;
        size_t n;
        const char *want;
    } pickles[] = {
        {"\x80\x02}q\0.", 6, "byte 2 of the pickle (0x7d)"}, /* a dictionary */
        {"\x80\x02"
         "ctorch\ntensor\n.",
         17, "byte 2 of the pickle (0x63)"},                             /* a call */
        {"\x80\x02](]e.", 7, "byte 4 of the pickle (0x5d)"},             /* a list in a list */
        {"\x80\x02](U\1xe.", 9, "byte 4 of the pickle (0x55)"},          /* a text */
        {"\x80\x02K\1.", 5, "byte 2 of the pickle (0x4b)"},              /* no list */
        {"\x80\x02]K\1K\2a.", 9, "byte 7 of the pickle (0x61)"},         /* two appended as one */
        {"\x80\x02](K\1.", 7, "byte 6 of the pickle (0x2e)"},            /* never appended */
        {"\x80\x02]e.", 5, "byte 3 of the pickle (0x65)"},               /* no mark */
        {"\x80\x02](G\x40", 6, "byte 4 of the pickle (0x47)"},           /* cut in a number */
        {"\x80\x02](K\1", 6, "ends after 6 bytes without its end mark"}, /* cut */
        {"", 0, "ends after 0 bytes"},
    };
    for (size_t i = 0; i < sizeof pickles / sizeof *pickles; i++) {
        ws_table table;
        ws_error error;
        ck_assert_int_eq(read_bytes(&table, pickles[i].text, pickles[i].n, &error), WS_FORMAT);
        ck_assert_msg(strstr(error.message, pickles[i].want) != NULL, "%zu: %s", i, error.message);
        ck_assert_ptr_eq(strstr(error.message, "top1.pt: "), error.message);
        ck_assert_uint_eq(table.n_rows, 0);
        ws_table_free(&table);
    }
}
END_TEST

START_TEST(a_zip_that_is_cut_or_holds_no_pickle_is_refused)
{
    ws_table table;
    ws_error error;
    bytes other = zip_of("archive/version", "3\n", 2, false);
    ck_assert_int_eq(read_bytes(&table, other.at, other.n, &error), WS_FORMAT);
    ck_assert_str_eq(error.message, "top1.pt: the ZIP holds no data.pkl as torch.save writes it");
    ws_table_free(&table);
    bytes zip = zip_of("valid_top1/data.pkl", three, sizeof three - 1, false);
    for (size_t n = 4; n < 30 + 19 + sizeof three - 1; n++) {
        ck_assert_msg(read_bytes(&table, zip.at, n, &error) == WS_FORMAT, "cut after %zu bytes", n);
        ws_table_free(&table);
    }
}
END_TEST

START_TEST(other_files_are_not_taken_for_lists)
{
    ck_assert_int_eq(ws_format_torch_list.score("x.zip", (ws_span){"PK\3\4\24\0\0\0", 8}), 0);
    ck_assert_int_eq(ws_format_torch_list.score("x.pkl", (ws_span){"\x80\x02}q\0.", 6}), 0);
    ck_assert_int_eq(ws_format_torch_list.score("x.csv", ws_span_of("a,b\n")), 0);
}
END_TEST

TEST_MAIN("torch list", a_list_in_the_zip_of_torch_save, a_plain_pickle_of_protocol_2_and_4,
          one_number_none_and_several_batches, anything_but_a_list_of_numbers_is_refused,
          a_zip_that_is_cut_or_holds_no_pickle_is_refused, other_files_are_not_taken_for_lists)
