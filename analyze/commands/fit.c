/* `wattscale fit`: reads its arguments, groups the rows, and hands each group to a view (fit.h). */
#include "analyze/commands/fit_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const ws_option options[] = {
    {"x", 0, "COLUMN", "the predictor (needed, but for mean and slopes)"},
    {"y", 0, "COLUMN", "the response (needed)"},
    {"by", 0, "COLUMNS", "a fit for each group of rows that agree in these"},
    {"level", 0, "LEVEL", "of the intervals, 0.95 unless given"},
    {"logs", 0, NULL, "powerlaw-direct, repeats: of ln y, as the other laws; huber, theil-sen: of ln x and ln y"},
    {"no-logs", 0, NULL, "floor, amdahl, usl, choose: least squares of y itself"},
    {"unit", 0, "WHICH", "a point is the mean of a configuration (default), or every run"},
    {"degree", 0, "N", "polynomial: its highest power, 1 to 11; default 2"},
    {"laws", 0, "LIST", "choose: which laws, as powerlaw,floor,amdahl"},
    {"compare", 0, NULL,
     "line, powerlaw: do the groups of --by share a slope? F test, pairwise differences (up to 100 groups)"},
    {"margin", 0, "NUMBER", "--compare, slopes: differences below it count as none (two one-sided tests)"},
    {"predict", 0, "X=LIST", "the fit at other places, as gpus=512,1024, with prediction intervals"},
    {"beyond", 0, "FACTOR", "--predict: flag what lies farther outside than this; default 2"},
    {"diagnostics", 0, NULL, "line, powerlaw: tests of the residuals; leverage, outliers and Cook's distance"},
    {"bootstrap", 0, "HOW", "redraw pairs, residual, or within the repeats of an x, and fit again"},
    {"resamples", 0, "N", "--bootstrap: how many draws; default 2000"},
    {"seed", 0, "S", "--bootstrap: start of the random numbers; default 1"},
    {"jackknife", 0, NULL, "leave each point out in turn, and fit again"},
    {"residuals", 0, NULL, "the residuals, a row a point, instead of the estimates"},
    {"errors", 0, "KIND",
     "line, origin, powerlaw: equal, those of errors of one size (powerlaw: in proportion to y), as textbooks have "
     "them, with --compare those of all groups pooled; or HC0 to HC3"},
    {"weights", 0, "WHICH",
     "repeats: pooled or own spread, or none (every run a point); line: proportional (1/y^2); powerlaw: pooled or own, "
     "of means with n_runs and Y_rmse"},
    {"lambda", 0, "RATIO", "deming: variance of y's errors over that of x's; default 1"},
    {"sd-x", 0, "COLUMN", "york: standard deviation of each x"},
    {"sd-y", 0, "COLUMN", "york, slopes: standard deviation of each y"},
    {"correlation", 0, "COLUMN", "york: correlation of the two errors of a point"},
    WS_OPTION_PER,
    WS_OPTIONS_CAMPAIGN,
    {NULL, 0, NULL, NULL},
};

/* --- the options, checked once --- */

typedef struct number_option {
    const char *name;
    double *to, least, most;
} number_option;

static bool read_numbers(ws_cli *cli, const number_option *numbers, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const char *text = ws_cli_value(cli, numbers[i].name);
        if (!text)
            continue;
        double value;
        if (!ws_span_double(ws_span_of(text), &value) || !(value >= numbers[i].least) || !(value <= numbers[i].most)) {
            char least[WS_DOUBLE_TEXT], most[WS_DOUBLE_TEXT];
            ws_double_text(least, numbers[i].least);
            ws_double_text(most, numbers[i].most);
            return ws_cli_usage(cli, "--%s '%s' is no number from %s to %s", numbers[i].name, text, least, most), false;
        }
        *numbers[i].to = value;
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
    if (model->view == &ws_fit_view_choose && ws_cli_has(cli, "level"))
        return ws_cli_usage(cli, "choose has no use for --level: it prints no interval"), false;
    if (degree != floor(degree))
        return ws_cli_usage(cli, "--degree '%s' is no whole number", ws_cli_value(cli, "degree")), false;
    bool weighs = ws_cli_has(cli, "weights");
    if (weighs && !(model->weights & 1u << weight))
        return ws_cli_usage(
                   cli, "--weights of line is proportional, of repeats pooled, own or none, of powerlaw pooled or own"),
               false;
    if (weighs && s->has_hc)
        return ws_cli_usage(cli, "--errors and --weights are two answers to one question: give one"), false;
    s->degree = (size_t)degree;
    s->equal_errors = s->has_hc && hc == 4;
    s->has_hc = s->has_hc && !s->equal_errors;
    s->hc = (ws_hc)hc;
    s->weights = (ws_fit_weights)weight;
    s->bootstrap = ws_cli_has(cli, "bootstrap") ? draws[bootstrap] : NULL;
    s->by_run =
        by_run || model->by_run || (model->in_logs && weighs) || (s->bootstrap && strcmp(s->bootstrap, "within") == 0);
    s->draws = (size_t)resamples;
    s->seed = (uint64_t)seed;
    return true;
}

/* --- the groups and their tables --- */

static const ws_fit_view *const views[] = {&ws_fit_view_residuals, &ws_fit_view_compare,   &ws_fit_view_diagnostics,
                                           &ws_fit_view_bootstrap, &ws_fit_view_jackknife, &ws_fit_view_predict};

/* The table that is asked for; NULL after a message. */
static const ws_fit_view *find_view(ws_cli *cli, const ws_fit_model *model)
{
    const ws_fit_view *found = model->view;
    for (size_t i = 0; i < sizeof views / sizeof *views; i++) {
        if (!ws_cli_has(cli, views[i]->option))
            continue;
        if (found && found->option)
            return ws_cli_usage(cli, "--%s and --%s are different tables: ask for one", found->option,
                                views[i]->option),
                   NULL;
        if (model->view || (views[i]->knows && !views[i]->knows(model)))
            return views[i] == &ws_fit_view_predict && model->instead
                       ? ws_cli_usage(cli, "%s has no --predict: %s", model->name, model->instead)
                       : ws_cli_usage(cli, "%s has no --%s%s%s", model->name, views[i]->option,
                                      views[i]->knows ? ": it is for " : "",
                                      views[i]->knows ? ws_fit_model_list(&cli->arena, views[i]->knows) : ""),
                   NULL;
        found = views[i];
    }
    return found ? found : &ws_fit_view_estimates;
}

/* A group whose numbers cannot be worked with is a row without estimates: the others are fitted all the same. */
static void fail_group(ws_fitter *f, const ws_row_group *group, const ws_fit_points *p, const ws_error *why)
{
    char sentence[2 * sizeof why->message];
    ws_data_words(why->message, f->x_name ? f->x_name : "x", f->y_name, sentence, sizeof sentence);
    ws_notes_add(&f->out->notes, WS_FINDING_NO_FIT, f->data->source, group->label, 0, "%s%s%s: %s", f->y_name,
                 f->x_name ? " against " : "", f->x_name ? f->x_name : "", sentence);
    if (!f->n_failed++)
        ws_fail_at(&f->first, why->status, f->data->source, 0, "%s: %s", group->label, sentence);
    if (f->view->add_failure)
        f->view->add_failure(f, group, p);
}

static void fit_group(ws_fitter *f, const ws_row_group *group)
{
    ws_error why = {0};
    ws_fit_points p = ws_fit_take(f, group);
    f->n_points += p.n;
    ws_data_note_again(f->cli, &f->out->notes, f->data, group);
    if (*p.mixed)
        ws_notes_add(&f->out->notes, WS_FINDING_MIXED_SETTINGS, f->data->source, group->label, 0,
                     "runs that are averaged differ in %s (--by keeps apart what is a setting)", p.mixed);
    if (p.averages_x)
        ws_data_note_averaged(&f->out->notes, f->data, group, f->x_name);
    ws_notes_add_many(&f->out->notes, p.without, WS_FINDING_INCOMPLETE_ROW, f->data->source, group->label, 0,
                      "rows of '%s' without %s%s%s are left out", group->label, f->x_name ? f->x_name : "",
                      f->x_name ? " or " : "", f->y_name);
    if (f->view->add(f, group, &p, &why) != WS_OK)
        fail_group(f, group, &p, &why);
    else if (p.x && !f->view->option)
        ws_fit_note_parts(f, group, &p);
    ws_fit_points_free(&p);
}

int ws_fit_fill(ws_fitter *f, const ws_row_groups *groups, ws_table *out)
{
    ws_error error = {0};
    f->out = out;
    f->view->init(out);
    out->ci_level = f->settings.level;
    ws_notes_append(&out->notes, &f->data->notes);
    out->synthetic = f->data->synthetic;
    ws_status status = f->view->whole ? f->view->whole(f, groups, &error) : WS_OK;
    for (size_t i = 0; i < groups->n && !f->view->whole; i++)
        fit_group(f, &groups->items[i]);
    const char *columns[] = {f->x_name ? f->x_name : f->y_name, f->y_name, NULL};
    if (status == WS_OK && !f->n_points) {
        status = ws_data_none_left(f->data, columns, &error);
    } else if (status == WS_OK && !f->view->whole && f->n_failed == groups->n) {
        error = f->first;
        status = error.status;
    }
    return status == WS_OK ? WS_EXIT_OK : ws_cli_fail(f->cli, &error);
}

/* An option that the model at hand never reads is a misunderstanding: the answer would not be the one asked for. */
static bool refuse_idle_options(ws_cli *cli, const ws_fit_model *model)
{
    static const struct {
        const char *option;
        unsigned by;      /* models that read it, */
        const char *with; /* or beside that option all do */
    } readers[] = {{"errors", WS_FIT_READS_ERRORS, NULL},
                   {"weights", WS_FIT_READS_WEIGHTS, NULL},
                   {"lambda", WS_FIT_READS_LAMBDA, NULL},
                   {"degree", WS_FIT_READS_DEGREE, NULL},
                   {"laws", WS_FIT_READS_LAWS, NULL},
                   {"sd-x", WS_FIT_READS_SD_X, NULL},
                   {"sd-y", WS_FIT_READS_SD_Y, NULL},
                   {"correlation", WS_FIT_READS_CORRELATION, NULL},
                   {"margin", WS_FIT_READS_MARGIN, "compare"},
                   {"beyond", 0, "predict"},
                   {"resamples", 0, "bootstrap"},
                   {"seed", 0, "bootstrap"}};
    for (size_t i = 0; i < sizeof readers / sizeof *readers; i++) {
        bool read = (model->reads & readers[i].by) || (readers[i].with && ws_cli_has(cli, readers[i].with));
        if (ws_cli_has(cli, readers[i].option) && !read)
            return ws_cli_usage(cli, "%s does not read --%s here", model->name, readers[i].option), false;
    }
    if (model->without_x && ws_cli_has(cli, "x"))
        return ws_cli_usage(cli, "%s does not read --x", model->name), false;
    return true;
}

static bool fit_read_arguments(ws_fitter *f)
{
    static const char *const extra[] = {"sd-x", "sd-y", "correlation"};
    ws_cli *cli = f->cli;
    f->model = ws_fit_model_find(cli->arguments[0]);
    if (!f->model)
        return ws_cli_usage(cli, "there is no model '%s'; there are: %s", cli->arguments[0],
                            ws_fit_model_list(&cli->arena, NULL)),
               false;
    bool printed = f->model->view == &ws_fit_view_printed;
    f->x_name = f->model->without_x ? NULL : ws_cli_value(cli, "x");
    f->y_name = ws_cli_value(cli, "y");
    if (printed && (!f->y_name || !ws_cli_has(cli, "sd-y")))
        return ws_cli_usage(cli, "slopes needs --y and --sd-y: the columns of printed slopes and their errors"), false;
    if (f->model->without_x && !f->y_name)
        return ws_cli_usage(cli, "--y is needed: the column with the repeats"), false;
    if (!f->model->without_x && (!f->x_name || !f->y_name))
        return ws_cli_usage(cli, "--x and --y are needed: the columns to fit"), false;
    for (size_t i = 0; i < 3; i++)
        f->extra_name[i] = ws_cli_value(cli, extra[i]);
    if (f->model->in_logs && f->model->weights && ws_cli_has(cli, "weights")) {
        f->extra_name[WS_FIT_RMSE] = ws_arena_printf(&cli->arena, "%s_rmse", f->y_name);
        f->extra_name[WS_FIT_N_RUNS] = "n_runs";
    }
    if (f->model->needs_sd && (!f->extra_name[WS_FIT_SD_X] || !f->extra_name[WS_FIT_SD_Y]))
        return ws_cli_usage(cli, "%s needs --sd-x and --sd-y: columns with the standard deviations", f->model->name),
               false;
    if (ws_cli_has(cli, "logs") && !f->model->takes_logs)
        return ws_cli_usage(cli, "%s has no --logs", f->model->name), false;
    if (ws_cli_has(cli, "logs") && ws_cli_has(cli, "predict") && f->model->predicts_no_logs)
        return ws_cli_usage(cli, "%s has no --predict with --logs; 'fit powerlaw' has it", f->model->name), false;
    if (ws_cli_has(cli, "no-logs") && !f->model->logs_unless_not)
        return ws_cli_usage(cli, "%s has no --no-logs", f->model->name), false;
    if (ws_cli_has(cli, "no-logs") && ws_cli_has(cli, "logs"))
        return ws_cli_usage(cli, "--logs and --no-logs exclude each other"), false;
    f->view = find_view(cli, f->model);
    const char *errors = ws_cli_value(cli, "errors"); /* --compare: one variance of all groups */
    bool pooled = f->view == &ws_fit_view_compare && errors && strcmp(errors, "equal") == 0;
    if (f->view && ws_cli_has(cli, "errors") && !pooled && f->view != &ws_fit_view_estimates &&
        f->view != &ws_fit_view_predict)
        return ws_cli_usage(cli, "--errors is for the estimates, not for --%s", f->view->option), false;
    if (f->view == &ws_fit_view_compare && ws_cli_has(cli, "weights"))
        return ws_cli_usage(cli, "--weights is for the estimates, not for --compare"), false;
    if (f->view && f->extra_name[WS_FIT_N_RUNS] && f->view != &ws_fit_view_estimates &&
        f->view != &ws_fit_view_residuals && f->view != &ws_fit_view_predict)
        return ws_cli_usage(cli, "--weights of powerlaw is for the estimates, not for --%s", f->view->option), false;
    return f->view && refuse_idle_options(cli, f->model) &&
           ws_fit_settings_read(cli, f->model, f->x_name, &f->settings);
}

static bool find_columns(ws_fitter *f)
{
    if ((f->x_name && !ws_data_column(f->cli, f->data, f->x_name, &f->x)) ||
        !ws_data_column(f->cli, f->data, f->y_name, &f->y))
        return false;
    for (size_t i = 0; i < WS_FIT_EXTRA; i++)
        if (f->extra_name[i] && !ws_data_column(f->cli, f->data, f->extra_name[i], &f->extra[i]))
            return false;
    return true;
}

int ws_fit_open(ws_fitter *f, ws_table *data, ws_row_groups *groups)
{
    const char *per;
    if (!fit_read_arguments(f) || !ws_data_per(f->cli, &per))
        return WS_EXIT_USAGE;
    const char *needed[3 + WS_FIT_EXTRA] = {f->y_name};
    size_t n = 1;
    if (f->x_name)
        needed[n++] = f->x_name;
    for (size_t i = 0; i < WS_FIT_EXTRA; i++)
        if (f->extra_name[i])
            needed[n++] = f->extra_name[i];
    int status = ws_data_table(f->cli, f->cli->arguments[1], needed, data);
    f->data = data;
    if (status == WS_EXIT_OK && (!find_columns(f) || !ws_data_per_has_use(f->cli, data, needed, n) ||
                                 !ws_data_group(f->cli, data, ws_cli_value(f->cli, "by"), groups)))
        status = WS_EXIT_USAGE;
    if (status != WS_EXIT_OK)
        return status;
    ws_work *works = ws_alloc((groups->n + 1) * sizeof *works);
    ws_data_equal_work(f->cli, data, groups, needed, n, works);
    f->x_name = ws_data_work_words(f->cli, f->x_name, works, groups->n);
    f->y_name = ws_data_work_words(f->cli, f->y_name, works, groups->n);
    free(works);
    return WS_EXIT_OK;
}

static int run_fit(ws_cli *cli)
{
    ws_fitter f = {.cli = cli};
    ws_table data = {0}, out = {0};
    ws_row_groups groups = {0};
    int status = ws_fit_open(&f, &data, &groups);
    if (status == WS_EXIT_OK)
        status = ws_fit_fill(&f, &groups, &out);
    if (status == WS_EXIT_OK) {
        size_t says;
        if (ws_table_find(&out, "status", &says))
            ws_table_hide_same(&out, says, "ok");
        status = ws_cli_output(cli, &out);
    }
    ws_row_groups_free(&groups);
    ws_table_free(&out);
    ws_table_free(&data);
    return status;
}

const ws_command ws_command_fit = {
    .name = "fit",
    .arguments = "MODEL DATA",
    .summary = "lines, scaling laws and the choice among them, by group",
    .description =
        "Fits MODEL to two columns of DATA, which is a campaign or any table that has them; MODEL is one of those "
        "named below, as origin, powerlaw or choose. Each estimate comes with its standard error, an interval and a "
        "p-value (against 0, or what the column null_value has); the column r2_kind says which R2 it is. A sentence on "
        "standard error tells the outcome in words.\n\n"
        "mean: repeats of y alone, with sd (divisor n - 1), RMSE about the mean (divisor n) and coefficient of "
        "variation.\n\n"
        "A point is the mean of a configuration: runs with the same series, model, device, GPUs, batch sizes and caps "
        "(or the same x, in a table without these). Intervals are Student's t with k - p degrees of freedom for k "
        "configurations and p coefficients, since repeats of one configuration are not independent points of a law; "
        "repeat-spread shows what the repeats differ by, and a test says whether the law misses the means by more than "
        "that. A run that stands in several rows counts once. --unit run makes every row a point.\n\n"
        "Intervals of line, origin and powerlaw allow for errors of one size as well as for errors in proportion to y, "
        "so that their standard errors differ from those of scipy or R, which --errors equal gives; estimates are the "
        "same.\n\n"
        "Lines: line (y = intercept + slope x); origin (y = slope x, and beside it the ratio of sums, the mean of "
        "ratios, slope and intercept of the line that is free to miss the origin: they answer different questions, and "
        "the mean of ratios is the headline); polynomial (powers of x up to --degree, with all their digits); repeats "
        "(a line through the means of repeats, and what their own spread says); york and deming (errors in x as well); "
        "theil-sen and huber (single bad points do not carry them away).\n\n"
        "Scaling laws, by least squares of ln y (errors in proportion to y; --no-logs: of y): powerlaw (y = factor "
        "x^exponent), floor (factor x^exponent + floor), amdahl (time with a serial fraction), usl (throughput with "
        "contention and coherency, and its peak), breakpoint (two power laws that meet; where the bend is weak, the "
        "95 % interval of the second exponent holds it in 89 % of cases) and lognormal (a curve of that shape, and "
        "whether the errors are of that law); of y itself powerlaw-direct, gustafson (scaled speed-up) and onset "
        "(where an error leaves its plateau as the batch grows). powerlaw, breakpoint and lognormal are lines or "
        "curves of ln y on ln x, with both axes logged; floor, amdahl and usl keep x as it is and log y alone.\n\n"
        "choose puts several laws side by side: AICc, BIC, leave-one-out error, evidence ratios, nested F, and why one "
        "could not be compared. slopes asks whether slopes that others printed (--y, with standard errors "
        "--sd-y) are equal: Cochran's Q. It and --compare end with the mean slope, once with all groups alike and "
        "once weighted by random effects (DerSimonian and Laird), with intervals that follow from how much the groups "
        "differ (Hartung and Knapp), and with the interval in which the slope of one more group would lie. More than "
        "100 groups are compared with the common slope, and not pair by pair.\n\n"
        "An undefined answer is an answer: the column status says exact (as many points as parameters), perfect, "
        "constant, too-few, not-positive, not-converged, not-identified, or undefined where one estimate alone has "
        "no value, and the sentence says why.",
    .options = options,
    .example =
        "wattscale fit origin datasets/huber2025/scaled.csv --x gpu_h --y energy_kwh --by series --exclude 'gpus<4'",
    .least = 2,
    .most = 2,
    .run = run_fit,
};
