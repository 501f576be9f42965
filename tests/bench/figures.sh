#!/usr/bin/env bash
# usage: tests/bench/figures.sh BIN OUT [SEED]
#
# Pairs of pictures of the same figure data, ours and matplotlib's, without names: OUT/pairs/NN-A.png and NN-B.png at
# their size in print (300 dpi), and OUT/pair-NN.png, A above B, smaller. To be judged before OUT/key.txt is opened;
# which one is A comes from the seed. docs/figures.md keeps the verdicts.
set -eu
program=$(realpath "$1")
mkdir -p "$2"
out=$(realpath "$2")
seed=${3:-1}
here=$(cd "$(dirname "$0")" && pwd)
datasets=$(cd "$here/../../datasets" && pwd)
python=${PYTHON:-/usr/bin/python3}
if ! "$python" -c 'import matplotlib, PIL' 2>/dev/null; then
    echo "skipped: there is no matplotlib (apt-get install python3-matplotlib)"
    exit 0
fi

plot() { # NAME ARGUMENT...: OUT/NAME.json, .ours.png and .theirs.png
    local name=$1
    shift
    "$program" plot "$@" -q --force -o "$out/$name.json" -o "$out/$name.ours.png"
    "$python" "$here/figure_matplotlib.py" "$out/$name.json" "$out/$name.theirs.png"
}
plot speedup campaign/speedup "$datasets/demo"
plot energy campaign/energy "$datasets/demo"
plot energy-vs-gpuh campaign/energy-vs-gpuh "$datasets/huber2025/scaled.csv" --exclude 'gpus<4'
plot per-gpuh campaign/per-gpuh "$datasets/demo"
plot time-loglog campaign/time-loglog "$datasets/demo"
plot power-vs-throughput campaign/power-vs-throughput "$datasets/demo"
plot fig3 huber/fig3 "$datasets/huber2025/scaled.csv"
plot profile trace/profile "$datasets"/demo/lbs256/16g256b4w10e/9000013
plot xy xy "$datasets/huber2025/table1.csv" --x gpus --y energy_kwh --by device --log2 x --fit powerlaw --band 95

# The papers' figures, of synthetic campaigns, in one column of a paper (85 mm) and in two (180 mm).
synth=$(dirname "$program")/wattscale-synth
[ -d "$out/huber" ] || "$synth" huber2025 "$out/huber" --scale 0.05 >"$out/messages" 2>&1
[ -d "$out/frey" ] || "$synth" frey2022 "$out/frey" --scale 0.05 >>"$out/messages" 2>&1
for width in 85 180; do
    for number in 2 4 5 6 7; do
        plot "huber-fig$number-$width" "huber/fig$number" "$out/huber" --width "$width"
    done
    for number in 2 5 6 8 14; do
        plot "frey-fig$number-$width" "frey/fig$number" "$out/frey" --width "$width"
    done
done

"$python" - "$out" "$seed" <<'PYTHON'
import pathlib
import random
import sys

from PIL import Image

out, rng = pathlib.Path(sys.argv[1]), random.Random(int(sys.argv[2]))
names = sorted(p.name.removesuffix(".ours.png") for p in out.glob("*.ours.png"))
rng.shuffle(names)
key = []
(out / "pairs").mkdir(exist_ok=True)
for number, name in enumerate(names, 1):
    order = ["ours", "theirs"]
    rng.shuffle(order)
    pictures = [Image.open(out / f"{name}.{who}.png").convert("RGB") for who in order]
    width, height, gap = min(p.width for p in pictures), min(p.height for p in pictures), 60
    pictures = [p.crop((0, 0, width, height)) for p in pictures]  # rounded to pixels in two ways
    for letter, picture in zip("AB", pictures):
        picture.save(out / "pairs" / f"{number:02d}-{letter}.png", dpi=(300, 300))
    pair = Image.new("RGB", (width, 2 * height + gap), "#cccccc")
    pair.paste(pictures[0], (0, 0))
    pair.paste(pictures[1], (0, height + gap))
    pair.thumbnail((1400, 2000))
    pair.save(out / f"pair-{number:02d}.png")
    key.append(f"{number:02d} {name} A={order[0]} B={order[1]}")
(out / "key.txt").write_text("\n".join(key) + "\n", encoding="utf-8")
print(f"{len(names)} pairs in {out}; judge them before you open key.txt")
PYTHON
