# SPDX-License-Identifier: MIT
"""Charts of tables: a mark before a Markdown table has its figures drawn as bars, above the table, which stays.

    <!-- chart title="The time of one call" values="2 3" scale="log" -->

`values` numbers the columns to draw, `labels` those that name a row (the first, unless it says so). `rows` chooses the
rows that a pattern is found in; `target` is a column of what is to be reached; `goal` a figure for all rows ("2 s").
Words keep their size on a phone: lengths are shares of the chart's width, and only heights are pixels.
"""

import html
import math
import re
import textwrap

from kit import Fault
from markup import element, escaped

KEYS = {"title", "values", "labels", "rows", "scale", "target", "goal"}
TIMES = {"ns": 1e-9, "us": 1e-6, "µs": 1e-6, "ms": 1e-3, "s": 1, "min": 60}
UNITS = r"ns|us|µs|ms|min|s|%|x"
NUMBER = re.compile(rf"[^\d–-]*(\d[\d,]*(?:\.\d+)?)(?: to (\d[\d,]*(?:\.\d+)?))?(?: ?({UNITS})(?![a-z]))?")
BARS = 76                                                         # per cent of the width; the figures stand behind
SMALL, LABEL, BAR, GAP = 18, 19, 15, 9                            # pixels
LETTERS = 46                                                      # of a label's line, on a phone
MOST_SERIES = 4                                                   # as many as site.css has looks for


class Figure:
    """What a cell says: a number, or a range, and how it is written."""

    def __init__(self, cell):
        found = NUMBER.match(cell)
        self.shown = "–"
        self.low = self.high = None
        if found:
            first, last, unit = found.groups()
            factor = TIMES.get(unit, 1)
            self.low = float(first.replace(",", "")) * factor
            self.high = float(last.replace(",", "")) * factor if last else self.low
            self.unit = unit or ""
            self.shown = found[0].strip("≤≥ ")


class Scale:
    """Where a number stands, in per cent of the chart's width."""

    def __init__(self, numbers, logarithmic):
        self.logarithmic = logarithmic
        if logarithmic:
            self.first = math.floor(math.log10(min(n for n in numbers if n > 0)))
            self.last = max(math.ceil(math.log10(max(numbers))), self.first + 1)
        else:
            self.first, self.last = 0, max(numbers) or 1

    def place(self, number):
        if not self.logarithmic:
            return BARS * number / self.last
        if number <= 0:
            return 0
        return BARS * (math.log10(number) - self.first) / (self.last - self.first)

    def decades(self):
        return range(self.first, self.last + 1) if self.logarithmic else ()


def decade_name(power, unit):
    """10^-5 of seconds is 10 µs."""
    if unit not in TIMES:
        return f"{10 ** power:g}" + (f" {unit}" if unit else "")
    name = next(name for name in ("s", "ms", "µs", "ns") if power >= round(math.log10(TIMES[name])) or name == "ns")
    return f"{10 ** (power - round(math.log10(TIMES[name]))):g} {name}"


def options_of(mark, where):
    """The mark's words: {"title": ..., "values": [1, 2], ...}; columns count from 0 here."""
    words = dict(re.findall(r'(\w+)="([^"]*)"', mark))
    left = re.sub(r'\w+="[^"]*"', "", mark.partition("chart")[2]).strip()
    unknown = sorted(words.keys() - KEYS) or left.split()
    if unknown or not {"title", "values"} <= words.keys():
        raise Fault(f"{where}: a chart has title and values, and may have "
                    f"{', '.join(sorted(KEYS - {'title', 'values'}))}" + (f"; not {unknown[0]}" if unknown else ""))
    for key in ("values", "labels", "target"):
        words[key] = [int(number) - 1 for number in words.get(key, "1" if key == "labels" else "").split()]
    return words


def text(words, x, y, **attributes):
    return element("text", escaped(words), x=x, y=y, **attributes)


def line(kind, x, top, bottom):
    return f'<line class="{kind}" x1="{x:.2f}%" x2="{x:.2f}%" y1="{top}" y2="{bottom}"/>'


def bar(series, figure, scale, y):
    """A range has its upper part lighter."""
    length, longest = scale.place(figure.low), scale.place(figure.high)
    parts = [f'<rect class="series{series}" x="0" y="{y}" width="{max(length, .4):.2f}%" height="{BAR - 4}"/>']
    if longest > length:
        parts.append(f'<rect class="series{series} range" x="{length:.2f}%" y="{y}" width="{longest - length:.2f}%" '
                     f'height="{BAR - 4}"/>')
    return parts


def described(title, names, rows):
    """The chart in words: what it compares, and where each series ends."""
    said = [f"{title}. A chart of the table below, with {len(rows)} rows."]
    for k, name in enumerate(names):
        known = [(figures[k].high, label, figures[k].shown) for label, figures, _ in rows if figures[k].low is not None]
        (_, least, small), (_, most, large) = min(known), max(known)
        said.append(f"{name}: from {small} ({least}) to {large} ({most}).")
    return " ".join(said)


def chart(mark, head, cells, where):
    """The figure that stands above a table; `head` and `cells` are its texts."""
    options = options_of(mark, where)
    title, values = options["title"], options["values"]
    columns = [*values, *options["labels"], *options["target"]]
    if max(columns) >= len(head) or len(values) > MOST_SERIES:
        raise Fault(f'{where}: the chart "{title}" names column {max(columns) + 1} of {len(head)}, or more than '
                    f"{MOST_SERIES} to draw")
    rows = [(" ".join(row[k] for k in options["labels"]), [Figure(row[k]) for k in values],
             Figure(row[options["target"][0]]) if options["target"] else None)
            for row in cells if re.search(options.get("rows", ""), " | ".join(row))]
    names = [head[k] for k in values]
    goal = Figure(options["goal"]) if "goal" in options else None
    numbers = [figure.high for _, figures, target in rows for figure in [*figures, target, goal]
               if figure and figure.low is not None]
    if any(all(figures[k].low is None for _, figures, _ in rows) for k in range(len(values))) or not rows:
        raise Fault(f'{where}: the chart "{title}" has a column without a number in it')
    scale = Scale(numbers, options.get("scale") == "log")
    unit = next(figure.unit for _, figures, _ in rows for figure in figures if figure.low is not None)

    top = SMALL + 4 if scale.decades() or goal else 4
    y, marks = top, []
    for label, figures, target in rows:
        for words in textwrap.wrap(label, LETTERS):
            marks.append(text(words, 0, y + 13))
            y += LABEL
        start = y
        for k, figure in enumerate(figures):
            if figure.low is not None:
                marks += bar(k + 1, figure, scale, y)
            marks.append(text(figure.shown, "100%", y + 10, kind="figure"))
            y += BAR
        reached = goal or target
        if reached and reached.low is not None:
            marks.append(line("target", scale.place(reached.low), start - 3, y - 1))
        y += GAP
    behind = []
    decades = scale.decades()
    for power in decades:
        place = scale.place(10.0 ** power)
        behind.append(line("decade", place, top - 4, y - GAP))
        if len(decades) <= 5 or (power - decades[0]) % 2 == 0:
            behind.append(text(decade_name(power, unit), f"{place:.2f}%", 13,
                               kind="scale" if power > decades[0] else "scale first"))
    if goal:
        behind.append(text(f"goal {options['goal']}", f"{scale.place(goal.low):.2f}%", 13, kind="scale"))

    legend = [element("li", f'<svg aria-hidden="true" width="22" height="11"><rect class="series{k + 1}" width="22" '
                            f'height="11"/></svg> {escaped(name)}') for k, name in enumerate(names)]
    if options["target"]:
        legend.append(element("li", '<svg aria-hidden="true" width="8" height="14"><line class="target" x1="4" x2="4" '
                                    f'y1="0" y2="14"/></svg> {escaped(head[options["target"][0]])}'))
    shown = "" if len(legend) == 1 else element("ul", "".join(legend), kind="legend") + "\n"
    note = " On a logarithmic scale." if decades else ""
    return (f'<figure class="chart"><figcaption>{escaped(title)}.{note}</figcaption>\n{shown}'
            f'<svg role="img" aria-label="{html.escape(described(title, names, rows))}" width="100%" '
            f'height="{y - GAP + 4}">{"".join([*behind, *marks])}</svg></figure>\n')
