#include "analyze/ingest/own_tables.h"

enum { MOST_NAMES = 6 };

/* Names that stand together in these tables alone (docs/design.md, "Column names") and are filled in every row of them.
 */
static const struct {
    const char *command, *names[MOST_NAMES];
} heads[] = {
    {"energy", {"source", "domain", "samples", "missing", "energy_j", "coverage"}},
    {"energy --budget", {"source", "domain", "component", "u_j", "energy_lo_j"}},
    {"runs --budget", {"run", "component", "energy_kwh", "u_kwh", "energy_lo_kwh"}},
    {"runs --files", {"role", "path", "format", "samples"}},
    {"check", {"path", "at_stake_j", "share_at_stake"}},
    {"check --sources", {"path", "domain", "source", "column", "ratio"}},
    {"inspect", {"path", "format", "kind", "findings"}},
    {"inspect", {"path", "domain", "quantity", "samples", "missing"}},
    {"fit", {"model", "parameter", "value", "n"}},
    {"correlate", {"method", "y", "x", "parameter"}},
    {"compare", {"metric", "a_n", "b_n", "verdict"}},
    {"advise", {"basis", "question", "edp_kwh_h"}},
};

const char *ws_own_table_of(const ws_table *table)
{
    for (size_t h = 0; h < sizeof heads / sizeof *heads; h++) {
        bool has_all = true;
        size_t column;
        for (size_t i = 0; i < MOST_NAMES && heads[h].names[i] && has_all; i++)
            has_all = ws_table_find(table, heads[h].names[i], &column);
        if (has_all)
            return heads[h].command;
    }
    return NULL;
}
