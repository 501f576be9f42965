/*   0: timestamp, index, power.draw [W]            srun -l: the rank
 *   Feb 11 08:00:00 # gpu    pwr                   ts
 *   2026-02-11 08:00:00 # gpu    pwr               ts '%F %T'
 *   1770796800.123456 # gpu    pwr                 ts '%.s' */
#include "formats/launcher_prefix.h"

#include "core/arena.h"
#include "core/stamp.h"

#include <stdlib.h>
#include <string.h>

/* The kinds of prefix: a rank, or a stamp of so many words. */
enum { RANK = 0, MOST_WORDS = 3 };

/* "0: ", "  12: " */
static size_t rank_length(ws_span line)
{
    size_t blanks = 0;
    while (blanks < line.n && line.p[blanks] == ' ')
        blanks++;
    size_t digits = ws_span_digits((ws_span){line.p + blanks, line.n - blanks}), n = blanks + digits;
    return digits && n < line.n && line.p[n] == ':' ? n + (n + 1 < line.n && line.p[n + 1] == ' ' ? 2 : 1) : 0;
}

/* "Feb 11 08:00:00", which names no year. */
static bool is_syslog_stamp(ws_span text)
{
    static const char months[] = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec";
    ws_span month, day, rest = text;
    int64_t number;
    return ws_span_word(&rest, &month) && month.n == 3 && ws_span_holds(ws_span_of(months), month) &&
           ws_span_word(&rest, &day) && ws_span_i64(day, &number) && number >= 1 && number <= 31 &&
           ws_stamp_guess(ws_span_trim(rest)) == WS_STAMP_CLOCK;
}

static bool is_stamp(ws_span text, size_t words)
{
    ws_stamp_form form = ws_stamp_guess(text);
    if (words == MOST_WORDS)
        return is_syslog_stamp(text);
    return form == WS_STAMP_EPOCH ||
           (form == WS_STAMP_YMD && ws_span_contains(text, ":")); /* a date alone is half of it */
}

/* With one blank behind it; further blanks belong to the line. */
static size_t stamp_length(ws_span line, size_t words)
{
    ws_span rest = line, word;
    for (size_t i = 0; i < words; i++)
        if (!ws_span_word(&rest, &word))
            return 0;
    size_t n = (size_t)(word.p + word.n - line.p);
    return n < line.n && *line.p != ' ' && is_stamp((ws_span){line.p, n}, words) ? n + 1 : 0;
}

static size_t prefix_length(ws_span line, size_t words)
{
    return words == RANK ? rank_length(line) : stamp_length(line, words);
}

/* Do at least three lines, and three quarters of all, begin so? */
static bool most_begin_so(ws_span head, size_t words, ws_span *first)
{
    ws_span line;
    size_t lines = 0, with = 0;
    while (ws_span_split(&head, '\n', &line)) {
        size_t n = prefix_length(line, words);
        if (n && !with++)
            *first = (ws_span){line.p, n};
        lines += ws_span_trim(line).n > 0;
    }
    return with >= 3 && with * 4 >= lines * 3;
}

static const ws_format *format_without(const ws_input *input, size_t words)
{
    ws_span head = ws_input_head(input), line;
    char *text = ws_alloc(head.n + 1);
    size_t n = 0;
    while (ws_span_split(&head, '\n', &line)) {
        size_t length = prefix_length(line, words);
        memcpy(text + n, line.p + length, line.n - length);
        n += line.n - length;
        text[n++] = '\n';
    }
    ws_input *bare = ws_input_from_memory(ws_input_path(input), text, n);
    const ws_format *format = ws_format_recognise(bare, NULL);
    ws_input_close(bare);
    free(text);
    return format;
}

/* "2026/02/11 08:00:00.120, 0, 251.20, 97" behind the rank: rows whose columns only the user can name. */
static bool is_row_behind_rank(ws_span head)
{
    ws_span line, cell;
    if (!ws_span_split(&head, '\n', &line))
        return false;
    size_t n = rank_length(line);
    line = (ws_span){line.p + n, line.n - n};
    return n && ws_span_split(&line, ',', &cell) && line.p && ws_stamp_guess(ws_span_trim(cell)) == WS_STAMP_YMD;
}

bool ws_launcher_prefix_find(const ws_input *input, ws_launcher_prefix *prefix)
{
    size_t words = RANK;
    while (words <= MOST_WORDS && !most_begin_so(ws_input_head(input), words, &prefix->text))
        words++;
    if (words > MOST_WORDS)
        return false;
    prefix->words = words;
    prefix->format = format_without(input, words);
    return prefix->format != NULL || (words == RANK && is_row_behind_rank(ws_input_head(input)));
}
