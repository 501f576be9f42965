/* Messages over MPI, with nothing beyond MPI-3.0. The one user of an MPI library: built by `make MPI=1` into a module
 * that is loaded under a launcher alone (commands/ranks_load.c). */
#include "analyze/mpi/mpi_module.h"

#include "core/arena.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { TAG = 1 };

static int mpi_begin(int *rank, int *n)
{
    int provided = MPI_THREAD_SINGLE;
    if (MPI_Init_thread(NULL, NULL, MPI_THREAD_SERIALIZED, &provided) != MPI_SUCCESS)
        return 1;
    MPI_Comm_rank(MPI_COMM_WORLD, rank);
    MPI_Comm_size(MPI_COMM_WORLD, n);
    return provided < MPI_THREAD_SERIALIZED;
}

static void mpi_finish(void)
{
    MPI_Finalize();
}

static void mpi_send(int to, const void *bytes, size_t n)
{
    MPI_Send(bytes, (int)n, MPI_BYTE, to, TAG, MPI_COMM_WORLD);
}

static bool mpi_receive(int *from, unsigned char **bytes, size_t *n)
{
    MPI_Status status;
    int has = 0, count = 0;
    if (MPI_Iprobe(MPI_ANY_SOURCE, TAG, MPI_COMM_WORLD, &has, &status) != MPI_SUCCESS || !has)
        return false;
    MPI_Get_count(&status, MPI_BYTE, &count);
    *from = status.MPI_SOURCE;
    *n = (size_t)count;
    *bytes = ws_alloc(*n + 1);
    MPI_Recv(*bytes, count, MPI_BYTE, *from, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return true;
}

static void mpi_abort(int status)
{
    MPI_Abort(MPI_COMM_WORLD, status);
}

const ws_rank_transport ws_mpi_transport = {mpi_begin, mpi_finish, mpi_send, mpi_receive, mpi_abort};
