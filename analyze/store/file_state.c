#define _XOPEN_SOURCE 700 /* st_mtim */
#include "analyze/store/file_state.h"

#include "core/arena.h"
#include "formats/input/input.h"

#include <string.h>
#include <sys/stat.h>
#include <time.h>

static int64_t ns_of(struct timespec t)
{
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

int64_t ws_file_state_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return ns_of(now);
}

static ws_file_state state_by(const struct stat *about, bool is_packed, int64_t seen_ns)
{
    return (ws_file_state){.is_there = true,
                           .is_packed = is_packed,
                           .size = (int64_t)about->st_size,
                           .mtime_ns = ns_of(about->st_mtim),
                           .ctime_ns = ns_of(about->st_ctim),
                           .inode = (int64_t)about->st_ino,
                           .seen_ns = seen_ns};
}

ws_file_state ws_file_state_of(const char *path)
{
    enum { LONGEST_PATH = 16 * 1024 }; /* of an archive and in it; a store of somebody else may hold any */
    if (strlen(path) > LONGEST_PATH)
        return (ws_file_state){0};
    struct stat about;
    bool is_there = stat(path, &about) == 0, is_packed = false;
    if (!is_there) {
        ws_arena arena = {0};
        size_t outer = ws_packed_outer(path);
        is_there = is_packed = outer && stat(ws_arena_strndup(&arena, path, outer), &about) == 0;
        ws_arena_free(&arena);
    }
    if (!is_there || !S_ISREG(about.st_mode))
        return (ws_file_state){0};
    return state_by(&about, is_packed, ws_file_state_now());
}

void ws_file_looks_open(ws_file_looks *looks, const ws_input *input, int64_t since_ns)
{
    struct stat about;
    bool is_file = ws_input_opened_as(input, &about);
    looks->before = is_file ? state_by(&about, ws_input_file_fd(input) < 0, since_ns) : (ws_file_state){0};
}

/* An open file that has lost its name, or given it to another one, has changed by the time of its inode. */
void ws_file_looks_end(ws_file_looks *looks, const ws_input *input)
{
    struct stat about;
    int fd = ws_input_file_fd(input);
    if (fd < 0)
        looks->after = ws_file_state_of(ws_input_path(input));
    else
        looks->after = fstat(fd, &about) == 0 ? state_by(&about, false, ws_file_state_now()) : (ws_file_state){0};
}

static bool is_old(int64_t t_ns, const ws_file_state *seen)
{
    return t_ns <= seen->seen_ns - WS_SETTLED_NS;
}

static bool has_whole_seconds(const ws_file_state *s)
{
    return s->mtime_ns % 1000000000 == 0;
}

bool ws_file_state_is_settled(const ws_file_state *s)
{
    return is_old(s->ctime_ns, s) && is_old(s->mtime_ns, s);
}

bool ws_file_state_is_untouched(const ws_file_state *then, const ws_file_state *now)
{
    return now->is_there == then->is_there && now->size == then->size && now->mtime_ns == then->mtime_ns &&
           now->ctime_ns == then->ctime_ns && now->inode == then->inode;
}

ws_file_change ws_file_state_compare(const ws_file_state *then, const ws_file_state *now)
{
    if (!then->is_there || !now->is_there || then->size != now->size)
        return WS_FILE_CHANGED;
    bool same_inode = then->inode == now->inode, is_touched = same_inode && then->ctime_ns != now->ctime_ns;
    bool is_surely_same = same_inode && !is_touched && is_old(then->ctime_ns, then);
    bool same_time = then->mtime_ns == now->mtime_ns && is_old(then->mtime_ns, then) && !is_touched;
    return same_time && (is_surely_same || !has_whole_seconds(then)) ? WS_FILE_SAME : WS_FILE_UNSURE;
}

/* --- renamed files --- */

/* Each inode has a hash of its own. */
static uint64_t hash_of_inode(const ws_file_state *state)
{
    return (uint64_t)state->inode * UINT64_C(0x9e3779b97f4a7c15);
}

static bool is_the_one(const void *state, size_t place)
{
    (void)state, (void)place;
    return true;
}

static bool has_inode(const ws_name_index *inodes, const ws_file_state *state)
{
    return ws_name_find(inodes, hash_of_inode(state), is_the_one, NULL) != WS_NO_PLACE;
}

void ws_inodes_add(ws_name_index *inodes, const ws_file_state *state)
{
    if (!state->is_packed && !has_inode(inodes, state))
        ws_name_add(inodes, hash_of_inode(state), 0);
}

bool ws_inodes_moved(const ws_name_index *inodes, const ws_file_state *then, const ws_file_state *now)
{
    return !now->is_packed && now->inode != then->inode && has_inode(inodes, now);
}
