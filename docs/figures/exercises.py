#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Draws figure.svg of each exercise from its solution's trace: what `course show` sees of one small case.

    exercises.py COURSE [N...]           all of them, or these
    exercises.py --check COURSE [N...]   says which ones aren't what is drawn now, and writes nothing

COURSE is the program, build/kit/bin/course; gpucc, for plain CUDA programs, stands beside it. The solutions run on the
host backend, with inputs of one seed. Exercise 5 uses no device: its figure is drawn here.
"""

import html
import os
import re
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

STYLED = 8  # the exercise whose figure has the style of all

# Programs in plain CUDA: the solution's file, and an input.
PROGRAMS = {
    23: ("saxpy.cu", lambda: struct.pack("<if66f", 33, 2.0, *(k / 8 for k in range(66)))),
    24: ("heat.cu", lambda: struct.pack("<iif33f", 33, 3, 0.25, *(100.0 * (k % 5) for k in range(33)))),
}

# Exercise: the task, its case, and which of gpu::Picture's pictures shows what the task is about.
FIGURES = {
    1: ("run", "", "map"),
    2: ("combine", "", "schedule"),
    3: ("scale", "", "schedule"),
    4: ("power", "n=2,thefirstlookisenough", "schedule"),
    6: ("squared_diff", "", "map"),
    7: ("distance", "", "map"),
    8: ("add", "n=33", "map"),
    9: ("fill", "", "map"),
    10: ("naive", "", "map"),
    11: ("brighten", "", "map"),
    12: ("tree", "", "lanes"),
    13: ("norms", "2x1009,axis=1", "map"),
    14: ("max", "1x33", "lanes"),
    15: ("private", "n=33,bins=256,spread,blocks=8", "lanes"),
    16: ("naive", "16x16", "map"),
    17: ("escape", "19x67", "map"),
    18: ("naive", "", "map"),
    19: ("compress", "", "schedule"),
    20: ("pipeline", "", "schedule"),
    21: ("sum", "", "schedule"),
    22: ("pieces", "n=31", "lanes"),
    25: ("four", "", "map"),
}


def folder_of(number):
    found = list((ROOT / "exercises").glob(f"{number:02}-*"))
    if len(found) != 1:
        raise SystemExit(f"docs/figures/exercises.py: there is no exercise {number}")
    return found[0]


def slim(svg):
    """Without what only a page uses: the cells' own titles, and their threads."""
    svg = re.sub(r' data-[a-z]+="[^"]*"', "", svg)
    head, end = svg.split("</title>", 1)
    return head + "</title>" + re.sub(r"></(rect|path|g|text)>", r"/>", re.sub(r"<title>[^<]*</title>", "", end))


def run(command, wanted):
    environment = {**os.environ, "COURSE_ROOT": str(ROOT), "LIBGPU_DEVICE": "host"}
    ran = subprocess.run(command, env=environment, capture_output=True, text=True, cwd=ROOT, check=False)
    if not Path(wanted).is_file():
        raise SystemExit(f"{' '.join(command)} drew nothing:\n{ran.stdout}{ran.stderr}")
    return Path(wanted).read_text(encoding="utf-8")


def styled(width, height, title, text, body):
    """A picture of its own in the style of those that the kit draws."""
    style = re.search(r"<style>.*?</style>", (folder_of(STYLED) / "figure.svg").read_text(encoding="utf-8"), re.S)
    size = f'viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
    return (f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img">\n<title>{html.escape(title)}</title>\n'
            f'<desc>{html.escape(text)}</desc>\n{style[0]}\n'
            f'<rect class="paper" width="{width}" height="{height}"/>\n{body}\n</svg>\n')


def program(gpucc, number, scratch):
    """The first launch of a plain CUDA program, as `gpucc --show` draws it."""
    source, make_input = PROGRAMS[number]
    Path(f"{scratch}/input.bin").write_bytes(make_input())
    page = run([gpucc, "--show", f"{scratch}/{number}.html", f"solutions/{folder_of(number).name}/{source}", "--",
                f"{scratch}/input.bin", f"{scratch}/result.bin"], f"{scratch}/{number}.html")
    picture = re.search(r'<svg viewBox="0 0 (\d+) (\d+)"[^>]*aria-label="([^"]*)"[^>]*>(.*?)</svg>', page, re.S)
    width, height, title, body = picture.groups()
    title = html.unescape(title)
    question = "Which thread has which element, and does one have none, or two threads the same?"
    return styled(max(int(width) + 24, 620), int(height) + 68, title, question,
                  f'<text class="h" x="12" y="22">{html.escape(title)}</text>\n<text class="l" x="12" y="42">{question}'
                  f'</text>\n<g transform="translate(12 56)">{body}</g>')


def stopwatch():
    """Exercise 5: where the clock has to be read."""
    def box(x, y, width, words, kind="o"):
        return (f'<rect class="{kind}" x="{x}" y="{y}" width="{width}" height="24"/>'
                f'<text class="l" x="{x + 8}" y="{y + 16}">{words}</text>')

    def mark(x, words):
        return f'<path class="r" d="M{x} 34V128" stroke="#888"/><text class="s" x="{x + 4}" y="46">{words}</text>'

    body = "\n".join([
        '<text class="h" x="12" y="22">Where the clock has to be read</text>',
        mark(90, "first reading"), mark(196, "too early"), mark(482, "second reading"),
        '<text class="s" x="12" y="74">host</text>', box(92, 58, 100, "launch()"), box(200, 58, 278, "wait()", "n"),
        '<text class="s" x="12" y="112">device</text>', box(160, 96, 318, "the kernel")])
    return styled(620, 140, "A launch returns at once, and the kernel runs on until wait() returns",
                  "Between two readings of the clock the host launches the kernel, and waits for it.",
                  body)


def drawn(course, number, scratch):
    """What is drawn for the exercise now."""
    if number == 5:
        return stopwatch()
    if number in PROGRAMS:
        return slim(program(str(Path(course).parent / "gpucc"), number, scratch))
    task, case, picture = FIGURES[number]
    folder = folder_of(number)
    to = f"{scratch}/{number}.svg"
    command = [course, "show", str(number), "--from", f"solutions/{folder.name}", "--task", task, "--svg", picture]
    return slim(run(command + ["--out", to] + (["--case", case] if case else []), to))


def main(arguments):
    check = arguments[:1] == ["--check"]
    course, *numbers = arguments[1 if check else 0:]
    code = 0
    with tempfile.TemporaryDirectory() as scratch:
        everything = sorted([5, *FIGURES, *PROGRAMS], key=lambda number: (number != STYLED, number))
        for number in [int(one) for one in numbers] or everything:
            figure = folder_of(number) / "figure.svg"
            svg = drawn(str(Path(course).resolve()), number, scratch)
            if figure.is_file() and figure.read_text(encoding="utf-8") == svg:
                continue
            name = figure.relative_to(ROOT)
            if check:
                print(f"{name} isn't what is drawn now: docs/figures/exercises.py COURSE {number} renews it")
                code = 1
            else:
                figure.write_text(svg, encoding="utf-8")
                print(f"{name}: {len(svg) // 1024} KiB")
    if not numbers:   # each exercise has one, and each page shows it
        for folder in sorted((ROOT / "exercises").glob("[0-9][0-9]-*")):
            if int(folder.name[:2]) not in everything:
                print(f"exercises/{folder.name}: docs/figures/exercises.py doesn't draw it")
                code = 1
            elif "](figure.svg)" not in (folder / "README.md").read_text(encoding="utf-8"):
                print(f"exercises/{folder.name}/README.md doesn't show figure.svg")
                code = 1
    return code


if __name__ == "__main__":
    if len(sys.argv) < 2 or sys.argv[1] in ("-h", "--help") or sys.argv[1:] == ["--check"]:
        raise SystemExit(__doc__)
    sys.exit(main(sys.argv[1:]))
