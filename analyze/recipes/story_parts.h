/* What the parts of the story share. Internal to story*.c. */
#ifndef WS_ANALYZE_STORY_PARTS_H
#define WS_ANALYZE_STORY_PARTS_H

#include "analyze/recipes/figure_series.h"
#include "analyze/recipes/story_words.h"
#include "core/table.h"
#include "report/page/page.h"

typedef struct ws_story {
    const ws_table *runs, *scale;
    ws_series_list series;
    size_t *same, n_runs; /* units.h: the first row of each row's run; how many different runs there are */
    ws_page *page;
    ws_arena arena;
} ws_story;

/* "LBS 256: " as a sentence begins, "" where there is one series alone. */
const char *ws_series_before(ws_story *s, const ws_series *series);

/* The same in the middle of a sentence: "LBS 256". */
const char *ws_series_name(ws_story *s, const ws_series *series);

/* What a configuration is compared with: "one GPU", "32 GPUs", "4 GPUs of full A100", "its fewest GPUs". */
const char *ws_story_reference(ws_story *s, size_t row);

static inline ws_story_unit ws_story_unit_of(ws_story *s, const char *column, const char *usual)
{
    return ws_say_unit(s->scale->looks, &s->arena, column, usual);
}

static inline ws_story_unit ws_story_energy_unit(ws_story *s, double largest_kwh)
{
    return ws_say_energy_unit(s->scale->looks, &s->arena, largest_kwh);
}

/* Of the section "In short", the sentences on caps of power or clock: three at most, none without them. */
void ws_story_caps(ws_story *s);

/* The section "In short", twelve sentences at most. */
ws_status ws_story_short(ws_story *s, ws_error *error);

/* The section "What stands out". */
ws_status ws_story_highlights(ws_story *s, ws_error *error);

#endif
