/* What a store knows of the files of a folder without a description (analyze/scan_memory.h). */
#include "harness.h"

#include "made_folder.h"

#include "analyze/measure/packer_internal.h"
#include "analyze/scan_memory.h"

#include <string.h>
#include <sys/stat.h>

static const char *const names[] = {"a.csv", "b.csv", "c.txt"};
enum { N = sizeof names / sizeof *names, SUM = 8 };

static const char *path_of(const char *name)
{
    static char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

/* As if they had lain there for a day. */
static void find_all(ws_scan_memory *memory)
{
    ws_scan_fact *facts = ws_scan_expect(memory, N);
    for (size_t i = 0; i < N; i++) {
        facts[i].path = names[i];
        ck_assert(!ws_scan_recall(memory, path_of(names[i]), &facts[i]));
        facts[i].state.seen_ns += INT64_C(86400000000000);
        facts[i].head =
            (ws_file_head){.run_hash = i * UINT64_C(0x123456789abcdef), .is_total = i == 1, .is_mute = i == 2};
    }
    facts[0].head.format = ws_format_by_name("nvidia-smi-csv");
    facts[0].span = (ws_file_span){.is_read = true,
                                   .is_dated = true,
                                   .start_ns = -5,
                                   .end_ns = INT64_C(1767261600123456789),
                                   .period_ns = 1e8 / 3,
                                   .gpus = 8,
                                   .node = "n1",
                                   .only_gpu = -1,
                                   .device_hash = UINT64_MAX};
}

static void begin(ws_scan_memory *memory, ws_packed *packed)
{
    make_folder();
    for (size_t i = 0; i < N; i++)
        write_file(names[i], names[i]);
    find_all(memory);
    *packed = ws_scan_memory_pack(memory);
    ck_assert_uint_gt(packed->n, SUM);
}

static void end(ws_scan_memory *memory, ws_packed *packed)
{
    ws_scan_memory_free(memory);
    free(packed->bytes);
    for (size_t i = 0; i < N; i++)
        remove_file(names[i]);
    rmdir(folder);
}

START_TEST(what_was_found_is_known)
{
    ws_scan_memory before = {0}, after = {0};
    ws_packed packed;
    begin(&before, &packed);
    ws_scan_memory_unpack(&after, &packed);
    ws_scan_memory_unpack(&after, &packed); /* of another part of the campaign */
    ck_assert_uint_eq(after.n_known, N);
    for (size_t i = 0; i < N; i++) {
        ws_scan_fact fact = {.path = names[i]};
        const ws_scan_fact *found = &before.found[i];
        ck_assert(ws_scan_recall(&after, path_of(names[i]), &fact));
        ck_assert_ptr_eq(fact.head.format, found->head.format);
        ck_assert_uint_eq(fact.head.run_hash, found->head.run_hash);
        ck_assert_int_eq(fact.head.is_total, found->head.is_total);
        ck_assert_int_eq(fact.head.is_mute, found->head.is_mute);
        ck_assert_int_eq(fact.span.is_read, i == 0);
        ck_assert_int_eq(fact.span.start_ns, found->span.start_ns);
        ck_assert_int_eq(fact.span.end_ns, found->span.end_ns);
        ck_assert_double_eq(fact.span.period_ns, found->span.period_ns);
        ck_assert_uint_eq(fact.span.gpus, found->span.gpus);
        ck_assert_str_eq(fact.span.node, found->span.node);
        ck_assert_int_eq(fact.span.only_gpu, found->span.only_gpu);
        ck_assert_uint_eq(fact.span.device_hash, found->span.device_hash);
    }
    ws_scan_memory_free(&after);
    end(&before, &packed);
}
END_TEST

START_TEST(a_file_that_changed_is_not)
{
    ws_scan_memory before = {0}, after = {0};
    ws_packed packed;
    begin(&before, &packed);
    ws_scan_memory_unpack(&after, &packed);
    write_file("a.csv", "longer than it was");
    ws_scan_fact a = {.path = "a.csv"}, b = {.path = "b.csv"}, d = {.path = "d.csv"};
    ck_assert(!ws_scan_recall(&after, path_of("a.csv"), &a));
    ck_assert(ws_scan_recall(&after, path_of("b.csv"), &b));
    ck_assert(!ws_scan_recall(&after, path_of("d.csv"), &d));
    ck_assert(!d.state.is_there);
    ws_scan_memory_free(&after);
    end(&before, &packed);
}
END_TEST

/* A file so young may change again and keep its time. */
START_TEST(young_files_are_not_kept)
{
    ws_scan_memory memory = {0};
    ws_packed packed;
    begin(&memory, &packed);
    free(packed.bytes);
    for (size_t i = 0; i < N; i++)
        memory.found[i].state = ws_file_state_of(path_of(names[i]));
    packed = ws_scan_memory_pack(&memory);
    ck_assert_uint_eq(packed.n, 0);
    end(&memory, &packed);
}
END_TEST

static void sum_up(ws_packed *packed)
{
    uint64_t sum = ws_record_sum(packed->bytes, packed->n - SUM);
    for (size_t i = 0; i < SUM; i++)
        packed->bytes[packed->n - SUM + i] = (unsigned char)(sum >> (8 * i));
}

/* Whatever a store of somebody else holds: no crash, and nothing of a wrong sum. */
START_TEST(damaged_bytes_do_no_harm)
{
    ws_scan_memory before = {0};
    ws_packed packed;
    begin(&before, &packed);
    for (size_t bit = 0; bit < 8 * (packed.n - SUM); bit++) {
        for (int right = 0; right < 2; right++) {
            ws_scan_memory after = {0};
            packed.bytes[bit / 8] ^= (unsigned char)(1U << bit % 8);
            if (right)
                sum_up(&packed);
            ws_scan_memory_unpack(&after, &packed);
            ck_assert_uint_le(after.n_known, right ? N : 0);
            packed.bytes[bit / 8] ^= (unsigned char)(1U << bit % 8);
            sum_up(&packed);
            ws_scan_memory_free(&after);
        }
    }
    for (size_t n = 0; n < packed.n; n++) {
        ws_scan_memory after = {0};
        ws_packed cut = {packed.bytes, n};
        ws_scan_memory_unpack(&after, &cut);
        ck_assert_uint_eq(after.n_known, 0);
    }
    end(&before, &packed);
}
END_TEST

TEST_MAIN("scan memory", what_was_found_is_known, a_file_that_changed_is_not, young_files_are_not_kept,
          damaged_bytes_do_no_harm)
