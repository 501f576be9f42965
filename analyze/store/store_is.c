/* Also where stores cannot be read: who asks is told what the file is. */
#define _POSIX_C_SOURCE 200809L
#include "analyze/store/store.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool ws_store_is(const char *path)
{
    static const char magic[16] = "SQLite format 3";
    char head[sizeof magic] = "";
    struct stat about; /* a pipe can be read once */
    int fd = stat(path, &about) == 0 && S_ISREG(about.st_mode) ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    bool is = fd >= 0 && read(fd, head, sizeof head) == (ssize_t)sizeof head && memcmp(head, magic, sizeof magic) == 0;
    if (fd >= 0)
        close(fd);
    return is;
}
