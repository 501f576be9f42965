/* Every real file against findings.csv beside this program: its format, whether it could be read, how often each
 * finding was raised and in which line first. Each line of that list was checked against the file itself; one that
 * changes is printed. */
#include "harness.h"

#include "analyze/measure/measure.h"
#include "analyze/folder_walk.h"
#include "analyze/source.h"

#include <string.h>

/* No logs of anybody: notes on where the files come from, and numbers computed from them. */
static const char *const no_logs[] = {".md",        "expected.json", "LICENSE",
                                      "SHA256SUMS", "/truth.csv",    "/truth_records.csv"};

typedef struct listing {
    FILE *stream;
    char *text;
    size_t size, n_files, n_findings, n_scores;
} listing;

static bool is_log(const char *path)
{
    for (size_t i = 0; i < sizeof no_logs / sizeof *no_logs; i++)
        if (ws_span_has_suffix(ws_span_of(path), no_logs[i]))
            return false;
    return true;
}

/* Each quantity that the file holds is one that its format says it gives. */
static void check_quantities(const char *path, const ws_format *format, const ws_measure *measure)
{
    for (size_t i = 0; i < measure->n_channels; i++) {
        ws_quantity quantity = measure->channels[i].channel.quantity;
        ck_assert_msg(quantity == WS_OTHER_VALUE || format->gives & 1U << quantity, "%s: %s gives no %s", path,
                      format->name, ws_quantity_name(quantity));
    }
}

static ws_status read_trace(const char *path, const ws_format *format, ws_notes *notes, ws_error *error)
{
    ws_measure measure;
    ws_source_options options = {.read = WS_READ_DEFAULTS};
    ws_measure_init(&measure, &(ws_measure_options){.all_channels = true});
    ws_measure_begin(&measure, path, "");
    ws_sink sink = ws_measure_sink(&measure);
    ws_status status = ws_source_read(path, &options, &sink, notes, NULL, error);
    ws_measure_finish(&measure, notes);
    check_quantities(path, format, &measure);
    ws_measure_free(&measure);
    return status;
}

static ws_status read_records(const char *path, ws_notes *notes, ws_error *error)
{
    ws_table table;
    ws_source_options options = {.read = WS_READ_DEFAULTS};
    ws_status status = ws_source_read_table(path, &options, &table, error);
    ws_notes_append(notes, &table.notes);
    ws_table_free(&table);
    return status;
}

/* The matrix of this file against every reader: none but the chosen one comes within ten points of its score. */
static size_t check_scores(const char *path, const ws_format *chosen)
{
    enum { NEAR = 10 };
    ws_error error = {0};
    ws_input *input = NULL;
    ck_assert_msg(ws_input_open(&input, path, &error) == WS_OK, "%s", error.message);
    ws_span head = ws_input_head(input);
    int best = chosen ? chosen->score(path, head) : 0;
    size_t n = 0;
    for (const ws_format *const *f = ws_formats(); *f; f++, n++) {
        int score = *f == chosen ? 0 : (*f)->score(path, head);
        ck_assert_msg(!score || score < best - NEAR, "%s: %s scores %d beside %d", path, (*f)->name, score, best);
    }
    ws_input_close(input);
    return n;
}

/* All notes of one code as one finding. */
static void list_findings(listing *list, const char *path, const char *format, const ws_notes *notes)
{
    size_t before = list->n_findings;
    for (size_t i = 0; i < notes->n; i++) {
        const ws_note *first = &notes->items[i];
        uint64_t count = 0;
        if (ws_notes_find(notes, first->finding) != first)
            continue;
        for (size_t k = i; k < notes->n; k++)
            count += notes->items[k].finding == first->finding ? notes->items[k].count : 0;
        fprintf(list->stream, "%s,%s,%s,%d,%d\n", path, format, ws_finding_code(first->finding), (int)count,
                (int)first->line);
        list->n_findings++;
    }
    if (list->n_findings == before)
        fprintf(list->stream, "%s,%s,,,\n", path, format);
}

static void list_file(listing *list, const char *path, const char *shown)
{
    ws_notes notes = {0};
    ws_error error = {0};
    const ws_format *format;
    ck_assert_msg(ws_source_recognise(path, NULL, &format, &notes, &error) == WS_OK, "%s", error.message);
    list->n_scores += check_scores(path, format);
    ws_status status = !format             ? WS_OK
                       : format->is_record ? read_records(path, &notes, &error)
                                           : read_trace(path, format, &notes, &error);
    if (status != WS_OK)
        ws_note_failure(&notes, WS_FINDING_CANNOT_BE_READ, path, &error);
    list_findings(list, shown, format ? format->name : "", &notes);
    list->n_files++;
    ws_notes_free(&notes);
}

static void list_folder(listing *list, const char *corpus, const char *name)
{
    char folder[600];
    ws_file_list files = {0};
    ws_error error = {0};
    snprintf(folder, sizeof folder, "%s/%s", corpus, name);
    ck_assert_msg(ws_walk(folder, &files, NULL, &error) == WS_OK, "%s", error.message);
    for (size_t i = 0; i < files.n; i++)
        if (is_log(files.paths[i]))
            list_file(list, files.paths[i], files.paths[i] + strlen(corpus) + 1);
    ws_file_list_free(&files);
}

static bool has_line(const char *text, ws_span line)
{
    ws_span other;
    for (ws_span rest = ws_span_of(text); ws_span_split(&rest, '\n', &other);)
        if (other.n == line.n && memcmp(other.p, line.p, line.n) == 0)
            return true;
    return false;
}

/* How many lines of one text the other lacks; each is printed. */
static size_t count_lacking(const char *text, const char *other, char sign)
{
    size_t lacking = 0;
    ws_span line;
    for (ws_span rest = ws_span_of(text); ws_span_split(&rest, '\n', &line);) {
        if (has_line(other, line))
            continue;
        printf("%c%.*s\n", sign, (int)line.n, line.p);
        lacking++;
    }
    return lacking;
}

static char *read_reviewed(void)
{
    enum { SIZE = 1 << 20 };
    char path[600], *text = ws_alloc(SIZE);
    snprintf(path, sizeof path, "%s/../tests/corpus/findings.csv", getenv("DATASETS"));
    FILE *stream = fopen(path, "r");
    ck_assert_msg(stream != NULL, "%s", path);
    ck_assert_uint_lt(fread(text, 1, SIZE - 1, stream), SIZE - 1);
    fclose(stream);
    return text;
}

START_TEST(every_finding_was_reviewed)
{
    const char *corpus = getenv("CORPUS");
    if (!corpus || !getenv("DATASETS"))
        skip_because("CORPUS or DATASETS is not set, so the findings of real files were not compared");
    listing list = {0};
    list.stream = open_memstream(&list.text, &list.size);
    fprintf(list.stream, "file,format,code,count,line\n");
    list_folder(&list, corpus, "campaigns");
    list_folder(&list, corpus, "fixtures");
    fclose(list.stream);
    char *reviewed = read_reviewed();
    size_t off = count_lacking(reviewed, list.text, '-') + count_lacking(list.text, reviewed, '+');
    printf("compared %zu findings of %zu files and %zu scores: %zu off\n", list.n_findings, list.n_files, list.n_scores,
           off);
    fflush(stdout);
    ck_assert_uint_eq(off, 0);
    free(reviewed);
    free(list.text);
}
END_TEST

TEST_MAIN("findings", every_finding_was_reviewed)
