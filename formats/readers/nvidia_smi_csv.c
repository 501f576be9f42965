/* nvidia-smi --query-gpu=... --format=csv, with all its options:
 *
 *   timestamp, power.draw [W], utilization.gpu [%], memory.used [MiB]
 *   2026/01/03 15:36:53.507, 33.09 W, 1 %, 1129 MiB
 *
 * Option nounits omits the units of the cells (not those of the header), noheader omits the header; loggers that append
 * call after call repeat it before every row. Each row is one sample of one GPU. */
#include "formats/table/trace_csv.h"

#include "core/unit.h"
#include "formats/table/dictionary.h"

#include <string.h>

enum {
    LINES_LOOKED_AT = 40,
    CELLS_A_NAME = 8, /* at least one cell in so many of a header is a name; other tables may mention one or two */
};

/* Names that only nvidia-smi writes; one that ends with a full stop stands for all names with that beginning. */
static const char *const query_names[] = {
    "power.draw",
    "power.draw.average",
    "power.draw.instant",
    "power.limit",
    "enforced.power.limit",
    "utilization.gpu",
    "utilization.memory",
    "memory.used",
    "memory.total",
    "memory.free",
    "temperature.gpu",
    "temperature.memory",
    "pci.bus_id",
    "fan.speed",
    "clocks.",
    "pcie.",
    "ecc.",
    "encoder.",
    "clocks_throttle_reasons.",
    "clocks_event_reasons.",
};

static bool is_query_name(ws_span cell)
{
    ws_span bare;
    ws_unit_in_name(cell, &bare);
    for (size_t i = 0; i < sizeof query_names / sizeof *query_names; i++) {
        const char *name = query_names[i];
        bool is_prefix = name[strlen(name) - 1] == '.';
        if (is_prefix ? ws_span_has_prefix(bare, name) : ws_span_eq(bare, name))
            return true;
    }
    return false;
}

/* "33.09 W", "98 %", "1129 MiB": a number, one blank, the unit. */
static bool is_cell_in(ws_span cell, const char *unit)
{
    double value;
    ws_span rest;
    return ws_span_number(cell, &value, &rest) && ws_span_eq(rest, unit) && cell.n > rest.n && rest.p[-1] == ' ';
}

static bool is_time(ws_span cell)
{
    ws_role role = ws_meaning_of(cell).role;
    return role == WS_ROLE_TIME || role == WS_ROLE_DATE;
}

static int score_line(ws_span line)
{
    ws_span cell;
    size_t names = 0, watts = 0, others = 0, cells = 0, decimals = 0;
    /* nvidia-smi writes a blank after each comma. If someone removed it, the header still names the time. A table of
     * results has neither. */
    bool is_log = ws_span_contains(line, ", ") || !memchr(line.p, ',', line.n);
    while (ws_span_split(&line, ',', &cell)) {
        cell = ws_span_trim(cell);
        cells++;
        is_log = is_log || is_time(cell);
        names += is_query_name(cell);
        watts += is_cell_in(cell, "W");
        decimals += is_cell_in(cell, "W") && memchr(cell.p, '.', cell.n);
        others += is_cell_in(cell, "%") || is_cell_in(cell, "MiB") || is_cell_in(cell, "MHz");
    }
    if (names && names * CELLS_A_NAME >= cells)
        return is_log ? 95 : 0;
    if (decimals + others && watts && (cells > 1 || watts == cells)) /* nvidia-smi prints 212.00 W, people 212 W */
        return 75;
    return others > 1 ? 60 : 0;
}

/* The output of a job may precede the header: after LINES_LOOKED_AT, only lines with a word of most headers are
 * examined. */
static bool may_be_header(ws_span line)
{
    static const char *const words[] = {"power.draw", "utilization.gpu", "memory.used", "pci.bus_id"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (ws_span_contains(line, words[i]))
            return true;
    return false;
}

static int score_nvidia_smi_csv(const char *path, ws_span head)
{
    (void)path;
    ws_span line;
    int best = 0;
    for (int i = 0; best < 95 && ws_span_split(&head, '\n', &line); i++) {
        bool is_late = i >= LINES_LOOKED_AT;
        int points = is_late && (best || !may_be_header(line)) ? 0 : score_line(line);
        best = points > best ? points : best;
        if (i + 1 == LINES_LOOKED_AT && !may_be_header(head))
            break;
    }
    return best;
}

const ws_format ws_format_nvidia_smi_csv = {
    .name = "nvidia-smi-csv",
    .title = "nvidia-smi --query-gpu, with or without header and units",
    .example = "timestamp, power.draw [W], utilization.gpu [%]\n2026/01/03 15:36:53.507, 33.09 W, 1 %",
    .tier = 1,
    .gives = WS_GIVES_POWER | WS_GIVES_UTIL | WS_GIVES_MEM_UTIL | WS_GIVES_MEM_USED | WS_GIVES_CLOCK | WS_GIVES_TEMP |
             WS_GIVES_LIMIT,
    .tried = WS_TRIED_REAL,
    .score = score_nvidia_smi_csv,
    .goes_on = true,
    .tells_nodes = true,
    .read = ws_trace_csv_read,
};
