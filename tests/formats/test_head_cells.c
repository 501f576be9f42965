#include "harness.h"

#include "formats/table/head_cells.h"

#include <string.h>

static const struct {
    const char *line, *want;
} cases[] = {
    {"a, b ,c", "a|b|c"},
    {"\"a, b\",\"c\"", "a, b|c"},
    {"\"say \"\"hi, you\"\"\",x", "say \"\"hi, you\"\"|x"},
    {"a;b;\"c;d\"\r", "a|b|c;d"},
    {"a\tb\t\tc", "a|b||c"},
    {"a,\"b", "a|\"b"}, /* never closed */
    {"a,b\"c,d", "a|b\"c|d"},
    {"a,", "a|"},
    {"", ""},
};

START_TEST(cells_of_a_line)
{
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ws_span cells[8];
        char got[128] = "";
        uint32_t n = ws_head_cells(ws_span_of(cases[i].line), cells, 8);
        for (uint32_t c = 0; c < n; c++)
            sprintf(got + strlen(got), "%s%.*s", c ? "|" : "", WS_SPAN_ARG(cells[c]));
        ck_assert_str_eq(got, cases[i].want);
    }
}
END_TEST

TEST_MAIN("head cells", cells_of_a_line)
