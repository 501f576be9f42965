/* wattscale-synth: writes campaigns whose energy, scaling and power are known, to test and show what measures them. */
#include "core/text.h"
#include "datasets/synth/layout.h"
#include "datasets/synth/plan.h"
#include "datasets/synth/write.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* A new kind is one kind_*.c file and one line here. */
static const struct {
    const char *name, *title;
    double scale_low, scale_high;
    void (*plan)(ws_synth_campaign *campaign);
} kinds[] = {
    {"small", "three series on 1 to 16 GPUs, three repeats, minutes long: perun, nvidia-smi and powercap files", 0.1,
     100, ws_synth_plan_small},
    {"huber2025", "the runs of Huber et al. 2025 on 1 to 256 GPUs, as published: perun files, 3 GB at scale 1", 0.005,
     1, ws_synth_plan_huber},
    {"frey2022", "windows of the runs of Frey et al. 2022 on 2 to 424 GPUs: nvidia-smi at 100 ms, 1 GB at scale 1",
     0.02, 1, ws_synth_plan_frey},
};
enum { KINDS = sizeof kinds / sizeof *kinds, MAX_CHANGES = 64, MAX_ONLY = 64 };

typedef struct arguments {
    const char *kind, *dir;
    uint64_t seed;
    double scale;
    ws_synth_change changes[MAX_CHANGES];
    size_t n_changes;
    const char *only[MAX_ONLY];
    size_t n_only;
    bool force, raw;
} arguments;

static void print_help(void)
{
    printf("usage: wattscale-synth KIND DIR [--seed S] [--scale F] [--change JOB=FACTOR]... [--only START]...\n"
           "       [--raw] [--force]\n"
           "       wattscale-synth layout NAME|all DIR [--seed S]\n"
           "       wattscale-synth layout --list\n\n"
           "Writes a synthetic campaign, and truth.json with its true times and energies, into DIR.\n\n"
           "  --seed S             another campaign of the kind; the same seed gives the same bytes (1)\n"
           "  --scale F            make every run of small F times as long; give runs of the other kinds,\n"
           "                       whose times are published, F times the samples (1)\n"
           "  --change JOB=FACTOR  multiply the power of every device of one run; nothing else changes\n"
           "  --only START         write only the runs whose path starts so: lbs256/, gbs256/16g\n"
           "  --raw                leave out of perun's files what it computes for each device and node\n"
           "  --force              write into a folder that holds a campaign already\n\n"
           "layout NAME writes a small campaign, DIR/campaign, whose folders and files are named as other people name\n"
           "theirs, and DIR/truth.csv with its true times and energies, a row a run; "
           "other seeds draw other names and numbers.\nlayout all writes DIR/NAME of each.\n\n"
           "kinds:\n");
    for (size_t i = 0; i < KINDS; i++)
        printf("  %-10s %s\n", kinds[i].name, kinds[i].title);
}

static ws_status take_seed(arguments *args, ws_span value, ws_error *error)
{
    int64_t seed;
    if (!ws_span_i64(value, &seed) || seed < 0)
        return ws_fail(error, WS_USAGE, "--seed '%.*s' is not a whole number from 0 on", WS_SPAN_ARG(value));
    args->seed = (uint64_t)seed;
    return WS_OK;
}

static ws_status take_scale(arguments *args, ws_span value, ws_error *error)
{
    if (!ws_span_double(value, &args->scale) || args->scale <= 0)
        return ws_fail(error, WS_USAGE, "--scale '%.*s' is not a number above zero", WS_SPAN_ARG(value));
    return WS_OK;
}

static ws_status take_change(arguments *args, ws_span value, ws_error *error)
{
    ws_span factor = value, job;
    if (args->n_changes == MAX_CHANGES)
        return ws_fail(error, WS_USAGE, "more than %d times --change", MAX_CHANGES);
    ws_synth_change *change = &args->changes[args->n_changes];
    if (!ws_span_split(&factor, '=', &job) || !ws_span_i64(job, &change->job) ||
        !ws_span_double(factor, &change->factor) || change->factor < 0.01 || change->factor > 3)
        return ws_fail(error, WS_USAGE,
                       "--change '%.*s' is not JOB=FACTOR with a factor from 0.01 to 3, as 9000007=1.1",
                       WS_SPAN_ARG(value));
    args->n_changes++;
    return WS_OK;
}

static ws_status take_only(arguments *args, ws_span value, ws_error *error)
{
    if (args->n_only == MAX_ONLY)
        return ws_fail(error, WS_USAGE, "more than %d times --only", MAX_ONLY);
    for (size_t i = 0; i < value.n; i++)
        if (!isalnum((unsigned char)value.p[i]) && !strchr("-_./", value.p[i]))
            return ws_fail(error, WS_USAGE, "--only '%.*s' is not the start of a path of runs", WS_SPAN_ARG(value));
    args->only[args->n_only++] = value.p; /* an argument of the program: it ends with it */
    return WS_OK;
}

static const struct {
    const char *name;
    ws_status (*take)(arguments *args, ws_span value, ws_error *error);
} options[] = {{"--seed", take_seed}, {"--scale", take_scale}, {"--change", take_change}, {"--only", take_only}};

/* An option with a value: "--seed 3" or "--seed=3". *used counts the arguments that it took, 0 for none of these. */
static ws_status take_option(arguments *args, int argc, char **argv, int *used, ws_error *error)
{
    *used = 0;
    for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
        size_t n = strlen(options[i].name);
        if (strncmp(argv[0], options[i].name, n) != 0 || (argv[0][n] != '\0' && argv[0][n] != '='))
            continue;
        *used = argv[0][n] == '=' ? 1 : 2;
        if (*used > argc)
            return ws_fail(error, WS_USAGE, "%s needs a value", options[i].name);
        return options[i].take(args, ws_span_of(*used == 1 ? argv[0] + n + 1 : argv[1]), error);
    }
    return WS_OK;
}

static ws_status take_arguments(arguments *args, int argc, char **argv, ws_error *error)
{
    *args = (arguments){.seed = 1, .scale = 1};
    for (int i = 1, used; i < argc; i += used ? used : 1) {
        ws_status status = take_option(args, argc - i, argv + i, &used, error);
        if (status != WS_OK)
            return status;
        if (used)
            continue;
        if (strcmp(argv[i], "--force") == 0)
            args->force = true;
        else if (strcmp(argv[i], "--raw") == 0)
            args->raw = true;
        else if (argv[i][0] == '-' || args->dir)
            return ws_fail(error, WS_USAGE, "'%s' is not understood, see wattscale-synth --help", argv[i]);
        else if (args->kind)
            args->dir = argv[i];
        else
            args->kind = argv[i];
    }
    return args->dir ? WS_OK : ws_fail(error, WS_USAGE, "KIND and DIR are needed, see wattscale-synth --help");
}

static ws_status check_changes(const ws_synth_campaign *campaign, ws_error *error)
{
    for (size_t c = 0; c < campaign->n_changes; c++) {
        bool found = false;
        for (size_t i = 0; i < campaign->n_runs; i++)
            found |= campaign->runs[i].job == campaign->changes[c].job;
        if (!found)
            return ws_fail(error, WS_USAGE, "--change names job %" PRId64 ", but jobs run from %" PRId64 " to %" PRId64,
                           campaign->changes[c].job, campaign->runs[0].job, campaign->runs[campaign->n_runs - 1].job);
    }
    return WS_OK;
}

static ws_status choose_runs(ws_synth_campaign *campaign, ws_error *error)
{
    ws_arena arena = {0};
    size_t chosen = 0;
    for (size_t i = 0; i < campaign->n_runs && campaign->n_only; i++) {
        const char *path = ws_synth_run_path(&arena, &campaign->runs[i]);
        campaign->runs[i].left_out = true;
        for (size_t k = 0; k < campaign->n_only; k++)
            if (strncmp(path, campaign->only[k], strlen(campaign->only[k])) == 0)
                campaign->runs[i].left_out = false;
        chosen += !campaign->runs[i].left_out;
    }
    ws_status status = WS_OK;
    if (campaign->n_only && !chosen)
        status = ws_fail(error, WS_USAGE, "--only leaves no run; the first one is %s",
                         ws_synth_run_path(&arena, &campaign->runs[0]));
    ws_arena_free(&arena);
    return status;
}

static ws_status check_target(const arguments *args, ws_error *error)
{
    ws_arena arena = {0};
    bool taken = access(ws_arena_printf(&arena, "%s/campaign.json", args->dir), F_OK) == 0;
    ws_arena_free(&arena);
    if (taken && !args->force)
        return ws_fail_at(error, WS_IO, args->dir, 0, "holds a campaign already; --force writes over it");
    return WS_OK;
}

static ws_status make_campaign(const arguments *args, ws_error *error)
{
    size_t k = 0;
    while (k < KINDS && strcmp(kinds[k].name, args->kind) != 0)
        k++;
    if (k == KINDS)
        return ws_fail(error, WS_USAGE, "there is no kind '%s', see wattscale-synth --help", args->kind);
    if (args->scale < kinds[k].scale_low || args->scale > kinds[k].scale_high)
        return ws_fail(error, WS_USAGE, "--scale of %s goes from %g to %g", kinds[k].name, kinds[k].scale_low,
                       kinds[k].scale_high);
    ws_synth_campaign campaign = {.kind = kinds[k].name,
                                  .seed = args->seed,
                                  .scale = args->scale,
                                  .raw = args->raw,
                                  .changes = args->changes,
                                  .n_changes = args->n_changes,
                                  .only = args->only,
                                  .n_only = args->n_only};
    kinds[k].plan(&campaign);
    ws_status status = check_changes(&campaign, error);
    if (status == WS_OK)
        status = choose_runs(&campaign, error);
    if (status == WS_OK)
        status = check_target(args, error);
    if (status == WS_OK)
        status = ws_synth_write_campaign(args->dir, &campaign, error);
    ws_arena_free(&campaign.arena);
    return status;
}

/* layout NAME|all DIR [--seed S] */
static ws_status make_layout(int argc, char **argv, ws_error *error)
{
    arguments args = {.seed = 1};
    ws_status status = take_arguments(&args, argc - 1, argv + 1, error);
    if (status == WS_OK && strcmp(args.kind, "all") == 0)
        return ws_layout_write_all(args.dir, args.seed, error);
    return status == WS_OK ? ws_layout_write(args.kind, args.dir, args.seed, error) : status;
}

int main(int argc, char **argv)
{
    arguments args;
    ws_error error = {0};
    if (argc > 1 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)) {
        print_help();
        return 0;
    }
    bool is_layout = argc > 1 && strcmp(argv[1], "layout") == 0;
    if (is_layout && argc == 3 && strcmp(argv[2], "--list") == 0) {
        ws_layout_list(stdout);
        return 0;
    }
    ws_status status = is_layout ? make_layout(argc, argv, &error) : take_arguments(&args, argc, argv, &error);
    if (status == WS_OK && !is_layout)
        status = make_campaign(&args, &error);
    if (status == WS_OK)
        return 0;
    fprintf(stderr, "wattscale-synth: %s\n", error.message);
    return status == WS_USAGE ? 2 : 3;
}
