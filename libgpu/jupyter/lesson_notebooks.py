#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""usage: lesson_notebooks.py OUT [LESSON...]      (make notebooks)

Writes each lesson's page, and each breather, as a notebook into OUT; LESSON is a number. The page stays the source: its
prose and questions become cells of text, and where it shows what a program prints stands the program, as a cell that
compiles and runs it. Without a number, copies of lessons/tutorials are put there, too. No output is stored. A notebook
that somebody has changed since is kept.
"""

import hashlib
import json
import os
import re
import sys
import tomllib
from pathlib import Path

ROOT = Path(os.path.abspath(__file__)).parents[2]   # a link stays one: a student's folder may consist of links
MARK = re.compile(r"<!-- (?P<kind>[a-z]+)(?: (?P<words>[^>]*?))? -->\n?")
END = "<!-- end -->"
LINK = re.compile(r"(\]\()([^)\s]+)(\))")


def blocks(page):
    """The page as (kind, words, text): what stands between two marks, and the prose between those, of kind "prose"."""
    result, kind, words, lines = [], "prose", "", []
    for line in page.splitlines(keepends=True):
        mark = MARK.fullmatch(line)
        if line.startswith("<!-- SPDX"):
            continue
        if line.strip() == END or (mark and kind == "prose"):
            result.append((kind, words, "".join(lines)))
            lines = []
            kind, words = ("prose", "") if line.strip() == END else (mark["kind"], mark["words"] or "")
        else:
            lines.append(line)
    return [*result, (kind, words, "".join(lines))]


def outside_fences(text):
    """(line, True if it stands in no listing) for each line."""
    fenced = False
    for line in text.splitlines(keepends=True):
        is_fence = line.startswith("```")
        yield line, not fenced and not is_fence
        fenced ^= is_fence


def headings(page):
    """Each heading of a page, by the name that links give it on the page."""
    found = {}
    for line, plain in outside_fences(page):
        if plain and re.match(r"#+ ", line):
            title = line.lstrip("#").strip()
            found[re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")] = title
    return found


class Links:
    """Links of a lesson's page, from the folder of notebooks: to other lessons' notebooks, or to the course's files."""

    def __init__(self, page, out):
        self.page, self.out = page, out

    def target(self, link):
        if re.match(r"[a-z]+:", link):
            return link
        path, _, heading = link.partition("#")
        file = Path(os.path.normpath(self.page.parent / path)) if path else self.page
        to = notebook_name(file)
        if to is None:
            return os.path.relpath(file, self.out) + (f"#{heading}" if heading else "")
        if heading and file.suffix == ".md":   # Jupyter names headings as they are written
            heading = headings(file.read_text(encoding="utf-8")).get(heading, heading).replace(" ", "-")
        return (to if path else "") + (f"#{heading}" if heading else "")

    def rewritten(self, text):
        return "".join(LINK.sub(lambda m: m[1] + self.target(m[2]) + m[3], line) if plain else line
                       for line, plain in outside_fences(text))


def notebook_name(page):
    """The notebook of a page: 06-raw-kernels.ipynb, 07-breather.ipynb, and a tutorial's own name; None if it has none."""
    if page.parent == ROOT / "lessons" / "tutorials":
        return page.name
    if page.parent.parent != ROOT / "lessons" or not re.match(r"\d\d-", page.parent.name):
        return None
    folder = page.parent.name
    return {"README.md": f"{folder}.ipynb", "breather.md": f"{folder[:2]}-breather.ipynb"}.get(page.name)


def program_file(folder, name):
    return next((folder / f"{name}{end}" for end in (".cpp", ".cu") if (folder / f"{name}{end}").exists()), None)


def used_by(program):
    """The files beside a program that it reads, includes or starts, in the order in which it names them."""
    found = []
    for name in re.findall(r'"([\w.]+)"', program.read_text(encoding="utf-8")):
        file = program.parent / name
        if not file.suffix and (program.parent / f"{name}.cu").exists():
            file = program.parent / f"{name}.cu"     # a plain CUDA program that it starts
        if file.is_file() and file.suffix in {".cu", ".hpp"} and file not in [*found, program]:
            found.append(file)
    return found


class Notebook:
    """The cells of one page."""

    def __init__(self, page, out):
        self.page, self.links, self.cells = page, Links(page, out), []
        self.prose, self.files = [], set()

    def add(self, kind, text):
        text = text.strip("\n")
        if text:
            cell = {"cell_type": kind, "id": f"{notebook_name(self.page)[:2]}-{len(self.cells) + 1}", "metadata": {},
                    "source": text.splitlines(keepends=True)}
            self.cells.append(cell | ({"execution_count": None, "outputs": []} if kind == "code" else {}))

    def flush(self):
        self.add("markdown", self.links.rewritten("".join(self.prose)))
        self.prose = []

    def add_prose(self, text):
        for line, plain in outside_fences(text):
            if plain and line.startswith("## "):
                self.flush()
            self.prose.append(line)

    def add_program(self, program):
        self.flush()
        for file in [*used_by(program), program]:
            if file in self.files:
                continue
            self.files.add(file)
            first, _, rest = file.read_text(encoding="utf-8").partition("\n")
            if "SPDX" not in first:
                sys.exit(f"{file}: its first line should be the licence's: the cell has its name there, so that lines "
                         "keep their numbers")
            self.add("code", f"%%program {file.relative_to(ROOT)}\n{rest}")

    def add_block(self, kind, words, text):
        program = program_file(self.page.parent, words) if kind in {"output", "measured"} else None
        if program:
            self.add_program(program)
        if kind == "question":
            self.flush()
            self.add("markdown", self.links.rewritten(text))
        elif kind != "output":
            self.add_prose(text)


def home_of(name, parts, questions):
    """The block behind which a program stands whose output the page doesn't show: its question, or what names it."""
    for k, (kind, words, text) in enumerate(parts):
        if (kind == "question" and words in questions) or (kind == "snippet" and words.startswith(f"{name}.")) or \
                f"`{name}`" in text or f"make lesson" in text and f"PROGRAM={name}" in text:
            return k
    sys.exit(f"the page neither shows nor names its program {name}")


def as_notebook(page, out):
    """The notebook of a page, as nbformat 4.5 has it."""
    with open(page.parent / "lesson.toml", "rb") as file:
        lesson = tomllib.load(file)
    parts = blocks(page.read_text(encoding="utf-8"))
    shown = {words for kind, words, _ in parts if kind in {"output", "measured"}}
    behind = {}
    for program in lesson.get("program", []):
        name = program["name"]
        if program.get("breather", False) == (page.name == "breather.md") and name not in shown:
            questions = {one["id"] for one in lesson.get("question", []) if one.get("program") == name}
            behind.setdefault(home_of(name, parts, questions), []).append(name)
    notebook = Notebook(page, out)
    for k, part in enumerate(parts):
        notebook.add_block(*part)
        for name in behind.get(k, []):
            notebook.add_program(program_file(page.parent, name))
    notebook.flush()
    return {"cells": notebook.cells, "nbformat": 4, "nbformat_minor": 5, "metadata": {
        "kernelspec": {"display_name": "C++ (libgpu)", "language": "c++", "name": "gpu-course"},
        "language_info": {"name": "c++"}, "license": "CC-BY-4.0"}}


def copy_of(tutorial, out):
    """A notebook of lessons/tutorials, with links that begin at `out`."""
    notebook, links = json.loads(tutorial.read_text(encoding="utf-8")), Links(tutorial, out)
    for cell in notebook["cells"]:
        if cell["cell_type"] == "markdown":
            cell["source"] = links.rewritten("".join(cell["source"])).splitlines(keepends=True)
    return notebook


def digest(cells):
    text = json.dumps([[one["cell_type"], "".join(one["source"])] for one in cells])
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def is_changed(file):
    """True if somebody has changed the cells that were written there."""
    try:
        there = json.loads(file.read_text(encoding="utf-8"))
        return digest(there["cells"]) != there["metadata"]["gpu_course"]["sources"]
    except (KeyError, TypeError, ValueError):
        return True


def main():
    if len(sys.argv) < 2 or sys.argv[1].startswith("-"):
        sys.exit(__doc__)
    out, wanted = Path(os.path.abspath(sys.argv[1])), {int(one) for one in sys.argv[2:]}
    out.mkdir(parents=True, exist_ok=True)
    pages = [page for name in ("README.md", "breather.md") for page in (ROOT / "lessons").glob(f"[0-9][0-9]-*/{name}")]
    kept = []
    pages = [page for page in sorted(pages) if not wanted or int(page.parent.name[:2]) in wanted]
    if not pages:
        sys.exit("there is no such lesson")
    pages += [] if wanted else sorted((ROOT / "lessons" / "tutorials").glob("*.ipynb"))
    for page in pages:
        file = out / notebook_name(page)
        if file.exists() and is_changed(file):
            kept.append(file)
            continue
        notebook = copy_of(page, out) if page.suffix == ".ipynb" else as_notebook(page, out)
        notebook["metadata"]["gpu_course"] = {"page": str(page.relative_to(ROOT)), "sources": digest(notebook["cells"])}
        file.write_text(json.dumps(notebook, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    print(f"{len(pages) - len(kept)} notebooks are in {os.path.relpath(out)}")
    for file in kept:
        print(f"{os.path.relpath(file)} has changes of yours and was kept: rename it, and a new one is written")


if __name__ == "__main__":
    main()
