#include "report/table/step_formula.h"

#include <math.h>

typedef struct parser {
    ws_span rest;
    ws_formula_lookup *lookup;
    const void *state;
    int depth;
    bool failed;
} parser;

enum { DEEPEST = 64 };

static bool is_name_char(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

static void skip_blanks(ws_span *rest)
{
    while (rest->n && *rest->p == ' ')
        rest->p++, rest->n--;
}

static ws_span take_word(ws_span *rest)
{
    ws_span word = {rest->p, 0};
    while (word.n < rest->n && is_name_char(word.p[word.n]))
        word.n++;
    rest->p += word.n;
    rest->n -= word.n;
    return word;
}

static bool step_formula_take(parser *p, char wanted)
{
    skip_blanks(&p->rest);
    if (!p->rest.n || *p->rest.p != wanted)
        return false;
    p->rest.p++, p->rest.n--;
    return true;
}

static double absolute(double value)
{
    return fabs(value);
}

static const struct {
    const char *name;
    double (*of)(double);
} functions[] = {{"sqrt", sqrt}, {"abs", absolute}, {"exp", exp}, {"log", log}};

static double sum(parser *p);

static double parenthesis(parser *p)
{
    double value = ++p->depth > DEEPEST ? (double)NAN : sum(p);
    p->failed |= p->depth-- > DEEPEST || !step_formula_take(p, ')');
    return value;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static double number(parser *p)
{
    double value = NAN;
    ws_span rest;
    p->failed |= !ws_span_number(p->rest, &value, &rest);
    if (!p->failed)
        p->rest = rest;
    return value;
}

static double name_or_call(parser *p)
{
    ws_span word = take_word(&p->rest);
    p->failed |= !word.n;
    if (!step_formula_take(p, '('))
        return p->failed ? (double)NAN : p->lookup(p->state, word);
    double value = parenthesis(p);
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        if (ws_span_eq(word, functions[i].name))
            return functions[i].of(value);
    p->failed = true;
    return NAN;
}

static double factor(parser *p)
{
    if (p->failed || step_formula_take(p, '('))
        return p->failed ? (double)NAN : parenthesis(p);
    return p->rest.n && is_digit(*p->rest.p) ? number(p) : name_or_call(p);
}

static double product(parser *p)
{
    double value = factor(p);
    while (!p->failed) {
        if (step_formula_take(p, '*'))
            value *= factor(p);
        else if (step_formula_take(p, '/'))
            value /= factor(p);
        else
            break;
    }
    return value;
}

static double sum(parser *p)
{
    double value = product(p);
    while (!p->failed) {
        if (step_formula_take(p, '+'))
            value += product(p);
        else if (step_formula_take(p, '-'))
            value -= product(p);
        else
            break;
    }
    return value;
}

double ws_formula_value(const char *formula, ws_formula_lookup *lookup, const void *state)
{
    parser p = {.rest = ws_span_of(formula), .lookup = lookup, .state = state};
    double value = sum(&p);
    skip_blanks(&p.rest);
    return p.failed || p.rest.n ? (double)NAN : value;
}

bool ws_formula_next_name(ws_span *rest, ws_span *name)
{
    while (rest->n) {
        if (!is_name_char(*rest->p)) {
            rest->p++, rest->n--;
            continue;
        }
        bool is_number = is_digit(*rest->p);
        *name = take_word(rest);
        if (!is_number && !(rest->n && *rest->p == '('))
            return true;
    }
    return false;
}
