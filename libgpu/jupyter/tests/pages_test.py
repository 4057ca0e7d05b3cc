#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Holds the lessons' notebooks and their pages together: all of a page's prose, its questions and its programs are
there once, in the page's order, and nothing else is. Needs no Jupyter."""

import json
import re
import subprocess
import sys
import tempfile
import tomllib
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
WRITER = ROOT / "libgpu" / "jupyter" / "lesson_notebooks.py"
LESSONS = sorted((ROOT / "lessons").glob("[0-9][0-9]-*"))


def write(out, *lessons):
    return subprocess.run([sys.executable, WRITER, out, *lessons], capture_output=True, text=True, check=True).stdout


def words(text):
    """A page's words, without its marks and without where links lead."""
    return re.sub(r"\]\([^)\s]+\)", "]", re.sub(r"<!--.*?-->", "", text)).split()


def page_without_output(page):
    """The page's text, without what programs print: their cells print it."""
    return re.sub(r"<!-- output .*?<!-- end -->", "", page.read_text(encoding="utf-8"), flags=re.S)


class Pages(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory(dir=ROOT / "build" if (ROOT / "build").is_dir() else None)
        cls.out = Path(cls.scratch.name)
        write(cls.out)
        cls.notebooks = []   # (page, its notebook)
        for folder in LESSONS:
            for page, name in (("README.md", folder.name), ("breather.md", f"{folder.name[:2]}-breather")):
                page = folder / page
                if page.exists():
                    cls.notebooks.append((page, json.loads((cls.out / f"{name}.ipynb").read_text(encoding="utf-8"))))

    @classmethod
    def tearDownClass(cls):
        cls.scratch.cleanup()

    def source(self, cell):
        return "".join(cell["source"])

    def test_there_is_one_for_each_page(self):
        self.assertGreaterEqual(len(self.notebooks), 18)
        tutorials = [file.name for file in (ROOT / "lessons" / "tutorials").glob("*.ipynb")]
        self.assertGreaterEqual(len(tutorials), 5)
        self.assertEqual(len(list(self.out.iterdir())), len(self.notebooks) + len(tutorials))
        for name in tutorials:
            cells = [json.loads((folder / name).read_text(encoding="utf-8"))["cells"]
                     for folder in (self.out, ROOT / "lessons" / "tutorials")]
            self.assertEqual(*[[words(self.source(one)) for one in some] for some in cells])

    def test_prose_is_the_pages(self):
        for page, notebook in self.notebooks:
            with self.subTest(page.parent.name + "/" + page.name):
                text = "\n".join(self.source(one) for one in notebook["cells"] if one["cell_type"] == "markdown")
                self.assertEqual(words(text), words(page_without_output(page)))

    def test_questions_have_cells_of_their_own(self):
        for page, notebook in self.notebooks:
            asked = re.findall(r"<!-- question \S+ -->\n(.*?)<!-- end -->", page.read_text(encoding="utf-8"), re.S)
            cells = [words(self.source(one)) for one in notebook["cells"] if one["cell_type"] == "markdown"]
            for question in asked:
                with self.subTest(question):
                    self.assertEqual(cells.count(words(question)), 1)
                    self.assertIn("<details>", question)

    def test_programs_are_there_once_and_whole(self):
        for folder in LESSONS:
            with self.subTest(folder.name):
                cells = []
                for page, notebook in self.notebooks:
                    if page.parent == folder:
                        cells += [self.source(one) for one in notebook["cells"] if one["cell_type"] == "code"]
                names = [re.fullmatch(r"%%program (\S+)", one.partition("\n")[0]).group(1) for one in cells]
                self.assertEqual(len(names), len(set(names)))
                for name, cell in zip(names, cells):
                    first, _, rest = (ROOT / name).read_text(encoding="utf-8").partition("\n")
                    self.assertIn("SPDX", first)
                    self.assertEqual(cell.partition("\n")[2].rstrip("\n"), rest.rstrip("\n"))
                lesson = tomllib.loads((folder / "lesson.toml").read_text(encoding="utf-8"))
                there = {Path(name).stem for name in names}
                self.assertEqual([one["name"] for one in lesson["program"] if one["name"] not in there], [])
                texts = [file.read_text(encoding="utf-8") for file in folder.glob("*.cpp")]
                wanted = set(re.findall(r'(?:gpu::file\(|#include )"([\w.]+)"', "\n".join(texts)))
                self.assertEqual([one for one in wanted if f"{folder.relative_to(ROOT)}/{one}" not in names], [])

    def test_a_program_stands_where_the_page_shows_what_it_prints(self):
        for page, notebook in self.notebooks:
            with self.subTest(page.parent.name + "/" + page.name):
                text = page.read_text(encoding="utf-8")
                shown = re.findall(r"^<!-- (output|measured|question) (\S+) -->$", text, re.M)
                programs = {Path(one).stem for one in page.parent.iterdir() if one.suffix in {".cpp", ".cu"}}
                asked = dict(re.findall(r"<!-- question (\S+) -->\n(.*?)\n", text))
                expected = [asked[name] if kind == "question" else name for kind, name in shown
                            if kind == "question" or name in programs]
                found = []
                for one in notebook["cells"]:
                    first = self.source(one).partition("\n")[0]
                    if one["cell_type"] == "markdown" and first in asked.values():
                        found.append(first)
                    elif first.startswith("%%program") and Path(first.split()[1]).stem in expected and \
                            re.search(r"^int main\(", self.source(one), re.M):
                        found.append(Path(first.split()[1]).stem)
                self.assertEqual(found, expected)

    def test_links_lead_somewhere(self):
        count = 0
        for file in sorted(self.out.iterdir()):
            for cell in json.loads(file.read_text(encoding="utf-8"))["cells"]:
                if cell["cell_type"] != "markdown":
                    continue
                prose = re.sub(r"^```.*?^```", "", self.source(cell), flags=re.M | re.S)
                for link in re.findall(r"\]\(([^)\s#]+)", prose):
                    if not re.match(r"[a-z]+:", link):
                        count += 1
                        self.assertTrue((self.out / link).exists(), f"{file.name}: {link}")
        self.assertGreater(count, 150)
        figures = [link for _, notebook in self.notebooks for cell in notebook["cells"]
                   for link in re.findall(r"!\[[^\]]*\]\(([^)]+)\)", self.source(cell))]
        self.assertGreater(len(figures), 15)
        self.assertEqual(len(figures), sum(page.read_text(encoding="utf-8").count("![") for page, _ in self.notebooks))

    def test_the_form_is_a_notebooks(self):
        for page, notebook in self.notebooks:
            with self.subTest(page.parent.name):
                self.assertEqual((notebook["nbformat"], notebook["nbformat_minor"]), (4, 5))
                self.assertEqual(notebook["metadata"]["kernelspec"]["name"], "gpu-course")
                ids = [one["id"] for one in notebook["cells"]]
                self.assertEqual(len(ids), len(set(ids)))
                for cell in notebook["cells"]:
                    self.assertRegex(cell["id"], r"^[a-zA-Z0-9_-]{1,64}$")
                    self.assertTrue(self.source(cell).strip())
                    if cell["cell_type"] == "code":
                        self.assertEqual((cell["outputs"], cell["execution_count"]), ([], None))

    def test_what_somebody_has_changed_is_kept(self):
        with tempfile.TemporaryDirectory() as out:
            self.assertIn("1 notebooks", write(out, "18"))
            file = next(Path(out).iterdir())
            notebook = json.loads(file.read_text(encoding="utf-8"))
            for cell in notebook["cells"]:   # run, as Jupyter stores it: that is no change
                if cell["cell_type"] == "code":
                    cell["outputs"] = [{"output_type": "stream", "name": "stdout", "text": ["1\n"]}]
                    cell["execution_count"] = 3
            file.write_text(json.dumps(notebook), encoding="utf-8")
            self.assertNotIn("kept", write(out, "18"))
            notebook["cells"][0]["source"] = ["mine"]
            file.write_text(json.dumps(notebook), encoding="utf-8")
            self.assertIn("has changes of yours and was kept", write(out, "18"))
            self.assertEqual(json.loads(file.read_text(encoding="utf-8"))["cells"][0]["source"], ["mine"])


if __name__ == "__main__":
    unittest.main()
