/* wattscale sensors: what is known of power sensors. */
#include "analyze/commands/cli.h"

#include "core/power_sensors.h"

#include <math.h>

typedef enum column { DEVICE, FIELD, DRIVER_FROM, DRIVER_TO, PERIOD, WINDOW, SHARE, GAIN, SOURCE } column;

static const struct {
    const char *name;
    ws_column_kind kind;
} columns[] = {
    [DEVICE] = {"device", WS_TEXT},
    [FIELD] = {"field", WS_TEXT},
    [DRIVER_FROM] = {"driver_from", WS_NUMBER},
    [DRIVER_TO] = {"driver_to", WS_NUMBER},
    [PERIOD] = {"period_s", WS_NUMBER},
    [WINDOW] = {"window_s", WS_NUMBER},
    [SHARE] = {"share", WS_NUMBER},
    [GAIN] = {"gain_u", WS_NUMBER},
    [SOURCE] = {"source", WS_TEXT},
};

/* A row a field, as --sensors reads them. */
static void add_rows(ws_table *table, const ws_sensor *sensor)
{
    static const char *const fields[] = {"draw", "average", "instant"};
    for (int f = 0; f < 3; f++) {
        bool is_any = sensor->fields == WS_FIELD_ANY;
        if (!(sensor->fields >> f & 1) || (is_any && f))
            continue;
        size_t row = ws_table_add_row(table);
        ws_table_set_text(table, DEVICE, row, sensor->device);
        if (!is_any)
            ws_table_set_text(table, FIELD, row, fields[f]);
        ws_table_set_number(table, DRIVER_FROM, row, sensor->driver_from);
        ws_table_set_number(table, DRIVER_TO, row, sensor->driver_to);
        ws_table_set_number(table, PERIOD, row, sensor->period_s);
        ws_table_set_number(table, WINDOW, row, sensor->window_s);
        ws_table_set_number(table, SHARE, row, sensor->share);
        ws_table_set_number(table, GAIN, row, sensor->gain_u);
        if (sensor->source)
            ws_table_set_text(table, SOURCE, row, sensor->source);
    }
}

static int run_sensors(ws_cli *cli)
{
    ws_table table;
    size_t n;
    const ws_sensor *known = ws_sensors_known(&n);
    const ws_sensors *own;
    if (!ws_cli_sensors(cli, &own))
        return WS_EXIT_DATA;
    ws_table_init(&table, "sensors");
    for (size_t c = 0; c < sizeof columns / sizeof *columns; c++)
        ws_table_add_column(&table, columns[c].name, columns[c].kind);
    for (size_t i = 0; own && i < own->n; i++)
        add_rows(&table, &own->items[i]);
    for (size_t i = 0; i < n; i++)
        add_rows(&table, &known[i]);
    int status = ws_cli_output(cli, &table);
    ws_table_free(&table);
    return status;
}

static const ws_option options[] = {
    {"sensors", 0, "FILE", "rows of your own before them"},
    {NULL, 0, NULL, NULL},
};

const ws_command ws_command_sensors = {
    .name = "sensors",
    .arguments = "",
    .summary = "what is known of power sensors: windows, periods, drivers",
    .description =
        "Lists the power sensors whose behaviour somebody measured: which readings of which card (words of the name "
        "that the trace has for it) are means over how long a window, refreshed how often, covering what share of the "
        "time, and with which drivers. A reading may lag behind the power by half a window and a period, which the "
        "uncertainty of an energy holds; of what is not listed 0.6 s is taken, and 5 % (at the wall 1 %) for the "
        "gain.\n\n"
        "--sensors FILE of this and of the metering commands adds rows: a table with the columns device (words of a "
        "model, a domain as node or wall, or a device as gpu0) and any of field (draw, average, instant), driver_from, "
        "driver_to, period_s, window_s, share, gain_u (standard uncertainty of the gain as a part, 0.01 for 1 %), "
        "source.",
    .options = options,
    .example = "wattscale sensors --format csv",
    .least = 0,
    .most = 0,
    .run = run_sensors,
};
