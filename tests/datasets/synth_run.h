/* Runs wattscale-synth in a folder of its own and reads what it wrote by plain arithmetic. */
#ifndef WS_TESTS_SYNTH_RUN_H
#define WS_TESTS_SYNTH_RUN_H

#include "harness.h"
#include "json_members.h"

#include "core/arena.h"
#include "core/text.h"

#include <fcntl.h>
#include <hdf5.h>
#include <jansson.h>
#include <math.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static ws_arena arena;
static const char *program; /* NULL where it is not built */
static const char *folder;  /* removed after each test */

static inline void set_up(void)
{
    char path[4000];
    ssize_t n = readlink("/proc/self/exe", path, sizeof path - 1);
    ck_assert(n > 0);
    path[n] = '\0';
    *strstr(path, "/tests/datasets/") = '\0'; /* BUILD/tests/datasets/test_synth -> BUILD */
    program = ws_arena_printf(&arena, "%s/wattscale-synth", path);
    if (access(program, X_OK) != 0)
        program = NULL;
    const char *tmp = getenv("TMPDIR");
    char *made = ws_arena_printf(&arena, "%s/wattscale-synth-XXXXXX", tmp ? tmp : "/tmp");
    ck_assert_ptr_nonnull(mkdtemp(made));
    folder = made;
}

static inline int shell(const char *command)
{
    int status = system(command);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static inline void tear_down(void)
{
    shell(ws_arena_printf(&arena, "rm -rf '%s'", folder));
    ws_arena_free(&arena);
}

/* A program with arguments that blanks part, in the folder `at`; what it prints is added to the file `messages` there.
 * Without a shell, which takes as long to start as many a program takes for its work. */
static inline int run_words(const char *at, const char *binary, const char *arguments, const char *messages)
{
    enum { MOST = 32 };
    char *words[MOST] = {ws_arena_strdup(&arena, binary)}, *rest = ws_arena_strdup(&arena, arguments), *next;
    size_t n = 1;
    for (char *word = strtok_r(rest, " ", &next); word; word = strtok_r(NULL, " ", &next)) {
        ck_assert_uint_lt(n + 1, MOST);
        words[n++] = word;
    }
    int here = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC), status = -1;
    ck_assert(here >= 0 && chdir(at) == 0);
    pid_t child = 0;
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, messages, O_WRONLY | O_CREAT | O_APPEND, 0666);
    posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
    bool is_started = posix_spawnp(&child, binary, &actions, NULL, words, environ) == 0;
    posix_spawn_file_actions_destroy(&actions);
    ck_assert(fchdir(here) == 0);
    close(here);
    return is_started && waitpid(child, &status, 0) == child && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static inline bool same_bytes(const char *one, const char *other)
{
    FILE *a = fopen(one, "rb"), *b = fopen(other, "rb");
    int c = 0;
    bool same = a && b;
    while (same && c != EOF) {
        c = getc_unlocked(a);
        same = c == getc_unlocked(b);
    }
    if (a)
        fclose(a);
    if (b)
        fclose(b);
    return same;
}

static inline int synth(const char *arguments)
{
    if (!strpbrk(arguments, "'<>"))
        return run_words(folder, program, arguments, "message");
    return shell(ws_arena_printf(&arena, "cd '%s' && '%s' %s 2>message", folder, program, arguments));
}

/* {"series":[…],"runs":[…]} of a campaign that was written under the folder of the test; to be released. */
static inline json_t *truth_of(const char *campaign)
{
    json_error_t why;
    json_t *truth = json_load_file(ws_arena_printf(&arena, "%s/%s/truth.json", folder, campaign), 0, &why);
    ck_assert_msg(truth != NULL, "truth.json:%d: %s", why.line, why.text);
    return truth;
}

static inline const json_t *run_of(const json_t *truth, const char *job)
{
    size_t i;
    json_t *run;
    json_array_foreach(json_object_get(truth, "runs"), i, run) if (strcmp(text(run, "job"), job) == 0) return run;
    return NULL;
}

/* What a run's files hold, found here. */
typedef struct found {
    long double gpu_j, cpu_j, dram_j;
    double wall_s;
    int wraps;
} found;

static inline double *dataset(hid_t sensor, const char *name, size_t *n)
{
    hid_t data = H5Dopen2(sensor, name, H5P_DEFAULT);
    ck_assert_msg(data >= 0, "no dataset %s", name);
    hid_t space = H5Dget_space(data);
    *n = (size_t)H5Sget_simple_extent_npoints(space);
    double *values = ws_arena_alloc(&arena, *n * sizeof *values);
    ck_assert(H5Dread(data, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0);
    H5Sclose(space);
    H5Dclose(data);
    return values;
}

static inline long double counter_j(found *f, const double *uj, size_t n, double range_uj)
{
    long double sum = 0;
    for (size_t i = 1; i < n; i++) {
        sum += uj[i] - uj[i - 1] + (uj[i] < uj[i - 1] ? range_uj : 0);
        f->wraps += uj[i] < uj[i - 1];
    }
    return sum / 1000000;
}

/* Where a counter wraps: a whole multiple of what such counters have, which its file states. */
static inline double range_of(hid_t raw, uint64_t usual)
{
    uint64_t range = 0;
    hid_t data = H5Dopen2(raw, "alt_values", H5P_DEFAULT), attribute = H5Aopen(data, "valid_max", H5P_DEFAULT);
    ck_assert(attribute >= 0 && H5Aread(attribute, H5T_NATIVE_UINT64, &range) >= 0);
    ck_assert(range >= usual && range % usual == 0);
    H5Aclose(attribute);
    H5Dclose(data);
    return (double)range;
}

static inline herr_t visit_perun(hid_t file, const char *name, const H5O_info_t *info, void *state)
{
    found *f = state;
    size_t n, length = strlen(name);
    if (info->type != H5O_TYPE_GROUP || length < 9 || strcmp(name + length - 9, "/raw_data") != 0)
        return 0;
    hid_t raw = H5Gopen2(file, name, H5P_DEFAULT);
    const double *t_s = dataset(raw, "timesteps", &n);
    if (strstr(name, "CUDA:")) {
        const double *mw = dataset(raw, "values", &n);
        for (size_t i = 1; i < n; i++)
            f->gpu_j += (long double)(mw[i] + mw[i - 1]) * (t_s[i] - t_s[i - 1]) / 2000;
    } else {
        const double *uj = dataset(raw, "alt_values", &n);
        bool package = strstr(name, "package") != NULL;
        *(package ? &f->cpu_j : &f->dram_j) += counter_j(f, uj, n, range_of(raw, package ? 262143328850 : 65712999613));
    }
    f->wall_s = t_s[n - 1] > f->wall_s ? t_s[n - 1] : f->wall_s;
    H5Gclose(raw);
    return 0;
}

#endif
