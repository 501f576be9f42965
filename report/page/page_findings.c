#include "report/page/page_parts.h"

#include <inttypes.h>
#include <string.h>

/* A page is read by people: beyond these counts it names the file that holds the rest. */
enum { MOST_PLACES = 100, MOST_INPUTS = 200 };

static bool same_kind(const ws_note *a, const ws_note *b)
{
    return a->finding == b->finding;
}

/* One from right to left does not turn the line number behind it. */
static void put_name(FILE *stream, const char *name)
{
    fputs(*name ? "<bdi>" : "", stream);
    ws_html_put_text(stream, name);
    fputs(*name ? "</bdi>" : "", stream);
}

static void put_place(FILE *stream, const ws_note *note)
{
    put_name(stream, note->source);
    if (*note->source && note->line > 0)
        fprintf(stream, ":%" PRId64, note->line);
    fputs(*note->source && *note->subject ? ", " : "", stream);
    put_name(stream, note->subject);
}

static void put_note(FILE *stream, const ws_note *note)
{
    fputs("<li>", stream);
    if (*note->source || *note->subject) {
        fputs("<span class=\"place\">", stream);
        put_place(stream, note);
        fputs("</span> ", stream);
    }
    ws_html_put_text(stream, note->text);
    if (note->count > 1)
        fprintf(stream, " (%" PRIu64 " times)", note->count);
    fputs("</li>\n", stream);
}

static void put_kind(FILE *stream, const ws_notes *notes, size_t first)
{
    const ws_note *kind = &notes->items[first];
    size_t places = 0;
    for (size_t i = first; i < notes->n; i++)
        places += same_kind(&notes->items[i], kind);
    fputs("<details><summary><code>", stream);
    ws_html_put_text(stream, ws_finding_code(kind->finding));
    fprintf(stream, "</code> <span class=\"count\">%zu</span> ", places);
    ws_html_put_text(stream, kind->text);
    fputs("</summary>\n<ul>\n", stream);
    size_t put = 0;
    for (size_t i = first; i < notes->n && put < MOST_PLACES; i++) {
        if (!same_kind(&notes->items[i], kind))
            continue;
        put_note(stream, &notes->items[i]);
        put++;
    }
    if (places > put)
        fprintf(stream, "<li>and %zu more in <a href=\"data/findings.csv\">data/findings.csv</a></li>\n", places - put);
    fputs("</ul></details>\n", stream);
}

void ws_page_put_findings(FILE *stream, const ws_notes *notes)
{
    fputs("<section id=\"findings\">\n<h2>Findings</h2>\n", stream);
    if (notes->n)
        fputs("<p>What the program noticed on its way, by kind: the number of places and the first of them in words. "
              "None of it stopped the work; open a line to see where.</p>\n",
              stream);
    else
        fputs("<p>Nothing was skipped, bridged, repaired or guessed.</p>\n", stream);
    for (size_t i = 0; i < notes->n; i++)
        if (ws_notes_find(notes, notes->items[i].finding) == &notes->items[i])
            put_kind(stream, notes, i);
    fputs("</section>\n", stream);
}

static void put_input(FILE *stream, const ws_input_file *input)
{
    fputs("<tr><td>", stream);
    ws_html_put_text(stream, input->path);
    fprintf(stream, "</td><td class=\"n\">%" PRIu64 "</td><td><code>%s</code></td></tr>\n", input->size, input->sha256);
}

void ws_page_put_provenance(FILE *stream, const ws_provenance *p)
{
    fputs("<section id=\"provenance\">\n<h2>Provenance</h2>\n<p>wattscale ", stream);
    ws_html_put_text(stream, p->version);
    fprintf(stream,
            " read %zu file%s of %" PRIu64
            " bytes in all. The command line, and every file with its size and SHA-256, stand in "
            "<a href=\"provenance.json\">provenance.json</a>; the same inputs give the same page, byte for byte.</p>\n",
            p->n_inputs, p->n_inputs == 1 ? "" : "s", ws_provenance_size(p));
    fputs("<details><summary>Files that were read</summary>\n"
          "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Files that were read\">\n"
          "<table><thead><tr><th scope=\"col\">file</th><th scope=\"col\" class=\"n\">bytes</th>"
          "<th scope=\"col\">SHA-256</th></tr></thead>\n<tbody>\n",
          stream);
    size_t put = p->n_inputs < MOST_INPUTS ? p->n_inputs : MOST_INPUTS;
    for (size_t i = 0; i < put; i++)
        put_input(stream, &p->inputs[i]);
    if (p->n_inputs > put)
        fprintf(stream, "<tr><td colspan=\"3\">and %zu more in provenance.json</td></tr>\n", p->n_inputs - put);
    fputs("</tbody></table>\n</div></details>\n</section>\n", stream);
}
