/* The bounds by which parts of paths are told: each from both sides. */
#include "harness.h"

#include "analyze/ingest/name_words.h"
#include "analyze/ingest/path_endings.h"
#include "analyze/ingest/path_segment.h"
#include "analyze/ingest/path_together.h"
#include "core/arena.h"
#include "core/text.h"

#include <string.h>

static ws_arena arena;

static ws_path_segment read_segment(const char *name)
{
    return ws_read_segment(&arena, name, strlen(name), strlen(name), 0, NULL);
}

static bool is_one_name(const char *name)
{
    ws_path_segment s = read_segment(name);
    return s.n == 1 && s.parts[0].kind == WS_PART_TEXT && strcmp(s.parts[0].value, name) == 0;
}

/* Seven digits and letters, two of each, name a commit; six may be epochs and batch sizes, as may be more with one
 * letter. */
START_TEST(a_hash_has_seven_digits_and_letters)
{
    ck_assert(is_one_name("e54b772") && !is_one_name("e54b77"));
    ck_assert(!is_one_name("e543772"));
    ws_arena_free(&arena);
}
END_TEST

/* Behind its date W&B puts eight. */
START_TEST(a_tracker_draws_eight_digits_and_letters)
{
    static const struct {
        const char *name;
        size_t parts;
    } cases[] = {{"run-20260418_230816-gpu4bs32", 3},
                 {"run-20260418_230816-gpu4bs3", 4},
                 {"run-20260418_230816-gpu4bs321", 4},
                 {"ran-20260418_230816-gpu4bs32", 4}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        ck_assert_msg(read_segment(cases[i].name).n == cases[i].parts, "%s", cases[i].name);
    ws_arena_free(&arena);
}
END_TEST

/* A log that was rotated has a number of up to three digits, or a date, of eight. */
START_TEST(the_number_of_a_rotated_log)
{
    ck_assert_uint_eq(ws_path_before_rotation("power.log.999"), strlen("power.log"));
    ck_assert_uint_eq(ws_path_before_rotation("power.log.1000"), 0);
    ck_assert_uint_eq(ws_path_before_rotation("power.log-20260418"), strlen("power.log"));
    ck_assert_uint_eq(ws_path_before_rotation("power.log-2026041"), 0);
}
END_TEST

START_TEST(the_shortest_id_of_a_gpu)
{
    ck_assert(ws_name_is_gpu_id(ws_span_of("GPU-89abcdef")));
    ck_assert(!ws_name_is_gpu_id(ws_span_of("GPU-89abcde")));
}
END_TEST

static bool are_together(double length_s, double starts_s, double ends_s)
{
    ws_scan_file a = {.span.is_dated = true, .span.start_ns = 0, .span.end_ns = (int64_t)(length_s * 1e9)}, b = a;
    b.span.start_ns = (int64_t)(starts_s * 1e9);
    b.span.end_ns += (int64_t)(ends_s * 1e9);
    return ws_are_together(&a, &b);
}

/* Within five seconds; of long ones within a twentieth, of short ones within half of their time. */
START_TEST(files_that_begin_and_end_together)
{
    ck_assert(are_together(60, 4.9, 0) && !are_together(60, 5.1, 0));
    ck_assert(are_together(60, 0, 4.9) && !are_together(60, 0, 5.1));
    ck_assert(are_together(1000, 49, 0) && !are_together(1000, 51, 0));
    ck_assert(are_together(4, 1.9, 0) && !are_together(4, 2.1, 0));
}
END_TEST

TEST_MAIN("path bounds", a_hash_has_seven_digits_and_letters, a_tracker_draws_eight_digits_and_letters,
          the_number_of_a_rotated_log, the_shortest_id_of_a_gpu, files_that_begin_and_end_together)
