/* Keys of how files are read (analyze/store/unit_key.h). */
#include "harness.h"

#include "analyze/store/unit_key.h"

#include <stdlib.h>
#include <string.h>

typedef struct reading {
    const char *kind, *columns, *node;
    ws_rule rule;
    size_t n_files, n_windows;
} reading;

static void key_of(const reading *r, char text[WS_SHA256_TEXT])
{
    ws_unit_key key;
    const ws_measure_options measure = {.rule = r->rule};
    ws_source_options source = {.read = WS_READ_DEFAULTS};
    source.read.columns = r->columns;
    ws_unit_key_begin(&key, &measure);
    ws_unit_key_add_word(&key, r->kind);
    for (size_t i = 0; i < r->n_files; i++)
        ws_unit_key_add_file(&key, &source, r->node);
    for (size_t i = 0; i < r->n_windows; i++)
        ws_unit_key_add_window(&key, &(ws_cut){.start_ns = (int64_t)i, .end_ns = (int64_t)i + 5, .run = "a"});
    ws_unit_key_end(&key, text);
}

enum { LONG_WORD = 3000 };
static char long_word[LONG_WORD + 1];

static const reading readings[] = {
    {"alone", NULL, "", WS_RULE_NONE, 1, 0},
    {"alone", NULL, "n1", WS_RULE_NONE, 1, 0},
    {"alone", "power=a", "", WS_RULE_NONE, 1, 0},
    {"alone", NULL, "", WS_RULE_TRAPEZOID, 1, 0},
    {"each once", NULL, "", WS_RULE_NONE, 1, 0},
    {"each once", NULL, "", WS_RULE_NONE, 2, 0},
    {"each once", NULL, "", WS_RULE_NONE, 40, 0},
    {"each once", NULL, "", WS_RULE_NONE, 41, 0},
    {"windows", NULL, "", WS_RULE_NONE, 1, 3},
    {"windows", NULL, "", WS_RULE_NONE, 1, 300},
    {"alone", long_word, "", WS_RULE_NONE, 1, 0},
    {"alone", long_word + 1, "", WS_RULE_NONE, 1, 0},
    {"alone", long_word + LONG_WORD - 300, "", WS_RULE_NONE, 1, 0},
    {"alone", long_word + LONG_WORD - 301, "", WS_RULE_NONE, 1, 0},
    {"", "", "", WS_RULE_NONE, 0, 0},
};
enum { N = sizeof readings / sizeof *readings };

/* Whatever key came before. */
START_TEST(equal_keys_of_equal_readings_alone)
{
    char first[N][WS_SHA256_TEXT], again[WS_SHA256_TEXT];
    memset(long_word, 'x', LONG_WORD);
    for (size_t i = 0; i < N; i++)
        key_of(&readings[i], first[i]);
    for (size_t i = 0; i < N; i++)
        for (size_t k = 0; k < N; k++) {
            key_of(&readings[k], again);
            ck_assert_str_eq(again, first[k]);
            key_of(&readings[i], again);
            ck_assert_str_eq(again, first[i]);
            ck_assert(i == k || strcmp(first[i], first[k]) != 0);
        }
}
END_TEST

/* The words themselves, with their lengths before them. */
/* The first 16 digits of the SHA-256. */
START_TEST(the_hash_of_what_was_added)
{
    char text[WS_SHA256_TEXT], wanted[WS_SHA256_TEXT];
    for (size_t length = 0; length < 1200; length += 7) {
        ws_unit_key key;
        ws_sha256 hash;
        ws_unit_key_begin(&key, &(ws_measure_options){.rule = WS_RULE_NONE});
        ck_assert(!key.is_long);
        ws_sha256_init(&hash);
        ws_sha256_add(&hash, key.bytes, key.n);
        for (int i = 0; i < 2; i++) {
            unsigned char number[8] = {(unsigned char)length, (unsigned char)(length >> 8)};
            char word[1200] = "";
            memset(word, 'a' + i, length);
            ws_unit_key_add_word(&key, word);
            ws_sha256_add(&hash, number, sizeof number);
            ws_sha256_add(&hash, word, length);
        }
        ws_unit_key_end(&key, text);
        ws_sha256_text(&hash, wanted);
        wanted[16] = '\0';
        ck_assert_str_eq(text, wanted);
    }
}
END_TEST

TEST_MAIN("unit keys", equal_keys_of_equal_readings_alone, the_hash_of_what_was_added)
