/* What of the command line changes a recipe's figure or table, beside what reads its data: other options are refused.
 */
#ifndef WS_ANALYZE_RECIPE_OPTIONS_H
#define WS_ANALYZE_RECIPE_OPTIONS_H

#include <stdbool.h>
#include <string.h>

enum {
    WS_TAKES_BAND = 1,      /* --band: there are bands about fits */
    WS_TAKES_REFERENCE = 2, /* --reference: there are ratios to it */
    WS_TAKES_SCALING = 4,   /* --scaling: weak and strong scaling differ */
    WS_TAKES_PER = 8,       /* --per: times or energies of an epoch or a sample */
    WS_TAKES_GROUP = 16     /* --group: there are configurations */
};

/* Spreads of other divisors (--sd) are in no recipe. */
static inline bool ws_recipe_takes(unsigned takes, const char *option)
{
    static const struct {
        const char *name;
        unsigned bit;
    } options[] = {{"band", WS_TAKES_BAND}, {"reference", WS_TAKES_REFERENCE}, {"scaling", WS_TAKES_SCALING},
                   {"per", WS_TAKES_PER},   {"group", WS_TAKES_GROUP},         {"sd", 0}};
    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        if (strcmp(options[i].name, option) == 0)
            return (takes & options[i].bit) != 0;
    return true;
}

#endif
