#!/usr/bin/env python3
"""usage: figure_matplotlib.py FIGURE.json OUT.png [DPI]

Draws a figure of schema wattscale.figure/1 with matplotlib as somebody who knows it well would: the same data, size,
font and colours, and by matplotlib's means all that a careful author does by hand: constrained layout, minor ticks,
2 and 5 on decades, a legend that fits above the panels or stands where no data lie, titles and letters of panels,
names beside points that cover neither points nor one another. For side-by-side comparison only.
"""
import json
import math
import re
import sys
import textwrap

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
from matplotlib import ticker
from matplotlib.transforms import Bbox

HUES = ["#004488", "#BB5566", "#DDAA33"]
TEXT = ["#004488", "#BB5566", "#8A6A00"]
TRACE = ["#6699CC", "#EE99AA", "#EECC66"]
BARS = ["#004488", "#6699CC", "#BBBBBB", "#BB5566", "#EE99AA", "#DDAA33", "#EECC66", "#555555"]
ROUNDS = [("os^", False, "-"), ("Dvp", True, (0, (5, 2.8))), ("Dvp", False, ":"), ("os^", True, "-.")]
MARKERS = {"circle": "o", "square": "s", "triangle": "^", "diamond": "D", "down": "v", "pentagon": "p"}
GREY = "#777777"
SIZES = {"o": 4.8, "s": 4.3, "^": 5.2, "D": 4.0, "v": 5.2, "p": 5.2}

plt.rcParams.update({
    "font.family": "Liberation Sans", "font.size": 7, "axes.labelsize": 7.5, "axes.titlesize": 7.5,
    "xtick.labelsize": 7, "ytick.labelsize": 7, "legend.fontsize": 7, "legend.frameon": False,
    "legend.handlelength": 2.2, "legend.borderaxespad": 0.2, "legend.columnspacing": 1.6, "legend.labelspacing": 0.35,
    "axes.spines.top": False, "axes.spines.right": False, "axes.linewidth": 0.7, "lines.linewidth": 1.0,
    "xtick.major.width": 0.7, "ytick.major.width": 0.7, "xtick.minor.width": 0.4, "ytick.minor.width": 0.4,
    "mathtext.fontset": "custom", "mathtext.rm": "Liberation Sans", "mathtext.cal": "Liberation Sans",
    "axes.grid": True, "axes.grid.axis": "y", "axes.grid.which": "major", "grid.color": "0.9", "grid.linewidth": 0.5,
    "axes.axisbelow": True, "axes.titlepad": 3, "axes.labelpad": 2.5,
})


def text_of(text):
    text = (text or "").replace("$", r"\$")
    return re.sub(r"([\^_])\{([^}]*)\}", r"$\1{\\mathrm{\2}}$", text)


class Looks:
    """Colour, marker and dash of a series, and what the figure says otherwise."""

    def __init__(self, figure):
        self.own = {look["style"]: look for look in figure.get("looks") or []}

    def of(self, style):
        own = self.own.get(style, {})
        if style < 0:
            return {"color": own.get("colour") or GREY, "marker": "o", "fill": True, "dash": "-", "text": "black",
                    "trace": "#BBBBBB", "bar": "#BBBBBB"}
        markers, is_open, dash = ROUNDS[style // 3 % 4]
        colour = own.get("colour")
        return {"color": colour or HUES[style % 3], "marker": MARKERS.get(own.get("marker"), markers[style % 3]),
                "fill": not is_open, "dash": dash, "text": colour or TEXT[style % 3],
                "trace": colour or (HUES if style // 3 % 2 else TRACE)[style % 3], "bar": colour or BARS[style % 8]}


def numbers(values):
    return [math.nan if v is None else v for v in values]


def plain(value, _=None):
    """12800 has a blank, as large numbers have in print."""
    if value and (abs(value) >= 1e6 or abs(value) < 1e-3):
        exponent = math.floor(math.log10(abs(value)) + 1e-9)
        mantissa = value / 10 ** exponent
        head = "" if abs(mantissa - 1) < 1e-9 else f"{mantissa:g}×"
        return f"{head}$10^{{\\mathrm{{{str(exponent).replace('-', '−')}}}}}$"
    text = f"{value:.10g}".replace("-", "−")
    if abs(value) >= 1e4 and value == int(value):
        text = f"{int(value):,}".replace(",", "\u00a0").replace("-", "−")
    return text


def set_scale(axes, which, axis):
    side = axes.xaxis if which == "x" else axes.yaxis
    scale = axis["scale"]
    if scale in ("log2", "log10"):
        getattr(axes, f"set_{which}scale")("log", base=2 if scale == "log2" else 10)
    if axis.get("categories"):
        side.set_major_locator(ticker.FixedLocator(range(len(axis["categories"]))))
        side.set_major_formatter(ticker.FixedFormatter([text_of(name) for name in axis["categories"]]))
        side.set_tick_params(length=0)
    getattr(axes, f"set_{which}label")(text_of(axis["label"]))
    if axis.get("hide_labels"):
        side.set_tick_params(**{"labelbottom" if which == "x" else "labelleft": False})


def length_mm(axes, which):
    box = axes.get_window_extent()
    return (box.width if which == "x" else box.height) / axes.figure.dpi * 25.4


def set_ticks(axes, which, axis):
    """When the panel has its size: as many labels as have room."""
    side = axes.xaxis if which == "x" else axes.yaxis
    lo, hi = sorted(getattr(axes, f"get_{which}lim")())
    room = length_mm(axes, which)
    if axis.get("categories"):
        return
    if axis.get("ticks"):
        side.set_major_locator(ticker.FixedLocator(axis["ticks"]))
        side.set_major_formatter(ticker.FuncFormatter(plain))
        side.set_minor_locator(ticker.NullLocator())
    elif axis["scale"] == "log2":
        exponents = range(math.ceil(math.log2(lo) - 1e-9), math.floor(math.log2(hi) + 1e-9) + 1)
        widest = max(len(plain(2.0 ** e)) for e in exponents) if exponents else 1
        least = 1.3 * widest + 1.2 if which == "x" else 3.2
        step = max(1, math.ceil(least * len(exponents) / room))
        side.set_major_locator(ticker.FixedLocator([2.0 ** e for e in exponents if e % step == 0]))
        side.set_minor_locator(ticker.FixedLocator([2.0 ** e for e in exponents]))
        side.set_major_formatter(ticker.FuncFormatter(plain))
        side.set_minor_formatter(ticker.NullFormatter())
    elif axis["scale"] == "log10":
        decade = room / max(math.log10(hi / lo), 1e-9)
        if math.log10(hi / lo) < 0.9:
            side.set_major_locator(ticker.MaxNLocator(max(3, int(room / 9)), steps=[1, 2, 5, 10]))
        else:
            side.set_major_locator(ticker.LogLocator(subs=(1, 2, 5) if decade > 14 else (1,), numticks=50))
            side.set_minor_locator(ticker.LogLocator(subs=range(1, 10), numticks=50))
        side.set_major_formatter(ticker.FuncFormatter(plain))
        side.set_minor_formatter(ticker.NullFormatter())
    else:
        side.set_major_locator(ticker.MaxNLocator(max(3, int(room / (11 if which == "x" else 8))),
                                                  steps=[1, 2, 5, 10]))
        side.set_minor_locator(ticker.AutoMinorLocator())
        formatter = ticker.ScalarFormatter(useMathText=True)
        formatter.set_powerlimits((-4, 6))
        side.set_major_formatter(formatter)


def draw_layer(axes, layer, look, bar, bars, order):
    """bar: which of the panel's `bars` layers of bars this is."""
    kind = set(layer["kind"])
    x, y, label = numbers(layer["x"]), numbers(layer["y"]), text_of(layer["label"]) or None
    if "band" in kind:
        axes.fill_between(x, numbers(layer["lo"]), numbers(layer["hi"]), color=look["color"], alpha=0.18, linewidth=0,
                          zorder=1, label=label)
    error = numbers(layer["error"]) if "errors" in kind and layer.get("error") else None
    across = numbers(layer["x_error"]) if "errors" in kind and layer.get("x_error") else None
    if "bars" in kind:
        width = 0.76 / bars
        axes.bar([at + (bar - (bars - 1) / 2) * width for at in x], y, width, color=look["bar"], yerr=error,
                 capsize=1.7, error_kw={"elinewidth": 0.7, "capthick": 0.7}, label=label)
    elif "trace" in kind:
        if layer.get("lo"):
            axes.fill_between(x, numbers(layer["lo"]), numbers(layer["hi"]), color=look["trace"], linewidth=0,
                              zorder=1.5)
        axes.plot(x, y, color=look["trace"], linewidth=0.5, label=label)
    elif "mean" in kind:
        axes.plot(x, y, color="black", linewidth=0.8, linestyle=(0, (5, 2.8)), label=label, zorder=4)
    elif "doubtful" in kind:
        axes.plot(x, y, linestyle="none", marker=look["marker"], markersize=SIZES[look["marker"]],
                  markerfacecolor="white", markeredgecolor=look["color"], markeredgewidth=0.8, zorder=6)
        axes.plot(x, y, linestyle="none", marker=".", markersize=1.5, color=look["color"], zorder=7)
    else:
        lines, marks = kind & {"line", "dashed"}, "markers" in kind
        is_open = not look["fill"] or "open" in kind
        axes.errorbar(x, y, yerr=error, xerr=across, color=look["color"],
                      linestyle=((0, (5, 2.8)) if "dashed" in kind else look["dash"]) if lines else "none",
                      marker=look["marker"] if marks else "none", markersize=SIZES[look["marker"]], capsize=1.7,
                      capthick=0.7, elinewidth=0.7, markerfacecolor="white" if is_open else look["color"],
                      markeredgecolor=look["color"] if is_open else "white",
                      markeredgewidth=0.8 if is_open else 0.4, label=label, zorder=3 + 0.01 * order)


def draw_panel(axes, panel, looks):
    bars = sum("bars" in layer["kind"] for layer in panel["layers"])
    set_scale(axes, "x", panel["x"])
    set_scale(axes, "y", panel["y"])
    for number, layer in enumerate(panel["layers"]):
        before = sum("bars" in other["kind"] for other in panel["layers"][:number])
        draw_layer(axes, layer, looks.of(layer["style"]), before, bars, number)
    for which in "xy":
        axis = panel[which]
        if axis.get("range"):
            getattr(axes, f"set_{which}lim")(*axis["range"])
        elif axis.get("from_zero") and axis["scale"] == "linear":
            getattr(axes, f"set_{which}lim")(0)
    if any("trace" in layer["kind"] for layer in panel["layers"]) and not panel["x"].get("range"):
        axes.margins(x=0)
    for line in panel["references"]:
        across = axes.axvline if line["vertical"] else axes.axhline
        across(line["value"], color=GREY, linestyle=(0, (5, 2.8)), linewidth=0.9, zorder=2)
    if panel["title"]:
        axes.set_title(text_of(panel["title"]), loc="left")
    if panel["letter"]:
        axes.annotate(panel["letter"], (0, 1), (-24, 4), xycoords="axes fraction", textcoords="offset points",
                      ha="right", va="baseline", fontweight="bold", fontsize=9)


def wrap_title(axes):
    """In two lines where it would run into the next panel, broken at its last comma or blank that fits."""
    title, room = axes._left_title, axes.get_window_extent().width * 1.04
    text = title.get_text()
    places = [i for i, letter in enumerate(text) if letter == " "]
    for place in sorted(places, key=lambda i: (text[i - 1] != ",", -i)):
        if title.get_window_extent().width <= room:
            return
        title.set_text(text[:place] + "\n" + text[place + 1:])


def marks_of(axes, panel):
    """Boxes in pixels that texts should keep off: markers, and lines cut into short pieces."""
    boxes = []
    for layer in panel["layers"]:
        kind = set(layer["kind"])
        if "bars" in kind:
            continue
        x, y = numbers(layer["x"]), numbers(layer["y"])
        places = [axes.transData.transform((a, b)) for a, b in zip(x, y) if math.isfinite(a) and math.isfinite(b) and
                  (panel["x"]["scale"] == "linear" or a > 0) and (panel["y"]["scale"] == "linear" or b > 0)]
        half = 0.9 / 25.4 * axes.figure.dpi
        if "markers" in kind:
            boxes += [Bbox.from_extents(a - half, b - half, a + half, b + half) for a, b in places]
        if kind & {"line", "dashed", "trace", "mean"}:
            for (a, b), (c, d) in zip(places, places[1:]):
                steps = max(1, int(math.hypot(c - a, d - b) / half))
                for i in range(min(steps, 400) + 1):
                    at = a + (c - a) * i / min(steps, 400), b + (d - b) * i / min(steps, 400)
                    boxes.append(Bbox.from_extents(at[0] - 1, at[1] - 1, at[0] + 1, at[1] + 1))
    for bar in axes.patches:
        boxes.append(bar.get_window_extent())
    return boxes


def covered(box, boxes):
    return sum(box.overlaps(other) for other in boxes)


def best_of(axes, text, places, taken):
    """The place that covers least, the first of equals."""
    frame, best = axes.get_window_extent(), None
    for place in places:
        place(text)
        box = text.get_window_extent()
        outside = box.x0 < frame.x0 or box.x1 > frame.x1 or box.y0 < frame.y0 or box.y1 > frame.y1
        cost = covered(box, taken) + (100 if outside else 0)
        if best is None or cost < best[0]:
            best = cost, place
        if cost == 0:
            break
    best[1](text)
    taken.append(text.get_window_extent().padded(1))


def beside(dx, dy):
    def place(text):
        text.set_position((dx, dy))
        text.set_ha("left" if dx > 0 else "right" if dx < 0 else "center")
        text.set_va("bottom" if dy > 0 else "top" if dy < 0 else "center")
    return place


def corner(x, y, ha):
    def place(text):
        text.set_position((x, y))
        text.set_ha(ha)
    return place


def add_notes(axes, panel, looks):
    taken = marks_of(axes, panel)
    line = 3.2 / length_mm(axes, "y")
    for note in panel["annotations"]:
        colour = looks.of(note["style"])["text"] if note["style"] >= 0 else "black"
        if note["in_panel"]:
            text = axes.text(note["x"], note["y"], text_of(note["text"]), color=colour, transform=axes.transAxes,
                             va="center", zorder=8)
            places = [corner(0.98, note["y"], "right")]
            places += [corner(x, y, ha) for y0, step in ((0.96, -line), (0.05, line)) for x, ha in
                       ((0.98, "right"), (0.03, "left")) for y in [y0 + step * i for i in range(7)]]
        else:
            text = axes.annotate(text_of(note["text"]), (note["x"], note["y"]), (4, 0), textcoords="offset points",
                                 color=colour, zorder=8)
            places = [beside(a * f, b * f) for f in (4, 7, 11) for a, b in
                      ((1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, 1), (1, -1), (-1, -1))]
        best_of(axes, text, places, taken)
    for line_of in panel["references"]:
        if not line_of["label"]:
            continue
        if line_of["vertical"]:
            text = axes.annotate(line_of["label"], (line_of["value"], 1), (3, -3), textcoords="offset points",
                                 xycoords=axes.get_xaxis_transform(), va="top")
        else:
            text = axes.annotate(line_of["label"], (1, line_of["value"]), (-2, 2), textcoords="offset points",
                                 xycoords=axes.get_yaxis_transform(), ha="right", va="bottom")
        taken.append(text.get_window_extent())
    return taken


def entries_of(panels):
    """One handle a name: band, line and markers of a series on top of each other."""
    parts = {}
    for axes in panels:
        for handle, label in zip(*axes.get_legend_handles_labels()):
            first = handle[0] if isinstance(handle, tuple) and handle else None
            what = type(handle).__name__
            if hasattr(first, "get_marker"):
                what = first.get_marker() if first.get_marker() != "None" else "line"
            parts.setdefault(label, {}).setdefault(what, handle)
    entries = {label: tuple(of.values()) if len(of) > 1 else next(iter(of.values())) for label, of in parts.items()}
    means = [label for label in entries if "mean" in label.lower()]
    order = [label for label in entries if label not in means] + means
    return [entries[label] for label in order], order


def legend_above(figure, handles, labels, foot):
    """As many columns as fit the width; the panels begin below it."""
    for columns in range(min(len(labels), 8), 0, -1):
        legend = figure.legend(handles, labels, loc="upper center", ncol=columns)
        box = legend.get_window_extent(figure.canvas.get_renderer())
        if box.width < 0.97 * figure.bbox.width or columns == 1:
            rows = math.ceil(len(labels) / columns)
            columns = math.ceil(len(labels) / rows)
            legend.remove()
            legend = figure.legend(handles, labels, loc="upper center", ncol=columns)
            box = legend.get_window_extent(figure.canvas.get_renderer())
            break
        legend.remove()
    height = (box.height + 3) / figure.bbox.height
    figure.get_layout_engine().set(rect=(0, foot, 1, 1 - height - foot))


def legend_inside(figure, axes, handles, labels, taken):
    """Where it covers nothing; False where there is no such place."""
    for place in ["upper left", "upper right", "lower right", "lower left", "center right", "center left",
                  "upper center", "lower center", "center"]:
        legend = axes.legend(handles, labels, loc=place)
        box = legend.get_window_extent(figure.canvas.get_renderer())
        frame = axes.get_window_extent()
        if covered(box, taken) == 0 and box.height < frame.height and box.width < frame.width:
            return True
        legend.remove()
    return False


def share_ranges(panels, data):
    for which in "xy":
        for number in {panel["share"] for panel in data["panels"] if panel.get("share")}:
            group = [axes for axes, panel in zip(panels, data["panels"]) if panel.get("share") == number]
            limits = [getattr(axes, f"get_{which}lim")() for axes in group]
            for axes in group:
                getattr(axes, f"set_{which}lim")(min(lo for lo, _ in limits), max(hi for _, hi in limits))


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        data = json.load(file)
    looks = Looks(data)
    figure, cells = plt.subplots(data["rows"], data["columns"], squeeze=False, layout="constrained",
                                 figsize=(data["width_mm"] / 25.4, data["height_mm"] / 25.4),
                                 dpi=int(sys.argv[3]) if len(sys.argv) > 3 else 300)
    figure.get_layout_engine().set(w_pad=3 / 72, h_pad=2.5 / 72, wspace=0.03, hspace=0.03)
    cells = list(cells.flat)
    panels, spare = cells[:len(data["panels"])], cells[len(data["panels"]):]
    for axes in spare:
        axes.axis("off")
    for axes, panel in zip(panels, data["panels"]):
        draw_panel(axes, panel, looks)
    share_ranges(panels, data)
    foot = 0
    notes = [data.get("footnote") or ""]
    if data["synthetic"]:
        notes.insert(0, "Synthetic data: made by a program, not measured.")
    if any(notes):
        letters = int(data["width_mm"] / 0.98)  # of 6 pt
        text = figure.text(0.01, 0.005, "\n".join(textwrap.wrap(" ".join(note for note in notes if note), letters)),
                           ha="left", va="bottom", fontsize=6)
        foot = (text.get_window_extent(figure.canvas.get_renderer()).height + 8) / figure.bbox.height
        figure.get_layout_engine().set(rect=(0, foot, 1, 1 - foot))
    handles, labels = entries_of(panels)
    place = data["legend"] or "top"
    if place == "facets" or place == "cell" and not spare:
        place = "top"
    if labels and place == "top":
        legend_above(figure, handles, labels, foot)
    if labels and place == "cell":
        spare[0].legend(handles, labels, loc="center left")
    figure.canvas.draw()
    for axes in panels:
        wrap_title(axes)
    for _ in range(2):
        figure.canvas.draw()
        for axes, panel in zip(panels, data["panels"]):
            set_ticks(axes, "x", panel["x"])
            set_ticks(axes, "y", panel["y"])
    figure.canvas.draw()
    figure.set_layout_engine("none")
    taken = [add_notes(axes, panel, looks) for axes, panel in zip(panels, data["panels"])]
    if labels and place == "inside" and not any(
            legend_inside(figure, axes, handles, labels, of) for axes, of in zip(panels, taken)):
        panels[0].legend(handles, labels, loc="best")
    figure.savefig(sys.argv[2], dpi=figure.dpi)


main()
