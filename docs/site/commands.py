#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Fills in docs/commands.md from the programs and the Makefile, or says what has changed.

    commands.py COURSE COURSE_CLASS COURSE_AUTHOR            compare; exit status 1 if the page is out of date
    commands.py COURSE COURSE_CLASS COURSE_AUTHOR --write    fill it in
"""

import argparse
import difflib
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FIELDS = {"command": 3, "option": 6}


def cell(text):
    return text.replace("|", "\\|")


def described(program):
    """What `PROGRAM --commands` prints: {command: (about, options)}, in its order."""
    output = subprocess.run([program, "--commands"], check=True, capture_output=True, text=True).stdout
    commands = {}
    for line in output.splitlines():
        kind, *fields = line.split("\t")
        if len(fields) + 1 != FIELDS.get(kind):
            raise SystemExit(f"{program} --commands: a line of another form: {line}")
        if kind == "command":
            name, about = fields
            commands[name] = (about, [])
        else:
            commands[name][1].append(fields)
    return commands


def spelled(names, kind, choices):
    """`number` is NUMBER; an option is followed by what it takes."""
    if not names.startswith("-"):
        return names.upper()
    named = names.split(",")[-1].lstrip("-").upper().replace("-", "_")
    value = choices.strip("{}").replace(",", "|") or named
    return names.replace(",", ", ") + ("" if kind == "flag" else f" {value}")


def section(name, about, options):
    usage = [spelled(names, kind, choices) if required else f"[{spelled(names, kind, choices)}]"
             for names, kind, required, choices, _ in options if not names.startswith("-")]
    lines = [f"### {name}", "", f"`{' '.join([name, *usage])}`: {about}.", ""]
    if options:
        lines += ["| option | meaning |", "|---|---|"]
        for names, kind, required, choices, meaning in options:
            need = " (required)" if required and names.startswith("-") else ""
            lines.append(f"| `{cell(spelled(names, kind, choices))}` | {cell(meaning)}{need} |")
        lines.append("")
    return lines


def of_programs(course, course_class, course_author):
    """The others describe their own commands; `course` knows no more than their names."""
    commands = described(course)
    of_class = {name: text for name, text in described(course_class).items() if name != "course"}
    of_authors = {name: text for name, text in described(course_author).items() if name.startswith("course dev ")}
    others = {"course", "course dev"} | of_class.keys()
    of_students = {name: text for name, text in commands.items() if name not in others}
    lines = ["Before or behind any command:", "", "| option | meaning |", "|---|---|"]
    lines += [f"| `{spelled(names, kind, choices)}` | {cell(meaning)} |"
              for names, kind, _, choices, meaning in commands["course"][1]] + [""]
    for title, group in (("students", of_students), ("instructors", of_class), ("authors", of_authors)):
        lines += [f"## course: for {title}", ""]
        for name, (about, options) in group.items():
            lines += section(name, about, options)
    return lines


def of_make():
    lines = ["| command | meaning |", "|---|---|"]
    for name, about in re.findall(r"^([a-z][a-z%-]*):.*?## (.*)$", (ROOT / "Makefile").read_text(), re.MULTILINE):
        example = re.match(r"([a-z]+-\w+): (.*)", about)          # "hint-6: the next hint"
        lines.append(f"| `make {example[1] if example else name}` | {cell(example[2] if example else about)} |")
    return lines + [""]


def main():
    parser = argparse.ArgumentParser(description="Fills in docs/commands.md, or says what has changed.")
    parser.add_argument("course")
    parser.add_argument("course_class")
    parser.add_argument("course_author")
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    path = ROOT / "docs" / "commands.md"
    old = path.read_text(encoding="utf-8")
    new = old
    of_course = of_programs(options.course, options.course_class, options.course_author)
    for kind, lines in (("make", of_make()), ("course", of_course)):
        block = f"<!-- generated {kind} -->\n" + "\n".join(lines) + "<!-- end -->"
        new, count = re.subn(rf"<!-- generated {kind} -->\n.*?<!-- end -->", lambda match, block=block: block, new,
                             flags=re.DOTALL)
        if count != 1:
            raise SystemExit(f"docs/commands.md: expected <!-- generated {kind} --> and <!-- end -->, once")
    if options.write:
        path.write_text(new, encoding="utf-8")
    elif new != old:
        print("docs/commands.md is out of date: run docs/site/commands.py COURSE COURSE_CLASS COURSE_AUTHOR --write. "
              "What changes:")
        changes = difflib.unified_diff(old.splitlines(), new.splitlines(), "the page", "the programs", n=0, lineterm="")
        print("\n".join(changes))
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
