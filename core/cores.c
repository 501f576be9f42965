/* sched_getaffinity is an extension of Linux. */
#define _GNU_SOURCE
#include "core/parallel.h"

#include "core/text.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned fewer(unsigned cores, double others)
{
    return others >= 1 && others < cores ? (unsigned)others : others < 1 ? 1 : cores;
}

static unsigned cores_of_affinity(void)
{
    cpu_set_t set;
    CPU_ZERO(&set);
    int n = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
    return n > 0 ? (unsigned)n : 1;
}

static bool read_line(const char *path, char *line, size_t size)
{
    FILE *file = fopen(path, "re");
    bool ok = file && fgets(line, (int)size, file);
    if (file)
        fclose(file);
    return ok;
}

/* "max 100000" or "150000 100000": microseconds of processor time in a period. */
static unsigned within_quota(unsigned cores, const char *quota, const char *period)
{
    double used, of;
    if (!ws_span_double(ws_span_of(quota), &used) || !ws_span_double(ws_span_of(period), &of))
        return cores; /* "max", or -1 below */
    return used > 0 && of > 0 ? fewer(cores, used / of) : cores;
}

/* The quota of a group holds for the groups below it, so each level up to the root counts. */
static unsigned within_group(unsigned cores, const char *root, const char *group, bool is_v2)
{
    char path[800], level[500], quota[64], period[64];
    snprintf(level, sizeof level, "%s", strcmp(group, "/") == 0 ? "" : group);
    for (char *slash = level;; *slash = '\0') {
        snprintf(path, sizeof path, "%s%s/%s", root, level, is_v2 ? "cpu.max" : "cpu.cfs_quota_us");
        if (is_v2 && read_line(path, quota, sizeof quota)) {
            char *space = strchr(quota, ' ');
            if (space)
                *space = '\0';
            cores = within_quota(cores, quota, space ? space + 1 : "");
        } else if (!is_v2 && read_line(path, quota, sizeof quota)) {
            snprintf(path, sizeof path, "%s%s/cpu.cfs_period_us", root, level);
            if (read_line(path, period, sizeof period))
                cores = within_quota(cores, quota, period);
        }
        slash = strrchr(level, '/');
        if (!slash)
            return cores;
    }
}

/* Lines of /proc/self/cgroup: "0::/user.slice/job" (version 2), "4:cpu,cpuacct:/slurm/job" (version 1). */
static unsigned within_groups(unsigned cores)
{
    char line[500];
    FILE *file = fopen("/proc/self/cgroup", "re");
    while (file && fgets(line, sizeof line, file)) {
        ws_span rest = ws_span_trim(ws_span_of(line)), number, controllers;
        if (!ws_span_split(&rest, ':', &number) || !ws_span_split(&rest, ':', &controllers))
            continue;
        char group[500];
        snprintf(group, sizeof group, "%.*s", WS_SPAN_ARG(rest));
        if (ws_span_eq(number, "0") && !controllers.n)
            cores = within_group(cores, "/sys/fs/cgroup", group, true);
        else if (ws_span_eq(controllers, "cpu,cpuacct") || ws_span_eq(controllers, "cpu"))
            cores = within_group(cores, "/sys/fs/cgroup/cpu", group, false);
    }
    if (file)
        fclose(file);
    return cores;
}

unsigned ws_cores_allowed(void)
{
    unsigned cores = cores_of_affinity();
    const char *slurm = getenv("SLURM_CPUS_PER_TASK");
    double given;
    if (slurm && ws_span_double(ws_span_of(slurm), &given) && given >= 1)
        cores = fewer(cores, given);
    return within_groups(cores);
}
