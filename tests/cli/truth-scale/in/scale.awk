function same(what, have, want) {
    checked++
    if ((have - want) ^ 2 <= (1e-9 * want) ^ 2)
        return
    print key ": " what " is " have ", not " want
}
function mean(x, key) {
    return sum[x, key] / n[key]
}
function rmse(x, key,  i, squares) {
    squares = 0
    for (i = 1; i <= n[key]; i++)
        squares += (value[x, key, i] - mean(x, key)) ^ 2
    return sqrt(squares / n[key])
}
function relative_variance(x, key) {
    return (rmse(x, key) / mean(x, key)) ^ 2 / (n[key] - 1)
}
# The deviation of the logarithms of a series about the means of its configurations.
function pooled(x, series,  k, i, squares, df, logs) {
    squares = df = 0
    for (k in n) {
        if (index(k, series " ") != 1)
            continue
        logs = 0
        for (i = 1; i <= n[k]; i++)
            logs += log(value[x, k, i]) / n[k]
        for (i = 1; i <= n[k]; i++)
            squares += (log(value[x, k, i]) - logs) ^ 2
        df += n[k] - 1
    }
    return sqrt(squares / df)
}
function check_se(what, x, ratio) {
    same(what "_se", $(column[what "_se"]), ratio * sqrt(relative_variance(x, key) + relative_variance(x, first)))
    same(what "_pooled_se", $(column[what "_pooled_se"]), ratio * pooled(x, $(column["series"])) * sqrt(1 / n[key] + 1 / n[first]))
}
FNR == 1 {
    for (i = 1; i <= NF; i++)
        column[$i] = i
    next
}
{
    key = $(column["series"]) " " $(column["gpus"])
    first = $(column["series"]) " 1"
}
NR == FNR {
    n[key]++
    for (name in column) {
        value[name, key, n[key]] = $(column[name])
        sum[name, key] += $(column[name])
    }
    next
}
{
    configurations++
    same("n_runs", $(column["n_runs"]), n[key])
    split("wall_s gpu_h energy_kwh energy_cpu_kwh kwh_per_gpuh gpu_power_w samples_per_gpuh error_top1", quantities, " ")
    for (i in quantities) {
        x = quantities[i]
        same(x, $(column[x]), mean(x, key))
        same(x "_rmse", $(column[x "_rmse"]), rmse(x, key))
    }
    speedup = mean("wall_s", first) / mean("wall_s", key)
    same("speedup", $(column["speedup"]), speedup)
    same("efficiency", $(column["efficiency"]), speedup / $(column["gpus"]))
    same("energy_ratio", $(column["energy_ratio"]), mean("energy_kwh", key) / mean("energy_kwh", first))
    if (key != first) {
        check_se("speedup", "wall_s", speedup)
        check_se("efficiency", "wall_s", speedup / $(column["gpus"]))
        check_se("energy_ratio", "energy_kwh", mean("energy_kwh", key) / mean("energy_kwh", first))
    }
}
END {
    print configurations " configurations, " checked " numbers"
}
