function planted(key) {
    match($0, "\"" key "\":\"?[^,\"}]*")
    return substr($0, RSTART + length(key) + 3 + (substr($0, RSTART + length(key) + 3, 1) == "\""), \
                  RLENGTH - length(key) - 3 - (substr($0, RSTART + length(key) + 3, 1) == "\""))
}
function same(what, have, want, tolerance) {
    if ((have - want) ^ 2 <= (tolerance * want) ^ 2)
        return
    print run ": " what " is " have ", planted " want
    wrong++
}
FNR == 1 && NR == 1 {
    for (i = 1; i <= NF; i++)
        column[$i] = i
    next
}
NR == FNR {
    for (name in column)
        got[$1, name] = $(column[name])
    found++
    next
}
/"run":.*"wall_s":/ {
    run = planted("run")
    if (!((run, "run") in got)) {
        print run " is missing"
        wrong++
        next
    }
    same("wall_s", got[run, "wall_s"], planted("wall_s"), 1e-9)
    same("energy_kwh", got[run, "energy_kwh"], planted("energy_j") / 3.6e6, 1e-12)
    same("energy_gpu_kwh", got[run, "energy_gpu_kwh"], planted("energy_gpu_j") / 3.6e6, 1e-12)
    same("energy_cpu_kwh", got[run, "energy_cpu_kwh"], planted("energy_cpu_j") / 3.6e6, 1e-12)
    same("energy_dram_kwh", got[run, "energy_dram_kwh"], planted("energy_dram_j") / 3.6e6, 1e-12)
    same("gpu_h", got[run, "gpu_h"], planted("gpu_h"), 1e-9)
    same("gpus", got[run, "gpus"], planted("gpus"), 0)
    same("nodes", got[run, "nodes"], planted("nodes"), 0)
    same("gbs", got[run, "gbs"], planted("gbs"), 0)
    same("error_top1", got[run, "error_top1"], planted("error_top1"), 1e-12)
    same("job_wall_s", got[run, "job_wall_s"], planted("job_wall_s"), 0)
    if (got[run, "status"] != "ok" || got[run, "energy_scope"] != "gpu+cpu+dram" || got[run, "coverage"] != 1)
        print run ": " got[run, "status"] " " got[run, "energy_scope"] " " got[run, "coverage"]
    planted_runs++
}
END {
    print found " runs, " planted_runs " planted, " wrong + 0 " wrong"
}
