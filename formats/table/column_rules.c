/* How rules are asked. */
#include "formats/table/column_rules.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

/* Rules being asked. */
typedef struct asking {
    ws_columns *t;
    const ws_column_rule **rules; /* in the order in which they are asked */
    size_t n;
    bool *is_asked;
    /* The strongest rule so far that applies, for each fact and column; the last column is the table itself. NULL:
     * none. */
    const ws_column_rule **winners;
} asking;

static uint32_t bit(ws_column_fact fact)
{
    return UINT32_C(1) << fact;
}

static const ws_column_rule **winner_of(const asking *a, ws_column_fact fact, uint32_t column)
{
    return &a->winners[(size_t)fact * (a->t->n + 1) + column];
}

static void claim(const asking *a, const ws_column_rule *rule, uint32_t column)
{
    const ws_column_rule **winners = winner_of(a, rule->fact, column);
    if (!*winners || (*winners)->strength < rule->strength)
        *winners = rule;
}

static void ask(const asking *a, const ws_column_rule *rule)
{
    const ws_columns *t = a->t;
    if (rule->if_table && !rule->if_table(t))
        return;
    if (!rule->if_column)
        claim(a, rule, t->n);
    for (uint32_t c = 0; rule->if_column && c < t->n; c++)
        if (rule->if_column(t, c))
            claim(a, rule, c);
}

/* Runs the effects of the winners. */
static void decide(const asking *a, ws_column_fact fact)
{
    ws_columns *t = a->t;
    for (uint32_t c = 0; c <= t->n && t->status == WS_OK; c++) {
        t->rule = *winner_of(a, fact, c);
        if (t->rule)
            t->rule->effect(t, c);
    }
    t->decided |= t->status == WS_OK ? bit(fact) : 0;
}

static bool has_asked_all(const asking *a, ws_column_fact fact)
{
    for (size_t r = 0; r < a->n; r++)
        if (a->rules[r]->fact == fact && !a->is_asked[r])
            return false;
    return true;
}

static bool ask_once_more(const asking *a, uint32_t facts)
{
    bool changes = false;
    for (size_t r = 0; r < a->n; r++) {
        const ws_column_rule *rule = a->rules[r];
        if (a->is_asked[r] || !(facts & bit(rule->fact)) || (rule->needs & ~a->t->decided))
            continue;
        ask(a, rule);
        a->is_asked[r] = changes = true;
        if (has_asked_all(a, rule->fact))
            decide(a, rule->fact);
    }
    return changes;
}

/* Fisher and Yates, by a generator of Numerical Recipes. */
static void shuffle(const ws_column_rule **rules, size_t n, uint32_t seed)
{
    for (size_t i = n; seed && i > 1; i--) {
        seed = seed * UINT32_C(1664525) + UINT32_C(1013904223);
        size_t other = (seed >> 8) % i;
        const ws_column_rule *swapped = rules[i - 1];
        rules[i - 1] = rules[other];
        rules[other] = swapped;
    }
}

static const ws_column_rule **ordered_rules(const ws_columns *t, size_t *n)
{
    const ws_column_rule **rules = NULL;
    size_t capacity = 0;
    *n = 0;
    for (int table = 0; table < WS_RULE_TABLES; table++)
        for (size_t i = 0; t->tables[table] && i < t->tables[table]->n; i++) {
            rules = ws_grow(rules, &capacity, *n + 1, sizeof *rules);
            rules[(*n)++] = &t->tables[table]->rules[i];
        }
    shuffle(rules, *n, t->context->rule_order);
    return rules;
}

/* Those that some rule states; the others say nothing about this table. */
static uint32_t stated_facts(const asking *a, uint32_t facts)
{
    uint32_t stated = 0;
    for (size_t i = 0; i < a->n; i++)
        stated |= bit(a->rules[i]->fact);
    return facts & stated;
}

/* Drops the notes of facts after one that refuses the table: the user fixes that first. */
static void pass_notes_on(ws_columns *t, uint32_t facts)
{
    bool is_after_refusal = false;
    for (int fact = 0; fact < WS_FACT_N; fact++) {
        if (!is_after_refusal && t->context->notes)
            ws_notes_append(t->context->notes, &t->notes[fact]);
        is_after_refusal |= (facts & ~t->decided & bit((ws_column_fact)fact)) != 0;
        ws_notes_free(&t->notes[fact]);
    }
}

ws_status ws_columns_decide(ws_columns *t, uint32_t facts)
{
    asking a = {.t = t};
    a.rules = ordered_rules(t, &a.n);
    facts = stated_facts(&a, facts);
    a.is_asked = ws_alloc(a.n * sizeof *a.is_asked);
    a.winners = ws_alloc((size_t)WS_FACT_N * (t->n + 1) * sizeof *a.winners);
    t->decided = ~facts;
    while (ask_once_more(&a, facts))
        ;
    free(a.winners);
    free(a.is_asked);
    free(a.rules);
    pass_notes_on(t, facts);
    return t->status;
}

void ws_rule_note(ws_columns *t, const char *subject, const char *format, ...)
{
    char text[4096];
    va_list values;
    va_start(values, format);
    vsnprintf(text, sizeof text, format, values);
    va_end(values);
    ws_notes_add(&t->notes[t->rule->fact], t->rule->finding, t->context->source, subject, t->plan->line, "%s", text);
}
