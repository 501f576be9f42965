/* HDF5's library in a child: whatever becomes of that, this process goes on, and says what became of the file. */
#include "formats/hdf5/perun_child.h"
#include "hdf5_image.h"
#include "whole_reading.h"

#include <fcntl.h>
#include <pthread.h>
#include <sys/stat.h>
#include <unistd.h>

/* tests/formats/fake_hdf5_child.c lies beside the test. */
static void take_fake_child(void)
{
    char path[4096] = "";
    ssize_t n = readlink("/proc/self/exe", path, sizeof path - 64);
    ck_assert_int_gt(n, 0);
    strcpy(strrchr(path, '/'), "/fake_hdf5_child");
    setenv("WATTSCALE_HDF5", path, 1);
}

static ws_status read_bytes(recorder *r, const char *path, ws_hdf5_bytes bytes)
{
    ws_sink sink = recorder_sink(r);
    sink.every_fact = true;
    ws_perun_hdf5_file file = {path, bytes, ws_perun_samples_new(), &r->notes};
    ws_status status = ws_perun_hdf5_read_apart(&file, &sink, &r->error);
    ws_perun_samples_free(file.samples);
    return status;
}

static ws_status act(recorder *r, const char *what)
{
    return read_bytes(r, what, (ws_hdf5_bytes){.memory = ws_span_of("bytes"), .fd = -1});
}

static double number_of(const recorder *r, const char *key)
{
    for (size_t i = 0; i < r->n_facts; i++)
        if (strcmp(r->facts[i].key, key) == 0)
            return r->facts[i].number;
    return NAN;
}

/* Returns the number of the child that read. */
static double read_a_sound_file(void)
{
    recorder r = {0};
    ck_assert_int_eq(act(&r, "sound"), WS_OK);
    ck_assert_uint_eq(r.n, 1);
    const recorded *c = &r.channels[0];
    ck_assert_str_eq(c->channel.run, "r");
    ck_assert_str_eq(c->channel.node, "n");
    ck_assert_str_eq(c->channel.device, "gpu0");
    ck_assert_str_eq(c->channel.device_id, "CUDA:0");
    ck_assert_str_eq(c->channel.identity, "index");
    ck_assert_str_eq(c->channel.column, "CUDA:0_POWER");
    ck_assert_int_eq(c->channel.domain, WS_GPU);
    ck_assert_int_eq(c->channel.quantity, WS_POWER);
    ck_assert_int_eq(c->channel.rule, WS_RULE_TRAPEZOID);
    ck_assert_int_eq(c->channel.time, WS_TIME_RELATIVE);
    ck_assert_int_eq(c->channel.preference, 2);
    ck_assert(c->channel.counter_range_j == 0.1 && !c->channel.counter_from_zero);
    ck_assert_uint_eq(c->n, 100000);
    size_t same = 0;
    for (size_t i = 0; i < c->n; i++)
        same += c->t_ns[i] == (int64_t)i * 1000000000 && c->value[i] == 0.1 * (double)i;
    ck_assert_uint_eq(same, c->n);
    ck_assert_uint_eq(r.notes.n, 1);
    const ws_note *note = &r.notes.items[0];
    ck_assert(note->finding == WS_FINDING_BAD_TIME && note->count == 3 && note->line == 7);
    ck_assert_str_eq(note->source, "sound");
    ck_assert_str_eq(note->subject, "CUDA:0_POWER");
    ck_assert_str_eq(note->text, "three of them");
    double child = number_of(&r, "pid");
    recorder_free(&r);
    return child;
}

START_TEST(all_that_is_read_arrives)
{
    ck_assert(read_a_sound_file() != (double)getpid());
}
END_TEST

START_TEST(a_child_reads_the_next_file_after_a_sound_one_only)
{
    double first = read_a_sound_file(), second = read_a_sound_file();
    recorder r = {0};
    ck_assert(first == second);
    ck_assert_int_eq(act(&r, "damaged"), WS_OK);
    ck_assert(number_of(&r, "pid") == second);
    recorder_free(&r);
    double third = read_a_sound_file();
    ck_assert(third != second);
    r = (recorder){0};
    ck_assert_int_eq(act(&r, "refused"), WS_DATA);
    ck_assert_str_eq(r.error.message, "refused: holds nothing");
    recorder_free(&r);
    ck_assert(read_a_sound_file() != third);
}
END_TEST

#define COPY_AGAIN ": the file is damaged; copy it again from where it was written"

static const struct {
    const char *act, *message; /* after the path */
} ends[] = {
    {"abort", "libhdf5 ended with signal 6" COPY_AGAIN},
    {"astray", "libhdf5 ended with s"}, /* "signal 11", and "status 1" of a sanitizer */
    {"middle", "libhdf5 ended with s"},
    {"loop", "libhdf5 was ended, for it took more processor time than a sound file of that size can" COPY_AGAIN},
    {"allocate", "libhdf5 needs more memory than it may have" COPY_AGAIN},
    {"status", "libhdf5 ended with status 5" COPY_AGAIN},
    {"quiet", "libhdf5 ended before all was read" COPY_AGAIN},
    {"half", "libhdf5 ended before all was read" COPY_AGAIN},
    {"hang-up", "libhdf5 ended with signal 9" COPY_AGAIN}, /* which it gets for that */
};

/* Address space is not limited where a sanitizer takes most of it. */
static bool is_possible(const char *what)
{
#if defined __SANITIZE_ADDRESS__
    return strcmp(what, "allocate") != 0;
#else
    return what != NULL;
#endif
}

START_TEST(an_end_is_one_line_about_that_file)
{
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        char want[200];
        recorder r = {0};
        if (!is_possible(ends[i].act))
            continue;
        snprintf(want, sizeof want, "%s: %s", ends[i].act, ends[i].message);
        ck_assert_msg(act(&r, ends[i].act) == WS_FORMAT, "%s", ends[i].act);
        ck_assert_msg(strncmp(r.error.message, want, strlen(want)) == 0, "%s, not %s", r.error.message, want);
        bool is_middle = strcmp(ends[i].act, "middle") == 0;
        ck_assert_uint_eq(r.n, is_middle);
        ck_assert_uint_eq(is_middle ? r.channels[0].n : 100000, 100000); /* all that was read before arrives */
        recorder_free(&r);
        read_a_sound_file();
    }
}
END_TEST

START_TEST(nonsense_is_believed_in_nothing)
{
    static const char *const nonsense[] = {"kind",    "little",  "much", "long",    "endless",  "gigabytes", "silent",
                                           "outcome", "finding", "key",  "domain",  "quantity", "rule",      "time",
                                           "channel", "window",  "many", "nothing", "stamp",    "flood"};
    for (size_t i = 0; i < sizeof nonsense / sizeof *nonsense; i++) {
        char want[200];
        recorder r = {0};
        snprintf(want, sizeof want, "%s: libhdf5 read what cannot be" COPY_AGAIN, nonsense[i]);
        ck_assert_msg(act(&r, nonsense[i]) == WS_FORMAT, "%s", nonsense[i]);
        ck_assert_str_eq(r.error.message, want);
        ck_assert_uint_eq(r.notes.n + r.n_facts, 0);
        recorder_free(&r);
        read_a_sound_file();
    }
}
END_TEST

START_TEST(a_child_knows_what_is_wanted_and_its_limits)
{
    enum { BYTES = 8000000, PER_SECOND = 4000000 };
    char *bytes = ws_alloc(BYTES);
    bytes[0] = 'a', bytes[512] = 'b';
    recorder r = {.unwanted = 1U << WS_UTIL};
    ck_assert_int_eq(read_bytes(&r, "request", (ws_hdf5_bytes){.memory = {bytes, BYTES}, .fd = -1, .start = 512}),
                     WS_OK);
    double seconds = 30 + BYTES / PER_SECOND;
    ck_assert(number_of(&r, "core") == 0);
    ck_assert(number_of(&r, "seconds") >= seconds && number_of(&r, "seconds") <= seconds + 2);
    if (is_possible("allocate"))
        ck_assert(number_of(&r, "memory") == 4294967296.0);
    ck_assert(number_of(&r, "every fact") == 1);
    ck_assert(number_of(&r, "first byte") == 'b');
    ck_assert(number_of(&r, "power") == WS_POWER && number_of(&r, "util") == WS_UTIL); /* this sink says nothing */
    recorder_free(&r);
    free(bytes);
}
END_TEST

static bool want_clocks_alone(void *state, ws_quantity quantity)
{
    (void)state;
    return quantity == WS_CLOCK;
}

START_TEST(a_child_gets_the_descriptor_and_nothing_else_that_is_open)
{
    char path[] = "/tmp/wattscale-test-XXXXXX";
    int file = mkstemp(path), others[8];
    ck_assert(file >= 0 && write(file, "xyz", 3) == 3);
    unlink(path);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        ck_assert((others[i] = dup(file)) >= 0); /* without FD_CLOEXEC */
    recorder r = {0};
    ws_sink sink = recorder_sink(&r);
    sink.wants = want_clocks_alone;
    sink.every_fact = false;
    ws_perun_hdf5_file of = {"request", {.fd = file, .start = 1}, ws_perun_samples_new(), &r.notes};
    ck_assert_int_eq(ws_perun_hdf5_read_apart(&of, &sink, &r.error), WS_OK);
    ws_perun_samples_free(of.samples);
    ck_assert(number_of(&r, "first byte") == 'y');
    ck_assert(number_of(&r, "descriptors") == 0);
    ck_assert(number_of(&r, "every fact") == 0);
    ck_assert(number_of(&r, "clock") == WS_CLOCK && isnan(number_of(&r, "power")));
    recorder_free(&r);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        close(others[i]);
    close(file);
}
END_TEST

static ws_status refuse_channel(void *state, const ws_channel *channel, int *id, ws_error *error)
{
    (void)state, (void)channel, (void)id;
    return ws_fail(error, WS_USAGE, "no such channel, please");
}

START_TEST(what_the_sink_refuses_is_said_as_it_says_it)
{
    recorder r = {0};
    ws_sink sink = recorder_sink(&r);
    sink.channel = refuse_channel;
    ws_perun_hdf5_file of = {"sound", {.memory = ws_span_of("bytes"), .fd = -1}, ws_perun_samples_new(), &r.notes};
    ck_assert_int_eq(ws_perun_hdf5_read_apart(&of, &sink, &r.error), WS_USAGE);
    ck_assert_str_eq(r.error.message, "no such channel, please");
    ws_perun_samples_free(of.samples);
    recorder_free(&r);
    recorder unwanting = {.unwanted = 1U << WS_POWER};
    ck_assert_int_eq(act(&unwanting, "sound"), WS_OK);
    ck_assert_uint_eq(unwanting.n, 0);
    recorder_free(&unwanting);
}
END_TEST

static bool want_power_alone(void *state, ws_quantity quantity)
{
    (void)state;
    return quantity == WS_POWER;
}

START_TEST(a_sink_that_says_what_it_wants_gets_that_alone)
{
    static bool (*const wants[])(void *, ws_quantity) = {want_clocks_alone, want_power_alone};
    for (size_t i = 0; i < sizeof wants / sizeof *wants; i++) {
        recorder r = {0};
        ws_sink sink = recorder_sink(&r);
        sink.wants = wants[i];
        ws_perun_hdf5_file of = {"sound", {.memory = ws_span_of("bytes"), .fd = -1}, ws_perun_samples_new(), &r.notes};
        ck_assert_int_eq(ws_perun_hdf5_read_apart(&of, &sink, &r.error), WS_OK);
        ck_assert_uint_eq(r.n, i);
        ck_assert_uint_eq(i ? r.channels[0].n : 100000, 100000);
        ck_assert_uint_eq(r.notes.n, 1);
        ws_perun_samples_free(of.samples);
        recorder_free(&r);
    }
}
END_TEST

static void *read_some(void *state)
{
    (void)state;
    for (int i = 0; i < 5; i++)
        read_a_sound_file();
    return NULL;
}

START_TEST(threads_have_children_of_their_own)
{
    pthread_t threads[4];
    for (size_t i = 0; i < 4; i++)
        ck_assert_int_eq(pthread_create(&threads[i], NULL, read_some, NULL), 0);
    for (size_t i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
}
END_TEST

START_TEST(a_child_that_cannot_be_started_is_no_fault_of_the_file)
{
    recorder r = {0};
    setenv("WATTSCALE_HDF5", "/nowhere/wattscale-hdf5", 1);
    ck_assert_int_eq(act(&r, "sound"), WS_IO);
    ck_assert_str_eq(r.error.message,
                     "sound: cannot be read: '/nowhere/wattscale-hdf5' cannot be started (No such file "
                     "or directory)");
    recorder_free(&r);
}
END_TEST

FIXTURE_MAIN("HDF5's library in a child", take_fake_child, NULL, all_that_is_read_arrives,
             a_child_reads_the_next_file_after_a_sound_one_only, an_end_is_one_line_about_that_file,
             nonsense_is_believed_in_nothing, a_child_knows_what_is_wanted_and_its_limits,
             a_child_gets_the_descriptor_and_nothing_else_that_is_open, what_the_sink_refuses_is_said_as_it_says_it,
             a_sink_that_says_what_it_wants_gets_that_alone, threads_have_children_of_their_own,
             a_child_that_cannot_be_started_is_no_fault_of_the_file)
