#!/usr/bin/env python3
"""usage: figure_matplotlib.py FIGURE.json OUT.png [DPI]

Draws a figure of schema wattscale.figure/1 with matplotlib as somebody who knows it well would: the same data, size,
font and colours, its own layout, ticks and legend placing. For side-by-side comparison only.
"""
import json
import math
import re
import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
from matplotlib import ticker

HUES = ["#004488", "#BB5566", "#DDAA33"]
TEXT = ["#004488", "#BB5566", "#8A6A00"]
TRACE = ["#6699CC", "#EE99AA", "#EECC66"]
BARS = ["#004488", "#6699CC", "#BBBBBB", "#BB5566", "#EE99AA", "#DDAA33"]
ROUNDS = [("os^", False, "-"), ("Dvp", True, "--"), ("Dvp", False, ":"), ("os^", True, "-.")]

plt.rcParams.update({
    "font.family": "Liberation Sans", "font.size": 7, "axes.labelsize": 7.5, "axes.titlesize": 7.5,
    "xtick.labelsize": 7, "ytick.labelsize": 7, "legend.fontsize": 7, "legend.frameon": False,
    "axes.spines.top": False, "axes.spines.right": False, "axes.linewidth": 0.7, "lines.linewidth": 1.0,
    "xtick.major.width": 0.7, "ytick.major.width": 0.7, "mathtext.fontset": "custom",
    "mathtext.rm": "Liberation Sans", "mathtext.cal": "Liberation Sans", "axes.grid": True, "axes.grid.axis": "y",
    "grid.color": "0.9", "grid.linewidth": 0.5, "axes.axisbelow": True,
})


def text_of(text):
    return re.sub(r"([\^_])\{([^}]*)\}", r"$\1{\\mathrm{\2}}$", text) if text else ""


def look_of(style):
    if style < 0:
        return {"color": "#777777", "marker": "o", "fill": True, "dash": "-", "text": "black"}
    markers, is_open, dash = ROUNDS[style // 3 % 4]
    return {"color": HUES[style % 3], "marker": markers[style % 3], "fill": not is_open, "dash": dash,
            "text": TEXT[style % 3]}


def numbers(values):
    return [math.nan if v is None else v for v in values]


def set_axis(axes, which, axis):
    side = axes.xaxis if which == "x" else axes.yaxis
    scale = axis["scale"]
    if scale in ("log2", "log10"):
        base = 2 if scale == "log2" else 10
        getattr(axes, f"set_{which}scale")("log", base=base)
        if base == 2:
            side.set_major_locator(ticker.LogLocator(base=2, numticks=20))
            side.set_minor_locator(ticker.NullLocator())
        side.set_major_formatter(ticker.FuncFormatter(lambda v, _: f"{v:g}"))
    if axis.get("categories"):
        side.set_major_locator(ticker.FixedLocator(range(len(axis["categories"]))))
        side.set_major_formatter(ticker.FixedFormatter(axis["categories"]))
    if axis.get("range"):
        getattr(axes, f"set_{which}lim")(*axis["range"])
    elif axis.get("from_zero"):
        getattr(axes, f"set_{which}lim")(0)
    getattr(axes, f"set_{which}label")(text_of(axis["label"]))


def draw_layer(axes, layer, bar, bars):
    """bar: which of the panel's `bars` layers of bars this is."""
    kind, look = set(layer["kind"]), look_of(layer["style"])
    x, y, label = numbers(layer["x"]), numbers(layer["y"]), layer["label"]
    if "band" in kind:
        axes.fill_between(x, numbers(layer["lo"]), numbers(layer["hi"]), color=look["color"], alpha=0.18, linewidth=0)
    if "bars" in kind:
        width = 0.8 / bars
        axes.bar([at + (bar - (bars - 1) / 2) * width for at in x], y, width, color=BARS[layer["style"] % 6],
                 yerr=numbers(layer["error"]) if layer.get("error") else None, capsize=1.7,
                 error_kw={"elinewidth": 0.7}, label=label)
    elif "trace" in kind:
        axes.plot(x, y, color=TRACE[layer["style"] % 3], linewidth=0.5, label=label)
    elif "mean" in kind:
        axes.plot(x, y, color="black", linewidth=1.2, linestyle="--", label=label)
    else:
        lines, marks = kind & {"line", "dashed"}, "markers" in kind
        axes.errorbar(x, y, yerr=numbers(layer["error"]) if "errors" in kind and layer.get("error") else None,
                      xerr=numbers(layer["x_error"]) if layer.get("x_error") else None,
                      color=look["color"], linestyle=("--" if "dashed" in kind else look["dash"]) if lines else "none",
                      marker=look["marker"] if marks else "none", markersize=4.8, capsize=1.7, elinewidth=0.7,
                      markerfacecolor=look["color"] if look["fill"] else "white",
                      markeredgecolor="white" if look["fill"] else look["color"], markeredgewidth=0.4, label=label)


def draw_panel(axes, panel):
    bars = sum("bars" in layer["kind"] for layer in panel["layers"])
    for number, layer in enumerate(panel["layers"]):
        draw_layer(axes, layer, sum("bars" in before["kind"] for before in panel["layers"][:number]), bars)
    set_axis(axes, "x", panel["x"])
    set_axis(axes, "y", panel["y"])
    for line in panel["references"]:
        across = axes.axvline if line["vertical"] else axes.axhline
        across(line["value"], color="#777777", linestyle="--", linewidth=0.9)
    for note in panel["annotations"]:
        style = note["style"]
        where = {"transform": axes.transAxes, "ha": "right", "va": "center"} if note["in_panel"] else {}
        axes.text(note["x"], note["y"], text_of(note["text"]), color="black" if style < 0 else TEXT[style % 3], **where)
    if panel["title"]:
        axes.set_title(text_of(panel["title"]), loc="left")
    if panel["letter"]:
        axes.set_title(panel["letter"], loc="left", x=-0.12, fontweight="bold", fontsize=9)


def place_inside(figure, axes, handles, labels):
    """The first place where the legend covers no text, beginning with matplotlib's own choice."""
    for place in ["best", "upper left", "lower left", "upper right", "lower right", "best"]:
        legend = axes.legend(handles, labels, loc=place)
        figure.canvas.draw()
        box = legend.get_window_extent()
        if not any(box.overlaps(text.get_window_extent()) for text in axes.texts):
            return


def add_legend(figure, panels, place, spare):
    entries = {}
    for axes in panels:
        for handle, label in zip(*axes.get_legend_handles_labels()):
            first = handle[0] if isinstance(handle, tuple) and handle else None
            is_marked = hasattr(first, "get_marker") and first.get_marker() != "None"
            if label not in entries or is_marked:
                entries[label] = handle
    if not entries or place == "none":
        return
    labels, handles = [text_of(l) for l in entries], list(entries.values())
    if place == "inside":
        place_inside(figure, panels[0], handles, labels)
    elif place == "cell" and spare:
        spare[0].legend(handles, labels, loc="center")
    else:
        figure.legend(handles, labels, loc="upper center", ncol=min(6, len(labels)))
        figure.set_constrained_layout_pads(h_pad=0.04)
        legend = 0.07 * math.ceil(len(labels) / 6) * 70 / (figure.get_figheight() * 25.4)
        figure.get_layout_engine().set(rect=(0, 0, 1, 1 - legend))


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        data = json.load(file)
    figure, cells = plt.subplots(data["rows"], data["columns"], squeeze=False, layout="constrained",
                                 figsize=(data["width_mm"] / 25.4, data["height_mm"] / 25.4))
    cells = list(cells.flat)
    panels, spare = cells[:len(data["panels"])], cells[len(data["panels"]):]
    for axes in spare:
        axes.axis("off")
    for axes, panel in zip(panels, data["panels"]):
        draw_panel(axes, panel)
    add_legend(figure, panels, data["legend"], spare)
    if data["synthetic"]:
        figure.supxlabel("Synthetic data: made by a program, not measured.", x=0.01, ha="left", fontsize=6)
    figure.savefig(sys.argv[2], dpi=int(sys.argv[3]) if len(sys.argv) > 3 else 300)


main()
