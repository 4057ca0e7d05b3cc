#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Draws steps.svg from measured/h200.txt, beside the steps of Boehm's article."""
import pathlib
import re

here = pathlib.Path(__file__).parent
# Simon Boehm, How to Optimize a CUDA Matmul Kernel (https://siboehm.com/articles/22/CUDA-MMM): 4092 x 4092, RTX A6000.
BOEHM = {"swapped": 1.3, "naive": 8.5, "tiled": 12.8, "column": 36.5, "registers": 68.7, "library": 100.0}
ROWS = {"swapped": "x as the row", "naive": "x as the column", "tiled": "through tiles",
        "column": "8 results per thread", "registers": "square of results", "library": "the library"}
STYLE = """svg{--ink:#1b1f24;--soft:#6a737d;--line:#c4cad1;--paper:#fff;--a:#1f6feb;--c:#8b949e}
@media (prefers-color-scheme:dark){svg{--ink:#e6edf3;--soft:#9aa4af;--line:#48505a;--paper:#12161b;--a:#58a6ff;
--c:#6e7681}}
svg{font:14px ui-monospace,Menlo,Consolas,"DejaVu Sans Mono",monospace}
.paper{fill:var(--paper)}.l{fill:var(--ink)}.s{fill:var(--soft);paint-order:stroke;stroke:var(--paper);stroke-width:4px}
.h{fill:var(--ink);font-size:16px;font-weight:700}
.g{stroke:var(--line);fill:none}.a{fill:var(--a)}.c{fill:var(--c)}"""
LEFT, WIDTH, BAR, GAP, TOP = 190, 380, 14, 14, 108


def measured(program):
    """Machine and printed lines of each section of a program on a GPU."""
    for section in re.split(r"^# ", (here.parent / "measured" / "h200.txt").read_text(), flags=re.M)[1:]:
        head, _, body = section.partition("\n")
        if head.startswith("not measured yet"):
            continue
        command, machine, _ = (part.strip() for part in head.rsplit(",", 2))
        if command.endswith("/" + program):
            yield machine, body


def shares(body):
    """The percent of the library's rate that each step reaches."""
    found = re.findall(r"^(\w+) +[\d.]+ us +[\d.]+ Gflop/s +([\d.]+) %", body, flags=re.M)
    assert len(found) == 5, f"{len(found)} steps"
    return {step: float(percent) for step, percent in found}


series = [("c", "Boehm, RTX A6000, 4092 x 4092", BOEHM)]
for kind, (machine, body) in zip("a", measured("steps")):
    size = re.search(r"(\d+ x \d+) matrices", body).group(1)
    series.append((kind, f"{machine.partition(' (')[0]}, {size}", shares(body)))

parts, y = [], TOP
row_height = len(series) * BAR + GAP
height = TOP + len(ROWS) * row_height + 34
for percent in (0, 25, 50, 75, 100):
    x = LEFT + WIDTH * percent / 100
    parts.append(f'<path class="g" d="M{x:.0f} {TOP - 6}V{height - 28}"/>')
    parts.append(f'<text class="s" x="{x:.0f}" y="{height - 10}" text-anchor="middle">{percent} %</text>')
for step, label in ROWS.items():
    middle = y + len(series) * BAR / 2 + 5
    parts.append(f'<text class="l" x="{LEFT - 10}" y="{middle:.0f}" text-anchor="end">{label}</text>')
    for number, (kind, _, share) in enumerate(series):
        if step not in share:
            continue
        top, width = y + number * BAR, max(1.0, WIDTH * min(share[step], 100) / 100)
        parts.append(f'<rect class="{kind}" x="{LEFT}" y="{top}" width="{width:.1f}" height="{BAR - 2}"/>')
        parts.append(f'<text class="s" x="{LEFT + width + 6:.0f}" y="{top + 11}">{share[step]:g}</text>')
    y += row_height
legend = [f'<rect class="{kind}" x="20" y="{38 + 20 * i}" width="12" height="12"/>'
          f'<text class="l" x="40" y="{49 + 20 * i}">{name}</text>' for i, (kind, name, _) in enumerate(series)]
title = "A matrix product, step by step: percent of the library's speed"
description = "; ".join(f"{name}: " + ", ".join(f"{ROWS[step]} {share[step]:g}" for step in ROWS if step in share)
                        for _, name, share in series)
body = "\n".join([f'<text class="h" x="20" y="24">{title}</text>', *legend, *parts])
(here / "steps.svg").write_text(
    f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 640 {height}" width="640" height="{height}" role="img">\n'
    f"<title>{title}</title>\n<desc>{description}</desc>\n<style>\n{STYLE}\n</style>\n"
    f'<rect class="paper" width="640" height="{height}"/>\n{body}\n</svg>\n')
