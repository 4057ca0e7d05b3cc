#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Draws scans.svg from scan_rounds.out: which place adds which other one, in each round of two scans."""
import pathlib
import re

here = pathlib.Path(__file__).parent
STYLE = """svg{--ink:#1b1f24;--soft:#6a737d;--line:#8b949e;--paper:#fff;--new:#cfe3ff;--same:#f3f4f6;--mark:#1f6feb}
@media (prefers-color-scheme:dark){svg{--ink:#e6edf3;--soft:#9aa4af;--line:#59636e;--paper:#12161b;--new:#1d3a63;
--same:#1b2027;--mark:#58a6ff}}
svg{font:14px ui-monospace,Menlo,Consolas,"DejaVu Sans Mono",monospace}
.paper{fill:var(--paper)}.l{fill:var(--ink)}.s{fill:var(--soft)}.h{fill:var(--ink);font-size:16px;font-weight:700}
.new{fill:var(--new);stroke:var(--line)}.same{fill:var(--same);stroke:var(--line)}
.a{stroke:var(--mark);stroke-width:2;fill:none}.v{stroke:var(--line);fill:none}.p{fill:var(--mark)}"""
CELL, HIGH, STEP, TOP = 44, 26, 64, 66


def text(x, y, content, kind="s", anchor="start"):
    return f'<text class="{kind}" x="{x}" y="{y}" text-anchor="{anchor}">{content}</text>'


def tables():
    """Of each scan its rounds: a label, how far away the addend is, down or not, and the eight columns."""
    found = {}
    for line in (here.parent / "scan_rounds.out").read_text().splitlines():
        if re.fullmatch(r"[a-z_]+", line):
            rounds = found[line] = []
        elif row := re.fullmatch(r"(load|hop (\d)|(up|down), +width (\d))((?: +[\d.]+){8})", line):
            rounds.append((" ".join(row[1].split()), int(row[2] or row[4] or 0), row[5].split()))
    return found


def network(left, name, rounds):
    parts, values = [text(left, 28, name, "h")], rounds[0][2]
    for number, (label, hop, row) in enumerate(rounds):
        y = TOP + STEP * number
        parts.append(text(left, y + 18, label))
        for t, value in enumerate(row):
            x = left + 116 + CELL * t
            changed = value != "."
            if number > 0 and changed:
                assert int(value) == int(values[t]) + int(values[t - hop]), (name, label, t)
                parts.append(f'<path class="v" d="M{x + 18} {y - STEP + HIGH}V{y}"/>')
                parts.append(f'<path class="a" d="M{x + 18 - CELL * hop} {y - STEP + HIGH}L{x + 13} {y - 4}"/>'
                             f'<path class="p" d="M{x + 16} {y}l-8-2l5-6z"/>')
            parts.append(f'<rect class="{"new" if changed else "same"}" x="{x}" y="{y}" width="36" height="{HIGH}"/>')
        values = [old if new == "." else new for old, new in zip(values, row)]
        parts += [text(left + 134 + CELL * t, y + 18, value, "l", "middle") for t, value in enumerate(values)]
    return parts


scans = tables()
assert list(scans) == ["kogge_stone", "up_and_down"] and all(s[-1][0] != "load" for s in scans.values())
parts, left = [], 20
for name, rounds in scans.items():
    parts += network(left, name, rounds)
    left += 116 + 8 * CELL + 40
width, height = left - 20, TOP + STEP * 5 + HIGH + 24
(here / "scans.svg").write_text(
    f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img">\n'
    "<title>Two scans of 8 places, round by round</title>\n"
    "<desc>A row of 8 numbers for each round; coloured places have changed, and an arrow comes from the place that was "
    "added. Left 3 rounds with 7, 6 and 4 additions; right 5 rounds with 4, 2, 1, 1 and 3.</desc>\n"
    f"<style>\n{STYLE}\n</style>\n"
    f'<rect class="paper" width="{width}" height="{height}"/>\n' + "\n".join(parts) + "\n</svg>\n")
