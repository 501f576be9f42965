/* How a number came about, as plain data: a tree of steps, each a number with its unit, made of the numbers below it.
 *
 * A step whose kind is a computation gives its value to the last bit from its parts, in double precision and in the
 * order in which they stand: that is what ws_step_adds_up asks, and what a reader can repeat with any program. What
 * stands beside a step is in no sum: files, findings, what was left out. Everything lives in the arena that is passed.
 */
#ifndef WS_REPORT_STEP_TREE_H
#define WS_REPORT_STEP_TREE_H

#include "core/arena.h"
#include "core/status.h"

#include <stdbool.h>
#include <stdio.h>

typedef enum ws_step_kind {
    WS_STEP_READ = 0, /* made of readings: the exact sum over them, rounded once (docs/methods.md, "Exact sums") */
    WS_STEP_COUNTED,
    WS_STEP_STATED,     /* a path, a description, a record or a table says it */
    WS_STEP_ESTIMATE,   /* a number that its parts do not give by arithmetic alone; `says` names the method */
    WS_STEP_SUM,        /* of the parts, from first to last, rounded after each addition */
    WS_STEP_MEAN,       /* that sum divided by their number */
    WS_STEP_RMSE,       /* root of the mean of (part - mean)^2, added likewise */
    WS_STEP_SD,         /* the same, divided by their number less 1 */
    WS_STEP_QUADRATURE, /* hypot of the first two, of that and the third, ...: the root of the sum of squares */
    WS_STEP_LEAST,
    WS_STEP_MOST,
    WS_STEP_FORMULA, /* `formula` of the parts, which it calls by their names (step_formula.h) */
    WS_STEP_MISSING, /* there is no number; `says` why */
    WS_STEP_ABOUT,   /* no number: a text, a file, a list of them */
    WS_STEP_N
} ws_step_kind;
const char *ws_step_kind_name(ws_step_kind kind); /* "read", "counted", "stated", "sum", ... */

/* For programs: what `says` has in words. */
typedef struct ws_step_fact {
    const char *name, *text; /* NULL: the fact is `number` */
    double number;
} ws_step_fact;

typedef struct ws_step ws_step;

typedef struct ws_step_list {
    ws_step **items;
    size_t n, capacity;
} ws_step_list;

struct ws_step {
    const char *name; /* of a part of a formula: the name that the formula has for it */
    ws_step_kind kind;
    double value;        /* NaN for none */
    const char *unit;    /* "J"; "" for a number without one */
    const char *formula; /* of WS_STEP_FORMULA, else NULL */
    const char *says;    /* one or several sentences for people, or NULL */
    ws_step_fact *facts;
    size_t n_facts, fact_capacity;
    ws_step_list parts, beside;
};

/* Texts are copied; formats of `say` replace what was said. NaN as a fact is left out. */
ws_step *ws_step_new(ws_arena *arena, ws_step_kind kind, const char *name, double value, const char *unit);
void ws_step_say(ws_arena *arena, ws_step *step, const char *format, ...) __attribute__((format(printf, 3, 4)));
void ws_step_fact_text(ws_arena *arena, ws_step *step, const char *name, const char *text); /* NULL: left out */
void ws_step_fact_number(ws_arena *arena, ws_step *step, const char *name, double number);
void ws_step_add_part(ws_arena *arena, ws_step *step, ws_step *part);
void ws_step_add_beside(ws_arena *arena, ws_step *step, ws_step *other);

/* What the parts of a step give by its kind; its own value where it has no computation; NaN where they give none. */
double ws_step_result(const ws_step *step);

/* The first step, from the top, whose value is not bit for bit what its parts give; NULL if all are. */
const ws_step *ws_step_that_fails(const ws_step *step);

typedef struct ws_step_options {
    size_t depth;   /* steps below a root that text shows; SIZE_MAX for all */
    size_t longest; /* lists of more steps are folded in text; SIZE_MAX for none */
} ws_step_options;

/* For people, at most 80 columns wide as far as names allow. */
void ws_step_write_text(FILE *stream, const ws_step *root, const ws_step_options *options);

/* One object: name kind value unit formula says facts parts beside; what is empty is left out but name, kind, value. */
void ws_step_write_json(FILE *stream, const ws_step *root);

#endif
