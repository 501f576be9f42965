/* Faults for the tests of stores, by LD_PRELOAD: cc -shared -fPIC -o shim.so store_shim.c
 *
 * WS_FAIL_AT=N    the N-th call that writes to a store or its lock fails: the disk is full
 * WS_KILL_AT=N    the process is killed instead
 * WS_GROW=ENDING  a file of that ending grows whenever its first byte is read, WS_GROW_TIMES times at most
 * WS_CHANGE=ENDING  a file of that ending becomes WS_CHANGE_TO when it is closed the WS_CHANGE_AT-th time, and has a
 *                   time that is long over
 * WS_CHANGE_WHAT=FILE  that changes instead
 * WS_HOLD_FLOCK=FILE, WS_HOLD_RENAME=FILE  these calls wait until the file is there
 * WS_DIE=ENDING   the process is killed where it reads such a file
 * WS_COUNT=FILE   gets the number of calls that write
 * WS_HURRY=S      each time that is asked for is S seconds after the one before
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static long calls, grown, closed;

static long number(const char *name)
{
    const char *text = getenv(name);
    return text ? strtol(text, NULL, 10) : 0;
}

time_t time(time_t *at)
{
    static long asked;
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    time_t then = now.tv_sec + __atomic_fetch_add(&asked, 1, __ATOMIC_RELAXED) * number("WS_HURRY");
    if (at)
        *at = then;
    return then;
}

static bool name_of(int fd, char path[4096])
{
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t n = readlink(link, path, 4095);
    path[n > 0 ? n : 0] = '\0';
    return n > 0;
}

static bool is_store(const char *path)
{
    const char *slash = strrchr(path, '/');
    return strstr(slash ? slash : path, ".wattscale") != NULL;
}

static bool ends(const char *path, const char *ending)
{
    size_t n = strlen(path), k = ending ? strlen(ending) : 0;
    return k && n >= k && strcmp(path + n - k, ending) == 0;
}

/* Is this the call that is to fail? */
static bool fails(void)
{
    calls++;
    if (getenv("WS_COUNT")) {
        FILE *f = fopen(getenv("WS_COUNT"), "w");
        if (f) {
            fprintf(f, "%ld\n", calls);
            fclose(f);
        }
    }
    if (calls == number("WS_KILL_AT"))
        raise(SIGKILL);
    if (calls == number("WS_FAIL_AT")) {
        errno = ENOSPC;
        return true;
    }
    return false;
}

static bool fails_on(int fd)
{
    char path[4096];
    static __thread bool inside;
    if (inside || !name_of(fd, path) || !is_store(path))
        return false;
    inside = true;
    bool is = fails();
    inside = false;
    return is;
}

static void before_reading(int fd)
{
    char path[4096];
    if (getenv("WS_DIE") && name_of(fd, path) && ends(path, getenv("WS_DIE")))
        raise(SIGKILL);
}

static void grow_at_first_byte(int fd)
{
    char path[4096];
    static __thread bool inside;
    if (inside || !getenv("WS_GROW") || !name_of(fd, path))
        return;
    if (!ends(path, getenv("WS_GROW")) || grown >= number("WS_GROW_TIMES") || lseek(fd, 0, SEEK_CUR) != 0)
        return;
    inside = true;
    int out = open(path, O_WRONLY | O_APPEND);
    grown += out >= 0 && write(out, "\n", 1) == 1;
    close(out);
    inside = false;
}

/* In place: the file stays the one that it is. */
static void change(const char *path, const char *to)
{
    char bytes[65536];
    int in = open(to, O_RDONLY), out = open(path, O_WRONLY | O_TRUNC);
    ssize_t n;
    while ((n = read(in, bytes, sizeof bytes)) > 0 && write(out, bytes, (size_t)n) == n)
        continue;
    futimens(out, (struct timespec[]){{1770000000, 123456789}, {1770000000, 123456789}});
    close(in);
    close(out);
}

static void change_before_closing(int fd)
{
    char path[4096];
    static __thread bool inside;
    if (inside || !getenv("WS_CHANGE") || !name_of(fd, path) || !ends(path, getenv("WS_CHANGE")))
        return;
    inside = true;
    if (++closed == number("WS_CHANGE_AT"))
        change(getenv("WS_CHANGE_WHAT") ? getenv("WS_CHANGE_WHAT") : path, getenv("WS_CHANGE_TO"));
    inside = false;
}

static void hold(const char *variable)
{
    const char *file = getenv(variable);
    for (int i = 0; file && i < 6000 && access(file, F_OK) != 0; i++)
        usleep(10000);
}

#define REAL(type, name, ...)         \
    static type (*real)(__VA_ARGS__); \
    if (!real)                        \
    real = (type(*)(__VA_ARGS__))(size_t)dlsym(RTLD_NEXT, #name)

ssize_t write(int fd, const void *bytes, size_t n)
{
    REAL(ssize_t, write, int, const void *, size_t);
    return fails_on(fd) ? -1 : real(fd, bytes, n);
}

ssize_t pwrite(int fd, const void *bytes, size_t n, off_t at)
{
    REAL(ssize_t, pwrite, int, const void *, size_t, off_t);
    return fails_on(fd) ? -1 : real(fd, bytes, n, at);
}

ssize_t pwrite64(int fd, const void *bytes, size_t n, off64_t at)
{
    REAL(ssize_t, pwrite64, int, const void *, size_t, off64_t);
    return fails_on(fd) ? -1 : real(fd, bytes, n, at);
}

int ftruncate(int fd, off_t n)
{
    REAL(int, ftruncate, int, off_t);
    return fails_on(fd) ? -1 : real(fd, n);
}

int ftruncate64(int fd, off64_t n)
{
    REAL(int, ftruncate64, int, off64_t);
    return fails_on(fd) ? -1 : real(fd, n);
}

int fsync(int fd)
{
    REAL(int, fsync, int);
    return fails_on(fd) ? -1 : real(fd);
}

int rename(const char *from, const char *to)
{
    REAL(int, rename, const char *, const char *);
    hold("WS_HOLD_RENAME");
    return is_store(to) && fails() ? -1 : real(from, to);
}

int flock(int fd, int operation)
{
    REAL(int, flock, int, int);
    hold("WS_HOLD_FLOCK");
    return real(fd, operation);
}

ssize_t read(int fd, void *bytes, size_t n)
{
    REAL(ssize_t, read, int, void *, size_t);
    before_reading(fd);
    grow_at_first_byte(fd);
    return real(fd, bytes, n);
}

int close(int fd)
{
    REAL(int, close, int);
    change_before_closing(fd);
    return real(fd);
}
