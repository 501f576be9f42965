#define _XOPEN_SOURCE 700 /* st_mtim */
#include "formats/input/unpack/archive_cache.h"

#include "core/arena.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { BLOCK_SIZE = 256 * 1024, MOST_FILES = 1000000, MOST_IDLE = 4 };

/* Threads ask a little out of order, and some ask twice for a file: these many stay behind the one asked for last. */
enum { SLACK = 64 };

typedef struct member {
    const char *name;
    size_t place; /* in the archive */
    char *bytes;  /* kept, or NULL */
    size_t n;
    bool is_bad; /* its data cannot be read */
} member;

struct ws_archive_cache {
    char *path;
    struct stat about;
    size_t users;
    ws_archive_cache *older; /* on the list of those that are open */
    ws_arena arena;
    ws_status status;
    ws_error error; /* of the listing */

    pthread_mutex_t lock; /* of what follows */
    member *members;      /* by name */
    size_t n_members, capacity;
    size_t *at_place; /* the member of each place */
    ws_walk *walks;   /* that nobody uses */
    size_t asked;     /* the member asked for last: those behind it come next */
    size_t kept;      /* bytes, of the members from `bottom` to `top` */
    size_t bottom, top;
};

static pthread_mutex_t list_lock = PTHREAD_MUTEX_INITIALIZER;
static ws_archive_cache *newest;

static ws_status fail(const ws_archive_cache *shelf, const ws_unpack *unpack, ws_error *error)
{
    return ws_fail_at(error, WS_FORMAT, shelf->path, 0, "the archive is damaged or cut (%s)",
                      unpack ? ws_unpack_why(unpack) : "unknown reason");
}

static ws_status open_walk(const ws_archive_cache *shelf, ws_walk **walk, ws_error *error)
{
    ws_unpack *unpack = ws_unpack_archive(shelf->path, BLOCK_SIZE, error);
    *walk = NULL;
    if (!unpack)
        return WS_IO;
    *walk = ws_alloc(sizeof **walk);
    (*walk)->unpack = unpack;
    return WS_OK;
}

static void close_walk(ws_walk *walk)
{
    ws_unpack_close(walk->unpack);
    free(walk);
}

/* "./a/b" is "a/b". */
static const char *name_of(const ws_unpack_file *file)
{
    const char *name = file->name;
    while (name && (strncmp(name, "./", 2) == 0 || *name == '/'))
        name += *name == '/' ? 1 : 2;
    return name;
}

/* On to the next regular file; false at the end (WS_OK) and after damage. */
static bool step(const ws_archive_cache *shelf, ws_walk *walk, ws_unpack_file *entry, ws_status *status,
                 ws_error *error)
{
    int found = ws_unpack_next(walk->unpack, entry);
    while (found > 0 && !(name_of(entry) && entry->is_regular))
        found = ws_unpack_next(walk->unpack, entry);
    *status = found < 0 ? fail(shelf, walk->unpack, error) : WS_OK;
    walk->next += found > 0;
    return found > 0;
}

/* A slash comes before every other byte. */
static int compare_names(const char *a, const char *b)
{
    const unsigned char *x = (const unsigned char *)a, *y = (const unsigned char *)b;
    for (; *x && *x == *y; x++, y++)
        ;
    int at_x = *x == '/' ? 1 : *x ? *x + 1 : 0, at_y = *y == '/' ? 1 : *y ? *y + 1 : 0;
    return (at_x > at_y) - (at_x < at_y);
}

static int by_name(const void *a, const void *b)
{
    const member *x = a, *y = b;
    int order = compare_names(x->name, y->name);
    return order ? order : (x->place > y->place) - (x->place < y->place);
}

static void add_member(ws_archive_cache *shelf, const ws_unpack_file *entry)
{
    shelf->members = ws_grow(shelf->members, &shelf->capacity, shelf->n_members + 1, sizeof *shelf->members);
    shelf->members[shelf->n_members] =
        (member){.name = ws_arena_strdup(&shelf->arena, name_of(entry)), .place = shelf->n_members};
    shelf->n_members++;
}

static void list_members(ws_archive_cache *shelf)
{
    ws_walk *walk;
    ws_unpack_file entry;
    shelf->status = open_walk(shelf, &walk, &shelf->error);
    if (!walk)
        return;
    while (step(shelf, walk, &entry, &shelf->status, &shelf->error)) {
        if (shelf->n_members == MOST_FILES) {
            shelf->status = ws_fail_at(&shelf->error, WS_FORMAT, shelf->path, 0, "the archive holds more than %d files",
                                       MOST_FILES);
            break;
        }
        add_member(shelf, &entry);
    }
    close_walk(walk);
    if (shelf->n_members)
        qsort(shelf->members, shelf->n_members, sizeof *shelf->members, by_name);
    shelf->at_place = ws_alloc(shelf->n_members * sizeof *shelf->at_place);
    for (size_t i = 0; i < shelf->n_members; i++)
        shelf->at_place[shelf->members[i].place] = i;
}

static bool is_same_file(const struct stat *a, const struct stat *b)
{
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino && a->st_size == b->st_size &&
           a->st_mtim.tv_sec == b->st_mtim.tv_sec && a->st_mtim.tv_nsec == b->st_mtim.tv_nsec;
}

static void free_shelf(ws_archive_cache *shelf)
{
    for (size_t i = 0; i < shelf->n_members; i++)
        free(shelf->members[i].bytes);
    while (shelf->walks) {
        ws_walk *walk = shelf->walks;
        shelf->walks = walk->other;
        close_walk(walk);
    }
    pthread_mutex_destroy(&shelf->lock);
    ws_arena_free(&shelf->arena);
    free(shelf->members);
    free(shelf->at_place);
    free(shelf->path);
    free(shelf);
}

/* Beyond the newest ones, those that nobody uses. */
static void close_oldest(void)
{
    size_t kept = 0;
    for (ws_archive_cache **at = &newest; *at;) {
        ws_archive_cache *shelf = *at;
        kept++;
        if (kept <= MOST_IDLE || shelf->users) {
            at = &shelf->older;
            continue;
        }
        *at = shelf->older;
        free_shelf(shelf);
    }
}

static ws_archive_cache *find_open(const char *path, const struct stat *about)
{
    for (ws_archive_cache **at = &newest; *at; at = &(*at)->older) {
        ws_archive_cache *found = *at;
        if (strcmp(found->path, path) != 0 || !is_same_file(&found->about, about))
            continue;
        *at = found->older;
        return found;
    }
    return NULL;
}

static ws_archive_cache *new_shelf(const char *path, const struct stat *about)
{
    ws_archive_cache *shelf = ws_alloc(sizeof *shelf);
    shelf->path = ws_alloc(strlen(path) + 1);
    strcpy(shelf->path, path);
    shelf->about = *about;
    pthread_mutex_init(&shelf->lock, NULL);
    return shelf;
}

ws_archive_cache *ws_archive_cache_get(const char *path, ws_error *error)
{
    struct stat about;
    if (stat(path, &about) != 0) {
        ws_fail_at(error, WS_IO, path, 0, "is gone");
        return NULL;
    }
    pthread_mutex_lock(&list_lock);
    ws_archive_cache *shelf = find_open(path, &about);
    if (!shelf)
        shelf = new_shelf(path, &about);
    shelf->older = newest;
    newest = shelf;
    shelf->users++;
    close_oldest();
    pthread_mutex_unlock(&list_lock);
    pthread_mutex_lock(&shelf->lock);
    if (!shelf->at_place && shelf->status == WS_OK)
        list_members(shelf);
    pthread_mutex_unlock(&shelf->lock);
    if (shelf->at_place)
        return shelf;
    if (error)
        *error = shelf->error;
    ws_archive_cache_put(shelf);
    return NULL;
}

void ws_archive_cache_put(ws_archive_cache *shelf)
{
    pthread_mutex_lock(&list_lock);
    shelf->users--;
    close_oldest();
    pthread_mutex_unlock(&list_lock);
}

size_t ws_archive_cache_count(const ws_archive_cache *shelf)
{
    return shelf->n_members;
}

const char *ws_archive_cache_name(const ws_archive_cache *shelf, size_t i)
{
    return shelf->members[i].name;
}

bool ws_archive_cache_find(const ws_archive_cache *shelf, const char *name, size_t *i)
{
    size_t low = 0, high = shelf->n_members;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (compare_names(shelf->members[middle].name, name) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    *i = low;
    return low < shelf->n_members && strcmp(shelf->members[low].name, name) == 0;
}

ws_status ws_archive_cache_status(const ws_archive_cache *shelf, ws_error *error)
{
    if (shelf->status != WS_OK && error)
        *error = shelf->error;
    return shelf->status;
}

static void forget(ws_archive_cache *shelf, member *m)
{
    shelf->kept -= m->n;
    free(m->bytes);
    m->bytes = NULL;
}

static bool is_over(const ws_archive_cache *shelf, size_t i)
{
    return i + SLACK < shelf->asked;
}

static void drop_over(ws_archive_cache *shelf)
{
    for (; shelf->bottom < shelf->n_members && is_over(shelf, shelf->bottom); shelf->bottom++)
        if (shelf->members[shelf->bottom].bytes)
            forget(shelf, &shelf->members[shelf->bottom]);
}

/* Room for a file that comes `i`-th by name, in place of those that come later. */
static bool make_room(ws_archive_cache *shelf, size_t i, size_t n)
{
    while (shelf->kept + n > WS_ARCHIVE_CACHE_BYTES) {
        while (shelf->top > i && !shelf->members[shelf->top].bytes)
            shelf->top--;
        if (shelf->top <= i)
            return false;
        forget(shelf, &shelf->members[shelf->top]);
    }
    return true;
}

static void archive_cache_keep(ws_archive_cache *shelf, size_t i, char *bytes, size_t n)
{
    shelf->members[i].bytes = bytes;
    shelf->members[i].n = n;
    shelf->kept += n;
    shelf->top = i > shelf->top ? i : shelf->top;
    shelf->bottom = i < shelf->bottom ? i : shelf->bottom;
}

static bool is_small(const ws_unpack_file *entry)
{
    return entry->size >= 0 && entry->size <= WS_ARCHIVE_CACHE_SMALL;
}

/* All of the current file of the walk, or as much as can be read. False if that is not all. */
static bool read_small(const ws_walk *walk, const ws_unpack_file *entry, char **bytes, size_t *n)
{
    size_t size = (size_t)entry->size;
    ssize_t got = 1;
    *bytes = ws_realloc(NULL, size + 1, 1);
    for (*n = 0; *n <= size && got > 0; *n += got > 0 ? (size_t)got : 0)
        got = ws_unpack_read(walk->unpack, *bytes + *n, size + 1 - *n); /* to the end, where a checksum shows */
    return got == 0 && *n == size;
}

/* False where the walk cannot go on behind the file. */
static bool keep_passed(ws_archive_cache *shelf, const ws_walk *walk, const ws_unpack_file *entry)
{
    size_t i = shelf->at_place[walk->next - 1], n;
    member *m = &shelf->members[i];
    bool is_repeat = i > 0 && strcmp(m[-1].name, m->name) == 0;
    char *bytes;
    if (m->bytes || m->is_bad || is_repeat || is_over(shelf, i) || !is_small(entry) ||
        !make_room(shelf, i, (size_t)entry->size))
        return true;
    m->is_bad = !read_small(walk, entry, &bytes, &n);
    if (m->is_bad)
        free(bytes);
    else
        archive_cache_keep(shelf, i, bytes, n);
    return !m->is_bad;
}

/* The walk that is nearest in front of a place; a new one where there is none. */
static ws_status find_walk(ws_archive_cache *shelf, size_t place, ws_walk **walk, ws_error *error)
{
    ws_walk **best = NULL;
    for (ws_walk **at = &shelf->walks; *at; at = &(*at)->other)
        if ((*at)->next <= place && (!best || (*at)->next > (*best)->next))
            best = at;
    if (!best)
        return open_walk(shelf, walk, error);
    *walk = *best;
    *best = (*walk)->other;
    return WS_OK;
}

static void give_back(ws_archive_cache *shelf, ws_walk *walk)
{
    size_t n = 0;
    walk->other = shelf->walks;
    shelf->walks = walk;
    for (ws_walk **at = &shelf->walks; *at; at = &(*at)->other) {
        if (++n <= MOST_IDLE)
            continue;
        close_walk(*at);
        *at = NULL;
        break;
    }
}

/* The walk has reached the wanted file. */
static void take_here(ws_archive_cache *shelf, size_t i, const ws_unpack_file *entry, ws_archived_file *file)
{
    if (!is_small(entry) || !read_small(file->walk, entry, &file->bytes, &file->n))
        return;
    give_back(shelf, file->walk);
    file->walk = NULL;
    if (!make_room(shelf, i, file->n))
        return;
    char *copy = ws_realloc(NULL, file->n + 1, 1);
    memcpy(copy, file->bytes, file->n);
    archive_cache_keep(shelf, i, copy, file->n);
}

static ws_status walk_to(ws_archive_cache *shelf, size_t i, ws_archived_file *file, ws_error *error)
{
    size_t place = shelf->members[i].place;
    ws_unpack_file entry;
    ws_status status = find_walk(shelf, place, &file->walk, error);
    while (status == WS_OK && step(shelf, file->walk, &entry, &status, error)) {
        if (file->walk->next > place) {
            take_here(shelf, i, &entry, file);
            return WS_OK;
        }
        if (keep_passed(shelf, file->walk, &entry))
            continue;
        close_walk(file->walk); /* another one passes the bad file by */
        status = find_walk(shelf, place, &file->walk, error);
    }
    if (file->walk)
        close_walk(file->walk);
    file->walk = NULL;
    return status == WS_OK ? fail(shelf, NULL, error) : status;
}

static ws_status archive_cache_take(ws_archive_cache *shelf, size_t i, ws_archived_file *file, ws_error *error)
{
    const member *m = &shelf->members[i];
    shelf->asked = i;
    drop_over(shelf);
    if (!m->bytes)
        return walk_to(shelf, i, file, error);
    file->n = m->n;
    file->bytes = ws_realloc(NULL, m->n + 1, 1);
    memcpy(file->bytes, m->bytes, m->n);
    return WS_OK;
}

ws_status ws_archive_cache_take(ws_archive_cache *shelf, size_t i, ws_archived_file *file, ws_error *error)
{
    *file = (ws_archived_file){.bytes = NULL};
    pthread_mutex_lock(&shelf->lock);
    ws_status status = archive_cache_take(shelf, i, file, error);
    pthread_mutex_unlock(&shelf->lock);
    return status;
}

void ws_archive_cache_give_back(ws_archive_cache *shelf, ws_walk *walk, bool is_sound)
{
    pthread_mutex_lock(&shelf->lock);
    if (is_sound)
        give_back(shelf, walk);
    else
        close_walk(walk);
    pthread_mutex_unlock(&shelf->lock);
}
