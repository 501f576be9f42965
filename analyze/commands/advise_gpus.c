/* How many GPUs, by the laws of advise_curve.h and what was measured. Where the law of time or that of the power does
 * not hold, the measured configurations stand alone, with the reason. An answer at an end of what was tried is no place
 * that the law finds: the measured count beside that end stands for it (limited_by `end`), and the range goes on to
 * what was tried. A measured configuration that refutes an answer takes its place, and the range is widened to hold it,
 * where the scatter of configurations about the laws explains it; else there is no answer. */
#include "analyze/commands/advise_curve.h"

#include "fit/estimate.h"
#include "fit/tests/repeats.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 100000 };

#define NO_LESS "no number needs measurably less"

/* The answer to one question as it is printed. */
typedef struct gpus_answer {
    const char *question;
    size_t by_law;                          /* 0: none */
    double n;                               /* 0: none */
    const ws_choice_point *measured;        /* takes the place of the law's answer, or contradicts it */
    const ws_choice_point *shown;           /* whose time and energy are printed; NULL: those of the law */
    const ws_choice_point *missed;          /* missed the deadline or the budget where the law says that it is kept */
    bool is_asked, is_contradicted, is_any; /* every number that was tried needs as little */
    bool at_end;                            /* the law's own answer is an end of what was tried */
} gpus_answer;

/* energy^e time^t of a question, in logs. */
static double objective_at(size_t q, double time_h, double energy_kwh)
{
    return ws_gpus_questions[q].energy * log(energy_kwh) + ws_gpus_questions[q].time * log(time_h);
}

static bool is_missed(const ws_advice *a, size_t q, const ws_choice_point *m)
{
    return q == WS_IN_TIME ? m->time_h > a->deadline_h : q == WS_IN_BUDGET && m->energy_kwh > a->budget_kwh;
}

/* Does what was measured refute `n` GPUs as the answer? One that does better than the law promises of `n`, one of `n`
 * that missed the deadline or the budget, or one that keeps the budget with more. */
static bool refutes(const ws_advice *a, const ws_choice_point *m, const ws_advice_curve *c, size_t q, double n)
{
    bool same = m->choice == n;
    if (q <= WS_LEAST_ED2P)
        return !same &&
               objective_at(q, m->time_h, m->energy_kwh) <
                   objective_at(q, ws_advice_curve_at(c, c->time_h, n), ws_advice_curve_at(c, c->energy_kwh, n));
    if (q == WS_IN_TIME)
        return same && is_missed(a, q, m);
    return same ? is_missed(a, q, m) : m->choice > n && !is_missed(a, q, m);
}

static const ws_choice_point *measured_at(const ws_choice_points *p, double n)
{
    for (size_t i = 0; i < p->n; i++)
        if (p->items[i].choice == n)
            return &p->items[i];
    return NULL;
}

/* By how much a measured configuration is above the law in a question's objective, in logs. */
static double above_law(const ws_choice_point *m, const ws_advice_curve *c, size_t q)
{
    return objective_at(q, m->time_h, m->energy_kwh) - objective_at(q, ws_advice_curve_at(c, c->time_h, m->choice),
                                                                    ws_advice_curve_at(c, c->energy_kwh, m->choice));
}

/* Is `best`, the best of what was measured, better than `n` GPUs that stand between two measured numbers, both others
 * than it? `n` is taken to be as far above the law as the line in ln n between these two, so that a law which bends
 * another way than the means finds no optimum among configurations that were all worse. */
static bool refuted_beside(const ws_choice_points *p, const ws_advice_curve *c, size_t q, const ws_choice_point *best,
                           double n)
{
    const ws_choice_point *below = NULL, *above = NULL;
    for (size_t i = 0; i < p->n; i++) {
        const ws_choice_point *m = &p->items[i];
        if (fmod(m->choice, (double)c->step) != 0)
            continue;
        below = m->choice < n ? m : below;
        above = !above && m->choice > n ? m : above;
    }
    if (!below || !above || below == best || above == best)
        return false;
    double share = log(n / below->choice) / log(above->choice / below->choice);
    double off = (1 - share) * above_law(below, c, q) + share * above_law(above, c, q);
    return objective_at(q, best->time_h, best->energy_kwh) <
           objective_at(q, ws_advice_curve_at(c, c->time_h, n), ws_advice_curve_at(c, c->energy_kwh, n)) + off;
}

/* The measured configuration that refutes `n` GPUs as the answer: the best of all, the most GPUs within the budget. So
 * does one that was faster than `n` and took less energy, both as measured, and the best of all where `n` lies among
 * worse ones. NULL where none does. */
static const ws_choice_point *refuting(const ws_advice *a, const ws_choice_points *p, const ws_advice_curve *c,
                                       size_t q, double n)
{
    const ws_choice_point *found = NULL, *least = NULL, *own = measured_at(p, n);
    for (size_t i = 0; i < p->n; i++) {
        const ws_choice_point *m = &p->items[i];
        if (fmod(m->choice, (double)c->step) != 0)
            continue;
        if (!least || objective_at(q, m->time_h, m->energy_kwh) < objective_at(q, least->time_h, least->energy_kwh))
            least = m;
        bool beats = own && q <= WS_LEAST_ED2P && m->time_h < own->time_h && m->energy_kwh < own->energy_kwh;
        if (beats || refutes(a, m, c, q, n))
            found = m;
    }
    if (!found && !own && least && q <= WS_LEAST_ED2P && refuted_beside(p, c, q, least, n))
        return least;
    return found && q <= WS_LEAST_ED2P ? least : found;
}

/* Is `n` the least or the largest number that was tried, and more of that kind might do better? The fewest in time are
 * no end at the largest number, nor the most within the budget at the least one: the numbers beside them fail. */
static bool is_end(const ws_advice *a, const ws_advice_model *m, const ws_advice_curve *c, size_t q, double n)
{
    double step = (double)c->step;
    bool is_least = n <= step || !ws_advice_tries(a, m, n - step), is_largest = n + step > (double)c->n * step;
    return n > 0 && ((is_least && q != WS_IN_BUDGET) || (is_largest && q != WS_IN_TIME));
}

/* The answer `n`, or where it is an end of what was tried the measured number beside that end. */
static double within_measured(const ws_advice *a, const ws_advice_model *m, const ws_advice_curve *c, size_t q,
                              double n)
{
    return is_end(a, m, c, q, n) ? fmin(fmax(n, m->lowest), m->highest) : n;
}

/* Does the range of the least energy hold every number that was tried? */
static bool spans_all_tried(const ws_advice *a, const ws_advice_model *m, const ws_advice_curve *c, size_t q,
                            const double *range)
{
    double step = (double)c->step;
    return q == WS_LEAST_ENERGY && !ws_advice_tries(a, m, range[0] - step) && range[1] + step > (double)c->n * step;
}

/* The row of an answer, with what the law says of it, or what was measured there. */
static void advise_gpus_add_row(ws_advice *a, const char *group, const ws_advice_model *m, const ws_advice_curve *c,
                                size_t q, const gpus_answer *s, const double *range)
{
    double n = s->n;
    const ws_choice_point *measured = s->shown;
    bool is_answer = n > 0, outside = is_answer && (n > m->highest || n < m->lowest), is_one = is_answer && !s->is_any,
         has_range = is_answer && !isnan(range[0]);
    ws_advice_row row = {.basis = ws_arena_printf(&a->cli->arena, "%s%s%s", a->law->name,
                                                  !m->knows_power ? ""
                                                  : m->has_power  ? " with power law"
                                                                  : " with mean power",
                                                  measured && s->measured ? " (measured)" : ""),
                         .question = ws_gpus_questions[q].text,
                         .flag = s->is_any   ? NO_LESS
                                 : outside   ? "outside of what was measured"
                                 : s->at_end ? "end of what was measured"
                                             : NULL,
                         .limited_by = s->at_end ? "end" : NULL,
                         .status = is_answer ? "ok" : "none",
                         .choice = is_one ? n : NAN, /* what is least of equals is chance */
                         .choice_se = NAN,
                         .choice_lo = has_range ? fmin(range[0], n) : NAN,
                         .choice_hi = has_range ? fmax(range[1], n) : NAN,
                         .time_h = measured ? measured->time_h
                                   : is_one ? ws_advice_curve_at(c, c->time_h, n)
                                            : NAN,
                         .energy_kwh = measured ? measured->energy_kwh
                                       : is_one ? ws_advice_curve_at(c, c->energy_kwh, n)
                                                : NAN,
                         .error = NAN,
                         .front_probability = NAN,
                         .front_error = NAN,
                         .n_runs = measured ? measured->n_runs : 0};
    ws_advice_add(a, group, &row);
}

/* The measured configuration that says that `n` misses the deadline or the budget: its own, or one of the two beside it
 * where both of them missed. The law has no say against them. NULL where there is none. */
static const ws_choice_point *missed_at(const ws_advice *a, const ws_choice_points *p, const ws_advice_curve *c,
                                        size_t q, double n)
{
    const ws_choice_point *below = NULL, *above = NULL;
    for (size_t i = 0; i < p->n; i++) {
        const ws_choice_point *m = &p->items[i];
        if (fmod(m->choice, (double)c->step) != 0)
            continue;
        below = m->choice <= n ? m : below;
        above = !above && m->choice >= n ? m : above;
    }
    return below && above && is_missed(a, q, below) && is_missed(a, q, above) ? below : NULL;
}

/* Does the law keep the deadline at the risk, or the budget? */
static bool keeps(const ws_advice *a, const ws_advice_curve *c, size_t q, double n)
{
    return q == WS_IN_TIME ? ws_advice_curve_at(c, c->upper_h, n) <= a->deadline_h
                           : ws_advice_curve_at(c, c->energy_kwh, n) <= a->budget_kwh;
}

/* The next number from `n` on of which no measured configuration says that it misses the deadline or the budget, nor
 * the law; `n` itself where there is none. `against` gets the measured configuration that refutes this number, or NULL.
 */
static double past_missed(const ws_advice *a, const ws_choice_points *p, const ws_advice_curve *c, size_t q, double n,
                          const ws_choice_point **against)
{
    double step = q == WS_IN_TIME ? (double)c->step : -(double)c->step, first = n;
    const ws_choice_point *missed = q > WS_LEAST_ED2P && n > 0 ? missed_at(a, p, c, q, n) : NULL;
    *against = missed;
    while (*against || (missed && !keeps(a, c, q, n))) {
        n += step;
        if (n > (double)(c->n * c->step) || n <= 0 || isnan(ws_advice_curve_at(c, c->time_h, n))) {
            *against = missed;
            return first;
        }
        *against = missed_at(a, p, c, q, n);
    }
    *against = refuting(a, p, c, q, n);
    return n;
}

/* How far configurations scatter about the laws in ln(energy^e time^t), of which ln time is e + t times a part, by
 * Student's t at `level`, two-sided. */
static double scatter_of(const ws_advice_model *m, int energy, int time, double level)
{
    double of_power = m->has_power && m->power.status == WS_FIT_OK ? m->power.sigma : 0;
    return ws_student_quantile(level, m->time.df) * hypot((energy + time) * m->time.sigma, energy * of_power);
}

/* Is a measured configuration farther from the laws than configurations scatter about them, at 99 %? */
static bool is_off_the_law(const ws_advice_model *m, const ws_advice_curve *c, size_t q,
                           const ws_choice_point *measured)
{
    double n = measured->choice;
    int energy = q == WS_IN_BUDGET ? 1 : ws_gpus_questions[q].energy,
        time = q == WS_IN_TIME ? 1 : ws_gpus_questions[q].time;
    double law =
        energy * log(ws_advice_curve_at(c, c->energy_kwh, n)) + time * log(ws_advice_curve_at(c, c->time_h, n));
    double off = energy * log(measured->energy_kwh) + time * log(measured->time_h) - law;
    return !(fabs(off) <= scatter_of(m, energy, time, 0.99));
}

/* What was measured on `n` GPUs, where that is the best of what was measured: then its own time and energy are printed,
 * so that a law that lies above it says nothing else. Where it is not, those of the law are, which none betters. */
static const ws_choice_point *best_measured_at(const ws_choice_points *p, const ws_advice_curve *c, size_t q, double n)
{
    const ws_choice_point *own = measured_at(p, n);
    for (size_t i = 0; i < p->n && own && q <= WS_LEAST_ED2P; i++)
        if (fmod(p->items[i].choice, (double)c->step) == 0 &&
            objective_at(q, p->items[i].time_h, p->items[i].energy_kwh) < objective_at(q, own->time_h, own->energy_kwh))
            return NULL;
    return own;
}

/* Do measured energies differ by more than two configurations that need the same would, one-sided at 5 %? */
static bool energies_differ(const ws_choice_points *p, const ws_advice_model *m, const ws_advice_curve *c)
{
    double least = INFINITY, most = 0;
    for (size_t i = 0; i < p->n; i++)
        if (fmod(p->items[i].choice, (double)c->step) == 0) {
            least = fmin(least, p->items[i].energy_kwh);
            most = fmax(most, p->items[i].energy_kwh);
        }
    return log(most / least) > sqrt(2) * scatter_of(m, 1, 0, 0.9);
}

/* `least`: the answer to the question before, of which that to a question with more weight on time holds no less. */
static gpus_answer settle(const ws_advice *a, const ws_choice_points *p, const ws_advice_model *m,
                          const ws_advice_curve *c, size_t q, size_t devices, double least, const double *range)
{
    gpus_answer s = {.question = ws_gpus_questions[q].text, .by_law = devices, .is_asked = true};
    double from = within_measured(a, m, c, q, (double)devices);
    if (from < least && least <= (double)devices)
        from = least;
    s.missed = q > WS_LEAST_ED2P && from > 0 ? missed_at(a, p, c, q, from) : NULL;
    s.n = devices || q == WS_IN_BUDGET ? past_missed(a, p, c, q, from, &s.measured) : 0;
    if (q > WS_LEAST_ED2P && s.n > 0 && !s.measured && !keeps(a, c, q, s.n))
        s.measured = measured_at(p, s.n);
    s.at_end = (s.measured || s.n == from) && is_end(a, m, c, q, (double)devices);
    s.is_contradicted = s.measured && (is_missed(a, q, s.measured) || is_off_the_law(m, c, q, s.measured));
    s.n = s.measured ? s.measured->choice : s.n;
    s.is_any = s.n > 0 && !isnan(range[0]) && spans_all_tried(a, m, c, q, range) && !energies_differ(p, m, c);
    s.shown = s.is_any ? NULL : s.measured ? s.measured : best_measured_at(p, c, q, s.n);
    return s;
}

static void add_answer(ws_advice *a, const char *group, const ws_advice_model *m, const ws_advice_curve *c, size_t q,
                       const gpus_answer *s, const double *range)
{
    char by_law[WS_DOUBLE_TEXT] = "no number";
    if (s->by_law)
        ws_double_text(by_law, (double)s->by_law);
    if (s->is_contradicted)
        ws_advice_say(a, group, ws_gpus_questions[q].text,
                      "no answer by the law: it says %s, and the measured run on %g (%.4g h, %.4g kWh) contradicts it",
                      by_law, s->measured->choice, s->measured->time_h, s->measured->energy_kwh);
    else
        advise_gpus_add_row(a, group, m, c, q, s, range);
}

static bool is_asked(const ws_advice *a, const ws_advice_model *m, size_t q)
{
    return q == WS_IN_TIME ? isfinite(a->deadline_h) : m->knows_power && (q != WS_IN_BUDGET || isfinite(a->budget_kwh));
}

static bool has_answers(const gpus_answer *answers)
{
    bool any = false;
    for (size_t q = 0; q < WS_GPUS_QUESTIONS; q++)
        any |= answers[q].is_asked && !answers[q].is_contradicted;
    return any;
}

/* --- in sentences: what the laws are and how each answer came about, and the energy of a GPU hour --- */

/* "24", "32 (the fewest measured: by the law fewer are better still)", "16 (measured, in place of the law's 20)". */
static const char *optimum_words(const ws_advice *a, const ws_advice_model *m, const gpus_answer *answers, size_t q)
{
    const gpus_answer *s = &answers[q];
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
static void say_least(ws_advice *a, const char *group, const ws_advice_model *m, const gpus_answer *answers)
{
    const char *text[WS_LEAST_ED2P + 1], *words[WS_LEAST_ED2P + 2], *sentence = "";
    size_t n = 0;
    for (size_t q = 0; q <= WS_LEAST_ED2P; q++) {
        const gpus_answer *s = &answers[q];
        if (s->is_any)
            sentence = ws_arena_printf(&a->cli->arena, "by the law %s energy", NO_LESS);
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
static const char *missed_words(const ws_advice *a, size_t q, const gpus_answer *s)
{
    if (!s->missed || s->n == (double)s->by_law)
        return "";
    return ws_arena_printf(&a->cli->arena, "; the law alone says %zu, but the measured mean on %g is %.4g %s",
                           s->by_law, s->missed->choice, q == WS_IN_TIME ? s->missed->time_h : s->missed->energy_kwh,
                           q == WS_IN_TIME ? "h" : "kWh");
}

static void say_deadline(ws_advice *a, const char *group, const ws_choice_points *p, const ws_advice_model *m,
                         size_t most, const gpus_answer *s)
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

static void say_budget(ws_advice *a, const char *group, size_t most, const gpus_answer *s)
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

/* All answers; `most` is the largest number that was tried. */
static void say_answers(ws_advice *a, const char *group, const ws_choice_points *p, const ws_advice_model *m,
                        size_t most, const gpus_answer *answers)
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

/* The energy of a GPU hour over the configurations on whole nodes: the mean of their ratios, or that there is no single
 * factor, as `fit origin` says it. */
static void say_factor(ws_advice *a, const char *group, const ws_choice_points *p)
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

/* --- all together --- */

static ws_status add_answers(ws_advice *a, const char *group, const ws_choice_points *p, const ws_advice_model *m,
                             ws_advice_curve *c, ws_error *error)
{
    size_t by_law[WS_GPUS_QUESTIONS];
    double ranges[WS_GPUS_QUESTIONS][2];
    const char *also[WS_LAWS_WEIGHED] = {NULL};
    for (size_t q = 0; q < WS_GPUS_QUESTIONS; q++)
        ranges[q][0] = ranges[q][1] = NAN;
    ws_status status = ws_advice_curve_draw(a, m, c, error);
    if (status == WS_OK)
        status = ws_advice_curve_answers(a, c, by_law, error);
    if (status == WS_OK && !a->without_draws)
        status = ws_advice_curve_ranges(a, p, m, c, ranges, also, error);
    if (status != WS_OK)
        return status;
    gpus_answer answers[WS_GPUS_QUESTIONS] = {{0}};
    for (size_t q = 0; q < WS_GPUS_QUESTIONS; q++) {
        if (!is_asked(a, m, q))
            continue;
        bool follows = q && q <= WS_LEAST_ED2P && !answers[q - 1].is_contradicted && !answers[q - 1].is_any;
        answers[q] = settle(a, p, m, c, q, by_law[q], follows ? answers[q - 1].n : 0, ranges[q]);
        add_answer(a, group, m, c, q, &answers[q], ranges[q]);
    }
    say_answers(a, group, p, m, c->n * c->step, answers);
    if (also[0] && has_answers(answers))
        ws_advice_say(a, group, "ranges", "ranges hold what %s%s%s would answer, too: the means do not refute %s",
                      also[0], also[1] ? " and " : "", also[1] ? also[1] : "", also[1] ? "them" : "it");
    return WS_OK;
}

/* --per-node N: runs on part of a node share what the rest of it draws, so they say nothing of whole ones. */
static ws_choice_points whole_nodes(const ws_advice *a, const ws_choice_points *p)
{
    ws_choice_points whole = {.items = ws_alloc((p->n + 1) * sizeof *whole.items),
                              .choice = ws_alloc(3 * (p->n_runs + 1) * sizeof *whole.choice)};
    whole.time_h = whole.choice + p->n_runs + 1;
    whole.energy_kwh = whole.time_h + p->n_runs + 1;
    for (size_t i = 0; i < p->n; i++)
        if (fmod(p->items[i].choice, (double)a->per_node) == 0)
            whole.items[whole.n++] = p->items[i];
    for (size_t i = 0; i < p->n_runs; i++) {
        if (fmod(p->choice[i], (double)a->per_node) != 0)
            continue;
        whole.choice[whole.n_runs] = p->choice[i];
        whole.time_h[whole.n_runs] = p->time_h[i];
        whole.energy_kwh[whole.n_runs++] = p->energy_kwh[i];
    }
    return whole;
}

static ws_status advise_by_model(ws_advice *a, const char *group, const ws_choice_points *p, ws_error *error)
{
    ws_advice_model m = {.law = a->law};
    bool usable;
    ws_status status = ws_advise_fit(a, group, p, &m, &usable, error);
    if (status == WS_OK && usable && m.highest > MOST) {
        ws_advice_say(a, group, a->law->name, "no advice by the law, which is tried up to %d, since %.9g were measured",
                      MOST, m.highest);
        usable = false;
    }
    size_t n = status == WS_OK && usable ? (size_t)(fmin(m.highest * a->beyond, MOST) / (double)a->per_node) : 0;
    if (n) {
        double *all = ws_alloc((4 * n + 1) * sizeof *all), *ln = all + 3 * n;
        ws_advice_curve c = {
            .step = a->per_node, .n = n, .time_h = all, .energy_kwh = all + n, .upper_h = all + 2 * n, .ln = ln};
        for (size_t i = 0; i < n; i++)
            ln[i] = log((double)((i + 1) * a->per_node));
        status = add_answers(a, group, p, &m, &c, error);
        free(all);
    }
    free(m.room);
    return status;
}

ws_status ws_advise_gpus(ws_advice *a, const char *group, const ws_choice_points *p, ws_error *error)
{
    ws_choice_points whole = whole_nodes(a, p);
    ws_status status = WS_OK;
    if (whole.n < p->n)
        ws_advice_say(a, group, "--per-node",
                      "%zu of %zu GPU counts are no multiples of %zu: no answers, and not in the law", p->n - whole.n,
                      p->n, a->per_node);
    if (whole.n > 1)
        say_factor(a, group, &whole);
    if (whole.n)
        status = advise_by_model(a, group, &whole, error);
    free(whole.items);
    free(whole.choice);
    return status;
}
