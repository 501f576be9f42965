# Rows of nvidia-smi --query-gpu without an index whose n GPUs are spread evenly over the time from poll to poll,
# and for each
# GPU the trapezoid over its own rows, from six seeds: smi1.csv to smi6.csv, and truth.csv. One GPU (n=1) is a plain log at a steady interval.
# -v n= polls= period= [load=even|noise|wave|phases|square] [apart=WATTS from GPU to GPU] [noise=W] [memory=]
# [temperature=]
# [jitter=ms] [missing=] [late= by=]
function random() { state = (state * 16807) % 2147483647; return state / 2147483647 }
function stamp(ms) {
    ms += 8 * 3600000
    return sprintf("2026/02/11 %02d:%02d:%02d.%03d", ms / 3600000, (ms / 60000) % 60, (ms / 1000) % 60, ms % 1000)
}
function share(ms) { # of the full load
    if (load == "wave") return 0.7 + 0.3 * sin(ms / period / 5.3)
    if (load == "phases") return int(ms / period / 37) % 3 ? 1 : 0.3
    if (load == "square") return ms % (period * 23.7) < period * 11 ? 1 : 0.4
    return 1
}
function write(seed,  file, i, g, p, ms, w, row, level, used, heat, drift, last, power, energy) {
    file = "smi" seed ".csv"
    state = 999 + 31 * seed
    for (i = 0; i < 10; i++) random()
    print "timestamp, power.draw [W]" (memory ? ", memory.used [MiB]" : "") (temperature ? ", temperature.gpu" : "") >file
    for (g = 0; g < n; g++) {
        level[g] = 280 + apart * ((g * 5 + seed) % 8)
        used[g] = 30000 + (g * 7 % n) * 131
        heat[g] = 41 + (g * 11 + 3 * seed) % 17
    }
    for (p = 0; p < polls; p++)
        for (g = 0; g < n; g++) {
            ms = p * period + int(g * period / n) + int(random() * jitter)
            if (late && (p * n + g) % late == late - 1) ms += by
            if (missing && random() < 1 / missing) continue
            drift[g] = 0.8 * drift[g] + random() - 0.5
            w = level[g] * share(ms) + 2 * drift[g] + noise * (random() - 0.5) + (load == "noise" ? 40 * random() : 0)
            row = stamp(ms) sprintf(", %.2f W", w)
            if (memory) row = row sprintf(", %d MiB", memory == "same" ? 30000 : used[g])
            if (temperature) row = row sprintf(", %d", heat[g] + 4 * share(ms) + (random() < 0.1))
            print row >file
            w = sprintf("%.2f", w)
            if (g in last) energy[g] += (w + power[g]) / 2 * (ms - last[g]) / 1000
            last[g] = ms
            power[g] = w
        }
    for (g = 0; g < n; g++) printf "%d %.6f\n", seed, energy[g] >"truth.csv"
    close(file)
}
BEGIN { for (seed = 1; seed <= 6; seed++) write(seed) }
