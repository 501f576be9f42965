# P(|t| > at) of 2, 3 and 6 degrees of freedom, in closed form.
function beyond(at, df,  s, c) {
    c = 1 / (1 + at ^ 2 / df)
    s = at / sqrt(df + at ^ 2)
    if (df == 2)
        return 1 - s
    if (df == 6)
        return 1 - s * (1 + c / 2 + 3 * c ^ 2 / 8)
    return 1 - 2 / 3.14159265358979 * (atan2(s, sqrt(c)) + s * sqrt(c))
}
# The share of the average of 13 models of the errors that lies beyond `half`: variances 1 + g y^2, g = 0, eleven steps, and y^2 alone.
function outside(g, half,  k, m, i, least, next_least, most, growth, v, wxx, wxy, logs, rss, of_b, weight, all, share, off) {
    k = n[g]
    least = next_least = 1e300
    for (i = 1; i <= k; i++) {
        if (py[g, i] > most) most = py[g, i]
        if (py[g, i] < least) { next_least = least; least = py[g, i] } else if (py[g, i] < next_least) next_least = py[g, i]
    }
    for (m = 0; m < 13; m++) {
        growth = 0.1 / most ^ 2 * (100 * most ^ 2 / next_least ^ 2) ^ ((m - 1) / 10)
        wxx = wxy = logs = rss = of_b = 0
        for (i = 1; i <= k; i++) {
            v = m == 0 ? 1 : m == 12 ? py[g, i] ^ 2 : 1 + growth * py[g, i] ^ 2
            wxx += px[g, i] ^ 2 / v; wxy += px[g, i] * py[g, i] / v; logs += log(v); of_b += (px[g, i] / xx[g]) ^ 2 * v
        }
        for (i = 1; i <= k; i++) {
            v = m == 0 ? 1 : m == 12 ? py[g, i] ^ 2 : 1 + growth * py[g, i] ^ 2
            off = py[g, i] - wxy / wxx * px[g, i]
            rss += off ^ 2 / v
        }
        weight = (m == 0 ? 0.35 : m == 12 ? 0.55 : 0.1 / 11) * exp(-((k - 1) * log(rss) + logs + log(wxx)) / 2)
        all += weight
        share += weight * beyond(half / sqrt(rss / (k - 1) * of_b), k - 1)
    }
    return share / all
}
NR == FNR && FNR > 1 && $2 >= 4 {
    s = $1; n[s]++
    px[s, n[s]] = $9; py[s, n[s]] = $7
    xx[s] += $9 ^ 2; xy[s] += $9 * $7; yy[s] += $7 ^ 2; x[s] += $9; y[s] += $7
}
NR != FNR && $4 == "slope" {
    slope = xy[$1] / xx[$1]
    printf "%s: %d of %d points, slope %.5f, %s by hand; outside of its interval %.6f\n", $1, $3, n[$1], $5,
        ($5 / slope - 1) ^ 2 < 1e-20 ? "as" : "not", outside($1, $8 - $5)
}
NR != FNR && $4 == "textbook" {
    equal = sqrt((yy[$1] - xy[$1] ^ 2 / xx[$1]) / (n[$1] - 1) / xx[$1])
    print $1 ": standard error of errors of one size " (($6 / equal - 1) ^ 2 < 1e-12 ? "as" : "not") " by hand"
}
NR != FNR && $4 == "ratio-of-sums" { print $1 ": ratio of sums " (($5 * x[$1] / y[$1] - 1) ^ 2 < 1e-20 ? "as" : "not") " by hand" }
