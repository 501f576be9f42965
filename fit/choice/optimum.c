/* The best number of devices under a deadline, an energy budget or for a product of both, by trying every number: the
 * curves may have any shape, and numbers are whole multiples of those of a node.
 *
 *     energy = power devices time,  EDP = energy time,  ED2P = energy time^2
 *
 * The first, where no curve of the energy is given, assumes a power per device that does not depend on their number. */
#include "fit/choice/optimum.h"

#include "fit/estimate.h"

#include <math.h>
#include <string.h>

static void keep_least(size_t devices, double value, size_t *best, double *least)
{
    if (*best == 0 || value < *least) {
        *best = devices;
        *least = value;
    }
}

static void consider(const ws_optimum_input *in, size_t devices, double time, double energy, ws_optimum *out)
{
    bool in_time = time <= in->deadline_h, in_budget = energy <= in->budget_kwh;
    if (in_time && !out->fewest_in_time)
        out->fewest_in_time = devices;
    if (in_budget)
        out->most_in_budget = devices;
    if (in_time && in_budget) {
        out->feasible_lo = out->feasible_lo ? out->feasible_lo : devices;
        out->feasible_hi = devices;
    }
    keep_least(devices, time, &out->least_time, &out->shortest_h);
    if (isnan(energy))
        return;
    keep_least(devices, energy, &out->least_energy, &out->least_kwh);
    keep_least(devices, energy * time, &out->least_edp, &out->edp_kwh_h);
    keep_least(devices, energy * time * time, &out->least_ed2p, &out->ed2p_kwh_h2);
}

static void say_optimum(const ws_optimum_input *in, ws_optimum *out)
{
    char *text = out->sentence;
    size_t size = sizeof out->sentence;
    if (!out->least_time) {
        ws_say(text, size, "the curve gives no time for any number of devices up to %zu", in->most);
        return;
    }
    if (isfinite(in->deadline_h) && out->fewest_in_time)
        ws_say(text, size, "%zu devices meet %s h; ", out->fewest_in_time, ws_words_number(in->deadline_h).text);
    else if (isfinite(in->deadline_h))
        ws_say(text, size, "no number up to %zu meets %s h, the shortest is %s h; ", in->most,
               ws_words_number(in->deadline_h).text, ws_words_number(out->shortest_h).text);
    if (isfinite(in->budget_kwh) && out->most_in_budget)
        ws_say(text, size, "up to %zu stay within %s kWh; ", out->most_in_budget, ws_words_number(in->budget_kwh).text);
    else if (isfinite(in->budget_kwh))
        ws_say(text, size, "no number stays within %s kWh, the least is %s kWh; ", ws_words_number(in->budget_kwh).text,
               ws_words_number(out->least_kwh).text);
    if (out->fewest_in_time && out->most_in_budget && !out->feasible_lo)
        ws_say(text, size, "none does both; ");
    ws_say(text, size, "least energy with %zu, least energy times delay with %zu%s", out->least_energy, out->least_edp,
           out->least_edp + in->step > in->most ? ", the end of what was tried" : "");
}

ws_status ws_find_optimum(const ws_optimum_input *in, ws_optimum *out, ws_error *error)
{
    memset(out, 0, sizeof *out);
    out->edp_kwh_h = out->ed2p_kwh_h2 = out->shortest_h = out->least_kwh = NAN;
    if (in->step < 1 || in->most < in->step || in->most > WS_OPTIMUM_MOST)
        return ws_fail(error, WS_USAGE, "numbers of devices go from %zu up to %zu: neither none nor more than %d",
                       in->step, in->most, WS_OPTIMUM_MOST);
    if (!in->energy_kwh && (!(in->power_kw > 0) || !isfinite(in->power_kw)))
        return ws_fail(error, WS_USAGE, "a power of %s kW per device is none", ws_words_number(in->power_kw).text);
    if (isnan(in->deadline_h) || isnan(in->budget_kwh))
        return ws_fail(error, WS_USAGE, "deadline and budget are numbers; leave out what does not bind");
    for (size_t devices = in->step; devices <= in->most; devices += in->step) {
        double n = (double)devices, time = in->time_h(in->state, n);
        double energy = in->energy_kwh ? in->energy_kwh(in->state, n) : in->power_kw * n * time;
        if (time > 0 && !isinf(energy * time * time))
            consider(in, devices, time, energy, out);
    }
    say_optimum(in, out);
    return WS_OK;
}
