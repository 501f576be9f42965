#include "formats/table/column_rules.h"

#include "core/arena.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

/* Rules being asked. */
typedef struct asking {
    ws_columns *t;
    const ws_column_rule **rules; /* in the order in which they are asked */
    size_t n;
    bool *is_asked;
    /* For each fact and column, the last of them the table itself: the rule that stands, or NULL. */
    const ws_column_rule **stands;
} asking;

static uint32_t bit(ws_column_fact fact)
{
    return UINT32_C(1) << fact;
}

static const ws_column_rule **standing(const asking *a, ws_column_fact fact, uint32_t column)
{
    return &a->stands[(size_t)fact * (a->t->n + 1) + column];
}

static void claim(const asking *a, const ws_column_rule *rule, uint32_t column)
{
    const ws_column_rule **stands = standing(a, rule->fact, column);
    if (!*stands || (*stands)->strength < rule->strength)
        *stands = rule;
}

static void ask(const asking *a, const ws_column_rule *rule)
{
    const ws_columns *t = a->t;
    if (rule->given && !rule->given(t))
        return;
    if (!rule->when)
        claim(a, rule, t->n);
    for (uint32_t c = 0; rule->when && c < t->n; c++)
        if (rule->when(t, c))
            claim(a, rule, c);
}

/* Carries out what stands. */
static void decide(const asking *a, ws_column_fact fact)
{
    ws_columns *t = a->t;
    for (uint32_t c = 0; c <= t->n && t->status == WS_OK; c++) {
        t->rule = *standing(a, fact, c);
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

static const ws_column_rule **ordered_rules(const ws_columns *t)
{
    const ws_column_rule **rules = ws_alloc((t->n_rules + 1) * sizeof *rules);
    for (size_t i = 0; i < t->n_rules; i++)
        rules[i] = &t->rules[i];
    shuffle(rules, t->n_rules, t->context->rule_order);
    return rules;
}

/* Where a fact refuses the table nobody gets beyond it, and notes of later facts are not given. */
static void pass_notes_on(ws_columns *t, uint32_t facts)
{
    bool is_behind = false;
    for (int fact = 0; fact < WS_FACT_N; fact++) {
        if (!is_behind && t->context->notes)
            ws_notes_append(t->context->notes, &t->notes[fact]);
        is_behind |= (facts & ~t->decided & bit((ws_column_fact)fact)) != 0;
        ws_notes_free(&t->notes[fact]);
    }
}

ws_status ws_columns_decide(ws_columns *t, uint32_t facts)
{
    asking a = {.t = t, .rules = ordered_rules(t), .n = t->n_rules};
    a.is_asked = ws_alloc(a.n * sizeof *a.is_asked);
    a.stands = ws_alloc((size_t)WS_FACT_N * (t->n + 1) * sizeof *a.stands);
    t->decided = ~facts;
    while (ask_once_more(&a, facts))
        ;
    free(a.stands);
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
