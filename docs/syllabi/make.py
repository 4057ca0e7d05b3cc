#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes what is generated of the syllabi, and the slides of their questions; README.md says how it is used.

    make.py                  fill in the tables between the markers of the pages
    make.py --check          say which pages would change; exit status 1 if one would
    make.py --slides FILE    write the slides, one HTML page
    --root FOLDER            of another copy of the kit
"""

import argparse
import re
import sys
from fractions import Fraction
from pathlib import Path

sys.dont_write_bytecode = True

from course import Course, Fault, load  # noqa: E402
from slides import slides_page  # noqa: E402
from timetable import clock, contents, table  # noqa: E402


def filled(path, text, name, lines):
    """The page's text with these lines between its markers."""
    pattern = re.compile(rf"(<!-- {name} -->\n).*?(<!-- end -->)", re.DOTALL)
    if len(pattern.findall(text)) != 1:
        raise Fault(f"{path}: expected <!-- {name} --> and <!-- end -->, once")
    return pattern.sub(lambda match: match[1] + "\n".join(lines) + "\n" + match[2], text)


def timetables(syllabus, course, plan):
    slack = Fraction(plan["slack_percent"], 100)
    lines = []
    for session in syllabus["session"]:
        lines += ([""] if lines else []) + table(syllabus, session, course, plan["show"], slack)
    return lines


def overview(plan, course):
    lines = ["| syllabus | hours | lessons | exercises |", "|---|---|---|---|"]
    for syllabus in plan["syllabus"]:
        hours = sum(clock(s["end"]) - clock(s["begin"]) for s in syllabus["session"]) / 60
        lessons, exercises = contents(syllabus, course)
        lines.append(f"| [{syllabus['title']}]({syllabus['file']}.md) | {hours:g} | {lessons} | {exercises} |")
    return lines


def pages(root, course, plan):
    """Each page's path, its text, and the text that it should have."""
    folder = root / "docs" / "syllabi"
    wanted = {syllabus["file"]: ("timetable", timetables(syllabus, course, plan)) for syllabus in plan["syllabus"]}
    wanted["README"] = ("overview", overview(plan, course))
    for name, (marker, lines) in wanted.items():
        path = folder / f"{name}.md"
        try:
            text = path.read_text(encoding="utf-8")
        except OSError as error:
            raise Fault(f"{path}: {error.strerror}") from error
        yield path, text, filled(path, text, marker, lines)


def main():
    parser = argparse.ArgumentParser(description="Syllabi and slides from the course's manifests.")
    parser.add_argument("--check", action="store_true", help="change nothing; say which pages would change")
    parser.add_argument("--slides", metavar="FILE", type=Path, help="write the questions as slides, one HTML page")
    parser.add_argument("--root", type=Path, default=Path(__file__).resolve().parents[2], help="the kit's folder")
    options = parser.parse_args()
    course = Course(options.root)
    plan = load(options.root / "docs" / "syllabi" / "syllabi.toml")
    changed = [(path, text) for path, old, text in pages(options.root, course, plan) if text != old]
    if options.slides:
        options.slides.parent.mkdir(parents=True, exist_ok=True)
        options.slides.write_text(slides_page(course, plan), encoding="utf-8")
        print(f"The slides are in {options.slides}.")
    elif options.check:
        for path, _ in changed:
            print(f"{path.relative_to(options.root)} isn't what syllabi.toml and the manifests say; "
                  "run docs/syllabi/make.py")
        return 1 if changed else 0
    else:
        for path, text in changed:
            path.write_text(text, encoding="utf-8")
            print(f"wrote {path.relative_to(options.root)}")
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Fault as fault:
        print(fault)
        sys.exit(1)
