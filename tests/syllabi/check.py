#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""usage: check ROOT

The tables of docs/syllabi are what the manifests say, every session fits into its length, the pages' links lead to
files, and the slides have each question of every lesson once, with the letter of the right choice that the
lesson's page has.
"""

import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from html.parser import HTMLParser
from pathlib import Path


class Slides(HTMLParser):
    """What a browser makes of the slides: text by section, the letters of right choices, and whether all is closed."""

    def __init__(self):
        super().__init__()
        self.open, self.ids, self.text, self.right, self.tags, self.faults = [], [], {}, {}, set(), []
        self.section = None

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        self.tags.add(tag)
        if "id" in attributes:
            self.ids.append(attributes["id"])
        if tag == "section":
            self.section = attributes["id"]
            self.text[self.section], self.right[self.section] = "", []
        if tag not in ("meta", "link", "br"):
            self.open.append((tag, attributes.get("class", "")))
        for name in ("src", "href"):
            if attributes.get(name, "?").split(":")[0] in ("http", "https"):
                self.faults.append(f"<{tag}> needs the network: {attributes[name]}")

    def handle_endtag(self, tag):
        if not self.open or self.open.pop()[0] != tag:
            self.faults.append(f"</{tag}> in line {self.getpos()[0]} closes nothing")
        if tag == "section":
            self.section = None

    def handle_data(self, data):
        if not self.section:
            return
        self.text[self.section] += data
        if self.open[-1] == ("b", "letter") and ("li", "right") in self.open:
            self.right[self.section].append(data)


def plain(text):
    return " ".join(text.replace("`", "").split())


def right_letter(lesson, id):
    """As the lesson's page, or its breather's, has it."""
    for page in lesson.parent.glob("*.md"):
        text = page.read_text(encoding="utf-8")
        block = re.search(rf"<!-- question {re.escape(id)} -->(.*?)<!-- end -->", text, re.DOTALL)
        said = block and re.search(r"^([A-Z]) is right\.", block[1], re.MULTILINE)
        if said:
            return said[1]
    return None


def faults_of_slides(root, page):
    slides = Slides()
    slides.feed(page)
    faults = slides.faults + [f"<{tag}> is left open" for tag, _ in slides.open]
    faults += [f"the id {id} is there twice" for id in sorted({id for id in slides.ids if slides.ids.count(id) > 1})]
    known = {"html", "head", "meta", "title", "style", "body", "main", "section", "header", "h1", "div", "p", "pre",
             "code", "ol", "ul", "li", "b", "span", "a", "script"}
    faults += [f"<{tag}> isn't of the slides: a text that wasn't escaped?" for tag in sorted(slides.tags - known)]
    wanted = {}
    for lesson in sorted(root.glob("lessons/*/lesson.toml")):
        for question in tomllib.loads(lesson.read_text(encoding="utf-8"))["question"]:
            wanted[f"{lesson.parent.name[:2]}/{question['id']}"] = (lesson, question)
    for id in sorted(set(slides.text) - set(wanted) - {"start"}):
        faults.append(f"the slide {id} is no lesson's question")
    for id, (lesson, question) in wanted.items():
        if id not in slides.text:
            faults.append(f"the question {id} has no slide")
            continue
        text = plain(slides.text[id])
        parts = [question["ask"], question.get("why", "")]
        parts += [c[key] for c in question.get("choice", []) for key in ("text", "why") if key in c]
        parts += [slip["why"] for slip in question.get("slip", []) if "why" in slip]
        faults += [f"the slide {id} lacks \"{plain(part)}\"" for part in parts if plain(part) not in text]
        if "choice" in question and slides.right[id] != [right_letter(lesson, question["id"])]:
            letter = right_letter(lesson, question["id"])
            faults.append(f"the slide {id} says that {slides.right[id]} is right, the page {letter}")
    return faults, len(wanted)


def faults_of_links(folder):
    for page in sorted(folder.glob("*.md")):
        text = page.read_text(encoding="utf-8")
        for target in re.findall(r"\]\(([^)#:]+)", text):
            if not (folder / target).exists():
                yield f"{page.name}: the link {target} leads nowhere"


def said_of_a_long_block(root, make):
    """What make.py says where a block takes all day."""
    with tempfile.TemporaryDirectory() as scratch:
        kit = Path(scratch)
        shutil.copytree(root / "docs/syllabi", kit / "docs/syllabi")
        for folder in ("lessons", "exercises", "capstone"):
            (kit / folder).symlink_to(root / folder)
        plan = kit / "docs/syllabi/syllabi.toml"
        text = plan.read_text(encoding="utf-8")
        plan.write_text(re.sub(r"minutes = \d+ }", "minutes = 900 }", text), encoding="utf-8")
        made = subprocess.run([*make, "--root", str(kit), "--check"], capture_output=True, text=True, check=False)
        return made.stdout + made.stderr


def main():
    root = Path(sys.argv[1]).resolve()
    make = [sys.executable, str(root / "docs/syllabi/make.py"), "--root", str(root)]
    tables = subprocess.run([*make, "--check"], capture_output=True, text=True, check=False)
    faults = tables.stdout.splitlines() + tables.stderr.splitlines()
    if tables.returncode and not faults:
        faults = [f"make.py --check ended with {tables.returncode}"]
    faults += faults_of_links(root / "docs/syllabi")
    count = 0
    with tempfile.TemporaryDirectory() as scratch:
        page = Path(scratch) / "slides.html"
        if subprocess.run([*make, "--slides", str(page)], capture_output=True, check=False).returncode == 0:
            found, count = faults_of_slides(root, page.read_text(encoding="utf-8"))
            faults += found
        elif not faults:
            faults.append("make.py --slides failed")
    if count < 20:
        faults.append(f"only {count} questions were found")
    if "don't fit into" not in said_of_a_long_block(root, make[:2]):
        faults.append("a session that is too long is not noticed")
    print("\n".join(faults) if faults else f"the timetables fit, and {count} questions have slides")
    return 1 if faults else 0


sys.exit(main())
