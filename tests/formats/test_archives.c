/* Files inside archives: whatever the order in which they are asked for and the thread that asks, each has its own
 * bytes, and reading all goes through the archive a few times. */
#include "harness.h"

#include "core/arena.h"
#include "core/parallel.h"
#include "formats/input/input.h"
#include "formats/input/unpack/archive_cache.h"

#include <archive.h>
#include <archive_entry.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FILES = 500, LARGE = WS_ARCHIVE_CACHE_SMALL + 5000 };

static char folder[] = "/tmp/wattscale-archive-XXXXXX";
static size_t order[FILES];

/* Each case runs in a process of its own. */
static void make_folder(void)
{
    ck_assert(mkdtemp(folder) != NULL);
}

static void remove_folder(void)
{
    char command[100];
    snprintf(command, sizeof command, "rm -r %s", folder);
    ck_assert_int_eq(system(command), 0);
}

/* File i holds bytes of its own; one is larger than what is kept. */
static size_t size_of(size_t i)
{
    return i == 7 ? LARGE : 200 + i * 37 % 5000;
}

static char *bytes_of(size_t i, size_t *n)
{
    *n = size_of(i);
    char *bytes = ws_alloc(*n);
    uint64_t noise = i;
    for (size_t at = 0; at < *n; at++) {
        noise = noise * UINT64_C(6364136223846793005) + 1442695040888963407u;
        bytes[at] = (char)('0' + (noise >> 60));
    }
    return bytes;
}

static void add_file(struct archive *a, const char *name, const char *bytes, size_t n)
{
    struct archive_entry *entry = archive_entry_new();
    archive_entry_set_pathname(entry, name);
    archive_entry_set_size(entry, (la_int64_t)n);
    archive_entry_set_filetype(entry, AE_IFREG);
    archive_entry_set_perm(entry, 0644);
    ck_assert_int_eq(archive_write_header(a, entry), ARCHIVE_OK);
    ck_assert_int_eq(archive_write_data(a, bytes, n), (la_ssize_t)n);
    archive_entry_free(entry);
}

static struct archive *begin(const char *path, bool is_zip)
{
    struct archive *a = archive_write_new();
    if (is_zip)
        archive_write_set_format_zip(a);
    else
        archive_write_set_format_ustar(a);
    if (!is_zip)
        archive_write_add_filter_gzip(a);
    archive_write_set_options(a, "compression-level=1");
    ck_assert_int_eq(archive_write_open_filename(a, path), ARCHIVE_OK);
    return a;
}

static void name_file(char *name, size_t size, size_t i)
{
    snprintf(name, size, "r%02zu/n%04zu.csv", i % 9, i);
}

static void shuffle(size_t seed)
{
    srand((unsigned)seed);
    for (size_t i = 0; i < FILES; i++)
        order[i] = i;
    for (size_t i = FILES; i > 1; i--) {
        size_t j = (size_t)rand() % i, kept = order[i - 1];
        order[i - 1] = order[j];
        order[j] = kept;
    }
}

/* All files, in an order of the archive's own. */
static const char *make(const char *file_name, bool is_zip, size_t seed)
{
    static char path[200];
    char name[60];
    snprintf(path, sizeof path, "%s/%s", folder, file_name);
    struct archive *a = begin(path, is_zip);
    shuffle(seed);
    for (size_t i = 0; i < FILES; i++) {
        size_t n;
        char *bytes = bytes_of(order[i], &n);
        name_file(name, sizeof name, order[i]);
        add_file(a, name, bytes, n);
        free(bytes);
    }
    ck_assert_int_eq(archive_write_close(a), ARCHIVE_OK);
    archive_write_free(a);
    return path;
}

static bool has_own_bytes(const char *archive, size_t i)
{
    char path[300], name[60];
    ws_error error = {0};
    ws_input *input;
    ws_span got;
    size_t n;
    name_file(name, sizeof name, i);
    snprintf(path, sizeof path, "%s/%s", archive, name);
    if (ws_input_open(&input, path, &error) != WS_OK)
        return false;
    bool same = ws_input_read_all(input, 2 * LARGE, &got, &error) == WS_OK;
    char *bytes = bytes_of(i, &n);
    same = same && got.n == n && memcmp(got.p, bytes, n) == 0;
    free(bytes);
    ws_input_close(input);
    return same;
}

/* Bytes that this process has read so far; -1 where the system does not say. */
static int64_t bytes_read(void)
{
    long long n = -1;
    FILE *io = fopen("/proc/self/io", "r");
    if (io && fscanf(io, "rchar: %lld", &n) != 1)
        n = -1;
    if (io)
        fclose(io);
    return n;
}

static void read_one(void *state, size_t item, void *part)
{
    *(bool *)part = has_own_bytes(state, order[item]);
}

static void check_one(void *state, size_t item, void *part)
{
    (void)state;
    ck_assert_msg(*(bool *)part, "file %zu is not what was packed", order[item]);
}

/* Once to list the files, and once more or a few times to read them. */
static void read_all_in_order(const char *archive, unsigned threads, int64_t most_rounds)
{
    FILE *file = fopen(archive, "rb");
    fseek(file, 0, SEEK_END);
    int64_t size = ftell(file), before = bytes_read();
    fclose(file);
    char copy[300];
    snprintf(copy, sizeof copy, "%s", archive);
    ws_parallel_run(&(ws_parallel_task){copy, sizeof(bool), read_one, check_one, NULL}, FILES, threads);
    int64_t read = bytes_read() - before;
    if (before >= 0)
        ck_assert_msg(read <= (most_rounds + 1) * size, "%lld bytes of %lld were read", (long long)read,
                      (long long)size);
}

static void by_name(void)
{
    size_t n = 0;
    for (size_t r = 0; r < 9; r++)
        for (size_t i = r; i < FILES; i += 9)
            order[n++] = i;
}

START_TEST(every_file_in_any_order)
{
    make_folder();
    static const char *const names[] = {"a.tar.gz", "a.zip"};
    for (int is_zip = 0; is_zip < 2; is_zip++) {
        for (unsigned threads = 1; threads <= 3; threads += 2) {
            const char *archive = make(names[is_zip], is_zip, 5 + threads); /* and the order is the archive's */
            read_all_in_order(archive, threads, 2 + (int64_t)threads);
            archive = make(names[is_zip], is_zip, 50 + threads);
            by_name();
            read_all_in_order(archive, threads, 4 + 2 * (int64_t)threads);
            shuffle(900 + threads);
            for (size_t i = 0; i < 6; i++)
                ck_assert(has_own_bytes(archive, order[i]));
        }
    }
    remove_folder();
}
END_TEST

static void collect(void *state, const char *path)
{
    char *all = state;
    const char *inside = path + strlen(folder) + 1;
    ck_assert_uint_lt(strlen(all) + strlen(inside) + 2, 400);
    strcat(strcat(all, inside), "\n");
}

/* By the names at each level, hidden ones left out, repeated ones repeated; the first of these counts. */
START_TEST(names_come_as_in_a_folder)
{
    make_folder();
    char path[200], all[400] = "", inside[300];
    ws_error error = {0};
    ws_packed *file;
    snprintf(path, sizeof path, "%s/names.zip", folder);
    struct archive *a = begin(path, true);
    add_file(a, "b/x.csv", "1", 1);
    add_file(a, "b.csv", "2", 1);
    add_file(a, "./a/y.csv", "3", 1);
    add_file(a, ".hidden", "4", 1);
    add_file(a, "b/x.csv", "5", 1);
    archive_write_close(a);
    archive_write_free(a);
    ck_assert_int_eq(ws_packed_list(path, collect, all, &error), WS_OK);
    ck_assert_str_eq(all, "names.zip/a/y.csv\nnames.zip/b/x.csv\nnames.zip/b/x.csv\nnames.zip/b.csv\n");
    snprintf(inside, sizeof inside, "%s/b/x.csv", path);
    ck_assert((file = ws_packed_open(inside, &error)));
    ck_assert_int_eq(ws_packed_read(file, all, 10), 1);
    ck_assert_int_eq(all[0], '1');
    ck_assert_int_eq(ws_packed_read(file, all, 10), 0);
    ws_packed_close(file);
    ck_assert(ws_packed_holds(inside));
    snprintf(inside, sizeof inside, "%s/b/none.csv", path);
    ck_assert(!ws_packed_holds(inside));
    ck_assert_ptr_null(ws_packed_open(inside, &error));
    ck_assert_msg(strstr(error.message, "holds no such file") != NULL, "%s", error.message);
    remove_folder();
}
END_TEST

/* Whatever it is called; a file that is none is no folder, and a saved tensor neither. */
START_TEST(archives_are_known_by_content)
{
    make_folder();
    char path[200], inside[5000];
    for (int is_zip = 0; is_zip < 2; is_zip++) {
        snprintf(path, sizeof path, "%s/what%d.bin", folder, is_zip);
        struct archive *a = begin(path, is_zip);
        add_file(a, "x.csv", "1", 1);
        archive_write_close(a);
        archive_write_free(a);
        snprintf(inside, sizeof inside, "%s/x.csv", path);
        ck_assert(ws_packed_is(path));
        ck_assert(!ws_packed_is_named(path));
        ck_assert_uint_eq(ws_packed_outer(inside), strlen(path));
        ck_assert_uint_eq(ws_packed_outer(path), 0);
        snprintf(inside, sizeof inside, "%s/deeper/than/x.csv", path); /* whatever it holds */
        ck_assert_uint_eq(ws_packed_outer(inside), strlen(path));
        snprintf(inside, sizeof inside, "%s/%04500d", path, 7); /* longer than any path of the system */
        ck_assert_uint_eq(ws_packed_outer(inside), strlen(path));
        snprintf(inside, sizeof inside, "%s/none/x.csv", folder);
        ck_assert_uint_eq(ws_packed_outer(inside), 0);
        snprintf(inside, sizeof inside, "%s/x.csv", path);
        ck_assert(ws_packed_holds(inside));
    }
    snprintf(path, sizeof path, "%s/list.pt", folder);
    struct archive *a = begin(path, true);
    add_file(a, "archive/data.pkl", "1", 1);
    archive_write_close(a);
    archive_write_free(a);
    ck_assert(!ws_packed_is(path));
    snprintf(path, sizeof path, "%s/plain.csv", folder);
    FILE *file = fopen(path, "w");
    fputs("timestamp,power\n", file);
    fclose(file);
    ck_assert(!ws_packed_is(path));
    snprintf(inside, sizeof inside, "%s/x.csv", path);
    ck_assert_uint_eq(ws_packed_outer(inside), 0);
    remove_folder();
}
END_TEST

/* An archive that was written anew is read anew; of one that is cut, the whole files in front are read. */
START_TEST(changed_and_cut_archives)
{
    make_folder();
    size_t readable = 0;
    char path[200], name[60], inside[300];
    ws_error error = {0};
    snprintf(path, sizeof path, "%s", make("again.tar.gz", false, 3));
    ck_assert(has_own_bytes(path, 11));
    make("again.tar.gz", false, 4);
    ck_assert(has_own_bytes(path, 11));
    shuffle(4);
    FILE *file = fopen(path, "rb");
    fseek(file, 0, SEEK_END);
    long size = ftell(file);
    fclose(file);
    ck_assert_int_eq(truncate(path, size / 2), 0);
    while (readable < FILES && has_own_bytes(path, order[readable]))
        readable++;
    ck_assert_uint_gt(readable, FILES / 10);
    ck_assert_uint_lt(readable, FILES);
    ck_assert(!has_own_bytes(path, order[FILES - 1]));
    name_file(name, sizeof name, order[FILES - 1]);
    snprintf(inside, sizeof inside, "%s/%s", path, name);
    ck_assert_ptr_null(ws_packed_open(inside, &error));
    ck_assert_msg(strstr(error.message, "damaged or cut") != NULL, "%s", error.message);
    ck_assert(has_own_bytes(path, order[0])); /* damage behind it does not matter */
    remove_folder();
}
END_TEST

TEST_MAIN("archives", every_file_in_any_order, names_come_as_in_a_folder, archives_are_known_by_content,
          changed_and_cut_archives)
