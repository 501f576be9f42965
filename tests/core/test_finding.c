#include "harness.h"

#include "core/finding.h"
#include "core/sample.h"

#include <ctype.h>
#include <string.h>

static void check_code(const char *code)
{
    for (const char *c = code; *c; c++)
        ck_assert_msg(islower((unsigned char)*c) || isdigit((unsigned char)*c) || (*c == '-' && c > code && c[1]),
                      "'%s' is no code", code);
}

/* Of docs/. */
static bool is_on_a_page(const char *section)
{
    static const char *const pages[] = {"methods.md", "formats.md", "campaign.md", "figures.md", "schemas.md",
                                        "store.md",   "cluster.md", "papers.md",   "findings.md"};
    for (size_t i = 0; i < sizeof pages / sizeof *pages; i++)
        if (strncmp(section, pages[i], strlen(pages[i])) == 0)
            return true;
    return false;
}

START_TEST(every_row_is_whole)
{
    for (int f = 0; f < WS_FINDING_N; f++) {
        const ws_finding_info *about = ws_finding_about((ws_finding)f);
        check_code(about->code);
        ck_assert_msg(is_on_a_page(about->section), "%s: %s", about->code, about->section);
        size_t n = strlen(about->meaning);
        ck_assert_msg(n > 10 && about->meaning[n - 1] != '.', "%s: '%s'", about->code, about->meaning);
    }
}
END_TEST

START_TEST(codes_are_in_order_and_stand_once)
{
    for (int f = 1; f < WS_FINDING_N; f++)
        ck_assert_msg(strcmp(ws_finding_code((ws_finding)(f - 1)), ws_finding_code((ws_finding)f)) < 0, "%s",
                      ws_finding_code((ws_finding)f));
}
END_TEST

/* Something is taken away exactly where the severity says that something is missing. */
START_TEST(what_is_taken_fits_the_severity)
{
    for (int f = 0; f < WS_FINDING_N; f++) {
        const ws_finding_info *about = ws_finding_about((ws_finding)f);
        ck_assert_msg((about->takes != WS_TAKES_NOTHING) == (about->severity >= WS_SEVERITY_LOSS), "%s", about->code);
    }
}
END_TEST

START_TEST(a_code_names_its_finding)
{
    ws_finding finding = WS_FINDING_OTHER;
    for (int f = 0; f < WS_FINDING_N; f++) {
        ck_assert(ws_finding_named(ws_finding_code((ws_finding)f), &finding));
        ck_assert_int_eq((int)finding, f);
    }
    finding = WS_FINDING_GAP;
    ck_assert(!ws_finding_named("", &finding) && !ws_finding_named("gap ", &finding) &&
              !ws_finding_named("GAP", &finding));
    ck_assert_int_eq((int)finding, (int)WS_FINDING_GAP);
}
END_TEST

START_TEST(severities_and_losses_have_names)
{
    for (int s = 0; s < WS_SEVERITY_N; s++)
        ck_assert_uint_gt(strlen(ws_severity_name((ws_severity)s)), 3);
    ck_assert_str_eq(ws_severity_name(WS_SEVERITY_FAILURE), "failure");
    for (int t = 0; t < WS_TAKES_N; t++)
        ck_assert_uint_gt(strlen(ws_takes_name((ws_takes)t)), 2);
    ck_assert_str_eq(ws_takes_name(WS_TAKES_RUN), "run");
}
END_TEST

/* The status "ask:unit" and the code "ask-unit". */
START_TEST(a_question_has_a_status_and_a_finding)
{
    ws_finding finding;
    for (int q = WS_ASK_NOTHING + 1; q < WS_QUESTION_N; q++) {
        char code[40];
        const char *status = ws_energy_status_name(ws_question_status((ws_question)q));
        ck_assert_int_eq(ws_question_of(status), q);
        snprintf(code, sizeof code, "ask-%s", status + strlen("ask:"));
        ck_assert_msg(ws_finding_named(code, &finding), "%s", code);
        ck_assert_int_eq(ws_finding_about(finding)->severity, WS_SEVERITY_ASKED);
    }
    ck_assert_int_eq(ws_question_status(WS_ASK_NOTHING), WS_STATUS_OK);
    ck_assert_int_eq(ws_question_of(NULL), WS_ASK_NOTHING);
    ck_assert_int_eq(ws_question_of("ok"), WS_ASK_NOTHING);
    ck_assert_int_eq(ws_question_of("ask:"), WS_ASK_NOTHING);
}
END_TEST

START_TEST(a_status_is_found_by_its_text)
{
    for (int s = 0; s < WS_STATUS_N; s++) {
        ws_energy_status found = WS_STATUS_N;
        ck_assert(ws_energy_status_named(ws_energy_status_name((ws_energy_status)s), &found));
        ck_assert_int_eq(found, s); /* no two share a text */
    }
    ws_energy_status found = WS_STATUS_N;
    ck_assert(!ws_energy_status_named("no status", &found) && !ws_energy_status_named(NULL, &found));
    ck_assert_int_eq(found, WS_STATUS_N);
}
END_TEST

/* The gravest of several devices stands for their sum. */
START_TEST(statuses_of_energies_grow_graver)
{
    static const char *const order[] = {"ok",
                                        "no-duration",
                                        "assumed-device",
                                        "windows-overlap",
                                        "long-gap",
                                        "short-trace",
                                        "counter-gap",
                                        "stuck-counter",
                                        "counter-reset",
                                        "out-of-order",
                                        "implausible-power",
                                        "runs-overlap",
                                        "files-overlap",
                                        "maybe-measured-twice"};
    enum { GRAVE = sizeof order / sizeof *order };
    for (int s = 0; s < WS_STATUS_N; s++) {
        bool gives_way = s == WS_STATUS_OK || s == WS_STATUS_LONG_GAP || s == WS_STATUS_ASSUMED_DEVICE;
        ck_assert_int_eq(ws_energy_status_gives_way((ws_energy_status)s), gives_way);
        ck_assert_int_eq(ws_energy_status_gravity((ws_energy_status)s), s < GRAVE ? s : 0);
        ck_assert(s >= GRAVE || strcmp(ws_energy_status_name((ws_energy_status)s), order[s]) == 0);
    }
}
END_TEST

TEST_MAIN("finding", every_row_is_whole, codes_are_in_order_and_stand_once, what_is_taken_fits_the_severity,
          a_code_names_its_finding, a_question_has_a_status_and_a_finding, a_status_is_found_by_its_text,
          statuses_of_energies_grow_graver, severities_and_losses_have_names)
