/* What proves that files of the same time are of one run, and what that they are not. */
#include "harness.h"

#include "analyze/ingest/path_fields.h"

#include <stdio.h>
#include <string.h>

enum { MOST = 8 };

/* What a file holds. All begin and end together, except those whose path begins with c, an hour later. */
typedef struct held {
    const char *path, *node;
    size_t gpus;
    int64_t only_gpu;
    uint64_t device_hash, settings_hash;
} held;

typedef struct campaign {
    const held *files;
    size_t n;
} campaign;

static void read_spans(void *state, ws_scan_file **files, size_t n)
{
    const campaign *c = state;
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < c->n; k++) {
            const held *h = &c->files[k];
            if (strcmp(files[i]->path, h->path) != 0)
                continue;
            files[i]->span.is_read = files[i]->span.is_dated = true;
            files[i]->span.start_ns = *h->path == 'c' ? 3600 * INT64_C(1000000000) : 0;
            files[i]->span.end_ns = files[i]->span.start_ns + 60 * INT64_C(1000000000);
            files[i]->span.gpus = h->gpus, files[i]->span.only_gpu = h->only_gpu,
            files[i]->span.device_hash = h->device_hash;
            snprintf(files[i]->span.node, sizeof files[i]->span.node, "%s", h->node ? h->node : "");
        }
}

/* The rule of the last file, and whether it is open. A format "mllog" stands for files that lie beside the runs. */
static void expect(const held *files, const char *pattern, bool is_open)
{
    ws_arena arena = {0};
    ws_scan_file scanned[MOST] = {{0}};
    campaign c = {files, 0};
    size_t last = 0;
    for (; c.n < MOST && files[c.n].path; c.n++) {
        bool is_log = strstr(files[c.n].path, "result") != NULL;
        scanned[c.n] = (ws_scan_file){.path = files[c.n].path,
                                      .format = is_log ? "mllog" : "nvidia-smi-csv",
                                      .settings_hash = files[c.n].settings_hash,
                                      .is_side = is_log,
                                      .is_literal = is_log};
        last = is_log ? last : c.n;
    }
    ws_path_fields(&arena, scanned, c.n, NULL, read_spans, &c);
    const char *got = ws_path_pattern(&arena, &scanned[last]);
    ck_assert_msg(strcmp(got, pattern) == 0, "'%s' is read by '%s', not '%s'", files[last].path, got, pattern);
    ck_assert_msg((scanned[last].one_run != NULL) == is_open, "'%s': %s", files[last].path,
                  is_open ? "proven" : "open");
    ws_arena_free(&arena);
}

#define EXPECT(pattern, is_open, ...) expect((const held[]){__VA_ARGS__, {0}}, pattern, is_open)

START_TEST(nothing_proves_it)
{
    EXPECT("{series}.csv", true, {"resnet18.csv", NULL, 1, 0, 0, 0}, {"resnet34.csv", NULL, 1, 0, 0, 0});
    EXPECT("r{repeat}.csv", true, {"r1.csv", NULL, 1, 0, 0, 0}, {"r2.csv", NULL, 1, 0, 0, 0});
    EXPECT("n{nodes}.csv", true, {"n1.csv", NULL, 4, -1, 0, 0}, {"n2.csv", NULL, 4, -1, 0, 0});
    EXPECT("3512000_{run_number}.csv", true, {"3512000_1.csv", NULL, 1, 0, 0, 0}, {"3512000_2.csv", NULL, 1, 0, 0, 0});
}
END_TEST

/* Plain words, whatever their shape and wherever they stand, are no more than the numbers of hosts. */
START_TEST(words_prove_nothing)
{
    EXPECT("{series}.csv", true, {"resnet18.csv", NULL, 1, 0, 0, 0}, {"vit-b16.csv", NULL, 1, 0, 0, 0});
    EXPECT("{series}.csv", true, {"left.csv", NULL, 1, 0, 0, 0}, {"right.csv", NULL, 1, 0, 0, 0});
    EXPECT("{series}_power.csv", true, {"left_power.csv", NULL, 1, 0, 0, 0}, {"right_power.csv", NULL, 1, 0, 0, 0});
    EXPECT("{series}/gpu.csv", true, {"head/gpu.csv", NULL, 4, -1, 0, 0}, {"compute/gpu.csv", NULL, 4, -1, 0, 0},
           {"master/gpu.csv", NULL, 4, -1, 0, 0});
    EXPECT("{series}/{config}/gpu.csv", true, {"a/x/gpu.csv", NULL, 1, 0, 0, 0}, {"b/y/gpu.csv", NULL, 1, 0, 0, 0});
    EXPECT("{series}.csv", true, {"alpha_left.csv", NULL, 1, 0, 0, 0}, {"beta_right.csv", NULL, 1, 0, 0, 0});
    EXPECT("worker-{rank}.csv", true, {"master.csv", NULL, 2, -1, 0, 0}, {"worker-0.csv", NULL, 2, -1, 0, 0});
    EXPECT("gpu_{run_date}.csv", true, {"gpu_20260211_080000.csv", NULL, 1, 0, 0, 0},
           {"gpu_20260211_080001.csv", NULL, 1, 0, 0, 0});
    EXPECT("power_{job}.csv", true, {"power_48211.csv", NULL, 1, 0, 0, 0}, {"power_48217.csv", NULL, 1, 0, 0, 0});
    EXPECT("{repeat}_power.csv", true, {"1_power.csv", NULL, 1, 0, 0, 0}, {"2_power.csv", NULL, 1, 0, 0, 0});
    EXPECT("run{repeat}/worker-{rank}.csv", true, {"run1/master.csv", NULL, 2, -1, 0, 0},
           {"run1/worker-0.csv", NULL, 2, -1, 0, 0});
    EXPECT("run{repeat}/dcgm.csv", false, {"run1/smi.csv", NULL, 2, -1, 0, 0}, {"run1/dcgm.csv", NULL, 2, -1, 0, 0});
    EXPECT("{series}_lr{lr}.csv", true, {"967b282e_lr0.1.csv", NULL, 1, 0, 0, 0},
           {"a97a3277_lr0.1.csv", NULL, 1, 0, 0, 0}, {"2a7c91a5_lr0.1.csv", NULL, 1, 0, 0, 0},
           {"2369e92f_lr0.1.csv", NULL, 1, 0, 0, 0});
    EXPECT("bs{batch}.compute.csv", true, {"bs64.1.compute.csv", NULL, 1, 0, 0, 0},
           {"bs64.5.compute.csv", NULL, 1, 0, 0, 0});
    EXPECT("run {repeat}.csv", true, {"node 2.csv", NULL, 1, 0, 0, 0}, {"run 2.csv", NULL, 1, 0, 0, 0});
    EXPECT("a/6156c230.{series}/b.csv", true, {"a/6156c230.10/b.csv", NULL, 1, 0, 0, 0},
           {"a/6156c230.7/b.csv", NULL, 1, 0, 0, 0});
    EXPECT("host={host}/a.csv", true, {"host=left/a.csv", NULL, 2, -1, 0, 0}, {"host=right/a.csv", NULL, 2, -1, 0, 0});
}
END_TEST

/* What tells runs of one time apart: words with their numbers, jobs, accelerators, other settings; other times. */
START_TEST(what_tells_runs_apart)
{
    EXPECT("bs{batch}.csv", false, {"bs64.csv", NULL, 1, 0, 0, 0}, {"bs128.csv", NULL, 1, 0, 0, 0});
    EXPECT("{series}_seed{seed}.csv", false, {"alpha_seed1.csv", NULL, 1, 0, 0, 0},
           {"beta_seed2.csv", NULL, 1, 0, 0, 0});
    EXPECT("{job}/{series}.csv", false, {"3512000/left.csv", NULL, 1, 0, 0, 0},
           {"3512001/right.csv", NULL, 1, 0, 0, 0});
    EXPECT("{device}.csv", false, {"a100.csv", NULL, 1, 0, 0, 0}, {"h100.csv", NULL, 1, 0, 0, 0});
    EXPECT("{series}.csv", false, {"alpha.csv", NULL, 1, 0, 0, 5}, {"beta.csv", NULL, 1, 0, 0, 6});
    EXPECT("{series}.csv", true, {"alpha.csv", NULL, 1, 0, 0, 5}, {"beta.csv", NULL, 1, 0, 0, 5});
    EXPECT("{series}.csv", false, {"alpha.csv", NULL, 1, 0, 0, 0}, {"compute.csv", NULL, 1, 0, 0, 0});
    EXPECT("{nodes}nodes/{node}.csv", false, {"2nodes/alpha.csv", NULL, 4, -1, 0, 0},
           {"2nodes/beta.csv", NULL, 4, -1, 0, 0});
    EXPECT("rapl.csv", false, {"gpu.csv", NULL, 1, 0, 0, 0}, {"rapl.csv", NULL, 0, -1, 0, 0});
    EXPECT("rapl.csv", true, {"gpu.csv", NULL, 1, 0, 0, 0}, {"rapl.csv", NULL, 1, 0, 0, 0});
}
END_TEST

/* One letter may name the size of a problem: fewer GPUs are recorded than there would be nodes. */
START_TEST(more_than_the_gpus_is_no_count_of_nodes)
{
    EXPECT("mm_N={number}.csv", false, {"mm_N=4.csv", NULL, 1, 0, 0, 0});
    EXPECT("n{number}/r{repeat}.csv", false, {"n1024/r1.csv", NULL, 4, -1, 0, 0});
    EXPECT("mm_N={nodes}.csv", false, {"mm_N=2.csv", NULL, 4, -1, 0, 0});
    EXPECT("{nodes}nodes.csv", false, {"4nodes.csv", NULL, 1, 0, 0, 0});
    EXPECT("n{nodes}.csv", false, {"n4.csv", NULL, 0, -1, 0, 0});
}
END_TEST

/* With zeros in front and odd: a host. Sizes of a scaling study may have zeros in front, too. */
START_TEST(numbers_of_hosts_count_nothing)
{
    EXPECT("gpu_n{number}.csv", false, {"gpu_n017.csv", NULL, 4, -1, 0, 0});
    EXPECT("g{number}.csv", false, {"g07.csv", NULL, 4, -1, 0, 0});
    EXPECT("n{number}.csv", true, {"n017.csv", NULL, 4, -1, 0, 0}, {"n018.csv", NULL, 4, -1, 0, 0});
    EXPECT("n{nodes}.csv", false, {"n016.csv", NULL, 16, -1, 0, 0});
    EXPECT("n{nodes}.csv", false, {"n01.csv", NULL, 4, -1, 0, 0});
    EXPECT("n{nodes}.csv", false, {"n7.csv", NULL, 8, -1, 0, 0});
    EXPECT("g{gpus}.csv", false, {"g07.csv", NULL, 7, -1, 0, 0});
}
END_TEST

/* On which side of its word a number of GPUs stands the files say. */
START_TEST(numbers_on_both_sides_of_gpus)
{
    EXPECT("{gpus}_gpus_{number}/a.csv", false, {"1_gpus_5/a.csv", NULL, 1, 0, 0, 0},
           {"2_gpus_7/a.csv", NULL, 2, -1, 0, 0});
    EXPECT("{number}_gpus_{gpus}/a.csv", false, {"5_gpus_1/a.csv", NULL, 1, 0, 0, 0},
           {"7_gpus_2/a.csv", NULL, 2, -1, 0, 0});
}
END_TEST

/* A number that is the GPUs of one file is that in the name of the file beside it, which holds none. */
START_TEST(the_gpus_of_a_run_stand_in_the_names_of_all_its_files)
{
    EXPECT("bert_{gpus}_cpu.csv", false, {"bert_1_gpu.csv", NULL, 1, 0, 0, 0}, {"bert_1_cpu.csv", NULL, 0, -1, 0, 0},
           {"bert_2_gpu.csv", NULL, 2, -1, 0, 0}, {"bert_2_cpu.csv", NULL, 0, -1, 0, 0});
    EXPECT("{gpus}/rapl.csv", false, {"1/gpu.csv", NULL, 1, 0, 0, 0}, {"1/rapl.csv", NULL, 0, -1, 0, 0},
           {"2/gpu.csv", NULL, 2, -1, 0, 0}, {"2/rapl.csv", NULL, 0, -1, 0, 0});
    EXPECT("bert_{repeat}_cpu.csv", true, {"bert_1_gpu.csv", NULL, 2, -1, 0, 0}, {"bert_1_cpu.csv", NULL, 0, -1, 0, 0},
           {"bert_2_gpu.csv", NULL, 2, -1, 0, 0}, {"bert_2_cpu.csv", NULL, 0, -1, 0, 0});
    EXPECT("bert_{repeat}_cpu.csv", true, {"vit_1_gpu.csv", NULL, 1, 0, 0, 0}, {"bert_1_cpu.csv", NULL, 0, -1, 0, 0},
           {"vit_2_gpu.csv", NULL, 2, -1, 0, 0}, {"bert_2_cpu.csv", NULL, 0, -1, 0, 0});
}
END_TEST

/* Counts, nodes, ranks and GPUs that their words name; and a number of GPUs that each file holds. */
START_TEST(nothing_is_open)
{
    EXPECT("g{gpus}.csv", false, {"g1.csv", NULL, 1, 0, 0, 0}, {"g2.csv", NULL, 2, -1, 0, 0});
    EXPECT("sweep/{gpus}.csv", false, {"sweep/2.csv", NULL, 2, -1, 0, 0}, {"sweep/4.csv", NULL, 4, -1, 0, 0});
    EXPECT("{node}.csv", false, {"node1.csv", NULL, 4, -1, 0, 0}, {"node2.csv", NULL, 4, -1, 0, 0});
    EXPECT("rank{rank}.csv", false, {"rank1.csv", NULL, 4, -1, 0, 0}, {"rank2.csv", NULL, 4, -1, 0, 0});
    EXPECT("gpu{gpu}.csv", false, {"gpu1.csv", NULL, 1, 0, 0, 0}, {"gpu2.csv", NULL, 1, 0, 0, 0});
}
END_TEST

START_TEST(counts_of_the_path)
{
    EXPECT("a_{nodes}nodes_{node}.csv", false, {"a_2nodes_hkn1.csv", NULL, 4, -1, 0, 0},
           {"a_2nodes_hkn2.csv", NULL, 4, -1, 0, 0});
    EXPECT("a_{nodes}nodes_{series}.csv", true, {"a_3nodes_hkn1.csv", NULL, 4, -1, 0, 0},
           {"a_3nodes_hkn2.csv", NULL, 4, -1, 0, 0});
    EXPECT("a_{gpus}gpus/{rank}.csv", false, {"a_8gpus/1.csv", NULL, 4, -1, 0, 0},
           {"a_8gpus/2.csv", NULL, 4, -1, 0, 0});
    EXPECT("a_{gpus}gpus/{run_number}.csv", true, {"a_4gpus/1.csv", NULL, 4, -1, 0, 0},
           {"a_4gpus/2.csv", NULL, 4, -1, 0, 0});
    EXPECT("a_np{ranks}/{rank}.csv", false, {"a_np2/1.csv", NULL, 4, -1, 0, 0}, {"a_np2/2.csv", NULL, 4, -1, 0, 0});
}
END_TEST

/* Any number that is that of the hosts in groups of several sizes; of runs at a time it might be, too. */
START_TEST(numbers_that_count_hosts)
{
    EXPECT("{series}_{number}/{node}.csv", false, {"a_1/hkn1.csv", NULL, 4, -1, 0, 0},
           {"c_2/hkn1.csv", NULL, 4, -1, 0, 0}, {"c_2/hkn2.csv", NULL, 4, -1, 0, 0});
    EXPECT("{series}_{number}/{config}.csv", true, {"a_1/hkn1.csv", NULL, 4, -1, 0, 0},
           {"c_3/hkn1.csv", NULL, 4, -1, 0, 0}, {"c_3/hkn2.csv", NULL, 4, -1, 0, 0});
    EXPECT("{series}_{number}/{repeat}.csv", true, {"a_1/1.csv", NULL, 4, -1, 0, 0}, {"c_2/1.csv", NULL, 4, -1, 0, 0},
           {"c_2/2.csv", NULL, 4, -1, 0, 0});
}
END_TEST

START_TEST(jobs_and_logs)
{
    EXPECT("3512000.{node}.csv", false, {"3512000.hkn1.csv", NULL, 4, -1, 0, 0},
           {"3512000.hkn2.csv", NULL, 4, -1, 0, 0});
    EXPECT("35120.{node}.csv", false, {"35120.hkn1.csv", NULL, 4, -1, 0, 0}, {"35120.hkn2.csv", NULL, 4, -1, 0, 0});
    EXPECT("3512.{series}.csv", true, {"3512.hkn1.csv", NULL, 4, -1, 0, 0}, {"3512.hkn2.csv", NULL, 4, -1, 0, 0});
    EXPECT("a/{node}.csv", false, {"a/result.txt", NULL, 0, -1, 0, 0}, {"a/hkn1.csv", NULL, 4, -1, 0, 0},
           {"a/hkn2.csv", NULL, 4, -1, 0, 0});
    EXPECT("a/{series}.csv", true, {"a/result.txt", NULL, 0, -1, 0, 0}, {"a/result_b.txt", NULL, 0, -1, 0, 0},
           {"a/hkn1.csv", NULL, 4, -1, 0, 0}, {"a/hkn2.csv", NULL, 4, -1, 0, 0});
}
END_TEST

START_TEST(what_files_hold)
{
    EXPECT("{node}.csv", false, {"hkn1.csv", "hkn1.cluster", 4, -1, 0, 0}, {"hkn2.csv", "hkn2.cluster", 4, -1, 0, 0});
    EXPECT("{series}.csv", true, {"hkn1.csv", "hkn1", 4, -1, 0, 0}, {"hkn2.csv", "hkn7", 4, -1, 0, 0});
    EXPECT("a/{rank}.csv", false, {"a/0.csv", NULL, 1, 0, 0, 0}, {"a/1.csv", NULL, 1, 1, 0, 0});
    EXPECT("a/{rank}.csv", false, {"a/0.csv", NULL, 1, 0, 0, 0}, {"a/1.csv", NULL, 1, 1, 0, 0},
           {"a/2.csv", NULL, 1, 0, 0, 0}, {"a/3.csv", NULL, 1, 1, 0, 0});
    EXPECT("a/{repeat}.csv", true, {"a/0.csv", NULL, 1, 1, 0, 0}, {"a/1.csv", NULL, 1, 0, 0, 0});
    EXPECT("a_3512000_{run_number}.csv", true, {"a_3512000_0.csv", NULL, 1, 0, 0, 0},
           {"a_3512000_1.csv", NULL, 1, 1, 0, 0}); /* tasks of an array */
    EXPECT("a/{repeat}.csv", true, {"a/0.csv", NULL, 1, 0, 0, 0}, {"a/1.csv", NULL, 1, 0, 0, 0});
    EXPECT("a/{rank}.csv", false, {"a/0.csv", NULL, 4, -1, 77, 0}, {"a/1.csv", NULL, 4, -1, 77, 0});
    EXPECT("a/{repeat}.csv", true, {"a/0.csv", NULL, 4, -1, 77, 0}, {"a/1.csv", NULL, 4, -1, 78, 0});
}
END_TEST

/* Ranks that logged all GPUs: as many files as GPUs, in groups of more than one size. */
START_TEST(a_file_a_gpu)
{
    EXPECT("{series}/{rank}.csv", false, {"ab/0.csv", NULL, 2, -1, 0, 0}, {"ab/1.csv", NULL, 2, -1, 0, 0},
           {"c/0.csv", NULL, 3, -1, 0, 0}, {"c/1.csv", NULL, 3, -1, 0, 0}, {"c/2.csv", NULL, 3, -1, 0, 0});
    EXPECT("{series}/{repeat}.csv", true, {"ab/0.csv", NULL, 2, -1, 0, 0}, {"ab/1.csv", NULL, 2, -1, 0, 0},
           {"c/0.csv", NULL, 2, -1, 0, 0}, {"c/1.csv", NULL, 2, -1, 0, 0});
}
END_TEST

/* One job after the other: scattered numbers with zeros in front are those of its host, and no setting. Numbers that
 * count up, or that differ in length, and paths without a job may name anything. */
START_TEST(hosts_that_differ_from_job_to_job)
{
    EXPECT("{job}/{node}.csv", false, {"3512000/hkn0307.csv", NULL, 4, -1, 0, 0},
           {"3512001/hkn0412.csv", NULL, 4, -1, 0, 0}, {"3512002/hkn0518.csv", NULL, 4, -1, 0, 0});
    EXPECT("{job}/{series}.csv", false, {"3512000/cfgx001.csv", NULL, 4, -1, 0, 0},
           {"3512001/cfgx002.csv", NULL, 4, -1, 0, 0}, {"3512002/cfgx004.csv", NULL, 4, -1, 0, 0});
    EXPECT("{job}/{series}.csv", false, {"3512000/cfgx001.csv", NULL, 4, -1, 0, 0},
           {"3512001/cfgx006.csv", NULL, 4, -1, 0, 0}, {"3512002/cfgx003.csv", NULL, 4, -1, 0, 0});
    EXPECT("{job}/{node}.csv", false, {"3512000/cfgx001.csv", NULL, 4, -1, 0, 0},
           {"3512001/cfgx007.csv", NULL, 4, -1, 0, 0}, {"3512002/cfgx003.csv", NULL, 4, -1, 0, 0});
    EXPECT("{job}/{series}.csv", false, {"3512000/hk07.csv", NULL, 4, -1, 0, 0},
           {"3512001/hk42.csv", NULL, 4, -1, 0, 0}, {"3512002/hk88.csv", NULL, 4, -1, 0, 0});
    EXPECT("{job}/{series}.csv", false, {"3512000/resnet152.csv", NULL, 4, -1, 0, 0},
           {"3512001/resnet101.csv", NULL, 4, -1, 0, 0}, {"3512002/resnet200.csv", NULL, 4, -1, 0, 0});
    EXPECT("c/{series}.csv", true, {"c/hkn0307.csv", NULL, 4, -1, 0, 0}, {"c/hkn0412.csv", NULL, 4, -1, 0, 0});
}
END_TEST

TEST_MAIN("path proof", hosts_that_differ_from_job_to_job, nothing_proves_it, words_prove_nothing,
          what_tells_runs_apart, nothing_is_open, numbers_on_both_sides_of_gpus,
          the_gpus_of_a_run_stand_in_the_names_of_all_its_files, counts_of_the_path, numbers_that_count_hosts,
          jobs_and_logs, what_files_hold, a_file_a_gpu, numbers_of_hosts_count_nothing,
          more_than_the_gpus_is_no_count_of_nodes)
