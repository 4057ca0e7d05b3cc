# SPDX-License-Identifier: MIT
"""The landing page: landing.html with what the kit's own pages say in its gaps."""

import html
import re
from pathlib import Path
from string import Template

from kit import Fault, Page
from listings import code_block

VERDICT = "exercises/08-raw-add/README.md"                        # whose "Not yet" is shown
PICTURES = ("lessons/06-raw-kernels/figures/requests_x_as_row.svg", "docs/site/pictures/class_report_light.png",
            "docs/site/pictures/class_report_dark.png")
COMMANDS = """\
$ make tour   # build, see a verdict
$ make test   # run every test"""
COLOURS = (("bad", r"\b(?:crashed|out of bounds|wrong)\b"), ("good", r"\bpassed(?=,)"), ("where", r"\b\w+\.cu:\d+\b"))


def coloured(text):
    """A verdict with the colours that a terminal gives it."""
    text = html.escape(text, quote=False)
    for name, pattern in COLOURS:
        text = re.sub(pattern, lambda match, name=name: f'<span class="{name}">{match[0]}</span>', text)
    return text


def page(kit):
    verdict = re.search(r"```text\n(.*?)```", kit.read(VERDICT), re.DOTALL)
    if not verdict:
        raise Fault(f"{VERDICT}: has no block of text that shows a verdict, which the landing page needs")
    for picture in PICTURES:
        kit.url_for(picture, "docs/site/landing.html")
    text = Template((Path(__file__).parent / "landing.html").read_text(encoding="utf-8"))
    lessons = sum(source.section == "Lessons" and source.path.count("/") == 2 and source.path.endswith("README.md")
                  for source in kit.sources)
    exercises = sum(source.path.startswith("exercises/") for source in kit.sources)
    body = text.substitute(commands=code_block(COMMANDS, "console"), verdict=coloured(verdict[1]), lessons=lessons,
                           exercises=exercises, requests=PICTURES[0], report_light=PICTURES[1], report_dark=PICTURES[2])
    summary = "GPU programming for those who know C++ and Eigen: lessons, exercises judged in seconds, and a library."
    return Page("index.html", kit.plan["title"], body, summary=summary,
                texts=[("", "", summary)])
