/* Every real file of text gives the same values, lines and notes when it is packed or comes down a pipe: one way a file
 * in turn, in the long form (WS_LONG) each. */
#include "harness.h"

#include "analyze/folder_walk.h"
#include "analyze/source.h"
#include "formats/whole_reading.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char folder[] = "/tmp/wattscale-packed-XXXXXX";

static char *text_of_path(const ws_format *format, const char *path)
{
    ws_input *input;
    ck_assert_int_eq(ws_input_open(&input, path, NULL), WS_OK);
    return read_input_as_text(format, input, 0, &(ws_rows_options){0});
}

/* The file as `path` by "gzip -c" or the like, or down a named pipe by "cat". */
static char *text_by(const ws_format *format, const char *program, const char *from, const char *path, bool is_pipe)
{
    char command[2400];
    unlink(path);
    ck_assert(!is_pipe || mkfifo(path, 0600) == 0);
    snprintf(command, sizeof command, "%s '%s' >'%s'%s", program, from, path, is_pipe ? " &" : "");
    ck_assert_int_eq(system(command), 0);
    char *text = text_of_path(format, path);
    unlink(path);
    return text;
}

static void check_file(const char *from, const ws_format *format, size_t nth)
{
    static const struct {
        const char *program;
        bool is_pipe;
    } ways[] = {{"gzip -c", false}, {"zstd -q -c", false}, {"cat", true}};
    char path[1200]; /* always the same, since notes name it; what is packed shows in the bytes */
    snprintf(path, sizeof path, "%s/%s", folder, strrchr(from, '/') + 1);
    char *plain = text_by(format, "cat", from, path, false);
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        if (!getenv("WS_LONG") && nth % (sizeof ways / sizeof *ways) != i)
            continue;
        char *text = text_by(format, ways[i].program, from, path, ways[i].is_pipe);
        char *difference = compare_texts(text, plain, ways[i].program);
        ck_assert_msg(!difference, "%s: %s", from, difference);
        free(text);
    }
    free(plain);
}

START_TEST(packed_and_piped_files_read_the_same)
{
    const char *corpus = getenv("CORPUS");
    ws_file_list files = {0};
    char root[1000];
    size_t checked = 0;
    if (!corpus)
        skip_because("CORPUS is not set");
    if (system("zstd --version >/dev/null 2>&1") != 0)
        skip_because("zstd is not installed");
    snprintf(root, sizeof root, "%s/fixtures", corpus);
    ck_assert(mkdtemp(folder) != NULL);
    ck_assert_int_eq(ws_walk(root, &files, NULL, NULL), WS_OK);
    for (size_t i = 0; i < files.n; i++) {
        const ws_format *format;
        size_t n = strlen(files.paths[i]);
        if (ws_source_recognise(files.paths[i], NULL, &format, NULL, NULL) != WS_OK || !format ||
            strstr(format->name, "hdf5") || (n > 3 && strcmp(files.paths[i] + n - 3, ".gz") == 0))
            continue;
        check_file(files.paths[i], format, checked);
        checked++;
    }
    ck_assert_msg(checked > 60, "%zu files", checked);
    ws_file_list_free(&files);
    rmdir(folder);
}
END_TEST

TEST_MAIN("packed", packed_and_piped_files_read_the_same)
