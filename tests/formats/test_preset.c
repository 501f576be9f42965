/* Descriptions of tables that no format in the tree has: what a description may leave out. */
#include "formats/table/preset.h"

#include "reader_case.h"

static const ws_preset_value scope_values[] = {{"pwr_mW", WS_GPU, WS_POWER, WS_RULE_NONE, "mW", 0}};
static const ws_preset scope_preset = {.delimiter = ';',
                                       .must = {"epoch_ms", "card", "pwr_mW"},
                                       .time = {"epoch_ms"},
                                       .id = {"card"},
                                       .id_is_index = true,
                                       .remark_node = "# host:",
                                       WS_PRESET_VALUES(scope_values)};
WS_PRESET_FORMAT(scope, "scope", "a description of the tests", "", 3, WS_GIVES_POWER, WS_TRIED_HAND_MADE);

START_TEST(a_remark_for_the_node_alone)
{
    read_ok(&ws_format_scope, "# a remark of no meaning\n# host: n017\nepoch_ms;card;pwr_mW\n"
                              "1770796800000;0;250000\n1770796800000;1;125000\n1770796801000;0;500000\n");
    has("gpu0", "pwr_mW", "250 500");
    has("gpu1", "pwr_mW", "125");
    ck_assert_str_eq(channel("gpu0", NULL)->channel.node, "n017");
}
END_TEST

TEST_MAIN("preset", a_remark_for_the_node_alone)
