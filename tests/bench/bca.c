/* Seconds of processor time that 10,000 BCa resamples of a line through 50 points take: the shortest of five runs. */
#include "fit/bootstrap.h"

#include <stdio.h>
#include <time.h>

int main(void)
{
    enum { POINTS = 50, ROUNDS = 5 };
    double x[POINTS], y[POINTS], least = 1e9;
    const ws_pairs pairs = {x, y};
    ws_bootstrap b;
    for (int i = 0; i < POINTS; i++) {
        x[i] = i + 1;
        y[i] = 3 + 0.25 * x[i] + (i * 37 % 11) * 0.1;
    }
    for (int round = 0; round < ROUNDS; round++) {
        clock_t start = clock();
        if (ws_bootstrap_bca(ws_pairs_slope, &pairs, POINTS, NULL, 10000, 1, 0.95, &b, NULL) != WS_OK)
            return 1;
        double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
        least = seconds < least ? seconds : least;
    }
    printf("bootstrap: %.3f s for 10000 BCa resamples of a line through %d points (asked: 0.2 s)\n", least, POINTS);
    return 0;
}
