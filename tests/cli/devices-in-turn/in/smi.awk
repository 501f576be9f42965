# Rows of nvidia-smi --query-gpu for several GPUs without an index, and for each GPU the trapezoid over its own rows.
# -v n= polls= inside= period= [jitter= late= by= wide= missing= repeated= memory= names= apart= whole= seed=]
function random() { state = (state * 16807) % 2147483647; return state / 2147483647 }
function stamp(ms) {
    ms += 8 * 3600000
    text = sprintf("2026/02/11 %02d:%02d:%02d", ms / 3600000, (ms / 60000) % 60, (ms / 1000) % 60)
    return whole ? text : text sprintf(".%03d", ms % 1000)
}
BEGIN {
    state = 12345 + 77 * seed
    for (i = 0; i < 10; i++) random()
    print "timestamp" (names ? ", name" : "") ", power.draw [W], utilization.gpu [%]" (memory ? ", memory.used [MiB]" : "")
    for (p = 0; p < polls; p++) {
        ms = p * period + int(random() * 20)
        for (g = 0; g < n; g++) {
            if (g) ms += inside + int(random() * jitter)
            if (late && p % late == late - 1 && g == (p + seed) % n) ms += by + int(random() * wide)
            if (missing && p % missing == missing - 1 && g == (p + seed) % n) continue
            w = (apart ? 150 + 60 * ((g * 5 + seed) % 8) : 250) + int(random() * 2000) / 100
            row = stamp(ms) (names ? ", NVIDIA A100-SXM4-40GB" : "") sprintf(", %.2f W, %d %%", w, 90 + int(random() * 10))
            if (memory) row = row sprintf(", %d MiB", 30000 + (g * 7 % n) * 131)
            print row
            if (repeated && p % repeated == repeated - 1 && g == (p + seed) % n) print row
            t = whole ? int(ms / 1000) * 1000 : ms
            if (g in last) energy[g] += (w + power[g]) / 2 * (t - last[g]) / 1000
            last[g] = t
            power[g] = w
        }
    }
    for (g = 0; g < n; g++) printf "gpu%d,%.6f\n", g, energy[g] >"truth.csv"
}
