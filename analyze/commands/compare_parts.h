/* What the files of `wattscale compare` share. */
#ifndef WS_ANALYZE_COMPARE_PARTS_H
#define WS_ANALYZE_COMPARE_PARTS_H

#include "analyze/commands/compare_mix.h"
#include "analyze/commands/data.h"
#include "fit/tests/verdict.h"
#include "report/table/benchmark.h"

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

#endif
