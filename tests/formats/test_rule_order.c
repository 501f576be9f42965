/* The rules of what columns mean (formats/table/column_rules.h) say the same in whatever order they are asked. */
#define _XOPEN_SOURCE 700 /* nftw */

#include "harness.h"

#include "formats/table/column_rules.h"
#include "whole_reading.h"

#include <ftw.h>
#include <sys/stat.h>

extern const ws_format ws_format_generic_csv;

enum { ORDERS = 10, HEAD_BYTES = 48 * 1024 };

static recorder r;
static char head[HEAD_BYTES];
static size_t n_head, n_read;

/* What the reader of any delimited trace says about the head, and whether it could read it. */
static char *reading(const char *name, uint32_t order)
{
    char *text = NULL;
    size_t n = 0;
    FILE *out = open_memstream(&text, &n);
    ws_read_options options = WS_READ_DEFAULTS;
    options.rule_order = order;
    recorder_free(&r);
    ws_status status =
        recorder_read_input(&r, &ws_format_generic_csv, ws_input_from_memory(name, head, n_head), &options);
    fprintf(out, "%d %s\n", (int)status, status == WS_OK ? "" : r.error.message);
    say_notes(out, &r.notes);
    say_trace(out, &r);
    n_read += order == 0 && status == WS_OK;
    fclose(out);
    return text;
}

static void compare_orders(const char *name)
{
    char *want = reading(name, 0);
    for (uint32_t order = 1; order <= ORDERS; order++) {
        char *got = reading(name, order);
        ck_assert_msg(strcmp(got, want) == 0, "%s: order %u says\n%.2000s\nand not\n%.2000s", name, order, got, want);
        free(got);
    }
    free(want);
}

/* The first whole lines of a file of text. */
static int compare_file(const char *path, const struct stat *about, int kind, struct FTW *place)
{
    (void)place;
    FILE *file = kind == FTW_F && about->st_size ? fopen(path, "rb") : NULL;
    if (!file)
        return 0;
    n_head = fread(head, 1, sizeof head, file);
    fclose(file);
    while (n_head == sizeof head && n_head && head[n_head - 1] != '\n')
        n_head--;
    if (n_head && !memchr(head, '\0', n_head))
        compare_orders(path);
    return 0;
}

static void compare_tree(const char *folder, size_t least)
{
    n_read = 0;
    nftw(folder, compare_file, 16, FTW_PHYS);
    ck_assert_msg(n_read >= least, "only %d traces below %s", (int)n_read, folder);
}

START_TEST(on_the_files_of_the_tests)
{
    compare_tree("tests/data", 3);
    compare_tree("tests/fuzz/seeds", 5);
}
END_TEST

START_TEST(on_real_files)
{
    char path[4096];
    if (!getenv("CORPUS"))
        skip_because("CORPUS is not set");
    snprintf(path, sizeof path, "%s/fixtures", getenv("CORPUS"));
    compare_tree(path, 30);
    snprintf(path, sizeof path, "%s/campaigns", getenv("CORPUS"));
    compare_tree(path, 2);
}
END_TEST

/* One for each way in which rules meet: notes of several facts, columns that several rules want, totals and their
 * parts, energies, wrong units, and refusals. */
START_TEST(on_made_tables)
{
    static const char *const tables[] = {
        "timestamp,gpu0_power_w,gpu1_power_w,gpu_power_w,cpu_power_w,total,total\n1770796800,1,2,3,4,7,7\n",
        "timestamp,energy,power,cpu_energy,memory_energy,accel0_energy,power_cap\n1770796800,1,2,3,4,5,6\n"
        "1770796801,2,2,4,5,6,6\n1770796802,3,2,5,6,7,6\n",
        "Time,Volt,Amp,Watt\n1,5,1,5\n2,5,1,5\n",
        "timestamp,GPU0,GPU1,board_power\n1770796800,10,20,30\n",
        "timestamp,socket,domain,watts\n1,0,package,50\n1,0,dram,5\n1,1,package,51\n1,1,dram,6\n2,0,package,50\n",
        "timestamp,gpu,cpu,power\n1,97,10,200\n2,95,12,201\n3,33,11,90\n4,21,9,80\n",
        "index,timestamp,gpu,interval,power_w,gpu_energy,util\n0,1770796800,0,100,21000,7,0.5\n"
        "1,1770796801,0,100,22000,8,0.25\n2,1770796802,0,100,21500,9,0.125\n3,1770796803,0,100,21400,9,0.5\n",
        "time;gpu;power;energy\n1;0;100,5;1,5\n1;1;90,5;2,5\n2;0;100,25;3,5\n2;1;90,5;4,5\n",
        "n01,2026-02-11 08:00:00,0,100.5 W\nn01,2026-02-11 08:00:00,1,90.5 W\nn01,2026-02-11 08:00:01,0,100.5 W\n"
        "n01,2026-02-11 08:00:01,1,90 W\n",
        "timestamp,power_w,other\n1,100,a\n1,50,b\n2,100,a\n2,50,b\n3,101,a\n3,51,b\n",
        "28.44\n29.1\n",
        "timestamp,cpu_power_w,energy_j\n1,50,0\n2,60,55\n3,70,120\n4,60,185\n5,50,240\n6,60,295\n",
        "timestamp,power_w,cpu0_power_w,cpu1_power_w\n1,50,40,41\n2,60,50,51\n3,70,60,61\n",
    };
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        n_head = strlen(tables[i]);
        memcpy(head, tables[i], n_head);
        compare_orders("t.csv");
    }
}
END_TEST

static const ws_rule_table *const all_rules[] = {&ws_name_rules,   &ws_identity_rules, &ws_reading_rules,
                                                 &ws_energy_rules, &ws_power_rules,    &ws_owner_rules};
enum { TABLES = sizeof all_rules / sizeof *all_rules };

static const ws_column_rule *rule(size_t i)
{
    int table = 0;
    for (; i >= all_rules[table]->n; table++)
        i -= all_rules[table]->n;
    return &all_rules[table]->rules[i];
}

/* Two rules of one strength would leave it to their order which of them stands, and a circle of needs would leave facts
 * undecided. */
START_TEST(rules_have_a_rank_and_a_reason)
{
    size_t n = 0;
    for (int table = 0; table < TABLES; table++)
        n += all_rules[table]->n;
    uint32_t stated = 0;
    for (size_t i = 0; i < n; i++) {
        stated |= UINT32_C(1) << rule(i)->fact;
        ck_assert_msg(rule(i)->evidence && *rule(i)->evidence, "%s has no evidence", rule(i)->id);
        ck_assert_msg(rule(i)->needs >> rule(i)->fact == 0, "%s needs a later fact", rule(i)->id);
        for (size_t other = 0; other < i; other++) {
            ck_assert_str_ne(rule(i)->id, rule(other)->id);
            ck_assert_msg(rule(i)->fact != rule(other)->fact || rule(i)->strength != rule(other)->strength,
                          "%s is as strong as %s", rule(i)->id, rule(other)->id);
        }
    }
    ck_assert_uint_eq(stated, (UINT32_C(1) << WS_FACT_N) - 1);
}
END_TEST

TEST_MAIN("rule order", on_the_files_of_the_tests, on_real_files, on_made_tables, rules_have_a_rank_and_a_reason)
