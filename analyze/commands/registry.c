/* The table of commands: a new one is a file that defines its ws_command, and a line here. */
#include "analyze/commands/cli.h"

#define COMMANDS(X) \
    X(scan)         \
    X(inspect)      \
    X(energy)       \
    X(check)        \
    X(runs)         \
    X(scale)        \
    X(explain)      \
    X(fit)          \
    X(correlate)    \
    X(compare)      \
    X(advise)       \
    X(export)       \
    X(plot)         \
    X(report)       \
    X(ingest)       \
    X(merge)        \
    X(table)        \
    X(dataset)      \
    X(findings)     \
    X(sensors)      \
    X(formats)

#define DECLARE(name) extern const ws_command ws_command_##name;
COMMANDS(DECLARE)

#define POINTER(name) &ws_command_##name,
static const ws_command *const commands[] = {COMMANDS(POINTER) NULL};

const ws_command *const *ws_commands(void)
{
    return commands;
}
