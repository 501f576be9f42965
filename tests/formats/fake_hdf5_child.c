/* A child whose reading is anything but that: linked with the main function of wattscale-hdf5, it does what the path of
 * the file names (test_perun_child.c). */
#include "core/arena.h"
#include "formats/hdf5/child_message.h"
#include "formats/hdf5/library/perun_hdf5_library.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

typedef struct reading {
    const ws_perun_hdf5_file *file;
    const ws_sink *sink;
    ws_error *error;
} reading;

static void tell_number(const reading *r, const char *key, double number)
{
    if (r->sink->fact)
        r->sink->fact(r->sink->state, &(ws_fact){.run = "r", .node = "", .device = "", .key = key, .number = number});
}

static ws_perun_window samples;

static ws_status push_block(const reading *r, int id, size_t n)
{
    ws_block block;
    ws_perun_copy_samples(r->file->samples, n, &samples, &block);
    return r->sink->block(r->sink->state, id, &block, r->error);
}

/* Longer than all windows together. */
static ws_status read_soundly(const reading *r)
{
    enum { SAMPLES = 100000, A_BLOCK = 5000 };
    static const ws_channel channel = {.run = "r",
                                       .node = "n",
                                       .device = "gpu0",
                                       .device_id = "CUDA:0",
                                       .identity = "index",
                                       .column = "CUDA:0_POWER",
                                       .domain = WS_GPU,
                                       .quantity = WS_POWER,
                                       .rule = WS_RULE_TRAPEZOID,
                                       .time = WS_TIME_RELATIVE,
                                       .preference = 2,
                                       .counter_range_j = 0.1};
    int id;
    tell_number(r, "pid", getpid());
    ws_status status = r->sink->channel(r->sink->state, &channel, &id, r->error);
    for (int first = 0; status == WS_OK && id >= 0 && first < SAMPLES; first += A_BLOCK) {
        for (int i = 0; i < A_BLOCK; i++) {
            samples.t_ns[i] = (first + i) * INT64_C(1000000000);
            samples.value[i] = 0.1 * (first + i);
        }
        status = push_block(r, id, A_BLOCK);
    }
    ws_notes_add_many(r->file->notes, 3, WS_FINDING_BAD_TIME, r->file->path, "CUDA:0_POWER", 7, "three of them");
    return status;
}

static ws_status be_damaged(const reading *r)
{
    ws_notes_add(r->file->notes, WS_FINDING_DAMAGED_OBJECT, r->file->path, "", 0, "a list");
    return read_soundly(r);
}

static ws_status refuse(const reading *r)
{
    return ws_fail_at(r->error, WS_DATA, r->file->path, 0, "holds nothing");
}

/* What the child was asked for, and what its limits are. */
static ws_status tell_request(const reading *r)
{
    static const struct {
        const char *key;
        __rlimit_resource_t what;
    } limits[] = {{"core", RLIMIT_CORE}, {"memory", RLIMIT_AS}, {"seconds", RLIMIT_CPU}};
    unsigned char first = 0;
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        struct rlimit is;
        getrlimit(limits[i].what, &is);
        tell_number(r, limits[i].key, (double)is.rlim_cur);
    }
    for (int q = 0; q < WS_QUANTITY_N; q++)
        if (r->sink->wants(r->sink->state, (ws_quantity)q))
            tell_number(r, ws_quantity_name((ws_quantity)q), q);
    tell_number(r, "every fact", r->sink->every_fact);
    ws_hdf5_copy(&r->file->bytes, 0, &first, 1);
    tell_number(r, "first byte", first);
    tell_number(r, "descriptors", (double)(fcntl(WS_CHILD_SHARED + 5, F_GETFD) >= 0));
    return WS_OK;
}

/* Ends of many kinds */

static ws_status end_by_abort(const reading *r)
{
    (void)r;
    fprintf(stderr, "double free or corruption\n");
    abort();
}

static ws_status write_astray(const reading *r)
{
    (void)r;
    signal(SIGSEGV, SIG_DFL); /* which a sanitizer takes */
    raise(SIGSEGV);
    return WS_OK;
}

static ws_status end_in_the_middle(const reading *r)
{
    read_soundly(r);
    signal(SIGBUS, SIG_DFL); /* which a sanitizer takes */
    raise(SIGBUS);
    return WS_OK;
}

static ws_status loop(const reading *r)
{
    struct rlimit is;
    getrlimit(RLIMIT_CPU, &is);
    is.rlim_cur = 1;
    setrlimit(RLIMIT_CPU, &is);
    for (volatile unsigned turns = 0; r; turns++)
        continue;
    return WS_OK;
}

static ws_status allocate(const reading *r)
{
    while (r)
        ws_alloc((size_t)1 << 26);
    return WS_OK;
}

static ws_status end_with_status(const reading *r)
{
    (void)r;
    exit(5);
}

static ws_status end_quietly(const reading *r)
{
    (void)r;
    exit(0);
}

static ws_status hang_up(const reading *r)
{
    close(WS_CHILD_SOCKET);
    while (r)
        pause();
    return WS_OK;
}

/* Nonsense */

static ws_messages out;

static ws_status send_out(void)
{
    if (out.n)
        ws_message_end(&out);
    return ws_messages_send(&out, WS_CHILD_SOCKET, -1, true) ? WS_OK : WS_IO;
}

static ws_status say_unknown_kind(const reading *r)
{
    (void)r;
    ws_message_begin(&out, (ws_message_kind)99);
    return send_out();
}

static ws_status say_too_little(const reading *r)
{
    (void)r;
    ws_message_begin(&out, WS_CHILD_FACT);
    ws_message_put_text(&out, "r");
    return send_out();
}

static ws_status say_too_much(const reading *r)
{
    (void)r;
    ws_message_begin(&out, WS_CHILD_DONE);
    ws_message_put(&out, WS_OK);
    ws_message_put_text(&out, "");
    ws_message_put(&out, 1);
    return send_out();
}

static ws_status say_long_text(const reading *r)
{
    (void)r;
    ws_message_begin(&out, WS_CHILD_DONE);
    ws_message_put(&out, WS_DATA);
    ws_message_put(&out, UINT64_MAX - 3);
    ws_message_put(&out, 0);
    return send_out();
}

static ws_status say_text_without_end(const reading *r)
{
    (void)r;
    ws_message_begin(&out, WS_CHILD_DONE);
    ws_message_put(&out, WS_DATA);
    ws_message_put(&out, 8);
    ws_message_put(&out, UINT64_MAX);
    return send_out();
}

static ws_status announce_gigabytes(const reading *r)
{
    (void)r;
    static const uint32_t header[] = {WS_CHILD_NOTE, UINT32_MAX};
    send(WS_CHILD_SOCKET, header, sizeof header, 0);
    return WS_OK;
}

static ws_status end_in_a_message(const reading *r)
{
    (void)r;
    static const uint32_t header[] = {WS_CHILD_NOTE, 1000};
    send(WS_CHILD_SOCKET, header, sizeof header, 0);
    exit(0);
}

static ws_status fail_without_words(const reading *r)
{
    (void)r;
    ws_message_begin(&out, WS_CHILD_DONE);
    ws_message_put(&out, WS_FORMAT);
    ws_message_put_text(&out, "");
    return send_out();
}

static ws_status end_with_unknown_status(const reading *r)
{
    (void)r;
    ws_message_begin(&out, WS_CHILD_DONE);
    ws_message_put(&out, WS_DATA + 1);
    ws_message_put_text(&out, "x.hdf5: why");
    return send_out();
}

static ws_status note_unknown_finding(const reading *r)
{
    (void)r;
    ws_message_begin(&out, WS_CHILD_NOTE);
    ws_message_put(&out, WS_FINDING_N);
    ws_message_put_text(&out, "");
    ws_message_put(&out, 0);
    ws_message_put(&out, 1);
    ws_message_put_text(&out, "why");
    return send_out();
}

static ws_status tell_fact_without_key(const reading *r)
{
    (void)r;
    ws_message_begin(&out, WS_CHILD_FACT);
    for (int i = 0; i < 5; i++)
        ws_message_put_text(&out, NULL);
    ws_message_put_double(&out, 1);
    return send_out();
}

static ws_status announce(uint64_t domain, uint64_t quantity, uint64_t rule, uint64_t time)
{
    ws_message_begin(&out, WS_CHILD_CHANNEL);
    for (int i = 0; i < 6; i++)
        ws_message_put_text(&out, "x");
    const uint64_t fields[] = {domain, quantity, rule, time, 0};
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        ws_message_put(&out, fields[i]);
    ws_message_put_double(&out, 0);
    ws_message_put(&out, 0);
    return send_out();
}

static ws_status announce_unknown_domain(const reading *r)
{
    (void)r;
    return announce(WS_DOMAIN_N, WS_POWER, WS_RULE_TRAPEZOID, WS_TIME_RELATIVE);
}

static ws_status announce_unknown_quantity(const reading *r)
{
    (void)r;
    return announce(WS_GPU, UINT64_MAX, WS_RULE_TRAPEZOID, WS_TIME_RELATIVE);
}

static ws_status announce_unknown_rule(const reading *r)
{
    (void)r;
    return announce(WS_GPU, WS_POWER, WS_RULE_N, WS_TIME_RELATIVE);
}

static ws_status announce_unknown_time(const reading *r)
{
    (void)r;
    return announce(WS_GPU, WS_POWER, WS_RULE_TRAPEZOID, WS_TIME_RELATIVE + 1);
}

static ws_status push(uint64_t channel, uint64_t window, uint64_t n)
{
    ws_message_begin(&out, WS_CHILD_BLOCK);
    ws_message_put(&out, channel);
    ws_message_put(&out, window);
    ws_message_put(&out, n);
    return send_out();
}

static ws_status push_to_unknown_channel(const reading *r)
{
    (void)r;
    return push(0, 0, 1);
}

static ws_status push_unknown_window(const reading *r)
{
    (void)r;
    announce(WS_GPU, WS_POWER, WS_RULE_TRAPEZOID, WS_TIME_RELATIVE);
    return push(0, WS_CHILD_WINDOWS, 1);
}

static ws_status push_too_many(const reading *r)
{
    (void)r;
    announce(WS_GPU, WS_POWER, WS_RULE_TRAPEZOID, WS_TIME_RELATIVE);
    return push(0, 0, WS_PERUN_WINDOW + 1);
}

static ws_status push_nothing(const reading *r)
{
    (void)r;
    announce(WS_GPU, WS_POWER, WS_RULE_TRAPEZOID, WS_TIME_RELATIVE);
    return push(0, 0, 0);
}

static ws_status push_impossible_stamp(const reading *r)
{
    int id;
    const ws_channel channel = {.run = "r", .node = "n", .device = "gpu0", .time = WS_TIME_RELATIVE};
    r->sink->channel(r->sink->state, &channel, &id, r->error);
    samples.t_ns[0] = INT64_MIN;
    return push_block(r, id, 1);
}

/* Never listens to what it is answered. */
static ws_status flood(const reading *r)
{
    (void)r;
    announce(WS_GPU, WS_POWER, WS_RULE_TRAPEZOID, WS_TIME_RELATIVE);
    while (push(0, 0, 1) == WS_OK)
        continue;
    return WS_OK;
}

static const struct {
    const char *name;
    ws_status (*act)(const reading *r);
} acts[] = {
    {"sound", read_soundly},
    {"damaged", be_damaged},
    {"refused", refuse},
    {"request", tell_request},
    {"abort", end_by_abort},
    {"astray", write_astray},
    {"middle", end_in_the_middle},
    {"loop", loop},
    {"allocate", allocate},
    {"status", end_with_status},
    {"quiet", end_quietly},
    {"hang-up", hang_up},
    {"kind", say_unknown_kind},
    {"little", say_too_little},
    {"much", say_too_much},
    {"long", say_long_text},
    {"endless", say_text_without_end},
    {"gigabytes", announce_gigabytes},
    {"half", end_in_a_message},
    {"silent", fail_without_words},
    {"outcome", end_with_unknown_status},
    {"finding", note_unknown_finding},
    {"key", tell_fact_without_key},
    {"domain", announce_unknown_domain},
    {"quantity", announce_unknown_quantity},
    {"rule", announce_unknown_rule},
    {"time", announce_unknown_time},
    {"channel", push_to_unknown_channel},
    {"window", push_unknown_window},
    {"many", push_too_many},
    {"nothing", push_nothing},
    {"stamp", push_impossible_stamp},
    {"flood", flood},
};

ws_status ws_perun_hdf5_read(const ws_perun_hdf5_file *file, const ws_sink *sink, ws_error *error)
{
    const reading r = {file, sink, error};
    for (size_t i = 0; i < sizeof acts / sizeof *acts; i++)
        if (strcmp(acts[i].name, file->path) == 0)
            return acts[i].act(&r);
    exit(EXIT_FAILURE);
}
