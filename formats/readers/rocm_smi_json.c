/* rocm-smi --json, called again and again:
 *
 *   {"card0": {"Average Graphics Package Power (W)": "89.0", "GPU use (%)": "10"}, "card1": {...}, "system": {...}}
 *
 * An object a poll, without a stamp: it stands on a line before, in front of the object, or in an object that a
 * logger put around it, {"timestamp": 1770796800.5, "data": {"card0": {...}}}. All values are texts; the units stand
 * in the names. Newer GPUs (MI300) write "Current Socket Graphics Package Power (W)". "Accumulated Energy (uJ)" is a
 * counter since the driver was loaded. The second die of an MI200 has "N/A" for its power: that of the module is
 * with the first. Names as in rocm_smi.py of rocm_smi_lib. */
#include "formats/table/json_polls.h"

#include <jansson.h>
#include <string.h>

static const struct rocm_value {
    const char *name;
    ws_quantity quantity;
    const char *unit;
    int preference;
} values[] = {
    {"Current Socket Graphics Package Power (W)", WS_POWER, "W", 0},
    {"Average Graphics Package Power (W)", WS_POWER, "W", 1},
    {"Accumulated Energy (uJ)", WS_ENERGY_COUNTER, "uJ", 0},
    {"GPU use (%)", WS_UTIL, "%", 0},
    {"GPU Memory Read/Write Activity (%)", WS_MEM_UTIL, "%", 0},
    {"VRAM Total Used Memory (B)", WS_MEM_USED, "B", 0},
    {"sclk clock speed:", WS_CLOCK, "MHz", 0},
    {"Temperature (Sensor edge) (C)", WS_TEMPERATURE, "C", 0},
    {"Temperature (Sensor junction) (C)", WS_TEMPERATURE, "C", 1},
    {"Max Graphics Package Power (W)", WS_POWER_LIMIT, "W", 0},
};

enum { DEEPEST = 3 };

/* The number of "card7", -1: none. */
static int64_t card_number(const char *name)
{
    int64_t number = -1;
    ws_span_i64(ws_span_of(strncmp(name, "card", 4) == 0 ? name + 4 : ""), &number);
    return number;
}

static bool has_cards(const json_t *object)
{
    const char *name;
    json_t *value;
    json_object_foreach((json_t *)(uintptr_t)object, name, value)
    {
        if (card_number(name) >= 0 && json_is_object(value))
            return true;
    }
    return false;
}

/* The object with the cards: the poll, or what a logger put it in. */
static const json_t *cards_of(const json_t *object, int depth)
{
    const char *name;
    json_t *value;
    if (has_cards(object))
        return object;
    json_object_foreach((json_t *)(uintptr_t)object, name, value)
    {
        const json_t *found = depth < DEEPEST && json_is_object(value) ? cards_of(value, depth + 1) : NULL;
        if (found)
            return found;
    }
    return NULL;
}

/* "N/A (Secondary die)": the power of the module stands with its first die. Other versions of the tool print 0. */
static bool is_with_first_die(const json_t *value)
{
    return json_is_string(value) && ws_span_contains(ws_span_of(json_string_value(value)), "Secondary die");
}

static void note_second_die(ws_json_polls *p, const char *card)
{
    ws_notes_add_most(p->samples.notes, 1, WS_FINDING_COLUMN_TAKEN, p->samples.source, card, 0,
                      "the second die of a module, whose power stands with the first one: 0 W of its own");
}

static ws_status take_card(ws_json_polls *p, const char *card, const json_t *object, ws_error *error)
{
    ws_status status = WS_OK;
    ws_samples_key key = {.id = ws_span_of(card), .identity = "index", .number = card_number(card), .domain = WS_GPU};
    for (size_t i = 0; i < sizeof values / sizeof *values && status == WS_OK; i++) {
        const struct rocm_value *v = &values[i];
        const json_t *value = json_object_get(object, v->name);
        key.quantity = v->quantity;
        key.preference = v->preference;
        key.column = v->name;
        if (!json_is_string(value) && !json_is_number(value))
            continue;
        bool is_second = v->quantity == WS_POWER && is_with_first_die(value);
        bool is_known = ws_samples_has(&p->samples, &key);
        if (is_second)
            note_second_die(p, card);
        double read = is_second ? 0 : ws_json_polls_number(p, value, v->quantity, v->unit, v->name);
        status = ws_json_polls_push(p, &key, read, error);
        if (!is_known && v->quantity == WS_POWER && ws_samples_has(&p->samples, &key)) {
            const char *model = json_string_value(json_object_get(object, "Card Series"));
            model = model ? model : json_string_value(json_object_get(object, "Card series"));
            ws_samples_push_text(&p->samples, &key, "gpu.name", ws_span_of(model ? model : ""));
        }
    }
    return status;
}

/* One poll may be two calls, for powers and for loads, below one stamp. */
static bool comes_again(const json_t *cards, bool *had_power)
{
    const char *name;
    json_t *card;
    bool has_power = false, had = *had_power;
    json_object_foreach((json_t *)(uintptr_t)cards, name, card)
    {
        for (size_t i = 0; i < 3; i++)
            has_power |= json_object_get(card, values[i].name) != NULL;
    }
    *had_power |= has_power;
    return had && has_power;
}

static ws_status take_poll(ws_json_polls *p, const json_t *object, ws_error *error)
{
    const json_t *cards = cards_of(object, 0);
    const char *name;
    json_t *card;
    ws_status status = WS_OK;
    if (!cards)
        return WS_OK;
    ws_json_polls_begin(p, ws_json_stamp_of(object), comes_again(cards, p->state)); /* around the cards or beside */
    json_object_foreach((json_t *)(uintptr_t)cards, name, card)
    {
        if (status == WS_OK && card_number(name) >= 0 && json_is_object(card))
            status = take_card(p, name, card, error);
    }
    return status;
}

static ws_status read_rocm_smi_json(ws_input *input, const ws_read_options *options, const ws_sink *sink,
                                    ws_notes *notes, ws_error *error)
{
    bool had_power = false;
    return ws_json_polls_read(input, options, sink, notes, take_poll, &had_power, "no poll of rocm-smi with readings",
                              error);
}

static int score_rocm_smi_json(const char *path, ws_span head)
{
    (void)path;
    bool is_json = ws_span_contains(head, "\"card0\": {") || ws_span_contains(head, "\"card0\":{") ||
                   (ws_span_contains(head, "\"card") && ws_span_contains(head, "\": {"));
    return is_json && ws_json_polls_begin_in(head) &&
                   (ws_span_contains(head, "Graphics Package Power (W)\":") ||
                    ws_span_contains(head, "\"GPU use (%)\":"))
               ? 96
               : 0;
}

const ws_format ws_format_rocm_smi_json = {
    .name = "rocm-smi-json",
    .title = "rocm-smi --json, called again and again",
    .example = "{\"card0\": {\"Average Graphics Package Power (W)\": \"89.0\", \"GPU use (%)\": \"10\"}}",
    .tier = 2,
    .gives = WS_GIVES_POWER | WS_GIVES_COUNTER | WS_GIVES_UTIL | WS_GIVES_MEM_UTIL | WS_GIVES_MEM_USED |
             WS_GIVES_CLOCK | WS_GIVES_TEMP | WS_GIVES_LIMIT,
    .tried = WS_TRIED_HAND_MADE,
    .score = score_rocm_smi_json,
    .holds = "{",
    .read = read_rocm_smi_json,
};
