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

uint32_t ws_head_cells(ws_span line, ws_span *cells, uint32_t most)
{
    uint32_t n = 0;
    ws_span cell;
    char sign = most_common_sign(line);
    while (n < most && ws_span_split(&line, sign, &cell)) {
        cell = ws_span_trim(cell);
        if (cell.n > 1 && *cell.p == '"' && cell.p[cell.n - 1] == '"')
            cell = ws_span_trim((ws_span){cell.p + 1, cell.n - 2});
        cells[n++] = cell;
    }
    return n;
}
