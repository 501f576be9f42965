/* What the files of `wattscale compare` share. */
#ifndef WS_ANALYZE_COMPARE_PARTS_H
#define WS_ANALYZE_COMPARE_PARTS_H

#include "analyze/commands/data.h"
#include "fit/tests/verdict.h"
#include "report/table/benchmark.h"

/* Settings that both sides of a comparison have and that may stand in other shares on either: columns of a few values
 * of which some are on both sides. Equal runs in another mix of them are no change. */
typedef struct ws_mix_column {
    const char *name;
    bool is_known;             /* a column that runs have, whose role this program knows */
    const size_t *of_a, *of_b; /* the number of its value in each row; equal values have equal numbers */
} ws_mix_column;

/* A cell's text and the place that it stands for. */
typedef struct ws_compare_key {
    const char *text;
    size_t place;
} ws_compare_key;

typedef struct ws_compare_side {
    ws_table table;
    ws_row_groups groups;
    ws_compare_key *by_label; /* the groups, sorted */
    size_t metric, pair;
} ws_compare_side;

typedef struct ws_comparison {
    ws_cli *cli;
    ws_compare_side a, b;
    const char *metric, *pair, *by; /* by: the columns that groups agree in, or NULL */
    bool by_holm;
    ws_verdict_input how;
    ws_table out;
    size_t n_groups; /* of A or B: a label, values and a verdict each */
    const char **label;
    ws_verdict_input *in;
    size_t **row_a, **row_b; /* of the values of in[i] */
    ws_mix_column *mix;
    size_t n_mix;
    ws_verdict *verdict;
    ws_benchmark *entries;
    size_t n_entries, count[4]; /* groups with each verdict */
} ws_comparison;

/* By the text, then by the place; for qsort. */
int ws_compare_keys(const void *a, const void *b);

/* The first of the sorted keys that reads `text`, n where there is none. */
size_t ws_compare_find_key(const ws_compare_key *keys, size_t n, const char *text);

/* NULL where the side has no such group. */
const ws_row_group *ws_compare_group_of(const ws_compare_side *side, const char *label);

/* Groups both sides by --by, or by the settings that both share; sets comparison->by. An exit status, after a message
 * where it is not WS_EXIT_OK. */
int ws_compare_group(ws_comparison *comparison);

/* left_out[c]: not the column c of `a`. Quantities, names of runs and series are none. All lives in the arena. Returns
 * how many there are. */
size_t ws_mix_columns(const ws_table *a, const ws_table *b, const bool *left_out, ws_arena *arena,
                      ws_mix_column **columns);

/* Do both tables hold the same runs digit for digit, whatever their order, names and further columns? By `metric` and
 * the measured columns of runs that both have. Few runs in few digits agree by chance and are not the same. */
bool ws_compare_is_same(const ws_table *a, const ws_table *b, const char *metric);

#endif
