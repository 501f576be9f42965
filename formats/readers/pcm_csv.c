/* CSV of Intel PCM (pcm -csv), below two lines of header, the second of which names columns and the first groups of
 * them:
 *
 *   System,System,System,System Pack C-States,...,Proc Energy (Joules),Proc Energy (Joules),...
 *   Date,Time,EXEC,Proc Energy (Joules),DRAM Energy (Joules),SKT0,SKT1,SKT0,...
 *   2026-02-11,08:00:01.003,0.021,101.5,12.25,60.5,41,8.25,...
 *
 * Joules used since the row before; no row says how long the first one's are of. The energies of the system are the
 * sums of its sockets' and count where these are not there (-nsocket). Older versions write semicolons, and a
 * group's name over its first column alone. Power planes lie inside their package and are passed over. Lines as
 * print_csv_header of pcm.cpp writes them. */
#include "formats/table/row_trace.h"

#include "core/arena.h"

#include <stdlib.h>
#include <string.h>

typedef struct pcm_column {
    uint32_t at;
    ws_domain domain;
    int64_t socket; /* -1: all of them */
} pcm_column;

typedef struct pcm_reader {
    const char **group; /* of the row before the names */
    uint32_t n_groups;
    pcm_column *columns;
    size_t n, capacity;
} pcm_reader;

static bool energy_domain(const char *name, ws_domain *domain)
{
    if (strcmp(name, "Proc Energy (Joules)") != 0 && strcmp(name, "DRAM Energy (Joules)") != 0)
        return false;
    *domain = *name == 'D' ? WS_DRAM : WS_CPU;
    return true;
}

static bool is_names(const ws_row *row)
{
    return row->n_cells > 2 && ws_span_eq(row->cells[0], "Date") && ws_span_eq(row->cells[1], "Time");
}

static void keep_groups(ws_arena *arena, pcm_reader *r, const ws_row *row)
{
    const char *last = "";
    r->group = ws_arena_alloc(arena, row->n_cells * sizeof *r->group);
    r->n_groups = row->n_cells;
    for (uint32_t c = 0; c < row->n_cells; c++) {
        if (row->cells[c].n)
            last = ws_arena_strndup(arena, row->cells[c].p, row->cells[c].n);
        r->group[c] = last;
    }
}

static void add_column(pcm_reader *r, uint32_t at, ws_domain domain, int64_t socket)
{
    r->columns = ws_grow(r->columns, &r->capacity, r->n + 1, sizeof *r->columns);
    r->columns[r->n++] = (pcm_column){at, domain, socket};
}

/* Behind the last name stands a comma, and behind the last reading there may be none. */
static void take_names(ws_row_trace *t, pcm_reader *r, const ws_row *row)
{
    bool has_sockets[WS_DOMAIN_N] = {false};
    size_t kept = 0;
    ws_row names = *row;
    while (names.n_cells && !names.cells[names.n_cells - 1].n)
        names.n_cells--;
    if (ws_row_policy_header(&t->policy, &t->samples.arena, &names) == WS_HEADER_AGAIN)
        return;
    r->n = 0;
    for (uint32_t c = 0; c < row->n_cells; c++) {
        ws_domain domain;
        int64_t socket = -1;
        ws_span cell = row->cells[c];
        const char *group = c < r->n_groups ? r->group[c] : "";
        bool is_socket = cell.n > 3 && ws_span_has_prefix(cell, "SKT") &&
                         ws_span_i64((ws_span){cell.p + 3, cell.n - 3}, &socket) && energy_domain(group, &domain);
        const char *name = ws_arena_strndup(&t->samples.arena, cell.p, cell.n);
        if (is_socket)
            has_sockets[domain] = true;
        if (is_socket || energy_domain(name, &domain))
            add_column(r, c, domain, is_socket ? socket : -1);
    }
    for (size_t i = 0; i < r->n; i++)
        if (r->columns[i].socket >= 0 || !has_sockets[r->columns[i].domain])
            r->columns[kept++] = r->columns[i];
    r->n = kept;
}

static ws_status push_energy(ws_row_trace *t, const pcm_column *column, const ws_row *row, int64_t t_ns,
                             ws_error *error)
{
    char id[WS_DOUBLE_TEXT + 4] = "";
    const char *name = column->domain == WS_DRAM ? "DRAM Energy (Joules)" : "Proc Energy (Joules)";
    if (column->socket >= 0)
        ws_integer_text(strcpy(id, "SKT") + 3, column->socket);
    ws_samples_key key = {.id = ws_span_of(id),
                          .identity = *id ? "index" : "",
                          .number = column->socket >= 0 ? column->socket : 0,
                          .domain = column->domain,
                          .quantity = WS_ENERGY_INTERVAL,
                          .column = name,
                          .time = t->stamps.base};
    ws_span cell = ws_row_cell(row, (int32_t)column->at);
    ws_samples_reading reading = {.t_ns = t_ns,
                                  .value =
                                      ws_samples_number(&t->samples, cell, WS_ENERGY_INTERVAL, NULL, name, row->line),
                                  .line = row->line};
    return ws_samples_push(&t->samples, &key, &reading, error);
}

static ws_status pcm_take_row(ws_row_trace *t, const ws_row *row, ws_error *error)
{
    pcm_reader *r = t->state;
    char buffer[WS_STAMP_CELLS];
    int64_t t_ns;
    ws_status status = WS_OK;
    if (is_names(row)) {
        take_names(t, r, row);
        return WS_OK;
    }
    if (row->n_cells > 2 && (!row->cells[0].n || *row->cells[0].p < '0' || *row->cells[0].p > '9')) {
        keep_groups(&t->samples.arena, r, row);
        return WS_OK;
    }
    if (!t->policy.n_columns || !ws_row_is_usable(&t->policy, row))
        return WS_OK;
    ws_span stamp = ws_timecol_join(buffer, row->cells[0], row->cells[1]);
    ws_timecol_settle(&t->stamps, stamp);
    if (!ws_timecol_read(&t->stamps, stamp, &t_ns)) {
        ws_note_bad_stamp(t->samples.notes, t->samples.source, row->line, stamp);
        return WS_OK;
    }
    for (size_t i = 0; i < r->n && status == WS_OK; i++)
        status = push_energy(t, &r->columns[i], row, t_ns, error);
    return status;
}

/* The line of names in the head, and the line before it; the sign between their cells. */
static char find_names(ws_span head)
{
    ws_span line, before = {"", 0};
    while (ws_span_split(&head, '\n', &line)) {
        bool is_comma = ws_span_has_prefix(line, "Date,Time,"), is_semicolon = ws_span_has_prefix(line, "Date;Time;");
        bool has_energy =
            ws_span_contains(line, "Proc Energy (Joules)") || ws_span_contains(before, "Proc Energy (Joules)");
        if ((is_comma || is_semicolon) && has_energy && ws_span_contains(line, "EXEC"))
            return is_comma ? ',' : ';';
        before = line;
    }
    return '\0';
}

static ws_status read_pcm_csv(ws_input *input, const ws_read_options *options, const ws_sink *sink, ws_notes *notes,
                              ws_error *error)
{
    char delimiter = find_names(ws_input_head(input));
    ws_row_trace_kind kind = {.delimiter = delimiter ? delimiter : ',',
                              .take = pcm_take_row,
                              .what = "no row of energies below the two header lines of PCM"};
    pcm_reader reader = {.n = 0};
    ws_status status = ws_row_trace_read(&kind, input, options, sink, notes, &reader, error);
    free(reader.columns);
    return status;
}

static int score_pcm_csv(const char *path, ws_span head)
{
    (void)path;
    return find_names(head) ? 97 : 0;
}

const ws_format ws_format_pcm_csv = {
    .name = "pcm-csv",
    .title = "CSV of Intel PCM with its two header lines: energies of packages and memory",
    .example = "System,System,System,System Pack C-States,Proc Energy (Joules),Proc Energy (Joules),\n"
               "Date,Time,EXEC,Proc Energy (Joules),SKT0,SKT1,\n2026-02-11,08:00:01.003,0.021,101.5,60.5,41,",
    .tier = 3,
    .gives = WS_GIVES_ENERGY,
    .tried = WS_TRIED_HAND_MADE,
    .score = score_pcm_csv,
    .holds = "Proc Energy (Joules)",
    .read = read_pcm_csv,
};
