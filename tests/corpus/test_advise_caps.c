/* Caps that `wattscale advise --cap` promises to be at most 3 % slower, against the measured times of 51 trainings on
 * an RTX 6000 under 8 caps each, and of one under 2. Between two caps the straight line through their times is the
 * measure: times under a cap are convex, so that the true time is below it. */
#include "harness.h"
#include "raw_csv.h"

#include <unistd.h>

enum { CAPS = 16, GROUPS = 64 };
static const double SLOWDOWN = 0.03, ROUNDING = 1e-9;

typedef struct training {
    char name[200];
    size_t n, answers;
    double cap[CAPS], time[CAPS]; /* ascending */
} training;

/* Rows of "dataset,network,batch_size,optimizer,power_limit,time_per_epoch,average_power", also written as a table. */
static size_t read_trainings(training *all, const char *table)
{
    char path[600];
    raw_csv raw;
    size_t n = 0;
    FILE *out = fopen(table, "w");
    snprintf(path, sizeof path, "%s/sweeps/zeus-nsdi23-rtx6000/summary_power_rtx6000.csv", getenv("CORPUS"));
    raw_read(&raw, path);
    fprintf(out, "series,power_cap_w,wall_s,energy_kwh\n");
    for (size_t i = 0; i < raw.n_rows; i++) {
        const char **row = raw.rows[i];
        char name[200];
        double cap = atof(row[4]), time = atof(row[5]);
        snprintf(name, sizeof name, "%s-%s-%s-%s", row[0], row[1], row[2], row[3]);
        fprintf(out, "%s,%.17g,%.17g,%.17g\n", name, cap, time, time * atof(row[6]) / 3.6e6);
        if (!n || strcmp(all[n - 1].name, name) != 0)
            strcpy(all[n++].name, name);
        training *t = &all[n - 1];
        ck_assert(n <= GROUPS && t->n < CAPS && (!t->n || t->cap[t->n - 1] < cap));
        t->cap[t->n] = cap;
        t->time[t->n++] = time;
    }
    ck_assert_int_eq(fclose(out), 0);
    raw_free(&raw);
    return n;
}

static double slowdown_at(const training *t, double cap)
{
    size_t i = 0;
    while (i + 2 < t->n && t->cap[i + 1] < cap)
        i++;
    double share = (cap - t->cap[i]) / (t->cap[i + 1] - t->cap[i]);
    return (t->time[i] + share * (t->time[i + 1] - t->time[i])) / t->time[t->n - 1] - 1;
}

START_TEST(no_promised_cap_is_slower)
{
    static training all[GROUPS];
    char folder[] = "/tmp/wattscale-caps-XXXXXX", table[100], command[5000], line[2000];
    if (!getenv("CORPUS") || !getenv("BIN"))
        skip_because("CORPUS or BIN is not set");
    ck_assert_ptr_nonnull(mkdtemp(folder));
    snprintf(table, sizeof table, "%s/caps.csv", folder);
    size_t n = read_trainings(all, table), by_curves = 0;
    ck_assert_uint_eq(n, 52);
    snprintf(command, sizeof command, "'%s' advise %s --cap power_cap_w --by series --slowdown 3%% --format csv -q",
             getenv("BIN"), table);
    FILE *answers = popen(command, "r");
    while (fgets(line, sizeof line, answers)) {
        bool has_no_limit = strstr(line, ",no-limit,") != NULL; /* then there is no cap in its cell */
        char *name = strtok(line, ","), *basis = strtok(NULL, ","), *question = strtok(NULL, ",");
        double cap = has_no_limit ? NAN : atof(strtok(NULL, ","));
        for (size_t k = 0; k < n && strstr(question, "within the slow-down"); k++) {
            if (strcmp(all[k].name, name) != 0)
                continue;
            ck_assert_msg(has_no_limit || slowdown_at(&all[k], cap) <= SLOWDOWN + ROUNDING,
                          "%s, %s: %s at %g W is %.2f %% slower", name, basis, question, cap,
                          100 * slowdown_at(&all[k], cap));
            all[k].answers++;
            by_curves += strncmp(basis, "curves", 6) == 0;
        }
    }
    ck_assert_int_eq(pclose(answers), 0);
    unlink(table);
    rmdir(folder);
    for (size_t k = 0; k < n; k++)
        ck_assert_msg(all[k].answers == 2 || all[k].answers == 4, "%s: %zu answers", all[k].name, all[k].answers);
    printf("compared %zu answers of curves, %zu trainings\n", by_curves, n);
}
END_TEST

TEST_MAIN("advise caps", no_promised_cap_is_slower)
