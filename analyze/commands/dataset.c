#include "analyze/commands/cli.h"
#include "analyze/folder_walk.h"
#include "formats/input/input.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static const ws_option options[] = {
    {"path", 0, NULL, "print where the data set lies instead of copying it"},
    {"seed", 0, "SEED", "of a synthetic campaign, 1 unless given: the same seed gives the same bytes"},
    {"scale", 0, "SCALE", "of a synthetic campaign's traces: 1 is full length"},
    {NULL, 0, NULL, NULL},
};

/* Where the bundled data lies: named by WATTSCALE_DATASETS, beside an installed program, beside a built one, or where
 * the program was configured to be installed. */
static const char *data_folder(ws_arena *arena)
{
    char self[1024];
    ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    self[n > 0 ? n : 0] = '\0';
    char *slash = strrchr(self, '/');
    if (slash)
        *slash = '\0';
    const char *named = getenv("WATTSCALE_DATASETS");
    const char *candidates[] = {named ? named : "", ws_arena_printf(arena, "%s/../share/wattscale/datasets", self),
                                ws_arena_printf(arena, "%s/../../datasets", self), WATTSCALE_DATADIR "/datasets",
                                "datasets"};
    for (size_t i = 0; i < sizeof candidates / sizeof *candidates; i++)
        if (*candidates[i] && access(ws_arena_printf(arena, "%s/index.csv", candidates[i]), R_OK) == 0)
            return candidates[i];
    return NULL;
}

static ws_status make_folders(char *path, ws_error *error)
{
    for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        int failed = mkdir(path, 0777);
        if (failed && errno != EEXIST)
            return ws_fail_at(error, WS_IO, path, 0, "cannot be made: %s", strerror(errno));
        *slash = '/';
    }
    return WS_OK;
}

static ws_status copy_bytes(FILE *from, FILE *to, const char *path, ws_error *error)
{
    char buffer[64 * 1024];
    size_t n;
    while ((n = fread(buffer, 1, sizeof buffer, from)) > 0)
        if (fwrite(buffer, 1, n, to) != n)
            return ws_fail_at(error, WS_IO, path, 0, "cannot be written: %s", strerror(errno));
    return ferror(from) ? ws_fail_at(error, WS_IO, path, 0, "its source cannot be read") : WS_OK;
}

static ws_status copy_file(const char *source, char *target, ws_error *error)
{
    ws_status status = make_folders(target, error);
    FILE *from = status == WS_OK ? fopen(source, "rb") : NULL;
    if (status == WS_OK && !from)
        return ws_fail_at(error, WS_IO, source, 0, "cannot be opened: %s", strerror(errno));
    FILE *to = from ? fopen(target, "wb") : NULL;
    if (from && !to)
        status = ws_fail_at(error, WS_IO, target, 0, "cannot be written: %s", strerror(errno));
    if (to)
        status = copy_bytes(from, to, target, error);
    if (from)
        fclose(from);
    if (to && fclose(to) != 0 && status == WS_OK)
        status = ws_fail_at(error, WS_IO, target, 0, "cannot be written: %s", strerror(errno));
    if (to && status != WS_OK)
        remove(target);
    return status;
}

/* A file may be replaced, a folder or a device may not. */
static ws_status check_target(const ws_cli *cli, const char *target, bool is_folder, ws_error *error)
{
    struct stat about;
    if (stat(target, &about) != 0)
        return WS_OK;
    bool replaceable = S_ISREG(about.st_mode) && !is_folder;
    if (replaceable && ws_cli_has(cli, "force"))
        return WS_OK;
    return ws_fail_at(error, WS_IO, target, 0, "exists already (%s)",
                      replaceable ? "--force replaces it" : "-o names another place");
}

/* A data set is a file or a folder. */
static int copy_out(ws_cli *cli, const char *source, const char *target)
{
    ws_error error = {0};
    ws_notes notes = {0};
    ws_file_list files = {0};
    bool is_folder = ws_is_directory(source);
    ws_status status = check_target(cli, target, is_folder, &error);
    if (status == WS_OK && is_folder)
        status = ws_walk(source, &files, &notes, &error);
    else if (status == WS_OK)
        ws_file_list_add(&files, source);
    for (size_t i = 0; status == WS_OK && i < files.n; i++)
        status = copy_file(files.paths[i],
                           ws_arena_printf(&cli->arena, "%s%s", target, files.paths[i] + strlen(source)), &error);
    if (status == WS_OK && !cli->quiet)
        fprintf(cli->err, "%zu file%s copied to %s\n", files.n, files.n == 1 ? "" : "s", target);
    ws_file_list_free(&files);
    ws_notes_free(&notes);
    return status == WS_OK ? WS_EXIT_OK : ws_cli_fail(cli, &error);
}

static int take_dataset(ws_cli *cli, const ws_table *index, const char *folder, const char *name)
{
    size_t names, files;
    if (!ws_table_find(index, "name", &names) || !ws_table_find(index, "file", &files))
        return ws_cli_usage(cli, "the index of data sets in %s is damaged", folder);
    for (size_t row = 0; row < index->n_rows; row++) {
        if (strcmp(index->columns[names].text[row], name) != 0)
            continue;
        const char *path = ws_arena_printf(&cli->arena, "%s/%s", folder, index->columns[files].text[row]);
        if (ws_cli_has(cli, "path")) {
            fprintf(cli->out, "%s\n", path);
            return WS_EXIT_OK;
        }
        const char *slash = strrchr(path, '/'), *target = ws_cli_value(cli, "output");
        return copy_out(cli, path, target ? target : slash + 1);
    }
    ws_error error = {0};
    ws_fail(&error, WS_USAGE, "there is no data set '%s' ('wattscale dataset' lists them)", name);
    return ws_cli_fail(cli, &error);
}

static int list_datasets(ws_cli *cli, ws_table *index)
{
    static const char *const details[] = {"file", "source"};
    size_t column;
    for (size_t i = 0; i < sizeof details / sizeof *details; i++)
        if (ws_table_find(index, details[i], &column))
            ws_table_set_detail(index, column);
    index->folds_texts = true;
    return ws_cli_output(cli, index);
}

/* The generator is a program of its own, so that what plants numbers shares no code with what measures them. It lies
 * beside this one, built or installed. */
static int run_generator(ws_cli *cli, const char *kind, const char *folder)
{
    ws_error error = {0};
    char self[1024];
    ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    self[n > 0 ? n : 0] = '\0';
    char *slash = strrchr(self, '/');
    const char *program =
        ws_arena_printf(&cli->arena, "%.*s/wattscale-synth", slash ? (int)(slash - self) : 0, slash ? self : "");
    const char *seed = ws_cli_value(cli, "seed"), *scale = ws_cli_value(cli, "scale");
    char *words[9] = {(char *)program, (char *)kind, (char *)folder};
    size_t count = 3;
    if (seed)
        words[count++] = (char *)"--seed", words[count++] = (char *)seed;
    if (scale)
        words[count++] = (char *)"--scale", words[count++] = (char *)scale;
    if (ws_cli_has(cli, "force"))
        words[count++] = (char *)"--force";
    pid_t child;
    int status;
    fflush(NULL);
    if (posix_spawn(&child, program, NULL, NULL, words, environ) != 0 || waitpid(child, &status, 0) != child) {
        ws_fail_at(&error, WS_IO, program, 0, "the generator of synthetic campaigns cannot be started");
        return ws_cli_fail(cli, &error);
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : WS_EXIT_DATA;
}

static int run_dataset(ws_cli *cli)
{
    ws_error error = {0};
    ws_table index = {0};
    ws_source_options csv = {.as = "table-csv", .read = WS_READ_DEFAULTS};
    bool makes = cli->n_arguments == 3 && strcmp(cli->arguments[0], "make") == 0;
    static const char *const of_making[] = {"seed", "scale"}, *const of_copying[] = {"path", "output"};
    for (size_t i = 0; i < 2; i++) {
        const char *idle = makes ? of_copying[i] : of_making[i];
        if (ws_cli_has(cli, idle))
            return ws_cli_usage(cli, "--%s changes nothing here: it is of %s", idle,
                                makes ? "bundled data, and make writes into DIR" : "dataset make KIND DIR");
    }
    if (makes)
        return run_generator(cli, cli->arguments[1], cli->arguments[2]);
    if (cli->n_arguments > 1)
        return ws_cli_usage(cli, "the arguments are none, NAME, or make KIND DIR");
    const char *folder = data_folder(&cli->arena);
    if (!folder) {
        ws_fail(&error, WS_IO, "the bundled data sets are not found (WATTSCALE_DATASETS may name their folder)");
        return ws_cli_fail(cli, &error);
    }
    int status;
    if (ws_source_read_table(ws_arena_printf(&cli->arena, "%s/index.csv", folder), &csv, &index, &error) != WS_OK)
        status = ws_cli_fail(cli, &error);
    else if (cli->n_arguments)
        status = take_dataset(cli, &index, folder, cli->arguments[0]);
    else
        status = list_datasets(cli, &index);
    ws_table_free(&index);
    return status;
}

const ws_command ws_command_dataset = {
    .name = "dataset",
    .arguments = "[NAME | make KIND DIR]",
    .summary = "the bundled data sets: list them, copy one out, make a synthetic one",
    .description =
        "Without NAME lists the bundled data: numbers that two papers published, each with its place, and a small "
        "synthetic campaign of traces with known energy. With NAME copies that file or folder to -o PLACE, or into the "
        "working folder. Synthetic data is named so here and in every output made from it. --all-columns also lists "
        "the sources.\n\n"
        "make writes a synthetic campaign with its truth in truth.json: small (45 runs), huber2025 (the campaign of "
        "Huber et al. 2025, pinned to their published numbers) or frey2022 (the exponents of Frey et al. 2022).",
    .options = options,
    .example = "wattscale dataset",
    .least = 0,
    .most = 3,
    .no_table = "data sets are copied as they are",
    .run = run_dataset,
};
