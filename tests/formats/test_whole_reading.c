#include "harness.h"

#include "formats/changing_text.h"
#include "formats/delimited_text.h"
#include "formats/whole_reading.h"
#include "formats/table/rows.h"

#include <unistd.h>

static const size_t pieces[] = {0, 64, 4096, 1 << 22};

static void check_all_formats(ws_span bytes, const size_t *sizes, size_t n_sizes, const char *what, size_t k)
{
    ws_span head = {bytes.p, bytes.n < WS_HEAD_SIZE ? bytes.n : WS_HEAD_SIZE};
    for (const ws_format *const *f = ws_formats(); *f; f++) {
        bool is_text = strstr((*f)->name, "hdf5") == NULL;
        if (!is_text || (*f)->score("t", head) <= 0)
            continue;
        char *difference = find_difference(*f, bytes, 0, sizes, n_sizes);
        ck_assert_msg(!difference, "%s %zu: %s", what, k, difference);
    }
}

START_TEST(made_files_of_every_form)
{
    enum { ROOM = 64 * 1024, ROUNDS = 6 };
    static char text[ROOM];
    for (size_t k = 0; k < DELIMITED_FORMS * ROUNDS; k++) {
        damage_state = k;
        size_t n = put_delimited(text, ROOM, k % DELIMITED_FORMS, k % ROUNDS ? 100 : 700);
        check_all_formats((ws_span){text, n}, pieces, sizeof pieces / sizeof *pieces, "seed", k);
    }
}
END_TEST

/* What make soak found: another header at the end of a block, whose first row settles what
 * is wanted; a quote that opens in a line of which a piece had ended a cell. */
START_TEST(seeds_that_found_something)
{
    enum { ROOM = 64 * 1024 };
    static char text[2 * ROOM];
    static const struct {
        uint64_t seed;
        size_t form, piece;
        bool is_damaged;
    } found[] = {{1066, 1, 0, true},
                 {901340, 1, 99, true},
                 {7001028, 1, 0, true},
                 {123457012, 2, 0, true},
                 {990005385, 3, 96, false}};
    for (size_t i = 0; i < sizeof found / sizeof *found; i++) {
        size_t n = put_case(text, ROOM, found[i].seed, found[i].form, found[i].is_damaged);
        check_all_formats((ws_span){text, n}, &found[i].piece, 1, "found seed", found[i].seed);
    }
}
END_TEST

/* Files on disk, read by threads in parts of whole lines. */
static void check_threads(const char *text, size_t n, const char *what, size_t k)
{
    static const size_t parts[] = {64, 300, 1000};
    char path[] = "/tmp/wattscale-rows-XXXXXX";
    int fd = mkstemp(path);
    ck_assert(fd >= 0 && write(fd, text, n) == (ssize_t)n);
    close(fd);
    ws_span head = {text, n < WS_HEAD_SIZE ? n : WS_HEAD_SIZE};
    for (const ws_format *const *f = ws_formats(); *f; f++) {
        if (strstr((*f)->name, "hdf5") || (*f)->score("t", head) <= 0)
            continue;
        char *difference = find_thread_difference(*f, path, 0, parts, sizeof parts / sizeof *parts);
        ck_assert_msg(!difference, "%s %zu: %s", what, k, difference);
    }
    unlink(path);
}

START_TEST(files_read_by_threads)
{
    enum { ROOM = 64 * 1024, ROUNDS = 8 };
    static char text[2 * ROOM];
    for (size_t k = 0; k < DELIMITED_FORMS * ROUNDS; k++) {
        damage_state = k + 5000;
        size_t n = put_delimited(text, ROOM, k % DELIMITED_FORMS, k % 2 ? 60 : 700);
        if (k >= DELIMITED_FORMS * ROUNDS / 2)
            n = damage_bytes((uint8_t *)text, n, 2 * ROOM);
        check_threads(text, n, "seed", k + 5000);
    }
}
END_TEST

/* Rows whose look, devices and stamps change. Each form has to reach the reader that it is made for. */
START_TEST(changing_files_of_every_form)
{
    enum { ROOM = 512 * 1024, ROUNDS = 4 };
    static char text[ROOM];
    static const size_t few[] = {0, 90};
    static const int rows[] = {150, 20, 60, 400};
    for (size_t form = 0; form < CHANGING_FORMS; form++) {
        const ws_format *reader = ws_format_by_name(changing_forms[form].reader);
        int taken = 0;
        for (size_t k = 0; k < ROUNDS; k++) {
            size_t n = put_changing(text, ROOM, form * ROUNDS + k, form, rows[k % 4]);
            taken += reader->score("t", (ws_span){text, n < WS_HEAD_SIZE ? n : WS_HEAD_SIZE}) > 0;
            check_all_formats((ws_span){text, n}, few, 2, "changing seed", form * ROUNDS + k);
            check_threads(text, n, "changing seed", form * ROUNDS + k);
        }
        ck_assert_msg(taken > 0, "no %s among the files of form %zu", changing_forms[form].reader, form);
    }
}
END_TEST

/* Parts that are plain throughout, so that what threads read ahead is what is pushed. */
START_TEST(plain_files_read_by_threads)
{
    enum { ROWS = 4000 };
    char *text = malloc(ROWS * 80);
    for (int form = 0; form < 2; form++) {
        size_t n = (size_t)sprintf(text, "timestamp, index, power.draw [W], utilization.gpu [%%]\n");
        for (int i = 0; i < ROWS; i++) {
            const char *unit = form ? " W" : "", *odd = i == 2500 ? "\"7\"" : i % 100 == 50 ? "[N/A]" : "12";
            int devices = i < 1500 ? 4 : 6, ms = i * 100;
            n += (size_t)sprintf(text + n, "2026/03/14 %02d:%02d:%02d.%03d, %d, %d.%02d%s, %s\n", ms / 3600000,
                                 ms / 60000 % 60, ms / 1000 % 60, ms % 1000, i % devices, i % 300, i % 100, unit, odd);
        }
        check_threads(text, n, "form", (size_t)form);
    }
    free(text);
}
END_TEST

START_TEST(damaged_files)
{
    enum { ROOM = 32 * 1024, ROUNDS = 20 };
    static char text[2 * ROOM];
    static const size_t few[] = {0, 100};
    for (size_t k = 0; k < DELIMITED_FORMS * ROUNDS; k++) {
        damage_state = k + 1000;
        size_t n = put_delimited(text, ROOM, k % DELIMITED_FORMS, 60);
        n = damage_bytes((uint8_t *)text, n, 2 * ROOM);
        check_all_formats((ws_span){text, n}, few, 2, "damaged seed", k + 1000);
    }
}
END_TEST

START_TEST(cut_at_every_byte)
{
    static char text[4096];
    for (size_t form = 0; form < DELIMITED_FORMS; form++) {
        damage_state = form;
        size_t n = put_delimited(text, sizeof text, form, 4);
        for (size_t piece = 1; piece <= n; piece += 1 + piece / 40)
            check_all_formats((ws_span){text, n}, &piece, 1, "form", form);
    }
}
END_TEST

/* What libcsv says of each, cell by cell, the scanner says, too. */
static const char *const odd_texts[] = {
    "a,b\n1,2\r3,4\n5,6\r\n7,8\r\r\n9,10\n",
    "a,b\n\r\n \t \r\n1,2 \t\r\n\t1 , 2\n",
    "a,b\n1,\"2\n3\",4\n5,6\n",
    "a\n \n1\n\t\n2",
    "a,b\n1,2,\n,\n,,\n1\n\n3,4",
    "a,b\n1,x\"y\n2,3\n",
    "a\tb\n1\t 2\n\t\n \t\n3\t\t4\n",
    "a,b\n1,\x01\x02\n\xff,\x0b\x0c\n",
    "\r\n\r\n1,2\r",
    "1,2\n3,4\"",
};

static char *rows_as_text(ws_span bytes, char delimiter, const ws_rows_options *options)
{
    char *text = NULL;
    size_t size = 0, n;
    const ws_row *row;
    ws_rows *rows;
    FILE *out = open_memstream(&text, &size);
    ws_input *input = ws_input_from_memory("t", bytes.p, bytes.n);
    ck_assert_int_eq(ws_rows_open(&rows, input, delimiter, options, NULL), WS_OK);
    while (ws_rows_next(rows, &row, &n, NULL) == WS_OK && n) {
        for (size_t i = 0; i < n; i++) {
            fprintf(out, "%d%s:", (int)row[i].line, row[i].unfinished ? "!" : "");
            for (uint32_t c = 0; c < row[i].n_cells; c++)
                fprintf(out, "|%.*s", WS_SPAN_ARG(row[i].cells[c]));
            fprintf(out, "\n");
        }
    }
    ws_rows_close(rows);
    ws_input_close(input);
    fclose(out);
    return text;
}

START_TEST(cells_of_odd_lines)
{
    static const char delimiters[] = {',', '\t', ';'};
    for (size_t i = 0; i < sizeof odd_texts / sizeof *odd_texts; i++) {
        ws_span bytes = ws_span_of(odd_texts[i]);
        for (size_t d = 0; d < sizeof delimiters; d++) {
            char *want = rows_as_text(bytes, delimiters[d], &(ws_rows_options){.reader = WS_READER_CSV});
            for (size_t piece = 0; piece <= bytes.n; piece++) {
                for (int reader = WS_READER_FAST; reader <= WS_READER_PORTABLE; reader++) {
                    ws_rows_options options = {.reader = (ws_reader)reader, .piece = piece};
                    char *got = rows_as_text(bytes, delimiters[d], &options);
                    ck_assert_msg(strcmp(got, want) == 0, "text %zu in pieces of %zu: %s, not %s", i, piece, got, want);
                    free(got);
                }
            }
            free(want);
        }
    }
}
END_TEST

START_TEST(long_lines_and_many_cells)
{
    enum { ROOM = 400 * 1000 };
    char *text = malloc(ROOM);
    static const size_t lengths[] = {60, 1000, 2100, 65000, 66000, 150000};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        for (int every = 2; every < 200; every += 97) {
            size_t n = (size_t)sprintf(text, "a,b\n");
            for (size_t at = 0; at < lengths[i]; at++)
                text[n++] = at % (size_t)every ? 'x' : ',';
            n += (size_t)sprintf(text + n, "\nlast,line\n");
            ws_span bytes = {text, n};
            char *want = rows_as_text(bytes, ',', &(ws_rows_options){.reader = WS_READER_CSV});
            char *got = rows_as_text(bytes, ',', NULL);
            ck_assert_msg(strcmp(got, want) == 0, "line of %zu bytes, a delimiter every %d", lengths[i], every);
            free(got);
            free(want);
        }
    }
    free(text);
}
END_TEST

START_TEST(lines_by_each_way)
{
    const char *text = "a,b,c,d\n1, 2 ,3,4\n5,6,7\n8,\"9\",10,11\n12,13,14,15\n16,17\n";
    ws_line_counts counts = {0};
    ws_rows_options options = {.counts = &counts};
    ws_input *input = ws_input_from_memory("t", text, strlen(text));
    ws_rows *rows;
    const ws_row *row;
    size_t n;
    ck_assert_int_eq(ws_rows_open(&rows, input, ',', &options, NULL), WS_OK);
    ck_assert_uint_eq(ws_rows_at_hand(rows).n, 0); /* nothing was read yet */
    ws_rows_limit(rows, 2);
    ck_assert_int_eq(ws_rows_next(rows, &row, &n, NULL), WS_OK);
    ck_assert(n == 2 && row[1].is_in_text && ws_span_eq(row[1].cells[1], "2"));
    ck_assert(ws_span_has_prefix(ws_rows_at_hand(rows), "5,6,7\n8"));
    ws_rows_pass(rows, strlen("5,6,7\n"), 1);
    ck_assert_int_eq(ws_rows_next(rows, &row, &n, NULL), WS_OK); /* by libcsv, for its quotes */
    ck_assert(n == 1 && !row->is_in_text && row->line == 4 && ws_span_eq(row->cells[1], "9"));
    ws_rows_limit(rows, 1);
    for (int64_t line = 5; line <= 6; line++) {
        ck_assert_int_eq(ws_rows_next(rows, &row, &n, NULL), WS_OK);
        ck_assert(n == 1 && row->is_in_text && row->line == line);
    }
    ws_rows_close(rows);
    ws_input_close(input);
    ck_assert_uint_eq(counts.plain, 5);
    ck_assert_uint_eq(counts.other, 1);
}
END_TEST

TEST_MAIN("same rows", made_files_of_every_form, seeds_that_found_something, files_read_by_threads,
          changing_files_of_every_form, plain_files_read_by_threads, damaged_files, cut_at_every_byte,
          cells_of_odd_lines, long_lines_and_many_cells, lines_by_each_way)
