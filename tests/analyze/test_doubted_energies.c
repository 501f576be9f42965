/* What puts an energy in doubt, and what does not: units, copies and totals whose cause the readings prove. Cases made
 * by hand; the energy that is true follows from the readings. */
#include "harness.h"
#include "note_named.h"

#include "analyze/measure/measure.h"
#include "analyze/measure/stakes.h"

#include <math.h>
#include <string.h>

#define S INT64_C(1000000000)

enum { N = 400 };

static ws_measure measure;
static ws_sink sink;
static ws_notes notes;

static void begin(void)
{
    ws_measure_init(&measure, &(ws_measure_options){0});
    ws_measure_begin(&measure, "a.csv", "");
    sink = ws_measure_sink(&measure);
}

/* N readings, one a second. */
static void push(const ws_channel *channel, const double *values)
{
    int id = -1;
    ck_assert_int_eq(sink.channel(sink.state, channel, &id, NULL), WS_OK);
    for (int i = 0; i < N; i++) {
        int64_t t_ns = i * S, line = i + 2;
        ck_assert_int_eq(sink.block(sink.state, id, &(ws_block){1, &t_ns, &values[i], NULL, &line}, NULL), WS_OK);
    }
}

static ws_channel power_of(const char *device, ws_domain domain)
{
    return (ws_channel){.device = device,
                        .identity = "index",
                        .column = "p",
                        .domain = domain,
                        .quantity = WS_POWER,
                        .rule = WS_RULE_TRAPEZOID,
                        .time = WS_TIME_UTC};
}

static ws_channel counter_of(const char *device, ws_domain domain)
{
    ws_channel channel = power_of(device, domain);
    channel.quantity = WS_ENERGY_COUNTER;
    channel.rule = WS_RULE_COUNTER;
    return channel;
}

static ws_energy_verdict verdict_of(size_t device)
{
    return ws_energy_verdict_of(&measure.devices[device].stake, measure.devices[device].energy->summary.energy_j,
                                &measure.options.verdict);
}

static void finish(void)
{
    ws_notes_free(&notes);
    ws_measure_finish(&measure, &notes);
}

/* A load between two and three times `idle_w`, which never repeats. */
static double load(int i, double idle_w)
{
    return idle_w * (2.5 + 0.5 * sin(i * 0.7) + 0.01 * sin(i * 1.9));
}

/* A device of any domain whose unit slips by a thousand, up or down, from the middle on. */
START_TEST(a_unit_that_slips_is_told_of_every_domain)
{
    static const struct {
        ws_domain domain;
        double idle_w;
    } cases[] = {{WS_GPU, 60},   {WS_CPU, 30},    {WS_CPU, 3},   {WS_DRAM, 8},
                 {WS_NODE, 120}, {WS_NODE, 3000}, {WS_WALL, 30}, {WS_OTHER, 60}};
    static const double factors[] = {1000, 0.001, 1};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
        for (int f = 0; f < 3; f++) {
            double watts[N];
            for (int i = 0; i < N; i++)
                watts[i] = load(i, cases[c].idle_w) * (i < N / 2 ? 1 : factors[f]);
            ws_channel channel = power_of("d0", cases[c].domain);
            begin();
            push(&channel, watts);
            finish();
            bool may_stand_by = factors[f] < 1 && (cases[c].domain == WS_WALL || cases[c].domain == WS_OTHER);
            ws_energy_verdict wanted = f == 2 || may_stand_by ? WS_ENERGY_VERDICT_OK : WS_ENERGY_VERDICT_UNUSABLE;
            ck_assert_msg(verdict_of(0) == wanted, "domain %d of %g W by %g", (int)cases[c].domain, cases[c].idle_w,
                          factors[f]);
            ws_measure_free(&measure);
        }
}
END_TEST

/* Kilowatts throughout. A processor or a card of some tenths of a watt that hardly varies is none that sleeps; a node
 * of some watts may be a board. */
START_TEST(kilowatts_throughout_are_told)
{
    static const struct {
        ws_domain domain;
        double least_w, most_w;
        ws_energy_verdict wanted;
    } cases[] = {{WS_NODE, 0.3, 0.31, WS_ENERGY_VERDICT_UNUSABLE},
                 {WS_WALL, 0.3, 0.31, WS_ENERGY_VERDICT_UNUSABLE},
                 {WS_CPU, 0.05, 0.25, WS_ENERGY_VERDICT_UNUSABLE},
                 {WS_CPU, 0.2, 0.25, WS_ENERGY_VERDICT_DOUBTFUL},
                 {WS_CPU, 0.13, 0.25, WS_ENERGY_VERDICT_DOUBTFUL},
                 {WS_CPU, 0.001, 0.0015, WS_ENERGY_VERDICT_OK},
                 {WS_CPU, 0.3, 0.499, WS_ENERGY_VERDICT_DOUBTFUL},
                 {WS_CPU, 0.3, 0.501, WS_ENERGY_VERDICT_OK},
                 {WS_GPU, 0.05, 0.09, WS_ENERGY_VERDICT_DOUBTFUL},
                 {WS_GPU, 0.4, 0.699, WS_ENERGY_VERDICT_DOUBTFUL},
                 {WS_GPU, 0.4, 0.701, WS_ENERGY_VERDICT_OK},
                 {WS_GPU, 0.0019, 0.003, WS_ENERGY_VERDICT_OK},
                 {WS_WALL, 1.3, 1.31, WS_ENERGY_VERDICT_OK},
                 {WS_OTHER, 0.05, 0.25, WS_ENERGY_VERDICT_OK},
                 {WS_DRAM, 0.006, 0.049, WS_ENERGY_VERDICT_UNUSABLE},
                 {WS_DRAM, 0.006, 0.051, WS_ENERGY_VERDICT_OK},
                 {WS_NODE, 0.35, 1.11, WS_ENERGY_VERDICT_DOUBTFUL},
                 {WS_NODE, 1.2, 2.9, WS_ENERGY_VERDICT_DOUBTFUL},
                 {WS_NODE, 1.2, 3.13, WS_ENERGY_VERDICT_DOUBTFUL},
                 {WS_NODE, 0.31, 19.94, WS_ENERGY_VERDICT_DOUBTFUL},
                 {WS_NODE, 0.31, 20.03, WS_ENERGY_VERDICT_OK},
                 {WS_NODE, 0.29, 9, WS_ENERGY_VERDICT_OK},
                 {WS_NODE, 4, 9, WS_ENERGY_VERDICT_OK}, /* in steps of half a watt */
                 {WS_DRAM, 0.001, 0.03, WS_ENERGY_VERDICT_OK}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        double watts[N];
        for (int i = 0; i < N; i++)
            watts[i] = cases[c].least_w + (cases[c].most_w - cases[c].least_w) * (i * 7 % 11) / 10;
        ws_channel channel = power_of("d0", cases[c].domain);
        begin();
        push(&channel, watts);
        finish();
        ck_assert_msg(verdict_of(0) == cases[c].wanted, "domain %d of %g to %g W", (int)cases[c].domain,
                      cases[c].least_w, cases[c].most_w);
        ws_measure_free(&measure);
    }
}
END_TEST

/* Memory of 0.02 to 0.06 W: in kW it draws what the memory beside it does in W, if that draws 13 to 120 W on average.
 */
START_TEST(memory_in_kilowatts_beside_other_memory)
{
    static const double other_w[] = {14, 40, 118, 13, 121};
    for (size_t c = 0; c < sizeof other_w / sizeof *other_w; c++)
        for (int steady = 0; steady < 2; steady++) {
            double watts[N], other[N];
            for (int i = 0; i < N; i++) {
                watts[i] = steady ? 0.04 + 0.019 * (i % 2) : 0.02 + 0.004 * (i * 7 % 11);
                other[i] = other_w[c] * (1 + 0.02 * sin(i * 0.7));
            }
            ws_channel low = power_of("dram0", WS_DRAM), high = power_of("dram1", WS_DRAM);
            begin();
            push(&low, watts);
            push(&high, other);
            finish();
            bool is_told = !steady && c < 3;
            ck_assert_msg(verdict_of(0) == (is_told ? WS_ENERGY_VERDICT_UNUSABLE : WS_ENERGY_VERDICT_OK), "%g W",
                          other_w[c]);
            ck_assert_int_eq(verdict_of(1), WS_ENERGY_VERDICT_OK);
            ws_measure_free(&measure);
        }
}
END_TEST

/* Three readings beyond what such a device draws, and what draws as much all the time; no two of them are the same. */
START_TEST(readings_that_stand_out)
{
    static const struct {
        ws_domain domain;
        double idle_w, high_w;
        int every;
        ws_energy_verdict wanted;
    } cases[] = {
        {WS_CPU, 30, 1500, 133, WS_ENERGY_VERDICT_DOUBTFUL}, {WS_CPU, 30, 990, 133, WS_ENERGY_VERDICT_OK},
        {WS_CPU, 30, 1050, 133, WS_ENERGY_VERDICT_DOUBTFUL}, {WS_CPU, 400, 1500, 133, WS_ENERGY_VERDICT_OK},
        {WS_CPU, 30, 1500, 20, WS_ENERGY_VERDICT_OK},        {WS_NODE, 50, 50e3, 133, WS_ENERGY_VERDICT_UNUSABLE},
        {WS_NODE, 10e3, 50e3, 133, WS_ENERGY_VERDICT_OK},    {WS_WALL, 80, 65535, 133, WS_ENERGY_VERDICT_UNUSABLE},
        {WS_GPU, 30, 1500, 133, WS_ENERGY_VERDICT_DOUBTFUL}, {WS_GPU, 300, 1300, 133, WS_ENERGY_VERDICT_OK},
        {WS_DRAM, 5, 600, 133, WS_ENERGY_VERDICT_UNUSABLE}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        double watts[N];
        for (int i = 0; i < N; i++)
            watts[i] =
                i % cases[c].every == cases[c].every / 2 ? cases[c].high_w - i / 100.0 : load(i, cases[c].idle_w);
        ws_channel channel = power_of("d0", cases[c].domain);
        begin();
        push(&channel, watts);
        finish();
        ck_assert_msg(verdict_of(0) == cases[c].wanted, "domain %d of %g W and %g W", (int)cases[c].domain,
                      cases[c].idle_w, cases[c].high_w);
        ws_measure_free(&measure);
    }
}
END_TEST

/* Zeros are reads that failed where a card draws at least 2 W whenever it draws anything; others may be switched off.
 */
START_TEST(zeros_of_a_card_that_never_draws_less_than_2_w)
{
    static const struct {
        double least_w;
        bool has_failed;
    } cases[] = {{2, true}, {1.99, false}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        double watts[N];
        for (int i = 0; i < N; i++)
            watts[i] = i % 50 == 20 ? 0 : i % 50 == 30 ? cases[c].least_w : load(i, 40);
        ws_channel channel = power_of("gpu0", WS_GPU);
        begin();
        push(&channel, watts);
        finish();
        ck_assert_int_eq(ws_failed_zeros_s(&measure.devices[0], measure.devices[0].energy) > 0, cases[c].has_failed);
        ws_measure_free(&measure);
    }
}
END_TEST

/* Two names of one counter; two counters that differ by a count at the end; two that rise alike and stand elsewhere. */
START_TEST(a_counter_under_two_names)
{
    enum { ONE, OTHER_END, OTHER_START };
    for (int c = ONE; c <= OTHER_START; c++) {
        double joules[2][N];
        for (int i = 0; i < N; i++) {
            joules[0][i] = (i ? joules[0][i - 1] : 5000) + load(i, 40);
            joules[1][i] = joules[0][i] + (c == OTHER_START ? 1e4 : c == OTHER_END && i == N - 1 ? 0.01 : 0);
        }
        begin();
        for (int d = 0; d < 2; d++) {
            ws_channel channel = counter_of(d ? "cpu1" : "cpu0", WS_CPU);
            push(&channel, joules[d]);
        }
        finish();
        ck_assert(verdict_of(1) == (c == ONE ? WS_ENERGY_VERDICT_DOUBTFUL : WS_ENERGY_VERDICT_OK));
        ck_assert((note_named(&notes, "same-readings") != NULL) == (c == ONE));
        ws_measure_free(&measure);
    }
}
END_TEST

/* The stamps of a file that knows no date have one zero. */
START_TEST(equal_readings_without_a_date)
{
    double watts[N];
    for (int i = 0; i < N; i++)
        watts[i] = load(i, 60);
    begin();
    for (int d = 0; d < 2; d++) {
        ws_channel channel = power_of(d ? "gpu1" : "gpu0", WS_GPU);
        channel.time = WS_TIME_RELATIVE;
        push(&channel, watts);
    }
    finish();
    ck_assert(verdict_of(0) == WS_ENERGY_VERDICT_DOUBTFUL && verdict_of(1) == WS_ENERGY_VERDICT_DOUBTFUL);
    ws_measure_free(&measure);
}
END_TEST

/* perun stores what all its GPUs took; one of two may be gone, or all of them. */
START_TEST(a_stored_total_beyond_the_sensors)
{
    double watts[N];
    for (int i = 0; i < N; i++)
        watts[i] = 100;
    watts[7] = 101;
    for (int i = 0; i < 4; i++) {
        int gpus = i < 3 ? i : 1;
        bool is_lost = i < 2; /* the totals of the last one are of another time */
        begin();
        ws_channel cpu = power_of("cpu0", WS_CPU);
        push(&cpu, watts);
        for (int d = 0; d < gpus; d++) {
            ws_channel gpu = power_of(d ? "gpu1" : "gpu0", WS_GPU);
            gpu.time = WS_TIME_RELATIVE;
            watts[20 + d] += 1;
            push(&gpu, watts);
        }
        sink.fact(sink.state, &(ws_fact){.run = "",
                                         .node = "",
                                         .device = "",
                                         .key = "perun.stored.gpu_energy_j",
                                         .number = 2 * 100.0 * (N - 1) * 1.09});
        sink.fact(sink.state,
                  &(ws_fact){.run = "", .node = "n", .device = "", .key = "perun.stored.cpu_energy_j", .number = 1e9});
        sink.fact(sink.state, &(ws_fact){.run = "",
                                         .node = "",
                                         .device = "",
                                         .key = "perun.stored.runtime_s",
                                         .number = i < 3 ? N - 1 : N * 1.1});
        finish();
        ck_assert((note_named(&notes, "sources-disagree") != NULL) == is_lost);
        ck_assert(verdict_of(gpus ? 1 : 0) == (is_lost ? WS_ENERGY_VERDICT_UNUSABLE : WS_ENERGY_VERDICT_OK));
        ws_measure_free(&measure);
    }
}
END_TEST

/* A package of 80 W whose counter begins again at 0: close to the top of its range it wrapped, and where the way over
 * the top would mean nine times its power it may have been reset. */
START_TEST(a_wrap_that_is_unlike_other_steps)
{
    static const struct {
        double below_top_j;
        ws_energy_verdict wanted;
    } cases[] = {{30, WS_ENERGY_VERDICT_OK}, {100, WS_ENERGY_VERDICT_OK}, {700, WS_ENERGY_VERDICT_DOUBTFUL}};
    for (size_t c = 0; c < 3; c++) {
        double joules[N], range_j = 65712.999613;
        for (int i = 0; i < N; i++)
            joules[i] = i < N / 2 ? range_j - cases[c].below_top_j - 80 * (N / 2 - 1 - i) : 40 + 80 * (i - N / 2);
        ws_channel channel = counter_of("cpu0", WS_CPU);
        channel.counter_range_j = range_j;
        begin();
        push(&channel, joules);
        finish();
        ck_assert_msg(verdict_of(0) == cases[c].wanted, "%g J below the top", cases[c].below_top_j);
        ws_measure_free(&measure);
    }
}
END_TEST

/* A card behind two indices, of which one reading in a hundred fell on the other side of a change of the sensor, and
 * two cards under one load: of which one draws 1 % more, and with all in common but their noise, the lowest and the
 * highest reading, too. */
START_TEST(one_card_behind_two_indices)
{
    enum { ONE_CARD, MORE_POWER, OTHER_NOISE, CASES };
    for (int what = 0; what < CASES; what++) {
        double watts[2][N];
        bool are_two = what != ONE_CARD;
        for (int i = 0; i < N; i++) {
            watts[0][i] = round(100 * load(i, 60)) / 100;
            watts[1][i] = what == MORE_POWER ? round(101 * load(i, 60)) / 100 : watts[0][i];
        }
        for (int i = 50; i < N && !are_two; i += 100)
            watts[1][i] = watts[0][i + 1];
        for (int i = 0; i < N && what == OTHER_NOISE; i++)
            for (int d = 0; d < 2; d++)
                watts[d][i] = i < 2 ? 200.25 + 50 * i : 200.25 + (i * (d ? 3779 : 2221) + d * 1777) % 5001 / 100.0;
        begin();
        for (int d = 0; d < 2; d++) {
            ws_channel channel = power_of(d ? "gpu1" : "gpu0", WS_GPU);
            push(&channel, watts[d]);
        }
        finish();
        ck_assert(verdict_of(0) == (are_two ? WS_ENERGY_VERDICT_OK : WS_ENERGY_VERDICT_DOUBTFUL));
        ck_assert((note_named(&notes, "same-readings") == NULL) == are_two);
        ws_measure_free(&measure);
    }
}
END_TEST

/* Four slices of one card in two groups, which were read before and after a change of the sensor. */
START_TEST(slices_of_one_card_in_two_groups)
{
    static const char *const ids[] = {"MIG-GPU-5f1c/0/0", "MIG-GPU-5f1c/1/0", "MIG-GPU-5f1c/2/0", "MIG-GPU-5f1c/3/0"};
    begin();
    for (int d = 0; d < 4; d++) {
        double watts[N];
        for (int i = 0; i < N; i++)
            watts[i] = round(100 * load(i + d / 2, 60)) / 100;
        ws_channel channel = power_of(ids[d], WS_GPU);
        channel.device_id = ids[d];
        channel.identity = "uuid";
        push(&channel, watts);
    }
    finish();
    size_t doubted = 0;
    for (size_t d = 0; d < 4; d++)
        doubted += !measure.devices[d].is_alternative && verdict_of(d) != WS_ENERGY_VERDICT_OK;
    ck_assert_uint_eq(doubted, 1);
    ck_assert_ptr_nonnull(note_named(&notes, "maybe-measured-twice"));
    ws_measure_free(&measure);
}
END_TEST

/* A package whose counter is 0 throughout: alone it is off, beside one that counts it is not read. */
START_TEST(a_counter_of_zero)
{
    for (int is_beside = 0; is_beside < 2; is_beside++) {
        double joules[N], zeros[N] = {0};
        for (int i = 0; i < N; i++)
            joules[i] = (i ? joules[i - 1] : 5000) + load(i, 40);
        begin();
        ws_channel one = counter_of("cpu0", WS_CPU), other = counter_of("cpu1", is_beside ? WS_CPU : WS_DRAM);
        push(&one, joules);
        push(&other, zeros);
        finish();
        ck_assert((note_named(&notes, "stuck-counter") != NULL) == is_beside);
        ws_measure_free(&measure);
    }
}
END_TEST

/* An A100 has a board power of up to 500 W, and draws 56 W at full clocks without work. */
START_TEST(a_card_beyond_what_its_name_can_draw)
{
    static const struct {
        const char *model;
        double watts, util, limit_w;
        bool is_doubtful;
    } cases[] = {{"NVIDIA A100-SXM4-40GB", 612, 0.98, 0, true},    {"NVIDIA A100-SXM4-40GB", 588, 0.98, 0, false},
                 {"NVIDIA A100-SXM4-40GB", 612, 0.98, 700, false}, {"NVIDIA A100-SXM4-40GB", 40, 0.98, 0, true},
                 {"NVIDIA A100-SXM4-40GB", 43, 0.98, 0, false},    {"NVIDIA A100-SXM4-40GB", 40, 0.81, 0, true},
                 {"NVIDIA A100-SXM4-40GB", 40, 0.79, 0, false},    {"NVIDIA B200", 950, 0.98, 0, false}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        double watts[N], limit[N], util[N];
        for (int i = 0; i < N; i++) {
            watts[i] = cases[c].watts * (1 + 0.01 * sin(i * 0.7));
            limit[i] = cases[c].limit_w;
            util[i] = cases[c].util;
        }
        ws_channel channel = power_of("gpu0", WS_GPU), cap = channel, use = channel;
        cap.quantity = WS_POWER_LIMIT, use.quantity = WS_UTIL;
        begin();
        push(&channel, watts);
        push(&use, util);
        if (cases[c].limit_w > 0)
            push(&cap, limit);
        ws_sink_pass_fact(&sink, &(ws_fact){"", "", "gpu0", "gpu.name", cases[c].model, NAN});
        finish();
        ck_assert_msg((verdict_of(0) == WS_ENERGY_VERDICT_DOUBTFUL) == cases[c].is_doubtful, "case %zu", c);
        ws_measure_free(&measure);
    }
}
END_TEST

/* Mean and spread over the readings. */
static void figures_of(const double *watts, int n, double *mean, double *sd)
{
    double squares = 0;
    *mean = 0;
    for (int i = 0; i < n; i++)
        *mean += watts[i] / n;
    for (int i = 0; i < n; i++)
        squares += (watts[i] - *mean) * (watts[i] - *mean);
    *sd = sqrt(squares / (n - 1));
}

/* The readings of gpu0 and, 7 ms later each, `n` of them as gpu1's. Every fifteenth has fallen on the other side of a
 * change, so that the rest is no copy with rows missing: it is `up_w` more, and `away_w` farther from the mean. */
static bool follow_each_other(int n, double up_w, double away_w, double *mean_share, double *sd_share)
{
    ws_channel first = power_of("gpu0", WS_GPU), other = power_of("gpu1", WS_GPU);
    double watts[N], again[N], mean, sd, mean_again, sd_again;
    int id = -1, left = 0;
    for (int i = 0; i < N; i++)
        watts[i] = round(100 * (200 + 50 * sin(i * 0.7) + 20 * sin(i * 1.9) + 5 * sin(i * 4.3))) / 100;
    figures_of(watts, N, &mean, &sd);
    begin();
    push(&first, watts);
    ck_assert_int_eq(sink.channel(sink.state, &other, &id, NULL), WS_OK);
    for (int i = 0, drop = N - n; i < N; i++) {
        if (drop && i % 40 == 3) {
            drop--;
            continue;
        }
        int64_t t_ns = i * S + S / 150, line = i + 2;
        double off_w = up_w + (watts[i] > mean ? away_w : -away_w) + (i % 30 ? 0.03 : -0.03);
        again[left] = round(100 * (watts[i] + (i % 15 ? 0 : off_w))) / 100;
        ck_assert_int_eq(sink.block(sink.state, id, &(ws_block){1, &t_ns, &again[left], NULL, &line}, NULL), WS_OK);
        left++;
    }
    ck_assert_int_eq(left, n);
    figures_of(again, n, &mean_again, &sd_again);
    *mean_share = mean_again / mean - 1;
    *sd_share = sd_again / sd - 1;
    finish();
    const ws_note *note = note_named(&notes, "same-readings");
    bool are = note != NULL;
    ck_assert(!are || strstr(note->text, "follow each other"));
    ws_measure_free(&measure);
    return are;
}

/* Within half a percent of the mean, a twentieth of the spread, and a fiftieth of the readings and one. */
START_TEST(one_device_read_twice_under_two_names)
{
    static const struct {
        int n;
        double up_w, away_w, mean_share, sd_share; /* shares: what that comes to */
        bool wanted;
    } cases[] = {{N, 0, 0, 0, 0, true},         {N, 14.3, 0, 0.0048, 0, true},  {N, 15.5, 0, 0.0052, 0, false},
                 {N, 0, 24.3, 0, 0.0485, true}, {N, 0, 25.6, 0, 0.0515, false}, {N - 9, 0, 0, 0, 0, true},
                 {N - 10, 0, 0, 0, 0, false}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        double mean_share, sd_share;
        bool are = follow_each_other(cases[c].n, cases[c].up_w, cases[c].away_w, &mean_share, &sd_share);
        ck_assert_msg(are == cases[c].wanted, "case %zu", c);
        if (cases[c].mean_share > 0)
            ck_close(mean_share, cases[c].mean_share, 0.01, 0);
        if (cases[c].sd_share > 0)
            ck_close(sd_share, cases[c].sd_share, 0.01, 0);
    }
}
END_TEST

/* A card that is held at the limit of its power stands there to the last digit, in whole watts or finer; one that
 * stands below what it draws elsewhere is stuck, and so is one at a power that no limit has. */
START_TEST(a_card_at_its_limit_is_not_stuck)
{
    static const struct {
        double still_w, rest_w, step_w, limit_w; /* limit_w: 0: there is no column of it */
        int readings;
        bool is_stuck;
    } cases[] = {{700, 60, 0.01, 0, 360, false},  {700, 60, 1, 0, 360, false},   {699, 60, 1, 0, 360, false},
                 {705, 60, 1, 0, 360, true},      {70, 15, 1, 0, 360, false},    {700, 710, 0.01, 0, 360, true},
                 {700, 710, 1, 0, 360, true},     {698, 60, 1, 0, 360, true},    {697.43, 60, 0.01, 0, 360, true},
                 {700, 700, 0.01, 700, N, false}, {700, 700, 0.01, 0, N, true},  {700, 60, 1, 0, 201, false},
                 {700, 60, 1, 0, 199, true},      {700, 60, 1, 700, 199, false}, {700, 700, 0.01, 701, N, false},
                 {700, 700, 0.01, 701.1, N, true}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        double watts[N], limit[N], util[N];
        for (int i = 0; i < N; i++) {
            bool stands = i >= N - cases[c].readings;
            double noisy = cases[c].rest_w + 3 * sin(i * 0.7);
            watts[i] = stands ? cases[c].still_w : round(noisy / cases[c].step_w) * cases[c].step_w;
            limit[i] = cases[c].limit_w;
            util[i] = 0.99;
        }
        ws_channel channel = power_of("gpu0", WS_GPU), cap = channel, use = channel;
        cap.quantity = WS_POWER_LIMIT, use.quantity = WS_UTIL;
        begin();
        push(&channel, watts);
        push(&use, util);
        if (cases[c].limit_w > 0)
            push(&cap, limit);
        finish();
        ck_assert_msg((verdict_of(0) != WS_ENERGY_VERDICT_OK) == cases[c].is_stuck, "case %zu", c);
        ws_measure_free(&measure);
    }
}
END_TEST

/* A sensor that stands between two neighbours for a part; a third value, steps that are coarse for the power and less
 * than a minute are noise. */
START_TEST(a_sensor_that_goes_to_and_fro_by_its_last_digit)
{
    static const struct {
        double power_w, step_w;
        int readings, values;
        bool wanted;
        double rest_w; /* how far the other readings reach; 0: as a load */
    } cases[] = {{61.37, 0.01, 61, 2, true, 0},     {61.38, 0.01, 61, 2, true, 0},   {61.37, 0.01, 60, 2, false, 0},
                 {61.37, 0.01, 200, 3, false, 0},   {19.37, 0.01, 200, 2, false, 0}, {20.37, 0.01, 200, 2, true, 0},
                 {61, 1, 200, 2, false, 0},         {61.3, 0.1, 200, 2, false, 0},   {61.37, 0.01, 200, 2, true, 1},
                 {61.37, 0.01, 200, 2, false, 0.95}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        double watts[N];
        for (int i = 0; i < N; i++) {
            bool is_stuck = i >= 100 && i < 100 + cases[c].readings;
            double rest_w = cases[c].power_w + cases[c].rest_w * (i % 11) / 10;
            double noisy = round((cases[c].rest_w > 0 ? rest_w : load(i, 60)) / cases[c].step_w) * cases[c].step_w;
            watts[i] = is_stuck ? cases[c].power_w + cases[c].step_w * (i * 7 % 5 % cases[c].values) : noisy;
        }
        ws_channel channel = power_of("gpu0", WS_GPU);
        begin();
        push(&channel, watts);
        finish();
        ck_assert_msg((note_named(&notes, "stuck-sensor") != NULL) == cases[c].wanted, "%g W, %d readings",
                      cases[c].power_w, cases[c].readings);
        bool is_at_stake = cases[c].wanted && !(cases[c].rest_w > 0);
        ck_assert((verdict_of(0) != WS_ENERGY_VERDICT_OK) == is_at_stake);
        ws_measure_free(&measure);
    }
}
END_TEST

/* A counter that creeps by some counts a reading stands still; a part of a package may rest at as little. */
START_TEST(a_counter_that_creeps_is_stuck)
{
    static const struct {
        ws_domain domain;
        double creep_w;
        int readings;
        bool wanted, is_short;
    } cases[] = {{WS_CPU, 61e-6, 100, true, false},       {WS_CPU, 0.0099, 100, true, false},
                 {WS_CPU, 0.0101, 100, false, false},     {WS_CPU, 61e-6, 19, false, true}, /* it stalls */
                 {WS_CPU_CORE, 61e-6, 100, false, false}, {WS_DRAM, 61e-6, 100, true, false}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        double joules[N], at = 70000;
        for (int i = 0; i < N; i++) {
            joules[i] = at;
            at += i >= 100 && i < 100 + cases[c].readings ? cases[c].creep_w : round(1e6 * load(i, 30)) / 1e6;
        }
        ws_channel channel = counter_of("d0", cases[c].domain);
        begin();
        push(&channel, joules);
        finish();
        ck_assert_msg((measure.devices[0].energy->summary.status == WS_STATUS_STUCK_COUNTER) == cases[c].wanted,
                      "%g W in domain %d", cases[c].creep_w, (int)cases[c].domain);
        ck_assert((verdict_of(0) != WS_ENERGY_VERDICT_OK) == (cases[c].wanted || cases[c].is_short));
        ws_measure_free(&measure);
    }
}
END_TEST

/* A plug whose load is switched off for a while: 0 W beside it say so, a power that goes on or rests low does not. */
START_TEST(a_counter_of_what_is_switched_off)
{
    static const struct {
        double rest_w; /* what the power says meanwhile */
        double more_j; /* what the counter jumps by later, as one that was stuck may */
        bool is_stuck;
        bool is_derived; /* the power, of the counter: perun's */
    } cases[] = {{0, 0, false, false},
                 {0, 3000, true, false},
                 {0.01, 0, true, false},
                 {150, 0, true, false},
                 {0, 0, true, true}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        double joules[N], watts[N], at = 70000;
        for (int i = 0; i < N; i++) {
            bool is_off = i >= 100 && i < 200;
            joules[i] = at;
            watts[i] = is_off ? cases[c].rest_w : round(load(i, 60));
            at += is_off ? 0 : round(load(i, 60)) + (i == 300 ? cases[c].more_j : 0);
        }
        ws_channel power = power_of("node", WS_NODE), counter = counter_of("node", WS_NODE);
        counter.column = cases[c].is_derived ? power.column : "e";
        begin();
        push(&counter, joules);
        push(&power, watts);
        finish();
        ck_assert_msg((measure.devices[0].energy->summary.status == WS_STATUS_STUCK_COUNTER) == cases[c].is_stuck,
                      "case %zu", c);
        ck_assert_msg((note_named(&notes, "stuck-counter") != NULL) == cases[c].is_stuck, "case %zu", c);
        ws_measure_free(&measure);
    }
}
END_TEST

/* A counter of mJ under a name in uJ; of parts of a package nothing is said. */
START_TEST(a_counter_that_rises_too_little)
{
    static const struct {
        ws_domain domain;
        double most_w;
        ws_energy_verdict wanted;
    } cases[] = {{WS_CPU, 0.99, WS_ENERGY_VERDICT_UNUSABLE},   {WS_CPU, 1.01, WS_ENERGY_VERDICT_OK},
                 {WS_GPU, 0.99, WS_ENERGY_VERDICT_UNUSABLE},   {WS_NODE, 0.99, WS_ENERGY_VERDICT_UNUSABLE},
                 {WS_DRAM, 0.049, WS_ENERGY_VERDICT_UNUSABLE}, {WS_DRAM, 0.051, WS_ENERGY_VERDICT_OK},
                 {WS_CPU_CORE, 0.2, WS_ENERGY_VERDICT_OK},     {WS_WALL, 0.2, WS_ENERGY_VERDICT_OK}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        double joules[N], at = 500;
        for (int i = 0; i < N; i++) {
            joules[i] = at;
            at += round(1e6 * cases[c].most_w * (i % 3 ? 1 : 0.7)) / 1e6;
        }
        ws_channel channel = counter_of("d0", cases[c].domain);
        begin();
        push(&channel, joules);
        finish();
        ck_assert_msg(verdict_of(0) == cases[c].wanted, "%g W in domain %d", cases[c].most_w, (int)cases[c].domain);
        ws_measure_free(&measure);
    }
}
END_TEST

/* A column that names no quantity, of whole numbers: of per cent, or of watts. */
START_TEST(whole_numbers_to_100_may_be_a_utilisation)
{
    static const struct {
        double scale, most;
        bool is_assumed;
        ws_energy_verdict wanted;
    } cases[] = {{1, 100, true, WS_ENERGY_VERDICT_DOUBTFUL},
                 {1, 101, true, WS_ENERGY_VERDICT_OK},
                 {1, 100, false, WS_ENERGY_VERDICT_OK},
                 {0.1, 100, true, WS_ENERGY_VERDICT_OK}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        double watts[N];
        for (int i = 0; i < N; i++)
            watts[i] = i == 7 ? cases[c].most : cases[c].scale * (40 + i * 7 % 31);
        ws_channel channel = power_of("gpu0", WS_GPU);
        begin();
        push(&channel, watts);
        ws_notes_free(&notes);
        if (cases[c].is_assumed)
            ws_notes_add(&notes, WS_FINDING_ASSUMED_POWER, "a.csv", "", 1, "taken for power");
        ws_measure_finish(&measure, &notes);
        ck_assert_msg(verdict_of(0) == cases[c].wanted, "case %zu", c);
        ws_measure_free(&measure);
    }
}
END_TEST

/* --- meters and what they feed --- */

/* N readings, one a second from that moment on. */
static void push_from(const ws_channel *channel, int64_t start_ns, const double *values)
{
    int id = -1;
    ck_assert_int_eq(sink.channel(sink.state, channel, &id, NULL), WS_OK);
    for (int i = 0; i < N; i++) {
        int64_t t_ns = start_ns + i * S, line = i + 2;
        ck_assert_int_eq(sink.block(sink.state, id, &(ws_block){1, &t_ns, &values[i], NULL, &line}, NULL), WS_OK);
    }
}

/* A node's meter beside a GPU whose lowest reading is `least_w`, logged from `late_s` on. */
static const ws_device *meter_beside(double least_w, double late_s)
{
    double node_w[N], gpu_w[N];
    for (int i = 0; i < N; i++) {
        node_w[i] = load(i, 200);
        gpu_w[i] = i == N / 2 ? least_w : load(i, 60);
    }
    ws_channel node = power_of("node", WS_NODE), gpu = power_of("gpu0", WS_GPU);
    begin();
    push_from(&node, 0, node_w);
    push_from(&gpu, (int64_t)(late_s * 1e9), gpu_w);
    finish();
    for (size_t i = 0; i < measure.n_devices; i++)
        if (measure.devices[i].domain == WS_NODE)
            return &measure.devices[i];
    ck_abort_msg("no meter");
}

/* Over 399 s, of which a fiftieth is 7.98 s. */
START_TEST(a_meter_feeds_what_is_on_in_its_time)
{
    static const struct {
        double least_w, late_s;
        bool is_fed, is_on;
    } cases[] = {{50, 0, true, true},     {2.01, 0, true, true},  {1.99, 0, true, false},  {50, 7.9, true, true},
                 {50, 8.1, false, false}, {50, -7.9, true, true}, {50, -8.1, false, false}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        const ws_device *meter = meter_beside(cases[c].least_w, cases[c].late_s);
        ck_assert_msg((meter->fed_j > 0) == cases[c].is_fed, "case %zu: %g J", c, meter->fed_j);
        ck_assert_msg(meter->feeds_others == cases[c].is_on, "case %zu", c);
        ws_measure_free(&measure);
    }
}
END_TEST

TEST_MAIN("doubted energies", one_device_read_twice_under_two_names, whole_numbers_to_100_may_be_a_utilisation,
          a_card_at_its_limit_is_not_stuck, a_card_beyond_what_its_name_can_draw,
          a_sensor_that_goes_to_and_fro_by_its_last_digit, a_counter_that_creeps_is_stuck,
          a_counter_of_what_is_switched_off, a_counter_that_rises_too_little, a_unit_that_slips_is_told_of_every_domain,
          kilowatts_throughout_are_told, memory_in_kilowatts_beside_other_memory, readings_that_stand_out,
          zeros_of_a_card_that_never_draws_less_than_2_w, a_counter_under_two_names, equal_readings_without_a_date,
          a_wrap_that_is_unlike_other_steps, one_card_behind_two_indices, slices_of_one_card_in_two_groups,
          a_counter_of_zero, a_stored_total_beyond_the_sensors, a_meter_feeds_what_is_on_in_its_time)
