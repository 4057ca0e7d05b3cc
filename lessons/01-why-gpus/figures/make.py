#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Draws bandwidths.svg from the lines of doctor in ../measured/h200.txt: host, device, and three roads to scale."""

import pathlib
import re

folder = pathlib.Path(__file__).parent
text = (folder.parent / "measured" / "h200.txt").read_text()


def rate(what):
    """GB/s of doctor's line about it; None while it isn't measured."""
    match = re.search(rf"^OK  {what} +([0-9.]+) ([GT])B/s", text, re.M)
    return float(match[1]) * (1000 if match[2] == "T" else 1) if match else None


def label(gigabytes):
    if gigabytes is None:
        return "? GB/s"
    return f"{gigabytes:.0f} GB/s"


rates = {what: rate(what) for what in ("host memory", "device memory", "link")}
widest = 150.0  # pixels of the fastest road


def width(what):
    known = [value for value in rates.values() if value]
    return max(2.0, widest * rates[what] / max(known)) if rates[what] else 8.0


def road(what, colour, x, y, length):
    """A horizontal road of the rate's width, centred on y, with an arrow at both ends, wider than the road."""
    w = width(what)
    head = w / 2 + 6 + w / 12
    near, far = x + 10 + w / 12, x + length - 10 - w / 12
    points = [(x, y), (near, y - head), (near, y - w / 2), (far, y - w / 2), (far, y - head),
              (x + length, y), (far, y + head), (far, y + w / 2), (near, y + w / 2), (near, y + head)]
    return f'<polygon class="{colour}" points="{" ".join(f"{a:.1f},{b:.1f}" for a, b in points)}"/>'


def box(x, y, w, h, kind, lines):
    parts = [f'<rect class="{kind}" x="{x}" y="{y}" width="{w}" height="{h}" rx="6"/>']
    for k, line in enumerate(lines):
        parts.append(f'<text x="{x + w / 2}" y="{y + h / 2 + 6 + 20 * (k - (len(lines) - 1) / 2)}">{line}</text>')
    return "".join(parts)


def upright(what, colour, x, y, length):
    return f'<g transform="translate({x} {y}) rotate(90)">{road(what, colour, 0, 0, length)}</g>'


machine = re.search(r"^# make doctor.*, (.*), \d{4}-\d\d-\d\d$", text, re.M)[1]
known = all(rates.values())
ratio = f"{rates['device memory'] / rates['link']:.0f} times the link's" if known else "not measured yet"
description = (f"Two boxes. Host: CPU and host memory, joined by a road of {label(rates['host memory'])}. "
               f"Device: GPU and device memory, joined by a road of {label(rates['device memory'])}, {ratio}. "
               f"The two memories are joined by a link of {label(rates['link'])}. "
               f"The roads are as wide as their bandwidths. Measured on an {machine} and its host.")
svg = f"""<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 640 424" role="img" aria-labelledby="title desc">
<title id="title">Host and device, and three bandwidths to scale</title>
<desc id="desc">{description}</desc>
<style>
text {{ font: 16px system-ui, sans-serif; fill: #1b1f24; text-anchor: middle; }}
.beside {{ text-anchor: start; }} .on {{ fill: #ffffff; }}
.head {{ font-weight: 600; font-size: 18px; }}
.frame {{ fill: none; stroke: #8c959f; stroke-width: 1.5; }}
.part {{ fill: #f6f8fa; stroke: #57606a; stroke-width: 1.5; }}
.host {{ fill: #0969da; }} .device {{ fill: #1a7f37; }} .link {{ fill: #bc4c00; }}
@media (prefers-color-scheme: dark) {{
  text {{ fill: #e6edf3; }} .on {{ fill: #0d1117; }}
  .frame {{ stroke: #6e7681; }} .part {{ fill: #161b22; stroke: #8b949e; }}
  .host {{ fill: #58a6ff; }} .device {{ fill: #3fb950; }} .link {{ fill: #f0883e; }}
}}
</style>
<rect class="frame" x="10" y="10" width="250" height="380" rx="10"/><text class="head" x="135" y="36">host</text>
<rect class="frame" x="380" y="10" width="250" height="380" rx="10"/><text class="head" x="505" y="36">device</text>
{box(30, 52, 210, 60, "part", ["CPU"])}
{box(400, 52, 210, 60, "part", ["GPU"])}
{box(30, 316, 210, 60, "part", ["host memory"])}
{box(400, 316, 210, 60, "part", ["device memory"])}
{upright("host memory", "host", 60, 116, 196)}
{upright("device memory", "device", 505, 116, 196)}
{road("link", "link", 244, 346, 152)}
<text class="beside" x="{70 + width("host memory") / 2 + 8:.0f}" y="220">{label(rates["host memory"])}</text>
<text x="320" y="415">width = bandwidth; measured on an {machine} and its host</text>
<text x="320" y="{346 - max(12, width("link") / 2 + 12):.0f}">link</text>
<text x="320" y="{346 + max(26, width("link") / 2 + 24):.0f}">{label(rates["link"])}</text>
</svg>
"""
# The device's road is wide: its label lies on it if there is room.
on_road = width("device memory") >= 100
x = 505 if on_road else 518
svg = svg.replace("</svg>", f'<text class="{"on" if on_road else "beside"}" x="{x}" y="220">'
                            f'{label(rates["device memory"])}</text>\n</svg>')
(folder / "bandwidths.svg").write_text(svg)
