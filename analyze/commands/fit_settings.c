/* The options of `wattscale fit`, checked once. */
#include "analyze/commands/fit_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct number_option {
    const char *name;
    double *to, least, most;
} number_option;

static bool read_numbers(ws_cli *cli, const number_option *options, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const char *text = ws_cli_value(cli, options[i].name);
        if (!text)
            continue;
        double value;
        if (!ws_span_double(ws_span_of(text), &value) || !(value >= options[i].least) || !(value <= options[i].most)) {
            char least[WS_DOUBLE_TEXT], most[WS_DOUBLE_TEXT];
            ws_double_text(least, options[i].least);
            ws_double_text(most, options[i].most);
            return ws_cli_usage(cli, "--%s '%s' is no number from %s to %s", options[i].name, text, least, most), false;
        }
        *options[i].to = value;
    }
    return true;
}

/* The place of a word among those that an option takes; `choice` stays where it is not given. */
static bool read_word(ws_cli *cli, const char *option, const char *const *words, size_t n, size_t *choice)
{
    const char *text = ws_cli_value(cli, option);
    if (!text)
        return true;
    const char *list = words[0];
    for (size_t i = 0; i < n; i++) {
        if (strcmp(text, words[i]) == 0) {
            *choice = i;
            return true;
        }
        if (i)
            list = ws_arena_printf(&cli->arena, "%s%s%s", list, i + 1 < n ? ", " : " or ", words[i]);
    }
    return ws_cli_usage(cli, "--%s must be %s, not '%s'", option, list, text), false;
}

/* "gpus=512,1024": the name must be that of --x. */
static bool read_places(ws_cli *cli, const char *x_name, ws_fit_settings *settings)
{
    const char *text = ws_cli_value(cli, "predict"), *equals = text ? strchr(text, '=') : NULL;
    if (!text)
        return true;
    ws_span name = {text, equals ? (size_t)(equals - text) : 0};
    if (equals && x_name && !ws_span_eq(ws_span_trim(name), x_name))
        return ws_cli_usage(cli, "--predict '%s' names another column than --x %s", text, x_name), false;
    const char **items;
    size_t n = ws_data_list(cli, equals ? equals + 1 : text, &items);
    settings->at = ws_arena_alloc(&cli->arena, (n + 1) * sizeof *settings->at);
    for (size_t i = 0; i < n; i++)
        if (!ws_span_double(ws_span_of(items[i]), &settings->at[i]))
            return ws_cli_usage(cli, "--predict: '%s' is no number", items[i]), false;
    settings->n_at = n;
    return n > 0 || (ws_cli_usage(cli, "--predict wants numbers, as in gpus=512,1024"), false);
}

bool ws_fit_settings_read(ws_cli *cli, const ws_fit_model *model, const char *x_name, ws_fit_settings *s)
{
    static const char *const kinds[] = {"HC0", "HC1", "HC2", "HC3", "equal"},
                             *const weights[] = {"pooled", "own", "none", "proportional"},
                             *const draws[] = {"pairs", "residual", "within"};
    double resamples = 2000, seed = 1, degree = 2;
    size_t hc = WS_HC3, weight = WS_WEIGHTS_ALIKE, bootstrap = 0;
    bool by_run;
    *s = (ws_fit_settings){.lambda = 1,
                           .beyond = 2,
                           .has_hc = ws_cli_has(cli, "errors"),
                           .in_logs =
                               ws_cli_has(cli, "logs") || (model->logs_unless_not && !ws_cli_has(cli, "no-logs"))};
    const number_option numbers[] = {
        {"lambda", &s->lambda, 1e-300, 1e300},  {"margin", &s->margin, 0, 1e300},
        {"beyond", &s->beyond, 1, 1e300},       {"resamples", &resamples, 100, 1e6},
        {"seed", &seed, 0, 9007199254740992.0}, {"degree", &degree, 1, WS_FIT_MAX_ESTIMATES - 1}};
    if (!ws_data_level(cli, &s->level) || !read_numbers(cli, numbers, sizeof numbers / sizeof *numbers) ||
        !read_word(cli, "errors", kinds, 5, &hc) || !read_word(cli, "weights", weights, 4, &weight) ||
        !read_word(cli, "bootstrap", draws, 3, &bootstrap) || !ws_data_unit(cli, &by_run) ||
        !read_places(cli, x_name, s) || !ws_fit_laws_read(cli, s))
        return false;
    if (strcmp(model->name, "choose") == 0 && ws_cli_has(cli, "level"))
        return ws_cli_usage(cli, "choose has no use for --level: it prints no interval"), false;
    if (degree != floor(degree))
        return ws_cli_usage(cli, "--degree '%s' is no whole number", ws_cli_value(cli, "degree")), false;
    bool is_line = strcmp(model->name, "line") == 0;
    bool is_powerlaw = strcmp(model->name, "powerlaw") == 0, weighs = ws_cli_has(cli, "weights");
    if (weighs && (is_line != (weight == WS_WEIGHTS_PROPORTIONAL) || (is_powerlaw && weight == WS_WEIGHTS_NONE)))
        return ws_cli_usage(
                   cli, "--weights of line is proportional, of repeats pooled, own or none, of powerlaw pooled or own"),
               false;
    if (is_powerlaw && weighs && s->has_hc)
        return ws_cli_usage(cli, "--errors and --weights are two answers to one question: give one"), false;
    if (is_line && s->has_hc && weight == WS_WEIGHTS_PROPORTIONAL)
        return ws_cli_usage(cli, "--errors and --weights are two answers to one question: give one"), false;
    s->degree = (size_t)degree;
    s->equal_errors = s->has_hc && hc == 4;
    s->has_hc = s->has_hc && !s->equal_errors;
    s->hc = (ws_hc)hc;
    s->weights = (ws_fit_weights)weight;
    s->bootstrap = ws_cli_has(cli, "bootstrap") ? draws[bootstrap] : NULL;
    s->by_run =
        by_run || model->by_run || (is_powerlaw && weighs) || (s->bootstrap && strcmp(s->bootstrap, "within") == 0);
    s->draws = (size_t)resamples;
    s->seed = (uint64_t)seed;
    return true;
}
