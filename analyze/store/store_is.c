/* Also where stores cannot be read: who asks is told what the file is. */
#define _POSIX_C_SOURCE 200809L
#include "analyze/store/store.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* False: it is no file, or a shorter one; a pipe can be read once. */
static bool read_head(const char *path, unsigned char *head, size_t n)
{
    struct stat about;
    int fd = stat(path, &about) == 0 && S_ISREG(about.st_mode) ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    bool is_read = fd >= 0 && read(fd, head, n) == (ssize_t)n;
    if (fd >= 0)
        close(fd);
    return is_read;
}

static const char magic[16] = "SQLite format 3";

bool ws_store_is(const char *path)
{
    unsigned char head[sizeof magic];
    return read_head(path, head, sizeof head) && memcmp(head, magic, sizeof magic) == 0;
}

bool ws_store_is_ours(const char *path)
{
    enum { APPLICATION_AT = 68 }; /* in the head of a database, the highest byte first */
    static const char application[4] = {'W', 'S', 'S', 'T'};
    unsigned char head[APPLICATION_AT + sizeof application];
    return read_head(path, head, sizeof head) && memcmp(head, magic, sizeof magic) == 0 &&
           memcmp(head + APPLICATION_AT, application, sizeof application) == 0;
}
