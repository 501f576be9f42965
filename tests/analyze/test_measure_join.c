#include "harness.h"

#include "analyze/commands/energy_table.h"
#include "analyze/measure/measure.h"

#include <string.h>

enum { ROWS = 60, CHANNELS = 5 };

/* Two GPUs with power and utilisation, of which the second has readings later and two columns of one name. */
static const struct {
    const char *device, *column;
    ws_quantity quantity;
    int from; /* row */
} channels[CHANNELS] = {{"gpu0", "P", WS_POWER, 0},
                        {"gpu0", "U", WS_UTIL, 0},
                        {"gpu1", "P", WS_POWER, 25},
                        {"gpu1", "P", WS_POWER, 25},
                        {"gpu1", "U", WS_UTIL, 25}};

static double value_at(int channel, int row)
{
    return 100.25 * (channel + 1) + (double)(row * row % 17) / 3;
}

static void announce(ws_measure *m)
{
    ws_measure_init(m, &(ws_measure_options){.all_channels = true});
    ws_measure_begin(m, "a.csv", "n1");
    ws_sink sink = ws_measure_sink(m);
    for (int c = 0, id; c < CHANNELS; c++) {
        bool is_power = channels[c].quantity == WS_POWER;
        ws_channel channel = {.device = channels[c].device,
                              .column = channels[c].column,
                              .quantity = channels[c].quantity,
                              .rule = is_power ? WS_RULE_TRAPEZOID : WS_RULE_NONE,
                              .time = WS_TIME_UTC};
        ck_assert_int_eq(sink.channel(sink.state, &channel, &id, NULL), WS_OK);
        ck_assert_int_eq(id, c);
    }
}

/* Rows from..to-1 of every channel that has any there, to a measure or a stretch of one; lines count from `from`. */
static void push_rows(const ws_sink *sink, void *state, int from, int to)
{
    for (int c = 0; c < CHANNELS; c++)
        for (int row = from > channels[c].from ? from : channels[c].from; row < to; row++) {
            int64_t t_ns = (int64_t)row * 1000000000, line = row - from + 1;
            double value = value_at(c, row);
            ck_assert_int_eq(sink->block(state, c, &(ws_block){1, &t_ns, &value, NULL, &line}, NULL), WS_OK);
        }
}

static void ck_same_tables(const ws_table *a, const ws_table *b)
{
    char text_a[WS_DOUBLE_TEXT], text_b[WS_DOUBLE_TEXT];
    ck_assert_uint_eq(a->n_rows, b->n_rows);
    for (size_t row = 0; row < a->n_rows; row++)
        for (size_t c = 0; c < a->n_columns; c++)
            ck_assert_str_eq(ws_table_cell_text(a, c, row, text_a), ws_table_cell_text(b, c, row, text_b));
}

static void finish(ws_measure *m, ws_table *table)
{
    ws_measure_finish(m, NULL);
    ws_energy_table_init(table, WS_BY_DEVICE);
    ws_energy_table_add(table, m, WS_BY_DEVICE);
    ck_assert_uint_eq(table->n_rows, 3); /* the second P of gpu1 is an alternative */
}

START_TEST(any_cut_gives_the_table_of_the_whole)
{
    for (int cut = 0; cut <= ROWS; cut++) {
        ws_measure whole, parts;
        ws_table a, b;
        announce(&whole);
        ws_sink all = ws_measure_sink(&whole);
        push_rows(&all, all.state, 0, ROWS);
        announce(&parts);
        ws_sink sink = ws_measure_sink(&parts);
        push_rows(&sink, sink.state, 0, cut);
        void *stretch = sink.fork(sink.state);
        push_rows(&sink, stretch, cut, ROWS);
        ck_assert(sink.join(sink.state, stretch, cut));
        sink.drop(stretch);
        finish(&whole, &a);
        finish(&parts, &b);
        ck_same_tables(&a, &b);
        ws_table_free(&a);
        ws_table_free(&b);
        ws_measure_free(&whole);
        ws_measure_free(&parts);
    }
}
END_TEST

TEST_MAIN("measure join", any_cut_gives_the_table_of_the_whole)
