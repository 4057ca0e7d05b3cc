#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Draws in_flight.svg from measured/h200.txt: what was read per second over the bytes under way, below Little's law."""
import math
import pathlib
import re

here = pathlib.Path(__file__).parent
STYLE = """svg{--ink:#1b1f24;--soft:#6a737d;--line:#c4cad1;--paper:#fff;--mark:#1f6feb;--roof:#c8102e}
@media (prefers-color-scheme:dark){svg{--ink:#e6edf3;--soft:#9aa4af;--line:#48505a;--paper:#12161b;--mark:#58a6ff;
--roof:#ff6b7d}}
svg{font:14px ui-monospace,Menlo,Consolas,"DejaVu Sans Mono",monospace}
.paper{fill:var(--paper)}.l{fill:var(--ink)}.s{fill:var(--soft)}.h{fill:var(--ink);font-size:16px;font-weight:700}
.g{stroke:var(--line);fill:none}.d{fill:var(--mark)}.r{stroke:var(--roof);stroke-width:2;fill:none}.b{fill:var(--roof)}"""
LATENCY, BANDWIDTH, MULTIPROCESSORS = 340, 4300, 132  # as in little.cpp

LEFT, TOP, WIDTH, HEIGHT = 80, 60, 520, 300
X_RANGE, Y_RANGE = (0.8, 80), (200, 6000)


def x_of(kb):
    return round(LEFT + math.log(kb / X_RANGE[0]) / math.log(X_RANGE[1] / X_RANGE[0]) * WIDTH, 1)


def y_of(rate):
    return round(TOP + (1 - math.log(rate / Y_RANGE[0]) / math.log(Y_RANGE[1] / Y_RANGE[0])) * HEIGHT, 1)


def text(x, y, content, kind="s", anchor="start"):
    return f'<text class="{kind}" x="{x}" y="{y}" text-anchor="{anchor}">{content}</text>'


def line(x0, y0, x1, y1, kind="g"):
    return f'<path class="{kind}" d="M{x0} {y0}L{x1} {y1}"/>'


measured = (here.parent / "measured" / "h200.txt").read_text()
section = re.search(r"^# \S*/in_flight, .*\n((?:[^#].*\n)*)", measured, re.M)[1]
rows = [(int(row[1]), [float(rate) for rate in row[2].split()])
        for row in re.finditer(r"^(\d) blocks?(.*)$", section, re.M)]
assert [blocks for blocks, _ in rows] == [1, 2, 4, 8]

parts = [text(12, 28, "NVIDIA H200: read per second, in GB/s", "h")]
for rate in (200, 500, 1000, 2000, 5000):
    parts += [line(LEFT, y_of(rate), LEFT + WIDTH, y_of(rate)), text(LEFT - 8, y_of(rate) + 5, f"{rate:,}", anchor="end")]
for kb in (1, 2, 4, 8, 16, 32, 64):
    parts.append(text(x_of(kb), TOP + HEIGHT + 22, f"{kb}", anchor="middle"))
parts.append(text(LEFT + WIDTH / 2, TOP + HEIGHT + 46, "kB under way on each multiprocessor", anchor="middle"))
knee = LATENCY * BANDWIDTH / 1e3 / MULTIPROCESSORS
first = 1e3 * X_RANGE[0] * MULTIPROCESSORS / LATENCY
parts += [line(x_of(X_RANGE[0]), y_of(first), x_of(knee), y_of(BANDWIDTH), "r"),
          line(x_of(knee), y_of(BANDWIDTH), LEFT + WIDTH, y_of(BANDWIDTH), "r"),
          text(x_of(1.5), y_of(400), "under way / latency", "b"),
          text(LEFT + WIDTH, y_of(BANDWIDTH) - 10, f"memory: {BANDWIDTH:,} GB/s", "b", "end")]
SHAPES = {1: '<circle class="d" cx="{x}" cy="{y}" r="5"/>',
          2: '<path class="d" d="M{x} {y}m0-6l6 10h-12z"/>',
          4: '<path class="d" d="M{x} {y}m-5-5h10v10h-10z"/>',
          8: '<path class="d" d="M{x} {y}m0-7l7 7l-7 7l-7-7z"/>'}
for number, (blocks, rates) in enumerate(rows):
    for loads, rate in zip((1, 2, 4, 8), rates):
        parts.append(SHAPES[blocks].format(x=x_of(blocks * 256 * loads * 4 / 1e3), y=y_of(rate)))
    at = TOP + HEIGHT - 92 + 24 * number
    parts += [SHAPES[blocks].format(x=LEFT + 330, y=at - 5),
              text(LEFT + 348, at, f"{blocks} block{'s' if blocks > 1 else ''} of 256", "l")]

description = "A point for each row and column of in_flight. The points rise along the line, below it, and level off."
body = "\n".join(parts)
(here / "in_flight.svg").write_text(
    f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 640 430" width="640" height="430" role="img">\n'
    f"<title>What memory delivers over the bytes under way</title>\n<desc>{description}</desc>\n<style>\n{STYLE}\n</style>\n"
    f'<rect class="paper" width="640" height="430"/>\n{body}\n</svg>\n')
