/* usage: timed FILE COMMAND [ARGUMENT...]
 * Runs the command and writes "wall user system peak" to FILE: three times in seconds, the largest resident size in
 * KiB. */
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double seconds(struct timeval t)
{
    return (double)t.tv_sec + (double)t.tv_usec / 1e6;
}

int main(int argc, char **argv)
{
    struct timespec start, end;
    struct rusage use;
    int status;
    if (argc < 3)
        return 2;
    clock_gettime(CLOCK_MONOTONIC, &start);
    pid_t child = fork();
    if (child == 0) {
        execvp(argv[2], argv + 2);
        _exit(127);
    }
    if (child < 0 || wait4(child, &status, 0, &use) < 0)
        return 2;
    clock_gettime(CLOCK_MONOTONIC, &end);
    FILE *out = fopen(argv[1], "w");
    if (!out)
        return 2;
    double wall = (double)(end.tv_sec - start.tv_sec) + (double)(end.tv_nsec - start.tv_nsec) / 1e9;
    fprintf(out, "%.6f %.6f %.6f %ld\n", wall, seconds(use.ru_utime), seconds(use.ru_stime), use.ru_maxrss);
    return fclose(out) == 0 && WIFEXITED(status) ? WEXITSTATUS(status) : 2;
}
