#include "formats/table/trace_place.h"

#include "formats/table/trace_plain.h"

#include <sys/stat.h>
#include <unistd.h>

bool ws_trace_may_go_on(const ws_trace *t)
{
    bool is_first = t->take_row ? t->set_notes && t->current
                                : t->n_sections == 1 && t->current == t->sections[0] && !t->current->is_unusable;
    return is_first && ws_trace_rows_stand_alone(t);
}

/* Where the last whole line of a file of so many bytes ends; 0: a cut one of more than LONGEST_CUT follows. */
static uint64_t end_of_lines(int fd, off_t size)
{
    enum { LONGEST_CUT = 8 * 1024 };
    char bytes[LONGEST_CUT];
    ssize_t n = size < LONGEST_CUT ? 0 : pread(fd, bytes, LONGEST_CUT, size - LONGEST_CUT);
    while (n > 0 && bytes[n - 1] != '\n')
        n--;
    return n > 0 ? (uint64_t)(size - LONGEST_CUT + n) : 0;
}

/* In a row of several lines, none but the last one is cut. */
static bool is_one_line(const ws_trace *t, const ws_row *cut)
{
    return cut->line == ws_rows_line(t->rows);
}

void ws_trace_reach_place(ws_trace *t, const ws_row *cut)
{
    const ws_log_reading *log = t->options->log;
    if (!log || !log->reach || t->has_reached || !ws_trace_may_go_on(t))
        return;
    t->has_reached = true;
    int fd = ws_input_plain_fd(t->input);
    struct stat about;
    if (fd < 0 || fstat(fd, &about) != 0)
        return;
    ws_log_place place = {end_of_lines(fd, about.st_size), ws_rows_line(t->rows), t->current->n};
    bool ends_there = place.offset == (uint64_t)about.st_size;
    bool is_known = cut ? !ends_there && is_one_line(t, cut) : ends_there && ws_rows_are_between(t->rows);
    if (is_known && place.offset >= WS_HEAD_SIZE && ws_trace_section_flush(t->current, NULL) == WS_OK)
        log->reach(log->state, &place);
}
