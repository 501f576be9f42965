#include "formats/table/head_cells.h"

static char most_common_sign(ws_span line)
{
    enum { ENOUGH = 512 }; /* of a line that may be a whole binary file */
    static const char signs[] = {',', ';', '\t', '|'};
    size_t count[sizeof signs] = {0}, best = 0;
    for (size_t i = 0; i < line.n && i < ENOUGH; i++)
        for (size_t s = 0; s < sizeof signs; s++)
            count[s] += line.p[i] == signs[s];
    for (size_t s = 1; s < sizeof signs; s++)
        best = count[s] > count[best] ? s : best;
    return signs[best];
}

/* Behind the quote that closes the cell, or at the end of the line. */
static size_t quoted_length(ws_span line)
{
    size_t n = 1;
    for (; n < line.n; n++) {
        bool is_quote = line.p[n] == '"';
        if (is_quote && n + 1 < line.n && line.p[n + 1] == '"')
            n++;
        else if (is_quote)
            return n + 1;
    }
    return n;
}

bool ws_head_cell(ws_span *rest, char delimiter, ws_span *cell)
{
    ws_span behind;
    if (!rest->p)
        return false;
    while (rest->n && (*rest->p == ' ' || (*rest->p == '\t' && delimiter != '\t')))
        *rest = (ws_span){rest->p + 1, rest->n - 1};
    size_t quoted = rest->n && *rest->p == '"' ? quoted_length(*rest) : 0;
    ws_span from = {rest->p + quoted, rest->n - quoted};
    const char *begin = rest->p;
    ws_span_split(&from, delimiter, &behind);
    *rest = from;
    *cell = ws_span_trim((ws_span){begin, (size_t)(behind.p + behind.n - begin)});
    if (quoted > 1 && cell->n == quoted && cell->p[quoted - 1] == '"')
        *cell = ws_span_trim((ws_span){cell->p + 1, quoted - 2});
    return true;
}

uint32_t ws_head_cells(ws_span line, ws_span *cells, uint32_t most)
{
    uint32_t n = 0;
    char sign = most_common_sign(line);
    while (n < most && ws_head_cell(&line, sign, &cells[n]))
        n++;
    return n;
}
