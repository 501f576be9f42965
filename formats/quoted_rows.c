/* What people write about a log around its rows, and programs do not:
 *
 *   the log looks like this:           a sentence with a colon in front of the rows, and words behind them
 *   ```                                fences of Markdown, LaTeX and HTML
 *   2026/02/11 08:00:00.120, 250.10 W
 *   ...                                what was left out
 *   ```
 *   As one can see, the power rises    sentences behind the rows, or more in front than a log of so few rows has
 *   when the epoch begins.
 *
 * Jobs, drivers and shells write sentences, too: in front of a log (nohup, modules, the message of the day) and the
 * same few again and again between its rows ("NVIDIA-SMI has failed because ..."). So each is counted once, whatever
 * its digits, and against the rows. */
#include "formats/quoted_rows.h"

#include <ctype.h>
#include <string.h>

enum {
    FEWEST_WORDS = 5,  /* of a sentence; a header of words between blanks counts as one, once */
    ROWS_OF_BLOCK = 3, /* rows that no sentence parts: what is quoted, or the log */
    MOST_BLOCKS = 3,   /* that people quote; a job speaks between the rows of its log again and again */
    ROWS_BEHIND = 32,  /* a log has more rows than this for each sentence behind its first rows */
    ROWS_IN_FRONT = 4, /* ... and for each in front of them */
    ROWS_INTRODUCED = 200,
    MOST_SENTENCES = 64 /* that are told apart: what the text is has shown by then */
};

typedef enum line_kind { BLANK, WORDS, SENTENCE, ROW, FENCE, ELISION } line_kind;

typedef struct text_shape {
    uint64_t seen[MOST_SENTENCES];
    size_t n_seen, rows, blocks, run, in_front, behind; /* `run`: rows since the last sentence */
    size_t since_colon;                                 /* lines since a sentence that ends in one; 0: there is none */
    bool is_introduced, has_mark;                       /* `has_mark`: a fence or an elision below rows */
    line_kind last;
} text_shape;

static bool is_letter(char c)
{
    return isalpha((unsigned char)c) || (unsigned char)c >= 0x80;
}

/* Letters, small ones but for the first, in any brackets and with any sign of a sentence behind it. */
static bool is_word(ws_span token)
{
    while (token.n && strchr("\"'([*_", *token.p))
        token.p++, token.n--;
    while (token.n && strchr(".,;:!?)]\"'*_", token.p[token.n - 1]))
        token.n--;
    for (size_t i = 0; i < token.n; i++) {
        char c = token.p[i];
        if (i ? isupper((unsigned char)c) || !(is_letter(c) || strchr("'-", c)) : !is_letter(c))
            return false;
    }
    return token.n > 0;
}

static bool is_number(ws_span token)
{
    size_t sign = token.n > 1 && strchr("-+(\"", *token.p) != NULL;
    return token.n && isdigit((unsigned char)token.p[sign]);
}

static bool begins_with(ws_span line, const char *const *marks)
{
    for (; *marks; marks++)
        if (ws_span_has_prefix(line, *marks))
            return true;
    return false;
}

/* "nohup: ignoring input", "srun: job 4100001 queued", "WARNING: ...": a program says who speaks. "# HELP
 * node_load1 The load average of one minute.": it comments its rows. */
static bool is_message(ws_span line)
{
    ws_span name;
    return *line.p == '#' || (ws_span_word(&line, &name) && name.p[name.n - 1] == ':');
}

/* Chinese and Japanese have no blanks between words. */
static bool is_unspaced_sentence(ws_span line)
{
    enum { FEWEST_BYTES = 30 };
    size_t n = 0;
    for (size_t i = 0; i < line.n; i++)
        n += (unsigned char)line.p[i] >= 0x80;
    return n >= FEWEST_BYTES && n * 4 >= line.n * 3;
}

static line_kind kind_of(ws_span line)
{
    static const char *const fences[] = {"```", "\\end{", "</pre>", NULL};
    static const char *const elisions[] = {"...", "[...]", "(...)", "\xe2\x80\xa6", "[snip]", NULL};
    size_t words = 0, numbers = 0, tokens = 0, signs = 0;
    ws_span token, rest = line;
    if (!line.n)
        return BLANK;
    if (isdigit((unsigned char)*line.p))
        return ROW;
    if (begins_with(line, fences))
        return FENCE;
    if (begins_with(line, elisions))
        return ELISION;
    for (size_t i = 0; i < line.n; i++)
        signs += strchr(",;|\t=", line.p[i]) || (i && line.p[i] == ' ' && line.p[i - 1] == ' ');
    while (ws_span_word(&rest, &token)) {
        tokens++;
        words += is_word(token);
        numbers += is_number(token);
    }
    if (words >= FEWEST_WORDS && words * 5 >= tokens * 3 && signs * 3 <= words)
        return is_message(line) ? WORDS : SENTENCE;
    if (is_unspaced_sentence(line))
        return SENTENCE;
    return numbers ? ROW : WORDS;
}

/* By its letters alone: a warning that names another GPU each time is one. */
static bool is_new(text_shape *t, ws_span line)
{
    uint64_t hash = UINT64_C(14695981039346656037); /* FNV-1a */
    for (size_t i = 0; i < line.n; i++)
        if (is_letter(line.p[i]))
            hash = (hash ^ (unsigned char)line.p[i]) * UINT64_C(1099511628211);
    for (size_t i = 0; i < t->n_seen; i++)
        if (t->seen[i] == hash)
            return false;
    if (t->n_seen < MOST_SENTENCES)
        t->seen[t->n_seen++] = hash;
    return true;
}

static void take_row(text_shape *t)
{
    enum { COLON_AND_HEADER = 4 };
    t->rows++;
    if (++t->run == 1 && !t->blocks)
        t->is_introduced = t->since_colon && t->since_colon <= COLON_AND_HEADER;
    t->blocks += t->run == ROWS_OF_BLOCK;
}

static void take_line(text_shape *t, ws_span line)
{
    line_kind kind = kind_of(line);
    if (kind == BLANK)
        return;
    t->since_colon += t->since_colon > 0;
    if (kind == ROW) {
        take_row(t);
        t->has_mark |= t->in_front && ws_span_has_prefix(line, "> ");
    } else if (kind == SENTENCE) {
        t->run = 0;
        t->since_colon = line.p[line.n - 1] == ':';
        *(t->blocks ? &t->behind : &t->in_front) += is_new(t, line);
    }
    t->has_mark |= t->run && (kind == FENCE || kind == ELISION);
    t->last = kind;
}

/* Behind the ending of a log: nothing, the number or date of one that was rotated, how it was packed. */
static bool is_end_of_name(const char *rest)
{
    static const char *const packed[] = {"", ".gz", ".zst", ".xz", ".bz2"};
    bool ends = *rest && strchr(".-", *rest) && isdigit((unsigned char)rest[1]);
    for (size_t i = 0; i < sizeof packed / sizeof *packed && !ends; i++)
        ends = strcmp(rest, packed[i]) == 0;
    return ends;
}

/* Programs print sentences of any number beside the rows of a logger that runs with them. */
static bool is_output(const char *path)
{
    static const char *const endings[] = {".csv", ".tsv", ".log", ".out", ".err", ".dat", ".json", ".jsonl"};
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    bool is = false;
    for (size_t i = 0; i < sizeof endings / sizeof *endings && !is; i++) {
        const char *at = strstr(name, endings[i]);
        is = at && is_end_of_name(at + strlen(endings[i]));
    }
    return is;
}

static bool is_text_with_rows(const char *path, ws_span head)
{
    text_shape t = {.last = BLANK};
    ws_span line;
    while (t.rows < ROWS_BEHIND * MOST_SENTENCES && ws_span_split(&head, '\n', &line))
        take_line(&t, ws_span_trim(line));
    bool is_introduced = t.is_introduced && t.last != ROW && t.rows <= ROWS_INTRODUCED;
    size_t around = t.in_front + t.behind;
    if (t.blocks > MOST_BLOCKS && !t.has_mark)
        return false;
    if (is_output(path))
        return t.has_mark || is_introduced;
    return t.has_mark || is_introduced || (t.behind >= 2 && t.rows < ROWS_BEHIND * t.behind) ||
           (t.behind && around >= 3 && t.rows < ROWS_BEHIND * around) ||
           (t.in_front >= 3 && t.rows < ROWS_IN_FRONT * t.in_front);
}

/* Some print a report of a few lines behind the output of the program that they measure. */
static ws_span report_of(const ws_format *format, ws_span head)
{
    ws_span before, after;
    return format->report && ws_span_cut(head, format->report, &before, &after) ? after : head;
}

bool ws_quotes_rows(const ws_format *format, const char *path, ws_span head)
{
    bool is_judged = !format->is_record || format->is_quoted;
    bool is_text = head.n && !memchr(head.p, '\0', head.n);
    return is_judged && is_text && is_text_with_rows(path, report_of(format, head));
}
