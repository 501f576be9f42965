/* A folder below /tmp with a few files, for the campaign of one test. */
#ifndef WS_TESTS_MADE_FOLDER_H
#define WS_TESTS_MADE_FOLDER_H

#include "harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static char folder[64];

static inline void make_folder(void)
{
    snprintf(folder, sizeof folder, "/tmp/wattscale-test-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(folder));
}

static inline void write_file(const char *name, const char *text)
{
    char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    fputs(text, file);
    fclose(file);
}

static inline void remove_file(const char *name)
{
    char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    unlink(path);
}

#endif
