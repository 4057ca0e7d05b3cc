#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Draws lanes.svg: the Mandelbrot set, coloured by what each warp wastes, for warps of 32 x 1 and of 8 x 4 pixels."""
import pathlib
import re

here = pathlib.Path(__file__).parent
SIDE, MOST, LEVELS = 256, 256, 6
STYLE = """svg{--ink:#1b1f24;--soft:#6a737d;--paper:#fff;--w0:#eef2f6;--w1:#fde0d2;--w2:#fcbba1;--w3:#fb8a6a;--w4:#e6493a;
--w5:#a50f15}
@media (prefers-color-scheme:dark){svg{--ink:#e6edf3;--soft:#9aa4af;--paper:#12161b;--w0:#1c232b;--w1:#452722;--w2:#7a3328;
--w3:#b5442f;--w4:#ea6a45;--w5:#ffc09a}}
svg{font:15px ui-monospace,Menlo,Consolas,"DejaVu Sans Mono",monospace}
.paper{fill:var(--paper)}.l{fill:var(--ink)}.s{fill:var(--soft)}.h{fill:var(--ink);font-weight:700}""" + "".join(
    f".w{level}{{fill:var(--w{level})}}" for level in range(LEVELS))


def steps(row, column):
    """As in lane_efficiency.cpp, in double."""
    cx, cy, x, y = -2 + 3 * column / SIDE, -1.5 + 3 * row / SIDE, 0.0, 0.0
    for n in range(1, MOST + 1):
        x, y = x * x - y * y + cx, 2 * x * y + cy
        if x * x + y * y > 4:
            return n
    return MOST


counts = [[steps(row, column) for column in range(SIDE)] for row in range(SIDE)]
printed = dict(re.findall(r"warp of +(\d+) x \d+ +([0-9.]+) %", (here.parent / "lane_efficiency.out").read_text()))
parts = []


def text(x, y, content, kind="s", anchor="start"):
    parts.append(f'<text class="{kind}" x="{x}" y="{y}" text-anchor="{anchor}">{content}</text>')


def panel(left, top, width):
    """Warps of `width` columns, neighbours of one colour drawn as one."""
    height, used, taken = 32 // width, 0, 0
    for row in range(0, SIDE, height):
        runs = []
        for column in range(0, SIDE, width):
            warp = [counts[row + i][column + j] for i in range(height) for j in range(width)]
            used, taken = used + sum(warp), taken + 32 * max(warp)
            level = min(LEVELS - 1, int((1 - sum(warp) / (32 * max(warp))) * LEVELS))
            if runs and runs[-1][2] == level:
                runs[-1][1] += width
            else:
                runs.append([column, width, level])
        for column, length, level in runs:
            if level:
                parts.append(f'<path class="w{level}" d="M{left + column} {top + row}h{length}v{height}h{-length}z"/>')
    percent = 100 * used / taken
    assert abs(percent - float(printed[str(width)])) < 0.5, f"{width}: {percent}, printed {printed[str(width)]}"
    text(left, top - 30, f"warps of {width} x {height}", "h")
    text(left, top - 10, f"{printed[str(width)]} % of the steps are of use", "l")


for number, width in enumerate((32, 8)):
    left = 20 + number * (SIDE + 50)
    parts.append(f'<rect class="w0" x="{left}" y="60" width="{SIDE}" height="{SIDE}"/>')
    panel(left, 60, width)
y = 60 + SIDE + 30
text(20, y + 13, "wasted, from")
for level in range(LEVELS):
    x = 146 + 72 * level
    parts.append(f'<rect class="w{level}" x="{x}" y="{y}" width="16" height="16"/>')
    text(x + 22, y + 13, f"{100 * level // LEVELS} %")
width, height = 2 * SIDE + 110, y + 40
shares = " and ".join(f"{printed[str(width)]} %" for width in (32, 8))
(here / "lanes.svg").write_text(
    f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img">\n'
    f"<title>Warps of 32 x 1 and of 8 x 4 pixels: {shares} of their lanes' steps are of use</title>\n"
    "<desc>The Mandelbrot set twice. Around its edge, rows of 32 pixels are coloured as wasteful far out on both sides; "
    "rectangles of 8 by 4 only close to the edge.</desc>\n"
    f"<style>\n{STYLE}\n</style>\n"
    f'<rect class="paper" width="{width}" height="{height}"/>\n' + "\n".join(parts) + "\n</svg>\n")
