#include "formats/readers/smi_record.h"

#include "formats/table/dictionary.h"

#include <math.h>
#include <string.h>

/* Sections and names as ws_plain_name writes them, of the XML and, where it differs, of the text. Power of the module
 * (Grace Hopper) and of the memory stands in sections of other names and is not the GPU's. */
static const struct {
    const char *sections[2], *names[2];
    const char *column;
    ws_quantity quantity;
    int preference;
} readings[WS_SMI_READINGS] = {
    {{"gpu_power_readings", "power_readings"}, {"power_draw", NULL}, "power_draw", WS_POWER, 0},
    {{"gpu_power_readings", "power_readings"}, {"average_power_draw", NULL}, "average_power_draw", WS_POWER, 1},
    {{"gpu_power_readings", "power_readings"},
     {"instant_power_draw", "instantaneous_power_draw"},
     "instant_power_draw",
     WS_POWER,
     2},
    {{"gpu_power_readings", "power_readings"},
     {"current_power_limit", "enforced_power_limit"},
     "enforced_power_limit",
     WS_POWER_LIMIT,
     0},
    {{"gpu_power_readings", "power_readings"}, {"power_limit", NULL}, "power_limit", WS_POWER_LIMIT, 1},
    {{"utilization", NULL}, {"gpu_util", "gpu"}, "gpu_util", WS_UTIL, 0},
    {{"utilization", NULL}, {"memory_util", "memory"}, "memory_util", WS_MEM_UTIL, 0},
    {{"fb_memory_usage", NULL}, {"used", NULL}, "used", WS_MEM_USED, 0},
    {{"temperature", NULL}, {"gpu_temp", "gpu_current_temp"}, "gpu_temp", WS_TEMPERATURE, 0},
    {{"clocks", NULL}, {"sm_clock", "sm"}, "sm_clock", WS_CLOCK, 0},
};

void ws_smi_init(ws_smi_records *records, ws_input *input, const ws_read_options *options, const ws_sink *sink,
                 ws_notes *notes)
{
    *records = (ws_smi_records){.options = options, .stamps.zone = options->zone};
    ws_samples_init(&records->samples, ws_input_path(input), sink, notes);
}

void ws_smi_begin(ws_smi_records *records)
{
    records->n++;
    records->has_stamp = false;
    records->in_gpu = false;
}

void ws_smi_stamp(ws_smi_records *r, ws_span stamp, int64_t line)
{
    stamp = ws_span_trim(stamp);
    r->has_stamp = ws_timecol_settle(&r->stamps, stamp) && ws_timecol_read(&r->stamps, stamp, &r->t_ns);
    r->seen_stamp |= r->has_stamp;
    if (!r->has_stamp)
        ws_notes_add(r->samples.notes, WS_FINDING_BAD_STAMP, r->samples.source, "", line, "no stamp: '%.*s'",
                     stamp.n > 80 ? 80 : (int)stamp.n, stamp.p);
}

static void keep_text(char *kept, ws_span text)
{
    text = ws_span_trim(text);
    size_t n = text.n < WS_SMI_TEXT ? text.n : WS_SMI_TEXT - 1;
    if (n)
        memcpy(kept, text.p, n);
    kept[n] = '\0';
}

void ws_smi_driver(ws_smi_records *r, ws_span version)
{
    keep_text(r->driver, version);
}

void ws_smi_begin_gpu(ws_smi_records *r, ws_span bus, int64_t number, int64_t line)
{
    r->in_gpu = true;
    r->has_any = false;
    memset(r->has, 0, sizeof r->has);
    r->uuid[0] = r->name[0] = '\0';
    keep_text(r->bus, bus);
    r->number = number;
    r->line = line;
}

static bool is_one_of(ws_span word, const char *const words[2])
{
    return ws_span_eq(word, words[0]) || (words[1] && ws_span_eq(word, words[1]));
}

void ws_smi_take(ws_smi_records *r, ws_span section, ws_span name, ws_span text, int64_t line)
{
    char section_buffer[WS_PLAIN_NAME], name_buffer[WS_PLAIN_NAME];
    section = ws_plain_name(section_buffer, section);
    name = ws_plain_name(name_buffer, name);
    if (!r->in_gpu)
        return;
    if (!section.n && (ws_span_eq(name, "uuid") || ws_span_eq(name, "gpu_uuid")))
        keep_text(r->uuid, text);
    else if (!section.n && ws_span_eq(name, "product_name"))
        keep_text(r->name, text);
    for (size_t i = 0; i < WS_SMI_READINGS; i++) {
        if (r->has[i] || !is_one_of(section, readings[i].sections) || !is_one_of(name, readings[i].names))
            continue;
        r->has[i] = true;
        r->n_taken += !r->has_any;
        r->has_any = true;
        r->value[i] = ws_samples_number(&r->samples, text, readings[i].quantity, NULL, readings[i].column, line);
        return;
    }
}

static ws_samples_key key_of(const ws_smi_records *r, size_t reading)
{
    bool has_uuid = r->uuid[0] != '\0';
    return (ws_samples_key){.id = ws_span_of(has_uuid ? r->uuid : r->bus),
                            .identity = has_uuid ? "uuid" : "bus id",
                            .number = r->number,
                            .domain = WS_GPU,
                            .quantity = readings[reading].quantity,
                            .column = readings[reading].column,
                            .preference = readings[reading].preference,
                            .time = r->seen_stamp                ? r->stamps.base
                                    : ws_read_period(r->options) ? WS_TIME_RELATIVE
                                                                 : WS_TIME_NONE};
}

/* A reading that this GPU had before and lacks now is missing; one that it never had is none of its own. */
static ws_status push_gpu(ws_smi_records *r, ws_error *error)
{
    ws_status status = WS_OK;
    bool is_new = true;
    ws_samples_key key = key_of(r, 0);
    ws_samples_reading reading = {.t_ns = r->t_ns, .line = r->line};
    if (!r->seen_stamp) {
        reading.t_ns = (r->n - 1) * r->options->period_ns;
        reading.interval_ns = r->options->period_ns;
    }
    for (size_t i = 0; i < WS_SMI_READINGS && status == WS_OK; i++) {
        ws_samples_key one = key_of(r, i);
        bool is_known = ws_samples_has(&r->samples, &one);
        is_new &= !is_known;
        if (!r->has[i] && !is_known)
            continue;
        key = one;
        reading.value = r->has[i] ? r->value[i] : NAN;
        status = ws_samples_push(&r->samples, &key, &reading, error);
    }
    if (is_new && r->name[0])
        ws_samples_push_text(&r->samples, &key, "gpu.name", ws_span_of(r->name));
    if (is_new && r->driver[0])
        ws_samples_push_text(&r->samples, &key, "gpu.driver", ws_span_of(r->driver));
    return status;
}

ws_status ws_smi_end_gpu(ws_smi_records *r, ws_error *error)
{
    if (!r->in_gpu)
        return WS_OK;
    r->in_gpu = false;
    if (r->seen_stamp && !r->has_stamp) {
        ws_notes_add(r->samples.notes, WS_FINDING_BAD_STAMP, r->samples.source, "", r->line,
                     "readings of a GPU without time beside others with one were left out");
        return WS_OK;
    }
    r->n_gpus++;
    return push_gpu(r, error);
}

void ws_smi_drop_gpu(ws_smi_records *r)
{
    r->in_gpu = false;
}

ws_status ws_smi_finish(ws_smi_records *r, ws_status status, ws_error *error)
{
    ws_status flushed = ws_samples_flush(&r->samples, error);
    status = status == WS_OK ? flushed : status;
    if (status == WS_OK && !r->n_gpus)
        status = ws_fail_at(error, WS_DATA, r->samples.source, 0, "no readings of a GPU");
    ws_samples_free(&r->samples);
    return status;
}
