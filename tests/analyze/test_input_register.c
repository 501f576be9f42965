/* What is read is registered once, with its format and the SHA-256 of the file as it lies there (FIPS 180-4's example
 * "abc"). */
#include "harness.h"

#include "analyze/input_register.h"
#include "analyze/source.h"

#include <stdlib.h>
#include <unistd.h>

static const char *const ABC = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

static char path[] = "/tmp/wattscale-test-XXXXXX";

static void write_file(const char *text)
{
    strcpy(path, "/tmp/wattscale-test-XXXXXX");
    int fd = mkstemp(path);
    ck_assert(fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text) && close(fd) == 0);
}

START_TEST(a_file_once)
{
    ws_input *input = NULL;
    ws_error error = {0};
    ws_format one = {.name = "one"}, other = {.name = "other"};
    ws_input_register *inputs = ws_input_register_new();
    write_file("abc");
    ck_assert_int_eq(ws_input_open(&input, path, &error), WS_OK);
    ws_input_register_add(inputs, path, &one, input);
    ws_input_register_add(inputs, path, &other, input);
    ws_input_register_add(inputs, "zzz", NULL, input);
    ws_input_register_add(inputs, "aaa", NULL, input);
    const ws_registered_input *found = ws_input_register_find(inputs, path);
    ck_assert_ptr_nonnull(found);
    ck_assert_str_eq(found->format->name, "one");
    ck_assert(found->has_digest);
    ck_assert_uint_eq(found->size, 3);
    ck_assert_str_eq(found->sha256, ABC);
    ck_assert_ptr_nonnull(ws_input_register_find(inputs, "aaa"));
    ck_assert_ptr_nonnull(ws_input_register_find(inputs, "zzz"));
    ck_assert_ptr_null(ws_input_register_find(inputs, "b"));
    ws_input_close(input);
    ws_input_register_free(inputs);
    ws_input_register_free(NULL);
    unlink(path);
}
END_TEST

START_TEST(memory_has_no_digest)
{
    ws_input *input = ws_input_from_memory("m", "abc", 3);
    ws_input_register *inputs = ws_input_register_new();
    ws_input_register_add(inputs, "m", NULL, input);
    ck_assert(!ws_input_register_find(inputs, "m")->has_digest);
    ws_input_close(input);
    ws_input_register_free(inputs);
}
END_TEST

/* Also where the reading fails: what was looked at is part of where a result comes from. */
START_TEST(what_is_read_is_registered)
{
    ws_table table;
    ws_error error = {0};
    ws_input_register *inputs = ws_input_register_new();
    ws_source_options options = {.read = WS_READ_DEFAULTS, .inputs = inputs};
    write_file("abc");
    ck_assert_int_ne(ws_source_read_table(path, &options, &table, &error), WS_OK);
    ck_assert_str_eq(ws_input_register_find(inputs, path)->sha256, ABC);
    ws_table_free(&table);
    unlink(path);
    write_file("gpus,energy_kwh\n1,2\n");
    ck_assert_int_eq(ws_source_read_table(path, &options, &table, &error), WS_OK);
    ck_assert_str_eq(ws_input_register_find(inputs, path)->format->name, "table-csv");
    ws_table_free(&table);
    ws_input_register_free(inputs);
    unlink(path);
}
END_TEST

TEST_MAIN("input register", a_file_once, memory_has_no_digest, what_is_read_is_registered)
