/* Every real file of text gives the same values, lines and notes by every reader and by threads. */
#include "harness.h"

#include "analyze/folder_walk.h"
#include "analyze/source.h"
#include "formats/whole_reading.h"

#include <unistd.h>

enum { LARGEST = 400 * 1024 };

/* A byte order mark in front, of a file on disk that threads read in parts as well, changes nothing. */
static void check_marked(const ws_format *format, ws_span bytes, const size_t *parts, size_t n_parts, const char *name)
{
    char path[] = "/tmp/marked-XXXXXX", *marked = ws_alloc(bytes.n + 3);
    memcpy(marked, "\xef\xbb\xbf", 3);
    memcpy(marked + 3, bytes.p, bytes.n);
    int fd = mkstemp(path);
    ck_assert(fd >= 0 && write(fd, marked, bytes.n + 3) == (ssize_t)bytes.n + 3);
    close(fd);
    char *want = read_as_text(format, bytes, 0, &(ws_rows_options){0}),
         *got = read_as_text(format, (ws_span){marked, bytes.n + 3}, 0, &(ws_rows_options){0}),
         *difference = compare_texts(got, want, "with a byte order mark");
    ck_assert_msg(!difference, "%s: %s", name, difference);
    difference = find_thread_difference(format, path, 0, parts, n_parts);
    ck_assert_msg(!difference, "%s with a byte order mark: %s", name, difference);
    unlink(path);
    free(want);
    free(got);
    free(marked);
}

static void check_file(const char *path, const ws_format *format)
{
    static const size_t pieces[] = {0, 64, 5000}, parts[] = {3000, 100000};
    ws_input *input;
    ws_span bytes;
    if (ws_input_open(&input, path, NULL) != WS_OK)
        return;
    if (ws_input_read_all(input, LARGEST, &bytes, NULL) == WS_OK) {
        char *difference = find_difference(format, bytes, 0, pieces, sizeof pieces / sizeof *pieces);
        ck_assert_msg(!difference, "%s: %s", path, difference);
        check_marked(format, bytes, parts, sizeof parts / sizeof *parts, path);
    }
    ws_input_close(input);
    char *difference = find_thread_difference(format, path, 0, parts, sizeof parts / sizeof *parts);
    ck_assert_msg(!difference, "%s: %s", path, difference);
}

START_TEST(fixtures_read_the_same_every_way)
{
    const char *corpus = getenv("CORPUS");
    ws_file_list files = {0};
    char root[1000];
    size_t checked = 0;
    if (!corpus)
        skip_because("CORPUS is not set");
    snprintf(root, sizeof root, "%s/fixtures", corpus);
    ck_assert_int_eq(ws_walk(root, &files, NULL, NULL), WS_OK);
    for (size_t i = 0; i < files.n; i++) {
        const ws_format *format;
        if (ws_source_recognise(files.paths[i], NULL, &format, NULL, NULL) != WS_OK || !format ||
            strstr(format->name, "hdf5"))
            continue;
        check_file(files.paths[i], format);
        checked++;
    }
    ck_assert_msg(checked > 60, "%zu files", checked);
    ws_file_list_free(&files);
}
END_TEST

TEST_MAIN("readers", fixtures_read_the_same_every_way)
