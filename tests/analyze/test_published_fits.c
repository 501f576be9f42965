/* The published means of Huber et al. 2025 through the program: factors and exponents of energy over GPU hours, energy
 * a sample, energy a GPU hour. The fits come from the command line, the columns from the table of runs. */
#include "find_program.h"
#include "harness.h"

#include "analyze/ingest/ingest.h"
#include "analyze/ingest/run_columns.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

static const char *datasets(void)
{
    const char *folder = getenv("DATASETS");
    return folder ? folder : "datasets";
}

typedef struct estimate {
    double n, value, se, lo, hi;
} estimate;

/* A row of "group,model,n,parameter,value,stderr,ci_lo,ci_hi,...", NaN where there is none. */
static estimate read_estimate(FILE *csv, const char *group, const char *parameter)
{
    estimate found = {NAN, NAN, NAN, NAN, NAN};
    char line[1000];
    ck_assert_ptr_nonnull(fgets(line, sizeof line, csv));
    ck_assert(strncmp(line, "group,model,n,parameter,value,stderr,ci_lo,ci_hi,", 49) == 0);
    while (fgets(line, sizeof line, csv)) {
        ws_span rest = ws_span_of(line), cell[8];
        for (size_t i = 0; i < 8; i++)
            ck_assert(ws_span_split(&rest, ',', &cell[i]));
        if (!ws_span_eq(cell[0], group) || !ws_span_eq(cell[3], parameter))
            continue;
        ck_assert(isnan(found.n)); /* one row only */
        ck_assert(ws_span_double(cell[2], &found.n) && ws_span_double(cell[4], &found.value) &&
                  ws_span_double(cell[5], &found.se) && ws_span_double(cell[6], &found.lo) &&
                  ws_span_double(cell[7], &found.hi));
    }
    return found;
}

static estimate fit(const char *program, const char *model, const char *group, const char *parameter)
{
    char command[6000];
    snprintf(
        command, sizeof command,
        "'%s' fit %s '%s/huber2025/scaled.csv' --x gpu_h --y energy_kwh --by series --exclude 'gpus<4' --errors equal "
        "--format csv -q",
        program, model, datasets());
    FILE *csv = popen(command, "r");
    ck_assert_ptr_nonnull(csv);
    estimate found = read_estimate(csv, group, parameter);
    ck_assert_int_eq(pclose(csv), 0);
    return found;
}

/* From four GPUs on. t is the upper 2.5 % point of Student's distribution with the degrees of freedom that are left, as
 * statistical tables print it: 95 % intervals of three points are wide, and must be. */
static const struct {
    const char *model, *parameter, *series;
    double n, value, t;
} published[] = {
    {"origin", "slope", "lbs256", 7, 0.2654, 2.447},       {"origin", "slope", "gbs256", 3, 0.2965, 4.303},
    {"origin", "slope", "gbs8192", 4, 0.2898, 3.182},      {"powerlaw", "exponent", "lbs256", 7, 0.9957, 2.571},
    {"powerlaw", "exponent", "gbs256", 3, 0.9528, 12.706}, {"powerlaw", "exponent", "gbs8192", 4, 1.0435, 4.303},
};

START_TEST(factors_and_exponents_of_the_scaled_data_set)
{
    char program[4000];
    if (!find_program(program, sizeof program))
        skip_because("the program wattscale is not built");
    for (size_t i = 0; i < sizeof published / sizeof *published; i++) {
        estimate e = fit(program, published[i].model, published[i].series, published[i].parameter);
        ck_assert_msg(e.n == published[i].n, "%s of %s: %g points", published[i].model, published[i].series, e.n);
        ck_close(e.value, published[i].value, 0, 0.00005);
        ck_assert(e.se > 0);
        ck_close((e.hi - e.value) / e.se, published[i].t, 0, 0.0005);
        ck_close((e.value - e.lo) / e.se, published[i].t, 0, 0.0005);
    }
}
END_TEST

static void read_runs(const char *file, ws_table *runs)
{
    char path[1000];
    ws_campaign campaign;
    ws_error error = {0};
    ws_ingest_options options = {.source.read = WS_READ_DEFAULTS};
    snprintf(path, sizeof path, "%s/%s", datasets(), file);
    ck_assert_msg(ws_ingest(path, &options, &campaign, runs, &error) == WS_OK, "%s", error.message);
    ws_campaign_free(&campaign);
}

/* Sec. 3.2.3 and Fig. 6 */
START_TEST(energy_a_sample)
{
    static const struct {
        const char *series;
        double gpus, wh;
    } printed[] = {{"lbs256", 256, 0.0236}, {"gbs8192", 32, 0.0238}, {"gbs8192", 256, 0.0260}, {"gbs256", 16, 0.0260}};
    ws_table runs;
    size_t found = 0;
    read_runs("huber2025/scaled.csv", &runs);
    ck_assert_uint_eq(runs.n_rows, 18);
    for (size_t row = 0; row < runs.n_rows; row++) {
        for (size_t i = 0; i < sizeof printed / sizeof *printed; i++) {
            if (strcmp(runs.columns[WS_COL_SERIES].text[row], printed[i].series) != 0 ||
                ws_runs_get(&runs, WS_COL_GPUS, row) != printed[i].gpus)
                continue;
            double epochs = ws_runs_get(&runs, WS_COL_EPOCHS, row), wh = ws_runs_get(&runs, WS_COL_WH_PER_SAMPLE, row);
            ck_close(wh, printed[i].wh, 0, 0.00005);
            ck_close(ws_runs_get(&runs, WS_COL_WH_PER_SAMPLE_SEEN, row) * epochs, wh, 1e-15, 0);
            found++;
        }
    }
    ck_assert_uint_eq(found, sizeof printed / sizeof *printed);
    ws_table_free(&runs);
}
END_TEST

/* Quotients of the printed numbers, by hand. Hours are printed to 0.01. */
START_TEST(table_1)
{
    static const double kwh_per_gpuh[] = {0.2745, 0.2157, 0.2815, 0.2092, 0.2628, 0.1932};
    ws_table runs;
    read_runs("huber2025/table1.csv", &runs);
    ck_assert_uint_eq(runs.n_rows, 6);
    for (size_t row = 0; row < 6; row++) {
        double gpus = ws_runs_get(&runs, WS_COL_GPUS, row), wall_s = ws_runs_get(&runs, WS_COL_WALL, row);
        ck_close(ws_runs_get(&runs, WS_COL_KWH_PER_GPUH, row), kwh_per_gpuh[row], 0, 0.00005);
        ck_close(gpus * wall_s / 3600, ws_runs_get(&runs, WS_COL_GPU_H, row), 0, gpus * 0.005 + 0.005);
    }
    ck_assert(!ws_notes_find(&runs.notes, WS_FINDING_GPUH_CONTRADICTION));
    ws_table_free(&runs);
}
END_TEST

TEST_MAIN("published fits", factors_and_exponents_of_the_scaled_data_set, energy_a_sample, table_1)
