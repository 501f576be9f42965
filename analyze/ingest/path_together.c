#include "analyze/ingest/path_together.h"

#include "analyze/ingest/path_endings.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Files of one run begin and end together: within five seconds, or a twentieth of their time. Loggers that a job starts
 * on its nodes do; runs that happen to be at work at once do not. */
static const int64_t TOGETHER_NS = INT64_C(5000000000);
static const double TOGETHER_SHARE = 0.05;

static int64_t tolerance_of(const ws_scan_file *f)
{
    double length = (double)(f->span.end_ns - f->span.start_ns), tolerance = length * TOGETHER_SHARE;
    if (tolerance < (double)TOGETHER_NS)
        tolerance = (double)TOGETHER_NS < length / 2 ? (double)TOGETHER_NS : length / 2;
    return (int64_t)tolerance;
}

bool ws_are_together(const ws_scan_file *a, const ws_scan_file *b)
{
    int64_t tolerance = tolerance_of(a);
    return a->span.is_dated && b->span.is_dated && llabs(a->span.start_ns - b->span.start_ns) <= tolerance &&
           llabs(a->span.end_ns - b->span.end_ns) <= tolerance;
}

bool ws_have_other_settings(const ws_scan_file *a, const ws_scan_file *b)
{
    return a->settings_hash && b->settings_hash && a->settings_hash != b->settings_hash;
}

/* A file, and what its path states of its run: files that state the same may be of one. */
typedef struct together {
    const char *stated, *run; /* the run that it is of by its fields */
    ws_scan_file *file;
    size_t cluster; /* index of the first file of its cluster */
} together;

/* "64.1" of "bs64.1.csv" is a batch and something else. */
static bool is_odd_count(const char *field, const char *value)
{
    static const char *const fractions[] = {"lr", "weight_decay", "power_cap_w", "clock_cap_mhz"};
    bool may_be_fraction = false;
    for (size_t i = 0; i < sizeof fractions / sizeof *fractions; i++)
        may_be_fraction |= strcmp(field, fractions[i]) == 0;
    return !may_be_fraction && strchr(value, '.');
}

static bool is_statement(const ws_scan_file *f, size_t depth, size_t i)
{
    const ws_part *part = ws_part_of(f, depth, i);
    const char *name = f->names[depth][i];
    bool is_folder = depth + 1 < f->parts.n;
    if (!name || ws_name_use(name) == WS_USE_FILE || strcmp(name, "host") == 0)
        return false;
    if (part->kind == WS_PART_FIELD)
        return part->is_named || !is_odd_count(name, part->value);
    return strcmp(name, "gpus") == 0 || strncmp(name, "device", 6) == 0 || (strncmp(name, "job", 3) == 0 && is_folder);
}

/* The part of a value that states something: what stands behind its last sign may be the name of a node that is none of
 * it, as in "prec=bf16_run_node-112". */
static size_t stated_length(const char *value)
{
    size_t n = strlen(value), last = n;
    bool is_number = strspn(value, "0123456789.eE+-") == n;
    while (!is_number && last && !strchr("_-", value[last - 1]))
        last--;
    return is_number || !last ? n : last;
}

static bool is_same_statement(const char *a, const char *b)
{
    size_t n = stated_length(a);
    return strcmp(a, b) == 0 || (n < strlen(a) && n == stated_length(b) && memcmp(a, b, n) == 0);
}

/* Do both names state a field, with other values? What one of them alone states tells nothing: "run 2" beside "node 2".
 */
static bool are_told_apart(const ws_scan_file *a, const ws_scan_file *b)
{
    for (size_t depth = 0; depth < a->parts.n; depth++)
        for (size_t i = 0; i < a->parts.segments[depth].n; i++) {
            const char *other = is_statement(a, depth, i) ? ws_path_value(b, a->names[depth][i]) : NULL;
            if (other && !is_same_statement(other, ws_part_of(a, depth, i)->value))
                return true;
        }
    return ws_have_other_settings(a, b);
}

/* Fields that every file states. */
typedef struct stated_fields {
    const char *names[32];
    size_t n;
} stated_fields;

static stated_fields find_stated(const ws_scan_file *files, size_t n)
{
    stated_fields found = {.n = 0};
    const ws_scan_file *first = NULL;
    for (size_t k = 0; k < n; k++) {
        const ws_scan_file *f = &files[k];
        if (f->is_side || f->is_by_pattern)
            continue;
        for (size_t depth = 0; depth < f->parts.n && !first; depth++)
            for (size_t i = 0; i < f->parts.segments[depth].n && found.n < 32; i++)
                if (is_statement(f, depth, i))
                    found.names[found.n++] = f->names[depth][i];
        first = f;
        for (size_t i = 0; i < found.n;)
            if (ws_path_value(f, found.names[i]))
                i++;
            else
                found.names[i] = found.names[--found.n];
    }
    return found;
}

/* Files in which one of them differs are of different runs: they need not be compared. */
static const char *stated_of(ws_arena *arena, const stated_fields *stated, const ws_scan_file *f)
{
    const char *text = "";
    for (size_t i = 0; i < stated->n; i++) {
        const char *value = ws_path_value(f, stated->names[i]);
        text = ws_arena_printf(arena, "%s%.*s|", text, (int)stated_length(value), value);
    }
    return text;
}

/* Files with the same fields are of one run; those without any are runs of their own. */
static const char *run_of(ws_arena *arena, const ws_scan_file *f)
{
    const char *text = "";
    bool any = false;
    for (size_t depth = 0; depth < f->parts.n; depth++)
        for (size_t i = 0; i < f->parts.segments[depth].n; i++) {
            const char *name = f->names[depth][i];
            any |= name != NULL;
            if (name && ws_name_use(name) != WS_USE_FILE)
                text = ws_arena_printf(arena, "%s%s=%s|", text, name, ws_part_of(f, depth, i)->value);
        }
    return any ? text : f->path;
}

static bool is_rotated(const ws_scan_file *f)
{
    return f->one_run && strcmp(f->one_run, "part") == 0;
}

static size_t text_of(const ws_scan_file *f, size_t depth, const char **text)
{
    const char *c = f->path;
    for (; depth; depth--)
        c = strchr(c, '/') + 1;
    *text = c;
    return strcspn(c, "/");
}

/* "gpu.csv" and "rapl.csv" in a folder whose path says nothing: what was measured of one run, each by its own tool. */
static bool are_named_beside(const together *a, const together *b)
{
    const ws_scan_file *x = a->file, *y = b->file;
    const char *name, *other;
    size_t n = text_of(x, x->parts.n - 1, &name), m = text_of(y, y->parts.n - 1, &other);
    return a->run == x->path && b->run == y->path && name - x->path == other - y->path &&
           strncmp(x->path, y->path, (size_t)(name - x->path)) == 0 && ws_name_is_part((ws_span){name, n}) &&
           ws_name_is_part((ws_span){other, m});
}

static bool are_beside(const together *a, const together *b)
{
    return are_named_beside(a, b) && !(a->file->span.gpus && b->file->span.gpus);
}

/* "power.csv" and "energy.csv" that count seconds from their own start, and last as long. */
static bool may_be_together(const together *a, const together *b)
{
    const ws_scan_file *x = a->file, *y = b->file;
    bool are_undated = !x->span.is_dated && !y->span.is_dated && x->span.undated_ns > 0 && y->span.undated_ns > 0;
    return are_undated && are_named_beside(a, b) &&
           fabs(x->span.undated_ns - y->span.undated_ns) <=
               TOGETHER_SHARE * fmax(x->span.undated_ns, y->span.undated_ns);
}

/* The same words around as many values, whatever stands behind the last one? */
static bool has_same_words(const ws_scan_file *a, const ws_scan_file *b, size_t depth)
{
    const ws_path_segment *x = &a->parts.segments[depth], *y = &b->parts.segments[depth];
    bool same = x->n == y->n;
    for (size_t i = 0; i < x->n && same; i++)
        same = strcmp(x->parts[i].before, y->parts[i].before) == 0 && !a->names[depth][i] == !b->names[depth][i];
    return same;
}

/* Are the names of one shape? */
static bool is_same_shape(const ws_scan_file *a, const ws_scan_file *b, size_t depth)
{
    return has_same_words(a, b, depth) && strcmp(a->parts.segments[depth].after, b->parts.segments[depth].after) == 0;
}

/* "node1.csv" and "node2.csv.gz": that one of them was packed says nothing of what it is. */
static bool is_unpacked_shape(const ws_scan_file *a, const ws_scan_file *b, size_t depth)
{
    const char *x = a->parts.segments[depth].after, *y = b->parts.segments[depth].after;
    size_t n = ws_path_unpacked(x, strlen(x));
    return has_same_words(a, b, depth) && n == ws_path_unpacked(y, strlen(y)) && strncmp(x, y, n) == 0;
}

/* "master-0" and "worker-1" below the folder of a run: names of two shapes, and not of what was measured. */
static bool differ_in_words(const ws_scan_file *a, const ws_scan_file *b)
{
    for (size_t depth = 0; depth < a->parts.n && a->parts.n == b->parts.n; depth++) {
        const char *x, *y;
        size_t n = text_of(a, depth, &x), m = text_of(b, depth, &y);
        if (!is_unpacked_shape(a, b, depth))
            return !ws_name_is_part((ws_span){x, n}) || !ws_name_is_part((ws_span){y, m});
    }
    return false;
}

static bool may_be_several(const together *a, const together *b)
{
    return strcmp(a->run, b->run) != 0 || differ_in_words(a->file, b->file);
}

static bool are_open(const together *a, const together *b)
{
    const ws_scan_file *x = a->file, *y = b->file;
    bool are_of_two = strcmp(a->run, b->run) != 0 || (x->span.gpus && y->span.gpus && differ_in_words(x, y));
    bool are_together = ws_are_together(x, y) || may_be_together(a, b);
    return are_of_two && are_together && !is_rotated(x) && !is_rotated(y) && !are_told_apart(x, y);
}

static int by_statement(const void *x, const void *y)
{
    const together *a = x, *b = y;
    int order = strcmp(a->stated, b->stated);
    order = order
                ? order
                : (a->file->span.start_ns > b->file->span.start_ns) - (a->file->span.start_ns < b->file->span.start_ns);
    return order ? order : strcmp(a->file->path, b->file->path);
}

/* --- what answers the question --- */

static bool is_same_text(const ws_scan_file *a, const ws_scan_file *b, size_t depth)
{
    const char *x, *y;
    size_t n = text_of(a, depth, &x);
    return n == text_of(b, depth, &y) && memcmp(x, y, n) == 0;
}

typedef struct answer {
    ws_arena *arena;
    ws_scan_file **files; /* that are of one time */
    size_t n;
    const char *one;  /* the field of the file that differs, where they are one run; NULL: they are several */
    const char *text; /* the pattern so far */
    size_t places;
} answer;

static bool is_used(const answer *a, const char *name)
{
    return strstr(a->text, ws_arena_printf(a->arena, "{%s}", name)) || ws_path_value(a->files[0], name);
}

/* A rank is a number: files of words are parts of the run. */
static void add_place(answer *a, const char *name, bool are_numbers)
{
    if (a->one) {
        name = a->places ? "*" : strcmp(a->one, "rank") == 0 && !are_numbers ? "part" : a->one;
    } else if (!name) {
        name = is_used(a, "series") ? "config" : "series";
        for (size_t k = 2; is_used(a, name); k++)
            name = ws_arena_printf(a->arena, "config%zu", k);
    }
    a->places++;
    a->text = ws_arena_printf(a->arena, "%s{%s}", a->text, name);
}

static bool are_numbers(const answer *a, size_t depth, size_t i)
{
    bool are = true;
    for (size_t k = 0; k < a->n && are; k++) {
        const char *value = ws_part_of(a->files[k], depth, i)->value;
        are = *value && !value[strspn(value, "0123456789")];
    }
    return are;
}

static bool is_same_value(const answer *a, size_t depth, size_t i)
{
    bool same = true;
    for (size_t k = 1; k < a->n && same; k++)
        same = strcmp(ws_part_of(a->files[0], depth, i)->value, ws_part_of(a->files[k], depth, i)->value) == 0;
    return same;
}

/* Part by part: what all have stays as it was read. One name may be parted in several ways, by what else is named as a
 * file beside it. */
static void add_parts(answer *a, size_t depth, bool is_same_name)
{
    const ws_scan_file *f = a->files[0];
    const ws_path_segment *s = &f->parts.segments[depth];
    for (size_t i = 0; i < s->n; i++) {
        const char *name = f->names[depth][i];
        bool is_kept = is_same_name || is_same_value(a, depth, i) || (name && ws_name_use(name) == WS_USE_FILE);
        a->text = ws_arena_printf(a->arena, "%s%s", a->text, ws_pattern_literal(a->arena, s->parts[i].before));
        if (!is_kept)
            add_place(a, name, are_numbers(a, depth, i));
        else
            a->text = ws_arena_printf(a->arena, name ? "%s{%s}" : "%s%s", a->text,
                                      name ? name : ws_pattern_literal(a->arena, s->parts[i].value));
    }
    a->text = ws_arena_printf(a->arena, "%s%s", a->text, ws_pattern_literal(a->arena, s->after));
}

/* Names of several shapes: the whole names, without an ending that all share. */
static void add_whole(answer *a, size_t depth)
{
    const char *first, *other;
    size_t n = text_of(a->files[0], depth, &first), ending = 0;
    while (ending < n && first[n - 1 - ending] != '.')
        ending++;
    ending = ending < n && depth + 1 == a->files[0]->parts.n ? ending + 1 : 0;
    for (size_t k = 1; k < a->n; k++) {
        size_t m = text_of(a->files[k], depth, &other);
        ending = m > ending && memcmp(other + m - ending, first + n - ending, ending) == 0 ? ending : 0;
    }
    add_place(a, NULL, false);
    a->text = ws_arena_printf(a->arena, "%s%s", a->text,
                              ws_pattern_literal(a->arena, ws_arena_strndup(a->arena, first + n - ending, ending)));
}

/* NULL: the files lie at different depths, and no pattern takes them all. */
static const char *pattern_of(ws_arena *arena, ws_scan_file **files, size_t n, const char *one)
{
    answer a = {.arena = arena, .files = files, .n = n, .one = one, .text = ""};
    for (size_t k = 1; k < n; k++)
        if (files[k]->parts.n != files[0]->parts.n)
            return NULL;
    for (size_t depth = 0; depth < files[0]->parts.n; depth++) {
        bool same_text = true, same_shape = true;
        for (size_t k = 1; k < n; k++) {
            same_text &= is_same_text(files[0], files[k], depth);
            same_shape &= is_same_shape(files[0], files[k], depth);
        }
        a.text = ws_arena_printf(arena, "%s%s", a.text, depth ? "/" : "");
        if (same_text || same_shape)
            add_parts(&a, depth, same_text);
        else
            add_whole(&a, depth);
    }
    return a.text;
}

static void ask(ws_arena *arena, ws_scan_file **files, size_t n)
{
    const char *nodes = pattern_of(arena, files, n, "node"), *ranks = pattern_of(arena, files, n, "rank"),
               *several = pattern_of(arena, files, n, NULL);
    for (size_t i = 0; i < n; i++) {
        files[i]->one_run = "node";
        files[i]->answers = (ws_scan_answers){.nodes = nodes, .ranks = ranks, .several = several, .is_of_names = true};
    }
}

/* --- which files are of one time --- */

static void path_together_join(together *t, size_t n, size_t into, size_t from)
{
    for (size_t i = 0; i < n && into != from; i++)
        if (t[i].cluster == from)
            t[i].cluster = into;
}

/* Files that state the same, in the order of their times. */
static void open_group(ws_arena *arena, together *t, size_t n)
{
    enum { MOST = 256 }; /* of files that begin at once, each is compared with so many */
    ws_scan_file **files = ws_alloc((n + 1) * sizeof *files);
    for (size_t i = 0; i < n; i++) {
        t[i].cluster = i;
        for (size_t k = i; k-- > 0 && i - k <= MOST &&
                           t[i].file->span.start_ns - t[k].file->span.start_ns <= tolerance_of(t[k].file);)
            if (are_open(&t[k], &t[i]) && are_beside(&t[k], &t[i]))
                t[k].file->is_beside = t[i].file->is_beside = true;
            else if (are_open(&t[k], &t[i]))
                path_together_join(t, i + 1, t[k].cluster, t[i].cluster);
    }
    for (size_t first = 0; first < n; first++) {
        size_t found = 0;
        for (size_t i = first; i < n && t[first].cluster == first; i++)
            if (t[i].cluster == first)
                files[found++] = t[i].file;
        if (found > 1)
            ask(arena, files, found);
    }
    free(files);
}

static bool are_of_several_runs(const together *t, size_t n)
{
    bool several = false;
    for (size_t i = 1; i < n && !several; i++)
        several = may_be_several(&t[0], &t[i]);
    return several;
}

void ws_open_together(ws_arena *arena, ws_scan_file *files, size_t n, ws_read_spans *read, void *state)
{
    together *t = ws_alloc((n + 1) * sizeof *t);
    ws_scan_file **wanted = ws_alloc((n + 1) * sizeof *wanted);
    const stated_fields stated = find_stated(files, n);
    size_t n_open = 0;
    for (size_t i = 0; i < n; i++)
        if (!files[i].is_side && !files[i].is_by_pattern)
            t[n_open++] = (together){stated_of(arena, &stated, &files[i]), run_of(arena, &files[i]), &files[i], 0};
    for (int pass = 0; pass < 2; pass++) { /* the times of those are read that may be asked for */
        qsort(t, n_open, sizeof *t, by_statement);
        for (size_t from = 0, end; from < n_open; from = end) {
            for (end = from + 1; end < n_open && strcmp(t[end].stated, t[from].stated) == 0;)
                end++;
            if (!are_of_several_runs(t + from, end - from))
                continue;
            for (size_t i = from; i < end; i++)
                wanted[i - from] = t[i].file;
            if (pass == 0)
                read(state, wanted, end - from);
            else
                open_group(arena, t + from, end - from);
        }
    }
    free(wanted);
    free(t);
}
