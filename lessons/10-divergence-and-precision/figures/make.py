#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Draws lanes.svg: the rounds of the lanes of four warps of lane_efficiency, as 32 x 1 and as 8 x 4, and who waits."""
import pathlib
import re

here = pathlib.Path(__file__).parent
STYLE = """svg{--ink:#1b1f24;--soft:#6a737d;--paper:#fff;--work:#1f6feb;--wait:#fbb4a0}
@media (prefers-color-scheme:dark){svg{--ink:#e6edf3;--soft:#9aa4af;--paper:#12161b;--work:#58a6ff;--wait:#8a3b2b}}
svg{font:15px ui-monospace,Menlo,Consolas,"DejaVu Sans Mono",monospace}
.paper{fill:var(--paper)}.l{fill:var(--ink)}.s{fill:var(--soft)}.h{fill:var(--ink);font-weight:700}
.work{fill:var(--work)}.wait{fill:var(--wait)}"""
LANE, GAP, ROUND, TOP, BOTTOM = 2, 10, 3, 70, 260
printed = dict(re.findall(r"warp of +(\d+) x \d+ +([0-9.]+) %", (here.parent / "lane_efficiency.out").read_text()))
parts = []


def rounds(row):
    """As in lane_efficiency.cpp: how often the threads of a row go round their loop."""
    return 1 + 29 * row % 64


def efficiency(height, rows=128):
    """The percentage of use of so many rows, in warps of `height` rows."""
    warps = [[rounds(row + i) for i in range(height)] for row in range(0, rows, height)]
    return 100 * sum(map(sum, warps)) / sum(height * max(warp) for warp in warps)


def text(x, y, content, kind="s", anchor="start"):
    parts.append(f'<text class="{kind}" x="{x}" y="{y}" text-anchor="{anchor}">{content}</text>')


def bar(kind, x, width, low, high):
    top, height = BOTTOM - ROUND * high, ROUND * (high - low)
    if height:
        parts.append(f'<rect class="{kind}" x="{x}" y="{top}" width="{width}" height="{height}"/>')


def panel(left, width):
    """The elements of rows 0 to 3 and columns 0 to 31, as four warps of `width` columns."""
    height = 32 // width
    share = printed[str(width)]
    assert abs(efficiency(height) - float(share)) < 0.1, f"{width}: {efficiency(height)}, printed {share}"
    text(left, TOP - 40, f"warps of {width} x {height}", "h")
    text(left, TOP - 20, f"{efficiency(height, 4):.1f} % of these rounds are of use", "l")
    for warp in range(4):
        x = left + warp * (32 * LANE + GAP)
        rows = [warp] if height == 1 else range(4)
        longest = max(map(rounds, rows))
        for number, row in enumerate(rows):
            lanes = x + number * width * LANE
            bar("work", lanes, width * LANE, 0, rounds(row))
            bar("wait", lanes, width * LANE, rounds(row), longest)
        text(x + 16 * LANE, BOTTOM + 20, f"row {warp}" if height == 1 else "0 to 3", anchor="middle")


panel(20, 32)
panel(350, 8)
y = BOTTOM + 44
for x, kind, what in ((20, "work", "rounds in which a lane works"), (350, "wait", "in which it waits for its warp")):
    parts.append(f'<rect class="{kind}" x="{x}" y="{y}" width="16" height="16"/>')
    text(x + 24, y + 13, what)
size = 'width="660" height="340"'
shares = f"{efficiency(1, 4):.1f} % and {efficiency(4, 4):.1f} %"
lengths = ", ".join(str(rounds(row)) for row in range(4))
(here / "lanes.svg").write_text(
    f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 660 340" {size} role="img">\n'
    f"<title>Warps of 32 x 1 and of 8 x 4: {shares} of the lanes' rounds are of use</title>\n"
    f"<desc>Rows 0 to 3 of the product take {lengths} rounds. In warps of 32 by 1 no lane waits. In warps of 8 by 4 "
    "each has lanes of all four rows, and those of the others wait for row 2.</desc>\n"
    f"<style>\n{STYLE}\n</style>\n"
    f'<rect class="paper" {size}/>\n' + "\n".join(parts) + "\n</svg>\n")
