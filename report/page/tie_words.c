/* Blanks at which a line must not break, as typesetters set them: "12 %", "24.81 kWh", "p 0.0010", "5.5 ± 0.4". */
#include "report/page/tie_words.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

static const char TIE[] = "\xc2\xa0"; /* U+00A0 */

static const char *const units[] = {"%", "W",  "kW", "Wh", "mWh", "kWh", "MWh", "GWh",
                                    "J", "kJ", "MJ", "GJ", "s",   "ms",  "h",   "min"};
static const char *const counted[] = {"Hz",  "MHz",  "GHz", "GPU",  "GPUs",     "GPUh",
                                      "run", "runs", "row", "rows", "kWh/GPUh", "times"};
static const char *const signs[] = {"±", "<", ">", "=", "≤", "≥"};
static const char *const before_numbers[] = {"p",   "n",   "r",     "R²",   "t",    "Q",     "F",
                                             "LBS", "GBS", "S/GPU", "Fig.", "Figs", "Table", "Tables"};

static bool is_one(const char *const *words, size_t n, const char *word, size_t length)
{
    for (size_t i = 0; i < n; i++)
        if (strlen(words[i]) == length && memcmp(words[i], word, length) == 0)
            return true;
    return false;
}

#define IS_ONE(words, word, length) is_one(words, sizeof(words) / sizeof *(words), word, length)

/* Without the marks that a sentence puts round it: "(24.81", "kWh);". */
static size_t bare(const char **word, size_t length)
{
    while (length && strchr("([", **word)) {
        ++*word;
        length--;
    }
    while (length > 1 && strchr(",;:.)]", (*word)[length - 1]))
        length--;
    return length;
}

static bool begins_with_number(const char *word, size_t length)
{
    static const char minus[] = "−";
    size_t sign = length > sizeof minus - 1 && memcmp(word, minus, sizeof minus - 1) == 0 ? sizeof minus - 1 : 0;
    return length > sign && isdigit((unsigned char)word[sign]);
}

static bool belong_together(const char *left, size_t n_left, const char *right, size_t n_right)
{
    const char *unit = right, *name = left;
    bool left_ends = n_left && strchr(",;:", left[n_left - 1]), is_abbreviated = IS_ONE(before_numbers, left, n_left);
    if (!n_left || !n_right || left_ends)
        return false;
    if (IS_ONE(signs, left, n_left) || IS_ONE(signs, right, n_right))
        return true;
    size_t n_unit = bare(&unit, n_right), n_name = is_abbreviated ? n_left : bare(&name, n_left);
    if (isdigit((unsigned char)left[n_left - 1]))
        return IS_ONE(units, unit, n_unit) || IS_ONE(counted, unit, n_unit);
    return IS_ONE(before_numbers, name, n_name) && begins_with_number(right, n_right);
}

const char *ws_tie_words(ws_arena *arena, const char *text)
{
    size_t n = strlen(text), at = 0;
    char *tied = ws_arena_alloc(arena, n * (sizeof TIE - 1) + 1);
    const char *word = text;
    size_t length = strcspn(word, " ");
    while (true) {
        memcpy(tied + at, word, length);
        at += length;
        if (!word[length])
            break;
        const char *next = word + length + 1;
        size_t n_next = strcspn(next, " ");
        bool ties = belong_together(word, length, next, n_next);
        memcpy(tied + at, ties ? TIE : " ", ties ? sizeof TIE - 1 : 1);
        at += ties ? sizeof TIE - 1 : 1;
        word = next;
        length = n_next;
    }
    tied[at] = '\0';
    return tied;
}
