/* Reports of GEOPM, newer and older: totals of each host below a head of the run.
 *
 *   GEOPM Version: 2.0.0                       ##### geopm 1.1.0 #####
 *   Start Time: Wed Feb 11 08:00:00 2026       Start Time: Wed Feb 11 08:00:00 2026
 *   Hosts:
 *     n1:                                      Host: n1
 *       Regions:                               Region all2all (0x000000003ddc81bf):
 *       -                                          runtime (sec): 10.0041
 *         region: "dgemm"
 *         package-energy (J): 400
 *       Application Totals:                    Application Totals:
 *         runtime (s): 5.0                         runtime (sec): 20.5
 *         package-energy (J): 881.0                package-energy (joules): 3600.5
 *         dram-energy (J): 60.5                    dram-energy (joules): 240.25
 *
 * The totals of the application are the host's over its runtime; regions and the epoch are parts of them. */
#include "formats/table/row_trace.h"

#include <stdio.h>
#include <string.h>

enum { NAME = 256 };

static const struct geopm_energy {
    const char *name;
    ws_domain domain;
} energies[] = {{"package-energy", WS_CPU},
                {"cpu-energy", WS_CPU},
                {"dram-energy", WS_DRAM},
                {"gpu-energy", WS_GPU},
                {"board-energy", WS_NODE}};

enum { ENERGIES = sizeof energies / sizeof *energies };

typedef struct geopm_reader {
    char host[NAME];
    size_t totals_indent, hosts_indent, host_indent;
    bool in_hosts, has_host_indent, in_totals;
    int64_t start_ns, runtime_ns;
    ws_time_base base;
    double energy_j[ENERGIES];
    bool has_energy[ENERGIES];
} geopm_reader;

static size_t indent_of(ws_span line)
{
    size_t n = 0;
    while (n < line.n && line.p[n] == ' ')
        n++;
    return n;
}

static ws_status push_totals(ws_row_trace *t, ws_error *error)
{
    geopm_reader *r = t->state;
    ws_status status = WS_OK;
    for (size_t i = 0; i < ENERGIES && status == WS_OK && r->in_totals && r->runtime_ns > 0; i++) {
        ws_samples_key key = {.node = ws_span_of(r->host),
                              .id = ws_span_of(""),
                              .identity = "",
                              .number = 0,
                              .domain = energies[i].domain,
                              .quantity = WS_ENERGY_INTERVAL,
                              .column = energies[i].name,
                              .rule = WS_RULE_GIVEN,
                              .time = r->base};
        ws_samples_reading reading = {.t_ns = r->start_ns + r->runtime_ns,
                                      .interval_ns = r->runtime_ns,
                                      .value = r->energy_j[i],
                                      .line = t->line};
        if (r->has_energy[i])
            status = ws_samples_push(&t->samples, &key, &reading, error);
        r->has_energy[i] = false;
    }
    r->in_totals = false;
    r->runtime_ns = 0;
    return status;
}

/* "package-energy (J): 881.021", "runtime (sec): 10.0" */
static void take_total(ws_row_trace *t, ws_span line)
{
    geopm_reader *r = t->state;
    ws_span name, value, bare;
    if (!ws_span_cut(line, ":", &name, &value))
        return;
    name = ws_span_trim(name);
    value = ws_span_trim(value);
    const ws_unit *unit = ws_unit_in_name(name, &bare);
    if (ws_span_eq(bare, "runtime") && unit && unit->dimension == WS_DIM_TIME &&
        (!ws_seconds_to_ns(value, &r->runtime_ns) || r->runtime_ns <= 0))
        ws_row_trace_note(t, WS_FINDING_BAD_DURATION, "no runtime in seconds:", value);
    for (size_t i = 0; i < ENERGIES; i++) {
        if (!ws_span_eq(bare, energies[i].name) || !unit || unit->dimension != WS_DIM_ENERGY)
            continue;
        r->energy_j[i] = ws_samples_number(&t->samples, value, WS_ENERGY_INTERVAL, unit, energies[i].name, t->line);
        r->has_energy[i] = true;
    }
}

/* A host of the list, or the older "Host: n1". */
static void take_host(geopm_reader *r, ws_span line)
{
    ws_span text = ws_span_trim(line);
    size_t indent = indent_of(line);
    static const char older[] = "Host: ";
    if (ws_span_has_prefix(text, older))
        text = (ws_span){text.p + sizeof older - 1, text.n - (sizeof older - 1)};
    else if (r->in_hosts && text.n > 1 && text.p[text.n - 1] == ':' && indent > r->hosts_indent &&
             (!r->has_host_indent || indent == r->host_indent))
        text.n--;
    else
        return;
    r->has_host_indent |= r->in_hosts;
    r->host_indent = indent;
    snprintf(r->host, sizeof r->host, "%.*s", text.n < NAME ? (int)text.n : NAME - 1, text.p);
}

static ws_status geopm_take_line(ws_row_trace *t, const ws_row *row, ws_error *error)
{
    ws_span line = *row->cells;
    geopm_reader *r = t->state;
    ws_span before, after;
    ws_status status = WS_OK;
    if (t->row->unfinished) {
        ws_row_trace_note(t, WS_FINDING_TRUNCATED_LINE, "the last line may be cut and was left out:", line);
        return WS_OK;
    }
    ws_span text = ws_span_trim(line);
    if (r->in_totals && indent_of(line) > r->totals_indent) {
        take_total(t, text);
        return WS_OK;
    }
    status = push_totals(t, error);
    if (ws_span_has_prefix(text, "Start Time:") && ws_span_cut(text, ":", &before, &after)) {
        after = ws_span_trim(after);
        ws_timecol_settle(&t->stamps, after);
        if (ws_timecol_read(&t->stamps, after, &r->start_ns))
            r->base = t->stamps.base;
    } else if (ws_span_eq(text, "Hosts:")) {
        r->in_hosts = true;
        r->hosts_indent = indent_of(line);
    } else if (ws_span_eq(text, "Application Totals:")) {
        r->in_totals = true;
        r->totals_indent = indent_of(line);
    } else {
        take_host(r, line);
    }
    return status;
}

static ws_status read_geopm_report(ws_input *input, const ws_read_options *options, const ws_sink *sink,
                                   ws_notes *notes, ws_error *error)
{
    geopm_reader reader = {.base = WS_TIME_RELATIVE};
    static const ws_row_trace_kind kind = {.delimiter = WS_LINES,
                                           .take = geopm_take_line,
                                           .end = push_totals,
                                           .what = "no application totals with a runtime and an energy"};
    return ws_row_trace_read(&kind, input, options, sink, notes, &reader, error);
}

static int score_geopm_report(const char *path, ws_span head)
{
    (void)path;
    ws_span line;
    bool is_geopm = false, has_start = false, has_agent = false;
    while (ws_span_split(&head, '\n', &line)) {
        is_geopm |= ws_span_has_prefix(line, "GEOPM Version:") || ws_span_has_prefix(line, "##### geopm ");
        has_start |= is_geopm && ws_span_has_prefix(line, "Start Time:");
        has_agent |= has_start && ws_span_has_prefix(line, "Agent:");
    }
    return has_agent ? 96 : 0;
}

const ws_format ws_format_geopm_report = {
    .name = "geopm-report",
    .title = "report of GEOPM: energies of each host over the run",
    .example =
        "GEOPM Version: 2.0.0\nStart Time: Wed Feb 11 08:00:00 2026\nProfile: demo\nAgent: monitor\nHosts:\n  n1:\n"
        "    Application Totals:\n      runtime (s): 5.0\n      package-energy (J): 881.0",
    .tier = 3,
    .gives = WS_GIVES_ENERGY,
    .tried = WS_TRIED_HAND_MADE,
    .score = score_geopm_report,
    .read = read_geopm_report,
};
