/* Slices of a card, and copies inside one file. */
#include "analyze/measure/slices.h"

#include "analyze/measure/likeness.h"
#include "analyze/measure/stakes.h"

#include "core/unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A MIG instance: one of several parts of a card. */
static bool is_slice(const ws_device *d)
{
    return d->domain == WS_GPU && strncmp(d->device_id, "MIG-", 4) == 0;
}

/* Older drivers include the card in the name: "MIG-GPU-5c89852c-d268-c3f3-1b07-005d5ae1dc3f/7/0". */
static bool name_different_cards(const ws_device *a, const ws_device *b)
{
    static const char before[] = "MIG-GPU-";
    size_t n = sizeof before - 1;
    if (strncmp(a->device_id, before, n) != 0 || strncmp(b->device_id, before, n) != 0)
        return false;
    size_t x = strcspn(a->device_id, "/"), y = strcspn(b->device_id, "/");
    return x != y || strncmp(a->device_id, b->device_id, x) != 0;
}

/* Two instances of the card that both names state. */
static bool name_one_card(const ws_device *a, const ws_device *b)
{
    static const char before[] = "MIG-GPU-";
    size_t n = sizeof before - 1;
    return strncmp(a->device_id, before, n) == 0 && strncmp(b->device_id, before, n) == 0 &&
           !name_different_cards(a, b);
}

static int by_energy(const void *left, const void *right)
{
    const ws_device *a = *(ws_device *const *)left, *b = *(ws_device *const *)right;
    double x = a->energy->summary.energy_j, y = b->energy->summary.energy_j;
    return x != y ? (x > y) - (x < y) : (a > b) - (a < b);
}

/* By the readings alone: the rows of one poll may have different stamps. */
static int by_readings(const void *left, const void *right)
{
    const ws_device *a = *(ws_device *const *)left, *b = *(ws_device *const *)right;
    const ws_channel_summary *x = &a->energy->summary, *y = &b->energy->summary;
    const double p[] = {x->plain_mean, x->plain_sd, x->min, x->max, (double)x->samples};
    const double q[] = {y->plain_mean, y->plain_sd, y->min, y->max, (double)y->samples};
    int order = 0;
    for (size_t i = 0; i < sizeof p / sizeof *p && !order; i++)
        order = isnan(p[i]) || isnan(q[i]) ? !isnan(p[i]) - !isnan(q[i]) : (p[i] > q[i]) - (p[i] < q[i]);
    return order;
}

static int by_readings_and_place(const void *left, const void *right)
{
    const ws_device *a = *(ws_device *const *)left, *b = *(ws_device *const *)right;
    int order = by_readings(left, right);
    order = order ? order : strcmp(a->source, b->source);
    order = order ? order : is_slice(a) - is_slice(b);
    return order ? order : (a > b) - (a < b);
}

static void set_status(ws_measure *m, const ws_device *d, ws_energy_status status, bool keeps_energy)
{
    ws_channel_summary *r = &m->channels[d->energy - m->channels].summary;
    r->status = status;
    if (!keeps_energy)
        r->energy_j = r->energy_lo_j = r->energy_hi_j = NAN;
}

static bool of_one_source(const ws_device *a, const ws_device *b)
{
    return ws_devices_share_source(a, b) && a->domain == b->domain && strcmp(a->run, b->run) == 0;
}

static bool may_be_one_card(const ws_device *a, const ws_device *b)
{
    return of_one_source(a, b) && strcmp(a->node, b->node) == 0 && ws_devices_overlap(a, b) &&
           !name_different_cards(a, b);
}

static bool proves_a_card(const ws_device *d)
{
    const ws_channel_summary *r = &d->energy->summary;
    return r->samples >= WS_READINGS_ENOUGH && r->min < r->max;
}

/* Leaves out slices with the readings of another slice or of their card, because the power of a card cannot be split.
 * The entry that stays stands for its card (`is_card`): no other card has the same readings. `sorted` is ordered by
 * readings; the entries that stay move to its front. Returns how many there are. */
static size_t leave_slices_out(ws_measure *m, ws_device **sorted, size_t n, bool *is_card, ws_notes *notes)
{
    size_t kept = 0;
    for (size_t i = 0; i < n; i++) {
        ws_device *d = sorted[i], *card = kept ? sorted[kept - 1] : NULL;
        bool repeats =
            card && is_slice(d) && proves_a_card(d) && by_readings(&card, &d) == 0 && may_be_one_card(card, d);
        if (!repeats) {
            is_card[d - m->devices] = !is_slice(d);
            sorted[kept++] = d;
            continue;
        }
        is_card[card - m->devices] = true;
        ws_notes_add(notes, WS_FINDING_MEASURED_TWICE, d->source, d->device, 0,
                     "each reading is that of %s, %s: the card counts once (%s are not added)", card->device,
                     is_slice(card) ? "another slice of the card" : "its card",
                     ws_joules(d->energy->summary.energy_j).text);
        set_status(m, d, WS_STATUS_MEASURED_TWICE, false);
        d->is_alternative = true;
    }
    return kept;
}

void ws_note_equal_devices(const ws_measure *m, ws_device *a, ws_device *b, ws_notes *notes)
{
    ws_device_stake(a, m, WS_FINDING_SAME_READINGS, NAN);
    ws_device_stake(b, m, WS_FINDING_SAME_READINGS, NAN);
    bool are_equal = ws_compare_devices(a, b) == WS_READINGS_EQUAL;
    ws_notes_add(notes, WS_FINDING_SAME_READINGS, b->source, b->device, 0,
                 are_equal ? "every reading is that of %s: the same data under two names, both are in the sums (%s "
                             "each)"
                           : "its readings are those of %s, but for some rows or digits: the same data under two "
                             "names? Both are in the sums (%s each)",
                 ws_devices_share_source(a, b) ? a->device : a->source, ws_joules(b->energy->summary.energy_j).text);
}

/* The stamps of a file without dates have one zero. */
static bool are_undated(const ws_device *a, const ws_device *b)
{
    return !a->energy->summary.has_start && !b->energy->summary.has_start;
}

/* One device that is read twice a poll, of which some readings fall on both sides of a change of its sensor: values, in
 * tenths of a watt or finer, follow each other as those of the other do, and mean and spread are nearly the same. Two
 * cards of one kind under one load may agree in mean, spread, lowest and highest reading. Ours. */
static bool are_nearly_equal(const ws_metered_channel *x, const ws_metered_channel *y)
{
    static const double mean_share = 0.005, sd_share = 0.05, few = 0.02;
    const ws_channel_summary *a = &x->summary, *b = &y->summary;
    const ws_fingerprint f = ws_fingerprint_of(&x->watch->fingerprint), g = ws_fingerprint_of(&y->watch->fingerprint);
    bool is_fine = a->min != floor(a->min) || a->max != floor(a->max);
    return a->samples >= WS_READINGS_ENOUGH && b->samples >= WS_READINGS_ENOUGH && is_fine &&
           fabs((double)a->samples - (double)b->samples) <= few * (double)a->samples + 1 &&
           fabs(a->plain_mean - b->plain_mean) <= mean_share * fabs(a->plain_mean) &&
           fabs(a->plain_sd - b->plain_sd) <= sd_share * a->plain_sd && ws_fingerprints_match(&f, &g);
}

/* Counters of one file that rise alike and stand elsewhere are two. */
static bool may_be_one_power(const ws_device *a, const ws_device *b)
{
    return a->energy->channel.quantity == WS_POWER &&
           (are_nearly_equal(a->energy, b->energy) || ws_devices_are_copies(a, b));
}

/* `a` comes before `b` in the file. True: they are equal, and what is equal to them is told by one of them. */
static bool settle_inside(ws_measure *m, ws_device *a, ws_device *b, const bool *is_card, ws_notes *notes)
{
    ws_likeness likeness = ws_compare_devices(a, b);
    bool are_cards = is_card[a - m->devices] && is_card[b - m->devices] && !name_one_card(a, b);
    if ((is_slice(a) || is_slice(b)) && !are_cards && may_be_one_card(a, b) && likeness != WS_READINGS_DIFFER) {
        ws_device *slice = is_slice(b) ? b : a, *other = slice == b ? a : b;
        ws_device_stake(slice, m, WS_FINDING_MAYBE_MEASURED_TWICE, slice->energy->summary.energy_j);
        ws_notes_add(notes, WS_FINDING_MAYBE_MEASURED_TWICE, slice->source, slice->device, 0,
                     "its power is nearly that of %s%s: each may be that of the whole card (%s may count twice)",
                     other->device, is_slice(other) ? ", another slice" : "",
                     ws_joules(slice->energy->summary.energy_j).text);
        set_status(m, slice, WS_STATUS_MAYBE_MEASURED_TWICE, true);
    } else if (likeness == WS_READINGS_EQUAL && (ws_devices_overlap(a, b) || are_undated(a, b))) {
        ws_note_equal_devices(m, a, b, notes);
        return true;
    } else if (may_be_one_power(a, b) && ws_devices_overlap(a, b)) {
        ws_device_stake(a, m, WS_FINDING_SAME_READINGS, NAN);
        ws_device_stake(b, m, WS_FINDING_SAME_READINGS, NAN);
        ws_notes_add(notes, WS_FINDING_SAME_READINGS, b->source, b->device, 0,
                     "its readings follow each other as those of %s do, but for a few: one device under two names, "
                     "read at other moments now and then? Both are in the sums (%s each)",
                     a->device, ws_joules(b->energy->summary.energy_j).text);
    }
    return false;
}

/* By their energies; between those of a device and of its copy with fewer digits lie few others. */
enum { NEIGHBOURS = 4 };

static bool settle_neighbours(ws_measure *m, ws_device *a, ws_device *b, const bool *is_card, ws_notes *notes)
{
    bool near = a->energy->summary.energy_j >= (1 - ws_alike) * b->energy->summary.energy_j;
    return near && of_one_source(a, b) && settle_inside(m, a < b ? a : b, a < b ? b : a, is_card, notes);
}

void ws_measure_find_duplicates_inside(ws_measure *m, ws_notes *notes)
{
    ws_device **sorted = ws_alloc((m->n_devices + 1) * sizeof *sorted);
    bool *is_card = ws_alloc(m->n_devices + 1);
    size_t n = 0;
    for (size_t i = 0; i < m->n_devices; i++) {
        const ws_metered_channel *c = m->devices[i].energy;
        if (c && !m->devices[i].is_alternative && c->summary.energy_j > 0)
            sorted[n++] = &m->devices[i];
    }
    qsort(sorted, n, sizeof *sorted, by_readings_and_place);
    n = leave_slices_out(m, sorted, n, is_card, notes);
    qsort(sorted, n, sizeof *sorted, by_energy);
    for (size_t i = 1; i < n; i++)
        for (size_t k = i; k-- > 0 && i - k <= NEIGHBOURS;)
            if (settle_neighbours(m, sorted[k], sorted[i], is_card, notes))
                break;
    free(sorted);
    free(is_card);
}
