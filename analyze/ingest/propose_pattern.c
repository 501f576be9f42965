#include "analyze/ingest/propose_pattern.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { JOB_DIGITS = 5 };

static void append(char *pattern, const char *text, size_t n)
{
    size_t used = strlen(pattern);
    if (used + n + 1 < WS_PATTERN_SIZE) {
        memcpy(pattern + used, text, n);
        pattern[used + n] = '\0';
    }
}

/* "4g256b4w10e8sf": numbers, each followed by its letter. Two at least, or it is a name like any other. */
static bool append_settings(char *pattern, const char *segment, size_t n)
{
    static const struct {
        const char *letter, *field;
    } known[] = {{"sf", "factor"}, {"g", "gpus"},           {"b", "lbs"}, {"w", "workers"}, {"e", "epochs"},
                 {"n", "nodes"},   {"s", "dataset_samples"}};
    char built[WS_PATTERN_SIZE] = "";
    size_t at = 0, parts = 0;
    while (at < n) {
        size_t digits = strspn(segment + at, "0123456789"), k = 0;
        size_t letters = digits ? strcspn(segment + at + digits, "0123456789/") : 0;
        for (; k < sizeof known / sizeof *known; k++)
            if (digits && strlen(known[k].letter) == letters &&
                strncmp(segment + at + digits, known[k].letter, letters) == 0)
                break;
        if (!digits || k == sizeof known / sizeof *known)
            return false;
        char part[64];
        snprintf(part, sizeof part, "{%s}%s", known[k].field, known[k].letter);
        append(built, part, strlen(part));
        at += digits + letters;
        parts++;
    }
    if (parts < 2)
        return false;
    append(pattern, built, strlen(built));
    return true;
}

static bool is_job(const char *segment, size_t n)
{
    return n >= JOB_DIGITS && strspn(segment, "0123456789") >= n;
}

/* "run_", "rep": how long the word in front of a number of repeats is, with its sign; 0 where the name is another. */
static size_t repeat_word(const char *name, size_t n)
{
    static const char *const words[] = {"run", "rep", "repeat", "repetition", "trial"};
    for (size_t w = 0; w < sizeof words / sizeof *words; w++) {
        size_t length = strlen(words[w]);
        if (n <= length || strncmp(name, words[w], length) != 0)
            continue;
        size_t sign = strchr("_-", name[length]) ? 1 : 0;
        size_t digits = strspn(name + length + sign, "0123456789");
        if (digits && length + sign + digits == n)
            return length + sign;
    }
    return 0;
}

/* "run_2.csv" -> "run_{repeat}.csv". */
static bool append_repeat(char *pattern, const char *name)
{
    size_t stem = strcspn(name, "."), word = repeat_word(name, stem);
    if (!word)
        return false;
    append(pattern, name, word);
    append(pattern, "{repeat}", 8);
    append(pattern, name + stem, strlen(name + stem));
    return true;
}

/* "gpu_node12.csv" -> "gpu_{node}.csv": the word that ends in a number, up to the suffix. */
static bool append_node(char *pattern, const char *name)
{
    size_t stem = strcspn(name, "."), digits = 0;
    while (digits < stem && name[stem - 1 - digits] >= '0' && name[stem - 1 - digits] <= '9')
        digits++;
    size_t word = stem - digits;
    while (word > 0 && name[word - 1] != '_' && name[word - 1] != '-')
        word--;
    if (!digits || word == 0)
        return false;
    append(pattern, name, word);
    append(pattern, "{node}", 6);
    append(pattern, name + stem, strlen(name + stem));
    return true;
}

/* "slurm_123456" -> "slurm_{job}" where the folder is that job. */
static bool append_job_name(char *pattern, const char *name, const char *job, size_t job_n)
{
    char text[64];
    snprintf(text, sizeof text, "%.*s", job_n < sizeof text ? (int)job_n : 0, job);
    const char *found = job_n ? strstr(name, text) : NULL;
    if (!found)
        return false;
    append(pattern, name, (size_t)(found - name));
    append(pattern, "{job}", 5);
    append(pattern, found + job_n, strlen(found + job_n));
    return true;
}

void ws_propose_pattern(const char *path, bool is_trace, char *pattern)
{
    const char *job = NULL;
    size_t job_n = 0, depth = 0;
    bool settings = false;
    pattern[0] = '\0';
    for (const char *slash; (slash = strchr(path, '/')); path = slash + 1, depth++) {
        size_t n = (size_t)(slash - path);
        if (!settings && append_settings(pattern, path, n)) {
            settings = true;
        } else if (!job && is_job(path, n)) {
            append(pattern, "{job}", 5);
            job = path, job_n = n;
        } else if (depth == 0 && !settings) {
            append(pattern, "{series}", 8);
        } else {
            append(pattern, path, n);
        }
        append(pattern, "/", 1);
    }
    if (append_job_name(pattern, path, job, job_n))
        return;
    if (is_trace && (append_repeat(pattern, path) || append_node(pattern, path)))
        return;
    append(pattern, path, strlen(path));
}

/* A folder of a pattern. */
typedef struct level {
    const char *text; /* NULL where there is none */
    size_t n;
} level;

static level level_of(const char *pattern, size_t depth)
{
    const char *slash;
    for (; (slash = strchr(pattern, '/')); pattern = slash + 1)
        if (depth-- == 0)
            return (level){pattern, (size_t)(slash - pattern)};
    return (level){NULL, 0};
}

static bool begins_with_word(const level *l, const char *word)
{
    size_t n = strlen(word);
    for (size_t i = 0; i < n; i++)
        if (i == l->n || tolower((unsigned char)l->text[i]) != word[i])
            return false;
    return l->n == n || !isalpha((unsigned char)l->text[n]);
}

/* What is measured of one run may stand in a folder for each device, tool or node. */
static bool is_part_of_run(const level *l)
{
    static const char *const parts[] = {"gpu",    "gpus",  "cpu",    "cpus",  "dram",    "ram",    "memory", "rapl",
                                        "nvidia", "nvml",  "dcgm",   "perun", "ipmi",    "node",   "nodes",  "host",
                                        "server", "rank",  "n",      "nid",   "compute", "log",    "logs",   "power",
                                        "energy", "trace", "traces", "wall",  "out",     "output", "data",   "results"};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (begins_with_word(l, parts[i]))
            return true;
    return false;
}

/* May the folder be what tells runs apart? Below a job's folder there is one run. */
static bool is_open(const char *pattern, const level *l)
{
    const char *job = strstr(pattern, "{job}/");
    return l->text && !memchr(l->text, '{', l->n) && !is_part_of_run(l) && (!job || job > l->text);
}

/* Do the paths agree up to the folder, and is it open in both? */
static bool is_beside(const char *a, const level *in_a, const char *b, const level *in_b)
{
    return is_open(a, in_a) && is_open(b, in_b) && in_a->text - a == in_b->text - b &&
           strncmp(a, b, (size_t)(in_a->text - a)) == 0;
}

/* "{config}", "{config2}" below one of these, "run_{repeat}" where all folders beside it are so called; NULL where the folder does
 * not differ. */
static const char *name_level(ws_arena *arena, const char *const *patterns, size_t n, const char *of, size_t depth)
{
    level own = level_of(of, depth);
    size_t word = repeat_word(own.text, own.n);
    bool differs = false;
    for (size_t i = 0; i < n; i++) {
        level other = level_of(patterns[i], depth);
        if (!is_beside(of, &own, patterns[i], &other))
            continue;
        differs |= other.n != own.n || strncmp(other.text, own.text, own.n) != 0;
        if (repeat_word(other.text, other.n) != word || strncmp(other.text, own.text, word) != 0)
            word = 0;
    }
    if (!differs)
        return NULL;
    if (word)
        return ws_arena_printf(arena, "%.*s{repeat}", (int)word, own.text);
    size_t earlier = 0;
    for (const char *at = of; (at = strstr(at, "{config")) && at < own.text; at++)
        earlier++;
    return earlier ? ws_arena_printf(arena, "{config%zu}", earlier + 1) : "{config}";
}

static void name_beside(ws_arena *arena, const char **patterns, size_t n, const char *of, size_t depth,
                        const char *name)
{
    level own = level_of(of, depth);
    for (size_t i = 0; i < n; i++) {
        level other = level_of(patterns[i], depth);
        if (is_beside(of, &own, patterns[i], &other))
            patterns[i] = ws_arena_printf(arena, "%.*s%s%s", (int)(other.text - patterns[i]), patterns[i], name,
                                          other.text + other.n);
    }
}

void ws_propose_folders(ws_arena *arena, const char **patterns, size_t n_traces, size_t n)
{
    bool deeper = true;
    for (size_t depth = 0; deeper; depth++) {
        deeper = false;
        for (size_t i = 0; i < n_traces; i++) {
            level own = level_of(patterns[i], depth);
            deeper |= own.text != NULL;
            const char *of = patterns[i];
            const char *name = is_open(of, &own) ? name_level(arena, patterns, n_traces, of, depth) : NULL;
            if (name)
                name_beside(arena, patterns, n, of, depth, name);
        }
    }
}
