/* Records of random measures: unpacked they are the same to the last bit; cut or changed they are refused. */
#include "random_trace.h"
#include "same_measures.h"

#include "analyze/measure/pack.h"
#include "analyze/measure/packer_internal.h"

#include <stdlib.h>

enum { CHANNELS = 4, RECORDS = 60 };
static const char *const here[] = {"here/a.csv", "here/b.csv"}, *const there[] = {"../moved/it/a.csv", "x/b.csv"};

static const ws_quantity quantities[CHANNELS] = {WS_POWER, WS_ENERGY_COUNTER, WS_UTIL, WS_ENERGY_INTERVAL};
static const ws_rule rules[CHANNELS] = {WS_RULE_TRAPEZOID, WS_RULE_COUNTER, WS_RULE_NONE, WS_RULE_INTERVAL};

static ws_measure_options draw_options(void)
{
    ws_measure_options o = {.back_steps = draw(3) ? WS_BACK_UNSAID : draw(2) ? WS_BACK_DROP : WS_BACK_SORT};
    o.meter.has_window = draw(3) == 0;
    o.meter.window_start_ns = 50000000000;
    o.meter.window_end_ns = 900000000000;
    return o;
}

static void push_channel(ws_measure *m, int which)
{
    static trace x;
    ws_sink sink = ws_measure_sink(m);
    ws_channel channel = {.device = which % 2 ? "cpu0" : "gpu0",
                          .device_id = "GPU-5f1c",
                          .identity = "uuid",
                          .column = which == 0 ? "power.draw [W]" : "",
                          .domain = which % 2 ? WS_CPU : WS_GPU,
                          .quantity = quantities[which],
                          .rule = rules[which],
                          .time = draw(10) ? WS_TIME_UTC : WS_TIME_RELATIVE,
                          .counter_range_j = RANGE_J,
                          .assumed = draw(5) ? WS_STATUS_OK : WS_STATUS_ASSUMED_DEVICE,
                          .ask = draw(9) ? WS_ASK_NOTHING : WS_ASK_UNIT};
    int id = -1;
    make(&x);
    ck_assert_int_eq(sink.channel(sink.state, &channel, &id, NULL), WS_OK);
    ws_block block = {x.n, x.t_ns, x.value, x.has_interval ? x.interval_ns : NULL, x.line};
    ck_assert_int_eq(sink.block(sink.state, id, &block, NULL), WS_OK);
}

/* A measure of both files, with its facts. */
static void fill(ws_measure *m, const char *const *paths)
{
    for (size_t file = 0; file < 2; file++) {
        ws_measure_begin(m, paths[file], "n1");
        ws_sink sink = ws_measure_sink(m);
        for (int i = 0; i < CHANNELS; i++)
            push_channel(m, i);
        sink.fact(sink.state, &(ws_fact){.key = "gpu.name", .text = draw(2) ? "A100" : NULL, .number = -0.1});
    }
    ws_measure_flush(m);
}

static void add_notes(ws_notes *notes, const char *const *paths)
{
    ws_notes_add_many(notes, 3, WS_FINDING_TRUNCATED_LINE, paths[1], "gpu0", 17, "in %s and %s of here/a", paths[0],
                      paths[1]);
    ws_notes_add(notes, WS_FINDING_NO_TIME, "", "", 0, "a%%b");
}

typedef struct filled {
    ws_measure measure, *list[1];
    ws_notes notes;
    ws_record record;
} filled;

static void begin(filled *f, const ws_measure_options *options, const char *const *paths)
{
    *f = (filled){.list = {&f->measure}};
    ws_measure_init(&f->measure, options);
    f->record = (ws_record){paths, 2, f->list, 1, &f->notes, 0};
}

static void end(filled *f)
{
    ws_measure_free(&f->measure);
    ws_notes_free(&f->notes);
}

static void make_record(filled *f, const ws_measure_options *options, const char *const *paths, uint64_t seed)
{
    state = seed;
    begin(f, options, paths);
    fill(&f->measure, paths);
    add_notes(&f->notes, paths);
    f->record.damaged = 1;
}

/* The record of a measure, unpacked where the files are called otherwise, is that of the files there. */
START_TEST(unpacks_the_same)
{
    for (uint64_t seed = 1; seed <= RECORDS; seed++) {
        filled packed, fresh, unpacked;
        ws_packed bytes, again;
        state = seed;
        const ws_measure_options options = draw_options();
        make_record(&packed, &options, here, seed);
        make_record(&fresh, &options, there, seed);
        ck_assert(ws_record_pack(&packed.record, &bytes));
        begin(&unpacked, &options, there);
        ck_assert(ws_record_unpack(&unpacked.record, bytes.bytes, bytes.n));
        ck_assert_uint_eq(unpacked.record.damaged, 1);
        ck_assert(ws_record_pack(&unpacked.record, &again));
        ck_assert_uint_eq(again.n, bytes.n);
        ck_assert(memcmp(again.bytes, bytes.bytes, bytes.n) == 0);
        ck_same_notes(&fresh.notes, &unpacked.notes);
        ck_same_measures(&fresh.measure, &unpacked.measure);
        free(bytes.bytes);
        free(again.bytes);
        end(&packed);
        end(&fresh);
        end(&unpacked);
    }
}
END_TEST

static bool is_refused(const unsigned char *bytes, size_t n)
{
    filled f;
    begin(&f, &(ws_measure_options){0}, here);
    bool refused = !ws_record_unpack(&f.record, bytes, n);
    ck_assert(!refused || f.notes.n == 0);
    end(&f);
    return refused;
}

START_TEST(cut_and_changed_records_are_refused)
{
    filled f;
    ws_packed packed;
    make_record(&f, &(ws_measure_options){0}, here, 7);
    ck_assert(ws_record_pack(&f.record, &packed));
    ck_assert(!is_refused(packed.bytes, packed.n));
    for (size_t n = 0; n < packed.n; n++)
        ck_assert(is_refused(packed.bytes, n));
    for (size_t i = 0; i < packed.n; i++) {
        unsigned char change = (unsigned char)(1 + draw(255));
        packed.bytes[i] ^= change;
        ck_assert(is_refused(packed.bytes, packed.n));
        packed.bytes[i] ^= change;
    }
    end(&f);
    free(packed.bytes);
}
END_TEST

/* Somebody may have changed a store and summed it up again. */
static void sum_up(unsigned char *bytes, size_t n)
{
    uint64_t sum = ws_record_sum(bytes, n - 8);
    for (size_t i = 0; i < 8; i++)
        bytes[n - 8 + i] = (unsigned char)(sum >> (8 * i));
}

START_TEST(forged_records_are_refused_or_harmless)
{
    filled f;
    ws_packed packed;
    int accepted = 0;
    make_record(&f, &(ws_measure_options){0}, here, 11);
    ck_assert(ws_record_pack(&f.record, &packed));
    end(&f);
    for (int i = 0; i < 20000; i++) {
        unsigned char *copy = ws_alloc(packed.n);
        memcpy(copy, packed.bytes, packed.n);
        size_t n = draw(4) ? packed.n : 13 + draw(packed.n - 13); /* a byte behind the head at least */
        for (uint64_t k = draw(4); k-- > 0;)
            copy[4 + draw(n - 12)] = (unsigned char)draw(256);
        sum_up(copy, n);
        begin(&f, &(ws_measure_options){0}, there);
        accepted += ws_record_unpack(&f.record, copy, n);
        end(&f);
        free(copy);
    }
    ck_assert_int_gt(accepted, 1000); /* the sums are right: not all are refused for them */
    free(packed.bytes);
}
END_TEST

/* A text that fills its room may have been cut in the middle of a path. */
START_TEST(cut_texts_are_not_packed)
{
    filled f;
    ws_packed packed;
    char text[600];
    memset(text, 'a', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    make_record(&f, &(ws_measure_options){0}, here, 3);
    ws_notes_add(&f.notes, WS_FINDING_NO_TIME, "b", "", 0, "%s", text);
    ck_assert(!ws_record_pack(&f.record, &packed));
    end(&f);
}
END_TEST

TEST_MAIN("pack", unpacks_the_same, cut_and_changed_records_are_refused, forged_records_are_refused_or_harmless,
          cut_texts_are_not_packed)
