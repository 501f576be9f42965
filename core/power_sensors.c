#include "core/power_sensors.h"

#include "core/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Measured by Yang, Adamek and Armour, arXiv 2312.02741; the tables beside it (GPU_Power_Benchmark) name the drivers.
 * Cards that charge like a capacitor (Kepler, early Maxwell) have no window. The gain of single cards is in no row: it
 * differs from card to card by percents. */
#define MEASURED "arXiv 2312.02741"

enum { DRAW = WS_FIELD_DRAW, MEAN = WS_FIELD_AVERAGE, NOW = WS_FIELD_INSTANT };

static const ws_sensor known[] = {
    /* device, fields, drivers, period, window, share, gain */
    {"H100", DRAW | MEAN, 525, 535, 0.1, 1, 1, NAN, MEASURED},
    {"H100", NOW, 525, 535, 0.1, 0.025, 0.25, NAN, MEASURED},
    {"A100", DRAW | NOW, 525, 535, 0.101, 0.025, 0.25, NAN, MEASURED},
    {"A6000", DRAW, 515, 515, 0.1, 1, 1, NAN, MEASURED},
    {"A10", DRAW, 525, 525, 0.1, 1, 1, NAN, MEASURED},
    {"RTX 3090", DRAW | MEAN, 525, 525, 0.1, 1, 1, NAN, MEASURED},
    {"RTX 3090", DRAW, 530, 530, 0.1, 0.1, 1, NAN, MEASURED},
    {"RTX 3090", DRAW | MEAN, 535, 535, 0.1, 1, 1, NAN, MEASURED},
    {"RTX 3090", NOW, 535, 535, 0.1, 0.1, 1, NAN, MEASURED},
    {"RTX 3070 Ti", NOW, 535, 535, 0.1, 0.1, 1, NAN, MEASURED},
    {"RTX A5000", DRAW, 525, 525, 0.1, 1, 1, NAN, MEASURED},
    {"RTX A5000", DRAW, 530, 530, 0.1, 0.1, 1, NAN, MEASURED},
    {"RTX A5000", DRAW, 535, 535, 0.1, 1, 1, NAN, MEASURED},
    {"RTX A5000", NOW, 535, 535, 0.1, 0.1, 1, NAN, MEASURED},
    {"RTX 4090", DRAW | MEAN, 520, 525, 0.1, 1, 1, NAN, MEASURED},
    {"RTX 4090", DRAW, 530, 530, 0.1, 0.11, 1, NAN, MEASURED},
    {"RTX 4090", DRAW | MEAN, 535, 535, 0.1, 1, 1, NAN, MEASURED},
    {"RTX 4090", NOW, 535, 535, 0.1, 0.11, 1, NAN, MEASURED},
    {"V100", DRAW, 525, 525, 0.02, 0.011, 0.5, NAN, MEASURED},
    {"P100", DRAW, 525, 535, 0.021, 0.011, 0.5, NAN, MEASURED},
    {"GTX 1080 Ti", DRAW, 525, 535, 0.02, 0.01, 0.5, NAN, MEASURED},
    {"GTX 1080", DRAW, 525, 535, 0.02, 0.011, 0.5, NAN, MEASURED},
    {"TITAN X (Pascal)", DRAW, 535, 535, 0.02, 0.012, 0.55, NAN, MEASURED},
    {"RTX 2080 Ti", DRAW, 525, 535, 0.101, 0.102, 1, NAN, MEASURED},
    {"RTX 2060 SUPER", DRAW, 525, 535, 0.101, 0.107, 1, NAN, MEASURED},
    {"TITAN RTX", DRAW, 525, 525, 0.101, 0.102, 1, NAN, MEASURED},
    {"Quadro RTX 8000", DRAW, 525, 525, 0.1, 0.021, 0.2, NAN, MEASURED},
    {"GTX 1650 Ti", DRAW, 525, 525, 0.102, 0.1, 1, NAN, MEASURED},
    {"Tesla M40", DRAW, 525, 535, 0.031, 0.014, 0.45, NAN, MEASURED},
};

static const ws_sensor nothing = {NULL, WS_FIELD_ANY, NAN, NAN, NAN, NAN, NAN, NAN, NULL};

const ws_sensor *ws_sensors_known(size_t *n)
{
    *n = sizeof known / sizeof *known;
    return known;
}

void ws_sensors_free(ws_sensors *s)
{
    free(s->items);
    ws_arena_free(&s->arena);
    *s = (ws_sensors){0};
}

/* --- a user's rows --- */

static double number_at(const ws_table *table, const char *name, size_t row)
{
    size_t column;
    bool is_there = ws_table_find(table, name, &column) && table->columns[column].kind != WS_TEXT;
    return is_there ? ws_table_number(table, column, row) : NAN;
}

static const char *text_at(const ws_table *table, const char *name, size_t row, ws_arena *arena)
{
    char buffer[WS_DOUBLE_TEXT];
    size_t column;
    if (!ws_table_find(table, name, &column) || ws_table_is_missing(table, column, row))
        return NULL;
    return ws_arena_strdup(arena, ws_table_cell_text(table, column, row, buffer));
}

static unsigned fields_named(const char *name)
{
    return !name                          ? WS_FIELD_ANY
           : strcmp(name, "draw") == 0    ? DRAW
           : strcmp(name, "average") == 0 ? MEAN
           : strcmp(name, "instant") == 0 ? NOW
                                          : 0;
}

static bool is_in(double value, double from, double to)
{
    return isnan(value) || (value >= from && value <= to);
}

static bool holds_text(const ws_table *table, size_t column)
{
    size_t row = 0;
    while (row < table->n_rows && ws_table_is_missing(table, column, row))
        row++;
    return table->columns[column].kind == WS_TEXT && row < table->n_rows;
}

static bool is_one_of(const char *name, const char *const *names)
{
    while (*names && strcmp(name, *names) != 0)
        names++;
    return *names != NULL;
}

/* A misspelt column, or a number that is none, would leave a default in place, unseen. */
static ws_status check_columns(const ws_table *table, ws_error *error)
{
    static const char *const texts[] = {"device", "field", "source", NULL};
    static const char *const numbers[] = {"driver_from", "driver_to", "period_s", "window_s", "share", "gain_u", NULL};
    for (size_t c = 0; c < table->n_columns; c++) {
        const char *name = table->columns[c].name;
        bool is_number = is_one_of(name, numbers);
        if (!is_number && !is_one_of(name, texts))
            return ws_fail_at(error, WS_DATA, table->source, 0,
                              "'%s' is no column of sensors: device, field, driver_from, driver_to, period_s, "
                              "window_s, share, gain_u, source",
                              name);
        if (is_number && holds_text(table, c))
            return ws_fail_at(error, WS_DATA, table->source, 0, "%s of the sensors holds what is no number", name);
    }
    return WS_OK;
}

ws_status ws_sensors_add(ws_sensors *s, const ws_table *table, ws_error *error)
{
    const double longest_s = 3600;
    ws_status status = check_columns(table, error);
    if (status != WS_OK)
        return status;
    for (size_t row = 0; row < table->n_rows; row++) {
        const char *field = text_at(table, "field", row, &s->arena);
        ws_sensor new = {.device = text_at(table, "device", row, &s->arena),
                         .fields = fields_named(field),
                         .driver_from = number_at(table, "driver_from", row),
                         .driver_to = number_at(table, "driver_to", row),
                         .period_s = number_at(table, "period_s", row),
                         .window_s = number_at(table, "window_s", row),
                         .share = number_at(table, "share", row),
                         .gain_u = number_at(table, "gain_u", row),
                         .source = text_at(table, "source", row, &s->arena)};
        const char *wrong = !new.device                          ? "it names no device"
                            : !new.fields                        ? "field is draw, average or instant"
                            : new.driver_from > new.driver_to    ? "driver_from is above driver_to"
                            : !is_in(new.period_s, 0, longest_s) ? "period_s is not from 0 to 3600"
                            : !is_in(new.window_s, 0, longest_s) ? "window_s is not from 0 to 3600"
                            : !is_in(new.share, 0, 1)            ? "share is not from 0 to 1"
                            : !is_in(new.gain_u, 0, 1)           ? "gain_u is a part of the energy, from 0 to 1"
                                                                 : NULL;
        if (wrong)
            return ws_fail_at(error, WS_DATA, table->source, 0, "row %zu of the sensors: %s", row + 1, wrong);
        s->items = ws_grow(s->items, &s->capacity, s->n + 1, sizeof *s->items);
        s->items[s->n++] = new;
    }
    return WS_OK;
}

/* --- which row fits --- */

static bool is_part_of_word(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* Whole words, as "A10" in "NVIDIA A10" and not in "NVIDIA A100-SXM4-40GB". */
static bool has_words(const char *name, const char *words)
{
    size_t n = strlen(words);
    for (const char *at = name; at && *at && n; at++)
        if (ws_span_eq_nocase((ws_span){at, strnlen(at, n)}, words) && (at == name || !is_part_of_word(at[-1])) &&
            !is_part_of_word(at[n]))
            return true;
    return false;
}

/* "RTX 4090" is no "RTX 4090 Laptop GPU", whose sensor nobody measured. */
static bool is_model(const char *model, const char *words)
{
    return model && has_words(model, words) && (has_words(words, "laptop") || !has_words(model, "laptop"));
}

static unsigned field_of(const char *column)
{
    return !column                                              ? DRAW
           : strstr(column, "instant")                          ? NOW
           : strstr(column, "average") || strstr(column, "avg") ? MEAN
                                                                : DRAW;
}

static double major_of(const char *driver)
{
    double major;
    return driver && ws_span_double((ws_span){driver, strcspn(driver, ".")}, &major) ? major : NAN;
}

static bool fits(const ws_sensor *row, const ws_sensor_key *key)
{
    return (row->fields & field_of(key->column)) &&
           (is_model(key->model, row->device) || strcmp(row->device, ws_domain_name(key->domain)) == 0 ||
            (key->device && strcmp(row->device, key->device) == 0));
}

static bool has_driver(const ws_sensor *row, double driver)
{
    return !(driver < row->driver_from) && !(driver > row->driver_to);
}

static const ws_sensor *find(const ws_sensor *rows, size_t n, const ws_sensor_key *key)
{
    double driver = major_of(key->driver);
    const ws_sensor *best = NULL;
    for (size_t i = 0; i < n; i++) {
        if (!fits(&rows[i], key) || !has_driver(&rows[i], driver))
            continue;
        if (!isnan(driver))
            return &rows[i];
        if (!best || rows[i].window_s > best->window_s)
            best = &rows[i];
    }
    return best;
}

ws_sensor ws_sensor_of(const ws_sensors *own, const ws_sensor_key *key)
{
    const ws_sensor *of_user = own ? find(own->items, own->n, key) : NULL;
    const ws_sensor *of_program = find(known, sizeof known / sizeof *known, key);
    ws_sensor sensor = of_user ? *of_user : of_program ? *of_program : nothing;
    if (of_user && of_program && isnan(sensor.window_s))
        sensor.window_s = of_program->window_s, sensor.period_s = of_program->period_s;
    return sensor;
}

double ws_sensor_lag_s(const ws_sensor *s)
{
    return isnan(s->window_s) ? WS_SENSOR_USUAL_LAG_S : s->window_s / 2 + (isnan(s->period_s) ? 0.1 : s->period_s);
}
