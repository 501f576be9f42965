#include "analyze/commands/ranks_load.h"

#include "analyze/commands/cli.h"
#include "analyze/commands/module.h"
#include "analyze/folder_ranks.h"
#include "analyze/ingest/measure_run.h"
#include "analyze/ingest/scan_file.h"
#include "analyze/store/unit_key.h"
#include "core/arena.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

static const ws_rank_transport *joined; /* NULL: alone */

static long number_of(const char *variable)
{
    const char *text = getenv(variable);
    return text ? strtol(text, NULL, 10) : 0;
}

enum { UNKNOWN_RANKS = -1 };

/* Tasks of a step that Slurm's PMIx has started: a shell that is one of them may run many commands, and MPI begins once
 * in a task. Steps of a heterogeneous job name their own tasks alone. */
static long slurm_ranks(void)
{
    const char *space = getenv("PMIX_NAMESPACE");
    bool is_of_slurm = space && strncmp(space, "slurm.", 6) == 0 && !getenv("SLURM_HET_SIZE");
    long n = is_of_slurm ? number_of("SLURM_STEP_NUM_TASKS") : 0;
    return n > 0 ? n : UNKNOWN_RANKS;
}

/* How many processes have been launched together, by Open MPI's mpirun, the PMI of MPICH, Intel and Cray, or by Slurm's
 * PMIx. 0: no launcher has started this. SLURM_NTASKS says nothing: the shell of a batch job has it, too. */
static long launched_ranks(void)
{
    if (getenv("OMPI_COMM_WORLD_SIZE"))
        return number_of("OMPI_COMM_WORLD_SIZE");
    if (getenv("PMI_RANK") && getenv("PMI_SIZE"))
        return number_of("PMI_SIZE");
    if (getenv("PMIX_RANK"))
        return slurm_ranks();
    return getenv("PMI_RANK") ? UNKNOWN_RANKS : 0;
}

static bool says_no(void)
{
    const char *said = getenv("WATTSCALE_MPI");
    return said && strcmp(said, "no") == 0;
}

static const char *join_words(ws_arena *arena, int argc, char **argv)
{
    const char *line = "";
    for (int i = 1; i < argc; i++)
        line = ws_arena_printf(arena, "%s%s\n", line, argv[i]);
    return line;
}

static ws_rank_role refuse(ws_error *error)
{
    ws_fail(error, WS_USAGE,
            "%ld tasks of a Slurm step run this command, and none can reach the others: start it with 'srun "
            "--mpi=pmix' (WATTSCALE_MPI=no makes each a program of its own)",
            number_of("SLURM_STEP_NUM_TASKS"));
    return WS_ROLE_REFUSED;
}

/* Each would do all of the work, and all would write the same outputs. */
static ws_rank_role refuse_unconnected(long n, ws_error *error)
{
    ws_fail(error, WS_USAGE,
            "%ld processes were launched together, and to MPI each is alone: the launcher is of another MPI than "
            "wattscale-mpi.so ('make MPI=1 MPICC=...' builds it with yours; WATTSCALE_MPI=no makes each process a "
            "program of its own)",
            n);
    return WS_ROLE_REFUSED;
}

static ws_rank_role begin(const ws_rank_transport *transport, int argc, char **argv, ws_error *error)
{
    static ws_rank_work *const works[WS_RANK_KINDS] = {[WS_RANK_RUNS] = ws_rank_read_run,
                                                       [WS_RANK_ENERGY] = ws_rank_read_trace,
                                                       [WS_RANK_FOLDERS] = ws_rank_list_folder,
                                                       [WS_RANK_SPANS] = ws_rank_read_scan_file};
    ws_arena arena = {0};
    ws_ranks_setup setup = {.transport = transport,
                            .n = 1,
                            .program = ws_arena_printf(&arena, "%s %s", WATTSCALE_VERSION, ws_reader_revision()),
                            .arguments = join_words(&arena, argc, argv)};
    ws_rank_role role = WS_ROLE_ALONE;
    if (transport->begin(&setup.rank, &setup.n) != 0) {
        ws_fail(error, WS_IO, "this MPI cannot be used: it lets no thread but the first send messages");
        role = WS_ROLE_REFUSED;
    } else if (setup.rank > 0) {
        ws_ranks_serve(&setup, works, WS_RANK_KINDS);
        role = WS_ROLE_SERVED;
    } else if (setup.n > 1) {
        role = ws_ranks_lead(&setup, error) ? WS_ROLE_LEADER : WS_ROLE_REFUSED;
        if (role == WS_ROLE_REFUSED)
            ws_ranks_dismiss();
    } else if (launched_ranks() > 1) {
        role = refuse_unconnected(launched_ranks(), error);
    }
    ws_arena_free(&arena);
    return role;
}

ws_rank_role ws_ranks_join(int argc, char **argv, ws_error *error)
{
    static ws_module module = {.file = "wattscale-mpi.so", .object = "ws_mpi_transport"};
    if (says_no())
        return WS_ROLE_ALONE;
    long n = launched_ranks();
    if (n == 0 || n == 1)
        return !ws_cli_is_launched() && number_of("SLURM_STEP_NUM_TASKS") > 1 ? refuse(error) : WS_ROLE_ALONE;
    ws_error why = {0};
    const ws_rank_transport *transport = ws_module_object(&module, &why);
    if (!transport) {
        ws_fail(error, WS_USAGE,
                "a launcher of MPI has started this, and it cannot be used: %s ('make MPI=1' builds it; "
                "WATTSCALE_MPI=no makes each process a program of its own)",
                why.message);
        return WS_ROLE_REFUSED;
    }
    ws_rank_role role = begin(transport, argc, argv, error);
    if (role == WS_ROLE_LEADER)
        joined = transport;
    else
        transport->finish();
    return role;
}

/* For who wants to know how far more ranks help. */
static void tell_counts(void)
{
    const char *said = getenv("WATTSCALE_MPI");
    struct rusage used;
    if (!said || strcmp(said, "time") != 0 || getrusage(RUSAGE_SELF, &used) != 0)
        return;
    ws_rank_counts c = ws_ranks_count();
    fprintf(stderr,
            "wattscale: %u ranks, %.3f s; %" PRIu64 " units read by the first rank, %" PRIu64
            " by the others, in %" PRIu64 " bytes of records, who listed %" PRIu64
            " folders; first rank: %ld MB, %.2f s of processor time\n",
            ws_ranks_n(), c.seconds, c.items_here, c.items_elsewhere, c.answer_bytes, c.folders_elsewhere,
            used.ru_maxrss / 1024,
            (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
                (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec) * 1e-6);
}

void ws_ranks_leave(void)
{
    if (!joined)
        return;
    tell_counts();
    ws_ranks_dismiss();
    joined->finish();
    joined = NULL;
}
