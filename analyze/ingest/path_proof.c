#include "analyze/ingest/path_proof.h"

#include <stdlib.h>
#include <string.h>

enum {
    COUNT_OF_FILES = 1 << 0, /* the path says as many nodes or ranks as there are files */
    SUM_OF_GPUS = 1 << 1,    /* and as many GPUs as all files hold together */
    JOB = 1 << 2,            /* one job of the scheduler on hosts; a number behind a job may be a task of its array */
    OWN_NUMBER = 1 << 3,     /* the file of number n holds GPU n alone */
    OWN_NAME = 1 << 4,       /* the file says inside that it is of the node of its name */
    SAME_DEVICES = 1 << 5,   /* all read the same GPUs, by their uuids */
    A_FILE_A_GPU =
        1
        << 6, /* as many files as each of them holds GPUs: ranks that logged all; where groups of several sizes agree */
    RESULT_LOG = 1 << 7, /* one log of a result or a job lies beside them all */
    ALL_KINDS = (1 << 8) - 1,
    NODES_SAID = 1 << 8 /* no kind of its own: what counts the files is a whole word for nodes ("2nodes", not "n2") */
};

static bool says(const ws_scan_file *f, const char *field, size_t n)
{
    const char *value = ws_path_value(f, field);
    return value && strspn(value, "0123456789") == strlen(value) && (size_t)atoi(value) == n;
}

static const char *value_of(const ws_path_proof *p, const ws_scan_file *f)
{
    return f->parts.segments[p->depth].parts[p->part].value;
}

/* Which of the path's numbers that stand in front of the place say how many files there are. */
static uint64_t numbers_that_count(const ws_path_proof *p, const ws_scan_file *f, size_t n)
{
    enum { MOST = 64 };
    uint64_t bits = 0;
    size_t number = 0;
    for (size_t depth = 0; depth <= p->depth; depth++)
        for (size_t i = 0; i < f->parts.segments[depth].n && (depth < p->depth || i < p->part); i++) {
            const ws_part *part = &f->parts.segments[depth].parts[i];
            if ((part->kind != WS_PART_NUMBER && part->kind != WS_PART_FIELD) || part->is_named || number == MOST)
                continue;
            bool is_whole = strspn(part->value, "0123456789") == strlen(part->value);
            bits |= is_whole && (size_t)atoi(part->value) == n ? UINT64_C(1) << number : 0;
            number++;
        }
    return bits;
}

static bool counts_files(ws_scan_file *const *files, size_t n)
{
    return says(files[0], "nodes", n) || says(files[0], "ranks", n);
}

static bool says_nodes(const ws_scan_file *f, size_t n)
{
    for (size_t depth = 0; depth < f->parts.n; depth++)
        for (size_t i = 0; i < f->parts.segments[depth].n; i++)
            if (f->names[depth][i] && strcmp(f->names[depth][i], "nodes") == 0)
                return !f->parts.segments[depth].parts[i].is_weak && says(f, "nodes", n);
    return false;
}

static bool sums_gpus(ws_scan_file *const *files, size_t n)
{
    size_t gpus = 0;
    for (size_t i = 0; i < n; i++)
        gpus += files[i]->span.gpus;
    return gpus && says(files[0], "gpus", gpus);
}

bool ws_path_is_of_job(const ws_scan_file *f)
{
    bool has_job = ws_path_value(f, "job") != NULL;
    for (size_t depth = 0; depth < f->parts.n && !has_job; depth++)
        for (size_t i = 0; i < f->parts.segments[depth].n && !has_job; i++) {
            const ws_part *part = &f->parts.segments[depth].parts[i];
            has_job = part->kind == WS_PART_NUMBER && strlen(part->value) >= WS_JOB_DIGITS && !strchr(part->value, '.');
        }
    return has_job;
}

/* Of several nodes the numbers go on where those of the GPUs begin again. Behind the number of a job they may be tasks
 * of its array, each of which was given a GPU. */
static bool has_own_number(const ws_path_proof *p, ws_scan_file *const *files, size_t n)
{
    int64_t highest = 0;
    const ws_part *before = p->part ? &files[0]->parts.segments[p->depth].parts[p->part - 1] : NULL;
    if (before && before->kind == WS_PART_NUMBER && strlen(before->value) >= WS_JOB_DIGITS)
        return false;
    for (size_t i = 0; i < n; i++)
        highest = files[i]->span.only_gpu > highest ? files[i]->span.only_gpu : highest;
    for (size_t i = 0; i < n; i++)
        if (files[i]->span.only_gpu < 0 || files[i]->span.only_gpu != atoi(value_of(p, files[i])) % (highest + 1))
            return false;
    return highest > 0;
}

static bool has_own_name(const ws_path_proof *p, ws_scan_file *const *files, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const char *value = value_of(p, files[i]);
        if (!*files[i]->span.node || strncmp(files[i]->span.node, value, strcspn(value, ".")) != 0)
            return false;
    }
    return true;
}

static bool reads_same_devices(ws_scan_file *const *files, size_t n)
{
    bool same = files[0]->span.device_hash != 0;
    for (size_t i = 1; i < n; i++)
        same &= files[i]->span.device_hash == files[0]->span.device_hash;
    return same;
}

static bool is_file_a_gpu(ws_scan_file *const *files, size_t n)
{
    bool all = !ws_path_value(files[0], "gpus") || says(files[0], "gpus", n);
    for (size_t i = 0; i < n; i++)
        all &= files[i]->span.gpus == n;
    return all;
}

/* Bytes of the folder in which the place stands. */
static size_t folder_length(const ws_path_proof *p, const ws_scan_file *f)
{
    const char *c = f->path;
    for (size_t depth = 0; depth < p->depth; depth++)
        c = strchr(c, '/') + 1;
    return (size_t)(c - f->path);
}

/* "left" and "right": a job may start several runs and have one log. */
static bool is_word(const ws_path_proof *p, const ws_scan_file *f)
{
    const ws_part *part = &f->parts.segments[p->depth].parts[p->part];
    return part->kind == WS_PART_TEXT && !p->is_host && !ws_name_is_gpu_id(ws_span_of(part->value));
}

static bool has_result_log(const ws_path_proof *p, const ws_scan_file *f)
{
    size_t n = folder_length(p, f), logs = 0;
    bool is_shared = p->last && folder_length(p, p->last) == n && strncmp(p->last->path, f->path, n) == 0;
    for (size_t i = 0; i < p->n_all; i++) {
        const ws_scan_file *other = &p->all[i];
        bool is_log = other->is_side && (strcmp(other->format, "mllog") == 0 ||
                                         (!is_word(p, f) && strcmp(other->format, "job-log") == 0));
        logs += is_log && strncmp(other->path, f->path, n) == 0 && !strchr(other->path + n, '/');
    }
    return n && logs == 1 && !is_shared;
}

void ws_path_proof_begin(ws_path_proof *proof, const ws_scan_file *all, size_t n, size_t depth, size_t part,
                         bool is_host)
{
    *proof = (ws_path_proof){.all = all,
                             .n_all = n,
                             .depth = depth,
                             .part = part,
                             .is_host = is_host,
                             .holding = ALL_KINDS | NODES_SAID,
                             .counts = UINT64_MAX,
                             .fewest = SIZE_MAX,
                             .least = SIZE_MAX};
}

void ws_path_proof_add(ws_path_proof *p, ws_scan_file *const *files, size_t n)
{
    unsigned holding = is_file_a_gpu(files, n) ? A_FILE_A_GPU : 0;
    if (n > 1) {
        holding |= counts_files(files, n) ? COUNT_OF_FILES : 0;
        holding |= says_nodes(files[0], n) ? NODES_SAID : 0;
        holding |= sums_gpus(files, n) ? SUM_OF_GPUS : 0;
        holding |= p->is_host && ws_path_is_of_job(files[0]) ? JOB : 0;
        holding |= !p->is_host && has_own_number(p, files, n) ? OWN_NUMBER : 0;
        holding |= has_own_name(p, files, n) ? OWN_NAME : 0;
        holding |= reads_same_devices(files, n) ? SAME_DEVICES : 0;
        holding |= has_result_log(p, files[0]) ? RESULT_LOG : 0;
        p->groups++;
    } else {
        holding |= (ALL_KINDS ^ A_FILE_A_GPU) | NODES_SAID; /* a file alone says nothing against them */
    }
    if (n > 1 || says(files[0], "gpus", n)) {
        p->least = n < p->least ? n : p->least;
        p->most = n > p->most ? n : p->most;
    }
    p->fewest = n < p->fewest ? n : p->fewest;
    p->largest = n > p->largest ? n : p->largest;
    p->counts &= numbers_that_count(p, files[0], n);
    p->holding &= holding;
    p->last = files[0];
}

/* A number of the path is that of the hosts, in groups of several sizes; other files may be runs at a time. */
static bool are_counted(const ws_path_proof *p)
{
    return p->is_host && p->counts && p->fewest < p->largest;
}

bool ws_path_proof_holds(const ws_path_proof *p)
{
    const unsigned all_kinds = ALL_KINDS, others = all_kinds ^ A_FILE_A_GPU;
    return p->groups && (are_counted(p) || (p->holding & (p->least < p->most ? all_kinds : others)));
}

bool ws_path_proof_says_nodes(const ws_path_proof *p)
{
    return p->groups && (p->holding & NODES_SAID);
}

bool ws_path_proof_says_ranks(const ws_path_proof *p)
{
    const unsigned others = ALL_KINDS ^ A_FILE_A_GPU;
    return ws_path_proof_holds(p) && (p->holding & A_FILE_A_GPU) && !(p->holding & (others | NODES_SAID)) &&
           !(p->is_host && are_counted(p));
}
