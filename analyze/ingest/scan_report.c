#include "analyze/ingest/scan_report.h"

#include <stdlib.h>
#include <string.h>

enum { VALUES_SHOWN = 6, FIELDS = 64, EXAMPLES = 3, WIDTH = 80 /* of a terminal */ };

/* One field over all files. */
typedef struct field_row {
    const char *name;
    const char **values; /* sorted, each once */
    size_t n_values, runs;
    const char *source; /* the file of settings that says it; NULL: the path */
} field_row;

typedef struct scan_report {
    FILE *out;
    const ws_campaign *campaign;
    const ws_proposal *p;
    ws_arena arena;
    field_row rows[FIELDS];
    size_t n_rows, n_runs;
    const ws_scan_file **firsts; /* a file of each run */
} scan_report;

/* --- runs and fields --- */

typedef struct keyed {
    const char *key;
    const ws_scan_file *file;
} keyed;

static int by_run(const void *a, const void *b)
{
    const keyed *x = a, *y = b;
    int order = strcmp(x->key, y->key);
    return order ? order : strcmp(x->file->path, y->file->path);
}

/* A file without any field is a run; those with fields of files alone ("node") are of one. */
static const char *run_key(ws_arena *arena, const ws_scan_file *f)
{
    return ws_scan_has_fields(f) || f->rule_field ? ws_scan_run_key(arena, f) : f->path;
}

static void find_firsts(scan_report *r)
{
    keyed *k = ws_alloc((r->p->n + 1) * sizeof *k);
    for (size_t i = 0; i < r->p->n; i++)
        k[i] = (keyed){run_key(&r->arena, &r->p->files[i]), &r->p->files[i]};
    qsort(k, r->p->n, sizeof *k, by_run);
    r->firsts = ws_arena_alloc(&r->arena, (r->p->n + 1) * sizeof *r->firsts);
    for (size_t i = 0; i < r->p->n; i++)
        if (!i || strcmp(k[i].key, k[i - 1].key) != 0)
            r->firsts[r->n_runs++] = k[i].file;
    free(k);
}

static int by_value(const void *a, const void *b)
{
    const char *x = *(const char *const *)a, *y = *(const char *const *)b;
    double u, v;
    bool numbers = ws_span_double(ws_span_of(x), &u) && ws_span_double(ws_span_of(y), &v);
    if (numbers && (u < v || u > v))
        return u < v ? -1 : 1;
    return strcmp(x, y);
}

static void scan_report_add_row(scan_report *r, const char *name, const char *source)
{
    for (size_t i = 0; i < r->n_rows; i++)
        if (strcmp(r->rows[i].name, name) == 0)
            return;
    if (r->n_rows == FIELDS || *name == '*')
        return;
    field_row *row = &r->rows[r->n_rows++];
    *row = (field_row){
        .name = name, .source = source, .values = ws_arena_alloc(&r->arena, (r->p->n + 1) * sizeof *row->values)};
    size_t n = 0;
    for (size_t i = 0; i < r->p->n; i++) {
        const char *value = ws_scan_value(&r->p->files[i], name);
        if (value)
            row->values[n++] = value;
    }
    qsort(row->values, n, sizeof *row->values, by_value);
    for (size_t i = 0; i < n; i++)
        if (!row->n_values || strcmp(row->values[row->n_values - 1], row->values[i]) != 0)
            row->values[row->n_values++] = row->values[i];
    for (size_t i = 0; i < r->n_runs; i++)
        row->runs += ws_scan_value(r->firsts[i], name) != NULL;
}

/* Files of settings may hold hundreds of keys: those that mean something here. */
static bool is_shown(const scan_report *r, const ws_scan_setting *setting)
{
    bool groups = false;
    for (size_t i = 0; i < r->campaign->n_group; i++)
        groups |= strcmp(r->campaign->group[i], setting->field) == 0;
    return setting->is_known || groups;
}

static void find_rows(scan_report *r)
{
    for (size_t i = 0; i < r->p->n; i++) {
        const ws_scan_file *f = &r->p->files[i];
        for (size_t depth = 0; depth < f->parts.n; depth++)
            for (size_t k = 0; k < f->parts.segments[depth].n; k++)
                if (f->names[depth][k])
                    scan_report_add_row(r, f->names[depth][k], NULL);
        if (f->rule_field)
            scan_report_add_row(r, f->rule_field, NULL);
    }
    for (size_t i = 0; i < r->p->n; i++)
        for (size_t k = 0; k < r->p->files[i].n_beside; k++)
            if (is_shown(r, &r->p->files[i].beside[k]))
                scan_report_add_row(r, r->p->files[i].beside[k].field, r->p->files[i].beside[k].source);
}

static const field_row *row_of(const scan_report *r, const char *name)
{
    for (size_t i = 0; i < r->n_rows; i++)
        if (strcmp(r->rows[i].name, name) == 0)
            return &r->rows[i];
    return NULL;
}

/* The first values, and the last where there are more than fit into `room` columns. */
static const char *values_text(scan_report *r, const field_row *row, size_t room)
{
    const char *text = "";
    if (strcmp(row->name, "rule") == 0 && row->n_values && strchr(row->values[0], '{'))
        return ws_arena_printf(&r->arena, "the pattern of the path (%zu of them)", row->n_values);
    size_t shown = row->n_values <= VALUES_SHOWN ? row->n_values : VALUES_SHOWN - 1;
    for (;; shown--) {
        text = "";
        for (size_t i = 0; i < shown; i++)
            text = ws_arena_printf(&r->arena, "%s%s%s", text, i ? ", " : "", row->values[i]);
        if (shown < row->n_values)
            text = ws_arena_printf(&r->arena, "%s ... %s (%zu values)", text, row->values[row->n_values - 1],
                                   row->n_values);
        if (shown <= 1 || strlen(text) <= room)
            return text;
    }
}

/* --- what is printed --- */

static const char *use_text(const scan_report *r, const char *name)
{
    static const char *const texts[] = {
        [WS_USE_SETTING] = "same", [WS_USE_REPEAT] = "repeat", [WS_USE_FILE] = "file", [WS_USE_IDENTITY] = "label"};
    const char *column = strcmp(name, "clock_cap_mhz") == 0 ? "clock_cap_hz" : name;
    for (size_t i = 0; i < r->campaign->n_group; i++)
        if (strcmp(r->campaign->group[i], column) == 0)
            return "setting";
    for (size_t i = 0; i < r->campaign->n_side_files; i++)
        if (r->campaign->side_files[i].join && strcmp(r->campaign->side_files[i].join, name) == 0)
            return texts[WS_USE_IDENTITY];
    return texts[ws_name_use(name)];
}

/* What the words of the column `use` mean, those that stand there. */
static void print_uses(scan_report *r)
{
    static const struct {
        const char *use, *means;
    } known[] = {{"setting", "configurations differ in it"},
                 {"repeat", "repeats differ in it"},
                 {"label", "tells runs apart, is no setting"},
                 {"same", "is the same in all runs"},
                 {"file", "tells the files of a run apart"}};
    const char *line = "";
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        bool stands = false;
        for (size_t k = 0; k < r->n_rows; k++)
            stands |= strcmp(use_text(r, r->rows[k].name), known[i].use) == 0;
        const char *text = ws_arena_printf(&r->arena, "%s: %s", known[i].use, known[i].means);
        if (stands && *line && strlen(line) + strlen(text) + 2 > WIDTH) {
            fprintf(r->out, "%s;\n", line);
            line = text;
        } else if (stands) {
            line = ws_arena_printf(&r->arena, "%s%s%s", line, *line ? "; " : "", text);
        }
    }
    if (*line)
        fprintf(r->out, "%s\n", line);
    if (row_of(r, "factor"))
        fputs("factor: a run has one in so many samples of the data set (dataset_samples / factor)\n", r->out);
}

static void print_field(scan_report *r, int width, const field_row *row)
{
    size_t before = (size_t)width + strlen("  runs  setting  ");
    const char *values = values_text(r, row, WIDTH - before);
    fprintf(r->out, "%-*s  %4zu  %-7s  %s", width, row->name, row->runs, use_text(r, row->name), values);
    if (row->source && before + strlen(values) + strlen(row->source) + 3 > WIDTH)
        fprintf(r->out, "\n%*s", (int)before - 1, "");
    fprintf(r->out, row->source ? " (%s)\n" : "%s\n", row->source ? row->source : "");
}

static void print_fields(scan_report *r)
{
    const ws_fields *given = &r->campaign->defaults;
    size_t width = strlen("field");
    for (size_t i = 0; i < given->n; i++)
        width = strlen(given->items[i].name) > width ? strlen(given->items[i].name) : width;
    for (size_t i = 0; i < r->n_rows; i++)
        width = strlen(r->rows[i].name) > width ? strlen(r->rows[i].name) : width;
    fprintf(r->out, "\n%-*s  runs  use      values\n", (int)width, "field");
    for (size_t i = 0; i < r->n_rows; i++)
        print_field(r, (int)width, &r->rows[i]);
    for (size_t i = 0; i < given->n; i++)
        fprintf(r->out, "%-*s  %4zu  %-7s  %s\n", (int)width, given->items[i].name, r->n_runs, "given",
                given->items[i].value);
    print_uses(r);
}

static void print_path(scan_report *r, const ws_scan_file *f)
{
    static const char indent[] = "      ";
    const char *line = "";
    fprintf(r->out, "  %s\n", f->path);
    for (size_t depth = 0; depth < f->parts.n; depth++)
        for (size_t i = 0; i < f->parts.segments[depth].n; i++) {
            const char *name = f->names[depth][i];
            if (!name || *name == '*')
                continue;
            const char *text = ws_arena_printf(&r->arena, "%s=%s", name, f->parts.segments[depth].parts[i].value);
            if (*line && strlen(line) + strlen(text) + 1 > WIDTH) {
                fprintf(r->out, "%s\n", line);
                line = "";
            }
            line = ws_arena_printf(&r->arena, "%s%s", *line ? ws_arena_printf(&r->arena, "%s ", line) : indent, text);
        }
    if (f->rule_field && !strchr(f->rule_value, '{'))
        line = ws_arena_printf(&r->arena, "%s%s%s=%s", *line ? line : indent, *line ? " " : "", f->rule_field,
                               f->rule_value);
    fprintf(r->out, "%s\n", *line ? line : "      no field: the file is a run of its own");
}

/* Paths of different rules first; where there are fewer, the first, the last and the one in the middle. */
static void print_examples(scan_report *r)
{
    const ws_scan_file *shown[EXAMPLES];
    const char *patterns[EXAMPLES];
    size_t n = 0;
    for (size_t i = 0; i < r->p->n && n < EXAMPLES; i++) {
        const char *pattern = ws_path_pattern(&r->arena, &r->p->files[i]);
        bool seen = false;
        for (size_t k = 0; k < n; k++)
            seen |= strcmp(patterns[k], pattern) == 0;
        if (!seen)
            patterns[n] = pattern, shown[n++] = &r->p->files[i];
    }
    const size_t places[] = {r->p->n - 1, r->p->n / 2};
    for (size_t i = 0; i < 2 && n < EXAMPLES; i++) {
        bool seen = false;
        for (size_t k = 0; k < n; k++)
            seen |= shown[k] == &r->p->files[places[i]];
        if (!seen)
            shown[n++] = &r->p->files[places[i]];
    }
    fprintf(r->out, "\nhow paths were read:\n");
    for (size_t i = 0; i < n; i++)
        print_path(r, shown[i]);
}

static void print_windows(const scan_report *r)
{
    for (size_t i = 0; i < r->campaign->n_windows; i++)
        if (r->campaign->windows[i].as && strcmp(r->campaign->windows[i].as, "sacct") == 0)
            fprintf(r->out,
                    "\ncut into runs:\n  each job of %s that lies in these logs, by its times and nodes, is a run\n",
                    r->campaign->windows[i].match);
}

static bool is_given(const scan_report *r, const char *name)
{
    return row_of(r, name) || ws_fields_get(&r->campaign->defaults, name);
}

static void print_batch(const scan_report *r)
{
    bool is_in_path = row_of(r, "batch") && !row_of(r, "batch")->source;
    fprintf(r->out, "  %-16s updates and passes per GPUh\n", "lbs or gbs");
    if (is_in_path)
        fprintf(r->out,
                "  %-16s   {batch} may be that of one GPU (lbs) or of all (gbs):\n"
                "  %-16s   say which as its name in --pattern\n",
                "", "");
    else
        fprintf(r->out, "  %-16s   --set lbs=N (batch of one GPU) or --set gbs=N (of all)\n", "");
}

static void print_missing(scan_report *r)
{
    static const struct {
        const char *field, *use, *value;
    } wanted[] = {{"epochs", "samples per GPUh, time per epoch", "N"},
                  {"dataset_samples", "samples per GPUh, energy per sample", "N"},
                  {"model", "tables of several models", "NAME"},
                  {"device", "tables of several devices", "NAME"}};
    bool has_batch = is_given(r, "lbs") || is_given(r, "gbs"), any = !has_batch;
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
        any |= !is_given(r, wanted[i].field);
    if (any)
        fprintf(r->out, "\nnot said (only the figures named need it, and the option says it):\n");
    if (!has_batch)
        print_batch(r);
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
        if (!is_given(r, wanted[i].field))
            fprintf(r->out, "  %-16s %-36s --set %s=%s\n", wanted[i].field, wanted[i].use, wanted[i].field,
                    wanted[i].value);
    if (!is_given(r, "gpus"))
        fprintf(r->out, "The GPUs of a run are counted in its traces; --set gpus=N where these lack some.\n");
}

static bool is_settled(const scan_report *r)
{
    for (size_t i = 0; i < r->n_rows; i++) {
        ws_field_use use = ws_name_use(r->rows[i].name);
        if (use == WS_USE_SETTING || use == WS_USE_REPEAT)
            return true;
    }
    return !r->n_rows;
}

static const char *suffix(const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path, *dot = strrchr(name, '.');
    return dot && dot > name ? dot : name;
}

static const char *useless_text(scan_report *r)
{
    const char *text = "";
    size_t kinds = 0;
    for (size_t i = 0; i < r->p->n_useless && kinds < VALUES_SHOWN; i++) {
        size_t same = 0;
        bool earlier = false;
        for (size_t k = 0; k < r->p->n_useless; k++) {
            bool is_same = strcmp(suffix(r->p->useless[k]), suffix(r->p->useless[i])) == 0;
            same += is_same;
            earlier |= is_same && k < i;
        }
        if (earlier)
            continue;
        text = ws_arena_printf(&r->arena, "%s%s%zu %s", text, kinds++ ? ", " : "", same, suffix(r->p->useless[i]));
    }
    return text;
}

/* Fields that only their values made, and files that nothing is known of. */
static void print_open(scan_report *r)
{
    static const struct {
        const char *field, *what;
    } open[] = {{"number", "a number without a word, taken for a setting"},
                {"number2", "a number without a word, taken for a setting"},
                {"repeat", NULL},
                {"rank", NULL}};
    bool any = !is_settled(r) || r->p->n_useless;
    for (size_t i = 0; i < sizeof open / sizeof *open; i++)
        any |= open[i].what && row_of(r, open[i].field);
    if (!any)
        return;
    fprintf(r->out, "\nnot understood:\n");
    for (size_t i = 0; i < sizeof open / sizeof *open; i++)
        if (open[i].what && row_of(r, open[i].field))
            fprintf(r->out, "  {%s}: %s; --pattern names it\n", open[i].field, open[i].what);
    if (!is_settled(r))
        fprintf(r->out, "  no path says a setting or a repeat: every run is a configuration of its own\n"
                        "  (--pattern, or 'group' of the description, says more)\n");
    if (r->p->n_useless)
        fprintf(r->out, "  %zu file%s with neither readings nor settings: %s,\n  the first is %s\n", r->p->n_useless,
                r->p->n_useless == 1 ? "" : "s", useless_text(r), r->p->useless[0]);
}

static void print_answer(scan_report *r, const char *what, const char *pattern)
{
    if (pattern)
        fprintf(r->out, "    %-26s --pattern '%s'\n", what, pattern);
}

static void print_question(scan_report *r, const ws_scan_file *f, const ws_scan_answers *answers)
{
    bool is_rotated = strcmp(f->one_run, "part") == 0;
    fprintf(r->out,
            "  %s and other files %s.\n  Are they of one run, or is each a run of its own? Nothing in them says it.\n",
            f->path, is_rotated ? "follow each other" : "cover the same time");
    print_answer(r, "one run, a file a node:", answers->nodes);
    print_answer(r, is_rotated ? "one run, one log:" : "one run, ranks of a node:", answers->ranks);
    print_answer(r, "each a run of its own:", answers->several);
    if (!answers->several)
        fprintf(r->out, "    They lie at different depths, so no pattern takes them all: list the files of\n"
                        "    each run under 'runs' of the description.\n");
}

/* Files of the same time: the answers, each with what says it. */
static void print_questions(scan_report *r)
{
    const char *asked[FIELDS];
    size_t n = 0;
    for (size_t i = 0; i < r->p->n && n < FIELDS; i++) {
        const ws_scan_file *f = &r->p->files[i];
        ws_scan_answers answers = f->one_run ? ws_answers_of(&r->arena, f) : (ws_scan_answers){0};
        const char *key = answers.several ? answers.several : f->path;
        bool is_new = f->one_run != NULL;
        for (size_t k = 0; k < n && is_new; k++)
            is_new = strcmp(asked[k], key) != 0;
        if (!is_new)
            continue;
        if (!n)
            fprintf(r->out, "\nasked, and without an energy until you say it (status ask:nodes):\n");
        print_question(r, f, &answers);
        asked[n++] = key;
    }
}

/* --- logs that may go on others --- */

/* "power_restart", "resumed", "run1-continued" */
static bool says_that_it_goes_on(const char *value)
{
    static const char *const words[] = {"restart", "resum", "continu"};
    char lower[64];
    size_t n = 0;
    for (; value[n] && n + 1 < sizeof lower; n++)
        lower[n] = value[n] >= 'A' && value[n] <= 'Z' ? (char)(value[n] | 32) : value[n];
    lower[n] = '\0';
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strstr(lower, words[i]))
            return true;
    return false;
}

static bool is_same_text(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) == 0 : a == b;
}

static bool is_of_rule(const ws_scan_file *f, const char *field)
{
    return f->rule_field && strcmp(f->rule_field, field) == 0;
}

/* Is it of the run that `f` goes on: equal but for that field, and over when `f` begins? Of one rule, or of two that
 * differ in words. */
static bool may_go_before(scan_report *r, const ws_scan_file *g, const ws_scan_file *f, const char *field)
{
    bool is_one_rule = strcmp(ws_path_pattern(&r->arena, g), ws_path_pattern(&r->arena, f)) == 0;
    if (g == f || is_one_rule == is_of_rule(f, field))
        return false;
    for (size_t i = 0; i < r->n_rows; i++)
        if (strcmp(r->rows[i].name, field) != 0 &&
            !is_same_text(ws_path_value(g, r->rows[i].name), ws_path_value(f, r->rows[i].name)))
            return false;
    bool has_times = f->span.is_read && g->span.is_read && f->span.is_dated && g->span.is_dated;
    return !has_times || g->span.end_ns <= f->span.start_ns;
}

static const ws_scan_file *before_it(scan_report *r, const ws_scan_file *f, const char *field)
{
    for (size_t i = 0; i < r->p->n; i++)
        if (may_go_before(r, &r->p->files[i], f, field))
            return &r->p->files[i];
    return NULL;
}

/* The word of a pattern that says it, of n bytes; NULL: none. */
static const char *word_that_goes_on(scan_report *r, const char *pattern, size_t *n)
{
    static const char signs[] = "/_-. {}";
    for (const char *c = pattern; *c; c += *n ? *n : 1) {
        *n = *c == '{' ? strcspn(c, "}") : strcspn(c, signs);
        bool is_word = *c != '{' && (c == pattern || (strchr(signs, c[-1]) && c[-1] != '}'));
        if (is_word && says_that_it_goes_on(ws_arena_strndup(&r->arena, c, *n)))
            return c;
    }
    return NULL;
}

/* The rule with that field, or that word, as a part of the run's log. */
static const char *pattern_of_parts(scan_report *r, const ws_scan_file *f, const char *field)
{
    const char *pattern = ws_path_pattern(&r->arena, f), *name = ws_arena_printf(&r->arena, "{%s}", field);
    size_t n = strlen(name);
    const char *at = is_of_rule(f, field) ? word_that_goes_on(r, pattern, &n) : strstr(pattern, name);
    return at ? ws_arena_printf(&r->arena, "%.*s{part}%s", (int)(at - pattern), pattern, at + n) : NULL;
}

/* Does its name say that it goes on another: by that field, or by a word of its rule? */
static bool goes_on_by(scan_report *r, const ws_scan_file *f, const char *field)
{
    const char *value = ws_path_value(f, field);
    size_t n;
    return value ? says_that_it_goes_on(value)
                 : is_of_rule(f, field) && word_that_goes_on(r, ws_path_pattern(&r->arena, f), &n) != NULL;
}

/* Nothing in the readings tells a run that was restarted from the next one: named, and left as runs of their own. */
static void print_restarts(scan_report *r)
{
    for (size_t i = 0; i < r->n_rows; i++) {
        const char *field = r->rows[i].name;
        for (size_t k = 0; k < r->p->n && ws_name_use(field) != WS_USE_FILE; k++) {
            const ws_scan_file *f = &r->p->files[k];
            const ws_scan_file *before = goes_on_by(r, f, field) ? before_it(r, f, field) : NULL;
            const char *pattern = before ? pattern_of_parts(r, f, field) : NULL;
            if (!pattern)
                continue;
            fprintf(r->out,
                    "\nmay be one run, which was restarted (as proposed, each is a run of its own):\n"
                    "  %s may go on %s, as its name says.\n"
                    "  The time between them is then bridged as any gap is (--gaps).\n",
                    f->path, before->path);
            print_answer(r, "one run, one log:", pattern);
            return;
        }
    }
}

void ws_scan_report(FILE *out, const ws_campaign *campaign, const ws_proposal *proposal)
{
    scan_report *r = ws_alloc(sizeof *r);
    *r = (scan_report){.out = out, .campaign = campaign, .p = proposal};
    find_firsts(r);
    find_rows(r);
    fprintf(out, "%s: %zu run%s in %zu file%s, %zu rule%s\n", campaign->source, r->n_runs, r->n_runs == 1 ? "" : "s",
            proposal->n, proposal->n == 1 ? "" : "s", campaign->n_paths, campaign->n_paths == 1 ? "" : "s");
    if (r->n_rows || campaign->defaults.n)
        print_fields(r);
    print_examples(r);
    print_windows(r);
    print_questions(r);
    print_restarts(r);
    print_missing(r);
    print_open(r);
    static const char keeps[] = "-o %s/campaign.json keeps it;%scommands on the folder then follow that file\n";
    bool is_long = strlen(keeps) + strlen(campaign->source) > WIDTH + strlen("%s%s\n");
    fputc('\n', out);
    fprintf(out, keeps, campaign->source, is_long ? "\n" : " ");
    ws_arena_free(&r->arena);
    free(r);
}
