/* Files whose names have the same shape form a tree of segments: a folder's name is examined once for all files below
 * it. A place is a part of a segment of that tree, with the values of all files that go through it. What a place
 * is follows from its word, from its values, and where these leave it open from the readings: files of different times
 * are runs of their own. Those that differ in one place only and cover the same time are of one run where something
 * proves it (path_proof.h), so that the place is a node, a rank or a GPU of it; where nothing does they may be runs
 * side by side, and the field is open, as it is for names of several shapes (path_together.h). */
#include "analyze/ingest/path_fields.h"

#include "analyze/ingest/path_endings.h"
#include "analyze/ingest/path_places.h"
#include "analyze/ingest/path_proof.h"
#include "analyze/ingest/path_rotation.h"
#include "analyze/ingest/path_together.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { ID_LENGTH = 6, IDS = 4, IDS_BEHIND_DATES = 2, HOST_DIGITS = 3 };

typedef enum timing { ALONE, TOGETHER, APART, OPEN } timing; /* OPEN: some so, some other, or no dates */

static const char *value_at(const ws_path_place *p, const ws_scan_file *f)
{
    return ws_part_of(f, p->of->depth, p->part)->value;
}

/* Reads those that differ in the place and in nothing else; false if there are none. */
static bool read_compared(ws_path_finder *d, const ws_path_place *p, const ws_place_file *g)
{
    ws_scan_file **files = ws_alloc((p->of->n + 1) * sizeof *files);
    size_t n = 0;
    for (size_t from = 0, end; from < p->of->n; from = end) {
        end = ws_group_end(g, from, p->of->n);
        bool differ = false;
        for (size_t i = from + 1; i < end && !differ; i++)
            differ = strcmp(value_at(p, g[i].file), value_at(p, g[from].file)) != 0;
        for (size_t i = from; i < end && differ && !g[from].file->is_side; i++)
            files[n++] = g[i].file;
    }
    d->read(d->state, files, n);
    free(files);
    return n > 0;
}

static timing timing_of(ws_path_finder *d, const ws_path_place *p)
{
    ws_place_file *g = ws_group_place(d, p, WS_PASS_NOTHING);
    size_t together = 0, apart = 0, other = 0, n = read_compared(d, p, g) ? p->of->n : 0;
    for (size_t from = 0, end; from < n; from = end) {
        end = ws_group_end(g, from, n);
        for (size_t i = from + 1; i < end && !g[from].file->is_side; i++) {
            if (strcmp(value_at(p, g[i].file), value_at(p, g[i - 1].file)) == 0)
                continue; /* nodes of one run */
            bool has_others = ws_have_other_settings(g[from].file, g[i].file);
            bool same = !has_others && ws_are_together(g[from].file, g[i].file);
            bool next = has_others || (!same && ws_follow_each_other(g[i - 1].file, g[i].file));
            together += same, apart += next, other += !same && !next;
        }
    }
    free(g);
    return other || (together && apart) ? OPEN : together ? TOGETHER : apart ? APART : ALONE;
}

/* What the groups of files of a place, all of the same time, say of being one run each. */
typedef enum proof { NOT_PROVEN, OF_ONE_RUN, OF_NODES, OF_RANKS } proof;

static proof find_proof(ws_path_finder *d, const ws_path_place *p, bool is_host)
{
    ws_place_file *g = ws_group_place(d, p, WS_PASS_NOTHING);
    ws_path_proof of;
    ws_path_proof_begin(&of, d->files, d->n, p->of->depth, p->part, is_host);
    ws_scan_file **files = ws_alloc((p->of->n + 1) * sizeof *files);
    for (size_t from = 0, end; from < p->of->n; from = end) {
        end = ws_group_end(g, from, p->of->n);
        for (size_t i = from; i < end; i++)
            files[i - from] = g[i].file;
        if (!files[0]->is_side)
            ws_path_proof_add(&of, files, end - from);
    }
    free(files);
    free(g);
    if (!ws_path_proof_holds(&of))
        return NOT_PROVEN;
    return ws_path_proof_says_nodes(&of) ? OF_NODES : ws_path_proof_says_ranks(&of) ? OF_RANKS : OF_ONE_RUN;
}

static bool is_proven(ws_path_finder *d, const ws_path_place *p, bool is_host)
{
    return find_proof(d, p, is_host) != NOT_PROVEN;
}

/* Is the file at its time the only one of those that differ in the place alone? */
static bool is_alone(const ws_place_file *g, size_t from, size_t end, size_t i)
{
    bool alone = true;
    for (size_t k = from; k < end && alone; k++)
        alone = k == i || !ws_are_together(g[i].file, g[k].file);
    return alone;
}

/* Nothing says whether files of the same time are of one run; a host alone is a run whatever its name means. Of numbers
 * the others of the path would be judged in another way once it is said. */
static void leave_open(ws_path_finder *d, const ws_path_place *p, const char *one_run)
{
    ws_place_file *g = ws_group_place(d, p, WS_PASS_NOTHING);
    bool are_hosts =
        strcmp(one_run, "node") == 0 && ws_part_of(p->of->files[0], p->of->depth, p->part)->kind == WS_PART_TEXT;
    for (size_t from = 0, end; from < p->of->n; from = end) {
        end = ws_group_end(g, from, p->of->n);
        for (size_t i = from; i < end; i++) {
            ws_scan_file *f = g[i].file;
            f->open_depth = p->of->depth, f->open_part = p->part;
            f->is_alone = are_hosts && is_alone(g, from, end, i);
            f->one_run = f->is_alone ? NULL : one_run;
        }
    }
    free(g);
}

/* Are the files that differ in this place only, or in dates besides, one log that was rotated? In all groups of such
 * files, or the least that they come to. */
static ws_rotation rotation_of(ws_path_finder *d, const ws_path_place *p)
{
    ws_place_file *g = ws_group_place(d, p, WS_PASS_DATES);
    ws_scan_file **files = ws_alloc((p->of->n + 1) * sizeof *files);
    ws_rotation least = WS_ROTATION_PROVEN;
    size_t groups = 0;
    for (size_t from = 0, end; from < p->of->n && least != WS_ROTATION_NONE; from = end) {
        end = ws_group_end(g, from, p->of->n);
        for (size_t i = from; i < end; i++)
            files[i - from] = g[i].file;
        if (end - from < 2)
            continue;
        d->read(d->state, files, end - from);
        ws_rotation found = ws_find_rotation(files, end - from, false);
        least = found < least ? found : least;
        groups++;
    }
    free(files);
    free(g);
    return groups ? least : WS_ROTATION_NONE;
}

/* Numbers that count 0, 1, 2 or 1, 2, 3 over the files that agree in every setting. */
static bool counts_up(ws_path_finder *d, const ws_path_place *p)
{
    ws_place_file *g = ws_group_place(d, p, WS_PASS_ALL_BUT_SETTINGS);
    bool counts = true;
    for (size_t from = 0, end; from < p->of->n && counts; from = end) {
        end = ws_group_end(g, from, p->of->n);
        size_t n = 0, highest = 0;
        bool zero = false;
        const char *last = "";
        for (size_t i = from; i < end; i++) {
            const char *value = ws_part_of(g[i].file, p->of->depth, p->part)->value;
            size_t number = (size_t)atoi(value);
            n += strcmp(last, value) != 0; /* files of a group stand in the order of their paths */
            last = value;
            counts &= strspn(value, "0123456789") == strlen(value);
            zero |= number == 0;
            highest = number > highest ? number : highest;
        }
        counts &= highest + zero == n;
    }
    free(g);
    return counts;
}

static bool has_name(const ws_path_shape *s, size_t part, const char *name)
{
    const ws_scan_file *f = s->files[0];
    for (size_t depth = 0; depth <= s->depth; depth++)
        for (size_t i = 0; i < f->parts.segments[depth].n && (depth < s->depth || i < part); i++)
            if (f->names[depth][i] && strcmp(f->names[depth][i], name) == 0)
                return true;
    return false;
}

/* Does the path of any run through the shape have that field? */
static bool is_named(const ws_path_shape *s, const char *field)
{
    for (size_t f = 0; f < s->n; f++)
        for (size_t depth = 0; depth < s->files[f]->parts.n && !s->files[f]->is_side; depth++)
            for (size_t i = 0; i < s->files[f]->parts.segments[depth].n; i++)
                if (s->files[f]->names[depth][i] && strcmp(s->files[f]->names[depth][i], field) == 0)
                    return true;
    return false;
}

/* "series", then "config", "config2" */
static const char *fresh_name(ws_path_finder *d, const ws_path_place *p, const char *first, const char *next)
{
    if (!has_name(p->of, p->part, first))
        return first;
    const char *name = next;
    for (size_t n = 2; has_name(p->of, p->part, name); n++)
        name = ws_arena_printf(d->arena, "%s%zu", next, n);
    return name;
}

/* Letters and digits at random, as trackers call their runs: all as long, and digits at other places in each. Behind a
 * date (offline-run-20260418_230816-k2b9x0fa) two are enough. */
static bool are_ids(const ws_path_place *p)
{
    size_t length = strlen(p->values[0]), with_digits = 0, other_shape = 0;
    for (size_t i = 0; i < p->n; i++) {
        if (strlen(p->values[i]) != length || strspn(p->values[i], "0123456789abcdefghijklmnopqrstuvwxyz") != length)
            return false;
        with_digits += strpbrk(p->values[i], "0123456789") != NULL;
        other_shape += i && !ws_name_is_host_like(ws_span_of(p->values[i]), ws_span_of(p->values[i - 1]));
    }
    const ws_part *before = p->part ? ws_part_of(p->of->files[0], p->of->depth, p->part - 1) : NULL;
    size_t least = before && before->kind == WS_PART_DATE ? IDS_BEHIND_DATES : IDS;
    return p->n >= least && length >= ID_LENGTH && with_digits * 2 >= p->n && other_shape * 2 >= p->n - 1;
}

/* "4952-240509201759124491233": numbers that dashes join, one of them as long as that of a job. */
static bool is_job_text(ws_span text)
{
    size_t longest = 0, n = 0;
    for (size_t i = 0; i < text.n; i++) {
        bool digit = isdigit((unsigned char)text.p[i]);
        if (!digit && !strchr("-._", text.p[i]))
            return false;
        n = digit ? n + 1 : 0;
        longest = n > longest ? n : longest;
    }
    return longest >= WS_JOB_DIGITS;
}

static bool are_hosts(const ws_path_place *p)
{
    bool all = p->n > 1;
    for (size_t i = 1; i < p->n && all; i++)
        all = ws_name_is_host_like(ws_span_of(p->values[0]), ws_span_of(p->values[i]));
    return all;
}

/* Bytes in front of the number that the name ends in. */
static size_t before_last_number(const char *name)
{
    size_t n = strlen(name);
    while (n && isdigit((unsigned char)name[n - 1]))
        n--;
    return n;
}

/* "hkn0307" below one job and "hkn0412" below the next: a scheduler gives jobs their hosts, whose numbers are as long
 * as each other, have zeros in front and do not count up. Cases and experiments (case001, case002) count up. */
static bool are_hosts_of_jobs(const ws_path_place *p)
{
    bool all = are_hosts(p), has_zero = false;
    for (size_t i = 0; i < p->of->n && all; i++)
        all = ws_path_is_of_job(p->of->files[i]);
    for (size_t i = 0; i < p->n && all; i++) {
        size_t at = before_last_number(p->values[i]);
        all = strlen(p->values[i]) == strlen(p->values[0]) && strlen(p->values[i]) - at >= HOST_DIGITS;
        has_zero |= p->values[i][at] == '0';
    }
    if (!all || !has_zero)
        return false;
    const char *first = p->values[0], *last = p->values[p->n - 1]; /* sorted */
    return (size_t)(atoi(last + before_last_number(last)) - atoi(first + before_last_number(first))) + 1 > 2 * p->n;
}

static bool is_boundary(char c)
{
    return strchr("_- .", c) != NULL; /* the end, too */
}

/* How many bytes all values have in common in front, up to a separator; behind, from one on. */
static size_t common_front(const ws_path_place *p)
{
    const char *a = p->values[0], *z = p->values[p->n - 1]; /* sorted: what these two share, all do */
    size_t n = 0, cut = 0;
    for (; a[n] && a[n] == z[n]; n++)
        cut = is_boundary(a[n]) ? n + 1 : cut;
    return a[cut] && z[cut] ? cut : 0;
}

static size_t common_back(const ws_path_place *p, size_t front)
{
    size_t n = SIZE_MAX, cut = 0, length = strlen(p->values[0]);
    for (size_t i = 1; i < p->n; i++) {
        size_t own = strlen(p->values[i]), same = 0;
        while (same + front + 1 < own && same + front + 1 < length &&
               p->values[i][own - 1 - same] == p->values[0][length - 1 - same])
            same++;
        n = same < n ? same : n;
    }
    for (size_t k = 1; p->n > 1 && k <= n; k++)
        cut = is_boundary(p->values[0][length - k]) ? k : cut;
    return cut;
}

/* "nvsmi_resnet50_power" and "nvsmi_bert_power": what all have is literal. */
static void trim_text(ws_path_finder *d, const ws_path_place *p)
{
    if (ws_place_all(p, ws_name_is_gpu_id))
        return;
    size_t front = p->n > 1 ? common_front(p) : 0, back = p->n > 1 ? common_back(p, front) : 0;
    for (size_t i = 0; i < p->of->n && front + back; i++) {
        ws_path_segment *s = &p->of->files[i]->parts.segments[p->of->depth];
        ws_part *part = &s->parts[p->part];
        const char *tail = part->value + strlen(part->value) - back;
        const char **next = p->part + 1 < s->n ? &s->parts[p->part + 1].before : &s->after;
        *next = ws_arena_printf(d->arena, "%s%s", tail, *next);
        part->before = ws_arena_printf(d->arena, "%s%.*s", part->before, (int)front, part->value);
        part->value = ws_arena_strndup(d->arena, part->value + front, strlen(part->value) - front - back);
    }
}

/* No node has so many GPUs; four digits are a model. */
static bool exceeds_gpus(ws_span number)
{
    enum { MOST = 2, MODEL = 4 };
    return number.n > MOST && number.n != MODEL;
}

/* gpu101: the name of a host. */
static bool is_gpu_host(ws_span text)
{
    enum { WORD = 3 };
    return text.n > WORD && ws_span_eq_nocase((ws_span){text.p, WORD}, "gpu") &&
           exceeds_gpus((ws_span){text.p + WORD, text.n - WORD}) &&
           strspn(text.p + WORD, "0123456789") >= text.n - WORD;
}

/* What a name is that nothing says more of. */
static const char *name_of_text(ws_path_finder *d, const ws_path_place *p)
{
    if (ws_place_all(p, ws_name_is_device))
        return fresh_name(d, p, "device", "device2");
    if (ws_place_all(p, is_job_text))
        return fresh_name(d, p, "job", "job2");
    return are_ids(p) ? fresh_name(d, p, "id", "id2") : fresh_name(d, p, "series", "config");
}

static void judge_text(ws_path_finder *d, const ws_path_place *p)
{
    bool are_parts = ws_place_all(p, ws_name_is_part) && !ws_place_all(p, is_gpu_host);
    if (p->n < 2 || p->of->is_side || (are_parts && timing_of(d, p) != APART))
        return; /* "gpu" and "rapl" of one run; sys1 and sys2 of different times tell runs apart */
    bool are_gpus = ws_place_all(p, ws_name_is_gpu_id), are_of_shape = are_gpus || are_hosts(p);
    bool is_open = !ws_place_all(p, ws_name_is_device) && timing_of(d, p) == TOGETHER;
    proof found = is_open ? find_proof(d, p, are_of_shape && !are_gpus) : NOT_PROVEN;
    if (found != NOT_PROVEN) {
        ws_place_set(p, are_gpus ? "*" : found == OF_RANKS ? fresh_name(d, p, "rank", "rank2") : "node");
        return;
    }
    ws_rotation rotation = are_hosts(p) && !is_open ? rotation_of(d, p) : WS_ROTATION_NONE;
    if (rotation == WS_ROTATION_PROVEN) {
        ws_place_set(p, fresh_name(d, p, "part", "part2"));
        return;
    }
    ws_place_set(p, !is_open && are_hosts_of_jobs(p) ? "node" : name_of_text(d, p));
    if ((is_open && are_of_shape) || rotation == WS_ROTATION_OPEN)
        leave_open(d, p, are_gpus ? "*" : is_open ? "node" : "part");
}

static bool is_job_number(const ws_path_place *p)
{
    size_t large = 0;
    for (size_t i = 0; i < p->n; i++)
        large += strlen(p->values[i]) >= WS_JOB_DIGITS && strspn(p->values[i], "0123456789") == strlen(p->values[i]);
    return large == p->n;
}

static const char *values_of(ws_path_finder *d, const ws_scan_file *f)
{
    const char *key = "";
    for (size_t depth = 0; depth < f->parts.n; depth++) {
        key = ws_arena_printf(d->arena, "%s/", key);
        for (size_t i = 0; i < f->parts.segments[depth].n; i++) {
            const char *value = ws_part_of(f, depth, i)->value;
            if (!ws_name_is_part(ws_span_of(value)))
                key = ws_arena_printf(d->arena, "%s%s|", key, value);
        }
    }
    return key;
}

static int by_values(const void *a, const void *b)
{
    return strcmp(((const ws_place_file *)a)->key, ((const ws_place_file *)b)->key);
}

static void list_by_values(ws_path_finder *d)
{
    d->by_values = ws_alloc((d->n + 1) * sizeof *d->by_values);
    for (size_t i = 0; i < d->n; i++)
        d->by_values[i] = (ws_place_file){.key = values_of(d, &d->files[i]), .file = &d->files[i]};
    qsort(d->by_values, d->n, sizeof *d->by_values, by_values);
}

/* The GPUs that the file holds; of one that holds none (of a processor, "bert_4_run1_cpu.csv") those of the file whose
 * path has the same values and other words ("bert_4_run1_gpu.csv"), and 0 where there is none. */
static size_t gpus_of_run(ws_path_finder *d, ws_scan_file *f)
{
    d->read(d->state, &f, 1);
    if (f->span.gpus)
        return f->span.gpus;
    if (!d->by_values)
        list_by_values(d);
    const ws_place_file key = {.key = values_of(d, f)};
    const ws_place_file *any = bsearch(&key, d->by_values, d->n, sizeof *d->by_values, by_values);
    const ws_place_file *from = any, *end = d->by_values + d->n;
    size_t gpus = 0;
    while (from && from > d->by_values && strcmp(from[-1].key, key.key) == 0)
        from--;
    for (const ws_place_file *g = from; g && g < end && !gpus && strcmp(g->key, key.key) == 0; g++) {
        ws_scan_file *other = g->file;
        if (other->is_side || other == f)
            continue;
        d->read(d->state, &other, 1);
        gpus = ws_are_together(f, other) ? other->span.gpus : 0;
    }
    return gpus;
}

static bool is_count_of_gpus(ws_path_finder *d, const ws_path_place *p)
{
    d->read(d->state, p->of->files, p->of->n);
    bool all = p->n > 1;
    for (size_t i = 0; i < p->n && all; i++)
        all = strspn(p->values[i], "0123456789") == strlen(p->values[i]);
    for (size_t i = 0; i < p->of->n && all; i++)
        all =
            gpus_of_run(d, p->of->files[i]) == (size_t)atoi(ws_part_of(p->of->files[i], p->of->depth, p->part)->value);
    return all;
}

/* Alone below a date, as the jobs of Hydra's sweeps; behind the number of an array of jobs; in front of name=value. */
static bool is_place_of_running_number(const ws_path_place *p)
{
    const ws_scan_file *f = p->of->files[0];
    const ws_path_segment *own = &f->parts.segments[p->of->depth], *above = p->of->depth ? own - 1 : NULL;
    bool below_date = above && above->n && above->parts[above->n - 1].kind == WS_PART_DATE;
    const char *before = p->part ? f->names[p->of->depth][p->part - 1] : NULL;
    const ws_part *array = p->part ? &own->parts[p->part - 1] : NULL; /* its number may be the same in all names */
    bool is_task = array && array->kind == WS_PART_NUMBER && strlen(array->value) >= WS_JOB_DIGITS;
    return (below_date && p->part == 0) || (before && strcmp(before, "job") == 0) || is_task ||
           (p->part == 0 && own->n > 1 && own->parts[1].is_named);
}

/* Are the values 0, 1, 2 or 1, 2, 3, without a gap? */
static bool are_consecutive(const ws_path_place *p)
{
    size_t highest = 0;
    bool zero = false, whole = true;
    for (size_t i = 0; i < p->n; i++) {
        size_t number = (size_t)atoi(p->values[i]);
        whole &= strspn(p->values[i], "0123456789") == strlen(p->values[i]);
        zero |= number == 0;
        highest = number > highest ? number : highest;
    }
    return whole && highest + zero == p->n;
}

/* 1 to N over runs of different settings, each once: somebody numbered all of them. */
static bool numbers_all_runs(const ws_path_place *p)
{
    bool has_settings = false;
    const ws_scan_file *f = p->of->files[0];
    for (size_t depth = 0; depth < f->parts.n; depth++)
        for (size_t i = 0; i < f->parts.segments[depth].n; i++)
            has_settings |= f->names[depth][i] && ws_name_use(f->names[depth][i]) == WS_USE_SETTING;
    return has_settings && p->n == p->of->n && are_consecutive(p);
}

static void judge_job(ws_path_finder *d, const ws_path_place *p)
{
    if (is_job_number(p) && (p->n > 1 || p->of->n == 1 || p->of->is_side))
        ws_place_set(p, fresh_name(d, p, "job", "job2"));
}

/* Does another number that nothing names count up as well? Then nothing says which of them numbers the repeats. */
static bool is_rivalled(ws_path_finder *d, const ws_path_place *p)
{
    const ws_scan_file *f = p->of->files[0];
    bool rivalled = false;
    for (size_t depth = 0; depth < f->parts.n && !rivalled; depth++)
        for (size_t i = 0; i < f->parts.segments[depth].n && !rivalled; i++) {
            bool is_other = (depth != p->of->depth || i != p->part) &&
                            ws_part_of(f, depth, i)->kind == WS_PART_NUMBER && !f->names[depth][i];
            for (size_t k = 1; k < p->of->n && is_other; k++) {
                const ws_parted_path *parts = &p->of->files[k]->parts;
                is_other = depth < parts->n && i < parts->segments[depth].n &&
                           parts->segments[depth].parts[i].kind == WS_PART_NUMBER;
            }
            if (!is_other)
                continue;
            ws_path_shape of = *p->of;
            of.depth = depth;
            ws_path_place other = ws_place_of(&of, i);
            rivalled = other.n > 1 && !is_job_number(&other) && counts_up(d, &other) && !is_count_of_gpus(d, &other) &&
                       !numbers_all_runs(&other);
            free(other.values);
        }
    return rivalled;
}

/* run1/gpu_0.csv, run1/gpu_1.csv, the one behind the other: the folder says that it is one run, and the numbers may be
 * those of the parts of its log. */
static bool may_number_parts(ws_path_finder *d, const ws_path_place *p)
{
    const ws_scan_file *f = p->of->files[0];
    size_t depth = p->of->depth;
    const ws_path_segment *folder = depth ? &f->parts.segments[depth - 1] : NULL;
    const char *above = folder && folder->n ? f->names[depth - 1][folder->n - 1] : NULL;
    return above && strcmp(above, "repeat") == 0 && folder->parts[folder->n - 1].kind == WS_PART_FIELD &&
           are_consecutive(p) && timing_of(d, p) == APART;
}

static void judge_number(ws_path_finder *d, const ws_path_place *p)
{
    bool is_last = p->part + 1 == p->of->files[0]->parts.segments[p->of->depth].n;
    if (p->n < 2 || p->of->is_side || p->of->files[0]->names[p->of->depth][p->part])
        return;
    if (!is_named(p->of, "gpus") && is_count_of_gpus(d, p)) {
        ws_place_set(p, "gpus");
        return;
    }
    bool is_open = is_last && timing_of(d, p) == TOGETHER;
    proof found = is_open ? find_proof(d, p, false) : NOT_PROVEN;
    if (found != NOT_PROVEN) {
        ws_place_set(p, found == OF_NODES && !is_named(p->of, "node") ? "node" : fresh_name(d, p, "rank", "rank2"));
        return;
    }
    bool is_of_file = p->of->depth + 1 == p->of->files[0]->parts.n;
    ws_rotation rotation = is_of_file && !is_open ? rotation_of(d, p) : WS_ROTATION_NONE;
    if (rotation == WS_ROTATION_PROVEN) {
        ws_place_set(p, fresh_name(d, p, "part", "part2"));
        return;
    }
    if (numbers_all_runs(p) || (is_place_of_running_number(p) && counts_up(d, p)))
        ws_place_set(p, fresh_name(d, p, "run_number", "run_number2"));
    else if (!is_named(p->of, "repeat") && counts_up(d, p) && !is_rivalled(d, p))
        ws_place_set(p, "repeat");
    else
        ws_place_set(p, fresh_name(d, p, "number", "number"));
    if (is_open || rotation == WS_ROTATION_OPEN || (is_of_file && may_number_parts(d, p)))
        leave_open(d, p, is_open ? "rank" : "part");
}

/* node3 is the name of a node, as lists of nodes have it, and not 3. */
static void take_word(ws_path_finder *d, const ws_path_place *p)
{
    for (size_t i = 0; i < p->of->n; i++) {
        ws_part *part = &p->of->files[i]->parts.segments[p->of->depth].parts[p->part];
        size_t n = strlen(part->before), letters = 0;
        while (letters < n && isalpha((unsigned char)part->before[n - 1 - letters]))
            letters++;
        part->value = ws_arena_printf(d->arena, "%s%s", part->before + n - letters, part->value);
        part->before = ws_arena_strndup(d->arena, part->before, n - letters);
    }
}

/* A file holds more GPUs than the number behind "gpu" says: it numbers something else. */
static bool is_exceeded(ws_path_finder *d, const ws_path_place *p)
{
    d->read(d->state, p->of->files, p->of->n);
    bool exceeded = false;
    for (size_t i = 0; i < p->of->n; i++)
        exceeded |=
            p->of->files[i]->span.gpus > (size_t)atoi(ws_part_of(p->of->files[i], p->of->depth, p->part)->value);
    return exceeded;
}

static bool has_word_in_front(const ws_part *part)
{
    size_t n = strlen(part->before);
    while (n && strchr("_-. =", part->before[n - 1]))
        n--;
    return n && isalpha((unsigned char)part->before[n - 1]);
}

/* The number in front of a word that says what was measured: "run_0-gpu_usage", where 0 stands over readings of GPUs,
 * and "gpus_2_1_gpu", where the number of GPUs stands behind its own word. */
static bool is_in_front_of_gpu(ws_path_finder *d, const ws_path_place *p)
{
    const ws_path_segment *s = &p->of->files[0]->parts.segments[p->of->depth];
    bool is_said = false, is_of_none = false;
    for (size_t k = 0; k < s->n; k++)
        is_said |= k != p->part && s->parts[k].field && strcmp(s->parts[k].field, "gpus") == 0 &&
                   has_word_in_front(&s->parts[k]);
    d->read(d->state, p->of->files, p->of->n);
    for (size_t i = 0; i < p->of->n; i++)
        is_of_none |= strcmp(value_at(p, p->of->files[i]), "0") == 0 && p->of->files[i]->span.gpus > 0;
    return is_of_none || (is_said && !has_word_in_front(&s->parts[p->part]));
}

/* "train_2_gpus_1", "5_gpus_2": the number that was taken is not what the files hold, and the one on the other side of
 * the word is. */
static bool is_beside_count_of_gpus(ws_path_finder *d, const ws_path_place *p)
{
    const ws_path_segment *s = &p->of->files[0]->parts.segments[p->of->depth];
    bool is_beside = false;
    if (is_count_of_gpus(d, p))
        return false;
    for (size_t i = p->part ? p->part - 1 : 0; i <= p->part + 1 && i < s->n && !is_beside; i++) {
        if (i == p->part || s->parts[i].kind != WS_PART_NUMBER)
            continue;
        ws_path_place other = ws_place_of(p->of, i);
        is_beside = is_count_of_gpus(d, &other);
        free(other.values);
    }
    return is_beside;
}

/* The GPUs of all files of the file's value that cover its time. */
static size_t gpus_together(const ws_path_place *p, const ws_scan_file *f)
{
    size_t gpus = 0;
    for (size_t i = 0; i < p->of->n; i++) {
        const ws_scan_file *other = p->of->files[i];
        bool is_of_run = !other->is_side && strcmp(value_at(p, f), value_at(p, other)) == 0;
        gpus += is_of_run && (other == f || ws_are_together(f, other)) ? other->span.gpus : 0;
    }
    return gpus;
}

/* n4, N=4 */
static bool is_of_one_letter(const ws_part *part)
{
    size_t n = strlen(part->before);
    n -= n && part->before[n - 1] == '=';
    return n && isalpha((unsigned char)part->before[n - 1]) && (n == 1 || !isalpha((unsigned char)part->before[n - 2]));
}

/* Wherever it is more than one, fewer GPUs are recorded than there would be nodes. */
static bool is_short_of_gpus(ws_path_finder *d, const ws_path_place *p)
{
    d->read(d->state, p->of->files, p->of->n);
    size_t above = 0, lacking = 0;
    for (size_t i = 0; i < p->of->n; i++) {
        size_t number = (size_t)atoi(value_at(p, p->of->files[i]));
        if (p->of->files[i]->is_side || number < 2 || *value_at(p, p->of->files[i]) == '0')
            continue; /* n002 is a host */
        size_t gpus = gpus_together(p, p->of->files[i]);
        above++;
        lacking += gpus && gpus < number;
    }
    return above && lacking == above;
}

/* 1, 2, 3, 4, 6, 8, 12, ...: nodes and GPUs of scaling studies. */
static bool is_usual_count(size_t number)
{
    while (number && number % 2 == 0)
        number /= 2;
    return number == 1 || number == 3;
}

/* "n017", "g07": written with zeros in front, not from 1 on, and a number that no scaling study begins with: a host. */
static bool is_number_of_host(const ws_path_place *p)
{
    bool is_filled = false, is_odd = false;
    for (size_t i = 0; i < p->n; i++) {
        size_t number = (size_t)atoi(p->values[i]);
        if (number < 2)
            return false;
        is_filled |= *p->values[i] == '0';
        is_odd |= !is_usual_count(number);
    }
    return is_filled && is_odd;
}

/* Some files together hold as many GPUs as the number says. */
static bool is_held_in_gpus(ws_path_finder *d, const ws_path_place *p)
{
    d->read(d->state, p->of->files, p->of->n);
    for (size_t i = 0; i < p->of->n; i++)
        if (gpus_together(p, p->of->files[i]) == (size_t)atoi(value_at(p, p->of->files[i])))
            return true;
    return false;
}

/* What the later passes judge. */
static void set_kind(const ws_path_place *p, ws_part_kind kind)
{
    for (size_t i = 0; i < p->of->n; i++)
        p->of->files[i]->parts.segments[p->of->depth].parts[p->part].kind = kind;
}

/* gpu3090, gpu_4090: a model. */
static bool is_model_number(ws_span text)
{
    enum { DIGITS = 4 };
    return text.n == DIGITS;
}

/* "epoch_3", not "epochs_3" or "3epochs". */
static bool is_one_epoch(const ws_part *part)
{
    static const char word[] = "epoch";
    size_t n = strlen(part->before), letters = sizeof word - 1;
    while (n && strchr("_-. =", part->before[n - 1]))
        n--;
    for (size_t i = 0; i < letters; i++)
        if (n < letters || tolower((unsigned char)part->before[n - letters + i]) != word[i])
            return false;
    return true;
}

/* The trace of the highest number takes less than half of what as many epochs would. */
static bool last_no_longer(ws_path_finder *d, const ws_path_place *p)
{
    const ws_scan_file *first = NULL, *last = NULL;
    int lowest = 0, highest = 0;
    d->read(d->state, p->of->files, p->of->n);
    for (size_t i = 0; i < p->of->n; i++) {
        const ws_scan_file *f = p->of->files[i];
        int number = atoi(value_at(p, f));
        if (!f->span.is_dated)
            continue;
        if (!first || number < lowest)
            first = f, lowest = number;
        if (!last || number > highest)
            last = f, highest = number;
    }
    if (!first || lowest < 1 || highest == lowest)
        return false;
    double shortest = (double)(first->span.end_ns - first->span.start_ns),
           longest = (double)(last->span.end_ns - last->span.start_ns);
    return 2 * longest < shortest * highest / lowest;
}

/* Numbers of epochs with a trace of each, and no counts of them: from 0, or one after the other and as long. */
static bool numbers_epochs(ws_path_finder *d, const ws_path_place *p)
{
    return p->n > 1 && is_one_epoch(ws_part_of(p->of->files[0], p->of->depth, p->part)) && are_consecutive(p) &&
           (ws_place_has(p, "0") || last_no_longer(d, p));
}

/* A count is never 0, and where files of one run differ in it it is no count. gpu3, node3 and rank3 say what they are;
 * g3, n3 and r3 may be counts and repeats of runs side by side. */
static void judge_field(ws_path_finder *d, const ws_path_place *p)
{
    const ws_part *part = ws_part_of(p->of->files[0], p->of->depth, p->part);
    const char *name = part->field;
    bool is_open = false;
    if (part->of_file && strcmp(part->of_file, name) != 0) {
        bool is_count = ws_name_use(name) == WS_USE_SETTING;
        timing found = p->n > 1 ? timing_of(d, p) : ALONE;
        bool is_node = strcmp(part->of_file, "node") == 0 && !part->is_weak && found != APART;
        bool is_numbering = is_count && ws_place_has(p, "0") && found != APART;
        bool is_of_gpus = found == TOGETHER && strcmp(name, "gpus") == 0 && is_count_of_gpus(d, p);
        is_open = found == TOGETHER && part->is_weak && !is_numbering && !is_of_gpus && !is_proven(d, p, false);
        if (is_numbering || is_node || (found == TOGETHER && !is_of_gpus && !is_open))
            name = part->of_file;
        if (found == TOGETHER && strcmp(name, "rank") == 0 && !part->is_weak && find_proof(d, p, false) == OF_NODES)
            name = "node"; /* worker-0, worker-1 of 2nodes */
    }
    if (strcmp(name, "gpu") == 0 && ws_place_all(p, exceeds_gpus)) {
        take_word(d, p);
        set_kind(p, WS_PART_TEXT);
        return;
    }
    if (strcmp(name, "gpus") == 0 && part->of_file && ws_place_all(p, is_model_number)) {
        ws_place_set(p, fresh_name(d, p, "device", "device2"));
        return;
    }
    bool is_count = strcmp(name, "nodes") == 0 || strcmp(name, "gpus") == 0;
    if (is_count && is_of_one_letter(part) && !part->is_named && is_number_of_host(p) && !is_held_in_gpus(d, p)) {
        ws_place_set(p, fresh_name(d, p, "number", "number2"));
        if (is_open)
            leave_open(d, p, "node");
        return;
    }
    bool is_of_gpus = strcmp(name, "gpus") == 0 && p->n > 1 && !part->is_named;
    if (is_of_gpus &&
        ((part->of_file && is_exceeded(d, p)) || is_in_front_of_gpu(d, p) || is_beside_count_of_gpus(d, p))) {
        set_kind(p, WS_PART_NUMBER);
        return;
    }
    if (strcmp(name, "node") == 0 && part->of_file)
        take_word(d, p);
    if (strcmp(name, "nodes") == 0 && is_of_one_letter(part) && !is_open && !is_named(p->of, "gpus") &&
        timing_of(d, p) == APART && is_count_of_gpus(d, p)) {
        ws_place_set(p, "gpus"); /* N=1, N=2, N=4 over files of so many */
        return;
    }
    if (strcmp(name, "nodes") == 0 && is_of_one_letter(part) && !is_open && is_short_of_gpus(d, p)) {
        ws_place_set(p, fresh_name(d, p, "number", "number"));
        return;
    }
    if (strcmp(name, "multiple") == 0) {
        if (p->n > 1)
            ws_place_set(p, !is_named(p->of, "gpus") && is_count_of_gpus(d, p) ? "gpus" : name);
        return;
    }
    if (strcmp(name, "iterations") == 0 && p->n > 1 && !is_named(p->of, "repeat") && counts_up(d, p))
        name = "repeat"; /* iter1, iter2: of the loop around the runs */
    if (strcmp(name, "epochs") == 0 && numbers_epochs(d, p))
        name = is_named(p->of, "repeat") ? fresh_name(d, p, "run_number", "run_number2") : "repeat";
    ws_place_set(p, name);
    if (is_open)
        leave_open(d, p, part->of_file);
}

typedef void judge(ws_path_finder *d, const ws_path_place *p);

static int path_fields_by_start(const void *a, const void *b)
{
    const ws_place_file *x = a, *y = b;
    int order = strcmp(x->key, y->key);
    return order
               ? order
               : (x->file->span.start_ns > y->file->span.start_ns) - (x->file->span.start_ns < y->file->span.start_ns);
}

/* Runs of several days among others of one: the files of a run have its first date. */
static void join_days(ws_path_finder *d, const ws_path_place *p)
{
    ws_place_file *g = ws_group_place(d, p, WS_PASS_DATES);
    for (size_t i = 1; i < p->of->n; i++) {
        ws_scan_file *pair[] = {g[i - 1].file, g[i].file};
        if (strcmp(g[i - 1].key, g[i].key) == 0)
            d->read(d->state, pair, 2);
    }
    qsort(g, p->of->n, sizeof *g, path_fields_by_start);
    for (size_t i = 1; i < p->of->n; i++) {
        const ws_scan_file *a = g[i - 1].file, *b = g[i].file;
        bool is_next =
            strcmp(g[i - 1].key, g[i].key) == 0 && a->span.is_dated && b->span.is_dated && ws_goes_on_at_hour(a, b);
        if (is_next)
            b->parts.segments[p->of->depth].parts[p->part].value = ws_part_of(a, p->of->depth, p->part)->value;
    }
    free(g);
}

/* A day after the other of one log, or runs. A date that stands twice in a path needs one name. */
static void judge_date(ws_path_finder *d, const ws_path_place *p)
{
    if (p->n < 2)
        return;
    ws_rotation rotation = p->of->is_side ? WS_ROTATION_NONE : rotation_of(d, p);
    if (rotation == WS_ROTATION_PROVEN) {
        ws_place_set(p, has_name(p->of, p->part, "part") ? "*" : "part");
        return;
    }
    ws_place_set(p, fresh_name(d, p, "run_date", "run_date"));
    if (rotation == WS_ROTATION_OPEN)
        leave_open(d, p, "part");
    else if (!p->of->is_side)
        join_days(d, p);
}

/* What one program that rotates logs named: power.log, power.log.1, power.log.2.gz. */
static size_t find_log(ws_path_finder *d, const ws_scan_file *f, ws_scan_file **files)
{
    size_t n = ws_path_before_rotation(f->path), found = 0;
    for (size_t i = 0; i < d->n; i++) {
        ws_scan_file *other = &d->files[i];
        size_t own = ws_path_before_rotation(other->path);
        if (!other->is_side && strncmp(other->path, f->path, n) == 0 && (own ? own == n : other->path[n] == '\0'))
            files[found++] = other;
    }
    return found;
}

/* Programs that rotate name the old file so also where another run writes the new one. */
static void judge_rotation(ws_path_finder *d, const ws_path_place *p)
{
    ws_scan_file **files = ws_alloc((d->n + 1) * sizeof *files);
    for (size_t i = 0; i < p->of->n; i++) {
        ws_scan_file *f = p->of->files[i];
        size_t n = p->of->is_side ? 0 : find_log(d, f, files);
        d->read(d->state, files, n);
        bool is_part = ws_find_rotation(files, n, true) == WS_ROTATION_PROVEN;
        f->names[p->of->depth][p->part] = is_part ? "part" : p->of->is_side ? NULL : "run_number";
    }
    free(files);
}

/* Words first, then names, then what is left: a number that nothing names. */
static void judge_all(ws_path_finder *d)
{
    static const struct {
        ws_part_kind kind;
        judge *judge;
    } passes[] = {{WS_PART_FIELD, judge_field},  {WS_PART_ROTATION, judge_rotation}, {WS_PART_DATE, judge_date},
                  {WS_PART_TEXT, trim_text},     {WS_PART_TEXT, judge_text},         {WS_PART_NUMBER, judge_job},
                  {WS_PART_NUMBER, judge_number}};
    for (size_t pass = 0; pass < sizeof passes / sizeof *passes; pass++) {
        for (size_t i = 0; i < d->n_shapes; i++) {
            const ws_path_segment *segment = &d->shapes[i]->files[0]->parts.segments[d->shapes[i]->depth];
            for (size_t k = 0; k < segment->n; k++) {
                if (segment->parts[k].kind != passes[pass].kind)
                    continue;
                ws_path_place p = ws_place_of(d->shapes[i], k);
                passes[pass].judge(d, &p);
                free(p.values);
            }
        }
    }
}

/* A field that stands twice in a path is one where both always agree; else the one in front has another name, for all
 * files, and of a file that lies beside runs the one behind. */
static void rename_place(ws_path_finder *d, size_t depth, size_t part, const char *name, const char *other)
{
    for (size_t i = 0; i < d->n; i++) {
        ws_scan_file *f = &d->files[i];
        if (depth < f->parts.n && part < f->parts.segments[depth].n && f->names[depth][part] &&
            strcmp(f->names[depth][part], name) == 0)
            f->names[depth][part] = other;
    }
}

static void part_pair(ws_path_finder *d, ws_scan_file *f, size_t a, size_t i, size_t b, size_t k)
{
    const char *name = f->names[a][i], *again = f->names[b][k];
    if (!name || !again || strcmp(name, again) != 0 ||
        strcmp(ws_part_of(f, a, i)->value, ws_part_of(f, b, k)->value) == 0)
        return;
    const char *other = ws_arena_printf(d->arena, "%s2", name);
    if (f->is_side)
        f->names[b][k] = other;
    else
        rename_place(d, a, i, name, strcmp(name, "repeat") == 0 ? "run_number" : other);
}

static void part_twice_named(ws_path_finder *d, ws_scan_file *f)
{
    for (size_t a = 0; a < f->parts.n; a++)
        for (size_t i = 0; i < f->parts.segments[a].n; i++)
            for (size_t b = a; b < f->parts.n; b++)
                for (size_t k = b == a ? i + 1 : 0; k < f->parts.segments[b].n; k++)
                    part_pair(d, f, a, i, b, k);
}

/* A file below a folder like "gpu", and what its run is called there. */
typedef struct kind_file {
    ws_scan_file *file;
    ws_span run;
} kind_file;

static int by_run_of_kind(const void *left, const void *right)
{
    const kind_file *a = left, *b = right;
    int order = strncmp(a->run.p, b->run.p, a->run.n < b->run.n ? a->run.n : b->run.n);
    return order ? order : (a->run.n > b->run.n) - (a->run.n < b->run.n);
}

/* "4g64b/11" of "gpu/4g64b/11.csv"; "4g64b/" of "gpu/4g64b/power.csv". */
static ws_span run_below(const char *path)
{
    const char *rest = strchr(path, '/') + 1, *name = strrchr(path, '/') + 1;
    size_t n = ws_path_stem(rest, strlen(rest)), folders = (size_t)(name - rest);
    return (ws_span){rest, strcspn(name, "0123456789") < n - folders ? n : folders};
}

static bool is_of_folder(const kind_file *a, const kind_file *b)
{
    return strcspn(a->file->path, "/") == strcspn(b->file->path, "/") &&
           strncmp(a->file->path, b->file->path, strcspn(a->file->path, "/")) == 0;
}

/* "gpu/4g64b/11.csv" and "cpu/4g64b/11.csv" are of one run. Where most runs stand below one of such folders alone, each
 * of these is a series. */
static void name_kinds(ws_path_finder *d)
{
    kind_file *k = ws_alloc((d->n + 1) * sizeof *k);
    size_t n = 0, paired = 0;
    for (size_t i = 0; i < d->n; i++)
        if (!d->files[i].is_by_pattern && ws_path_is_of_kind(&d->files[i].parts, d->files[i].path))
            k[n++] = (kind_file){&d->files[i], run_below(d->files[i].path)};
    qsort(k, n, sizeof *k, by_run_of_kind);
    for (size_t i = 0, end; i < n; i = end) {
        bool is_paired = false;
        for (end = i + 1; end < n && by_run_of_kind(&k[i], &k[end]) == 0; end++)
            is_paired |= !is_of_folder(&k[i], &k[end]);
        paired += is_paired ? end - i : 0;
    }
    for (size_t i = 0; i < n && 2 * paired < n; i++)
        ws_path_name_series(d->arena, &k[i].file->parts, k[i].file->path);
    free(k);
}

void ws_path_fields(ws_arena *arena, ws_scan_file *files, size_t n, const char *pattern, ws_read_spans *read,
                    void *state)
{
    ws_path_finder d = {.arena = arena, .files = files, .n = n, .read = read, .state = state};
    for (size_t i = 0; i < n; i++)
        ws_read_parts(&d, &files[i], pattern);
    ws_split_counted_names(&d);
    name_kinds(&d);
    ws_build_shapes(&d);
    judge_all(&d);
    for (size_t i = 0; i < n; i++)
        if (!files[i].is_by_pattern)
            part_twice_named(&d, &files[i]);
    ws_open_together(arena, files, n, read, state);
    for (size_t i = 0; i < d.n_shapes; i++) {
        free(d.shapes[i]->files);
        free(d.shapes[i]);
    }
    free(d.by_values);
    free(d.shapes);
}
