/* What every command shares: its entry in the table of commands, its arguments, its manners on stdout and stderr. */
#ifndef WS_ANALYZE_CLI_H
#define WS_ANALYZE_CLI_H

#include "analyze/source.h"
#include "core/note.h"
#include "core/status.h"
#include "core/table.h"
#include "report/table/table_write.h"

#include <stdbool.h>
#include <stdio.h>

/* Exit statuses of docs/design.md. */
enum { WS_EXIT_OK = 0, WS_EXIT_NO = 1, WS_EXIT_USAGE = 2, WS_EXIT_DATA = 3, WS_EXIT_UNDECIDED = 4 };

typedef struct ws_option {
    const char *name;     /* "rule" for --rule */
    char letter;          /* 'o' for -o, 0 for none */
    const char *argument; /* "FILE"; NULL for a switch */
    const char *help;
} ws_option;

typedef struct ws_cli ws_cli;

/* Files, folders and archives that could not be read to their end: named on the command line, or found below one that
 * was. A command that has done the rest ends with WS_EXIT_DATA for the one, and with --strict for the other. */
typedef struct ws_unread {
    size_t named, found;
} ws_unread;

/* Options that only some data has a use for. */
typedef struct ws_option_use {
    ws_read_use read;
    bool meters; /* sensors are looked for */
    atomic_bool sensors;
} ws_option_use;

typedef struct ws_command {
    const char *name;
    const char *arguments;    /* "PATH..." */
    const char *summary;      /* one line */
    const char *description;  /* paragraphs, a blank line between them */
    const ws_option *options; /* own ones, ended by a NULL name; NULL for none */
    const char *example;      /* a command line that is run as a test, from the project's folder */
    int least, most;          /* positional arguments; most < 0 for any number */
    const char *no_table;     /* what it writes instead, where arguments are given; NULL: a table as --format says */
    int (*run)(ws_cli *cli);
} ws_command;

const ws_command *const *ws_commands(void); /* NULL-terminated */

typedef struct ws_given {
    const ws_option *option;
    const char *value; /* NULL for a switch */
    size_t place;      /* how many arguments stand before it */
    size_t missed;     /* of a condition: how many tables have no such row */
} ws_given;

struct ws_cli {
    const ws_command *command;
    const char **arguments;
    size_t n_arguments;
    ws_given *given;
    size_t n_given, given_capacity;
    FILE *out, *err;
    ws_table_form form;
    bool quiet, verbose, colour;
    bool leads;            /* other processes work on the command, too (mpi_ranks.h) */
    bool is_facet;         /* it works on a part of the runs, which may lack the reference of the others */
    ws_line_counts *lines; /* of delimited files; -v tells them */
    ws_unread *unread;
    ws_looks *looks;            /* of the campaigns that were read, and of --look on top */
    struct ws_sensors *sensors; /* of --sensors, once it was read */
    ws_option_use *use;         /* which options were of use to what was read */
    ws_input_register *inputs;  /* takes what ws_data_runs reads; NULL: nobody asks */
    struct ws_drawn_run *drawn; /* gets the profiles of the run that is drawn (drawn_run.h); NULL: none is */
    struct ws_run_list *files;  /* gets the files of the runs, and the command frees it; NULL: it needs none */
    struct ws_history *history; /* gets what explains the numbers of the runs (run_history.h); NULL: nobody asks */
    ws_arena arena;
};

/* Parse; on a usage error print one line with the remedy to cli->err and return WS_EXIT_USAGE, else WS_EXIT_OK. */
int ws_cli_parse(ws_cli *cli, int argc, char **argv);
void ws_cli_free(ws_cli *cli);

/* Has the command a use for this option of every command? --format and --all-columns are of tables. */
bool ws_cli_has_use(const ws_command *command, const ws_option *option);

/* Is its value a file that ws_cli_write_file is to write? The -o of a report, a data set and a merge is another. */
bool ws_cli_names_output(const ws_cli *cli, const ws_option *option);

const char *ws_cli_value(const ws_cli *cli, const char *option); /* the last one given; NULL where none was */
bool ws_cli_has(const ws_cli *cli, const char *option);

/* Did a launcher of MPI start this process, alone or with others? It passes the output on, and may show it a terminal
 * where there is none. */
bool ws_cli_is_launched(void);

/* Options of several commands, for their tables. */
#define WS_OPTIONS_READ                                                                                \
    {"as", 0, "FORMAT", "read as this format, whatever the content looks like ('wattscale formats')"}, \
        {"columns", 0, "MAP", "where things stand: time=Timestamp,power=#2,unit=mW,gpu=dev"},          \
        {"period", 0, "SECONDS", "sampling period of files that hold no time"},                        \
        {"reader", 0, "WAY", "fast (default), portable or csv; the result is the same, see -v"},       \
    {                                                                                                  \
        "tz", 0, "ZONE", "zone of stamps that name none: UTC, +02:00, CET, Europe/Berlin"              \
    }
#define WS_OPTIONS_METER                                                                                              \
    {"rule", 0, "RULE",                                                                                               \
     "counter, interval, trapezoid, rectangle, given, perun or mean-times-time; default: the best"},                  \
        {"gaps", 0, "POLICY", "bridge (default), exclude or refuse long gaps"},                                       \
        {"window", 0, "FROM,TO", "only this stretch: two dates, or two numbers of seconds for traces without dates"}, \
        {"back-steps", 0, "POLICY", "keep (default), drop or sort readings whose stamps step back"},                  \
        {"sensors", 0, "FILE", "a table of what you know of the power sensors ('wattscale sensors')"},                \
    {                                                                                                                 \
        "edges", 0, "POLICY", "inside (default), hold the end readings out to the window, or trim"                    \
    }
#define WS_OPTION_THREADS                                                                \
    {                                                                                    \
        "jobs", 'j', "N", "threads that read files; default: one a core that it may use" \
    }
#define WS_OPTION_LOOK                                                                                           \
    {                                                                                                            \
        "look", 0, "LOOK", "'series=a: name=..., colour=#bb5566, marker=square, order=1', 'energy_kwh: unit=MJ'" \
    }
#define WS_OPTIONS_TABLE                                                                                      \
    {"exclude", 0, "CONDITION", "leave out rows, as 'gpus<4' or 'series=a|b'; may be given again"},           \
    {                                                                                                         \
        "only", 0, "CONDITION", "keep these rows, as 'series=full*,gpus>4'; @NAME: a subset of campaign.json" \
    }

/* Read the values of these options; false after a message about a wrong one. */
struct ws_measure_options;
bool ws_cli_source_options(const ws_cli *cli, ws_source_options *options);
bool ws_cli_measure_options(const ws_cli *cli, struct ws_measure_options *options);

/* The rows of --sensors, NULL where it is not given; false after a message. They live as long as cli. */
bool ws_cli_sensors(const ws_cli *cli, const struct ws_sensors **sensors);

/* The window that an option names as FROM,TO; false after a message. Without the option nothing changes. */
struct ws_meter_options;
bool ws_cli_window(const ws_cli *cli, const char *option, struct ws_meter_options *meter);

bool ws_cli_threads(const ws_cli *cli, unsigned *threads);

/* Count the notes `unreadable` of what was read for an argument. */
void ws_cli_count_unread(const ws_cli *cli, const char *argument, const ws_notes *notes);

/* Print an error to cli->err as "wattscale COMMAND: MESSAGE" and return the exit status that goes with it. */
int ws_cli_fail(const ws_cli *cli, const ws_error *error);
int ws_cli_usage(const ws_cli *cli, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Notes for people on stderr: each where they are few or -v is given, else one line a kind. -q is silent. */
void ws_cli_notes(const ws_cli *cli, const ws_notes *notes);

/* Write the table as --format says, to stdout or to -o FILE (beside the target, then renamed; --force replaces), its
 * notes to stderr. Returns an exit status. */
int ws_cli_output(const ws_cli *cli, ws_table *table);

/* What there is to choose from: a table of names, under the title `of`, and what each of them shows. ws_cli_list_end
 * prints and frees it. */
void ws_cli_list_begin(ws_table *table, const char *name, const char *of);
void ws_cli_list_add(ws_table *table, const char *name, const char *summary);
int ws_cli_list_end(const ws_cli *cli, ws_table *table);

/* Write through `write` to standard output or, with -o FILE, into a file beside FILE that is renamed when it is
 * complete, so that a reader sees the old file or the new one, never half of one. An existing file needs --force. */
typedef ws_status ws_file_writer(FILE *stream, const void *what, ws_error *error);
ws_status ws_cli_write(const ws_cli *cli, ws_file_writer *write, const void *what, ws_error *error);
ws_status ws_cli_write_file(const ws_cli *cli, const char *path, ws_file_writer *write, const void *what,
                            ws_error *error);

/* Before anything is read: what ws_cli_write_file would say of each file that the command is to write, as far as it can
 * be known. The second: of the folder alone in which the file is to lie. */
ws_status ws_cli_check_outputs(const ws_cli *cli, ws_error *error);
ws_status ws_cli_check_folder(const char *path, ws_error *error);

/* Drop the rows that --exclude names and keep those of --only, with a note for each condition. "@NAME" is a subset of
 * the campaign, which may be NULL. False after a message. */
struct ws_campaign;
bool ws_cli_exclude(const ws_cli *cli, const struct ws_campaign *campaign, ws_table *table);

/* Did every option that only some data has a use for change something? After everything was read; false after a message
 * that names one that did not. */
bool ws_cli_check_use(const ws_cli *cli);

/* What the campaign (or NULL) and --look say about names and looks, for this table too. False after a message: also
 * where --look names a column or a value that the table has not, or what the command cannot use. */
bool ws_cli_take_looks(const ws_cli *cli, const struct ws_campaign *campaign, ws_table *table);
/* Does --look name columns of the runs, or of the table that a recipe made of them? False after a message. */
bool ws_cli_check_made_looks(const ws_cli *cli, const ws_table *runs, const ws_table *made);

void ws_cli_print_help(FILE *stream, const ws_command *command); /* NULL: of the program */
void ws_cli_print_man(FILE *stream, const ws_command *command);  /* roff */

#endif
