/* Which runs of A and B are set against each other. */
#include "analyze/commands/compare_parts.h"

#include "analyze/same_rows.h"

#include <stdlib.h>
#include <string.h>

int ws_compare_keys(const void *a, const void *b)
{
    const ws_compare_key *x = a, *y = b;
    int order = strcmp(x->text, y->text);
    return order ? order : (x->place > y->place) - (x->place < y->place);
}

size_t ws_compare_find_key(const ws_compare_key *keys, size_t n, const char *text)
{
    size_t low = 0, high = n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (strcmp(keys[middle].text, text) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low < n && strcmp(keys[low].text, text) == 0 ? low : n;
}

static void sort_labels(ws_compare_side *s)
{
    free(s->by_label);
    s->by_label = ws_alloc((s->groups.n + 1) * sizeof *s->by_label);
    for (size_t i = 0; i < s->groups.n; i++)
        s->by_label[i] = (ws_compare_key){s->groups.items[i].label, i};
    qsort(s->by_label, s->groups.n, sizeof *s->by_label, ws_compare_keys);
}

const ws_row_group *ws_compare_group_of(const ws_compare_side *s, const char *label)
{
    size_t at = ws_compare_find_key(s->by_label, s->groups.n, label);
    return at < s->groups.n ? &s->groups.items[s->by_label[at].place] : NULL;
}

/* The texts of a column, sorted; in the arena. */
static ws_compare_key *sort_cells(ws_comparison *c, const ws_table *table, size_t column)
{
    size_t n = table->n_rows;
    ws_compare_key *keys = ws_arena_alloc(&c->cli->arena, (n + 1) * sizeof *keys);
    char buffer[WS_DOUBLE_TEXT];
    for (size_t i = 0; i < n; i++)
        keys[i] =
            (ws_compare_key){ws_arena_printf(&c->cli->arena, "%s", ws_table_cell_text(table, column, i, buffer)), i};
    qsort(keys, n, sizeof *keys, ws_compare_keys);
    return keys;
}

/* Has B a value that A has? What differs throughout, as the device, is what is compared. */
static bool meets(ws_comparison *c, size_t column_a, size_t column_b)
{
    size_t n_a = c->a.table.n_rows, n_b = c->b.table.n_rows;
    char buffer[WS_DOUBLE_TEXT];
    const ws_compare_key *of_a = sort_cells(c, &c->a.table, column_a);
    for (size_t j = 0; j < n_b; j++)
        if (ws_compare_find_key(of_a, n_a, ws_table_cell_text(&c->b.table, column_b, j, buffer)) < n_a)
            return true;
    return false;
}

enum { SETTINGS = 12 };

/* The settings that both sides have and that vary in one of them: equal runs in another mix are no change. Those that
 * have to agree most come first. */
static size_t shared_settings(ws_comparison *c, const char *shared[SETTINGS])
{
    static const char *const names[SETTINGS] = {"model",           "device",      "energy_scope", "gpus",
                                                "nodes",           "lbs",         "gbs",          "epochs",
                                                "dataset_samples", "power_cap_w", "clock_cap_hz", "series"};
    size_t n = 0;
    for (size_t i = 0; i < SETTINGS; i++) {
        size_t a, b;
        if (!ws_table_find(&c->a.table, names[i], &a) || !ws_table_find(&c->b.table, names[i], &b) ||
            strcmp(names[i], c->metric) == 0 ||
            (!ws_column_varies(&c->a.table, a) && !ws_column_varies(&c->b.table, b)) || !meets(c, a, b))
            continue;
        shared[n++] = names[i];
    }
    return n;
}

/* What A and B have throughout, and each another: it is compared as well, whatever is meant. */
static void note_other_sizes(ws_comparison *c)
{
    static const char *const names[] = {"model", "gpus", "nodes", "epochs", "dataset_samples"};
    char of_a[WS_DOUBLE_TEXT], of_b[WS_DOUBLE_TEXT];
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        size_t a, b;
        bool is_known = ws_table_find(&c->a.table, names[i], &a) && ws_table_find(&c->b.table, names[i], &b) &&
                        c->a.table.n_rows && c->b.table.n_rows && !ws_table_is_missing(&c->a.table, a, 0) &&
                        !ws_table_is_missing(&c->b.table, b, 0);
        if (is_known && strcmp(names[i], c->metric) != 0 && !meets(c, a, b))
            ws_notes_add(&c->out.notes, WS_FINDING_MIXED_SETTINGS, "", c->metric, 0,
                         "no run of B has a %s of A (%s, %s): what that changes is in the answer", names[i],
                         ws_table_cell_text(&c->a.table, a, 0, of_a), ws_table_cell_text(&c->b.table, b, 0, of_b));
    }
}

/* "model,gpus"; NULL for no names. */
static const char *list_of(ws_comparison *c, const char *const *names, size_t n)
{
    const char *list = NULL;
    for (size_t i = 0; i < n; i++)
        list = list ? ws_arena_printf(&c->cli->arena, "%s,%s", list, names[i]) : names[i];
    return list;
}

/* Groups that the other side lacks have nothing to be compared with. */
static void keep_shared(ws_comparison *c, ws_compare_side *s, const ws_compare_side *other)
{
    size_t kept = 0, left_out = 0;
    for (size_t i = 0; i < s->groups.n; i++) {
        if (ws_compare_group_of(other, s->groups.items[i].label)) {
            s->groups.items[kept++] = s->groups.items[i];
            continue;
        }
        left_out += s->groups.items[i].n;
        free(s->groups.items[i].rows);
    }
    s->groups.n = kept;
    ws_notes_add_many(&c->out.notes, left_out, WS_FINDING_NO_PARTNER, s->table.source, "", 0,
                      "runs whose settings the other side lacks are left out (--by names what is to agree)");
}

/* Groups of one column are named by their value alone, which a number is not enough for: "gpus=4". */
static void name_numbers(ws_comparison *c, ws_compare_side *s, const char *by)
{
    size_t column;
    if (!by || !ws_table_find(&s->table, by, &column) || s->table.columns[column].kind == WS_TEXT)
        return;
    for (size_t i = 0; i < s->groups.n; i++)
        s->groups.items[i].label = ws_arena_printf(&c->cli->arena, "%s=%s", by, s->groups.items[i].label);
}

/* How many groups of A are groups of B, too; SIZE_MAX where a column is missing. */
static size_t group_by(ws_comparison *c, const char *by)
{
    size_t meet = 0;
    ws_row_groups_free(&c->a.groups);
    ws_row_groups_free(&c->b.groups);
    if (!ws_data_group(c->cli, &c->a.table, by, &c->a.groups) || !ws_data_group(c->cli, &c->b.table, by, &c->b.groups))
        return SIZE_MAX;
    name_numbers(c, &c->a, by);
    name_numbers(c, &c->b, by);
    sort_labels(&c->a);
    sort_labels(&c->b);
    for (size_t i = 0; i < c->a.groups.n; i++)
        meet += ws_compare_group_of(&c->b, c->a.groups.items[i].label) != NULL;
    return meet;
}

/* By the settings that both sides share; where no mix of them is on both sides, without the last ones of them. */
static int group_by_settings(ws_comparison *c)
{
    const char *shared[SETTINGS];
    size_t n = shared_settings(c, shared), kept = n, meet;
    while ((meet = group_by(c, list_of(c, shared, kept))) == 0 && kept)
        kept--;
    if (meet == SIZE_MAX)
        return WS_EXIT_USAGE;
    if (kept < n)
        ws_notes_add(
            &c->out.notes, WS_FINDING_MIXED_SETTINGS, "", c->metric, 0,
            "no runs of both sides agree in %s: runs that agree in %s are compared (--by names what is to agree)",
            list_of(c, shared, n), kept ? list_of(c, shared, kept) : "none of these");
    c->by = list_of(c, shared, kept);
    if (!kept)
        return WS_EXIT_OK;
    keep_shared(c, &c->a, &c->b);
    sort_labels(&c->a);
    keep_shared(c, &c->b, &c->a);
    sort_labels(&c->b);
    return WS_EXIT_OK;
}

static bool varies_in_groups(const ws_compare_side *s, const char *name)
{
    size_t column;
    if (!ws_table_find(&s->table, name, &column))
        return false;
    for (size_t g = 0; g < s->groups.n; g++)
        for (size_t i = 1; i < s->groups.items[g].n; i++)
            if (!ws_same_cell(&s->table, column, s->groups.items[g].rows[0], s->groups.items[g].rows[i]))
                return true;
    return false;
}

/* What --by leaves out of the settings that it would have gone by itself: its spread hides a difference. */
static void note_mixed_groups(ws_comparison *c, const char *by)
{
    const char *shared[SETTINGS], *list = by, *names = NULL;
    size_t n = shared_settings(c, shared);
    for (size_t i = 0; i < n; i++) {
        if (strcmp(shared[i], "series") == 0 || !varies_in_groups(&c->a, shared[i]) ||
            !varies_in_groups(&c->b, shared[i]))
            continue;
        list = ws_arena_printf(&c->cli->arena, "%s,%s", list, shared[i]);
        names = names ? ws_arena_printf(&c->cli->arena, "%s, %s", names, shared[i]) : shared[i];
    }
    if (names)
        ws_notes_add(&c->out.notes, WS_FINDING_MIXED_SETTINGS, "", c->metric, 0,
                     "runs that are averaged differ in %s: --by %s compares like with like", names, list);
}

int ws_compare_group(ws_comparison *c)
{
    const char *by = c->by = ws_cli_value(c->cli, "by");
    if (by || c->pair) {
        if (group_by(c, by) == SIZE_MAX)
            return WS_EXIT_USAGE;
        if (by && !c->pair)
            note_mixed_groups(c, by);
        return WS_EXIT_OK;
    }
    note_other_sizes(c);
    return group_by_settings(c);
}
