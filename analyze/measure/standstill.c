#include "analyze/measure/standstill.h"

#include <math.h>

void ws_standstill_init(ws_standstill *s)
{
    *s = (ws_standstill){.window_start_ns = INT64_MIN, .window_end_ns = INT64_MAX};
}

static void count(ws_standstill *s, const ws_standstill_run *run, ws_standstill_sum *whole, ws_standstill_sum *finer)
{
    int64_t from = run->from_ns > s->window_start_ns ? run->from_ns : s->window_start_ns, ns;
    int64_t to = run->to_ns < s->window_end_ns ? run->to_ns : s->window_end_ns;
    bool is_short =
        run->n < WS_STANDSTILL_READINGS || __builtin_sub_overflow(to, from, &ns) || (double)ns < WS_STANDSTILL_S * 1e9;
    if (is_short || run->value == 0)
        return;
    ws_standstill_sum *sum = run->value == floor(run->value) ? whole : finer;
    sum->ns += ns;
    if (ns > sum->longest_ns) {
        sum->longest_ns = ns;
        sum->longest_n = run->n;
    }
}

static ws_standstill_run *open_run(ws_standstill *s)
{
    return s->last.n ? &s->last : &s->first;
}

/* A run behind all others: goes on with the open one, or ends it. */
static void add_run(ws_standstill *s, const ws_standstill_run *run)
{
    ws_standstill_run *open = open_run(s);
    if (!open->n) {
        *open = *run;
    } else if (open->value == run->value) {
        open->to_ns = run->to_ns;
        open->n += run->n;
    } else {
        if (open == &s->last)
            count(s, open, &s->whole, &s->finer);
        s->last = *run;
    }
}

static ws_standstill_run run_of(const ws_block *b, size_t from, size_t to)
{
    return (ws_standstill_run){b->value[from], b->t_ns[from], b->t_ns[to - 1], to - from};
}

/* The end of the run that begins at i. */
static size_t end_of_run(const ws_block *b, size_t i)
{
    size_t end = i + 1;
    while (end < b->n && b->value[end] == b->value[i])
        end++;
    return end;
}

/* Where the last run begins. */
static size_t start_of_last(const ws_block *b)
{
    size_t i = b->n - 1;
    while (i > 0 && b->value[i - 1] == b->value[i])
        i--;
    return i;
}

/* The next run from i on that begins there or is long; short ones before it are passed over: a long one holds two
 * neighbours at every ninth place. */
static size_t next_run(const ws_block *b, size_t i, size_t last)
{
    const size_t reach = WS_STANDSTILL_READINGS - 1;
    while (i + reach < last && b->value[i + reach] != b->value[i + reach - 1])
        i += reach;
    if (i + reach >= last)
        return last;
    size_t start = i + reach - 1;
    while (start > i && b->value[start - 1] == b->value[start])
        start--;
    return start;
}

void ws_standstill_push(ws_standstill *s, const ws_block *b)
{
    static const ws_standstill_run between = {.value = NAN, .n = 1}; /* stands for short ones: it is like no other */
    if (!b->n || !b->t_ns)
        return;
    size_t last = start_of_last(b), i = 0;
    while (i < b->n) {
        size_t end = end_of_run(b, i);
        ws_standstill_run run = run_of(b, i, end);
        add_run(s, &run);
        i = end < last ? next_run(b, end, last) : end;
        if (i > end)
            add_run(s, &between);
    }
}

void ws_standstill_merge(ws_standstill *into, const ws_standstill *next)
{
    if (!next->first.n)
        return;
    add_run(into, &next->first);
    if (!next->last.n)
        return;
    if (open_run(into) == &into->last)
        count(into, &into->last, &into->whole, &into->finer);
    const ws_standstill_sum *from[] = {&next->whole, &next->finer};
    ws_standstill_sum *to[] = {&into->whole, &into->finer};
    for (int i = 0; i < 2; i++) {
        to[i]->ns += from[i]->ns;
        bool is_longer = from[i]->longest_ns > to[i]->longest_ns;
        to[i]->longest_n = is_longer ? from[i]->longest_n : to[i]->longest_n;
        to[i]->longest_ns = is_longer ? from[i]->longest_ns : to[i]->longest_ns;
    }
    into->last = next->last;
}

void ws_standstill_read(const ws_standstill *s, ws_standstill_sum *whole, ws_standstill_sum *finer)
{
    ws_standstill all = *s;
    count(&all, &s->first, &all.whole, &all.finer);
    count(&all, &s->last, &all.whole, &all.finer);
    *whole = all.whole;
    *finer = all.finer;
}
