/* dladdr, memfd_create and SOCK_CLOEXEC are no part of POSIX. */
#define _GNU_SOURCE
#include "formats/hdf5/perun_child.h"

#include "core/arena.h"
#include "core/linker.h"
#include "formats/hdf5/child_message.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

static const char PROGRAM[] = "wattscale-hdf5";
static const char COPY_AGAIN[] = "the file is damaged; copy it again from where it was written";

/* Names, facts and notes of one file: as much as perun's JSON export of it may have. */
static const uint64_t MOST_BYTES = (uint64_t)1 << 30;

typedef struct child {
    pid_t pid;
    int socket;
    ws_child_shared *shared;
    struct child *next;
} child;

/* Where it lies */

static const char *find_beside(const char *file, ws_arena *arena)
{
    static const char *const places[] = {"", "../libexec/wattscale/"};
    const char *slash = strrchr(file, '/');
    for (size_t i = 0; slash && i < sizeof places / sizeof *places; i++) {
        const char *path = ws_arena_printf(arena, "%.*s/%s%s", (int)(slash - file), file, places[i], PROGRAM);
        if (access(path, X_OK) == 0)
            return path;
    }
    return NULL;
}

/* NULL where there is none. */
static const char *find_program(ws_arena *arena)
{
    const char *named = getenv("WATTSCALE_HDF5");
    if (named && *named)
        return ws_arena_strdup(arena, named);
    char running[PATH_MAX] = "";
    Dl_info library = {0};
    ssize_t n = readlink("/proc/self/exe", running, sizeof running - 1);
    const char *path = n > 0 ? find_beside(running, arena) : NULL;
    static const char in_library = 0;
    return path || !dladdr(&in_library, &library) || !library.dli_fname ? path : find_beside(library.dli_fname, arena);
}

/* Its life */

/* Out of the way of the descriptors that it gets in the child. -1, and the old one is closed, where there is none
 * left. */
static int move_up(int descriptor)
{
    int moved = descriptor < 0 ? -1 : fcntl(descriptor, F_DUPFD_CLOEXEC, WS_CHILD_SHARED + 1);
    if (descriptor >= 0)
        close(descriptor);
    return moved;
}

/* The size is sealed: memory that is cut while it is mapped would end this process, too. */
static int new_shared_memory(void)
{
    int memory = move_up(memfd_create(PROGRAM, MFD_CLOEXEC | MFD_ALLOW_SEALING));
    if (memory >= 0 && ftruncate(memory, sizeof(ws_child_shared)) == 0 &&
        fcntl(memory, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) == 0)
        return memory;
    if (memory >= 0)
        close(memory);
    return -1;
}

/* What it prints, and the C library when it finds memory overwritten, is nobody's: what is to say of its end is said
 * by who started it. Returns what errno would be. */
static int spawn(const char *program, int socket, int shared, pid_t *pid)
{
    char *const arguments[] = {(char *)program, NULL};
    posix_spawn_file_actions_t files;
    posix_spawnattr_t manner;
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawnattr_init(&manner);
    posix_spawnattr_setflags(&manner, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    posix_spawnattr_setsigmask(&manner, &none);
    posix_spawnattr_setsigdefault(&manner, &all);
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDWR, 0);
    posix_spawn_file_actions_adddup2(&files, STDIN_FILENO, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&files, STDIN_FILENO, STDERR_FILENO);
    posix_spawn_file_actions_adddup2(&files, socket, WS_CHILD_SOCKET);
    posix_spawn_file_actions_adddup2(&files, shared, WS_CHILD_SHARED);
    int failure = posix_spawn(pid, program, &files, &manner, arguments, environ);
    posix_spawn_file_actions_destroy(&files);
    posix_spawnattr_destroy(&manner);
    return failure;
}

static void close_child(child *c)
{
    if (c->shared)
        munmap(c->shared, sizeof *c->shared);
    if (c->socket >= 0)
        close(c->socket);
    free(c);
}

static child *start_program(const char *program, const char *path, ws_error *error)
{
    int ends[2] = {-1, -1}, memory = new_shared_memory();
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        ends[0] = ends[1] = -1;
    child *c = ws_alloc(sizeof *c);
    void *shared = memory < 0 ? MAP_FAILED : mmap(NULL, sizeof *c->shared, PROT_READ, MAP_SHARED, memory, 0);
    int its_end = move_up(ends[1]);
    c->socket = ends[0];
    c->shared = shared == MAP_FAILED ? NULL : shared;
    int failure = c->shared && its_end >= 0 ? spawn(program, its_end, memory, &c->pid) : errno ? errno : EIO;
    if (its_end >= 0)
        close(its_end);
    if (memory >= 0)
        close(memory);
    if (failure) {
        ws_fail_at(error, WS_IO, path, 0, "cannot be read: '%s' cannot be started (%s)", program, strerror(failure));
        close_child(c);
        return NULL;
    }
    return c;
}

static child *start_child(const char *path, ws_error *error)
{
    ws_arena arena = {0};
    child *c = NULL;
    const char *program = find_program(&arena);
    if (program)
        c = start_program(program, path, error);
    else
        ws_fail_at(error, WS_IO, path, 0,
                   "cannot be read: '%s' lies neither beside the program nor in ../libexec/wattscale: install the "
                   "program again, as a whole",
                   PROGRAM);
    ws_arena_free(&arena);
    return c;
}

/* How it ended, as waitpid has it; 0 where somebody else has waited for it. One that still runs is ended: it may have
 * closed its socket alone. */
static int end_child(child *c)
{
    int status = 0;
    kill(c->pid, SIGKILL);
    while (waitpid(c->pid, &status, 0) < 0 && errno == EINTR)
        continue;
    close_child(c);
    return status;
}

/* Children that have read a sound file and wait for the next one. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static child *waiting;

static child *take_waiting(void)
{
    pthread_mutex_lock(&lock);
    child *c = waiting;
    if (c)
        waiting = c->next;
    pthread_mutex_unlock(&lock);
    return c;
}

static void let_wait(child *c)
{
    pthread_mutex_lock(&lock);
    c->next = waiting;
    waiting = c;
    pthread_mutex_unlock(&lock);
}

/* A file is read */

typedef struct reading {
    const ws_perun_hdf5_file *file;
    const ws_sink *sink;
    ws_error *error;
    child *child;
    ws_messages in, out;
    int *ids; /* of the channels, as the sink has them */
    size_t n_ids, capacity;
    uint64_t taken; /* windows since the child was told of some */
    ws_status status;
    bool is_done, is_damaged; /* damaged: the file, as a note of the child says */
} reading;

/* Bytes in memory as a file without a name; -1 where there is no room. */
static int copy_to_file(ws_span bytes)
{
    int file = memfd_create(PROGRAM, MFD_CLOEXEC);
    for (size_t done = 0; file >= 0 && done < bytes.n;) {
        ssize_t n = write(file, bytes.p + done, bytes.n - done);
        if (n < 0 && errno != EINTR) {
            close(file);
            file = -1;
        }
        done += n > 0 ? (size_t)n : 0;
    }
    return file;
}

static bool send_request(reading *r, child *to, int descriptor)
{
    const ws_sink *sink = r->sink;
    uint64_t wanted = 0;
    for (int q = 0; q < WS_QUANTITY_N; q++)
        wanted |= (uint64_t)ws_sink_wants(sink, (ws_quantity)q) << q;
    r->out.n = 0;
    ws_message_begin(&r->out, WS_CHILD_REQUEST);
    ws_message_put(&r->out, WS_CHILD_PROTOCOL);
    ws_message_put(&r->out, sizeof(ws_child_shared));
    ws_message_put(&r->out, sink->fact != NULL);
    ws_message_put(&r->out, sink->every_fact);
    ws_message_put(&r->out, !sink->wants);
    ws_message_put(&r->out, wanted);
    ws_message_put(&r->out, r->file->bytes.start);
    ws_message_put_text(&r->out, r->file->path);
    ws_message_end(&r->out);
    return ws_messages_send(&r->out, to->socket, descriptor, true);
}

/* Asks a waiting child, or a new one: a waiting one may have been ended by somebody. False where there is none. */
static bool ask_child(reading *r)
{
    bool is_in_memory = r->file->bytes.memory.p != NULL;
    int descriptor = is_in_memory ? copy_to_file(r->file->bytes.memory) : r->file->bytes.fd;
    if (descriptor < 0) {
        r->status =
            ws_fail_at(r->error, WS_IO, r->file->path, 0, "cannot be handed to '%s': %s", PROGRAM, strerror(errno));
        return false;
    }
    while ((r->child = take_waiting()) && !send_request(r, r->child, descriptor))
        end_child(r->child);
    if (!r->child) {
        r->child = start_child(r->file->path, r->error);
        if (r->child)
            send_request(r, r->child, descriptor); /* one that ended at once is found when it is listened to */
        else
            r->status = WS_IO;
    }
    if (is_in_memory)
        close(descriptor);
    return r->child != NULL;
}

/* False where it has long not listened. One that has ended is noticed once all that it said is heard, so that the same
 * is pushed each time. */
static bool answer(reading *r, ws_message_kind kind, uint64_t number)
{
    ws_message_begin(&r->out, kind);
    ws_message_put(&r->out, number);
    ws_message_end(&r->out);
    bool is_sent = ws_messages_send(&r->out, r->child->socket, -1, false) || errno == EPIPE || errno == ECONNRESET;
    r->out.n = 0;
    return is_sent;
}

static const char *or_empty(const char *text)
{
    return text ? text : "";
}

/* What follows takes a message each: false for one that cannot be. r->status is the sink's. */

static bool perun_child_take_channel(reading *r)
{
    ws_channel c = {0};
    ws_messages *m = &r->in;
    c.run = or_empty(ws_message_take_text(m));
    c.node = or_empty(ws_message_take_text(m));
    c.device = or_empty(ws_message_take_text(m));
    c.device_id = or_empty(ws_message_take_text(m));
    c.identity = or_empty(ws_message_take_text(m));
    c.column = or_empty(ws_message_take_text(m));
    uint64_t domain = ws_message_take(m), quantity = ws_message_take(m), rule = ws_message_take(m),
             time = ws_message_take(m), preference = ws_message_take(m);
    c.counter_range_j = ws_message_take_double(m);
    uint64_t from_zero = ws_message_take(m);
    if (!ws_message_is_whole(m) || domain >= WS_DOMAIN_N || quantity >= WS_QUANTITY_N || rule >= WS_RULE_N ||
        time > WS_TIME_RELATIVE || preference > WS_DOUBTFUL || from_zero > 1)
        return false;
    c.domain = (ws_domain)domain;
    c.quantity = (ws_quantity)quantity;
    c.rule = (ws_rule)rule;
    c.time = (ws_time_base)time;
    c.preference = (int)preference;
    c.counter_from_zero = from_zero == 1;
    int id = -1;
    r->status = r->sink->channel(r->sink->state, &c, &id, r->error);
    if (r->status != WS_OK)
        return true;
    r->ids = ws_grow(r->ids, &r->capacity, r->n_ids + 1, sizeof *r->ids);
    r->ids[r->n_ids++] = id;
    return r->sink->wants || answer(r, WS_CHILD_REPLY, id < 0 ? UINT64_MAX : r->n_ids - 1);
}

/* The samples are copied before anything is concluded from them: the child could change them meanwhile. */
static bool perun_child_take_block(reading *r)
{
    ws_messages *m = &r->in;
    uint64_t channel = ws_message_take(m), window = ws_message_take(m), n = ws_message_take(m);
    ws_block block;
    if (!ws_message_is_whole(m) || channel >= r->n_ids || window >= WS_CHILD_WINDOWS || n > WS_PERUN_WINDOW ||
        !ws_perun_copy_samples(r->file->samples, (size_t)n, &r->child->shared->windows[window], &block))
        return false;
    if (++r->taken == WS_CHILD_BATCH) {
        r->taken = 0;
        if (!answer(r, WS_CHILD_TAKEN, WS_CHILD_BATCH))
            return false;
    }
    int id = r->ids[channel];
    if (id >= 0)
        r->status = r->sink->block(r->sink->state, id, &block, r->error);
    return id >= 0 || r->sink->wants;
}

static bool perun_child_take_fact(reading *r)
{
    ws_messages *m = &r->in;
    ws_fact f = {0};
    f.run = or_empty(ws_message_take_text(m));
    f.node = or_empty(ws_message_take_text(m));
    f.device = or_empty(ws_message_take_text(m));
    f.key = or_empty(ws_message_take_text(m));
    f.text = ws_message_take_text(m);
    f.number = ws_message_take_double(m);
    bool ok = ws_message_is_whole(m) && *f.key && r->sink->fact;
    if (ok)
        r->sink->fact(r->sink->state, &f);
    return ok;
}

static bool take_note(reading *r)
{
    ws_messages *m = &r->in;
    uint64_t finding = ws_message_take(m);
    const char *subject = or_empty(ws_message_take_text(m));
    uint64_t line = ws_message_take(m), count = ws_message_take(m);
    const char *text = or_empty(ws_message_take_text(m));
    if (!ws_message_is_whole(m) || finding >= WS_FINDING_N || line > INT64_MAX)
        return false;
    r->is_damaged |= finding == WS_FINDING_DAMAGED_OBJECT;
    ws_notes_add_many(r->file->notes, count, (ws_finding)finding, r->file->path, subject, (int64_t)line, "%s", text);
    return true;
}

static bool take_done(reading *r)
{
    ws_messages *m = &r->in;
    uint64_t status = ws_message_take(m);
    const char *message = or_empty(ws_message_take_text(m));
    if (!ws_message_is_whole(m) || status > WS_DATA || (status != WS_OK) != (*message != '\0'))
        return false;
    r->is_done = true;
    r->is_damaged |= m->n > m->end; /* it speaks on */
    r->status = status == WS_OK ? WS_OK : ws_fail(r->error, (ws_status)status, "%s", message);
    return true;
}

static bool take_message(reading *r, uint64_t kind)
{
    switch (kind) {
    case WS_CHILD_CHANNEL:
        return perun_child_take_channel(r);
    case WS_CHILD_BLOCK:
        return perun_child_take_block(r);
    case WS_CHILD_FACT:
        return perun_child_take_fact(r);
    case WS_CHILD_NOTE:
        return take_note(r);
    case WS_CHILD_DONE:
        return take_done(r);
    default:
        return false;
    }
}

/* What the dynamic linker says of the program that did not start: it is started once more for that, without a file. */
static void ask_linker(const char *program, char *said, size_t size)
{
    char *const arguments[] = {(char *)program, NULL};
    int ends[2];
    pid_t pid;
    size_t n = 0;
    said[0] = '\0';
    if (pipe2(ends, O_CLOEXEC) != 0)
        return;
    posix_spawn_file_actions_t files;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDWR, 0);
    posix_spawn_file_actions_adddup2(&files, STDIN_FILENO, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&files, ends[1], STDERR_FILENO);
    bool starts = posix_spawn(&pid, program, &files, NULL, arguments, environ) == 0;
    posix_spawn_file_actions_destroy(&files);
    close(ends[1]);
    for (ssize_t more; starts && n < size - 1 && (more = read(ends[0], said + n, size - 1 - n)) > 0;)
        n += (size_t)more;
    close(ends[0]);
    while (starts && waitpid(pid, NULL, 0) < 0 && errno == EINTR)
        continue;
    said[n] = '\0';
}

/* The linker's line without the program's name before it. */
static ws_status tell_not_started(const char *path, ws_error *error)
{
    static const char before[] = "error while loading shared libraries: ";
    ws_arena arena = {0};
    char all[1024] = "";
    const char *program = find_program(&arena);
    if (program)
        ask_linker(program, all, sizeof all);
    char *said = strstr(all, before);
    said = said ? said + sizeof before - 1 : all;
    said[strcspn(said, "\n")] = '\0';
    ws_fail_at(error, WS_IO, path, 0, "cannot be read: '%s' cannot be started%s%s%s: %s", PROGRAM, *said ? " (" : "",
               said, *said ? ")" : "", ws_linker_remedy(said));
    ws_arena_free(&arena);
    return WS_IO;
}

/* How it came to its end by itself. */
static ws_status tell_end(reading *r, int how)
{
    enum { NOT_STARTED = 127 };
    const char *path = r->file->path;
    if (WIFSIGNALED(how) && WTERMSIG(how) == SIGXCPU)
        return ws_fail_at(r->error, WS_FORMAT, path, 0,
                          "libhdf5 was ended, for it took more processor time than a sound file of that size can: %s",
                          COPY_AGAIN);
    if (WIFSIGNALED(how))
        return ws_fail_at(r->error, WS_FORMAT, path, 0, "libhdf5 ended with signal %d: %s", WTERMSIG(how), COPY_AGAIN);
    switch (WEXITSTATUS(how)) {
    case NOT_STARTED:
        return tell_not_started(path, r->error);
    case EXIT_SUCCESS:
        return ws_fail_at(r->error, WS_FORMAT, path, 0, "libhdf5 ended before all was read: %s", COPY_AGAIN);
    case WS_CHILD_OTHER_PROTOCOL:
        return ws_fail_at(r->error, WS_IO, path, 0,
                          "cannot be read: '%s' is of another version: install the program again, as a whole", PROGRAM);
    case WS_CHILD_NO_MEMORY:
        return ws_fail_at(r->error, WS_FORMAT, path, 0, "libhdf5 needs more memory than it may have: %s", COPY_AGAIN);
    default:
        return ws_fail_at(r->error, WS_FORMAT, path, 0, "libhdf5 ended with status %d: %s", WEXITSTATUS(how),
                          COPY_AGAIN);
    }
}

static ws_status tell_nonsense(reading *r)
{
    return ws_fail_at(r->error, WS_FORMAT, r->file->path, 0, "libhdf5 read what cannot be: %s", COPY_AGAIN);
}

/* Until the child has said all, the sink refuses, or the child can no longer be believed. */
static void listen_to_child(reading *r)
{
    uint64_t kind, left = MOST_BYTES;
    while (r->status == WS_OK && !r->is_done) {
        if (!ws_message_receive(&r->in, r->child->socket, left, &kind)) {
            r->status = r->in.is_bad ? tell_nonsense(r) : tell_end(r, end_child(r->child));
            r->child = r->in.is_bad ? r->child : NULL;
            return;
        }
        left -= r->in.end < left ? r->in.end : left;
        if (!take_message(r, kind))
            r->status = tell_nonsense(r);
    }
}

ws_status ws_perun_hdf5_read_apart(const ws_perun_hdf5_file *file, const ws_sink *sink, ws_error *error)
{
    reading r = {.file = file, .sink = sink, .error = error};
    if (ask_child(&r))
        listen_to_child(&r);
    if (r.child && r.is_done && r.status == WS_OK && !r.is_damaged)
        let_wait(r.child);
    else if (r.child)
        end_child(r.child);
    ws_messages_free(&r.in);
    ws_messages_free(&r.out);
    free(r.ids);
    return r.status;
}
