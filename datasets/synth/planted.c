#include "datasets/synth/planted_number.h"

void ws_synth_truth_planted(ws_synth_text *text, const char *quantity, double value, const ws_synth_mark *mark,
                            bool first)
{
    ws_synth_print(text, "%s{\"quantity\":\"%s\",\"value\":", first ? "" : ",\n    ", quantity);
    ws_synth_print_double(text, value);
    ws_synth_print(text, ",\"origin\":\"%s\"", mark->origin);
    if (*mark->place)
        ws_synth_print(text, ",\"place\":\"%s\"", mark->place);
    ws_synth_print(text, "}");
}
