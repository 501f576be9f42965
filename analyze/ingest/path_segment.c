/* A segment is read in three steps. First what cannot be mistaken takes its bytes: dates, name=value. What is left
 * falls into atoms at _ , blank and the like, and at - where nothing else separates. An atom is then a number, a word
 * beside its number (4gpu, bs256, 4g64b), or text; last, words and numbers that are neighbours join (batch_128,
 * 1-gpu-4-batch). */
#include "analyze/ingest/path_segment.h"

#include "analyze/ingest/path_dates.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 120 }; /* bytes of a segment that are looked at; parts of one are fewer */

/* A stretch of the segment's bytes with a meaning. */
typedef struct piece {
    ws_part_kind kind;
    size_t from, n;        /* of the value */
    size_t whole, whole_n; /* with the word that names it */
    const char *field, *of_file;
    bool is_named, is_strong, is_word; /* is_word: only letters, may name the number beside it */
} piece;

typedef struct reader {
    ws_arena *arena;
    const char *s;
    size_t n;
    const bool *splits; /* dashes that do where others do not; NULL: there are none */
    bool dash_splits, seen_strong;
    piece pieces[MOST];
    size_t n_pieces;
} reader;

static ws_span span(const reader *r, size_t from, size_t n)
{
    return (ws_span){r->s + from, n};
}

static bool is_digit(const reader *r, size_t at)
{
    return at < r->n && isdigit((unsigned char)r->s[at]);
}

static size_t digits_at(const reader *r, size_t at)
{
    size_t n = 0;
    while (is_digit(r, at + n))
        n++;
    return n;
}

/* "GPU-5e717b42-0c1d-...": what nvidia-smi calls a GPU. */
static size_t gpu_id_at(const reader *r, size_t at)
{
    enum { FIRST = 8 };
    if (at + 4 + FIRST > r->n || strncmp(r->s + at, "GPU-", 4) != 0 || (at && isalnum((unsigned char)r->s[at - 1])))
        return 0;
    size_t n = 4 + strspn(r->s + at + 4, "0123456789abcdef");
    if (n != 4 + FIRST)
        return 0;
    n += strspn(r->s + at + n, "0123456789abcdef-");
    return at + n <= r->n ? n : r->n - at;
}

static void path_segment_add(reader *r, piece p)
{
    if (r->n_pieces < MOST)
        r->pieces[r->n_pieces++] = p;
    r->seen_strong |= p.is_strong;
}

/* 0.1 and 2.5 are numbers; in g4.3512001 a job number follows the dot. */
static bool is_decimal_point(const reader *r, size_t at)
{
    size_t whole = 0;
    while (whole < at && is_digit(r, at - 1 - whole))
        whole++;
    bool is_zero = whole == 1 && r->s[at - 1] == '0';
    return r->s[at] == '.' && whole && is_digit(r, at + 1) && (is_zero || digits_at(r, at + 1) < WS_JOB_DIGITS);
}

static bool is_separator(const reader *r, size_t at)
{
    char c = r->s[at];
    if (c == '-') /* 3e-4 */
        return (r->dash_splits || (r->splits && r->splits[at])) &&
               !(at >= 2 && tolower((unsigned char)r->s[at - 1]) == 'e' && is_digit(r, at - 2) && is_digit(r, at + 1));
    if (c == '.') { /* 0.1 is a number, ssd300.16gpu two names */
        size_t behind = at + 1 + digits_at(r, at + 1);
        bool is_unit =
            behind < r->n && isalpha((unsigned char)r->s[behind]) && tolower((unsigned char)r->s[behind]) != 'e';
        return !is_decimal_point(r, at) || is_unit;
    }
    return strchr("_, +@()[];:#", c) != NULL;
}

/* How long the name in front of the sign at `equals` is: a word that is known, else letters as far as they go. */
static size_t key_before(const reader *r, size_t from, size_t equals)
{
    size_t longest = 0, letters = 0;
    for (size_t n = 1; equals - from >= n; n++) {
        size_t at = equals - n;
        if (!isalpha((unsigned char)r->s[at]) && !strchr("_-.", r->s[at]))
            break;
        bool begins = at == from || !isalnum((unsigned char)r->s[at - 1]);
        if (begins && isalpha((unsigned char)r->s[at])) {
            letters = n;
            if (ws_name_word_find((ws_span){r->s + at, n}, false))
                longest = n;
        }
    }
    return longest ? longest : letters;
}

/* "-rep3" behind a number: a word that is known with a number of its own. */
static bool is_word_with_number(const reader *r, size_t at)
{
    size_t letters = 0;
    while (at + letters < r->n && isalpha((unsigned char)r->s[at + letters]))
        letters++;
    return letters && is_digit(r, at + letters) && ws_name_word_find(span(r, at, letters), false);
}

/* Values of these are whole numbers (formats/campaign.c): "repeat=0-slurm-4100064". */
static bool is_counted(ws_span key)
{
    static const char *const fields[] = {"gpus",  "nodes",  "repeat",  "seed",  "lbs",    "gbs",
                                         "batch", "epochs", "workers", "ranks", "threads"};
    const ws_name_word *word = ws_name_word_find(key, false);
    for (size_t i = 0; word && i < sizeof fields / sizeof *fields; i++)
        if (strcmp(word->field, fields[i]) == 0)
            return true;
    return false;
}

/* "4100184" between signs */
static bool is_job_number(const reader *r, size_t at)
{
    size_t n = digits_at(r, at);
    return n >= WS_JOB_DIGITS && (at + n >= r->n || !isalnum((unsigned char)r->s[at + n]));
}

/* Does a value end at this _ or - of it? In front of the next name=, a date, the number of a job, and at __; that of a
 * number at _ and in front of a word with its number; that of a count at any. */
static bool ends_value(const reader *r, size_t at, bool is_number, bool is_whole_count)
{
    size_t behind = at + 1, next = behind + strcspn(r->s + behind, "=~, ;");
    bool names = next < r->n && strchr("=~", r->s[next]), is_twice = behind < r->n && r->s[behind] == '_';
    if (names || is_twice || is_whole_count || is_job_number(r, behind) || ws_date_in_path(span(r, 0, r->n), behind))
        return true;
    return is_number && (r->s[at] == '_' || is_word_with_number(r, behind));
}

/* A value ends at a comma or blank, too. */
static size_t value_at(const reader *r, size_t at, bool is_count)
{
    size_t n = 0;
    bool is_number = true;
    while (at + n < r->n && !strchr(", ;&+", r->s[at + n])) {
        bool is_whole_count = is_count && n && n == digits_at(r, at);
        if (strchr("_-", r->s[at + n]) && ends_value(r, at + n, is_number, is_whole_count))
            break;
        is_number &= strchr("0123456789.eE-", r->s[at + n]) != NULL;
        n++;
    }
    return n;
}

static const char *lower_name(ws_arena *arena, const char *text, size_t n)
{
    char *name = ws_arena_strndup(arena, text, n);
    for (char *c = name; *c; c++)
        *c = isalnum((unsigned char)*c) ? (char)tolower((unsigned char)*c) : '_';
    return name;
}

static void add_named(reader *r, size_t key, size_t key_n, size_t value_n)
{
    const ws_name_word *word = ws_name_word_find((ws_span){r->s + key, key_n}, false);
    size_t value = key + key_n + 1;
    /* Overrides of Hydra are called group.name: the last word is the name. */
    path_segment_add(r, (piece){.kind = WS_PART_FIELD,
                                .from = value,
                                .n = value_n,
                                .whole = key,
                                .whole_n = value + value_n - key,
                                .field = word && *word->field ? word->field : lower_name(r->arena, r->s + key, key_n),
                                .is_named = true,
                                .is_strong = true});
}

/* The length of a number: 256, 0.1, 3e-4. */
static size_t number_length(const reader *r, size_t at, size_t end)
{
    size_t n = digits_at(r, at);
    if (n && at + n + 1 < end && is_decimal_point(r, at + n))
        n += 1 + digits_at(r, at + n + 1);
    if (n && at + n + 1 < end && tolower((unsigned char)r->s[at + n]) == 'e') {
        size_t sign = r->s[at + n + 1] == '-' ? 1 : 0, exponent = digits_at(r, at + n + 1 + sign);
        n += exponent && (sign || at + n + 1 + exponent == end) ? 1 + sign + exponent : 0;
    }
    return at + n <= end ? n : 0;
}

static size_t letters_at(const reader *r, size_t at, size_t end)
{
    size_t n = 0;
    while (at + n < end && isalpha((unsigned char)r->s[at + n]))
        n++;
    return n;
}

static void add_atoms(reader *r, size_t from, size_t end);

/* "4g256b4w10e8sf" as the folders of Huber et al. 2025: numbers, each followed by its letter, two at least; b is the
 * batch of one GPU. */
static bool add_chain(reader *r, size_t from, size_t end)
{
    static const struct {
        const char *letters, *field;
    } known[] = {{"g", "gpus"},   {"b", "lbs"},   {"w", "workers"},
                 {"e", "epochs"}, {"n", "nodes"}, {"s", "dataset_samples"},
                 {"sf", "factor"}};
    size_t before = r->n_pieces, count = 0;
    bool seen = r->seen_strong;
    for (size_t at = from; at < end; count++) {
        size_t digits = digits_at(r, at), letters = letters_at(r, at + digits, end), k = 0;
        while (k < sizeof known / sizeof *known &&
               !(letters && ws_span_eq(span(r, at + digits, letters), known[k].letters)))
            k++;
        if (!digits || k == sizeof known / sizeof *known) {
            count = 0;
            break;
        }
        path_segment_add(r, (piece){.kind = WS_PART_FIELD,
                                    .from = at,
                                    .n = digits,
                                    .whole = at,
                                    .whole_n = digits + letters,
                                    .field = known[k].field,
                                    .is_strong = true});
        at += digits + letters;
    }
    if (count < 2)
        r->n_pieces = before, r->seen_strong = seen;
    return count >= 2;
}

/* Where the known word at the end of letters begins: 0 in "batchSize", 6 in "ResnetNumGPUs"; their number without
 * one. */
static size_t word_at_end(const reader *r, size_t from, size_t letters)
{
    for (size_t at = 0; at < letters; at++) {
        bool is_hump = !at || (isupper((unsigned char)r->s[from + at]) && islower((unsigned char)r->s[from + at - 1]));
        if (is_hump && ws_name_word_find(span(r, from + at, letters - at), false))
            return at;
    }
    return letters;
}

/* g4b64r1, ResnetNumGPUs4Run1: two words with their numbers at least, and nothing else but a name in front. */
static bool add_letters_chain(reader *r, size_t from, size_t end)
{
    size_t before = r->n_pieces, count = 0;
    bool seen = r->seen_strong;
    for (size_t at = from; at < end; count++) {
        size_t letters = letters_at(r, at, end), digits = digits_at(r, at + letters);
        size_t front = letters && digits ? word_at_end(r, at, letters) : letters;
        const ws_name_word *word =
            front < letters ? ws_name_word_find(span(r, at + front, letters - front), false) : NULL;
        if (!word || !*word->field || (front && count)) {
            count = 0;
            break;
        }
        if (front)
            path_segment_add(r, (piece){.kind = WS_PART_TEXT, .from = at, .n = front, .whole = at, .whole_n = front});
        at += front, letters -= front;
        path_segment_add(r, (piece){.kind = WS_PART_FIELD,
                                    .from = at + letters,
                                    .n = digits,
                                    .whole = at,
                                    .whole_n = letters + digits,
                                    .field = word->field,
                                    .of_file = word->of_file,
                                    .is_strong = true});
        at += letters + digits;
    }
    if (count < 2)
        r->n_pieces = before, r->seen_strong = seen;
    return count >= 2;
}

/* test3, x4: a number that nothing names. */
static void add_counted(reader *r, size_t from, size_t end, size_t number, size_t n)
{
    path_segment_add(r, (piece){.kind = WS_PART_NUMBER, .from = number, .n = n, .whole = from, .whole_n = end - from});
}

/* The b of vit_b16, efficientnet_b7, vit-b-32 is the size of the model, as torchvision and timm call theirs. */
static bool is_model_size(const reader *r, size_t from)
{
    static const char *const models[] = {"vit", "deit", "beit", "clip", "efficientnet", "segformer", "mit", "pvt"};
    if (tolower((unsigned char)r->s[from]) != 'b' || !from || !strchr("_-", r->s[from - 1]))
        return false;
    for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
        size_t n = strlen(models[i]);
        bool is_whole = from == n + 1 || (from > n + 1 && !isalnum((unsigned char)r->s[from - n - 2]));
        if (is_whole && ws_span_eq_nocase((ws_span){r->s + from - 1 - n, n}, models[i]))
            return true;
    }
    return false;
}

/* bs256, g4, rep1: the word has one letter only where it cannot be the end of a name. */
static bool add_word_first(reader *r, size_t from, size_t end, bool alone)
{
    size_t letters = letters_at(r, from, end), sign = 0;
    if (!r->dash_splits && from + letters < end && r->s[from + letters] == '-' && letters > 1)
        sign = 1; /* batchsize-128 among parts that _ separates */
    size_t n = number_length(r, from + letters + sign, end);
    const ws_name_word *word = letters && n ? ws_name_word_find(span(r, from, letters), false) : NULL;
    if (letters == 1 && is_model_size(r, from))
        return false;
    bool is_multiple = letters == 1 && word && *word->word == 'x', is_weak = letters == 1 && !is_multiple;
    if (!word || from + letters + sign + n != end || (is_multiple && ws_span_eq(span(r, from, end - from), "x86")))
        return false;
    if (!*word->field) {
        add_counted(r, from, end, from + letters + sign, n);
        return true;
    }
    if (is_weak && r->dash_splits && !r->seen_strong && !alone)
        return false;
    path_segment_add(r, (piece){.kind = WS_PART_FIELD,
                                .from = from + letters + sign,
                                .n = n,
                                .whole = from,
                                .whole_n = end - from,
                                .field = word->field,
                                .of_file = word->of_file,
                                .is_strong = !is_weak});
    return true;
}

/* "bs_64-gpus_2": words and their numbers stand beside the other sign, so that the dash parts the pairs: the atom
 * "64-gpus" is the number of the word in front, and the word of the number behind. */
static bool add_between_pairs(reader *r, size_t from, size_t end)
{
    size_t n = number_length(r, from, end), word = from + n + 1;
    const piece *front = r->n_pieces ? &r->pieces[r->n_pieces - 1] : NULL;
    bool is_pair = !r->dash_splits && n && word < end && r->s[from + n] == '-' &&
                   letters_at(r, word, end) == end - word && end + 1 < r->n && is_separator(r, end) &&
                   is_digit(r, end + 1) && ws_name_word_find(span(r, word, end - word), false) && front &&
                   front->is_word && ws_name_word_find(span(r, front->from, front->n), false);
    if (!is_pair)
        return false;
    path_segment_add(r, (piece){.kind = WS_PART_NUMBER, .from = from, .n = n, .whole = from, .whole_n = n});
    path_segment_add(r, (piece){.kind = WS_PART_TEXT,
                                .from = word,
                                .n = end - word,
                                .whole = word,
                                .whole_n = end - word,
                                .is_word = true});
    return true;
}

/* 4gpu, 250W, 1410MHz, 4xA100; pl150W has a word on both sides. */
static bool add_number_first(reader *r, size_t from, size_t end)
{
    size_t lead = letters_at(r, from, end), n = number_length(r, from + lead, end);
    size_t sign = !r->dash_splits && from + lead + n < end && r->s[from + lead + n] == '-' ? 1 : 0;
    size_t letters = n ? letters_at(r, from + lead + n + sign, end) : 0;
    size_t behind = from + lead + n + sign;
    const ws_name_word *word = letters ? ws_name_word_find(span(r, behind, letters), true) : NULL;
    const ws_name_word *front = lead ? ws_name_word_find(span(r, from, lead), false) : NULL;
    if (word && !*word->field && !lead && behind + letters == end) {
        add_counted(r, from, end, from, n);
        return true;
    }
    bool is_unit = word && (strcmp(word->field, "power_cap_w") == 0 || strcmp(word->field, "clock_cap_mhz") == 0);
    if (word && behind + letters == end && (!lead || (front && is_unit && strcmp(front->field, word->field) == 0))) {
        path_segment_add(r, (piece){.kind = WS_PART_FIELD,
                                    .from = from + lead,
                                    .n = n,
                                    .whole = from,
                                    .whole_n = end - from,
                                    .field = word->field,
                                    .is_strong = letters > 1 || is_unit || *word->word == 'x'});
        return true;
    }
    if (!lead && n && behind + 1 < end && tolower((unsigned char)r->s[behind]) == 'x' &&
        ws_name_is_device(span(r, behind + 1, end - behind - 1))) {
        path_segment_add(r, (piece){.kind = WS_PART_FIELD,
                                    .from = from,
                                    .n = n,
                                    .whole = from,
                                    .whole_n = n + 1,
                                    .field = "gpus",
                                    .is_strong = true});
        path_segment_add(r, (piece){.kind = WS_PART_TEXT,
                                    .from = behind + 1,
                                    .n = end - behind - 1,
                                    .whole = behind + 1,
                                    .whole_n = end - behind - 1});
        return true;
    }
    return false;
}

/* "large-1GPUs-B2048" in a name that has _, too: - separates where a word stands beside a number. "vit-b16",
 * "a100-80gb" stay whole. */
static bool add_dashed(reader *r, size_t from, size_t end)
{
    if (r->dash_splits || !memchr(r->s + from, '-', end - from))
        return false;
    size_t before = r->n_pieces;
    bool seen = r->seen_strong, has_field = false;
    r->dash_splits = true;
    r->seen_strong = false;
    add_atoms(r, from, end);
    for (size_t i = before; i < r->n_pieces; i++) {
        const piece *p = &r->pieces[i];
        bool is_next = i > before && p->kind == WS_PART_NUMBER && p[-1].is_word && p[-1].n > 1;
        has_field |= (p->kind == WS_PART_FIELD && p->is_strong) ||
                     (is_next && ws_name_word_find(span(r, p[-1].from, p[-1].n), false));
    }
    r->dash_splits = false;
    r->seen_strong |= seen;
    const piece *last = &r->pieces[r->n_pieces - 1]; /* "resnet50-bs_64" */
    has_field |= r->n_pieces > before && last->is_word && last->n > 1 && end + 1 < r->n && is_separator(r, end) &&
                 is_digit(r, end + 1) && ws_name_word_find(span(r, last->from, last->n), false);
    if (!has_field)
        r->n_pieces = before, r->seen_strong = seen;
    return has_field;
}

/* A number beside signs of another script, which part words without blanks. */
static bool add_beside_script(reader *r, size_t from, size_t end)
{
    size_t lead = from, digits;
    while (lead < end && (unsigned char)r->s[lead] >= 0x80)
        lead++;
    digits = number_length(r, lead, end);
    size_t behind = lead + digits;
    while (behind < end && (unsigned char)r->s[behind] >= 0x80)
        behind++;
    if (!digits || behind != end)
        return false;
    add_counted(r, from, end, lead, digits);
    return true;
}

/* "2369e92f", "a1b2c3d": of a commit, a task, a run; no number of epochs stands in it. */
static bool is_hex_id(ws_span text)
{
    enum { SHORTEST = 7, OF_EACH = 2 };
    size_t digits = 0, letters = 0;
    for (size_t i = 0; i < text.n; i++) {
        digits += isdigit((unsigned char)text.p[i]) != 0;
        letters += text.p[i] >= 'a' && text.p[i] <= 'f';
    }
    return text.n >= SHORTEST && digits + letters == text.n && digits >= OF_EACH && letters >= OF_EACH;
}

/* run-20260418_230816-33875g7b: behind the date W&B puts eight letters and digits at random, which may look like words
 * with numbers. */
static bool is_tracker_id(const reader *r, size_t from, size_t end)
{
    static const char run[] = "run-", offline[] = "offline-run-";
    enum { LENGTH = 8 };
    const piece *last = r->n_pieces ? &r->pieces[r->n_pieces - 1] : NULL;
    bool is_run = strncmp(r->s, run, sizeof run - 1) == 0 || strncmp(r->s, offline, sizeof offline - 1) == 0;
    return is_run && last && last->kind == WS_PART_DATE && last->from + last->n + 1 == from && end - from == LENGTH &&
           end == r->n && strspn(r->s + from, "0123456789abcdefghijklmnopqrstuvwxyz") == LENGTH;
}

static void add_atom(reader *r, size_t from, size_t end, bool alone)
{
    size_t n = end - from, number = number_length(r, from, end);
    if (is_tracker_id(r, from, end)) {
        path_segment_add(r, (piece){.kind = WS_PART_TEXT, .from = from, .n = n, .whole = from, .whole_n = n});
        return;
    }
    if (number == n) {
        path_segment_add(r, (piece){.kind = WS_PART_NUMBER, .from = from, .n = n, .whole = from, .whole_n = n});
        return;
    }
    if (add_chain(r, from, end))
        return;
    if (is_hex_id(span(r, from, n))) {
        path_segment_add(r, (piece){.kind = WS_PART_TEXT, .from = from, .n = n, .whole = from, .whole_n = n});
        return;
    }
    if (add_letters_chain(r, from, end) || add_word_first(r, from, end, alone) || add_between_pairs(r, from, end) ||
        add_number_first(r, from, end) || add_dashed(r, from, end))
        return;
    if (add_beside_script(r, from, end))
        return;
    bool is_word = letters_at(r, from, end) == n;
    path_segment_add(
        r, (piece){.kind = WS_PART_TEXT, .from = from, .n = n, .whole = from, .whole_n = n, .is_word = is_word});
}

/* Atoms between two places. */
static void add_atoms(reader *r, size_t from, size_t end)
{
    for (size_t at = from; at < end;) {
        size_t n = 0;
        while (at + n < end && !is_separator(r, at + n))
            n++;
        if (n)
            add_atom(r, at, at + n, at == 0 && at + n == r->n);
        at += n + 1;
    }
}

static void read_pieces(reader *r)
{
    size_t done = 0;
    bool taken[MOST] = {false};
    struct {
        size_t from, n, key, key_n;
    } sure[MOST];
    size_t n_sure = 0;
    for (size_t at = 0; at < r->n;) {
        size_t id = gpu_id_at(r, at), date = id ? id : ws_date_in_path(span(r, 0, r->n), at);
        bool equals = strchr("=~", r->s[at]) && at + 1 < r->n;
        size_t key_n = equals ? key_before(r, done, at) : 0,
               value_n = key_n ? value_at(r, at + 1, is_counted(span(r, at - key_n, key_n))) : 0;
        if (date || value_n) {
            sure[n_sure].key = at - key_n, sure[n_sure].key_n = key_n;
            sure[n_sure].from = date ? at : at + 1, sure[n_sure].n = date ? date : value_n;
            at = done = sure[n_sure].from + sure[n_sure].n;
            memset(taken + sure[n_sure].key, true, at - sure[n_sure].key);
            n_sure++;
        } else {
            at++;
        }
    }
    r->dash_splits = true;
    for (size_t i = 0; i < r->n; i++)
        r->dash_splits &= taken[i] || !strchr("_, ", r->s[i]);
    done = 0;
    for (size_t i = 0; i < n_sure; i++) {
        add_atoms(r, done, sure[i].key);
        if (sure[i].key_n)
            add_named(r, sure[i].key, sure[i].key_n, sure[i].n);
        else
            path_segment_add(r, (piece){.kind = gpu_id_at(r, sure[i].from) ? WS_PART_TEXT : WS_PART_DATE,
                                        .from = sure[i].from,
                                        .n = sure[i].n,
                                        .whole = sure[i].from,
                                        .whole_n = sure[i].n,
                                        .is_strong = true});
        done = sure[i].from + sure[i].n;
    }
    add_atoms(r, done, r->n);
}

static void drop_piece(reader *r, size_t i)
{
    memmove(&r->pieces[i], &r->pieces[i + 1], (r->n_pieces - i - 1) * sizeof *r->pieces);
    r->n_pieces--;
}

/* The word that ends with piece `last` of up to three pieces: batch_size, local_rank. */
static const ws_name_word *word_before(const reader *r, size_t last, size_t *first)
{
    for (size_t n = 3; n > 0; n--) {
        if (last + 1 < n)
            continue;
        bool all = true;
        for (size_t i = last + 1 - n; i <= last; i++)
            all &= r->pieces[i].is_word;
        *first = last + 1 - n;
        size_t from = r->pieces[*first].whole, end = r->pieces[last].whole + r->pieces[last].whole_n;
        const ws_name_word *word = all ? ws_name_word_find(span(r, from, end - from), false) : NULL;
        if (word && (n > 1 || end - from > 1))
            return word;
    }
    return NULL;
}

static void name_piece(reader *r, size_t number, size_t first, size_t last, const ws_name_word *word)
{
    piece *p = &r->pieces[number];
    size_t from = r->pieces[first].whole < p->whole ? r->pieces[first].whole : p->whole;
    size_t end_of_word = r->pieces[last].whole + r->pieces[last].whole_n, end = p->whole + p->whole_n;
    p->kind = WS_PART_FIELD;
    p->field = word->field, p->of_file = word->of_file, p->is_strong = true;
    p->whole = from, p->whole_n = (end > end_of_word ? end : end_of_word) - from;
    for (size_t i = first; i <= last; i++)
        drop_piece(r, first);
}

/* Nobody has 3512001 GPUs: behind gpu_ stands the number of a job then. */
static bool is_too_large(const reader *r, const piece *number, const ws_name_word *word)
{
    static const char *const small[] = {"gpus",  "gpu_number", "nodes",  "host",    "ranks",  "rank",
                                        "cores", "threads",    "repeat", "workers", "epochs", "power_cap_w"};
    bool is_small = false;
    for (size_t i = 0; i < sizeof small / sizeof *small && word; i++)
        is_small |= strcmp(small[i], word->field) == 0;
    return is_small && digits_at(r, number->from) >= WS_JOB_DIGITS;
}

/* run-a, trial_B: repeats that letters tell apart. */
static void join_letters(reader *r)
{
    for (size_t i = 1; i < r->n_pieces; i++) {
        piece *p = &r->pieces[i];
        const piece *front = p - 1;
        const ws_name_word *word =
            front->is_word && front->n > 1 ? ws_name_word_find(span(r, front->from, front->n), false) : NULL;
        if (!word || strcmp(word->field, "repeat") != 0 || !p->is_word || p->n != 1)
            continue;
        p->kind = WS_PART_FIELD, p->field = "repeat_name", p->is_strong = true;
        p->whole_n = p->whole + p->whole_n - front->whole, p->whole = front->whole;
        drop_piece(r, --i);
    }
}

/* batch_128 and 1-gpu: a number between two words belongs to the one behind it where the segment begins with a number,
 * else to the one in front. */
static void join_neighbours(reader *r)
{
    bool number_first = r->n_pieces && r->pieces[0].kind == WS_PART_NUMBER;
    for (size_t i = 0; i < r->n_pieces; i++) {
        size_t first = 0;
        if (r->pieces[i].kind != WS_PART_NUMBER)
            continue;
        const ws_name_word *front = i > 0 ? word_before(r, i - 1, &first) : NULL, *behind = NULL;
        if (i + 1 < r->n_pieces && r->pieces[i + 1].is_word && r->pieces[i + 1].n > 1)
            behind = ws_name_word_find(span(r, r->pieces[i + 1].whole, r->pieces[i + 1].n), true);
        front = !front || !*front->field || is_too_large(r, &r->pieces[i], front) ? NULL : front;
        behind = !behind || !*behind->field || is_too_large(r, &r->pieces[i], behind) ? NULL : behind;
        if (behind && behind->use == WS_USE_REPEAT) /* "64_run_1": not run 64 */
            behind = NULL;
        bool claimed = behind && i + 2 < r->n_pieces && r->pieces[i + 2].kind == WS_PART_NUMBER && !number_first;
        if (behind && !claimed && (!front || number_first)) {
            name_piece(r, i, i + 1, i + 1, behind);
        } else if (front) {
            name_piece(r, i, first, i - 1, front);
            i = first;
        }
    }
}

/* "nproc_per_node2", whose end alone would be two nodes. */
static void join_count_per_node(reader *r)
{
    for (size_t i = 2; i < r->n_pieces; i++) {
        piece *p = &r->pieces[i];
        bool is_per_node = p->kind == WS_PART_FIELD && p->field && strcmp(p->field, "nodes") == 0 && p[-1].is_word &&
                           ws_span_eq_nocase(span(r, p[-1].from, p[-1].n), "per");
        size_t from = p[-2].from, end = p->from;
        const ws_name_word *word = is_per_node ? ws_name_word_find(span(r, from, end - from), false) : NULL;
        if (!word)
            continue;
        p->field = word->field, p->of_file = NULL;
        p->whole_n += p->whole - from, p->whole = from;
        drop_piece(r, i - 1);
        drop_piece(r, i - 2);
    }
}

/* "8-gpus-each", "4gpus_per_node": of each node, however many there are. */
static void join_per_node(reader *r)
{
    static const char *const behind[] = {"each", "pernode", "per_node", "per-node"};
    for (size_t i = 0; i + 1 < r->n_pieces; i++) {
        piece *p = &r->pieces[i], *next = p + 1;
        size_t from = next->from, last = i + 1;
        if (p->kind != WS_PART_FIELD || !p->field || strcmp(p->field, "gpus") != 0 || !next->is_word)
            continue;
        if (ws_span_eq_nocase(span(r, from, next->n), "per") && i + 2 < r->n_pieces)
            last = i + 2;
        ws_span words = span(r, from, r->pieces[last].from + r->pieces[last].n - from);
        bool is_each = false;
        for (size_t k = 0; k < sizeof behind / sizeof *behind; k++)
            is_each |= ws_span_eq_nocase(words, behind[k]);
        if (!is_each)
            continue;
        p->field = "gpus_per_node";
        p->whole_n = from + words.n - p->whole;
        for (; last > i; last--)
            drop_piece(r, last);
    }
}

/* "result_3512001_raw_2": a copy as it was written, and no part of its name. */
static void drop_raw(reader *r)
{
    for (size_t i = 0; i < r->n_pieces;) {
        const piece *p = &r->pieces[i];
        bool is_raw = p->kind == WS_PART_TEXT && ws_span_eq_nocase(span(r, p->from, p->n), "raw");
        if (is_raw && r->n_pieces > 1)
            drop_piece(r, i);
        else
            i++;
    }
}

/* Neighbouring texts are one: vit-b16, bert_large. */
static void join_texts(reader *r)
{
    for (size_t i = 0; i + 1 < r->n_pieces;) {
        piece *p = &r->pieces[i], *next = p + 1;
        if (p->kind == WS_PART_TEXT && next->kind == WS_PART_TEXT) {
            p->n = p->whole_n = next->from + next->n - p->from;
            drop_piece(r, i + 1);
        } else {
            i++;
        }
    }
}

ws_path_segment ws_read_segment(ws_arena *arena, const char *text, size_t n, size_t parted, size_t rotation,
                                const bool *splits)
{
    reader *r = ws_alloc(sizeof *r);
    *r = (reader){
        .arena = arena, .s = ws_arena_strndup(arena, text, n), .n = parted < MOST ? parted : 0, .splits = splits};
    read_pieces(r);
    join_neighbours(r);
    join_count_per_node(r);
    join_per_node(r);
    join_letters(r);
    drop_raw(r);
    join_texts(r);
    if (rotation)
        path_segment_add(r, (piece){.kind = WS_PART_ROTATION,
                                    .from = rotation + 1,
                                    .n = strspn(r->s + rotation + 1, "0123456789"),
                                    .whole = rotation,
                                    .is_strong = true});
    ws_path_segment segment = {.parts = ws_arena_alloc(arena, (r->n_pieces + 1) * sizeof(ws_part)), .n = r->n_pieces};
    size_t done = 0;
    for (size_t i = 0; i < segment.n; i++) {
        const piece *p = &r->pieces[i];
        segment.parts[i] = (ws_part){.kind = p->kind,
                                     .before = ws_arena_strndup(arena, r->s + done, p->from - done),
                                     .value = ws_arena_strndup(arena, r->s + p->from, p->n),
                                     .field = p->field,
                                     .of_file = p->of_file,
                                     .is_named = p->is_named,
                                     .is_weak = p->kind == WS_PART_FIELD && !p->is_strong};
        done = p->from + p->n;
    }
    segment.after = ws_arena_strdup(arena, r->s + done);
    free(r);
    return segment;
}
