/* What people call the columns and the values of a campaign, and how series look: "series=lbs256" is "local batch 256"
 * in red, "energy_kwh" is printed in MJ. Figures, tables for people and the story follow it; CSV and JSON keep the
 * names and numbers that programs rely on. */
#ifndef WS_CORE_LOOKS_H
#define WS_CORE_LOOKS_H

#include "core/arena.h"
#include "core/status.h"
#include "core/text.h"

#include <stddef.h>
#include <stdint.h>

/* Missing settings are NULL, NaN or -1. */
typedef struct ws_look {
    const char *column; /* "series" */
    const char *value;  /* "lbs256"; NULL: the column itself is meant */
    const char *name;   /* instead of the value or the column */
    const char *unit;   /* of a column: its numbers are converted where its name has a unit, else this is printed */
    double factor;      /* of that conversion, 1 without one */
    double order;       /* series go by rising order; those without one stand behind */
    int32_t colour;     /* 0xRRGGBB */
    int marker;         /* place in ws_marker_names */
} ws_look;

typedef struct ws_looks {
    ws_look *items;
    size_t n, capacity;
} ws_looks;

/* "circle square triangle diamond down pentagon", in the order of ws_marker of report/figure/figure_style.h. */
extern const char *const ws_marker_names[];
enum { WS_MARKER_NAMES = 6 };

/* The look of that key ("series=lbs256", "energy_kwh"), added where it is new; NULL, and an error, for no key. Texts
 * are copied into the arena. The pointer is good until the next one is added. */
ws_look *ws_looks_at(ws_looks *looks, ws_arena *arena, ws_span key, ws_error *error);
/* One of name, unit, order, colour and marker. WS_USAGE: another setting, or a value that it cannot have. */
ws_status ws_look_set(ws_look *look, ws_arena *arena, ws_span setting, ws_span value, ws_error *error);
/* "series=lbs256: name=local batch 256, colour=#bb5566, marker=square, order=1". */
ws_status ws_looks_parse(ws_looks *looks, ws_arena *arena, const char *text, ws_error *error);
void ws_looks_merge(ws_looks *looks, ws_arena *arena, const ws_looks *from); /* what `from` says goes first */
void ws_looks_free(ws_looks *looks);

/* `looks` may be NULL; NULL where nothing is said. */
const ws_look *ws_look_of_column(const ws_looks *looks, const char *column);
const ws_look *ws_look_of_value(const ws_looks *looks, const char *column, const char *value);

#endif
