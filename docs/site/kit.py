# SPDX-License-Identifier: MIT
"""The kit as the site sees it: which pages there are, where each one goes, and where a link leads."""

import fnmatch
import posixpath
import re
import subprocess
import tomllib
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import unquote

ROOMS = ("docs", "lessons", "exercises", "capstone")              # besides the pages in the root
PICTURES = (".svg", ".png", ".jpg", ".webp")


class Fault(Exception):
    """What keeps the site from being made: one line that names the file, what is there, and what must be."""


@dataclass
class Source:
    """A Markdown page of the kit."""

    path: str                                                     # "docs/student.md", from the kit's root
    url: str                                                      # "docs/student.html", from the site's root
    section: str                                                  # "Start"
    short_title: str | None                                       # for the navigation, if it isn't the heading


@dataclass
class Page:
    """A page of the site."""

    url: str
    title: str
    html: str
    section: str | None = None                                    # None: the navigation doesn't name it
    short_title: str = ""
    summary: str = ""                                             # one sentence, for search engines and results
    headings: list = field(default_factory=list)                  # (level, anchor, text), of "On this page"
    texts: list = field(default_factory=list)                     # (anchor, heading, plain text), for the search
    source: str | None = None                                     # the file that it was made of
    wide: bool = False                                            # code: lines aren't wrapped, and there is no contents


def url_of(path):
    """Where the page of a Markdown file goes: the kit's tree, with README.md as a folder's index."""
    folder, name = posixpath.split(path)
    if path == "README.md":
        return "start.html"                                       # index.html is the landing page
    return posixpath.join(folder, "index.html" if name == "README.md" else name[:-3] + ".html")


def relative(target, page_url):
    """A link from one page to another; both count from the site's root."""
    return posixpath.relpath(target, posixpath.dirname(page_url) or ".")


class Kit:
    def __init__(self, root):
        self.root = root
        self.copied = set()                                       # pictures
        self.shown = set()                                        # files and folders that get a page of their own
        try:
            self.plan = tomllib.loads((root / "docs" / "site" / "site.toml").read_text(encoding="utf-8"))
        except (OSError, tomllib.TOMLDecodeError) as error:
            raise Fault(f"site.toml: {error}") from error
        asked = subprocess.run([root / "release" / "version"], capture_output=True, text=True, check=False)
        if asked.returncode != 0:
            raise Fault(asked.stderr.strip())
        self.version = asked.stdout.strip()
        self.sources = self._arranged()
        self._by_path = {source.path: source for source in self.sources}

    def _markdown(self):
        found = list(self.root.glob("*.md"))
        for room in ROOMS:
            found += (self.root / room).rglob("*.md")
        paths = sorted(str(path.relative_to(self.root)) for path in found)
        return [path for path in paths if not any(fnmatch.fnmatch(path, left) for left in self.plan["leave_out"])]

    def _lessons_in_order(self):
        """The lessons' folders by number, each that names another one in `after` behind that one and its followers."""
        order, before = [], {}
        for folder in sorted(self.root.glob("lessons/[0-9][0-9]-*")):
            path = f"lessons/{folder.name}"
            try:
                after = tomllib.loads((folder / "lesson.toml").read_text(encoding="utf-8")).get("after", "")
            except (OSError, tomllib.TOMLDecodeError):
                after = ""                                        # course dev lessons reports it
            place = len(order)
            if f"lessons/{after}" in order:
                before[path] = f"lessons/{after}"
                place = order.index(before[path]) + 1
                while place < len(order) and _follows(order[place], before[path], before):
                    place += 1
            order.insert(place, path)
        return order

    def _arranged(self):
        waiting = self._markdown()
        short_titles = self.plan["short_titles"]
        arranged = []
        for section in self.plan["section"]:
            for pattern in section["pages"]:
                matching = [path for path in waiting if _matches(path, pattern)]
                if not matching and "*" not in pattern:
                    raise Fault(f"site.toml: there is no page {pattern}, which the section {section['title']} names")
                waiting = [path for path in waiting if path not in matching]
                arranged += [Source(path, url_of(path), section["title"], short_titles.get(path)) for path in matching]
        if waiting:
            raise Fault(f"site.toml: {', '.join(waiting)}: not in any section; add it to one, or to leave_out")
        order = [section["title"] for section in self.plan["section"]]
        # A lesson's breather comes after the lesson, not after all of them.
        folders = self._lessons_in_order()
        lessons = sorted((s for s in arranged if re.match(r"lessons/\d", s.path)),
                         key=lambda s: (folders.index(posixpath.dirname(s.path)), not s.path.endswith("README.md")))
        others = [s for s in arranged if not re.match(r"lessons/\d", s.path)]
        before = [s for s in others if s.path.startswith("lessons/")]  # their overview; other pages come after them
        after = [s for s in others if s not in before]
        return sorted(before + lessons + after, key=lambda s: order.index(s.section))

    def read(self, path):
        try:
            return (self.root / path).read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise Fault(f"{path}: {error}") from error

    def link(self, source_path, target, page_url):
        """What `target`, a link in the file `source_path`, becomes in the page `page_url`."""
        if re.match(r"[a-z][a-z+.-]*:", target) or target.startswith("#"):
            return target
        path, _, anchor = target.partition("#")
        path = posixpath.normpath(posixpath.join(posixpath.dirname(source_path), unquote(path)))
        url = self.url_for(path, source_path)
        return relative(url, page_url) + (f"#{anchor}" if anchor else "")

    def url_for(self, path, linked_from):
        """Where a file or a folder of the kit is found on the site; notes it, so that it will be there."""
        if path in self._by_path:
            return self._by_path[path].url
        if posixpath.join(path, "README.md") in self._by_path:
            return self._by_path[posixpath.join(path, "README.md")].url
        place = self.root / path
        if path.startswith("..") or not place.exists():
            raise Fault(f"{linked_from}: links to {path}, which doesn't exist")
        if path.endswith(PICTURES):
            self.copied.add(path)
            return path
        self.shown.add(path)
        return path + ("/index.html" if place.is_dir() else ".html")


def _follows(path, other, before):
    while path != other and path:
        path = before.get(path, "")
    return path == other


def _matches(path, pattern):
    """fnmatch, whose `*` stops at a slash."""
    return path.count("/") == pattern.count("/") and fnmatch.fnmatch(path, pattern)
