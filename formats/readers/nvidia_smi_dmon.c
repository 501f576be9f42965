/* nvidia-smi dmon, with any -s and -o:
 *
 *   #Date       Time        gpu    pwr  gtemp  mtemp     sm    mem   mclk   pclk     fb   bar1
 *   #YYYYMMDD   HH:MM:SS    Idx      W      C      C      %      %    MHz    MHz     MB     MB
 *    20260211   08:00:00      0    251     61      -     97     40   1593   1410  71210      5
 *
 * The head comes again every screenful. Without -o D or T there is no time: the period (-d, 1 s unless given) is not in
 * the file. Power is in whole watts. */
#include "formats/table/dmon.h"

static const struct {
    const char *name, *unit; /* unit: instead of the written one */
    ws_quantity quantity;
} names[] = {
    {"pwr", NULL, WS_POWER},    {"sm", NULL, WS_UTIL},           {"mem", NULL, WS_MEM_UTIL},
    {"fb", "MiB", WS_MEM_USED}, /* written as MB, counted in 2^20 bytes like everything nvidia-smi prints */
    {"pclk", NULL, WS_CLOCK},   {"gtemp", NULL, WS_TEMPERATURE}, {"temp", NULL, WS_TEMPERATURE}, /* older drivers */
};

static bool column_of(ws_span name, ws_dmon_column *column)
{
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (!ws_span_eq_nocase(name, names[i].name))
            continue;
        const ws_unit *unit = names[i].unit ? ws_unit_find(ws_span_of(names[i].unit)) : NULL;
        *column = (ws_dmon_column){.quantity = names[i].quantity, .unit = unit, .unit_is_fixed = unit != NULL};
        return true;
    }
    return false;
}

static const ws_dmon_layout layout = {.entity = "gpu", .without = "pid", .column = column_of};

static int score_nvidia_smi_dmon(const char *path, ws_span head)
{
    (void)path;
    return ws_dmon_score(&layout, head);
}

static ws_status read_dmon(ws_input *input, const ws_read_options *options, const ws_sink *sink, ws_notes *notes,
                           ws_error *error)
{
    return ws_dmon_read(&layout, input, options, sink, notes, error);
}

const ws_format ws_format_nvidia_smi_dmon = {
    .name = "nvidia-smi-dmon",
    .title = "nvidia-smi dmon, with and without date and time",
    .example = "# gpu    pwr  gtemp     sm    mem   pclk\n# Idx      W      C      %      %    MHz\n"
               "    0    251     61     97     40   1410",
    .tier = 2,
    .gives = WS_GIVES_POWER | WS_GIVES_UTIL | WS_GIVES_MEM_UTIL | WS_GIVES_MEM_USED | WS_GIVES_CLOCK | WS_GIVES_TEMP,
    .tried = WS_TRIED_REAL,
    .score = score_nvidia_smi_dmon,
    .read = read_dmon,
};
