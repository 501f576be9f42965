/* Help texts and man pages, both printed from the table of commands. */
#include "analyze/commands/cli.h"

#include <ctype.h>
#include <string.h>

const ws_option *ws_cli_common_options(void);

enum { COLUMNS = 80, TEXT_AT = 29 }; /* of a terminal; where the text of an option begins */

/* Words up to COLUMNS a line; lines after the first begin at column `indent`. A blank line in `text` stays, a single
 * line break is a blank. `column` is where the stream stands; behind `indent` the text begins on a line of its own. */
static void print_wrapped(FILE *stream, const char *text, int indent, int column)
{
    bool begins_line = true;
    if (column > indent)
        column = fprintf(stream, "\n%*s", indent, "") - 1;
    while (*text) {
        int word = (int)strcspn(text, " \n");
        if (strncmp(text + word, " %", 2) == 0) /* "5 %" stays together */
            word += 1 + (int)strcspn(text + word + 1, " \n");
        if (!begins_line && column + 1 + word > COLUMNS) {
            fprintf(stream, "\n%*s", indent, "");
            column = indent;
            begins_line = true;
        }
        column += fprintf(stream, "%s%.*s", begins_line ? "" : " ", word, text);
        begins_line = false;
        text += word;
        if (text[0] == '\n' && text[1] == '\n') {
            fprintf(stream, "\n\n%*s", indent, "");
            column = indent;
            begins_line = true;
        }
        text += strspn(text, " \n");
    }
    fputc('\n', stream);
}

static void print_option(FILE *stream, const ws_option *option)
{
    char left[64];
    snprintf(left, sizeof left, "  %c%c%s--%s%s%s", option->letter ? '-' : ' ', option->letter ? option->letter : ' ',
             option->letter ? ", " : "  ", option->name, option->argument ? " " : "",
             option->argument ? option->argument : "");
    print_wrapped(stream, option->help, TEXT_AT, fprintf(stream, "%-*s ", TEXT_AT - 1, left));
}

/* Not a common option that the command explains itself, or has no use for; a list of what there is is a table. */
static bool is_shown(const ws_command *command, const ws_option *option)
{
    for (const ws_option *own = command->options; own && own->name; own++)
        if (own != option && strcmp(own->name, option->name) == 0)
            return false;
    return command->least == 0 || ws_cli_has_use(command, option);
}

static void print_options(FILE *stream, const ws_command *command, const ws_option *options)
{
    for (; options && options->name; options++)
        if (is_shown(command, options))
            print_option(stream, options);
}

static void print_program_help(FILE *stream)
{
    print_wrapped(
        stream,
        "wattscale turns energy traces and run records of a computing campaign into energy, scaling and fits, "
        "each with its uncertainty.",
        0, 0);
    fprintf(stream, "\nusage: wattscale COMMAND [ARGUMENT...] [OPTION...]\n\n");
    for (const ws_command *const *c = ws_commands(); *c; c++) {
        int column = fprintf(stream, "  %-10s %s", (*c)->name, (*c)->arguments);
        int blanks = TEXT_AT + 1 - column;
        print_wrapped(stream, (*c)->summary, TEXT_AT + 1,
                      blanks > 0 ? column + fprintf(stream, "%*s", blanks, "") : COLUMNS);
    }
    fputc('\n', stream);
    print_wrapped(
        stream,
        "To begin: 'inspect' and 'energy' with a trace; 'scan', 'runs', 'scale' and 'report' with a folder of runs. "
        "'wattscale COMMAND --help' explains a command and shows an example.\n\n"
        "PATH is a file, a folder, '-' or a compressed file; formats are found by content. CAMPAIGN is a folder of "
        "runs, its campaign.json, or a table of runs; DATA is that or any other table. A configuration is all runs "
        "with the same settings, its repeats.\n\n"
        "Exit status: 0 done, 1 the answer is no, 2 usage, 3 unreadable or unusable data, 4 undecided.",
        0, 0);
}

void ws_cli_print_help(FILE *stream, const ws_command *command)
{
    if (!command) {
        print_program_help(stream);
        return;
    }
    char title[256];
    snprintf(title, sizeof title, "wattscale %s: %s", command->name, command->summary);
    print_wrapped(stream, title, 0, 0);
    fprintf(stream, "\nusage: wattscale %s %s%s[OPTION...]\n\n", command->name, command->arguments,
            *command->arguments ? " " : "");
    print_wrapped(stream, command->description, 0, 0);
    if (command->options && command->options->name) {
        fprintf(stream, "\nOptions:\n");
        print_options(stream, command, command->options);
    }
    fprintf(stream, "\nOptions of every command:\n");
    print_options(stream, command, ws_cli_common_options());
    fprintf(stream, "\nExample:\n  %s\n", command->example);
}

/* roff takes '.' and ''' at a line's start, '\' and '-' as its own. */
static void roff_text(FILE *stream, const char *text)
{
    bool line_start = true;
    for (; *text; text++) {
        if (line_start && (*text == '.' || *text == '\''))
            fputs("\\&", stream);
        if (*text == '\n' && text[1] == '\n') {
            fputs("\n.PP", stream);
            continue;
        }
        if (*text == '\\')
            fputs("\\e", stream);
        else if (*text == '-')
            fputs("\\-", stream);
        else
            fputc(*text, stream);
        line_start = *text == '\n';
    }
}

static void roff_options(FILE *stream, const ws_command *command, const ws_option *options)
{
    for (; options && options->name; options++) {
        if (!is_shown(command, options))
            continue;
        fprintf(stream, ".TP\n.B ");
        if (options->letter)
            fprintf(stream, "\\-%c, ", options->letter);
        fprintf(stream, "\\-\\-");
        roff_text(stream, options->name);
        if (options->argument)
            fprintf(stream, " \\fI%s\\fR", options->argument);
        fprintf(stream, "\n");
        roff_text(stream, options->help);
        fprintf(stream, "\n");
    }
}

static void roff_head(FILE *stream, const char *name, const char *summary)
{
    fprintf(stream, ".TH \"");
    for (const char *c = name; *c; c++)
        fputc(toupper((unsigned char)*c), stream);
    fprintf(stream, "\" 1 \"\" \"wattscale %s\" \"wattscale manual\"\n.SH NAME\n", WATTSCALE_VERSION);
    roff_text(stream, name);
    fprintf(stream, " \\- ");
    roff_text(stream, summary);
    fprintf(stream, "\n.SH SYNOPSIS\n");
}

static void program_man(FILE *stream)
{
    roff_head(stream, "wattscale", "energy and scaling of computing campaigns from traces and run records");
    fprintf(stream, ".B wattscale\n.I COMMAND\n[\\fIARGUMENT\\fR...] [\\fIOPTION\\fR...]\n.SH COMMANDS\n");
    for (const ws_command *const *c = ws_commands(); *c; c++) {
        fprintf(stream, ".TP\n.B ");
        roff_text(stream, (*c)->name);
        fprintf(stream, " \\fI%s\\fR\n", (*c)->arguments);
        roff_text(stream, (*c)->summary);
        fprintf(stream, "; see \\fBwattscale\\-%s\\fR(1)\n", (*c)->name);
    }
    fprintf(stream,
            ".SH EXIT STATUS\n0 done; 1 the answer is no; 2 usage; 3 a path is unreadable, nothing usable was found, "
            "or output could not be written; 4 undecided.\n");
}

void ws_cli_print_man(FILE *stream, const ws_command *command)
{
    if (!command) {
        program_man(stream);
        return;
    }
    char name[64];
    snprintf(name, sizeof name, "wattscale-%s", command->name);
    roff_head(stream, name, command->summary);
    fprintf(stream, ".B wattscale ");
    roff_text(stream, command->name);
    fprintf(stream, "\n.I ");
    roff_text(stream, command->arguments);
    fprintf(stream, "\n[\\fIOPTION\\fR...]\n.SH DESCRIPTION\n");
    roff_text(stream, command->description);
    fprintf(stream, "\n.SH OPTIONS\n");
    roff_options(stream, command, command->options);
    fprintf(stream, ".SS Options of every command\n");
    roff_options(stream, command, ws_cli_common_options());
    fprintf(stream, ".SH EXAMPLE\n.EX\n");
    roff_text(stream, command->example);
    fprintf(stream, "\n.EE\n.SH SEE ALSO\n.BR wattscale (1)\n");
}
