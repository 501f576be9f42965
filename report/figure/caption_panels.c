#include "report/figure/caption_panels.h"

#include "core/text.h"

#include <ctype.h>
#include <string.h>

enum { MOST_ITEMS = 32 };

/* "top-1 error (B)", or "energy against compute resources (D)" that begins a clause of its own. */
typedef struct item {
    ws_span words, behind; /* behind: what follows the letter within the brackets, as "; an update" */
    size_t panel;
    bool begins_clause;
} item;

typedef struct items {
    item items[MOST_ITEMS];
    ws_span lead, tails[MOST_ITEMS]; /* tails: what ends the clause of an item, of its last item */
    size_t n;
} items;

static bool find_letter(const ws_panel_letters *l, ws_span text, size_t *panel)
{
    for (*panel = 0; *panel < l->n; ++*panel)
        if (ws_span_has_prefix(text, l->was[*panel]))
            return true;
    return false;
}

static ws_span from(ws_span text, size_t at)
{
    return (ws_span){text.p + at, text.n - at};
}

/* How long the sentence is, with its full stop: "et al. 2025" and "Fig. 6" end none. */
static size_t sentence_length(ws_span text)
{
    for (size_t i = 1; i + 1 < text.n; i++) {
        ws_span before = {text.p, i};
        bool is_short = (i >= 3 && memcmp(text.p + i - 3, " al", 3) == 0) ||
                        (i >= 3 && memcmp(text.p + i - 3, "Fig", 3) == 0) ||
                        (i >= 4 && memcmp(text.p + i - 4, "Figs", 4) == 0);
        if (before.n && text.p[i] == '.' && text.p[i + 1] == ' ' && !is_short)
            return i + 1;
    }
    return text.n;
}

/* "A, C" before ": " or " (NAME): ": how long it is without these; 0 for a sentence that has none. */
static size_t list_length(const ws_panel_letters *l, ws_span text)
{
    size_t at = 0, panel;
    while (find_letter(l, from(text, at), &panel)) {
        at += strlen(l->was[panel]);
        if (ws_span_has_prefix(from(text, at), ": ") || ws_span_has_prefix(from(text, at), " ("))
            return at;
        if (!ws_span_has_prefix(from(text, at), ", "))
            return 0;
        at += 2;
    }
    return 0;
}

static const char *list_now(ws_arena *arena, const ws_panel_letters *l, ws_span list)
{
    const char *text = NULL;
    ws_span letter;
    while (ws_span_split(&list, ',', &letter)) {
        size_t panel;
        if (find_letter(l, ws_span_trim(letter), &panel) && l->is[panel])
            text = ws_arena_printf(arena, "%s%s%s", text ? text : "", text && *text ? ", " : "", l->is[panel]);
    }
    return text;
}

static bool find_item(const ws_panel_letters *l, ws_span text, size_t *at, item *found, size_t *end)
{
    for (size_t i = *at; i + 2 < text.n; i++) {
        if (text.p[i] != '(' || !find_letter(l, from(text, i + 1), &found->panel))
            continue;
        size_t behind = i + 1 + strlen(l->was[found->panel]), close = behind;
        if (behind >= text.n || (text.p[behind] != ')' && text.p[behind] != ';'))
            continue;
        while (close < text.n && text.p[close] != ')')
            close++;
        found->words = (ws_span){text.p + *at, i - *at};
        found->behind = (ws_span){text.p + behind, close - behind};
        *end = close < text.n ? close + 1 : close;
        return true;
    }
    return false;
}

static size_t find_last(ws_span text, const char *what)
{
    for (size_t i = text.n; i-- > 0;)
        if (ws_span_has_prefix(from(text, i), what))
            return i;
    return text.n;
}

/* Its words without what joins it to the item before. */
static void cut_joint(items *of, item *one)
{
    size_t at = find_last(one->words, ", and ");
    one->begins_clause = of->n && at < one->words.n;
    if (one->begins_clause) {
        of->tails[of->n - 1] = (ws_span){one->words.p, at};
        one->words = from(one->words, at + strlen(", and "));
    } else if (of->n && ws_span_has_prefix(one->words, ", ")) {
        one->words = from(one->words, 2);
    } else if (of->n && ws_span_has_prefix(one->words, " and ")) {
        one->words = from(one->words, strlen(" and "));
    } else if (!of->n && find_last(one->words, ": ") < one->words.n) {
        at = find_last(one->words, ": ") + 2;
        of->lead = (ws_span){one->words.p, at};
        one->words = from(one->words, at);
    }
    one->words = ws_span_trim(one->words);
}

static ws_span find_items(const ws_panel_letters *l, ws_span text, items *of)
{
    size_t at = 0, end;
    item one;
    *of = (items){.n = 0};
    while (of->n < MOST_ITEMS && find_item(l, text, &at, &one, &end)) {
        cut_joint(of, &one);
        of->items[of->n++] = one;
        at = end;
    }
    return from(text, at);
}

static const char *item_now(ws_arena *arena, const ws_panel_letters *l, const item *one)
{
    const char *letter = l->is[one->panel];
    ws_span behind = !*letter && one->behind.n > 2 ? from(one->behind, 2) : one->behind; /* without "; " */
    const char *in = ws_arena_printf(arena, "%s%.*s", letter, WS_SPAN_ARG(behind));
    return ws_arena_printf(arena, *in ? "%.*s (%s)" : "%.*s", WS_SPAN_ARG(one->words), in);
}

/* The items that are drawn, clause by clause: "Speed-up (A) and energy (B) against GPUs, and error (C) with ...". */
static const char *items_now(ws_arena *arena, const ws_panel_letters *l, const items *of)
{
    const char *text = ws_arena_strndup(arena, of->lead.p ? of->lead.p : "", of->lead.n);
    bool is_first = true;
    for (size_t first = 0, next; first < of->n; first = next) {
        size_t kept = 0, done = 0;
        for (next = first; next < of->n && (next == first || !of->items[next].begins_clause); next++)
            kept += l->is[of->items[next].panel] != NULL;
        for (size_t i = first; i < next; i++) {
            if (!l->is[of->items[i].panel])
                continue;
            const char *joint = done ? (done + 1 == kept ? " and " : ", ") : is_first ? "" : ", and ";
            text = ws_arena_printf(arena, "%s%s%s", text, joint, item_now(arena, l, &of->items[i]));
            is_first = false;
            done++;
        }
        if (kept && next < of->n)
            text = ws_arena_printf(arena, "%s%.*s", text, WS_SPAN_ARG(of->tails[next - 1]));
    }
    return is_first ? NULL : text;
}

static const char *sentence_now(ws_arena *arena, const ws_panel_letters *l, ws_span sentence)
{
    items of;
    ws_span rest = find_items(l, sentence, &of);
    if (!of.n)
        return ws_arena_strndup(arena, sentence.p, sentence.n);
    const char *text = items_now(arena, l, &of);
    if (!text)
        return NULL;
    char *whole = ws_arena_printf(arena, "%s%.*s", text, WS_SPAN_ARG(rest));
    if (isupper((unsigned char)*sentence.p))
        *whole = (char)toupper((unsigned char)*whole);
    return whole;
}

/* "A, B: SENTENCE" and "A, B (NAME): SENTENCE"; *skips: the part is not drawn, nor what follows of it. */
static const char *listed_now(ws_arena *arena, const ws_panel_letters *l, ws_span sentence, size_t list, bool *skips)
{
    const char *now = list_now(arena, l, (ws_span){sentence.p, list});
    ws_span rest = from(sentence, list);
    bool is_part = ws_span_has_prefix(rest, " (");
    if (is_part)
        *skips = now == NULL;
    if (!now || *skips)
        return NULL;
    size_t head = 2;
    while (is_part && head < rest.n && !ws_span_has_prefix(from(rest, head - 2), ": "))
        head++;
    const char *behind = sentence_now(arena, l, from(rest, head));
    if (*now)
        return ws_arena_printf(arena, "%s%.*s%s", now, (int)head, rest.p, behind ? behind : "");
    char *whole = ws_arena_strndup(arena, behind ? behind : "", strlen(behind ? behind : ""));
    *whole = (char)toupper((unsigned char)*whole);
    return whole;
}

bool ws_caption_is_of_parts(const char *caption, const ws_panel_letters *letters)
{
    ws_span text = ws_span_of(caption);
    size_t list = list_length(letters, text);
    return list && ws_span_has_prefix(from(text, list), " (");
}

const char *ws_caption_of_panels(ws_arena *arena, const char *caption, const ws_panel_letters *letters)
{
    const char *text = "";
    bool skips = false;
    for (ws_span rest = ws_span_of(caption); rest.n;) {
        size_t n = sentence_length(rest);
        ws_span sentence = {rest.p, n};
        size_t list = list_length(letters, sentence);
        const char *now = list    ? listed_now(arena, letters, sentence, list, &skips)
                          : skips ? NULL
                                  : sentence_now(arena, letters, sentence);
        if (now)
            text = ws_arena_printf(arena, "%s%s%s", text, *text ? " " : "", now);
        rest = from(rest, n);
        while (rest.n && *rest.p == ' ')
            rest = from(rest, 1);
    }
    return text;
}
