#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Draws thirty_calls.svg and roofline.svg from measured/*.txt; machines that haven't been measured are left out."""
import math
import pathlib
import re

here = pathlib.Path(__file__).parent
NUMBER = r"[0-9]+(?:\.[0-9]+)?"
STYLE = """svg{--ink:#1b1f24;--soft:#6a737d;--line:#c4cad1;--paper:#fff;--mark:#1f6feb;--roof:#c8102e}
@media (prefers-color-scheme:dark){svg{--ink:#e6edf3;--soft:#9aa4af;--line:#48505a;--paper:#12161b;--mark:#58a6ff;
--roof:#ff6b7d}}
svg{font:14px ui-monospace,Menlo,Consolas,"DejaVu Sans Mono",monospace}
.paper{fill:var(--paper)}.l{fill:var(--ink)}.s{fill:var(--soft)}.h{fill:var(--ink);font-size:16px;font-weight:700}
.g{stroke:var(--line);fill:none}.d{fill:var(--mark)}.r{stroke:var(--roof);stroke-width:2;fill:none}
.b{fill:var(--roof);stroke:var(--paper);stroke-width:4px;paint-order:stroke}"""


def measured(program):
    """Machine and printed lines of each section of a program."""
    for name in ("h200", "laptop"):
        for section in re.split(r"^# ", (here.parent / "measured" / f"{name}.txt").read_text(), flags=re.M)[1:]:
            head, _, body = section.partition("\n")
            command, machine, _ = (part.strip() for part in head.rsplit(",", 2))
            if command.endswith("/" + program) and "not measured yet" not in body:
                yield machine, body


class Panel:
    """A square of the figure with logarithmic axes where they are asked for."""

    def __init__(self, left, top, width, height, x_range, y_range, log_x):
        self.left, self.top, self.width, self.height = left, top, width, height
        self.x_range, self.y_range, self.log_x, self.parts = x_range, y_range, log_x, []

    def x(self, value):
        low, high = self.x_range
        part = math.log(value / low) / math.log(high / low) if self.log_x else (value - low) / (high - low)
        return round(self.left + part * self.width, 1)

    def y(self, value):
        low, high = self.y_range
        return round(self.top + (1 - math.log(value / low) / math.log(high / low)) * self.height, 1)

    def text(self, x, y, content, kind="s", anchor="start"):
        self.parts.append(f'<text class="{kind}" x="{x}" y="{y}" text-anchor="{anchor}">{content}</text>')

    def line(self, x0, y0, x1, y1, kind="g"):
        self.parts.append(f'<path class="{kind}" d="M{x0} {y0}L{x1} {y1}"/>')

    def dot(self, x, y):
        self.parts.append(f'<circle class="d" cx="{self.x(x)}" cy="{self.y(y)}" r="5"/>')

    def grid(self, unit):
        low, high = self.y_range
        for power in range(math.ceil(math.log10(low) - 1e-9), math.floor(math.log10(high) + 1e-9) + 1):
            at = self.y(10.0**power)
            self.line(self.left, at, self.left + self.width, at)
            self.text(self.left - 6, at + 4, f"{10.0**power:,.10g}", anchor="end")
        self.text(self.left - 6, self.top - 8, unit, anchor="end")


def decades(values):
    return 10.0 ** math.floor(math.log10(min(values))), 10.0 ** math.ceil(math.log10(max(values)))


def write(name, title, description, panels, width, height):
    parts = "\n".join(part for panel in panels for part in panel.parts)
    (here / name).write_text(
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        f'role="img">\n<title>{title}</title>\n<desc>{description}</desc>\n<style>\n{STYLE}\n</style>\n'
        f'<rect class="paper" width="{width}" height="{height}"/>\n{parts}\n</svg>\n')


def draw_calls():
    panels, ratios = [], []
    for number, (machine, body) in enumerate(measured("thirty_calls")):
        rows = [line for line in body.splitlines() if line.endswith(" us") and "median" not in line]
        calls = [float(value) for row in rows for value in re.findall(NUMBER, row)]
        assert len(calls) == 30, f"{machine}: {len(calls)} calls"
        # As printed: the median of the rounded times could differ in the last digit.
        median = float(re.search(rf"median ({NUMBER}) us", body)[1])
        panel = Panel(110, 70 + number * 320, 490, 220, (0, 31), decades(calls), False)
        panel.text(12, panel.top - 42, machine, "h")
        panel.grid("µs")
        panel.line(panel.left, panel.y(median), panel.left + panel.width, panel.y(median), "r")
        for call, us in enumerate(calls, 1):
            panel.dot(call, us)
        panel.text(panel.x(1) + 12, panel.y(calls[0]) + 5, f"first call: {calls[0] / median:,.0f} times the median", "l")
        panel.text(panel.left + panel.width, panel.y(median) - 14, f"median: {median:,.1f} µs", "b", "end")
        panel.text(panel.left, panel.top + panel.height + 24, "call 1 to 30")
        panels.append(panel)
        ratios.append(f"{calls[0] / median:,.0f}")
    write("thirty_calls.svg", f"The first of 30 calls takes {' and '.join(ratios)} times the median",
          "A dot for each call; the first is far above the line of the median, the others lie around it.", panels, 640,
          320 * len(panels) + 20)


def draw_roofline():
    panels = []
    for number, (machine, body) in enumerate(measured("roofline")):
        rows = [[float(value) for value in line.split()] for line in body.splitlines()
                if re.fullmatch(rf"(\s*{NUMBER}){{4}}\s*", line)]
        bandwidth, arithmetic = max(row[2] for row in rows), max(row[3] for row in rows)
        x_range = (rows[0][1] / 2, rows[-1][1] * 2)
        low, high = decades([row[3] for row in rows] + [bandwidth * x_range[0]])
        panel = Panel(110, 70 + number * 350, 490, 230, x_range, (low, high * 3), True)
        panel.text(12, panel.top - 42, machine, "h")
        panel.grid("Gflop/s")
        ridge = min(max(arithmetic / bandwidth, x_range[0]), x_range[1])
        panel.line(panel.x(x_range[0]), panel.y(bandwidth * x_range[0]), panel.x(ridge), panel.y(bandwidth * ridge), "r")
        panel.line(panel.x(ridge), panel.y(arithmetic), panel.x(x_range[1]), panel.y(arithmetic), "r")
        beside = x_range[0] * (ridge / x_range[0]) ** 0.7  # on the rising line, with room for the text to its left
        panel.text(panel.x(beside) - 10, panel.y(bandwidth * beside) - 6, f"memory: {bandwidth:,.0f} GB/s", "b", "end")
        panel.text(panel.left + panel.width, panel.y(arithmetic) - 10, f"arithmetic: {arithmetic:,.0f} Gflop/s", "b", "end")
        for _, intensity, _, flops in rows:
            panel.dot(intensity, flops)
            panel.text(panel.x(intensity), panel.top + panel.height + 20, f"{intensity:g}", anchor="middle")
        panel.text(panel.left + panel.width / 2, panel.top + panel.height + 42, "flops per byte", anchor="middle")
        panels.append(panel)
    write("roofline.svg", "A roofline: up to some flops per byte memory decides, then arithmetic",
          "A dot for each kernel: to the left it rises with the flops per byte, to the right it doesn't rise any more.",
          panels, 640, 350 * len(panels) + 10)


draw_calls()
draw_roofline()
