/* Lines whose shape changes from one to the next: every number must come out as strtod reads it. */
#include "trace_case.h"

#include <stdio.h>

enum { ROWS = 4000, GPUS = 3, CELL = 64, LINE = 4096 };

static uint64_t next_random(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

static unsigned below(uint64_t *state, unsigned n)
{
    return (unsigned)(next_random(state) % n);
}

/* How a cell may be written: the number itself, or none. */
typedef enum style { PLAIN, PADDED, LONG, MISSING, EXPONENT, STYLES } style;

static double write_number(char *cell, style how, uint64_t *seed)
{
    static const char *const missing[] = {"", "[N/A]", "N/A", "[Unknown Error]", "ERR!"};
    double number = (double)below(seed, 100000) / 100;
    int decimals = (int)below(seed, 4);
    switch (how) {
    case PLAIN:
        snprintf(cell, CELL, "%.*f", decimals, number);
        break;
    case PADDED: /* the same place in the line for numbers of any width */
        snprintf(cell, CELL, below(seed, 2) ? "%8.*f" : "%-8.*f", decimals, number);
        break;
    case LONG:
        snprintf(cell, CELL, "%.*f", 9 + decimals, number);
        break;
    case EXPONENT:
        snprintf(cell, CELL, "%.3e", number);
        break;
    default:
        snprintf(cell, CELL, "%s", missing[below(seed, 5)]);
        return NAN;
    }
    return strtod(cell, NULL);
}

/* A trace with one style in `most` rows of a hundred and any in the others, and what its cells of power say. */
static char *make_trace(style usual, unsigned most, const char *unit, const char *end, double (*power)[ROWS])
{
    uint64_t seed = 7 + (uint64_t)usual * 100 + most;
    char *text = NULL, cell[CELL], other[CELL];
    size_t n;
    FILE *out = open_memstream(&text, &n);
    fprintf(out, "time,gpu,remark,power_w,note%s", end);
    for (int i = 0; i < ROWS; i++) {
        for (int g = 0; g < GPUS; g++) {
            style how = below(&seed, 100) < most ? usual : (style)below(&seed, STYLES);
            power[g][i] = write_number(cell, how, &seed);
            write_number(other, (style)below(&seed, STYLES), &seed);
            fprintf(out, "%.3f,%d,%.*s,%s%s,%s%s", 1.7e9 + i * 0.25, g, (int)below(&seed, 9), "a b c d e", cell,
                    isnan(power[g][i]) || how == PADDED ? "" : unit, other, end);
        }
    }
    fclose(out);
    return text;
}

static double power[GPUS][ROWS];

static void check_trace(style usual, unsigned most, const char *unit, const char *end)
{
    char *text = make_trace(usual, most, unit, end, power);
    read_ok(text);
    for (int g = 0; g < GPUS; g++) {
        const recorded *c = recorder_find(&r, (const char *[]){"gpu0", "gpu1", "gpu2"}[g], "power_w");
        ck_assert_msg(c && c->n == ROWS, "style %d of %u rows in a hundred: %zu rows", (int)usual, most, c ? c->n : 0);
        for (int i = 0; i < ROWS; i++) {
            bool same = isnan(power[g][i]) ? isnan(c->value[i]) : c->value[i] == power[g][i];
            ck_assert_msg(same, "style %d, gpu %d, row %d: %.17g, not %.17g", (int)usual, g, i, c->value[i],
                          power[g][i]);
            ck_assert_int_eq(c->t_ns[i], INT64_C(1700000000) * S + i * (S / 4));
            ck_assert_int_eq(c->line[i], 2 + i * GPUS + g);
        }
    }
    free(text);
}

START_TEST(numbers_of_every_style)
{
    for (int how = 0; how < STYLES; how++) {
        check_trace((style)how, how == MISSING ? 99 : 100, "", "\n");
        check_trace((style)how, 97, " W", "\r\n");
        check_trace((style)how, 0, "", "\n");
    }
}
END_TEST

/* Lines as long as one word of marks, two, ..., and longer than any shape; the last one with its end and without. */
START_TEST(lines_of_every_length)
{
    static char text[8 * LINE], filler[LINE];
    memset(filler, 'x', sizeof filler - 1);
    for (int n = 0; n < 1200; n++) {
        char *at = text + sprintf(text, "time,note,gpu,power_w\n");
        for (int i = 0; i < 8; i++)
            at += sprintf(at, "%d,%.*s,0,%d.5\n", 1700000000 + i, n / 2, filler, 10 + i);
        at[-(n % 2)] = '\0';
        read_ok(text);
        has("gpu0", "power_w", "10.5 11.5 12.5 13.5 14.5 15.5 16.5 17.5");
    }
}
END_TEST

/* What stands where a stamp, a name or a number is expected is looked at, though the delimiters stand where they did.
 */
START_TEST(lines_of_one_shape_that_differ)
{
    read_ok("name,time,gpu,power_w\n"
            "aaa,1700000000,0, 10.5\n"
            "aaa,1700000001,0, 11.5\n"
            "#aa,1700000002,0, 12.5\n" /* a comment */
            " #a,1700000003,0, 13.5\n" /* and that */
            "aaa,170000000x,0, 14.5\n" /* no stamp */
            "aaa,1700000005,0,115.5\n" /* a digit for the blank */
            "aaa,1700000006,1, 16.5\n" /* another GPU */
            "aaa,1700000007,0, 1x.5\n" /* no number */
            "aaa,1700000008,0, 18,5\n" /* a cell more */
            "\"aa,1700000009,0, 1\"\n" /* a quote: one cell */
            "aaa,1700000010,0,-20.5\n"
            "aaa,1700000011,0,21.5 \n"
            "aaa,1700000012,0,  .5 \n");
    has("gpu0", "power_w", "10.5 11.5 - 115.5 - - -20.5 21.5 0.5");
    has("gpu1", "power_w", "16.5");
    has_note("bad-stamp", 1);
    has_note("unread-number", 1);
}
END_TEST

TEST_MAIN("line shape", numbers_of_every_style, lines_of_every_length, lines_of_one_shape_that_differ)
