/* The advice on GPUs in sentences: what the laws are and how each answer came about, and the energy of a GPU hour. */
#include "analyze/commands/advise_gpus_words.h"

#include "fit/estimate.h"
#include "fit/tests/repeats.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* "24", "32 (the fewest measured: by the law fewer are better still)", "16 (measured, in place of the law's 20)". */
static const char *optimum_words(const ws_advice *a, const ws_advice_model *m, const ws_gpus_answer *answers, size_t q)
{
    const ws_gpus_answer *s = &answers[q];
    bool is_low = (double)s->by_law <= m->lowest, is_last = is_low && s->n <= (double)a->per_node;
    if (s->measured && s->n != (double)s->by_law)
        return ws_arena_printf(&a->cli->arena, "%g (measured, in place of the law's %zu)", s->n, s->by_law);
    if (!s->at_end)
        return ws_arena_printf(&a->cli->arena, "%g%s", s->n, s->measured ? " (measured)" : "");
    if (s->n > m->highest)
        return ws_arena_printf(&a->cli->arena, "%g (no fewer than for %s: by the law more are better still)", s->n,
                               answers[q - 1].question);
    return ws_arena_printf(&a->cli->arena, "%g (the %s measured%s)", s->n, is_low ? "fewest" : "most",
                           is_last  ? ""
                           : is_low ? ": by the law fewer are better still"
                                    : ": by the law more are better still");
}

/* What was measured in time on fewer than the law answers, or "". */
static const char *kept_measured(const ws_advice *a, const ws_choice_points *p, double answer)
{
    const ws_choice_point *fewest = NULL;
    for (size_t i = 0; i < p->n; i++)
        if (p->items[i].time_h <= a->deadline_h && (!fewest || p->items[i].choice < fewest->choice))
            fewest = &p->items[i];
    return fewest && fewest->choice < answer
               ? ws_arena_printf(&a->cli->arena, " (on %g the measured mean is %.4g h, of %zu run%s)", fewest->choice,
                                 fewest->time_h, fewest->n_runs, fewest->n_runs == 1 ? "" : "s")
               : "";
}

/* Least energy, energy x time and energy x time^2 in one sentence; those with equal answers share it. */
static void say_least(ws_advice *a, const char *group, const ws_advice_model *m, const ws_gpus_answer *answers)
{
    const char *text[WS_LEAST_ED2P + 1], *words[WS_LEAST_ED2P + 2], *sentence = "";
    size_t n = 0;
    for (size_t q = 0; q <= WS_LEAST_ED2P; q++) {
        const ws_gpus_answer *s = &answers[q];
        if (s->is_any)
            sentence = ws_arena_printf(&a->cli->arena, "by the law %s energy", WS_NO_LESS);
        if (!s->is_asked || s->is_contradicted || s->is_any || !(s->n > 0))
            continue;
        text[n] = s->question;
        words[n++] = optimum_words(a, m, answers, q);
    }
    words[n] = "";
    for (size_t i = 0; i < n; i++) {
        bool shares = strcmp(words[i], words[i + 1]) == 0, shared = i && strcmp(words[i - 1], words[i]) == 0;
        sentence = ws_arena_printf(&a->cli->arena, "%s%s%s%s%s", sentence,
                                   shared && !shares ? " and "
                                   : i               ? ", "
                                   : *sentence       ? "; "
                                                     : "",
                                   text[i], shares ? "" : " with ", shares ? "" : words[i]);
    }
    if (*sentence)
        ws_advice_say(a, group, "least", "%s%s", sentence,
                      answers[WS_LEAST_ED2P].n < answers[WS_LEAST_EDP].n && n > 1
                          ? "; fewer for energy x time^2, since measured runs stand in the law's place"
                          : "");
}

/* "; the law alone says 12, but the measured mean on 16 is 5.1 h", or "". */
static const char *missed_words(const ws_advice *a, size_t q, const ws_gpus_answer *s)
{
    if (!s->missed || s->n == (double)s->by_law)
        return "";
    return ws_arena_printf(&a->cli->arena, "; the law alone says %zu, but the measured mean on %g is %.4g %s",
                           s->by_law, s->missed->choice, q == WS_IN_TIME ? s->missed->time_h : s->missed->energy_kwh,
                           q == WS_IN_TIME ? "h" : "kWh");
}

static void say_deadline(ws_advice *a, const char *group, const ws_choice_points *p, const ws_advice_model *m,
                         size_t most, const ws_gpus_answer *s)
{
    char risk[WS_DOUBLE_TEXT], least[WS_DOUBLE_TEXT];
    const ws_law_curve law = ws_law_curve_of(&m->time);
    double least_h = ws_law_curve_least(&law);
    ws_double_text_digits(least, least_h, 3);
    ws_double_text(risk, round(1e8 * a->risk) / 1e6);
    if (s->n > 0)
        ws_advice_say(a, group, "deadline", "with %g the risk that a run takes longer than %.9g h is at most %s %%%s%s",
                      s->n, a->deadline_h, risk, missed_words(a, WS_IN_TIME, s), kept_measured(a, p, s->n));
    else if (least_h >= a->deadline_h)
        ws_advice_say(a, group, "deadline", "no number keeps %.9g h: by the law a run never takes less than %s h%s",
                      a->deadline_h, least, kept_measured(a, p, INFINITY));
    else
        ws_advice_say(a, group, "deadline", "by the law no number up to %zu keeps %.9g h at a risk of %s %%%s", most,
                      a->deadline_h, risk, kept_measured(a, p, INFINITY));
}

static void say_budget(ws_advice *a, const char *group, size_t most, const ws_gpus_answer *s)
{
    char by_law[WS_DOUBLE_TEXT] = "no number";
    if (s->by_law)
        ws_double_text(by_law, (double)s->by_law);
    if (s->measured)
        ws_advice_say(a, group, "budget", "on %g the measured mean is %.4g kWh, within %.9g kWh; the law says %s", s->n,
                      s->measured->energy_kwh, a->budget_kwh, by_law);
    else if (s->n > 0)
        ws_advice_say(a, group, "budget", "%g is the most within %.9g kWh by the law%s%s", s->n, a->budget_kwh,
                      s->at_end ? ", which has more within it still, past what was measured" : "",
                      missed_words(a, WS_IN_BUDGET, s));
    else
        ws_advice_say(a, group, "budget", "by the law no number up to %zu stays within %.9g kWh", most, a->budget_kwh);
}

void ws_advice_say_answers(ws_advice *a, const char *group, const ws_choice_points *p, const ws_advice_model *m,
                           size_t most, const ws_gpus_answer *answers)
{
    char sentence[900];
    ws_data_words(m->time.sentence, a->choice_name, ws_advise_y_name(a), sentence, sizeof sentence);
    ws_advice_say(a, group, a->law->name, "%s", sentence);
    if (m->has_power) {
        ws_data_words(m->power.sentence, a->choice_name, "power of a GPU", sentence, sizeof sentence);
        ws_advice_say(a, group, "power", "%s", sentence);
    }
    if (answers[WS_IN_TIME].is_asked && !answers[WS_IN_TIME].is_contradicted)
        say_deadline(a, group, p, m, most, &answers[WS_IN_TIME]);
    if (answers[WS_IN_BUDGET].is_asked && !answers[WS_IN_BUDGET].is_contradicted)
        say_budget(a, group, most, &answers[WS_IN_BUDGET]);
    say_least(a, group, m, answers);
}

/* Do the energies of a GPU hour differ by more than their repeats? `words`: "0.895 to 0.636" of the fewest and the most
 * GPUs, on whole nodes. */
static bool runs_differ(const ws_advice *a, const ws_choice_points *p, double step, char *words, size_t size)
{
    double *gpu_h = ws_alloc((2 * p->n_runs + 1) * sizeof *gpu_h), *energy_kwh = gpu_h + p->n_runs;
    size_t *group = ws_alloc((p->n_runs + p->n + 1) * sizeof *group), *number = group + p->n_runs, n = 0, k = 0;
    double first = NAN, last = NAN;
    for (size_t i = 0; i < p->n; i++) {
        number[i] = fmod(p->items[i].choice, step) == 0 ? k++ : SIZE_MAX;
        if (number[i] == SIZE_MAX)
            continue;
        last = p->items[i].energy_kwh / (p->items[i].choice * p->items[i].time_h);
        first = isnan(first) ? last : first;
    }
    for (size_t r = 0; r < p->n_runs; r++)
        for (size_t i = 0; i < p->n; i++)
            if (number[i] != SIZE_MAX && p->items[i].choice == p->choice[r]) {
                gpu_h[n] = p->choice[r] * p->time_h[r];
                energy_kwh[n] = p->energy_kwh[r];
                group[n++] = number[i];
            }
    ws_test test;
    bool differ = n > k && ws_ratios_differ(gpu_h, energy_kwh, group, n, k, a->energy_u, a->level, &test);
    snprintf(words, size, "%s to %s", ws_words_digits(first, 3).text, ws_words_digits(last, 3).text);
    free(group);
    free(gpu_h);
    return differ;
}

void ws_advice_say_factor(ws_advice *a, const char *group, const ws_choice_points *p)
{
    double *gpu_h = ws_alloc((2 * p->n + 1) * sizeof *gpu_h), *energy_kwh = gpu_h + p->n;
    double of_node = a->gpus_of_node, step = of_node > 1 ? of_node : 1;
    char sentence[900], words[200];
    size_t n = 0;
    ws_fit fit;
    for (size_t i = 0; i < p->n; i++) {
        if (fmod(p->items[i].choice, step) != 0)
            continue;
        gpu_h[n] = p->items[i].choice * p->items[i].time_h;
        energy_kwh[n++] = p->items[i].energy_kwh;
    }
    bool differ = runs_differ(a, p, step, words, sizeof words);
    bool is_known = n > 1 && ws_fit_origin_unequal(gpu_h, energy_kwh, n, a->level, &fit, NULL, NULL) == WS_OK;
    free(gpu_h);
    if (!is_known || fit.status != WS_FIT_OK)
        return;
    if (differ && !ws_origin_needs_intercept(&fit, a->level)) {
        ws_advice_say(a, group, "energy",
                      "no single factor: %s kWh per GPUh, configurations differ by more than their repeats%s", words,
                      n < p->n ? "; on whole nodes" : "");
        return;
    }
    ws_data_words(fit.sentence, "GPUh", "kWh", sentence, sizeof sentence);
    char *rest = strstr(sentence, "; slope through");
    if (rest)
        *rest = '\0';
    ws_advice_say(a, group, "energy", "%s%s", sentence, n < p->n ? "; on whole nodes" : "");
}
