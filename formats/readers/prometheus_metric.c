#include "formats/readers/prometheus_metric.h"

#include "formats/readers/dcgm_field.h"
#include "formats/table/dictionary.h"

#include <stdlib.h>
#include <string.h>

/* Names as the exporters' sources and documentation have them. `device`: labels that tell the device, the first that
 * is there. */
typedef struct prom_metric {
    const char *name;
    ws_prom_family family;
    ws_domain domain;
    ws_quantity quantity;
    const char *unit;
    int preference;
    const char *device[3];
} prom_metric;

static const prom_metric metrics[] = {
    /* utkuozdemir's and mindprince's exporters, all-smi */
    {"nvidia_smi_power_draw_watts", WS_PROM_NVIDIA_SMI, WS_GPU, WS_POWER, "W", 0, {"uuid"}},
    {"nvidia_smi_power_draw_average_watts", WS_PROM_NVIDIA_SMI, WS_GPU, WS_POWER, "W", 1, {"uuid"}},
    {"nvidia_gpu_power_usage_milliwatts", WS_PROM_NVIDIA_SMI, WS_GPU, WS_POWER, "mW", 2, {"uuid", "minor_number"}},
    {"all_smi_gpu_power_consumption_watts", WS_PROM_NVIDIA_SMI, WS_GPU, WS_POWER, "W", 3, {"uuid", "index"}},
    /* Omnistat */
    {"rocm_average_socket_power_watts", WS_PROM_ROCM, WS_GPU, WS_POWER, "W", 0, {"card"}},
    {"rocm_energy_joules", WS_PROM_ROCM, WS_GPU, WS_ENERGY_COUNTER, "J", 0, {"card"}},
    {"rocm_utilization_percentage", WS_PROM_ROCM, WS_GPU, WS_UTIL, "%", 0, {"card"}},
    {"rocm_vram_busy_percentage", WS_PROM_ROCM, WS_GPU, WS_MEM_UTIL, "%", 0, {"card"}},
    {"rocm_sclk_clock_mhz", WS_PROM_ROCM, WS_GPU, WS_CLOCK, "MHz", 0, {"card"}},
    {"rocm_power_cap_watts", WS_PROM_ROCM, WS_GPU, WS_POWER_LIMIT, "W", 0, {"card"}},
    {"omnistat_vendor_power_watts", WS_PROM_VENDOR, WS_NODE, WS_POWER, "W", 0, {NULL}},
    {"omnistat_vendor_energy_joules", WS_PROM_VENDOR, WS_NODE, WS_ENERGY_COUNTER, "J", 0, {NULL}},
    {"omnistat_vendor_cpu_power_watts", WS_PROM_VENDOR, WS_CPU, WS_POWER, "W", 0, {NULL}},
    {"omnistat_vendor_cpu_energy_joules", WS_PROM_VENDOR, WS_CPU, WS_ENERGY_COUNTER, "J", 0, {NULL}},
    {"omnistat_vendor_memory_power_watts", WS_PROM_VENDOR, WS_DRAM, WS_POWER, "W", 0, {NULL}},
    {"omnistat_vendor_memory_energy_joules", WS_PROM_VENDOR, WS_DRAM, WS_ENERGY_COUNTER, "J", 0, {NULL}},
    {"omnistat_vendor_accel_power_watts", WS_PROM_VENDOR, WS_GPU, WS_POWER, "W", 0, {"accel"}},
    {"omnistat_vendor_accel_energy_joules", WS_PROM_VENDOR, WS_GPU, WS_ENERGY_COUNTER, "J", 0, {"accel"}},
    /* node_exporter: an ACPI power meter is the node's, a GPU's chip cannot be told by its name */
    {"node_hwmon_power_average_watt", WS_PROM_HWMON, WS_OTHER, WS_POWER, "W", 0, {"chip"}},
    {"node_hwmon_power_input_watt", WS_PROM_HWMON, WS_OTHER, WS_POWER, "W", 1, {"chip"}},
    {"node_hwmon_energy_joule_total", WS_PROM_HWMON, WS_OTHER, WS_ENERGY_COUNTER, "J", 0, {"chip"}},
    /* ipmi_exporter, CEEMS */
    {"ipmi_dcmi_power_consumption_watts", WS_PROM_IPMI, WS_NODE, WS_POWER, "W", 0, {NULL}},
    {"ceems_ipmi_dcmi_current_watts", WS_PROM_IPMI, WS_NODE, WS_POWER, "W", 0, {NULL}},
    {"ceems_ipmi_dcmi_current_watts_total", WS_PROM_IPMI, WS_NODE, WS_POWER, "W", 0, {NULL}},
    /* Scaphandre: the host holds the sockets */
    {"scaph_host_power_microwatts", WS_PROM_SCAPHANDRE, WS_PSYS, WS_POWER, "uW", 0, {NULL}},
    {"scaph_socket_power_microwatts", WS_PROM_SCAPHANDRE, WS_CPU, WS_POWER, "uW", 0, {"socket_id"}},
    {"scaph_domain_power_microwatts", WS_PROM_SCAPHANDRE, WS_OTHER, WS_POWER, "uW", 0, {"socket_id"}},
    {"scaph_host_energy_microjoules", WS_PROM_SCAPHANDRE, WS_PSYS, WS_ENERGY_COUNTER, "uJ", 0, {NULL}},
    {"scaph_socket_energy_microjoules", WS_PROM_SCAPHANDRE, WS_CPU, WS_ENERGY_COUNTER, "uJ", 0, {"socket_id"}},
    {"scaph_domain_energy_microjoules", WS_PROM_SCAPHANDRE, WS_OTHER, WS_ENERGY_COUNTER, "uJ", 0, {"socket_id"}},
    /* Kepler since 0.10, by zone, and before, by name */
    {"kepler_node_cpu_joules_total", WS_PROM_KEPLER, WS_OTHER, WS_ENERGY_COUNTER, "J", 0, {"path", "package"}},
    {"kepler_node_cpu_watts", WS_PROM_KEPLER, WS_OTHER, WS_POWER, "W", 0, {"path", "package"}},
    {"kepler_node_package_joules_total", WS_PROM_KEPLER, WS_CPU, WS_ENERGY_COUNTER, "J", 0, {"package"}},
    {"kepler_node_core_joules_total", WS_PROM_KEPLER, WS_CPU_CORE, WS_ENERGY_COUNTER, "J", 0, {"package"}},
    {"kepler_node_uncore_joules_total", WS_PROM_KEPLER, WS_CPU_GFX, WS_ENERGY_COUNTER, "J", 0, {"package"}},
    {"kepler_node_dram_joules_total", WS_PROM_KEPLER, WS_DRAM, WS_ENERGY_COUNTER, "J", 0, {"package"}},
    {"kepler_node_gpu_joules_total", WS_PROM_KEPLER, WS_GPU, WS_ENERGY_COUNTER, "J", 0, {"gpu_uuid", "uuid", "gpu"}},
    {"kepler_node_gpu_watts", WS_PROM_KEPLER, WS_GPU, WS_POWER, "W", 0, {"gpu_uuid", "uuid", "gpu"}},
    {"kepler_node_platform_joules_total", WS_PROM_KEPLER, WS_NODE, WS_ENERGY_COUNTER, "J", 0, {NULL}},
    {"kepler_node_platform_watts", WS_PROM_KEPLER, WS_NODE, WS_POWER, "W", 0, {NULL}},
    {"kepler_platform_watts", WS_PROM_KEPLER, WS_NODE, WS_POWER, "W", 0, {"power_control_id", "chassis_id"}},
};

static const char *family_name(ws_prom_family family)
{
    static const char *const names[WS_PROM_FAMILY_N] = {
        [WS_PROM_DCGM] = "the DCGM exporter",
        [WS_PROM_NVIDIA_SMI] = "an exporter over nvidia-smi",
        [WS_PROM_ROCM] = "ROCm, by Omnistat",
        [WS_PROM_RAPL] = "node_exporter's RAPL zones",
        [WS_PROM_IPMI] = "IPMI",
        [WS_PROM_HWMON] = "node_exporter's hwmon",
        [WS_PROM_VENDOR] = "Omnistat's vendor counters",
        [WS_PROM_SCAPHANDRE] = "Scaphandre",
        [WS_PROM_KEPLER] = "Kepler",
    };
    return names[family];
}

void ws_prom_sources_add(ws_prom_sources *sources, const ws_prom_about *about)
{
    ws_prom_source added = {about->domain, about->family, about->node};
    if (about->domain == WS_OTHER || !ws_quantity_gives_energy(about->quantity))
        return;
    for (size_t i = sources->n; i-- > 0;) {
        const ws_prom_source *s = &sources->items[i];
        if (s->domain == added.domain && s->family == added.family && strcmp(s->node, added.node) == 0)
            return;
    }
    sources->items = ws_grow(sources->items, &sources->capacity, sources->n + 1, sizeof *sources->items);
    sources->items[sources->n++] = added;
}

void ws_prom_sources_free(ws_prom_sources *sources)
{
    free(sources->items);
    *sources = (ws_prom_sources){.n = 0};
}

/* No GPU is of both vendors. */
static bool may_be_same(ws_prom_family a, ws_prom_family b)
{
    bool a_is_nvidia = a == WS_PROM_DCGM || a == WS_PROM_NVIDIA_SMI || a == WS_PROM_KEPLER;
    bool b_is_nvidia = b == WS_PROM_DCGM || b == WS_PROM_NVIDIA_SMI || b == WS_PROM_KEPLER;
    return !(a == WS_PROM_ROCM && b_is_nvidia) && !(b == WS_PROM_ROCM && a_is_nvidia);
}

static bool share_a_node(const ws_prom_sources *sources, ws_domain domain, ws_prom_family a, ws_prom_family b)
{
    for (size_t i = 0; i < sources->n; i++)
        for (size_t j = 0; j < sources->n; j++) {
            const ws_prom_source *s = &sources->items[i], *t = &sources->items[j];
            if (s->domain == domain && t->domain == domain && s->family == a && t->family == b &&
                strcmp(s->node, t->node) == 0)
                return true;
        }
    return false;
}

static const ws_prom_source *find_counted(const ws_prom_sources *sources, const ws_prom_about *about)
{
    for (size_t i = 0; i < sources->n && about->domain != WS_OTHER; i++) {
        const ws_prom_source *s = &sources->items[i];
        bool is_before = s->domain == about->domain && s->family < about->family;
        if (is_before && (s->domain != WS_GPU || may_be_same(s->family, about->family)) &&
            (strcmp(s->node, about->node) == 0 || !share_a_node(sources, s->domain, s->family, about->family)))
            return s;
    }
    return NULL;
}

void ws_prom_leave_out(const ws_prom_sources *sources, ws_prom_about *about, const char *column, ws_arena *arena,
                       const char *source, ws_notes *notes)
{
    const ws_prom_source *counted = find_counted(sources, about);
    if (!counted)
        return;
    ws_notes_add(notes, WS_FINDING_MEASURED_TWICE, source, ws_domain_name(about->domain), 0,
                 "%s and %s measure the same domain: %s is shown under 'other' and added to nothing",
                 family_name(counted->family), family_name(about->family), family_name(about->family));
    about->domain = WS_OTHER;
    about->id = ws_arena_printf(arena, "%s %s", column, about->id);
}

/* "node_rapl_package_joules_total": the zone's name. */
static bool is_rapl(ws_span name, ws_span *zone)
{
    static const char *const prefixes[] = {"node_rapl_", "ceems_rapl_"};
    static const char suffix[] = "_joules_total";
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++) {
        size_t n = strlen(prefixes[i]);
        if (!ws_span_has_prefix(name, prefixes[i]) || !ws_span_has_suffix(name, suffix) ||
            name.n <= n + sizeof suffix - 1)
            continue;
        *zone = (ws_span){name.p + n, name.n - n - (sizeof suffix - 1)};
        return true;
    }
    return false;
}

static const prom_metric *find_metric(ws_span name)
{
    for (size_t i = 0; i < sizeof metrics / sizeof *metrics; i++)
        if (ws_span_eq(name, metrics[i].name))
            return &metrics[i];
    return NULL;
}

bool ws_prom_is_known(ws_span name)
{
    ws_span zone;
    if (ws_span_has_prefix(name, "DCGM_FI_"))
        return ws_dcgm_field_find(name) != NULL;
    return is_rapl(name, &zone) || find_metric(name);
}

static const char *first_label(ws_prom_label *label, const void *labels, const char *const *names, size_t n)
{
    for (size_t i = 0; i < n && names[i]; i++) {
        const char *text = label(labels, names[i]);
        if (*text)
            return text;
    }
    return "";
}

/* Where the exporter's own label is gone, as after a sum by others, "instance" has its host and port. */
static const char *node_of(ws_arena *arena, ws_prom_label *label, const void *labels)
{
    static const char *const nodes[] = {"Hostname", "hostname", "node", "node_name", "host", "exported_instance"};
    const char *node = first_label(label, labels, nodes, sizeof nodes / sizeof *nodes);
    const char *instance = label(labels, "instance"), *port = strrchr(instance, ':');
    if (*node || !port)
        return *node ? node : instance;
    return ws_arena_strndup(arena, instance, (size_t)(port - instance));
}

static bool find_dcgm(const char *name, ws_prom_label *label, const void *labels, ws_prom_about *a)
{
    static const char *const uuids[] = {"UUID", "uuid"};
    const ws_dcgm_field *field = ws_dcgm_field_find(ws_span_of(name));
    const char *uuid = first_label(label, labels, uuids, 2), *gpu = label(labels, "gpu");
    if (!field)
        return false;
    a->family = WS_PROM_DCGM;
    a->domain = WS_GPU;
    a->quantity = field->quantity;
    a->unit = ws_dcgm_unit(field);
    a->preference = field->preference;
    a->id = *uuid ? uuid : gpu;
    a->identity = *uuid ? "uuid" : "index";
    a->model = label(labels, "modelName");
    ws_span_i64(ws_span_of(gpu), &a->number);
    return true;
}

/* "intel-rapl:0" of "/host/sys/class/powercap/intel-rapl:0" */
static ws_span last_part(const char *path)
{
    const char *slash = strrchr(path, '/');
    return ws_span_of(slash ? slash + 1 : path);
}

/* intel-rapl-mmio shows a package that intel-rapl shows, too. */
static bool find_rapl(ws_arena *arena, ws_span zone_name, ws_prom_label *label, const void *labels, ws_prom_about *a)
{
    ws_rapl_zone zone;
    ws_span path = last_part(label(labels, "path"));
    if (ws_span_contains(path, "mmio") ||
        !ws_rapl_zone_at((ws_span){"", 0}, ws_span_of(label(labels, "index")), zone_name, &zone))
        return false;
    a->family = WS_PROM_RAPL;
    a->domain = zone.domain;
    a->quantity = WS_ENERGY_COUNTER;
    a->number = zone.package;
    a->identity = "name";
    a->id = ws_arena_printf(arena, "%.*s %s", WS_SPAN_ARG(zone_name), label(labels, "index"));
    return true;
}

/* Domain and package of a zone that a label names. */
static bool take_zone(ws_arena *arena, const char *name, const char *place, ws_prom_about *a)
{
    ws_rapl_zone zone;
    ws_span path = last_part(place);
    if (!*name || !ws_rapl_zone_at(path, (ws_span){"", 0}, ws_span_of(name), &zone))
        return false;
    int64_t number;
    a->domain = zone.domain;
    a->number = ws_span_i64(path, &number) && number >= 0 ? number : zone.package;
    a->identity = "name";
    a->id = *place ? ws_arena_printf(arena, "%s %.*s", name, WS_SPAN_ARG(path)) : name;
    return true;
}

static bool is_uuid(const char *device)
{
    enum { UUID = 36 };
    return strncmp(device, "GPU-", 4) == 0 || strlen(device) == UUID;
}

bool ws_prom_find(ws_arena *arena, const char *name, ws_prom_label *label, const void *labels, ws_prom_about *a)
{
    ws_span zone_name;
    *a = (ws_prom_about){.id = "", .identity = "", .model = "", .part = "", .number = -1};
    a->node = node_of(arena, label, labels);
    if (strncmp(name, "DCGM_FI_", 8) == 0)
        return find_dcgm(name, label, labels, a);
    if (is_rapl(ws_span_of(name), &zone_name))
        return find_rapl(arena, zone_name, label, labels, a);
    const prom_metric *m = find_metric(ws_span_of(name));
    if (!m)
        return false;
    const char *device = first_label(label, labels, m->device, sizeof m->device / sizeof *m->device);
    if (!*device && m->domain == WS_GPU) /* a table of one's own, which calls them otherwise */
        device = label(labels, "gpu");
    a->family = m->family;
    a->domain = m->domain;
    a->quantity = m->quantity;
    a->unit = ws_unit_find(ws_span_of(m->unit));
    a->preference = m->preference;
    a->id = device;
    a->identity = !*device ? "" : is_uuid(device) ? "uuid" : "index";
    ws_span_i64(ws_span_of(device), &a->number);
    if (m->family == WS_PROM_KEPLER)
        a->part = label(labels, "mode");
    if (m->family == WS_PROM_HWMON) {
        const char *sensor = label(labels, "sensor");
        a->domain = strstr(device, "acpi000d") || strstr(device, "power_meter") ? WS_NODE : WS_OTHER;
        a->id = *sensor ? ws_arena_printf(arena, "%s %s", device, sensor) : device;
        a->identity = "sensor";
        a->number = -1;
    }
    if (strncmp(name, "scaph_domain_", strlen("scaph_domain_")) == 0)
        return take_zone(arena, label(labels, "domain_name"), device, a);
    if (strncmp(name, "kepler_node_cpu_", strlen("kepler_node_cpu_")) == 0)
        return take_zone(arena, label(labels, "zone"), device, a);
    return true;
}

ws_samples_key ws_prom_key(ws_samples *samples, const ws_prom_about *about, const char *column, ws_time_base time)
{
    return (ws_samples_key){.node = ws_span_of(about->node),
                            .id = ws_span_of(about->id),
                            .identity = about->identity,
                            .number = about->number,
                            .domain = about->domain,
                            .quantity = about->quantity,
                            .column = ws_samples_name(samples, ws_span_of(column)),
                            .preference = about->preference,
                            .time = time};
}
