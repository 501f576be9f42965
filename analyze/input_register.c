#include "analyze/input_register.h"

#include "core/arena.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct ws_input_register {
    pthread_mutex_t lock;
    ws_registered_input **items; /* by path */
    size_t n, capacity;
};

ws_input_register *ws_input_register_new(void)
{
    ws_input_register *r = ws_alloc(sizeof *r);
    pthread_mutex_init(&r->lock, NULL);
    return r;
}

void ws_input_register_free(ws_input_register *r)
{
    if (!r)
        return;
    for (size_t i = 0; i < r->n; i++) {
        free((void *)(uintptr_t)r->items[i]->path);
        free(r->items[i]);
    }
    free(r->items);
    pthread_mutex_destroy(&r->lock);
    free(r);
}

/* The first place whose path is not before `path`. */
static size_t place_of(const ws_input_register *r, const char *path)
{
    size_t low = 0, high = r->n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (strcmp(r->items[middle]->path, path) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

const ws_registered_input *ws_input_register_find(const ws_input_register *r, const char *path)
{
    size_t at = place_of(r, path);
    return at < r->n && strcmp(r->items[at]->path, path) == 0 ? r->items[at] : NULL;
}

/* The item of the path, made where there is none: then it is the caller's to fill. */
static ws_registered_input *claim(ws_input_register *r, const char *path)
{
    ws_registered_input *new = NULL;
    pthread_mutex_lock(&r->lock);
    if (!ws_input_register_find(r, path)) {
        size_t at = place_of(r, path);
        char *copy = ws_alloc(strlen(path) + 1);
        strcpy(copy, path);
        new = ws_alloc(sizeof *new);
        new->path = copy;
        r->items = ws_grow(r->items, &r->capacity, r->n + 1, sizeof *r->items);
        memmove(r->items + at + 1, r->items + at, (r->n - at) * sizeof *r->items);
        r->items[at] = new;
        r->n++;
    }
    pthread_mutex_unlock(&r->lock);
    return new;
}

static bool hash_file(int fd, ws_registered_input *item)
{
    enum { PIECE = 1 << 18 };
    char *piece = ws_alloc(PIECE);
    ws_sha256 hash;
    ws_sha256_init(&hash);
    ssize_t n;
    do {
        n = pread(fd, piece, PIECE, (off_t)item->size);
        if (n > 0) {
            ws_sha256_add(&hash, piece, (size_t)n);
            item->size += (uint64_t)n;
        }
    } while (n > 0 || (n < 0 && errno == EINTR));
    ws_sha256_text(&hash, item->sha256);
    free(piece);
    return n == 0;
}

void ws_input_register_add(ws_input_register *r, const char *path, const ws_format *format, const ws_input *input)
{
    ws_registered_input *item = claim(r, path);
    if (!item)
        return;
    int fd = ws_input_file_fd(input);
    item->format = format;
    item->has_digest = fd >= 0 && hash_file(fd, item);
}

void ws_input_register_add_known(ws_input_register *r, const char *path, const ws_format *format, uint64_t size,
                                 const char *sha256)
{
    ws_registered_input *item = claim(r, path);
    if (!item)
        return;
    item->format = format;
    item->size = size;
    item->has_digest = strlen(sha256) == WS_SHA256_TEXT - 1;
    if (item->has_digest)
        memcpy(item->sha256, sha256, WS_SHA256_TEXT);
}

bool ws_input_register_digest(ws_input_register *r, const char *path, char sha256[WS_SHA256_TEXT])
{
    pthread_mutex_lock(&r->lock);
    const ws_registered_input *item = ws_input_register_find(r, path);
    bool has = item && item->has_digest;
    if (has)
        memcpy(sha256, item->sha256, WS_SHA256_TEXT);
    pthread_mutex_unlock(&r->lock);
    return has;
}
