#include "analyze/commands/data.h"

#include "analyze/ingest/run_columns.h"

#include <stdint.h>
#include <string.h>

static const ws_option options[] = {
    {"runs", 0, NULL, "instead a row a run, below what makes its configuration: does it count, and if not, why"},
    WS_OPTIONS_SCALING,
    WS_OPTION_LOOK,
    WS_OPTIONS_CAMPAIGN,
    {NULL, 0, NULL, NULL},
};

enum { RUN, COUNTS, WALL, ENERGY, STATUS, VERDICT, FINDINGS, N_OWN };

static const struct {
    const char *name;
    ws_column_kind kind;
    size_t from; /* column of the runs */
} own[N_OWN] = {
    [RUN] = {"run", WS_TEXT, WS_COL_RUN},
    [COUNTS] = {"counts", WS_TEXT, SIZE_MAX},
    [WALL] = {"wall_s", WS_NUMBER, WS_COL_WALL},
    [ENERGY] = {"energy_kwh", WS_NUMBER, WS_COL_ENERGY},
    [STATUS] = {"status", WS_TEXT, WS_COL_STATUS},
    [VERDICT] = {"energy_verdict", WS_TEXT, WS_COL_VERDICT},
    [FINDINGS] = {"energy_findings", WS_TEXT, WS_COL_FINDINGS},
};

static void copy_cell(const ws_table *from, size_t column, size_t from_row, ws_table *to, size_t into, size_t row)
{
    if (ws_table_is_missing(from, column, from_row))
        return;
    if (to->columns[into].kind == WS_TEXT)
        ws_table_set_text(to, into, row, from->columns[column].text[from_row]);
    else
        ws_table_set_number(to, into, row, ws_table_number(from, column, from_row));
}

static void add_runs(const ws_table *scale, size_t configuration, const ws_table *runs, const size_t *rows, size_t n,
                     const char *counts, ws_table *list)
{
    size_t grouping = ws_scale_groups(scale);
    for (size_t i = 0; i < n; i++) {
        size_t row = ws_table_add_row(list);
        for (size_t g = 0; g < grouping; g++)
            copy_cell(scale, g, configuration, list, g, row);
        for (size_t c = 0; c < N_OWN; c++)
            if (own[c].from != SIZE_MAX)
                copy_cell(runs, own[c].from, rows[i], list, grouping + c, row);
        ws_table_set_text(list, grouping + COUNTS, row, counts);
    }
}

/* For a screen: series, model and device in a line above their runs, sizes and the run in front of every part. */
static void lay_out_runs(ws_table *list, size_t grouping)
{
    list->screen_keys = 1; /* the run */
    for (size_t g = 0; g < grouping && list->columns[g].kind == WS_TEXT; g++)
        ws_table_set_place(list, g, WS_HEADING);
    for (size_t g = 0; g < grouping; g++)
        list->screen_keys += list->columns[g].place != WS_HEADING && ws_table_has_values(list, g);
    list->heads_if_wide = true;
}

static int show_runs(const ws_cli *cli, const ws_table *scale, const ws_scale_members *members, const ws_table *runs)
{
    ws_table list;
    ws_table_init(&list, "scale-runs");
    list.synthetic = scale->synthetic;
    for (size_t g = 0; g < ws_scale_groups(scale); g++)
        ws_table_add_column(&list, scale->columns[g].name, scale->columns[g].kind == WS_TEXT ? WS_TEXT : WS_NUMBER);
    for (size_t c = 0; c < N_OWN; c++)
        ws_table_add_column(&list, own[c].name, own[c].kind);
    for (size_t i = 0; i < members->n; i++) {
        const ws_scale_member *m = &members->items[i];
        add_runs(scale, i, runs, m->rows, m->n_rows, "yes", &list);
        add_runs(scale, i, runs, m->left_out, m->n_left_out, "no: unusable energy", &list);
    }
    ws_notes_append(&list.notes, &scale->notes);
    lay_out_runs(&list, ws_scale_groups(scale));
    int status = ws_cli_output(cli, &list);
    ws_table_free(&list);
    return status;
}

static bool same_text(const ws_column *c, size_t a, size_t b)
{
    const char *x = c->text[a] ? c->text[a] : "", *y = c->text[b] ? c->text[b] : "";
    return strcmp(x, y) == 0;
}

/* Do rows that follow each other under one heading agree in this column? */
static bool is_of_heading(const ws_table *scale, size_t column)
{
    for (size_t row = 1; row < scale->n_rows; row++) {
        bool same_heading = true;
        for (size_t i = 0; i < scale->n_columns; i++)
            same_heading &= scale->columns[i].place != WS_HEADING || same_text(&scale->columns[i], row - 1, row);
        if (same_heading && !same_text(&scale->columns[column], row - 1, row))
            return false;
    }
    return true;
}

/* How many of the grouping columns beside each other tell the rows under one heading apart. */
static size_t keys_of(const ws_table *scale, size_t grouping)
{
    size_t numbers = 0, keys = 1;
    for (size_t i = 0; i < grouping; i++)
        numbers += scale->columns[i].place != WS_HEADING;
    for (size_t row = 1; row < scale->n_rows && keys < numbers; row++) {
        size_t same = 0;
        for (size_t i = 0; i < grouping && same < SIZE_MAX; i++) {
            bool is_text = scale->columns[i].kind == WS_TEXT;
            bool agrees = is_text ? same_text(&scale->columns[i], row - 1, row)
                                  : ws_table_number(scale, i, row - 1) == ws_table_number(scale, i, row);
            if (!agrees)
                break;
            same += scale->columns[i].place != WS_HEADING;
        }
        keys = same + 1 > keys ? same + 1 : keys;
    }
    return keys < numbers ? keys : numbers;
}

/* For a screen: series, model and device in a line above their configurations, with what they are compared with; the
 * size of the machine, which tells them apart there, in front of every part. A text that groups behind a number would
 * stand above each of its rows anew, and is a column. */
static void lay_out(ws_table *scale)
{
    static const char *const named[] = {"scaling", "per", "reference"};
    size_t grouping = ws_scale_groups(scale), column;
    for (size_t i = 0; i < grouping && scale->columns[i].kind == WS_TEXT; i++)
        ws_table_set_place(scale, i, WS_HEADING);
    for (size_t i = 0; i < sizeof named / sizeof *named; i++)
        if (ws_table_find(scale, named[i], &column) && is_of_heading(scale, column))
            ws_table_set_place(scale, column, WS_NAMED_HEADING);
    scale->screen_keys = keys_of(scale, grouping);
    scale->heads_if_wide = true;
}

static int run_scale(ws_cli *cli)
{
    ws_campaign campaign;
    ws_table runs, scale = {0};
    ws_scale_members members = {0};
    int status = ws_data_runs(cli, cli->arguments[0], &campaign, &runs);
    if (status == WS_EXIT_OK)
        status = ws_data_scale(cli, &campaign, &runs, &members, &scale);
    if (status == WS_EXIT_OK)
        lay_out(&scale);
    if (status == WS_EXIT_OK)
        status = ws_cli_has(cli, "runs") ? show_runs(cli, &scale, &members, &runs) : ws_cli_output(cli, &scale);
    ws_scale_members_free(&members);
    ws_table_free(&scale);
    ws_table_free(&runs);
    ws_campaign_free(&campaign);
    return status;
}

const ws_command ws_command_scale = {
    .name = "scale",
    .arguments = "CAMPAIGN",
    .summary = "one row a configuration: repeats, speed-up, efficiency, energy",
    .description =
        "Groups the runs into configurations and averages the repeats: X is the mean, X_rmse the root mean square "
        "about it (divisor n, as Huber et al. 2025 print it), X_sd the sample standard deviation (divisor n - 1, with "
        "--sd).\n\n"
        "speedup = mean wall time of the reference / mean wall time. efficiency = speedup x n_ref / n for strong "
        "scaling, speedup for weak scaling, where every GPU has the same samples to see; the column scaling says "
        "which. --all-columns and CSV have the products of energy and time (edp_kwh_h, ed2p_kwh_h2), which 'wattscale "
        "fit' takes for --y, and the serial fraction of each speed-up.\n\n"
        "Intervals and standard errors go by the relative spread of runs, pooled over all configurations of the "
        "series, and hold in 95 % where that is alike, also for a configuration that was run once; the reference has "
        "none. Where the runs of a configuration or of its reference spread more than the others, the column 'interval "
        "by' says so, and --all-columns has the intervals by the repeats of these two alone (speedup_own_lo, "
        "speedup_own_hi). No interval holds what shifts all runs of a configuration alike (its nodes, its day): where "
        "that is as large as the spread of its runs, intervals of three runs hold in 80 %.\n\n"
        "The reference is the configuration with the fewest GPUs of the same series; --reference all takes the fewest "
        "of all series of the same model, device and caps, --reference gpus=4 that number. A run that stands twice in "
        "one configuration counts once where all digits agree, and is refused by name where they do not.\n\n"
        "--runs lists the runs behind each row, those that are left out too; 'wattscale explain' shows how one number "
        "of a configuration came about.",
    .options = options,
    .example = "wattscale scale datasets/demo --format csv",
    .least = 1,
    .most = 1,
    .run = run_scale,
};
