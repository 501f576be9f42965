#include "formats/campaign.h"

#include <stdlib.h>
#include <string.h>

const char *ws_fields_get(const ws_fields *fields, const char *name)
{
    for (size_t i = 0; i < fields->n; i++)
        if (strcmp(fields->items[i].name, name) == 0)
            return fields->items[i].value;
    return NULL;
}

bool ws_fields_hold(const ws_fields *fields, const ws_field *field)
{
    const char *value = ws_fields_get(fields, field->name);
    return value && strcmp(value, field->value) == 0;
}

void ws_fields_set(ws_fields *fields, ws_arena *arena, const char *name, const char *value)
{
    const char *copy = ws_arena_strdup(arena, value);
    for (size_t i = 0; i < fields->n; i++) {
        if (strcmp(fields->items[i].name, name) == 0) {
            fields->items[i].value = copy;
            return;
        }
    }
    fields->items = ws_grow(fields->items, &fields->capacity, fields->n + 1, sizeof *fields->items);
    fields->items[fields->n++] = (ws_field){ws_arena_strdup(arena, name), copy};
}

const char *ws_fields_text(const ws_fields *fields, ws_arena *arena)
{
    const char *text = "";
    for (size_t i = 0; i < fields->n; i++)
        text = ws_arena_printf(arena, "%s%s%s=%s", text, i ? ", " : "", fields->items[i].name, fields->items[i].value);
    return text;
}

void ws_fields_free(ws_fields *fields)
{
    free(fields->items);
    *fields = (ws_fields){0};
}

#define DIGITS "0123456789"
#define NUMBERS DIGITS ".eE+-"
#define DATES DIGITS "-:_.T tZ"

static bool match_from(const char *pattern, const char *path, ws_fields *fields, ws_arena *arena);

/* What a field is written with; NULL: anything. Fields that are counts take digits only, so that "{gpus}g" does not
 * match the "config_" of "config_g4"; other numbers and dates take what these are written with. */
static const char *bytes_of_field(const char *name)
{
    static const struct {
        const char *name, *bytes;
    } known[] = {{"gpus", DIGITS},
                 {"lbs", DIGITS},
                 {"gbs", DIGITS},
                 {"batch", DIGITS},
                 {"nodes", DIGITS},
                 {"epochs", DIGITS},
                 {"workers", DIGITS},
                 {"repeat", DIGITS},
                 {"factor", DIGITS},
                 {"subset_factor", DIGITS},
                 {"dataset_samples", DIGITS},
                 {"seed", DIGITS},
                 {"ranks", DIGITS},
                 {"threads", DIGITS},
                 {"rank", DIGITS},
                 {"multiple", DIGITS},
                 {"run_number", DIGITS},
                 {"power_cap_w", NUMBERS},
                 {"clock_cap_mhz", NUMBERS},
                 {"number", NUMBERS},
                 {"number2", NUMBERS},
                 {"run_date", DATES},
                 {"run_date2", DATES}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(name, known[i].name) == 0)
            return known[i].bytes;
    return NULL;
}

/* A date is as long as it can be: of "20260211-080000-vit" it is not the day alone. */
static bool is_longest_first(const char *name)
{
    return strncmp(name, "run_date", 8) == 0;
}

/* The field's text ends where the rest of the pattern matches: shortest first, so that "{gpus}g" stops at the first g.
 */
static bool match_field(const char *pattern, const char *path, ws_fields *fields, ws_arena *arena)
{
    const char *close = strchr(pattern, '}');
    if (!close)
        return false;
    char *name = ws_arena_strndup(arena, pattern + 1, (size_t)(close - pattern) - 1);
    const char *known = strcmp(name, "*") == 0 ? NULL : ws_fields_get(fields, name);
    const char *bytes = bytes_of_field(name);
    bool longest_first = is_longest_first(name);
    size_t most = longest_first ? strspn(path, DATES) : strcspn(path, "/");
    for (size_t i = 1; i <= most; i++) {
        size_t n = longest_first ? most + 1 - i : i;
        char *text = ws_arena_strndup(arena, path, n);
        if (bytes && strspn(text, bytes) < n)
            return false;
        if (known && strcmp(known, text) != 0)
            continue;
        size_t before = fields->n;
        if (!known && strcmp(name, "*") != 0)
            ws_fields_set(fields, arena, name, text);
        if (match_from(close + 1, path + n, fields, arena))
            return true;
        fields->n = before;
    }
    return false;
}

static bool match_from(const char *pattern, const char *path, ws_fields *fields, ws_arena *arena)
{
    while (*pattern && *pattern != '{' && *pattern == *path)
        pattern++, path++;
    if (*pattern == '{')
        return match_field(pattern, path, fields, arena);
    return !*pattern && !*path;
}

bool ws_path_match(const char *pattern, const char *path, ws_fields *fields, ws_arena *arena)
{
    size_t before = fields->n;
    bool matched = match_from(pattern, path, fields, arena);
    if (!matched)
        fields->n = before;
    return matched;
}

bool ws_campaign_is_described(const ws_campaign *campaign)
{
    return strcmp(campaign->source, campaign->folder) != 0;
}

void ws_campaign_free(ws_campaign *campaign)
{
    ws_fields_free(&campaign->defaults);
    for (size_t i = 0; i < campaign->n_paths; i++)
        ws_fields_free(&campaign->paths[i].set);
    for (size_t i = 0; i < campaign->n_runs; i++)
        ws_fields_free(&campaign->runs[i].fields);
    ws_looks_free(&campaign->looks);
    ws_arena_free(&campaign->arena);
    *campaign = (ws_campaign){0};
}
