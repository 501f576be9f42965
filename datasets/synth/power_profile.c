/* Between two knots P(t) = P_i + (P_j - P_i) (t - t_i) / (t_j - t_i), so that the energy since t_i is
 * (P_i + P(t)) / 2 * (t - t_i): exact, without any sampling. */
#include "datasets/synth/power_profile.h"

#include "core/arena.h"

#include <stdlib.h>

enum { KNOTS_PER_ROUND = 4 };

/* One round: place of a knot as a share of the round, and how much of the dip is reached there. */
typedef struct round_knot {
    double place, dip;
} round_knot;

static const round_knot slow_ramps[KNOTS_PER_ROUND] = {{0.25, 0}, {0.70, 0}, {0.80, 1}, {0.95, 1}};
static const round_knot steep_flanks[KNOTS_PER_ROUND] = {{0.01, 0}, {0.86, 0}, {0.87, 1}, {0.995, 1}};

static void add_knot(ws_synth_profile *profile, double t_s, double power_w)
{
    profile->t_s[profile->n] = t_s;
    profile->power_w[profile->n] = power_w;
    profile->n++;
}

static void integrate(ws_synth_profile *profile)
{
    profile->energy_j[0] = 0;
    for (size_t i = 1; i < profile->n; i++) {
        double dt = profile->t_s[i] - profile->t_s[i - 1];
        profile->energy_j[i] = profile->energy_j[i - 1] + (profile->power_w[i] + profile->power_w[i - 1]) / 2 * dt;
    }
}

static void make_profile(ws_synth_profile *profile, const round_knot *knot, double wall_s, int rounds, double mean_w,
                         double depth)
{
    size_t knots = (size_t)rounds * KNOTS_PER_ROUND + 2;
    *profile = (ws_synth_profile){0, ws_alloc(knots * sizeof(double)), ws_alloc(knots * sizeof(double)),
                                  ws_alloc(knots * sizeof(double))};
    double round_s = wall_s / rounds;
    add_knot(profile, 0, 1 - depth);
    for (int r = 0; r < rounds; r++)
        for (int i = 0; i < KNOTS_PER_ROUND; i++)
            add_knot(profile, (r + knot[i].place) * round_s, 1 - depth * knot[i].dip);
    add_knot(profile, wall_s, 1 - depth);
    integrate(profile);
    double scale = mean_w * wall_s / profile->energy_j[profile->n - 1];
    for (size_t i = 0; i < profile->n; i++)
        profile->power_w[i] *= scale;
    integrate(profile);
}

void ws_synth_profile_training(ws_synth_profile *profile, double wall_s, int rounds, double mean_w, double depth)
{
    make_profile(profile, slow_ramps, wall_s, rounds, mean_w, depth);
}

void ws_synth_profile_base_line(ws_synth_profile *profile, double wall_s, int rounds, double mean_w, double depth)
{
    make_profile(profile, steep_flanks, wall_s, rounds, mean_w, depth);
}

void ws_synth_profile_free(ws_synth_profile *profile)
{
    free(profile->t_s);
    free(profile->power_w);
    free(profile->energy_j);
    *profile = (ws_synth_profile){0};
}

/* The last knot at or before t_s, but never the last one of all. */
static size_t knot_before(const ws_synth_profile *profile, double t_s)
{
    size_t low = 0, high = profile->n - 1;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (profile->t_s[middle] <= t_s)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static double inside(const ws_synth_profile *profile, double t_s)
{
    double end = profile->t_s[profile->n - 1];
    return t_s < 0 ? 0 : t_s > end ? end : t_s;
}

static double power_after(const ws_synth_profile *profile, size_t knot, double t_s)
{
    double span = profile->t_s[knot + 1] - profile->t_s[knot];
    double share = (t_s - profile->t_s[knot]) / span;
    return profile->power_w[knot] + (profile->power_w[knot + 1] - profile->power_w[knot]) * share;
}

double ws_synth_profile_power(const ws_synth_profile *profile, double t_s)
{
    t_s = inside(profile, t_s);
    return power_after(profile, knot_before(profile, t_s), t_s);
}

double ws_synth_profile_energy(const ws_synth_profile *profile, double t_s)
{
    t_s = inside(profile, t_s);
    size_t knot = knot_before(profile, t_s);
    double mean_w = (profile->power_w[knot] + power_after(profile, knot, t_s)) / 2;
    return profile->energy_j[knot] + mean_w * (t_s - profile->t_s[knot]);
}
