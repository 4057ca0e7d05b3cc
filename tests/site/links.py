#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Reads a built site and says what is wrong with it.

    links.py FOLDER

Every link leads to a page, and to a place on it; nothing is loaded from elsewhere; each page has a title, a language,
one first heading and one main part, a text for each picture and drawing, and can be reached from the landing page;
sizes are bounded. Links to other sites are looked at, not followed.
"""

import json
import re
import sys
from html.parser import HTMLParser
from os.path import normpath
from pathlib import Path
from urllib.parse import unquote, urlsplit

LARGEST_PAGE = 700_000                                            # bytes
LARGEST_SITE = 25_000_000
UNFINISHED = re.compile(r"\b(?:TODO|FIXME|XXX|TBD)\b")
LOADED = {("script", "src"), ("img", "src"), ("source", "srcset"), ("iframe", "src"), ("link", "href")}


class PageReader(HTMLParser):
    """What a page links to, loads, and has."""

    def __init__(self):
        super().__init__()
        self.links, self.loaded, self.ids, self.faults = [], [], [], []
        self.headings, self.mains, self.language, self.title, self.text = 0, 0, None, "", []
        self.open, self.header_cell = [], None

    def handle_starttag(self, tag, attributes):
        has = dict(attributes)
        if "id" in has:
            self.ids.append(has["id"])
        if tag == "a" and "href" in has:
            self.links.append(has["href"])
        for name, value in attributes:
            if (tag, name) in LOADED:
                self.loaded.append(value)
        if tag == "img" and not (has.get("alt") or "").strip():
            self.faults.append(f"the picture {has.get('src')} has no text for those who can't see it")
        if tag == "svg" and has.get("aria-hidden") != "true" and not (has.get("aria-label") or "").strip():
            self.faults.append("a drawing has no text for those who can't see it")
        if tag == "html":
            self.language = has.get("lang")
        self.headings += tag == "h1"
        self.mains += tag == "main"
        if tag == "th":
            self.header_cell = ""
        if tag in ("title", "script", "style", "code", "pre"):
            self.open.append(tag)

    def handle_endtag(self, tag):
        if tag == "th":
            if not (self.header_cell or "").strip():
                self.faults.append("a table has a heading without text")
            self.header_cell = None
        if self.open and self.open[-1] == tag:
            self.open.pop()

    def handle_data(self, data):
        if self.header_cell is not None:
            self.header_cell += data
        if self.open and self.open[-1] == "title":
            self.title += data
        elif not self.open:
            self.text.append(data)


def read(path):
    reader = PageReader()
    reader.feed(path.read_text(encoding="utf-8"))
    reader.close()
    return reader


class Site:
    def __init__(self, folder):
        self.folder = folder
        self.files = {path for path in folder.rglob("*") if path.is_file()}
        self.pages = {path: read(path) for path in sorted(self.files) if path.suffix == ".html"}
        self.faults = []

    def say(self, path, fault):
        self.faults.append(f"{path.relative_to(self.folder)}: {fault}")

    def target(self, path, link):
        """The file that a link leads to, or None if it leads to another site; what is wrong with it is said."""
        parts = urlsplit(link)
        if parts.scheme or parts.netloc:
            known = parts.scheme in ("https", "http") and parts.netloc or parts.scheme == "mailto" and parts.path
            if not known or re.search(r"\s", link):
                self.say(path, f"{link} isn't an address")
            return None
        target = Path(normpath(path.parent / unquote(parts.path))) if parts.path else path
        if target not in self.files:
            self.say(path, f"{link} leads to no file")
            return None
        if parts.fragment and target in self.pages and unquote(parts.fragment) not in self.pages[target].ids:
            self.say(path, f"{link}: that page has nothing called so")
        return target

    def check_page(self, path, page):
        for fault in page.faults:
            self.say(path, fault)
        if not page.title.strip():
            self.say(path, "has no title")
        if not page.language:
            self.say(path, "doesn't say which language it is in")
        if page.headings != 1 and path.name != "slides.html":
            self.say(path, f"has {page.headings} headings of the first level; one is right")
        if page.mains != 1:
            self.say(path, f"has {page.mains} parts called main; one is right")
        for name in sorted({name for name in page.ids if page.ids.count(name) > 1}):
            self.say(path, f"two things are called {name}")
        if UNFINISHED.search(" ".join(page.text)):
            self.say(path, f"says {UNFINISHED.search(' '.join(page.text))[0]}")
        if path.stat().st_size > LARGEST_PAGE:
            self.say(path, f"has {path.stat().st_size} bytes; at most {LARGEST_PAGE} are allowed")
        for link in page.loaded:
            if urlsplit(link).scheme or urlsplit(link).netloc:
                self.say(path, f"loads {link} from elsewhere")

    def check_styles(self):
        for path in [*self.folder.rglob("*.css"), *self.folder.rglob("*.js"), *self.folder.rglob("*.svg")]:
            text = path.read_text(encoding="utf-8")
            outside = re.search(r"@import|url\(\s*['\"]?(?:https?:)?//|\bfetch\(|<image|xlink:href=\"http", text)
            if outside and path.name != "search-index.js":
                self.say(path, f"loads something from elsewhere: {outside[0]}")

    def check_search(self):
        path = self.folder / "search-index.js"
        entries = json.loads(re.search(r"\[.*\]", path.read_text(encoding="utf-8"), re.DOTALL)[0])
        if len(entries) < len(self.pages) / 2:
            self.say(path, f"has {len(entries)} sections of {len(self.pages)} pages")
        for url, *_ in entries:
            self.target(path, url)

    def check(self):
        front = self.folder / "index.html"
        reached, waiting = {front}, [front]
        targets = {path: [self.target(path, link) for link in dict.fromkeys([*page.links, *page.loaded])]
                   for path, page in self.pages.items()}
        while waiting:
            for target in targets.get(waiting.pop(), []):
                if target is not None and target not in reached:
                    reached.add(target)
                    waiting.append(target)
        for path, page in self.pages.items():
            self.check_page(path, page)
            if path not in reached:
                self.say(path, "no page leads here from the landing page")
        titles = [page.title for page in self.pages.values()]
        for title in sorted({title for title in titles if titles.count(title) > 1}):
            self.faults.append(f'{titles.count(title)} pages have the title "{title}"')
        self.check_styles()
        self.check_search()
        size = sum(path.stat().st_size for path in self.files)
        if size > LARGEST_SITE:
            self.faults.append(f"the site has {size} bytes; at most {LARGEST_SITE} are allowed")
        return size, sum(len(links) for links in targets.values())


def main():
    site = Site(Path(sys.argv[1]).resolve())
    if not site.pages:
        print(f"{sys.argv[1]}: there are no pages")
        return 1
    size, links = site.check()
    if site.faults:
        print("\n".join(site.faults[:60]))
        print(f"{len(site.faults)} faults on {len(site.pages)} pages")
        return 1
    print(f"{len(site.pages)} pages, {links} links, {size / 1e6:.1f} MB: nothing is wrong")
    return 0


if __name__ == "__main__":
    sys.exit(main())
