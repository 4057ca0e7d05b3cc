#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Draws halo.svg from who_loads.out: which thread loads which cell, and which cells thread 5 computes from."""
import pathlib
import re

here = pathlib.Path(__file__).parent
STYLE = """svg{--ink:#1b1f24;--soft:#6a737d;--paper:#fff;--one:#cfe3ff;--two:#ffe2b8;--three:#e3d3f7;--line:#8b949e;--own:#c8102e;
--mine:#1f6feb}
@media (prefers-color-scheme:dark){svg{--ink:#e6edf3;--soft:#9aa4af;--paper:#12161b;--one:#1d3a63;--two:#5c4419;
--three:#43305f;--line:#59636e;--own:#ff6b7d;--mine:#58a6ff}}
svg{font:15px ui-monospace,Menlo,Consolas,"DejaVu Sans Mono",monospace}
.paper{fill:var(--paper)}.l{fill:var(--ink)}.s{fill:var(--soft)}.h{fill:var(--ink);font-weight:700}
.c1{fill:var(--one)}.c2{fill:var(--two)}.c3{fill:var(--three)}.c{stroke:var(--line)}
.own{fill:none;stroke:var(--own);stroke-width:4}.mine{fill:none;stroke:var(--mine);stroke-width:4;stroke-dasharray:8 5}"""
SIZE = 52

rows = [re.findall(r"(\d+)/(\d)", line) for line in (here.parent / "who_loads.out").read_text().splitlines()
        if "/" in line]
assert [len(row) for row in rows] == [6] * 6, "who_loads.out has no 6 x 6 cells"
rounds = {step: sum(cell[1] == step for row in rows for cell in row) for step in "123"}
left, top = 20, 70
parts = []


def text(x, y, content, kind="s", anchor="start"):
    parts.append(f'<text class="{kind}" x="{x}" y="{y}" text-anchor="{anchor}">{content}</text>')


def box(row, column, height, width, kind, x0=left):
    parts.append(f'<rect class="{kind}" x="{x0 + column * SIZE}" y="{top + row * SIZE}" width="{width * SIZE}" '
                 f'height="{height * SIZE}"/>')


text(left, 30, "Who loads: 16 threads, 36 cells", "h")
text(left, 52, "each number is a thread")
for row, cells in enumerate(rows):
    for column, (thread, step) in enumerate(cells):
        box(row, column, 1, 1, f"c c{step}")
        text(left + (column + 0.5) * SIZE, top + (row + 0.5) * SIZE + 5, thread, "l", "middle")
box(1, 1, 4, 4, "own")
box(1, 1, 3, 3, "mine")

right = left + 6 * SIZE + 50
text(right, 30, "Who computes: 16 pixels", "h")
text(right, 52, "the same 16 threads")
for row in range(4):
    for column in range(4):
        box(row + 1, column, 1, 1, "c paper", right)
        text(right + (column + 0.5) * SIZE, top + (row + 1.5) * SIZE + 5, 4 * row + column, "l", "middle")
box(1, 0, 4, 4, "own", right)
box(2, 1, 1, 1, "mine", right)

legend = top + 6 * SIZE + 32
for number, step in enumerate("123"):
    y = legend + 26 * number
    parts.append(f'<rect class="c c{step}" x="{left}" y="{y - 14}" width="18" height="18"/>')
    text(left + 28, y, f"round {step}: {rounds[step]} cells")
for number, (kind, words) in enumerate((("own", "the block's own pixels"), ("mine", "thread 5, and what it needs"))):
    y = legend + 26 * number
    parts.append(f'<path class="{kind}" d="M{right - 60} {y - 5}h34"/>')
    text(right - 16, y, words)
width, height = right + 4 * SIZE + 40, legend + 66
(here / "halo.svg").write_text(
    f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img">\n'
    f'<title>16 threads load the 36 cells of a tile with its halo, in {len(rounds)} rounds</title>\n'
    "<desc>To the left the 6 by 6 cells, numbered by the thread that loads each; the middle 4 by 4 are the block's own "
    "pixels. To the right the 16 pixels with the thread that computes each: another one.</desc>\n"
    f"<style>\n{STYLE}\n</style>\n"
    f'<rect class="paper" width="{width}" height="{height}"/>\n' + "\n".join(parts) + "\n</svg>\n")
