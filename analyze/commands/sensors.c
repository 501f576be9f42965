/* wattscale sensors: what is known of power sensors. */
#include "analyze/commands/cli.h"

#include "core/power_sensors.h"

#include <math.h>

typedef enum column {
    DEVICE,
    FIELD,
    DRIVER_FROM,
    DRIVER_TO,
    PERIOD,
    WINDOW,
    SHARE,
    GAIN,
    WINDOW_KIND,
    ACCURACY,
    SOURCE
} column;

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
    [WINDOW_KIND] = {"window_kind", WS_TEXT},
    [ACCURACY] = {"accuracy", WS_TEXT},
    [SOURCE] = {"source", WS_TEXT},
};

static void add_row(ws_table *table, const ws_sensor *sensor, const char *field)
{
    const struct {
        column column;
        const char *text;
    } texts[] = {{DEVICE, sensor->device},
                 {FIELD, field},
                 {WINDOW_KIND, sensor->window_kind},
                 {ACCURACY, sensor->accuracy},
                 {SOURCE, sensor->source}};
    const struct {
        column column;
        double number;
    } numbers[] = {{DRIVER_FROM, sensor->driver_from}, {DRIVER_TO, sensor->driver_to}, {PERIOD, sensor->period_s},
                   {WINDOW, sensor->window_s},         {SHARE, sensor->share},         {GAIN, sensor->gain_u}};
    size_t row = ws_table_add_row(table);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (texts[i].text)
            ws_table_set_text(table, texts[i].column, row, texts[i].text);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        ws_table_set_number(table, numbers[i].column, row, numbers[i].number);
}

/* A row a field, as --sensors reads them. */
static void add_rows(ws_table *table, const ws_sensor *sensor)
{
    static const char *const fields[] = {"draw", "average", "instant"};
    if (!sensor->fields || sensor->fields == WS_FIELD_ANY)
        add_row(table, sensor, sensor->reading);
    for (int f = 0; f < 3 && sensor->fields != WS_FIELD_ANY; f++)
        if (sensor->fields >> f & 1)
            add_row(table, sensor, fields[f]);
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
    table.screen_keys = 2;
    ws_table_set_detail(&table, ACCURACY);
    ws_table_set_place(&table, SOURCE, WS_MEANING);
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
        "gain. Sensors without such a window (exponential, counters), what vendors state and how far off cards were "
        "beside a meter stand there as facts: no energy is corrected by them.\n\n"
        "--sensors FILE of this and of the metering commands adds rows: a table with the columns device (words of a "
        "model, a domain as node or wall, or a device as gpu0) and any of field (draw, average, instant), driver_from, "
        "driver_to, period_s, window_s, share, gain_u (standard uncertainty of the gain as a part, 0.01 for 1 %), "
        "window_kind, accuracy, source.",
    .options = options,
    .example = "wattscale sensors --format csv",
    .least = 0,
    .most = 0,
    .run = run_sensors,
};
