#include "analyze/run_status.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

static const char *const good[] = {"ok", "success", "succeeded", "completed", "complete", "finished", "done"};

/* Slurm's states (its manual page of sacct), MLPerf's run_stop, W&B's and MLflow's states. */
static const char *const unfinished[] = {
    "aborted",   "failed",  "fail",       "failure",       "cancelled", "canceled",  "timeout",
    "timed_out", "killed",  "node_fail",  "out_of_memory", "oom",       "preempted", "boot_fail",
    "deadline",  "revoked", "terminated", "crashed",       "error",     "running",
};

/* Slurm writes "CANCELLED by 1000" and, where its column is narrow, "OUT_OF_ME+"; seff "COMPLETED (exit code 0)". */
static bool is_one_of(const char *status, const char *const *words, size_t n)
{
    size_t length = status ? strcspn(status, " ") : 0;
    bool is_cut = length && status[length - 1] == '+';
    length -= is_cut;
    for (size_t i = 0; length && i < n; i++)
        if (tolower((unsigned char)*status) == *words[i] && strncasecmp(status, words[i], length) == 0 &&
            (is_cut || words[i][length] == '\0'))
            return true;
    return false;
}

bool ws_status_is_good(const char *status)
{
    const char *behind = status ? strchr(status, ' ') : NULL;
    return (!behind || behind[1] == '(') && is_one_of(status, good, sizeof good / sizeof *good);
}

bool ws_status_is_unfinished(const char *status)
{
    return is_one_of(status, unfinished, sizeof unfinished / sizeof *unfinished);
}

bool ws_is_end_name(const char *name)
{
    static const char *const names[] = {"status",     "state",      "job_state", "jobstate",
                                        "job_status", "run_status", "run_state", "end_state"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcasecmp(name, names[i]) == 0)
            return true;
    return false;
}

const char *ws_end_field(const char *name, const char *value)
{
    bool is_end = ws_is_end_name(name) && strcmp(name, "run_status") != 0; /* which is MLPerf's own */
    return is_end && (ws_status_is_good(value) || ws_status_is_unfinished(value)) ? "job_state" : name;
}

void ws_take_ends(ws_table *runs)
{
    static const char *const ends[] = {"job_state", "run_status"};
    size_t status, end;
    if (!ws_table_find(runs, "status", &status) || runs->columns[status].kind != WS_TEXT)
        return;
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        if (!ws_table_find(runs, ends[i], &end) || runs->columns[end].kind != WS_TEXT)
            continue;
        for (size_t row = 0; row < runs->n_rows; row++) {
            const char *now = runs->columns[status].text[row], *said = runs->columns[end].text[row];
            if (ws_status_is_unfinished(said) && (!now || ws_status_is_good(now)))
                ws_table_set_text(runs, status, row, said);
        }
    }
}
