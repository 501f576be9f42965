/* wattscale: the way into its commands. Only here does the program end. */
#define _DEFAULT_SOURCE /* madvise */
#include "analyze/commands/cli.h"
#include "analyze/commands/ranks_load.h"
#include "analyze/commands/unfinished.h"

#include "core/arena.h"

#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static const ws_command *find_command(const char *name)
{
    for (const ws_command *const *c = ws_commands(); *c; c++)
        if (strcmp((*c)->name, name) == 0)
            return *c;
    return NULL;
}

static int no_command(const char *name)
{
    fprintf(stderr, "wattscale: there is no command '%s' ('wattscale --help' lists them)\n", name);
    return WS_EXIT_USAGE;
}

/* wattscale man [COMMAND]: the man page as roff, for `make install`; --list names the commands. */
static int print_man(const char *name)
{
    if (name && strcmp(name, "--list") == 0) {
        for (const ws_command *const *c = ws_commands(); *c; c++)
            printf("%s\n", (*c)->name);
        return WS_EXIT_OK;
    }
    const ws_command *command = name ? find_command(name) : NULL;
    if (name && !command)
        return no_command(name);
    ws_cli_print_man(stdout, command);
    return WS_EXIT_OK;
}

/* What could not be read tells in the end, after the rest was done. */
static int with_unread(const ws_cli *cli, int status)
{
    bool failed = cli->unread->named || (cli->unread->found && ws_cli_has(cli, "strict"));
    return status == WS_EXIT_OK && failed ? WS_EXIT_DATA : status;
}

/* Buffers of a file that was read serve the next one: given back to the system between two files, each of their pages
 * would be asked for and cleared again. */
static void keep_buffers(void)
{
    enum { LARGEST_BUFFER = 32 << 20, MOST_KEPT = 64 << 20 };
    mallopt(M_MMAP_THRESHOLD, LARGEST_BUFFER);
    mallopt(M_TRIM_THRESHOLD, MOST_KEPT);
}

/* The heap goes on with huge pages, which the system hands out at one touch: a touch for each 4 KiB took a sixth of
 * what a store of thousands of runs took to answer. The room up to the first of them is never touched. */
static void use_huge_pages(void)
{
    enum { HUGE_PAGE = 2 << 20, GROWTH = 8 << 20, BEHIND_LIBRARIES = 256 * 1024 };
    static char *room;
    mallopt(M_TOP_PAD, GROWTH);
    room = malloc(BEHIND_LIBRARIES);
    if (!room)
        return;
    size_t to_huge = HUGE_PAGE - (uintptr_t)room % HUGE_PAGE;
    to_huge += to_huge < BEHIND_LIBRARIES ? HUGE_PAGE : 0;
    madvise(room + to_huge, GROWTH - HUGE_PAGE, MADV_HUGEPAGE); /* a wish: without it all is as before */
    char *longer = realloc(room, to_huge);                      /* writes behind its end, so that it comes last */
    room = longer ? longer : room;
}

static int run_command(const ws_command *command, int argc, char **argv, bool leads)
{
    ws_cli cli = {.command = command, .out = stdout, .err = stderr, .leads = leads};
    ws_error error = {0};
    if (strcmp(command->arguments, "PATH...") != 0) /* files by themselves are read in the least memory */
        use_huge_pages();
    int status = ws_cli_parse(&cli, argc, argv);
    if (status == WS_EXIT_OK && ws_cli_has(&cli, "help"))
        ws_cli_print_help(stdout, command);
    else if (status == WS_EXIT_OK)
        status = ws_cli_check_outputs(&cli, &error) == WS_OK ? with_unread(&cli, command->run(&cli))
                                                             : ws_cli_fail(&cli, &error);
    ws_cli_free(&cli);
    return status;
}

static void out_of_memory(size_t wanted)
{
    fprintf(stderr, "wattscale: out of memory (%zu bytes more were needed)\n", wanted);
    ws_unfinished_remove();
    ws_ranks_abort(WS_EXIT_DATA);
    exit(WS_EXIT_DATA);
}

/* Help and lists are printed without a look back: what the output refused shows here. */
static int main_finish(int status)
{
    if (fflush(stdout) == 0 && !ferror(stdout))
        return status;
    if (status == WS_EXIT_OK)
        fprintf(stderr, "wattscale: standard output cannot be written\n");
    return status == WS_EXIT_OK ? WS_EXIT_DATA : status;
}

static int dispatch(int argc, char **argv, bool leads)
{
    const char *name = argc > 1 ? argv[1] : NULL;
    if (!name || strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0 || strcmp(name, "help") == 0) {
        const ws_command *about = argc > 2 ? find_command(argv[2]) : NULL;
        if (argc > 2 && !about)
            return no_command(argv[2]);
        ws_cli_print_help(name ? stdout : stderr, about);
        return name ? WS_EXIT_OK : WS_EXIT_USAGE;
    }
    if (strcmp(name, "--version") == 0) {
        printf("wattscale %s\n", WATTSCALE_VERSION);
        return WS_EXIT_OK;
    }
    if (strcmp(name, "man") == 0)
        return print_man(argc > 2 ? argv[2] : NULL);
    const ws_command *command = find_command(name);
    if (!command)
        return no_command(name);
    return run_command(command, argc - 2, argv + 2, leads);
}

int main(int argc, char **argv)
{
    keep_buffers();
    ws_set_memory_handler(out_of_memory);
    ws_error error = {0};
    ws_rank_role role = ws_ranks_join(argc, argv, &error);
    if (role == WS_ROLE_SERVED)
        return WS_EXIT_OK;
    if (role == WS_ROLE_REFUSED) {
        fprintf(stderr, "wattscale: %s\n", error.message);
        return WS_EXIT_USAGE;
    }
    int status = main_finish(dispatch(argc, argv, role == WS_ROLE_LEADER));
    ws_ranks_leave();
    return status;
}
