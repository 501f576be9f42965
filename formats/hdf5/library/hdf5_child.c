/* wattscale-hdf5: perun's HDF5 files read by HDF5's library in a process of its own (perun_child.h), a file after the
 * other.
 *
 * * A damaged file may bring the library down, make it run for ever or take all memory: this process has limits, and
 * nothing to lose. */
#define _GNU_SOURCE
#include "core/arena.h"
#include "formats/hdf5/child_message.h"
#include "formats/hdf5/library/perun_hdf5_library.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#if defined __SANITIZE_ADDRESS__
#define HAS_SHADOW_MEMORY 1
#elif defined __has_feature
#if __has_feature(address_sanitizer)
#define HAS_SHADOW_MEMORY 1
#endif
#endif

/* The largest file that perun's own code can have written, a number in each few bytes, takes the library a tenth of
 * that time and a few hundred MB. */
static const rlim_t MOST_MEMORY = (rlim_t)4 << 30;
static const rlim_t SECONDS = 30, BYTES_A_SECOND = 4000000;

/* Messages are sent together until this much waits. */
enum { MOST_WAITING = 64 * 1024 };

typedef struct parent {
    ws_messages in, out;
    ws_child_shared *shared;
    uint64_t told, taken; /* windows since the start of the file */
    uint64_t wanted;      /* quantities, as bits */
    bool chooses;         /* one channel by one */
    int n_channels;
} parent;

/* Nobody is left to be told. */
static void end_without_parent(void)
{
    exit(EXIT_SUCCESS);
}

static void send_all(parent *p)
{
    if (p->out.n && !ws_messages_send(&p->out, WS_CHILD_SOCKET, -1, true))
        end_without_parent();
}

static void end_message(parent *p)
{
    ws_message_end(&p->out);
    if (p->out.n > MOST_WAITING)
        send_all(p);
}

/* The next word of the program: the number of a reply, and windows that are free again in between. */
static bool hear_reply(parent *p, uint64_t *number)
{
    uint64_t kind;
    if (!ws_message_receive(&p->in, WS_CHILD_SOCKET, sizeof *number, &kind))
        end_without_parent();
    *number = ws_message_take(&p->in);
    p->taken += kind == WS_CHILD_TAKEN ? *number : 0;
    return kind == WS_CHILD_REPLY;
}

/* The sink */

static bool hdf5_child_wants(void *state, ws_quantity quantity)
{
    return ((const parent *)state)->wanted >> quantity & 1;
}

static ws_status tell_channel(void *state, const ws_channel *c, int *id, ws_error *error)
{
    (void)error;
    parent *p = state;
    uint64_t number;
    *id = -1;
    if (!hdf5_child_wants(p, c->quantity))
        return WS_OK;
    ws_message_begin(&p->out, WS_CHILD_CHANNEL);
    ws_message_put_text(&p->out, c->run);
    ws_message_put_text(&p->out, c->node);
    ws_message_put_text(&p->out, c->device);
    ws_message_put_text(&p->out, c->device_id);
    ws_message_put_text(&p->out, c->identity);
    ws_message_put_text(&p->out, c->column);
    ws_message_put(&p->out, c->domain);
    ws_message_put(&p->out, c->quantity);
    ws_message_put(&p->out, c->rule);
    ws_message_put(&p->out, c->time);
    ws_message_put(&p->out, (uint64_t)c->preference);
    ws_message_put_double(&p->out, c->counter_range_j);
    ws_message_put(&p->out, c->counter_from_zero);
    end_message(p);
    *id = p->n_channels++;
    if (!p->chooses)
        return WS_OK;
    send_all(p);
    while (!hear_reply(p, &number))
        continue;
    if (number == UINT64_MAX)
        *id = -1;
    return WS_OK;
}

static ws_status tell_block(void *state, int id, const ws_block *block, ws_error *error)
{
    (void)error;
    parent *p = state;
    uint64_t number, window = p->told++ % WS_CHILD_WINDOWS;
    assert(block->t_ns == p->shared->windows[window].t_ns && block->value == p->shared->windows[window].value);
    ws_message_begin(&p->out, WS_CHILD_BLOCK);
    ws_message_put(&p->out, (uint64_t)id);
    ws_message_put(&p->out, window);
    ws_message_put(&p->out, block->n);
    ws_message_end(&p->out);
    if (p->told % WS_CHILD_BATCH == 0)
        send_all(p);
    while (p->told - p->taken == WS_CHILD_WINDOWS) /* the next one is filled before it is told of */
        hear_reply(p, &number);
    return WS_OK;
}

static void tell_fact(void *state, const ws_fact *f)
{
    parent *p = state;
    ws_message_begin(&p->out, WS_CHILD_FACT);
    ws_message_put_text(&p->out, f->run);
    ws_message_put_text(&p->out, f->node);
    ws_message_put_text(&p->out, f->device);
    ws_message_put_text(&p->out, f->key);
    ws_message_put_text(&p->out, f->text);
    ws_message_put_double(&p->out, f->number);
    end_message(p);
}

static void tell_notes(parent *p, const ws_notes *notes)
{
    for (size_t i = 0; i < notes->n; i++) {
        const ws_note *note = &notes->items[i];
        ws_message_begin(&p->out, WS_CHILD_NOTE);
        ws_message_put(&p->out, note->finding);
        ws_message_put_text(&p->out, note->subject);
        ws_message_put(&p->out, (uint64_t)note->line);
        ws_message_put(&p->out, note->count);
        ws_message_put_text(&p->out, note->text);
        end_message(p);
    }
}

static void tell_done(parent *p, ws_status status, const ws_error *error)
{
    ws_message_begin(&p->out, WS_CHILD_DONE);
    ws_message_put(&p->out, status);
    ws_message_put_text(&p->out, status == WS_OK ? "" : error->message);
    ws_message_end(&p->out);
    send_all(p);
    while (p->taken < p->told / WS_CHILD_BATCH * WS_CHILD_BATCH) {
        uint64_t number;
        hear_reply(p, &number);
    }
    p->told = p->taken = 0;
    p->n_channels = 0;
}

/* Limits */

static void limit(__rlimit_resource_t what, rlim_t most)
{
    struct rlimit is;
    if (getrlimit(what, &is) == 0 && most < is.rlim_cur)
        setrlimit(what, &(struct rlimit){most, is.rlim_max});
}

static void end_without_memory(size_t wanted)
{
    (void)wanted;
    _exit(WS_CHILD_NO_MEMORY);
}

static void set_limits(void)
{
    limit(RLIMIT_CORE, 0);
#if !defined HAS_SHADOW_MEMORY
    limit(RLIMIT_AS, MOST_MEMORY);
#else
    (void)MOST_MEMORY;
#endif
    ws_set_memory_handler(end_without_memory);
}

/* From now on for a file of that size; what the user has set stays the upper limit. */
static void limit_time(off_t bytes)
{
    struct rusage used;
    struct rlimit is;
    getrusage(RUSAGE_SELF, &used);
    rlim_t most =
        (rlim_t)used.ru_utime.tv_sec + (rlim_t)used.ru_stime.tv_sec + 1 + SECONDS + (rlim_t)bytes / BYTES_A_SECOND;
    if (getrlimit(RLIMIT_CPU, &is) == 0)
        setrlimit(RLIMIT_CPU, &(struct rlimit){most < is.rlim_max ? most : is.rlim_max, is.rlim_max});
}

/* A file */

static void read_file(parent *p, int descriptor)
{
    ws_messages *m = &p->in;
    struct stat about;
    uint64_t protocol = ws_message_take(m), shared_size = ws_message_take(m);
    if (protocol != WS_CHILD_PROTOCOL || shared_size != sizeof *p->shared)
        _exit(WS_CHILD_OTHER_PROTOCOL);
    bool has_facts = ws_message_take(m), every_fact = ws_message_take(m);
    p->chooses = ws_message_take(m);
    p->wanted = ws_message_take(m);
    uint64_t start = ws_message_take(m);
    const char *given = ws_message_take_text(m);
    if (!ws_message_is_whole(m) || !given || descriptor < 0 || fstat(descriptor, &about) != 0)
        _exit(WS_CHILD_OTHER_PROTOCOL);
    limit_time(about.st_size);
    ws_notes notes = {0};
    ws_error error = {0};
    ws_arena arena = {0};
    const ws_sink sink = {.state = p,
                          .channel = tell_channel,
                          .block = tell_block,
                          .fact = has_facts ? tell_fact : NULL,
                          .every_fact = every_fact,
                          .wants = hdf5_child_wants};
    const ws_perun_hdf5_file file = {.path = ws_arena_strdup(&arena, given),
                                     .bytes = {.fd = descriptor, .start = start},
                                     .samples = ws_perun_samples_in(p->shared->windows, WS_CHILD_WINDOWS),
                                     .notes = &notes};
    ws_status status = ws_perun_hdf5_read(&file, &sink, &error);
    tell_notes(p, &notes);
    tell_done(p, status, &error);
    ws_perun_samples_free(file.samples);
    ws_notes_free(&notes);
    ws_arena_free(&arena);
    close(descriptor);
}

/* What the program had open is not the child's. */
static void close_others(void)
{
    enum { MOST = 1024 };
    for (int descriptor = WS_CHILD_SHARED + 1; descriptor < MOST; descriptor++)
        close(descriptor);
}

int main(void)
{
    struct stat about;
    if (fstat(WS_CHILD_SOCKET, &about) != 0 || !S_ISSOCK(about.st_mode)) {
        fprintf(stderr, "wattscale-hdf5: is started by wattscale, which has it read HDF5 files\n");
        return EXIT_FAILURE;
    }
    close_others();
    set_limits();
    int descriptor = -1;
    parent p = {.in.descriptor = &descriptor};
    void *shared = mmap(NULL, sizeof *p.shared, PROT_READ | PROT_WRITE, MAP_SHARED, WS_CHILD_SHARED, 0);
    if (shared == MAP_FAILED)
        return errno == ENOMEM ? WS_CHILD_NO_MEMORY : WS_CHILD_OTHER_PROTOCOL;
    p.shared = shared;
    uint64_t kind;
    while (ws_message_receive(&p.in, WS_CHILD_SOCKET, UINT32_MAX, &kind)) {
        int file = descriptor;
        descriptor = -1;
        read_file(&p, file);
    }
    ws_messages_free(&p.in);
    ws_messages_free(&p.out);
    return EXIT_SUCCESS;
}
