/* report.tex of whole reports: its groups close, its figures are there, and LaTeX takes it where LaTeX is installed. */
#include "harness.h"

#include "core/arena.h"

#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static ws_arena arena;
static const char *folder;

static const char hostile_rows[] = "series,gpus,energy_kwh,wall_s\n"
                                   "\"\\frac{a}{b} $x_1$ 100% ~^ {\",1,2.5,3600\n"
                                   "\"\\frac{a}{b} $x_1$ 100% ~^ {\",2,2.6,1900\n"
                                   "\"\\frac{a}{b} $x_1$ 100% ~^ {\",4,2.9,1000\n"
                                   "#1 & <co> \xd0\xad\xd0\xbd \xe6\xb6\x88 \\,1,3.5,3600\n"
                                   "#1 & <co> \xd0\xad\xd0\xbd \xe6\xb6\x88 \\,2,3.6,1900\n"
                                   "#1 & <co> \xd0\xad\xd0\xbd \xe6\xb6\x88 \\,4,3.9,1000\n";

static int shell(const char *command)
{
    int status = system(command);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void set_up(void)
{
    const char *tmp = getenv("TMPDIR");
    char *made = ws_arena_printf(&arena, "%s/wattscale-latex-XXXXXX", tmp ? tmp : "/tmp");
    ck_assert_ptr_nonnull(mkdtemp(made));
    folder = made;
}

static void tear_down(void)
{
    shell(ws_arena_printf(&arena, "rm -rf '%s'", folder));
    ws_arena_free(&arena);
}

/* Report of a campaign below the folder of the test; its report.tex. "--paper NAME" may follow the campaign's name. */
static char *report_of(const char *campaign)
{
    const char *bin = getenv("BIN");
    const char *command = ws_arena_printf(&arena, "'%s' report %s -q -o '%s/out' >/dev/null", bin, campaign, folder);
    ck_assert_msg(shell(command) == 0, "%s", command);
    FILE *file = fopen(ws_arena_printf(&arena, "%s/out/report.tex", folder), "rb");
    ck_assert_ptr_nonnull(file);
    char *text = NULL;
    size_t size = 0;
    ck_assert(getdelim(&text, &size, '\0', file) > 0);
    fclose(file);
    return text;
}

static const char *hostile_campaign(void)
{
    const char *path = ws_arena_printf(&arena, "%s/hostile.csv", folder);
    FILE *file = fopen(path, "wb");
    ck_assert_ptr_nonnull(file);
    fputs(hostile_rows, file);
    fclose(file);
    return path;
}

static const char *demo(void)
{
    const char *datasets = getenv("DATASETS");
    return ws_arena_printf(&arena, "%s/demo", datasets ? datasets : "datasets");
}

/* Braces that are not escaped pair up. */
static void ck_braces(const char *text)
{
    long open = 0;
    for (; *text; text++) {
        if (*text == '\\' && text[1])
            text++;
        else
            open += (*text == '{') - (*text == '}');
        ck_assert_int_ge(open, 0);
    }
    ck_assert_int_eq(open, 0);
}

/* Each \end{x} closes the \begin{x} before it. */
static void ck_environments(const char *text)
{
    enum { DEEPEST = 8 };
    char names[DEEPEST][32];
    size_t depth = 0;
    for (; (text = strchr(text, '\\')); text++) {
        char name[32];
        if (sscanf(text, "\\begin{%31[a-z*]}", name) == 1) {
            ck_assert_uint_lt(depth, DEEPEST);
            strcpy(names[depth++], name);
        } else if (sscanf(text, "\\end{%31[a-z*]}", name) == 1) {
            ck_assert_msg(depth > 0 && strcmp(names[depth - 1], name) == 0, "\\end{%s}", name);
            depth--;
        }
    }
    ck_assert_uint_eq(depth, 0);
}

static size_t ck_figures(const char *text)
{
    size_t n = 0;
    while ((text = strstr(text, "{figures/"))) {
        const char *name = ws_arena_strndup(&arena, text + 1, strcspn(text + 1, "}"));
        ck_assert_msg(access(ws_arena_printf(&arena, "%s/out/%s", folder, name), R_OK) == 0, "no %s", name);
        text++;
        n++;
    }
    return n;
}

static void ck_document(const char *campaign, size_t figures)
{
    char *text = report_of(campaign);
    ck_braces(text);
    ck_environments(text);
    ck_assert_uint_ge(ck_figures(text), figures);
    ck_assert(strncmp(text, "\\documentclass", 14) == 0);
    static const char *const spelled[] = {"α", "β", "−", "±", "²"}; /* pdflatex's fonts have no such letters */
    for (size_t i = 0; i < sizeof spelled / sizeof *spelled; i++)
        ck_assert_msg(!strstr(text, spelled[i]), "'%s' is not spelled", spelled[i]);
    free(text);
}

START_TEST(documents_are_well_formed)
{
    if (!getenv("BIN"))
        skip_because("BIN is not set");
    ck_document(demo(), 7);
    shell(ws_arena_printf(&arena, "rm -rf '%s/out'", folder));
    ck_document(hostile_campaign(), 2);
}
END_TEST

/* Two configurations whose names have 200 letters and no place to break. */
static const char *long_campaign(const char *name)
{
    const char *path = ws_arena_printf(&arena, "%s/long.csv", folder);
    FILE *file = fopen(path, "wb");
    ck_assert_ptr_nonnull(file);
    fprintf(file, "run,series,model,gpus,energy_kwh,wall_s\n%s1,%s,%s,1,2.5,3600\n%s2,%s,%s,2,,1900\n", name, name,
            name, name, name, name);
    fclose(file);
    return path;
}

static const char *long_name(void)
{
    char *name = ws_arena_alloc(&arena, 201);
    memset(name, 'w', 200);
    name[200] = '\0';
    return name;
}

/* Nobody could read a table as wide as a name of 200 letters, and in a sentence it would leave the page; the data has
 * it. */
START_TEST(long_names_are_cut)
{
    if (!getenv("BIN"))
        skip_because("BIN is not set");
    const char *name = long_name();
    char *text = report_of(long_campaign(name));
    const char *table = strstr(text, "\\begin{tabular}");
    ck_assert_ptr_nonnull(table);
    ck_assert_ptr_null(strstr(text, name));
    ck_assert_ptr_nonnull(strstr(table, "wwww\\ldots{}"));
    ck_assert_ptr_nonnull(strstr(text, "wwwwwwww\\allowbreak{}wwwwwwww"));
    ck_assert_ptr_null(strstr(text, " configu\\allowbreak{}"));
    free(text);
    ck_assert_int_eq(shell(ws_arena_printf(&arena, "grep -q %s '%s/out/data/runs.csv'", name, folder)), 0);
}
END_TEST

/* More configurations than a page has rows, in the columns of a paper's widest table, each of five runs of which some
 * are doubtful; as Huber et al. tabulate them. */
static const char *paper_campaign(void)
{
    const char *path = ws_arena_printf(&arena, "%s/tall.csv", folder);
    FILE *file = fopen(path, "wb");
    ck_assert_ptr_nonnull(file);
    fputs("run,series,model,device,gpus,nodes,lbs,gbs,dataset_samples,wall_s,energy_kwh,error_top1,rmse_z500,"
          "energy_verdict,energy_findings\n",
          file);
    for (int run = 0; run < 250; run++) {
        int configuration = run / 5, gpus = 1 << configuration % 9;
        fprintf(file, "run %d,series %d of ImageNet,ResNet50,A100,%d,%d,256,%d,1281167,%.6f,%.6f,%.4f,%.4f,%s\n", run,
                configuration / 9, gpus, (gpus + 3) / 4, 256 * gpus, 313560.0 / gpus + 0.17 * (run % 7),
                38.57 - 0.011 * (run % 11), 28.0 + 0.13 * (run % 3), 74.0 + 0.7 * (run % 2),
                run == 7 ? "doubtful,gap" : "ok,");
    }
    fclose(file);
    return ws_arena_printf(&arena, "%s --paper huber2025", path);
}

static void ck_compiles(const char *campaign, const char *command)
{
    free(report_of(campaign));
    const char *line = ws_arena_printf(&arena, "cd '%s/out' && %s report.tex >log 2>&1", folder, command);
    ck_assert_msg(shell(line) == 0, "%s failed on the report of %s", command, campaign);
    ck_assert_int_eq(access(ws_arena_printf(&arena, "%s/out/report.pdf", folder), R_OK), 0);
    ck_assert_msg(shell(ws_arena_printf(&arena, "grep -q 'Overfull .hbox' '%s/out/log'", folder)) != 0,
                  "a line of the report of %s leaves the page", campaign);
    shell(ws_arena_printf(&arena, "rm -rf '%s/out'", folder));
}

START_TEST(latex_takes_them)
{
    static const struct {
        const char *is_usable, *command; /* tectonic fetches the packages that it lacks */
    } compilers[] = {
        {"command -v pdflatex && kpsewhich booktabs.sty", "pdflatex -interaction=nonstopmode -halt-on-error"},
        {"command -v tectonic", "tectonic"}};
    const char *command = NULL;
    for (size_t i = 2; i-- > 0;)
        if (shell(ws_arena_printf(&arena, "{ %s; } >/dev/null", compilers[i].is_usable)) == 0)
            command = compilers[i].command;
    if (!getenv("BIN"))
        skip_because("BIN is not set");
    if (!command)
        skip_because(
            "there is neither pdflatex with booktabs nor tectonic (apt-get install texlive-latex-recommended)");
    ck_compiles(demo(), command);
    ck_compiles(hostile_campaign(), command);
    ck_compiles(long_campaign(long_name()), command);
    ck_compiles(paper_campaign(), command);
}
END_TEST

FIXTURE_MAIN("report latex", set_up, tear_down, documents_are_well_formed, long_names_are_cut, latex_takes_them)
