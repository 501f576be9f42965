#include "formats/hdf5/hdf5_library.h"

#include <pthread.h>

static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;

/* The report of failures is the thread's own or the process's, as the library was built: a thread turns it off again
 * whenever somebody may have turned it on. */
static unsigned times_restored = 1;
static _Thread_local unsigned turned_off_at;

static void turn_report_off(void)
{
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    turned_off_at = times_restored;
}

void ws_hdf5_enter(void)
{
    pthread_mutex_lock(&turn);
    if (turned_off_at != times_restored)
        turn_report_off();
}

void ws_hdf5_leave(void)
{
    pthread_mutex_unlock(&turn);
}

void ws_hdf5_enter_first(ws_hdf5_manner *before)
{
    pthread_mutex_lock(&turn);
    H5Eget_auto2(H5E_DEFAULT, &before->report, &before->state);
    turn_report_off();
}

void ws_hdf5_leave_last(const ws_hdf5_manner *before)
{
    H5Eset_auto2(H5E_DEFAULT, before->report, before->state);
    times_restored++;
    pthread_mutex_unlock(&turn);
}
