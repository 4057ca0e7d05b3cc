#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Draws ledger.svg: the lines of contrast_ported in ../contrast.cpp, each with its entries in ../contrast.out."""

import html
import pathlib
import re

folder = pathlib.Path(__file__).parent
program = (folder.parent / "contrast.cpp").read_text().splitlines()
ledger = (folder.parent / "contrast.out").read_text().split("\nported:")[1]
entries = {}
for number, kind, rest in re.findall(r"^contrast\.cpp:(\d+) +((?:copy to )?\w+) *(.*)$", ledger, re.M):
    entries.setdefault(int(number), []).append((kind, rest))
first = min(entries)
last = next(n for n in range(first, len(program)) if program[n] == "}")


def wording(kind, rest):
    """A chip's text: what, how much, and whether the host waits."""
    size = re.match(r"[\d.,]+ [kMG]?B", rest)
    name = re.match(r"\w+", rest)
    parts = [kind, size[0] if size else name[0] if name else ""]
    return ": ".join(part for part in parts if part) + (", waits" if rest.endswith("waits") else "")


def chip_width(text):
    return 8 * len(text) + 20


def code_lines(text, most=50):
    """The line, broken behind the = where it is too long."""
    if len(text) <= most:
        return [text]
    at = text.index("= ") + 2
    return [text[:at].rstrip(), "    " + text[at:]]


parts, y, said = [], 34, []
for number in range(first, last + 1):
    code = code_lines(program[number - 1].strip())
    for line in code:
        text = html.escape(line).replace(" ", "&#160;")
        parts.append(f'<text class="code" x="16" y="{y}">{text}</text>')
        y += 22
    x, words = 32, []
    for kind, rest in entries.get(number, []):
        text = wording(kind, rest)
        wide = chip_width(text)
        if x + wide > 548:
            x, y = 32, y + 36
        style = kind.replace(" ", "-") + (" waits" if "waits" in text else "")
        parts.append(f'<rect class="{style}" x="{x}" y="{y - 12}" width="{wide}" height="28" rx="14"/>'
                     f'<text class="chip" x="{x + wide / 2:.0f}" y="{y + 7}">{html.escape(text)}</text>')
        x += wide + 8
        words.append(text)
    said.append(f"{' '.join(line.strip() for line in code)} {' + '.join(words) or 'nothing'}.")
    y += 54
y -= 24
parts.append(f'<rect class="copy-to-device waits" x="32" y="{y - 12}" width="44" height="28" rx="14"/>'
             f'<text class="legend" x="86" y="{y + 7}">thick rim: the host waits</text>')
said.append("A thick rim marks what the host waits for.")
height = y + 30
svg = f"""<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 560 {height}" role="img" aria-labelledby="title desc">
<title id="title">The lines of a port, and what each asked of the device</title>
<desc id="desc">{html.escape(" ".join(said))}</desc>
<style>
.code {{ font: 15px ui-monospace, Menlo, Consolas, monospace; fill: #1b1f24; }}
.chip {{ font: 15px system-ui, sans-serif; fill: #1b1f24; text-anchor: middle; }}
.legend {{ font: 15px system-ui, sans-serif; fill: #1b1f24; }}
rect {{ stroke-width: 1.5; }}
.allocation {{ fill: #eaeef2; stroke: #8c959f; }}
.copy-to-device, .copy-to-host {{ fill: #fff1e5; stroke: #bc4c00; }}
.launch {{ fill: #dafbe1; stroke: #1a7f37; }}
.waits {{ stroke-width: 3.5; }}
@media (prefers-color-scheme: dark) {{
  .code, .chip, .legend {{ fill: #e6edf3; }}
  .allocation {{ fill: #21262d; stroke: #8b949e; }}
  .copy-to-device, .copy-to-host {{ fill: #3d1e00; stroke: #f0883e; }}
  .launch {{ fill: #033a16; stroke: #3fb950; }}
}}
</style>
{chr(10).join(parts)}
</svg>
"""
(folder / "ledger.svg").write_text(svg)
