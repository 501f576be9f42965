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
        same("speedup_se", $(column["speedup_se"]), speedup * sqrt(relative_variance("wall_s", key) + relative_variance("wall_s", first)))
        same("energy_ratio_se", $(column["energy_ratio_se"]), mean("energy_kwh", key) / mean("energy_kwh", first) * \
             sqrt(relative_variance("energy_kwh", key) + relative_variance("energy_kwh", first)))
    }
}
END {
    print configurations " configurations, " checked " numbers"
}
