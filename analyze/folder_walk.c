#define _DEFAULT_SOURCE /* d_type, st_mtim */
#include "analyze/folder_walk.h"

#include "analyze/folder_ranks.h"
#include "analyze/rank_request.h"
#include "analyze/source.h"
#include "analyze/measure/packer_internal.h"
#include "core/arena.h"
#include "formats/input/input.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

void ws_file_list_add(ws_file_list *files, const char *path)
{
    files->paths = ws_grow(files->paths, &files->capacity, files->n + 1, sizeof *files->paths);
    char *copy = ws_alloc(strlen(path) + 1);
    strcpy(copy, path);
    files->paths[files->n++] = copy;
}

void ws_file_list_free(ws_file_list *files)
{
    for (size_t i = 0; i < files->n; i++)
        free(files->paths[i]);
    free(files->paths);
    *files = (ws_file_list){0};
}

static int is_visible(const struct dirent *entry)
{
    bool is_hidden = entry->d_name[0] == '.' && strcmp(entry->d_name, ".hydra") != 0;  /* the settings of a run */
    return !is_hidden && !ws_span_has_suffix(ws_span_of(entry->d_name), ".wattscale"); /* a store of records */
}

static int by_bytes(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

/* Where a walk puts what it finds. */
typedef struct walk {
    ws_file_list *files;
    ws_notes *notes;
    bool is_shallow; /* folders below the first are named, with a '/' behind, and not walked */
    bool stays;      /* on the file system of `device` */
    dev_t device;
    bool has_left; /* a folder lies on another one */
} walk;

static void walk_folder(const char *folder, bool is_root, walk *w);

/* A report that was written into a campaign's folder holds tables of runs, and none of them is a run. */
static bool is_report(struct dirent *const *entries, size_t n)
{
    static const char *const files[] = {"provenance.json", "index.html", "report.tex"};
    size_t found = 0;
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < sizeof files / sizeof *files; k++)
            found += strcmp(entries[i]->d_name, files[k]) == 0;
    return found == sizeof files / sizeof *files;
}

/* Files below a folder of an archive, which is "all.zip" or "all.zip/runs". */
typedef struct packed_folder {
    const char *path;
    ws_file_list *files;
} packed_folder;

static void take_packed(void *state, const char *path)
{
    const packed_folder *folder = state;
    if (ws_path_is_below(path, folder->path))
        ws_file_list_add(folder->files, path);
}

/* tar -r adds a file again that the archive already holds. */
static void drop_repeats(ws_file_list *files, size_t first, ws_notes *notes)
{
    size_t kept = first;
    for (size_t i = first; i < files->n; i++) {
        if (kept == first || strcmp(files->paths[kept - 1], files->paths[i]) != 0) {
            files->paths[kept++] = files->paths[i];
            continue;
        }
        ws_notes_add(notes, WS_FINDING_REPEATED_FILE, files->paths[i], "", 0,
                     "the archive holds the file more than once: the first is read");
        free(files->paths[i]);
    }
    files->n = kept;
}

static void walk_archive(const char *path, ws_file_list *files, ws_notes *notes)
{
    ws_error error = {0};
    ws_arena arena = {0};
    size_t before = files->n, outer = ws_packed_is(path) ? strlen(path) : ws_packed_outer(path);
    packed_folder folder = {path, files};
    if (ws_packed_list(ws_arena_strndup(&arena, path, outer), take_packed, &folder, &error) != WS_OK)
        ws_note_failure(notes, WS_FINDING_UNREADABLE, path, &error);
    drop_repeats(files, before, notes);
    ws_arena_free(&arena);
}

/* What an entry of a folder is, and what it leads to where it is a link. The listing tells of most without a look at
 * them. False: they cannot be looked at. */
static bool look_at_entry(const char *path, unsigned char type, mode_t *entry, mode_t *about)
{
    struct stat looked;
    *entry = *about = type == DT_REG ? S_IFREG : type == DT_DIR ? S_IFDIR : 0;
    if (*entry)
        return true;
    if (lstat(path, &looked) != 0)
        return false;
    *entry = looked.st_mode;
    if (S_ISLNK(*entry) && stat(path, &looked) != 0)
        return false;
    *about = looked.st_mode;
    return true;
}

static void name_folder(const char *path, ws_file_list *files)
{
    ws_arena arena = {0};
    ws_file_list_add(files, ws_arena_printf(&arena, "%s/", path));
    ws_arena_free(&arena);
}

static void take_entry(const char *path, unsigned char type, walk *w)
{
    mode_t entry, about;
    if (!look_at_entry(path, type, &entry, &about)) {
        ws_notes_add(w->notes, WS_FINDING_UNREADABLE, path, "", 0, "cannot be looked at: %s", strerror(errno));
        return;
    }
    if (ws_packed_is_named(path)) /* a spreadsheet and a saved tensor are ZIPs, too */
        walk_archive(path, w->files, w->notes);
    else if (S_ISREG(about))
        ws_file_list_add(w->files, path);
    else if (S_ISDIR(entry) && w->is_shallow)
        name_folder(path, w->files);
    else if (S_ISDIR(entry))
        walk_folder(path, false, w);
    else if (S_ISDIR(about) && S_ISLNK(entry))
        ws_notes_add(w->notes, WS_FINDING_FOLDER_LINK, path, "", 0,
                     "a link to a folder is not followed: name the folder");
}

static void walk_folder(const char *folder, bool is_root, walk *w)
{
    struct dirent **entries;
    struct stat about;
    if (w->stays)
        w->has_left |= stat(folder, &about) != 0 || about.st_dev != w->device;
    int n = scandir(folder, &entries, is_visible, by_bytes);
    if (n < 0) {
        ws_notes_add(w->notes, WS_FINDING_UNREADABLE, folder, "", 0, "the folder cannot be read: %s", strerror(errno));
        return;
    }
    size_t length = strlen(folder);
    const char *separator = length && folder[length - 1] == '/' ? "" : "/";
    bool is_left_out = !is_root && is_report(entries, (size_t)n);
    for (int i = 0; i < n; i++) {
        ws_arena arena = {0};
        if (!is_left_out)
            take_entry(ws_arena_printf(&arena, "%s%s%s", folder, separator, entries[i]->d_name), entries[i]->d_type, w);
        ws_arena_free(&arena);
        free(entries[i]);
    }
    free(entries);
}

/* --- by several processes --- */

/* From so many folders on they are handed out: a message costs as much as listing some. */
enum { MANY_FOLDERS = 64 };

/* A folder for a process that is to list it, and what it is for the one that asks. */
typedef struct asked {
    const char *path;
    int64_t mtime_ns, ctime_ns, inode;
} asked;

static int64_t ns_of(struct timespec t)
{
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static asked asked_of(const char *path, const struct stat *about)
{
    return (asked){path, ns_of(about->st_mtim), ns_of(about->st_ctim), (int64_t)about->st_ino};
}

static void pack_asked(ws_packer *p, asked *folder)
{
    ws_pack_word(p, &folder->path);
    ws_pack_i64(p, &folder->mtime_ns);
    ws_pack_i64(p, &folder->ctime_ns);
    ws_pack_i64(p, &folder->inode);
}

/* Paths with the zeros behind them, and notes as a record of nothing else. */
static bool pack_listing(const ws_file_list *files, const ws_notes *notes, ws_packed *packed)
{
    ws_packer p = {.writes = true};
    ws_packed paths = {0}, record;
    const ws_record of_notes = {.notes = (ws_notes *)notes};
    size_t capacity = 0;
    if (!ws_record_pack(&of_notes, &record))
        return false;
    for (size_t i = 0; i < files->n; i++) {
        size_t n = strlen(files->paths[i]) + 1;
        paths.bytes = ws_grow(paths.bytes, &capacity, paths.n + n, 1);
        memcpy(paths.bytes + paths.n, files->paths[i], n);
        paths.n += n;
    }
    ws_rank_pack_bytes(&p, &paths);
    ws_rank_pack_bytes(&p, &record);
    free(paths.bytes);
    free(record.bytes);
    free(p.texts);
    *packed = (ws_packed){p.bytes, p.n};
    return true;
}

static bool unpack_listing(const ws_packed *packed, ws_file_list *files, ws_notes *notes)
{
    ws_packer p = {.at = packed->bytes, .end = packed->bytes + packed->n};
    ws_packed paths = {0}, record = {0};
    ws_notes found = {0};
    ws_record of_notes = {.notes = &found};
    ws_rank_pack_bytes(&p, &paths);
    ws_rank_pack_bytes(&p, &record);
    bool is_sound = !p.failed && ws_record_unpack(&of_notes, record.bytes, record.n);
    for (size_t at = 0; is_sound && at < paths.n; at += strlen((const char *)paths.bytes + at) + 1)
        ws_file_list_add(files, (const char *)paths.bytes + at); /* a zero is behind the last one, too */
    if (is_sound && notes)
        ws_notes_append(notes, &found);
    ws_notes_free(&found);
    free(paths.bytes);
    free(record.bytes);
    return is_sound;
}

/* No answer where another process could see more: another folder lies there, or one below it cannot be read or is on a
 * file system of its own. Who asked lists it then. */
void ws_rank_list_folder(const unsigned char *request, size_t n, unsigned threads, ws_rank_answer *answer)
{
    (void)threads;
    ws_arena arena = {0};
    ws_file_list files = {0};
    ws_notes notes = {0};
    struct stat about;
    ws_packer p = {.at = request, .end = request + n};
    asked folder = {0};
    ws_begin_texts(&p, &arena);
    pack_asked(&p, &folder);
    if (!p.failed && stat(folder.path, &about) == 0) {
        asked here = asked_of(folder.path, &about);
        walk w = {.files = &files, .notes = &notes, .stays = true, .device = about.st_dev};
        walk_folder(folder.path, false, &w);
        if (here.mtime_ns == folder.mtime_ns && here.ctime_ns == folder.ctime_ns && here.inode == folder.inode &&
            !w.has_left && !ws_notes_find(&notes, WS_FINDING_UNREADABLE))
            (void)pack_listing(&files, &notes, &answer->packed);
    }
    ws_notes_free(&notes);
    ws_file_list_free(&files);
    free(p.texts);
    ws_arena_free(&arena);
}

static bool is_folder(const char *path)
{
    return path[strlen(path) - 1] == '/';
}

static size_t count_folders(const ws_file_list *found)
{
    size_t n = 0;
    for (size_t i = 0; i < found->n; i++)
        n += is_folder(found->paths[i]);
    return n;
}

/* Lists the folders among them, one level of each. */
static void expand(ws_file_list *found, ws_notes *notes)
{
    ws_file_list deeper = {0};
    walk w = {.files = &deeper, .notes = notes, .is_shallow = true};
    for (size_t i = 0; i < found->n; i++) {
        char *path = found->paths[i];
        if (!is_folder(path)) {
            ws_file_list_add(&deeper, path);
            continue;
        }
        path[strlen(path) - 1] = '\0';
        walk_folder(path, false, &w);
    }
    ws_file_list_free(found);
    *found = deeper;
}

static uint64_t one_each(void *state, size_t item)
{
    (void)state, (void)item;
    return 1;
}

static bool describe_folder(void *state, size_t item, ws_packed *request)
{
    const ws_file_list *folders = state;
    struct stat about;
    ws_packer p = {.writes = true};
    if (stat(folders->paths[item], &about) != 0)
        return false;
    asked folder = asked_of(folders->paths[item], &about);
    pack_asked(&p, &folder);
    free(p.texts);
    *request = (ws_packed){p.bytes, p.n};
    return true;
}

static void take_folder(ws_rank_round *round, size_t item, const char *path, ws_file_list *files, ws_notes *notes)
{
    ws_rank_answer answer = {0};
    walk w = {.files = files, .notes = notes};
    if (!round || !ws_ranks_await(round, item, &answer) || !unpack_listing(&answer.packed, files, notes))
        walk_folder(path, false, &w);
    free(answer.packed.bytes);
}

/* Each of the folders among them is listed by who has time for it; all are taken in their order. */
static void list_folders(const ws_file_list *found, ws_file_list *files, ws_notes *notes)
{
    ws_file_list folders = {0};
    for (size_t i = 0; i < found->n; i++)
        if (is_folder(found->paths[i])) {
            ws_file_list_add(&folders, found->paths[i]);
            folders.paths[folders.n - 1][strlen(found->paths[i]) - 1] = '\0';
        }
    ws_rank_round *round = ws_ranks_begin(&(ws_rank_task){.kind = WS_RANK_FOLDERS,
                                                          .work = ws_rank_list_folder,
                                                          .state = &folders,
                                                          .threads = 1,
                                                          .size = one_each,
                                                          .describe = describe_folder},
                                          folders.n);
    for (size_t i = 0, folder = 0; i < found->n; i++)
        if (!is_folder(found->paths[i]))
            ws_file_list_add(files, found->paths[i]);
        else {
            take_folder(round, folder, folders.paths[folder], files, notes);
            folder++;
        }
    ws_ranks_end(round);
    ws_file_list_free(&folders);
}

/* The first process lists level by level until there are many folders. False: there are few; or something is to be
 * noted of those levels, which has its place among the notes on what lies below. */
static bool walk_by_ranks(const char *root, ws_file_list *files, ws_notes *notes)
{
    ws_file_list found = {0};
    ws_notes noted = {0};
    walk w = {.files = &found, .notes = &noted, .is_shallow = true};
    walk_folder(root, true, &w);
    size_t n = count_folders(&found);
    while (n && n < MANY_FOLDERS && !noted.n) {
        expand(&found, &noted);
        n = count_folders(&found);
    }
    bool is_shared = n && !noted.n;
    if (is_shared)
        list_folders(&found, files, notes);
    ws_notes_free(&noted);
    ws_file_list_free(&found);
    return is_shared;
}

ws_status ws_walk(const char *root, ws_file_list *files, ws_notes *notes, ws_error *error)
{
    if (!ws_is_directory(root))
        return ws_fail_at(error, WS_IO, root, 0, "is not a folder");
    walk w = {.files = files, .notes = notes};
    if (ws_packed_is(root) || ws_packed_outer(root))
        walk_archive(root, files, notes);
    else if (ws_ranks_n() < 2 || !walk_by_ranks(root, files, notes))
        walk_folder(root, true, &w);
    return WS_OK;
}
