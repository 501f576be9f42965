/* Energies of `perf stat` as it prints them for people, other output around them:
 *
 *    Performance counter stats for 'system wide':
 *
 *             1,879.05 Joules power/energy-cores/                                           (100.00%)
 *             2,333.17 Joules power/energy-pkg/                                             (100.00%)
 *
 *         59.579140098 seconds time elapsed
 *
 * and, with -I, lines that begin with the seconds at which the interval ends:
 *
 *        1.001048308 S0        1              19.63 Joules power/energy-pkg/ */
#include "formats/readers/perf_stat.h"

#include <string.h>

enum { MOST_WORDS = 5 };

/* A line that terminals, mails and wrappers broke behind the number or "Joules", put together again. */
typedef struct broken_line {
    char text[256];
    size_t n;       /* of the first half; 0: no line is open */
    bool is_number; /* it ends with the number: another line may be one of its own */
} broken_line;

/* "5,410.25", "1.001 S0 1 19.63" */
static bool is_count_alone(ws_span line)
{
    if (!line.n || (unsigned)line.p[line.n - 1] - '0' > 9)
        return false;
    for (size_t i = 0; i < line.n; i++)
        if (!strchr("0123456789., SDCN-+", line.p[i]))
            return false;
    return true;
}

static bool goes_on_behind_count(ws_span line)
{
    return ws_span_has_prefix(line, "Joules") || ws_span_has_prefix(line, "seconds time elapsed");
}

/* The line as perf printed it: itself, or the half before and this one; empty while the second half is to come. `line`
 * is trimmed. */
static ws_span mend(broken_line *half, ws_span line)
{
    if (half->is_number && line.n && !goes_on_behind_count(line))
        half->n = 0;
    if (half->n && line.n && half->n + line.n < sizeof half->text) {
        memcpy(half->text + half->n, line.p, line.n);
        line = (ws_span){half->text, half->n + line.n};
    }
    if (line.n)
        half->n = 0, half->is_number = is_count_alone(line);
    if ((!half->is_number && !ws_span_has_suffix(line, " Joules")) || !line.n || line.n + 1 >= sizeof half->text)
        return line;
    memmove(half->text, line.p, line.n);
    half->text[line.n] = ' ';
    half->n = line.n + 1;
    return (ws_span){"", 0};
}

static size_t split_words(ws_span text, ws_span *words)
{
    size_t n = 0;
    ws_span word;
    for (;; text = (ws_span){word.p + word.n, text.n - word.n}) {
        while (text.n && *text.p == ' ')
            text = (ws_span){text.p + 1, text.n - 1};
        if (!text.n)
            return n;
        word = text;
        ws_span rest = text;
        ws_span_split(&rest, ' ', &word);
        if (n++ < MOST_WORDS)
            words[n - 1] = word;
    }
}

static bool read_count(ws_span line, ws_perf_count *count)
{
    ws_span before, after, words[MOST_WORDS];
    *count = (ws_perf_count){.run_ns = 0};
    bool missing = line.n && memchr(line.p, '<', line.n) && ws_span_cut(line, "<not ", &before, &after);
    if (missing) {
        const char *from = before.p + before.n;
        if (!ws_span_cut(after, ">", &before, &after))
            return false;
        count->value = (ws_span){from, (size_t)(after.p - from)};
        before = (ws_span){line.p, (size_t)(from - line.p)};
        ws_span rest, unit;
        if (ws_span_cut(after, "Joules ", &unit, &rest) && !ws_span_trim(unit).n)
            after = rest;
    } else if (!ws_span_cut(line, " Joules ", &before, &after)) {
        return false;
    }
    size_t n = split_words(before, words);
    if (n > MOST_WORDS - 1 || (!missing && n == 0))
        return false;
    if (!missing)
        count->value = words[--n];
    after = ws_span_trim(after);
    if (!ws_span_split(&after, ' ', &count->event) || !ws_perf_is_energy(count->event))
        return false;
    return ws_perf_take_lead(words, n, count) == n;
}

static bool read_elapsed(ws_span line, int64_t *elapsed_ns)
{
    ws_span before, after, words[MOST_WORDS];
    /* "10.709 +- 0.005 seconds time elapsed" of -r */
    return ws_span_cut(line, " seconds time elapsed", &before, &after) && split_words(before, words) > 0 &&
           ws_seconds_to_ns(words[0], elapsed_ns);
}

static int score_perf_stat_text(const char *path, ws_span head)
{
    (void)path;
    ws_span line;
    ws_perf_count count;
    broken_line half = {.n = 0};
    while (ws_span_split(&head, '\n', &line))
        if (read_count(mend(&half, ws_span_trim(line)), &count))
            return 90;
    return 0;
}

typedef struct perf_text {
    ws_perf perf;
    broken_line half;
} perf_text;

static ws_status perf_stat_text_take(ws_row_trace *t, const ws_row *row, ws_error *error)
{
    perf_text *r = t->state;
    ws_span line = mend(&r->half, ws_span_trim(row->cells[0]));
    ws_perf_count count;
    int64_t elapsed_ns;
    if (ws_perf_started(t, line))
        return WS_OK;
    if (read_count(line, &count))
        return ws_perf_add(t, &count, error);
    if (read_elapsed(line, &elapsed_ns))
        ws_perf_elapsed(&r->perf, elapsed_ns);
    else if (ws_span_has_prefix(line, "Performance counter stats for") && ws_span_has_suffix(line, " runs):"))
        ws_notes_add(t->samples.notes, WS_FINDING_MEAN_OF_REPEATS, t->samples.source, "", t->line,
                     "perf stat -r prints means: energy and time are of one of its runs");
    return WS_OK;
}

static ws_status read_perf_text(ws_input *input, const ws_read_options *options, const ws_sink *sink, ws_notes *notes,
                                ws_error *error)
{
    perf_text reader = {.half.n = 0};
    return ws_perf_read(&reader.perf, &reader, perf_stat_text_take, input, options, sink, notes, error);
}

const ws_format ws_format_perf_stat_text = {
    .name = "perf-stat-text",
    .title = "energy events of perf stat as printed for people",
    .example = "            271.49 Joules power/energy-pkg/                                             (100.00%)",
    .tier = 1,
    .gives = WS_GIVES_ENERGY,
    .tried = WS_TRIED_REAL,
    .report = "Performance counter stats",
    .score = score_perf_stat_text,
    .holds = "energy-",
    .read = read_perf_text,
};
