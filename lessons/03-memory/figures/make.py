#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Draws copy_times.svg: time against bytes, from ../measured/h200.txt, or laptop.txt until that is measured."""

import math
import pathlib
import re

folder = pathlib.Path(__file__).parent
row = re.compile(r"^ *(\d+) +([\d.]+) us +[\d.]+ GB/s +([\d.]+) us", re.M)


def section(name):
    """Machine and rows of copy_times in a file of measured output."""
    parts = re.split(r"^# (.*), (.*), \d{4}-\d\d-\d\d$", (folder.parent / "measured" / name).read_text(), flags=re.M)
    for command, machine, text in zip(parts[1::3], parts[2::3], parts[3::3]):
        if command.endswith("/copy_times"):
            return machine, [tuple(map(float, found)) for found in row.findall(text)]
    return "", []


machine, rows = section("h200.txt")
if not rows:
    machine, rows = section("laptop.txt")
left, right, top, bottom = 78, 610, 40, 330
x_decades = (0, 8)
times = [time for _, a, b in rows for time in (a, b)]
y_decades = (math.floor(math.log10(min(times))), math.ceil(math.log10(max(times))))


def x(count):
    return left + (right - left) * (math.log10(count) - x_decades[0]) / (x_decades[1] - x_decades[0])


def y(time):
    return bottom - (bottom - top) * (math.log10(time) - y_decades[0]) / (y_decades[1] - y_decades[0])


def amount(decade):
    return f"{10 ** (decade % 3)} {['B', 'kB', 'MB', 'GB'][decade // 3]}"


def span(decade):
    return f"{10 ** (decade % 3)} {['us', 'ms', 's'][decade // 3]}" if decade >= 0 else f"{10.0 ** decade:g} us"


grid = "".join(f'<path class="grid" d="M{x(10 ** d):.0f} {top}V{bottom}"/>'
               f'<text x="{x(10 ** d):.0f}" y="{bottom + 22}">{amount(d) if d % 2 == 0 else ""}</text>'
               for d in range(x_decades[0], x_decades[1] + 1))
grid += "".join(f'<path class="grid" d="M{left} {y(10.0 ** d):.0f}H{right}"/>'
                f'<text class="end" x="{left - 8}" y="{y(10.0 ** d) + 5:.0f}">{span(d)}</text>'
                for d in range(y_decades[0], y_decades[1] + 1))


def curve(column, kind):
    points = [(x(values[0]), y(values[column])) for values in rows]
    marks = "".join(f'<circle class="{kind}" cx="{a:.1f}" cy="{b:.1f}" r="4"/>' if kind == "pageable" else
                    f'<rect class="{kind}" x="{a - 4:.1f}" y="{b - 4:.1f}" width="8" height="8"/>' for a, b in points)
    line = "L".join(f"{a:.1f} {b:.1f}" for a, b in points)
    return f'<path class="line {kind}" d="M{line}"/>{marks}'


def rates(column):
    return rows[-1][0] / rows[-1][column] * 1e-3


fixed, bandwidth = rows[0][2], rows[-1][0] / rows[-1][2]  # us, bytes per us: of page-locked memory
knee = fixed * bandwidth
sizes = [rows[0][0] * (rows[-1][0] / rows[0][0]) ** (k / 60) for k in range(61)]
model = "L".join(f"{x(size):.1f} {y(fixed + size / bandwidth):.1f}" for size in sizes)

description = (f"A log-log plot of copies to the device, measured on {machine}. From 4 bytes to some kilobytes the "
               f"time hardly changes: {rows[0][1]:.1f} us. Beyond, it grows with the bytes, to {rates(1):.1f} GB/s from "
               f"pageable and {rates(2):.1f} GB/s from page-locked memory at 64 MiB. "
               f"A dotted line shows the formula for page-locked memory; its knee lies at {knee / 1e3:.0f} kB.")
svg = f"""<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 640 400" role="img" aria-labelledby="title desc">
<title id="title">How long a copy to the device takes</title>
<desc id="desc">{description}</desc>
<style>
text {{ font: 15px system-ui, sans-serif; fill: #1b1f24; text-anchor: middle; }}
.end {{ text-anchor: end; }} .start {{ text-anchor: start; }}
.grid {{ stroke: #d0d7de; stroke-width: 1; }}
.line {{ fill: none; stroke-width: 2.5; }}
.model {{ fill: none; stroke: #57606a; stroke-width: 2; stroke-dasharray: 1 4; stroke-linecap: round; }}
.knee {{ stroke: #57606a; stroke-width: 1.5; }}
.pageable {{ stroke: #bc4c00; }} circle.pageable {{ fill: #bc4c00; }}
.locked {{ stroke: #0969da; }} rect.locked {{ fill: #0969da; }} path.locked {{ stroke-dasharray: 6 4; }}
@media (prefers-color-scheme: dark) {{
  text {{ fill: #e6edf3; }} .grid {{ stroke: #30363d; }} .model, .knee {{ stroke: #8b949e; }}
  .pageable {{ stroke: #f0883e; }} circle.pageable {{ fill: #f0883e; }}
  .locked {{ stroke: #58a6ff; }} rect.locked {{ fill: #58a6ff; }}
}}
</style>
<text x="{(left + right) / 2:.0f}" y="24">copy to the device, {machine}</text>
{grid}
<path class="model" d="M{model}"/>
<path class="knee" d="M{x(knee):.1f} {y(fixed) - 10:.1f}V{y(fixed) + 26:.1f}"/>
<text x="{x(knee):.1f}" y="{y(fixed) + 42:.0f}">knee: {knee / 1e3:.0f} kB</text>
{curve(1, "pageable")}
{curve(2, "locked")}
<text x="{(left + right) / 2:.0f}" y="{bottom + 46}">bytes</text>
<circle class="pageable" cx="{left + 24}" cy="{top + 24}" r="4"/>
<text class="start" x="{left + 36}" y="{top + 29}">pageable, {rates(1):.1f} GB/s at the end</text>
<rect class="locked" x="{left + 20}" y="{top + 44}" width="8" height="8"/>
<text class="start" x="{left + 36}" y="{top + 53}">page-locked, {rates(2):.1f} GB/s</text>
<path class="model" d="M{left + 14} {top + 72}H{left + 34}"/>
<text class="start" x="{left + 42}" y="{top + 77}">fixed + bytes / bandwidth</text>
</svg>
"""
(folder / "copy_times.svg").write_text(svg)
