/* Rules that decide what the columns of a trace mean.
 *
 * A fact answers one question: what does a column's name say, which column tells devices apart, is an energy a running
 * total? A rule states a fact for a column, or for the whole table, if its conditions hold, and lists the facts that it
 * needs. A fact is decided once all of its rules have been asked: if several apply to one column, the strongest wins,
 * and nothing overwrites it. So the order in which rules are asked does not matter; tests shuffle it. The rules over
 * names are in name_rules.c; those over readings beside the engine in column_rules.c, and in identity_rules.c,
 * owner_rules.c, energy_rules.c and power_rules.c. Where the evidence decides nothing, no rule guesses: the column is
 * not read, or the file is refused with the --columns to type.
 *
 * A rule that guesses a meaning names its evidence: a real log, or the documentation of a vendor or tool. */
#ifndef WS_FORMATS_COLUMN_RULES_H
#define WS_FORMATS_COLUMN_RULES_H

#include "core/arena.h"
#include "formats/table/trace_sample.h"
#include "formats/table/trace_context.h"

/* In the order in which their notes are given. */
typedef enum ws_column_fact {
    /* from the names */
    WS_FACT_SAID,  /* what a column's name, or the user, says about it */
    WS_FACT_BARE,  /* a column that names a device and no quantity holds powers */
    WS_FACT_KEPT,  /* which of several columns for the same quantity is read */
    WS_FACT_OWNER, /* what draws a column's power, if its name leaves that open */
    WS_FACT_ALL,   /* a column covers all devices */
    WS_FACT_TOTAL, /* a column is the sum of others */
    /* from the rows */
    WS_FACT_NODE,     /* the column of the node */
    WS_FACT_INDEX,    /* the column that numbers devices */
    WS_FACT_ZONES,    /* two columns name a zone of RAPL together */
    WS_FACT_NO_ID,    /* a column whose name is that of an id holds something else */
    WS_FACT_IDENTITY, /* the column that tells devices apart */
    WS_FACT_NUMBER,   /* the column of the devices' numbers */
    WS_FACT_SOCKET,   /* whether the two columns of WS_FACT_ZONES tell the devices apart */
    WS_FACT_TURNS,    /* how many devices take turns in rows that no column tells apart */
    WS_FACT_INTERVAL, /* whether rows state their interval */
    WS_FACT_CLOCK,    /* the unit of a time that names none */
    WS_FACT_COMMAS,   /* what a comma in a number means */
    WS_FACT_LEVEL,    /* what readings of powers usually are */
    WS_FACT_PROOFS,   /* what powers without a unit prove of each other */
    WS_FACT_UNIT,     /* the unit of powers and loads */
    WS_FACT_DOUBT,    /* which other readings a wrong unit puts in doubt */
    WS_FACT_STEPS,    /* how energies change from row to row of each device */
    WS_FACT_TOTALS,   /* which energies are running totals */
    WS_FACT_ROWS,     /* which of the others are energies of single rows */
    WS_FACT_ENERGY,   /* the unit of energies */
    WS_FACT_DOMAIN,   /* the domain of powers that name none */
    WS_FACT_N
} ws_column_fact;

#define WS_FACT(which) (UINT32_C(1) << (WS_FACT_##which))

typedef struct ws_column_rule ws_column_rule;

enum { WS_RULE_TABLES = 5 }; /* that are asked together */

/* What some power of the table shows: that powers are in W, or in mW; that its unit is open. Of rails of boards, too.
 */
typedef struct ws_power_proofs {
    bool watts, milliwatts, open, rail_milliwatts, rail_open;
} ws_power_proofs;

/* The columns of a table, as far as they are known. */
typedef struct ws_columns {
    const ws_plan_context *context;
    ws_plan *plan;
    uint32_t n;
    /* For rules over names: */
    const ws_row *row; /* the header, or the first row of a file without one */
    bool has_header;
    ws_meaning *said;    /* by the name or the look of each column alone */
    ws_meaning *meaning; /* by all facts so far */
    int32_t *mapped;     /* the entry of the user's map for each column, or WS_NO_COLUMN */
    /* For rules over readings: */
    const ws_trace_sample *sample;
    int64_t *t_ns;          /* instants of the rows; NULL: without time */
    ws_plan_value **value;  /* of each column; NULL: it holds none */
    ws_column_steps *steps; /* of each column's energies, from WS_FACT_STEPS on */
    double *level;          /* the median of each column's powers as they stand, from WS_FACT_LEVEL on; 0: none */
    ws_power_proofs proofs; /* from WS_FACT_PROOFS on */
    bool has_wrong_unit;    /* of a power, from WS_FACT_UNIT on */
    size_t least_zones;     /* different words that make a column one of zones */
    int32_t zones;          /* the column of zones beside that of sockets, from WS_FACT_ZONES on; or WS_NO_COLUMN */
    /* Of the rules: */
    const struct ws_rule_table *tables[WS_RULE_TABLES]; /* NULL: none */
    const ws_column_rule *rule;                         /* whose effect runs */
    ws_notes notes[WS_FACT_N];
    uint32_t decided; /* WS_FACT() bits */
    ws_status status; /* other than WS_OK: refused */
    ws_error *error;
} ws_columns;

struct ws_column_rule {
    const char *id;
    ws_column_fact fact;
    int strength;                                            /* among the rules of one fact; no two have the same */
    uint32_t needs;                                          /* WS_FACT() bits of the facts to decide first */
    bool (*if_table)(const ws_columns *t);                   /* NULL: any table */
    bool (*if_column)(const ws_columns *t, uint32_t column); /* NULL: the rule is about the table and no column */
    void (*effect)(ws_columns *t, uint32_t column);
    ws_finding finding;   /* of ws_rule_note in the effect */
    const char *evidence; /* the reason, and the file or page that has it */
};

/* Asks the rules of these facts (WS_FACT() bits) until nothing changes, then passes on the notes of all facts up to one
 * that refuses the table. */
ws_status ws_columns_decide(ws_columns *columns, uint32_t facts);

/* A note of the rule whose effect runs. */
void ws_rule_note(ws_columns *columns, const char *subject, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#define WS_FACTS_OF_NAMES (WS_FACT(NODE) - 1)
#define WS_FACTS_OF_READINGS ((UINT32_C(1) << WS_FACT_N) - WS_FACT(NODE))

typedef struct ws_rule_table {
    const ws_column_rule *rules;
    size_t n;
} ws_rule_table;

/* All of them: over names; over readings, those of energies and of powers without a unit only where there are such
 * columns. */
extern const ws_rule_table ws_name_rules, ws_identity_rules, ws_reading_rules, ws_energy_rules, ws_power_rules,
    ws_owner_rules;

/* For rules over names. */

static inline ws_span ws_column_name(const ws_columns *t, uint32_t column)
{
    return t->row->cells[column];
}

/* Its name as a text of its own, for subjects of notes. */
static inline const char *ws_column_text(const ws_columns *t, uint32_t column)
{
    return ws_arena_strndup(t->context->arena, t->row->cells[column].p, t->row->cells[column].n);
}

static inline bool ws_column_is_unknown(const ws_columns *t, uint32_t column)
{
    return t->meaning[column].role == WS_ROLE_UNKNOWN;
}

/* What the user says of columns leaves no room for guesses. */
static inline bool ws_has_no_map(const ws_columns *t)
{
    return t->context->map->n == 0;
}

/* For rules over readings. */

static inline bool ws_has_rows(const ws_columns *t)
{
    return t->sample->n > 0;
}

static inline const ws_column_stats *ws_stats_of(const ws_columns *t, uint32_t column)
{
    return ws_stats_of_column(t->sample, (int32_t)column);
}

/* "" without a header. */
static inline const char *ws_header_of(const ws_columns *t, int32_t column)
{
    return t->plan->header ? t->plan->header[column] : "";
}

static inline bool ws_holds_energy(const ws_columns *t, uint32_t column)
{
    return t->value[column] && ws_is_energy(t->value[column]->meaning.quantity);
}

#endif
