/* The registry of formats: every entry is whole, and each format is described by its name in docs/formats.md. */
#include "harness.h"

#include "core/arena.h"
#include "formats/format.h"

#include <string.h>

START_TEST(entries_are_whole)
{
    for (const ws_format *const *f = ws_formats(); *f; f++) {
        ck_assert_msg((*f)->title && *(*f)->title && (*f)->example && *(*f)->example, "%s", (*f)->name);
        ck_assert_msg((*f)->tier >= 1 && (*f)->tier <= 3, "%s is of no tier", (*f)->name);
        ck_assert_msg((*f)->tried != WS_TRIED_NOT, "%s does not say what it was tried on", (*f)->name);
        ck_assert_msg((*f)->is_record == ((*f)->gives == 0), "%s gives the wrong quantities", (*f)->name);
        ck_assert_msg((*f)->is_record ? (*f)->read_table && !(*f)->read : (*f)->read && !(*f)->read_table, "%s",
                      (*f)->name);
        ck_assert_ptr_eq(ws_format_by_name((*f)->name), *f);
    }
}
END_TEST

static ws_span read_page(char *text, size_t size)
{
    char path[600];
    snprintf(path, sizeof path, "%s/../docs/formats.md", getenv("DATASETS"));
    FILE *stream = fopen(path, "r");
    ck_assert_msg(stream != NULL, "%s", path);
    ws_span page = {text, fread(text, 1, size, stream)};
    fclose(stream);
    ck_assert_uint_lt(page.n, size);
    return page;
}

/* "## nvidia-smi-xml, nvidia-smi-text" is the section of both. */
static bool is_in_heading(ws_span line, const char *name)
{
    ws_span piece;
    if (!ws_span_has_prefix(line, "## "))
        return false;
    for (ws_span rest = {line.p + 3, line.n - 3}; ws_span_split(&rest, ',', &piece);)
        if (ws_span_eq(ws_span_trim(piece), name))
            return true;
    return false;
}

static bool has_section(ws_span page, const char *name)
{
    ws_span line;
    while (ws_span_split(&page, '\n', &line))
        if (is_in_heading(line, name))
            return true;
    return false;
}

START_TEST(each_has_a_section)
{
    enum { SIZE = 1 << 20 };
    if (!getenv("DATASETS"))
        skip_because("DATASETS is not set");
    char *text = ws_alloc(SIZE);
    ws_span page = read_page(text, SIZE);
    for (const ws_format *const *f = ws_formats(); *f; f++)
        ck_assert_msg(has_section(page, (*f)->name), "docs/formats.md has no section %s", (*f)->name);
    free(text);
}
END_TEST

static void check_hidden_by(const char *front)
{
    char text[4000];
    size_t front_n = strlen(front);
    for (const ws_format *const *f = ws_formats(); *f; f++) {
        size_t n = (size_t)snprintf(text, sizeof text, "%s%s\n", front, (*f)->example);
        ck_assert_uint_lt(n, sizeof text);
        ws_input *plain = ws_input_from_memory("t", text + front_n, n - front_n),
                 *input = ws_input_from_memory("t", text, n);
        const ws_format *best = ws_format_recognise(input, NULL);
        ck_assert_msg(best == ws_format_recognise(plain, NULL), "%s: taken for %s", (*f)->name,
                      best ? best->name : "nothing");
        ws_input_close(input);
        ws_input_close(plain);
    }
}

/* As PowerShell 5.1 and Excel write text, and as scripts begin it: neither changes anything for any format. */
START_TEST(a_byte_order_mark_hides_no_format)
{
    check_hidden_by("\xef\xbb\xbf");
}
END_TEST

START_TEST(blank_lines_hide_no_format)
{
    check_hidden_by("\n");
    check_hidden_by("\r\n \t\r\n");
}
END_TEST

TEST_MAIN("registry of formats", entries_are_whole, each_has_a_section, a_byte_order_mark_hides_no_format,
          blank_lines_hide_no_format)
