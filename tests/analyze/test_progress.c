#include "harness.h"

#include "analyze/progress.h"
#include "analyze/source.h"

#include <string.h>

static const char *text_of(uint64_t bytes, uint64_t all_bytes, uint64_t files, uint64_t all_files, double elapsed_s)
{
    static char text[WS_PROGRESS_TEXT];
    ws_progress p = {.all_bytes = all_bytes, .all_files = all_files};
    atomic_store(&p.bytes, bytes);
    atomic_store(&p.files, files);
    ws_progress_text(&p, elapsed_s, text);
    return text;
}

START_TEST(the_line_says_what_is_known)
{
    ck_assert_str_eq(text_of(500000000, 2000000000, 37, 2000, 2),
                     "500 MB of 2.00 GB, 37 of 2000 files, 250 MB/s, 6 s left");
    ck_assert_str_eq(text_of(1530000000, 0, 3, 0, 1), "1.53 GB, 1.53 GB/s");
    ck_assert_str_eq(text_of(12, 12, 1, 1, 1), "12 B of 12 B, 12 B/s");
    ck_assert_str_eq(text_of(1000000, 3601000000, 0, 1, 1), "1.00 MB of 3.60 GB, 1.00 MB/s, 1:00:00 left");
    ck_assert_str_eq(text_of(0, 999999, 0, 1, 1), "0 B of 1.00 MB, 0 B/s");
}
END_TEST

/* The counter ends at the size of the file, whoever read it and how far. */
START_TEST(what_is_read_is_counted)
{
    char path[] = "/tmp/wattscale-progress-XXXXXX";
    int fd = mkstemp(path);
    FILE *file = fdopen(fd, "w");
    ws_progress progress = {0};
    ws_source_options options = {.read = WS_READ_DEFAULTS, .progress = &progress};
    ws_sink none = {0};
    ws_error error = {0};
    for (int i = 0; i < 50000; i++)
        fprintf(file, "neither a trace nor a table %d\n", i);
    long size = ftell(file);
    fclose(file);
    ck_assert_int_ne(ws_source_read(path, &options, &none, NULL, NULL, &error), WS_OK);
    ck_assert_uint_eq(atomic_load(&progress.bytes), (uint64_t)size);
    ck_assert_uint_eq(atomic_load(&progress.files), 1);
    remove(path);
}
END_TEST

TEST_MAIN("progress", the_line_says_what_is_known, what_is_read_is_counted)
