#!/usr/bin/env bash
# usage: tests/soak/page.sh BIN
#
# The page of a report in a real browser (Chromium, headless): it loads without a word on the console and without
# any request
# to a network, all text has the contrast of WCAG 2 AA in the light and the dark scheme, every column sorts both
# ways, every point of a figure can be hit and shows its values, and nothing but tables
# and figures scrolls sideways on a narrow screen. Where there is no Chromium it says so and is skipped.
set -u
program=$(realpath "$1")
datasets=$(cd "$(dirname "$0")/../../datasets" && pwd)
browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome)
if [ -z "$browser" ]; then
    echo "skipped: there is no chromium (apt-get install chromium)"
    exit 0
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail() {
    echo "the page: $*"
    exit 1
}

# Clicks through the page and leaves a line for each thing that is wrong in <body data-checked>.
probe() {
    cat <<'SCRIPT'
<script>
addEventListener("load", function () {
  const wrong = [];
  let clicks = 0, hits = 0;
  const key = (cell, number) => number ? parseFloat(cell.dataset.v) : cell.textContent;
  function inOrder(table, column, way) {
    const number = table.tHead.rows[0].cells[column].classList.contains("n");
    const keys = Array.from(table.tBodies[0].rows, row => key(row.cells[column], number));
    const known = keys.filter(k => !number || !isNaN(k));
    if (number && keys.slice(0, known.length).some(isNaN)) return false;
    const order = (a, b) => number ? a - b : a.localeCompare(b, "en", {numeric: true});
    return known.every((k, i) => !i || way * order(k, known[i - 1]) >= 0);
  }
  // WCAG 2: relative luminance and contrast of two colours as the browser computed them.
  const parts = colour => (colour.match(/[\d.]+/g) || [0, 0, 0, 0]).map(Number);
  const linear = c => (c /= 255) <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
  const luminance = c => 0.2126 * linear(c[0]) + 0.7152 * linear(c[1]) + 0.0722 * linear(c[2]);
  function behind(element) {
    for (; element; element = element.parentElement) {
      const colour = parts(getComputedStyle(element).backgroundColor);
      if (colour.length < 4 || colour[3] === 1) return colour;
    }
    return [255, 255, 255];
  }
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  let texts = 0;
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement, style = getComputedStyle(element);
    if (!node.data.trim() || element.closest("script,style,svg")) continue;
    if (style.visibility === "hidden" || !element.getClientRects().length) continue;
    const ink = luminance(parts(style.color)), paper = luminance(behind(element));
    const size = parseFloat(style.fontSize), large = size >= 24 || (size >= 18.66 && +style.fontWeight >= 700);
    const contrast = (Math.max(ink, paper) + 0.05) / (Math.min(ink, paper) + 0.05);
    texts++;
    if (contrast < (large ? 3 : 4.5))
      wrong.push("a contrast of " + contrast.toFixed(2) + ": " + node.data.trim().slice(0, 40));
  }
  for (const table of document.querySelectorAll("table.sort"))
    Array.from(table.tHead.rows[0].cells, function (head, column) {
      const button = head.querySelector("button");
      button.focus();
      if (document.activeElement !== button) wrong.push("a column cannot be reached by the keyboard");
      for (const [way, word] of [[1, "ascending"], [-1, "descending"]]) {
        button.click();
        clicks++;
        if (head.getAttribute("aria-sort") !== word) wrong.push("aria-sort is not " + word);
        if (!inOrder(table, column, way))
          wrong.push(table.getAttribute("aria-labelledby") + " column " + column + " is not " + word);
      }
    });
  for (const figure of document.querySelectorAll("figure")) {
    for (const circle of figure.querySelectorAll("circle")) {
      circle.scrollIntoView({block: "center", inline: "center"});
      const box = circle.getBoundingClientRect();
      const hit = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
      if (!hit || hit.tagName !== "circle") wrong.push(figure.id + ": a point cannot be hit");
      if (!circle.querySelector("title").textContent.trim()) wrong.push(figure.id + ": a point has no values");
      hits++;
    }
    const first = figure.querySelector("circle");
    if (!first) continue;
    first.dispatchEvent(new MouseEvent("click", {bubbles: true}));
    if (figure.querySelector("output").textContent !== first.textContent)
      wrong.push(figure.id + ": a tap shows no values");
  }
  const root = document.documentElement;
  if (root.scrollWidth > root.clientWidth) wrong.push("the page is wider than the screen");
  const scheme = matchMedia("(prefers-color-scheme: dark)").matches ? " in the dark" : "";
  document.body.dataset.checked = clicks + " sorts, " + hits + " points, " + texts + " texts" + scheme +
    wrong.map(w => "|" + w).join("");
});
</script>
SCRIPT
}

visit() { # WIDTH FILE OPTION...: leaves the page as it became in dom.html, the console in log, the network in net.json
    local width=$1 file=$2
    shift 2
    timeout 120 "$browser" "$@" --headless --no-sandbox --disable-gpu --disable-background-networking \
        --disable-component-update --user-data-dir="$work/profile" --enable-logging=stderr \
        --log-net-log="$work/net.json" --window-size="$width,900" --virtual-time-budget=60000 \
        --dump-dom "file://$file" >"$work/dom.html" 2>"$work/log" ||
        fail "chromium failed: $(tail -n 1 "$work/log")"
}

# The browser has errands of its own; what a page from a file asks for is marked with its site.
asks_network() {
    grep -Eo 'site=file://[^"]*","url":"(https?|wss?|ftp):[^"]*' "$work/net.json"
}

# A page that does both wrong must be found out, or the checks below mean nothing.
printf '<!DOCTYPE html><img src="http://127.0.0.1:9/x.png"><script>console.error("x")</script>' >"$work/control.html"
visit 500 "$work/control.html"
asks_network >/dev/null && grep -q CONSOLE "$work/log" ||
    fail "this browser does not tell of requests and of its console"

"$program" report "$datasets/demo" -o "$work/report" -q >/dev/null || fail "wattscale report failed"
cp "$work/report/index.html" "$work/probe.html"
probe >>"$work/probe.html"
check() { # WIDTH OPTION...
    local width=$1
    shift
    visit "$width" "$work/probe.html" "$@"
    grep -q CONSOLE "$work/log" && fail "$(grep -m 1 CONSOLE "$work/log")"
    asks_network && fail "it asks the network"
    checked=$(grep -o 'data-checked="[^"]*"' "$work/dom.html" | cut -d'"' -f2)
    [ -n "$checked" ] || fail "the probe did not come to its end at a width of $width"
    case $checked in *"|"*) fail "at a width of $width${1:+, $1}: ${checked#*|}" ;; esac
}
for scheme in 1 0; do # light, dark; headless windows are at least 500 wide
    check 500 --blink-settings=preferredColorScheme=$scheme
    check 1280 --blink-settings=preferredColorScheme=$scheme
done
case $checked in *"in the dark") ;; *) fail "this browser has no dark scheme" ;; esac
echo "$checked, nothing on the console, no request"
