#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Draws passes.svg: the arrays that five passes and one pass move. The words are those that five_passes.out has counted."""
import pathlib
import re

here = pathlib.Path(__file__).parent
counted = [int(words) for words in re.findall(r"words per element (\d+)", (here.parent / "five_passes.out").read_text())]

# What each pass does, what it reads and what it writes.
five = [("a = x - y", "xy", "a"), ("b = a * a", "a", "b"), ("c = 1 + b", "b", "c"), ("d = sqrt(c)", "c", "d"),
        ("z = d - 1", "d", "z")]
one = [("z = sqrt(1 + (x - y) * (x - y)) - 1", "xy", "z")]
for passes, words in ((five, counted[0]), (one, counted[1])):
    drawn = sum(len(reads) + len(writes) for _, reads, writes in passes)
    assert drawn == words, f"{drawn} arrows are drawn, and {words} words were counted"

colours = {"x": "#f2a65a", "y": "#8fb8de", "a": "#b8d8a0", "b": "#d9b3e6", "c": "#f5d76e", "d": "#a0d8d1", "z": "#f08a8a"}
svg = []


def text(x, y, content, kind="l", anchor="middle"):
    content = content.replace("&", "&amp;").replace("<", "&lt;")
    svg.append(f'<text class="{kind}" x="{x}" y="{y}" text-anchor="{anchor}">{content}</text>')


def arrow(x, y0, y1):
    tip = 6 if y1 > y0 else -6
    svg.append(f'<path class="a" d="M{x} {y0}V{y1 - tip}"/><path class="t" d="M{x - 4} {y1 - tip}h8l-4 {tip}z"/>')


def draw(passes, left, top, width):
    """Boxes of kernels above, memory below; an arrow up for each array read, one down for each written."""
    for number, (operation, reads, writes) in enumerate(passes):
        x = left + number * (width + 12)
        svg.append(f'<rect class="k" x="{x}" y="{top}" width="{width}" height="34" rx="4"/>')
        text(x + width / 2, top + 22, operation)
        arrays = [(name, True) for name in reads] + [(name, False) for name in writes]
        for place, (name, is_read) in enumerate(arrays):
            at = x + width / 2 + (place - (len(arrays) - 1) / 2) * 32
            arrow(at, *((top + 84, top + 36) if is_read else (top + 36, top + 84)))
            svg.append(f'<rect class="e" x="{at - 12}" y="{top + 86}" width="24" height="22" fill="{colours[name]}"/>')
            text(at, top + 102, name, "c")


width = 5 * 104 + 4 * 12 + 24
text(12, 24, f"Five passes: {counted[0]} words per element", "h", "start")
draw(five, 12, 40, 104)
text(12, 186, f"One pass: {counted[1]} words per element", "h", "start")
draw(one, 12, 202, 2 * 104 + 12 + 60)
text(12, 332, "Boxes are kernels; their arrays lie in memory below.", "s", "start")
text(12, 348, "An arrow up is an array read, an arrow down an array written.", "s", "start")

title = f"{counted[0]} words per element in five passes, {counted[1]} in one"
description = ("Above, five kernels with eleven arrows between them and memory; below, one kernel with three: it reads x and y, "
               "and writes z.")
style = """svg{--ink:#1b1f24;--soft:#6a737d;--line:#8b949e;--paper:#fff;--box:#e3e7ec}
@media (prefers-color-scheme:dark){svg{--ink:#e6edf3;--soft:#9aa4af;--line:#7d8590;--paper:#12161b;--box:#2b333d}}
svg{font:12px ui-monospace,Menlo,Consolas,"DejaVu Sans Mono",monospace}
.paper{fill:var(--paper)}.l{fill:var(--ink)}.s{fill:var(--soft)}.h{fill:var(--ink);font-size:15px;font-weight:700}
.c{fill:#14181d}.k{fill:var(--box);stroke:var(--line)}.e{stroke:var(--line)}
.a{stroke:var(--ink);stroke-width:1.5;fill:none}.t{fill:var(--ink)}"""
page = (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} 360" width="{width}" height="360" role="img">\n'
        f"<title>{title}</title>\n<desc>{description}</desc>\n<style>\n{style}\n</style>\n"
        f'<rect class="paper" width="{width}" height="360"/>\n' + "\n".join(svg) + "\n</svg>\n")
(here / "passes.svg").write_text(page)
