#include "core/linker.h"

#include <stdbool.h>
#include <string.h>

const char *ws_linker_remedy(const char *said)
{
    /* Words of glibc (elf/dl-load.c); a folder that is mounted noexec is told in the first words, too, with its
     * reason. */
    static const char *const of_memory[] = {"failed to map segment", "annot allocate", "cannot map zero-fill pages",
                                            "cannot create shared object descriptor"};
    bool is_refused = strstr(said, "not permitted") || strstr(said, "ermission denied");
    for (size_t i = 0; i < sizeof of_memory / sizeof *of_memory; i++)
        if (strstr(said, of_memory[i]) && !is_refused)
            return "there is too little memory for it ('ulimit -v' shows how much the program may have)";
    return "install the package of that library, or the program again";
}
